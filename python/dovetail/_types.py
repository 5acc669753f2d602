"""What arguments may be, for those who check types."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol, Sequence, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._native import DistanceField, FoundObject, PointCloud, PoseDatabase, RangeImage, Reference, Registration

FileName = Union[str, "os.PathLike[str]"]
"""The name of a file."""


class DeviceArray(Protocol):
    """Points in a GPU's memory: arrays of CuPy, PyTorch, Numba, JAX."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class HasPoints(Protocol):
    """A point cloud of Open3D."""

    @property
    def points(self) -> Any: ...


class HasVertices(Protocol):
    """A mesh or a cloud of trimesh, a mesh of Open3D."""

    @property
    def vertices(self) -> Any: ...


PointsLike = Union[
    "npt.NDArray[np.floating[Any]]",
    "npt.NDArray[np.integer[Any]]",
    "PointCloud",
    Sequence[Sequence[float]],
    FileName,
    DeviceArray,
    HasPoints,
    HasVertices,
]
"""Points: an array (n, 3) or (n, 2), a cloud, a list of rows, a file, a GPU's array, a cloud or mesh of Open3D or trimesh."""

PoseLike = Union["npt.NDArray[np.floating[Any]]", Sequence[Sequence[float]], "Registration", "FoundObject", FileName]
"""A pose: a matrix of 4x4, 3x4 or (2D) 3x3, a result, a file."""

ReferenceLike = Union[PointsLike, "Reference", "DistanceField"]
"""What chamfer alignment brings points onto: what PointsLike may be, a map or image file, a Reference, a DistanceField."""

RangeImageLike = Union["RangeImage", "PointCloud", "npt.NDArray[np.floating[Any]]", "npt.NDArray[np.integer[Any]]", FileName]
"""What a depth camera measured: a RangeImage, an organised cloud, an array (rows, columns) of depths, a file."""

PosesLike = Union["PoseDatabase", FileName]
"""A pose database, or its file."""
