"""Values in messages."""

from __future__ import annotations

import reprlib
from typing import Any

LONGEST = 80


class _Short(reprlib.Repr):
    """Lists of lists to three levels, six of each: the repr() of a million numbers would be long in the making."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother, self.maxlong = 3, LONGEST, LONGEST, LONGEST
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxarray = 6


def shown(value: Any) -> str:
    """repr() in one line, shortened to some eighty characters."""
    text = " ".join(_Short().repr(value).split())
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 20]} ... {text[-15:]}"
