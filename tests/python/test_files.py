"""Files of points and poses, and what prepares points."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import pose

import dovetail


@pytest.mark.parametrize("ending", ["ply", "pcd", "xyz", "npy", "las"])
def test_points_are_written_and_read(ending: str, tmp_path) -> None:
    points = np.random.default_rng(1).random((20, 3)).round(3)
    dovetail.write_points(tmp_path / f"cloud.{ending}", points)
    np.testing.assert_allclose(dovetail.read_points(str(tmp_path / f"cloud.{ending}")).points, points, atol=1e-3)


def test_precision_and_encoding_are_chosen(tmp_path) -> None:
    points = np.random.default_rng(1).random((20, 3))
    file = tmp_path / "cloud.ply"
    dovetail.write_points(file, points, encoding="ascii", precision="float32")
    assert b"format ascii" in file.read_bytes()
    assert dovetail.read_points(file).precision == "float32"
    dovetail.write_points(file, points.astype(np.float32))
    assert dovetail.read_points(file).precision == "float32"
    with pytest.raises(dovetail.InvalidArgument, match="encoding: 'text' is not allowed; allowed: auto, ascii"):
        dovetail.write_points(file, points, encoding="text")
    with pytest.raises(dovetail.InvalidArgument, match="precision"):
        dovetail.write_points(file, points, precision="float16")


def test_files_that_are_not_there_are_os_errors(tmp_path) -> None:
    for call in (dovetail.read_points, dovetail.read_pose, dovetail.load_field, dovetail.read_reference):
        with pytest.raises(OSError, match="nothing.ply") as raised:
            call(tmp_path / "nothing.ply")
        assert isinstance(raised.value, dovetail.FileError)
    with pytest.raises(dovetail.FileError):
        dovetail.icp(str(tmp_path / "nothing.ply"), np.zeros((3, 3)))


def test_endings_that_no_format_has_are_refused(tmp_path) -> None:
    with pytest.raises(dovetail.InvalidArgument, match="PLY"):
        dovetail.write_points(tmp_path / "cloud.docx", np.zeros((3, 3)))


def test_files_may_be_given_in_place_of_points(source: np.ndarray, target: np.ndarray, tmp_path) -> None:
    dovetail.write_points(tmp_path / "a.ply", source)
    dovetail.write_points(tmp_path / "b.ply", target)
    wanted = dovetail.icp(source, target).transform
    np.testing.assert_array_equal(dovetail.icp(tmp_path / "a.ply", str(tmp_path / "b.ply")).transform, wanted)


def test_poses_keep_every_bit(tmp_path) -> None:
    given = pose(33.3, (1, 2, 3), (0.1, 1e6, -3))
    dovetail.write_pose(tmp_path / "pose.txt", given)
    read = dovetail.read_pose(tmp_path / "pose.txt")
    np.testing.assert_allclose(read, given, rtol=1e-15)
    dovetail.write_pose(tmp_path / "again.txt", read)
    np.testing.assert_array_equal(dovetail.read_pose(tmp_path / "again.txt"), read)


def test_downsampling_normals_and_scale(target: np.ndarray) -> None:
    fewer = dovetail.downsample(target, 10)
    assert 0 < len(fewer) < len(target) / 4
    with pytest.raises(dovetail.InvalidArgument, match="voxel"):
        dovetail.downsample(target, 0)
    plane = np.random.default_rng(1).random((200, 3)) * (1, 1, 0)
    normals = dovetail.estimate_normals(plane, neighbours=8, viewpoint=(0, 0, -5)).normals
    np.testing.assert_allclose(normals, np.tile([0, 0, -1], (200, 1)), atol=1e-6)
    with pytest.raises(dovetail.InvalidArgument, match="neighbours is 2"):
        dovetail.estimate_normals(plane, neighbours=2)
    scale = dovetail.measure_scale(target)
    assert 100 < scale["extent"] < 200 and 0 < scale["spacing"] < 4


def test_invalid_points_are_dropped() -> None:
    points = np.ones((30, 3)) * np.arange(30)[:, None]
    points[3] = np.nan
    assert len(dovetail.drop_invalid(points)) == 29
    assert len(dovetail.drop_invalid(points, origin_points="drop")) == 28
    with pytest.raises(dovetail.InvalidArgument, match="auto, keep, drop"):
        dovetail.drop_invalid(points, origin_points="yes")


def test_what_was_built_is_told() -> None:
    info = dovetail.info()
    assert info["version"] == dovetail.__version__
    assert "cpu" in dovetail.machines()
    assert "PLY" in dovetail.supported_formats()


def test_degrees_are_projected() -> None:
    frame = dovetail.GeoFrame(7.42, 43.73)
    x, y = frame.project(7.43, 43.74)
    assert 700 < x < 900 and 1000 < y < 1200
    assert frame.unproject(x, y) == pytest.approx((7.43, 43.74))
    assert "+proj=tmerc" in frame.proj and frame == dovetail.GeoFrame(7.42, 43.73) and len({frame, dovetail.GeoFrame(7.42, 43.73)}) == 1
