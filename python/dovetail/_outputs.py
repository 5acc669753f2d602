"""Names of files that are to be written: what is wrong with them is told before the work, not after it."""

from __future__ import annotations

import os

from ._errors import FileError, InvalidArgument
from ._types import FileName


def check_writable(file: FileName) -> None:
    """Raises FileError where a file of this name cannot be made."""
    name = os.fspath(file)
    folder = os.path.dirname(name)
    if folder and not os.path.isdir(folder):
        raise FileError(f"{name}: the folder {folder} is not there")
    if os.path.isdir(name):
        raise FileError(f"{name}: is a folder")
    if not os.access(folder or ".", os.W_OK):
        raise FileError(f"{name}: cannot be written: no file can be made in its folder")


def check_page_name(file: FileName) -> None:
    """Raises InvalidArgument where a page for a browser has another ending."""
    name = os.fspath(file)
    if not name.endswith((".html", ".htm")):
        raise InvalidArgument(f"file: {name} is no page's name; it has to end in .html")
