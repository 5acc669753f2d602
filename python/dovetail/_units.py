"""Parts in millimetres, whatever their files are in: what the command line's --unit does."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

from . import _native
from ._arrays import as_points
from ._errors import InvalidArgument
from ._shown import shown

ALLOWED = ("mm", "cm", "m", "inch")


def in_millimetres(part: Any, unit: str | None, name: str) -> Any:
    """The part in mm. Of a file whose unit is not told it is guessed, with a warning; what is no file is taken as it is."""
    if unit is not None and unit not in ALLOWED:
        raise InvalidArgument(f"unit: {shown(unit)} is not allowed; allowed: None, {', '.join(ALLOWED)}")
    is_file = isinstance(part, (str, os.PathLike))
    if unit is None and not is_file:
        return part
    cloud = as_cloud(part, name)
    millimetres = _native.likely_part_unit(cloud) if unit is None else _native.millimetres_in(unit)
    if unit is None:
        sides = " x ".join(f"{millimetres * side:.4g}" for side in _native.sides_of(cloud))
        meant = "mm" if millimetres == 1 else "m"
        text = f"{os.fspath(part)}: taken to be in {meant}, so that it is {sides} mm; unit= tells what it is"
        warnings.warn(text, stacklevel=_depth_of_caller())
    return cloud if millimetres == 1 else _native.scaled(cloud, millimetres)


def as_cloud(part: Any, name: str) -> _native.PointCloud:
    """A part as a cloud of the library's own."""
    if isinstance(part, _native.PointCloud):
        return part
    given = as_points(part, name)
    return given if isinstance(given, _native.PointCloud) else _native.PointCloud(given)


def _depth_of_caller() -> int:
    """How far up the first frame is that is none of this package: a warning names that line."""
    depth, package = 1, os.path.dirname(__file__)
    frame = sys._getframe(1)  # in_millimetres(), where the warning is given
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        frame, depth = frame.f_back, depth + 1
    return depth
