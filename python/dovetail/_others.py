"""Clouds and meshes to and from Open3D and trimesh, where these are installed. Functions of dovetail take theirs directly."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import as_points, cloud_of_another_library
from ._native import PointCloud
from ._types import HasPoints, HasVertices, PointsLike


def from_open3d(geometry: HasPoints | HasVertices) -> PointCloud:
    """A copy of a PointCloud or TriangleMesh of Open3D."""
    return _copied(geometry, "Open3D")


def from_trimesh(geometry: HasVertices) -> PointCloud:
    """A copy of a Trimesh or PointCloud of trimesh."""
    return _copied(geometry, "trimesh")


def _copied(geometry: Any, library: str) -> PointCloud:
    cloud = cloud_of_another_library(geometry)
    if cloud is None:
        raise TypeError(f"{type(geometry).__name__} is no cloud and no mesh of {library}")
    return cloud


def _cloud(points: PointsLike) -> PointCloud:
    given = points if isinstance(points, PointCloud) else as_points(points, "points")
    cloud = given if isinstance(given, PointCloud) else PointCloud(given)
    if cloud.dimension != 3:
        raise TypeError("points: in 2D; Open3D and trimesh hold points in 3D")
    return cloud


def to_open3d(points: PointsLike) -> Any:
    """An open3d.geometry.TriangleMesh where there are faces, else a PointCloud."""
    import open3d  # type: ignore[import]

    cloud, vector = _cloud(points), open3d.utility.Vector3dVector
    colors = None if cloud.colors is None else vector(cloud.colors[:, :3] / 255.0)
    normals = None if cloud.normals is None else vector(cloud.normals.astype(np.float64))
    if cloud.faces is not None:
        mesh = open3d.geometry.TriangleMesh(vector(cloud.points), open3d.utility.Vector3iVector(cloud.faces.astype(np.int32)))
        if normals is not None:
            mesh.vertex_normals = normals
        if colors is not None:
            mesh.vertex_colors = colors
        return mesh
    other = open3d.geometry.PointCloud(vector(cloud.points))
    if normals is not None:
        other.normals = normals
    if colors is not None:
        other.colors = colors
    return other


def to_trimesh(points: PointsLike) -> Any:
    """A trimesh.Trimesh where there are faces, else a trimesh.PointCloud."""
    import trimesh  # type: ignore[import]

    cloud = _cloud(points)
    if cloud.faces is None:
        return trimesh.PointCloud(np.array(cloud.points), colors=cloud.colors)
    return trimesh.Trimesh(
        vertices=np.array(cloud.points),
        faces=cloud.faces.astype(np.int64),
        vertex_normals=cloud.normals,
        vertex_colors=cloud.colors,
        process=False,
    )
