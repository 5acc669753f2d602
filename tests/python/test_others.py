"""Clouds and meshes of Open3D and trimesh: small stand-ins with the same interface where these are not installed."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest
from conftest import error_of

import dovetail


class Cloud:
    """As open3d.geometry.PointCloud."""

    def __init__(self, points: object = ()) -> None:
        self.points, self.normals, self.colors = list(points), [], []

    def has_normals(self) -> bool:
        return len(self.normals) > 0

    def has_colors(self) -> bool:
        return len(self.colors) > 0


class TriangleMesh:
    """As open3d.geometry.TriangleMesh."""

    def __init__(self, vertices: object, triangles: object) -> None:
        self.vertices, self.triangles = vertices, triangles
        self.vertex_normals: object = []
        self.vertex_colors: object = []


class Trimesh:
    """As trimesh.Trimesh."""

    def __init__(self, vertices, faces, vertex_normals=None, vertex_colors=None, process=True) -> None:
        self.vertices, self.faces, self.vertex_normals, self.vertex_colors = vertices, faces, vertex_normals, vertex_colors


class TrimeshCloud:
    """As trimesh.PointCloud, which has no faces."""

    def __init__(self, vertices, colors=None) -> None:
        self.vertices, self.colors = vertices, colors


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    open3d, trimesh = types.ModuleType("open3d"), types.ModuleType("trimesh")
    open3d.geometry = types.SimpleNamespace(PointCloud=Cloud, TriangleMesh=TriangleMesh)
    open3d.utility = types.SimpleNamespace(Vector3dVector=lambda a: np.asarray(a, float), Vector3iVector=lambda a: np.asarray(a, np.int32))
    trimesh.Trimesh, trimesh.PointCloud = Trimesh, TrimeshCloud
    monkeypatch.setitem(sys.modules, "open3d", open3d)
    monkeypatch.setitem(sys.modules, "trimesh", trimesh)


def test_they_are_taken_as_points(part: dovetail.PointCloud, source: np.ndarray, target: np.ndarray, truth: np.ndarray) -> None:
    cloud = Cloud(source)
    cloud.normals = np.asarray(dovetail.estimate_normals(source).normals)
    assert error_of(dovetail.icp(cloud, Cloud(target)).transform, truth, source) < 0.5
    for mesh in (Trimesh(part.points, part.faces), TriangleMesh(part.points, part.faces)):
        assert error_of(dovetail.chamfer(cloud, mesh).transform, truth, source) < 0.5
        assert dovetail.symmetry(mesh).has_faces
    assert len(dovetail.from_trimesh(TrimeshCloud(source))) == len(source)


def test_there_and_back(libraries: None, part: dovetail.PointCloud) -> None:
    rng = np.random.default_rng(1)
    colors = rng.integers(0, 256, (9, 3), dtype=np.uint8)
    given = dovetail.PointCloud(rng.random((9, 3)), normals=rng.random((9, 3)), colors=colors)
    again = dovetail.from_open3d(dovetail.to_open3d(given))
    for name in ("points", "normals", "colors"):
        np.testing.assert_array_equal(getattr(again, name), getattr(given, name))
    for there, back in ((dovetail.to_open3d, dovetail.from_open3d), (dovetail.to_trimesh, dovetail.from_trimesh)):
        mesh = back(there(part))
        np.testing.assert_array_equal(mesh.points, part.points)
        np.testing.assert_array_equal(mesh.faces, part.faces)
    assert isinstance(dovetail.to_trimesh(given.points), TrimeshCloud)


def test_what_they_cannot_hold_is_refused(libraries: None) -> None:
    with pytest.raises(TypeError, match="in 2D"):
        dovetail.to_open3d(np.zeros((3, 2)))
    with pytest.raises(TypeError, match="no cloud and no mesh of trimesh"):
        dovetail.from_trimesh(3)


def test_without_the_library_it_says_so(part: dovetail.PointCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "open3d", None)
    with pytest.raises(ImportError, match="open3d"):
        dovetail.to_open3d(part)
