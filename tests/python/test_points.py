"""What may hold points, what is looked at in place, what is copied, and what is refused in words."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import dovetail
from dovetail import _native

inspect = _native.inspect_points


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [2, 3])
def test_rows_are_looked_at_in_place(dtype: type, columns: int) -> None:
    points = np.random.default_rng(1).random((50, columns)).astype(dtype)
    seen = inspect(points)
    assert seen["address"] == address(points)
    assert (seen["count"], seen["dimension"], seen["precision"]) == (50, columns, np.dtype(dtype).name)
    assert seen["stride_bytes"] == points.strides[0]


def test_views_with_a_stride_are_looked_at_in_place() -> None:
    wide = np.zeros((40, 6), np.float32)
    for view in (wide[:, :3], wide[:, 3:], wide[::2, :3], wide[5:9, 1:3]):
        seen = inspect(view)
        assert seen["address"] == address(view)
        assert seen["stride_bytes"] == view.strides[0]


def test_read_only_arrays_are_looked_at_in_place() -> None:
    points = np.zeros((5, 3))
    points.flags.writeable = False
    assert inspect(points)["address"] == address(points)


def test_fields_of_a_structured_array_are_coordinates() -> None:
    kind = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("intensity", "u1")])
    points = np.zeros(7, kind)
    points["y"] = np.arange(7)
    assert_array_equal(dovetail.PointCloud(points).points[:, 1], np.arange(7))
    with pytest.raises(dovetail.InvalidArgument, match="x, y and z are needed"):
        dovetail.PointCloud(np.zeros(3, [("a", "f4"), ("b", "f4")]))


@pytest.mark.parametrize(
    "points",
    [
        np.arange(12.0).reshape(3, 4).T,  # column by column
        np.arange(12.0).reshape(4, 3)[::-1],
        np.arange(24.0).reshape(4, 6)[:, ::2],
        np.arange(12).reshape(4, 3),
        np.arange(12, dtype=np.uint8).reshape(4, 3),
        np.arange(12, dtype=">f8").reshape(4, 3),
        np.arange(12, dtype=np.float16).reshape(4, 3),
        np.arange(12, dtype=np.longdouble).reshape(4, 3),
        np.arange(12.0).reshape(4, 3).tolist(),
        tuple(map(tuple, np.arange(12.0).reshape(4, 3))),
        np.broadcast_to(np.arange(3.0), (4, 3)),
    ],
)
def test_other_layouts_are_copied_right(points: object) -> None:
    assert_array_equal(dovetail.PointCloud(points).points, np.asarray(points, dtype=np.float64))


def test_unaligned_arrays_are_copied() -> None:
    raw = np.zeros(4 * 3 * 8 + 1, np.uint8)
    points = raw[1:].view(np.float64).reshape(4, 3)
    assert inspect(points)["address"] != address(points)


def test_masked_points_are_no_points() -> None:
    points = np.ma.masked_array(np.ones((4, 3)), mask=np.zeros((4, 3), bool))
    points[2] = np.ma.masked
    cloud = dovetail.PointCloud(points)
    assert np.isnan(cloud.points[2]).all() and np.isfinite(cloud.points[[0, 1, 3]]).all()


@pytest.mark.parametrize(
    "points, message",
    [
        (np.zeros((5, 4)), r"shape \(5, 4\).*\[:, :3\]"),
        (np.zeros((3, 50)), r"\(3, 50\).*\.T turns it"),
        (np.zeros((4, 5, 3)), r"\.reshape\(-1, 3\)"),
        (np.zeros(3), r"shape \(3,\)"),
        (np.zeros((5, 1)), r"shape \(5, 1\)"),
        (np.float64(3), r"shape \(\)"),
        ([[1, 2, 3], [1, 2]], "equally many numbers"),
        ([], "no points"),
    ],
)
def test_wrong_shapes_are_named(points: object, message: str) -> None:
    with pytest.raises(dovetail.InvalidArgument, match=message):
        dovetail.icp(points, np.zeros((4, 3)))


@pytest.mark.parametrize(
    "points", [np.zeros((3, 3), complex), np.zeros((3, 3), bool), np.array([["a"] * 3] * 3), np.full((3, 3), None), None, {}, 3j]
)
def test_what_holds_no_coordinates_is_a_type_error(points: object) -> None:
    with pytest.raises((TypeError, dovetail.InvalidArgument), match="source"):
        dovetail.icp(points, np.zeros((4, 3)))


def test_no_points_are_refused() -> None:
    with pytest.raises(dovetail.InvalidArgument, match="source"):
        dovetail.icp(np.zeros((0, 3)), np.zeros((4, 3)))


def test_two_and_three_dimensions_do_not_mix() -> None:
    with pytest.raises(dovetail.InvalidArgument):
        dovetail.icp(np.random.rand(9, 2), np.random.rand(9, 3))


class OnDevice:
    """An array that says it lies in a GPU's memory."""

    def __init__(self, shape: tuple[int, ...] = (100, 3), typestr: str = "<f4", strides: object = None) -> None:
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (0xDEAD0000, False), "version": 3, "strides": strides, "stream": None,
        }  # fmt: skip


def test_memory_of_a_gpu_needs_a_gpu() -> None:
    if not dovetail.info()["cuda_unavailable"]:
        pytest.skip("there is a GPU here")
    for call in (dovetail.icp, dovetail.gpicp, dovetail.chamfer):
        with pytest.raises(dovetail.MachineError, match="GPU's memory, and no GPU can be used here"):
            call(OnDevice(), np.random.rand(9, 3))


@pytest.mark.parametrize(
    "array, message",
    [(OnDevice((5, 4)), r"\(5, 4\)"), (OnDevice(typestr="<i4"), "<i4"), (OnDevice(strides=(4, 400)), r"\(4, 400\)")],
)
def test_other_arrays_of_a_gpu_are_refused(array: OnDevice, message: str) -> None:
    with pytest.raises(dovetail.InvalidArgument, match=message):
        dovetail.icp(array, np.random.rand(9, 3))


def test_dlpack_is_taken() -> None:
    class Tensor:
        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        def __dlpack__(self, stream: object = None) -> object:
            return self.array.__dlpack__()

        def __dlpack_device__(self) -> object:
            return self.array.__dlpack_device__()

    points = np.random.rand(20, 3).astype(np.float32)
    assert inspect(Tensor(points))["address"] == address(points)


def test_a_cloud_holds_everything() -> None:
    rng = np.random.default_rng(2)
    points, normals = rng.random((6, 3)), rng.random((6, 3)).astype(np.float32)
    colors, label = rng.integers(0, 256, (6, 4), dtype=np.uint8), np.arange(6, dtype=np.int16)
    faces = np.array([[0, 1, 2], [3, 4, 5]], np.uint32)
    cloud = dovetail.PointCloud(points, normals=normals, colors=colors, faces=faces, attributes={"label": label})
    assert len(cloud) == 6 and cloud.dimension == 3
    assert_array_equal(cloud.points, points)
    assert_array_equal(cloud.normals, normals)
    assert_array_equal(cloud.colors, colors)
    assert_array_equal(cloud.faces, faces)
    assert_array_equal(cloud.attributes["label"], label)
    assert cloud.attributes["label"].dtype == np.int16
    assert_array_equal(np.asarray(cloud), points)
    assert np.asarray(cloud, np.float32).dtype == np.float32
    for word in ("6 points", "normals", "colors", "2 faces", "label"):
        assert word in repr(cloud)


def test_arrays_of_a_cloud_are_views_that_outlive_it() -> None:
    cloud = dovetail.PointCloud(np.arange(12.0).reshape(4, 3))
    points = cloud.points
    assert address(points) == address(cloud.points) == inspect(cloud)["address"]
    del cloud
    assert_array_equal(points, np.arange(12.0).reshape(4, 3))
    with pytest.raises(ValueError, match="read-only"):
        points[0, 0] = 1


def test_a_cloud_in_the_plane_has_two_columns() -> None:
    points = np.random.rand(5, 2)
    cloud = dovetail.PointCloud(points)
    assert cloud.dimension == 2
    assert_array_equal(cloud.points, points)


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"normals": np.zeros((3, 3))}, r"normals: \(3, 3\) for 4 points"),
        ({"colors": np.zeros((4, 2), np.uint8)}, "colors"),
        ({"colors": np.zeros((4, 3))}, "0 to 255"),
        ({"colors": np.full((4, 3), 300)}, "300"),
        ({"faces": [[0, 1, 4]]}, "corner 4 is none of the 4 points"),
        ({"faces": [[0, 1, -1]]}, "corner -1"),
        ({"attributes": {"time": np.zeros(3)}}, "attribute time"),
    ],
)
def test_parts_that_do_not_fit_are_refused(keywords: dict, message: str) -> None:
    with pytest.raises(dovetail.InvalidArgument, match=message):
        dovetail.PointCloud(np.zeros((4, 3)), **keywords)
