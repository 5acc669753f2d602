"""Anything that holds points, as what the compiled part looks at: a cloud, an array, or an array of a GPU."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _native
from ._errors import InvalidArgument
from ._shown import shown


def as_points(given: Any, name: str) -> Any:
    """A PointCloud, an array of float32 or float64 rows that can be looked at where it is, or a GPU's array."""
    if isinstance(given, (str, os.PathLike)):
        return _native.read_points(given)
    if hasattr(given, "__cuda_array_interface__"):
        return given
    if isinstance(given, (_native.Reference, _native.DistanceField)):
        raise TypeError(f"{name}: {shown(given)} holds no points to move; chamfer() and build_field() take it as a reference")
    if not isinstance(given, (np.ndarray, list, tuple)):
        cloud = cloud_of_another_library(given, name)
        if cloud is not None:
            return cloud
    return rows(given, name)


def cloud_of_another_library(given: Any, name: str = "points") -> _native.PointCloud | None:
    """A cloud of what Open3D or trimesh hold; None where it is neither. Arrays have none of these attributes."""
    points = getattr(given, "vertices", None)  # meshes of both, clouds of trimesh
    faces, normals, colors = None, None, None
    if points is not None:
        faces = _filled(getattr(given, "triangles", None) if hasattr(given, "triangles") else getattr(given, "faces", None))
        if faces is None or hasattr(given, "triangles"):
            normals = _filled(getattr(given, "vertex_normals", None))
    elif hasattr(given, "points") and hasattr(given, "has_normals"):  # clouds of Open3D
        points = given.points
        normals = _filled(given.normals) if given.has_normals() else None
        if given.has_colors():
            colors = np.rint(255 * np.clip(np.asarray(given.colors), 0, 1)).astype(np.uint8)
    else:
        return None
    return _native.PointCloud(rows(points, name), normals=normals, colors=colors, faces=faces)


def _filled(values: Any) -> Any:
    """An array, or None where it holds nothing."""
    if values is None:
        return None
    array = np.asarray(values)
    return array if len(array) else None


def rows(given: Any, name: str) -> Any:
    """An array of float32 or float64, (n, 3) or (n, 2), its coordinates side by side. Copies where it has to."""
    if isinstance(given, np.ma.MaskedArray):
        masked: Any = given
        given = masked.astype(np.float64).filled(np.nan)  # what is masked is no point
    array = _array(given, name)
    if array.dtype.names is not None:
        array = _fields(array, name)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: an array of {array.dtype} holds no coordinates; allowed: float32, float64, whole numbers")
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        hint = ""
        if array.ndim == 2 and array.shape[0] in (2, 3) and array.shape[1] > 3:
            hint = "; .T turns it"
        elif array.ndim == 2 and array.shape[1] > 3:
            hint = "; [:, :3] takes the first three columns"
        elif array.ndim == 3 and array.shape[2] in (2, 3):
            hint = f"; .reshape(-1, {array.shape[2]}) makes rows of an organised cloud"
        raise InvalidArgument(f"{name}: an array of shape {array.shape} is not allowed; allowed: (n, 3) and (n, 2){hint}")
    kind = np.float32 if array.dtype.kind == "f" and array.dtype.itemsize <= 4 else np.float64
    array = array.astype(kind, copy=False)
    side_by_side = array.strides[1] == array.itemsize and array.strides[0] >= array.shape[1] * array.itemsize
    if side_by_side and array.strides[0] % array.itemsize == 0 and array.flags.aligned:
        return array
    return np.array(array, order="C")  # always a copy, however thin the array is


def depths(given: Any, name: str) -> Any:
    """An array of depths as float32, row by row; what is masked is a hole, 0."""
    if given.dtype.kind not in "fiu":
        raise TypeError(f"{name}: an array of {given.dtype} holds no depths; allowed: floats, whole numbers")
    if isinstance(given, np.ma.MaskedArray):
        masked: Any = given
        given = masked.filled(0)
    return np.ascontiguousarray(given, dtype=np.float32)


def _array(given: Any, name: str) -> Any:
    if not isinstance(given, np.ndarray) and hasattr(given, "__dlpack__") and not hasattr(given, "__array__"):
        try:
            return np.from_dlpack(given)
        except (RuntimeError, TypeError, BufferError) as error:
            raise InvalidArgument(f"{name}: {type(given).__name__} gives no array of the host: {error}") from error
    try:
        array = np.asarray(given)
    except ValueError as error:  # rows that differ in length
        raise InvalidArgument(f"{name}: not rows of equally many numbers: {error}") from error
    if array.dtype == object and not isinstance(given, np.ndarray):
        raise TypeError(f"{name}: {type(given).__name__} holds no points; allowed: {ALLOWED}")
    if array.size == 0 and array.ndim < 2:
        raise InvalidArgument(f"{name}: there are no points in it")
    return array


def _fields(array: Any, name: str) -> Any:
    """The coordinates of a structured array: its fields x, y and, where there is one, z."""
    names = [axis for axis in ("x", "y", "z") if axis in array.dtype.names]
    if names[:2] != ["x", "y"]:
        raise InvalidArgument(f"{name}: a structured array with the fields {array.dtype.names}; x, y and z are needed")
    from numpy.lib.recfunctions import structured_to_unstructured

    return structured_to_unstructured(array[names].reshape(-1))


def as_normals(given: Any, count: int, name: str) -> Any:
    """Normals as contiguous float32 rows, one for each point."""
    array = np.ascontiguousarray(_array(given, name), dtype=np.float32)
    if array.shape != (count, 3):
        raise InvalidArgument(f"{name}: an array of shape {array.shape} is not allowed; allowed: ({count}, 3), one for each point")
    return array


ALLOWED = "an array (n, 3) or (n, 2), a PointCloud, a list of rows, a file's name, a cloud or mesh of Open3D or trimesh"
