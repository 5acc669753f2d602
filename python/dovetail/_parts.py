"""What find_parts() found, as files for others."""

from __future__ import annotations

from typing import Any

from . import _native
from ._errors import InvalidArgument
from ._inputs import recall
from ._native import Found
from ._types import FileName, PosesLike, RangeImageLike


def write_found_picture(
    file: FileName, found: Found, *, image: RangeImageLike | None = None, poses: PosesLike | None = None
) -> None:
    """Draws what find_parts() found into a PNG of the image: near is bright, each part has its outline and its number from 1 on.

    image and poses are what find_parts() was given, where that is still there.
    """
    _native.write_found_picture(file, found, _given(found, "image", image), _given(found, "poses", poses))


def write_found_results(
    file: FileName, found: Found, *, image: FileName | None = None, poses: PosesLike | None = None
) -> None:
    """Writes what find_parts() found as a results CSV of the BOP benchmark.

    The name of the image tells scene and image, 000001/depth/000003.png; without such a name they are 1 and 0. image and poses are
    what find_parts() was given, where nothing else is told.
    """
    _native.write_found_results(file, found, found.scene_file if image is None else image, _given(found, "poses", poses))


def _given(found: Found, name: str, value: Any) -> Any:
    given = recall(found).get(name) if value is None else value
    if given is None:
        raise InvalidArgument(f"{name}: what find_parts() was given is not at hand any more; give it again")
    return given
