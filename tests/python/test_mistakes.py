"""Mistakes beside the table of options: each is told by its name, with the value and what is allowed."""

from __future__ import annotations

import numpy as np
import pytest

import dovetail

POINTS = np.random.default_rng(1).random((60, 3))
CUBE = dovetail.built_in_part("cube")


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: dovetail.icp(POINTS, POINTS, more_starts=3), "more_starts: 3 is no list of poses"),
        (lambda: dovetail.icp(POINTS, POINTS, "icp"), "2 positional arguments"),
        (lambda: dovetail.gpicp(POINTS, POINTS, preset=3), "preset: 3 is not allowed; allowed: the name of a preset"),
        (lambda: dovetail.find(POINTS, POINTS, on_object=3), "on_object: 3 cannot be called"),
        (lambda: dovetail.simulate_bins(CUBE, on_progress=3), "on_progress: 3 cannot be called"),
        (lambda: dovetail.simulate_bins(CUBE, seed=-1), r"seed: -1 is not allowed; allowed: a whole number, 0 to 2\^64 - 1"),
        (lambda: dovetail.simulate_bins(CUBE, seed=2**64), r"seed: 18446744073709551616 is not allowed; .* 0 to 2\^64 - 1"),
        (lambda: dovetail.simulate_bins(CUBE, seed="a"), "seed: 'a'"),
        (lambda: dovetail.simulate_bins(CUBE, count=2.5), "count: 2.5 is no whole number"),
        (lambda: dovetail.simulate_bins(CUBE, count="3"), "count: '3'"),
        (lambda: dovetail.write_bins("nowhere", CUBE, camera=3), "camera: 3 is not allowed; allowed: a DepthCamera"),
        (lambda: dovetail.evaluate_poses("a.csv", "b", split=3), "split: 3"),
        (lambda: dovetail.evaluate_poses("a.csv", "b", targets=3), "targets: 3 is not allowed; allowed: the name of a file"),
        (lambda: dovetail.Registration(), "No constructor"),
    ],
)
def test_wrong_types_are_type_errors(call, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: dovetail.simulate_bins(CUBE, bins=0), "bins: 0 is not allowed; allowed: 1 or more"),
        (lambda: dovetail.build_pose_database(CUBE, seed=-1, sampling="uniform"), r"seed: .-1. .* 0 to 2\^64 - 1"),
        (lambda: dovetail.icp(POINTS, POINTS, seed=2**64), r"seed: .18446744073709551616. .* 0 to 2\^64 - 1"),
        (lambda: dovetail.options(3), "has no table '3'"),
        (lambda: dovetail.apply(POINTS, POINTS), "pose: the matrix is 60x3"),
        (lambda: dovetail.icp(POINTS, POINTS, start=[]), "start: .* is no pose"),
        (lambda: dovetail.evaluate(POINTS, POINTS, None), "pose: None is no pose"),
        (lambda: dovetail.icp(POINTS, POINTS, weights=np.ones((60, 2))), "weights: 120 given for 60"),
        (lambda: dovetail.chamfer(POINTS[:, :2], POINTS), "2 dimensions and the reference 3"),
    ],
)
def test_wrong_values_are_invalid_arguments(call, message: str) -> None:
    with pytest.raises(dovetail.InvalidArgument, match=message):
        call()


CAMERA = dovetail.DepthCamera(width=160, height=120, fx=220, fy=220, cx=80, cy=60)
LONG = np.ones((120, 160)).tolist()


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda: dovetail.find_parts(LONG, "none.posedb", camera=CAMERA), "image"),
        (lambda: dovetail.RangeImage(LONG, CAMERA), "depth"),
        (lambda: dovetail.find_parts("none.png", LONG, camera=CAMERA), "none.png"),
        (lambda: dovetail.find_parts("none.png", "none.posedb", camera=LONG), "camera"),
        (lambda: dovetail.find_parts("none.png", "none.posedb", camera=CAMERA, starts=LONG), "starts"),
        (lambda: dovetail.icp(POINTS, POINTS, start=LONG), "start"),
        (lambda: dovetail.gpicp(POINTS, POINTS, preset=LONG), "preset"),
        (lambda: dovetail.gpicp(POINTS, POINTS, workspace=LONG), "workspace"),
        (lambda: dovetail.find(POINTS, POINTS, region=LONG), "region"),
        (lambda: dovetail.find(POINTS, POINTS, on_object=LONG), "on_object"),
        (lambda: dovetail.simulate_bins(CUBE, count=[LONG]), "count"),
        (lambda: dovetail.simulate_bins(CUBE, bins=LONG), "bins"),
        (lambda: dovetail.simulate_bins(CUBE, unit=LONG), "unit"),
    ],
)
def test_long_values_are_shortened(call, name: str) -> None:
    with pytest.raises((TypeError, dovetail.Error), match=name) as raised:
        call()
    assert len(str(raised.value)) < 1000 and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "wrong, allowed",
    [
        ({"fx": 0.0}, "more than 0"), ({"fy": float("nan")}, "more than 0"), ({"fx": float("inf")}, "more than 0"),
        ({"cx": float("inf")}, "finite"), ({"cy": float("nan")}, "finite"), ({"width": -160}, "1 or more"),
        ({"height": -1}, "1 or more"), ({"depth_scale": -1.0}, "more than 0"), ({"depth_scale": float("inf")}, "more than 0"),
        ({"pixel_center": 3.0}, "0 or 0.5"), ({"pixel_center": float("nan")}, "0 or 0.5"),
    ],
)  # fmt: skip
def test_cameras_are_as_their_files_may_be(wrong: dict, allowed: str) -> None:
    right = dict(width=160, height=120, fx=220.0, fy=220.0, cx=80.0, cy=60.0)
    (name,) = wrong
    with pytest.raises(dovetail.InvalidArgument, match=f"{name}: .* is not allowed; allowed: {allowed}"):
        dovetail.DepthCamera(**{**right, **wrong})
    for fine in ({"pixel_center": 0.5}, {"depth_scale": 0.1}, {"width": 0, "height": 0}):
        dovetail.DepthCamera(**{**right, **fine})


@pytest.mark.parametrize("frame, said", [(np.diag([1, 1, -1, 1.0]), "determinant is -1 .* mirror"), (np.diag([2, 2, 2, 1.0]), "determinant is 8"), (np.diag([1, 1, 3, 1.0]), "determinant is 3"), (np.eye(3), "plane")])  # fmt: skip
def test_frames_are_rigid(frame: np.ndarray, said: str) -> None:
    with pytest.raises(dovetail.InvalidArgument, match="frame_from_scene: .*" + said):
        dovetail.find(CUBE, POINTS, frame_from_scene=frame)
    image = dovetail.RangeImage(np.ones((120, 160)), CAMERA)
    for keyword, value in (("frame_from_camera", frame), ("start", [("cube", frame)])):
        # No database is there to be read: this comes first.
        with pytest.raises(dovetail.InvalidArgument, match=keyword + ": .*" + said):
            dovetail.find_parts(image, "none.posedb", **{keyword: value})


def test_options_that_there_are_not_are_told_without_what_is_no_option() -> None:
    with pytest.raises(TypeError) as raised:
        dovetail.em_icp(POINTS, POINTS, metric="point_to_point")
    assert "weighting" in str(raised.value) and "source," not in str(raised.value)


@pytest.mark.parametrize("points", [np.full((50, 3), np.nan), np.ones((50, 3)), POINTS * 1e300, POINTS[:1]])
def test_points_that_say_nothing_are_told_in_the_result(points: np.ndarray) -> None:
    result = dovetail.icp(points, POINTS)
    assert not result.usable and "source" in result.message
    assert np.isfinite(result.transform).all()


def test_a_callback_may_call() -> None:
    inner = []
    result = dovetail.icp(POINTS, POINTS, on_iteration=lambda i: inner.append(dovetail.icp(POINTS[:30], POINTS).usable))
    assert result.usable and len(inner) == result.iterations
    with pytest.raises(SystemExit):
        dovetail.icp(POINTS, POINTS, on_iteration=lambda i: exec("raise SystemExit(3)"))
