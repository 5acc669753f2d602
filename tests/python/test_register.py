"""Every method, its options, and what goes wrong in words."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from conftest import error_of, pose

import dovetail

METHODS = {"icp": dovetail.icp, "em_icp": dovetail.em_icp, "softassign": dovetail.softassign, "gpicp": dovetail.gpicp,
           "chamfer": dovetail.chamfer}  # fmt: skip
TOLERANCE = 0.5  # of 120 mm: points of source and target lie 3 mm apart and none has a counterpart


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_pose(method: str, source: np.ndarray, target: np.ndarray, truth: np.ndarray) -> None:
    reference = dovetail.built_in_part() if method == "chamfer" else target
    if method == "gpicp":  # it tries half a million poses, whatever it is given
        source = source[::3]
    result = METHODS[method](source, reference)
    assert result.usable, result.message
    assert result.method == method
    assert error_of(result.transform, truth, source) < TOLERANCE
    same = dovetail.register(source, reference, method.replace("_", "-"))
    np.testing.assert_array_equal(same.transform, result.transform)


def test_floats_and_strides_give_the_same_answer(source: np.ndarray, target: np.ndarray) -> None:
    exact = source.astype(np.float32).astype(np.float64)
    wide = np.zeros((len(source), 5), np.float32)
    wide[:, 1:4] = source
    a = dovetail.icp(exact, target).transform
    np.testing.assert_array_equal(dovetail.icp(wide[:, 1:4], target).transform, a)
    np.testing.assert_array_equal(dovetail.icp(np.asfortranarray(exact), target).transform, a)
    np.testing.assert_array_equal(dovetail.icp(dovetail.PointCloud(exact), target).transform, a)
    np.testing.assert_array_equal(dovetail.icp(exact.tolist(), target.tolist()).transform, a)


def test_invalid_points_are_dropped_and_counted(source: np.ndarray, target: np.ndarray, truth: np.ndarray) -> None:
    spoilt = source.copy()
    spoilt[::50] = np.nan
    spoilt[1, 2] = np.inf
    result = dovetail.icp(spoilt, target)
    assert result.points["dropped_non_finite"] == len(source[::50]) + 1
    assert error_of(result.transform, truth, source) < TOLERANCE


def test_options_are_set_and_told(source: np.ndarray, target: np.ndarray) -> None:
    result = dovetail.icp(
        source, target, metric="point_to_point", max_iterations=np.int64(7), tolerance=np.float32(0.5), free=["tx", "ty", "tz"],
        trace=np.bool_(False), seed=2**64 - 1, kernel=None, levels=1, starts=1,
    )  # fmt: skip
    told = result.options
    assert told["metric"] == "point_to_point" and told["max_iterations"] == 7 and told["tolerance"] == 0.5
    assert told["free"] == "tx,ty,tz" and told["trace"] is False and told["seed"] == 2**64 - 1
    assert told["kernel"] == "geman_mcclure"  # None is the default
    assert result.trace == []
    np.testing.assert_array_equal(result.rotation, np.eye(3))


@pytest.mark.parametrize(
    "options, message",
    [
        ({"max_distanc": 1}, "icp.. has no option 'max_distanc'; did you mean max_distance"),
        ({"iterations": 3}, "did you mean max_iterations"),
        ({"sigma_start": 1}, "has no option 'sigma_start'"),  # another method's
        ({"max_distance": "3"}, "option max_distance: '3' is no number; allowed: more than 0"),
        ({"max_distance": True}, "True is no number"),
        ({"max_iterations": 3.0}, "3.0 is no whole number"),
        ({"trace": 1}, "1 is no True or False"),
        ({"metric": 3}, "3 is no name; allowed: point_to_point"),
        ({"free": 3}, "3 is no list of motions"),
        ({"on_iteration": 3}, "on_iteration: 3 cannot be called"),
        ({"workspace": "cpu"}, "'cpu' is no dovetail.Workspace"),
    ],
)
def test_wrong_names_and_kinds_are_type_errors(options: dict, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        dovetail.icp(np.random.rand(9, 3), np.random.rand(9, 3), **options)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"max_distance": -1}, "option max_distance: '-1.0' is not allowed; allowed: more than 0"),
        ({"max_distance": float("nan")}, "max_distance.*nan"),
        ({"metric": "point_to_line"}, "point_to_line.*allowed: point_to_point, point_to_plane, plane_to_plane"),
        ({"free": "rw"}, "rw.*rx,ry,rz"),
        ({"seed": -1}, "seed"),
        ({"max_iterations": 10**30}, "max_iterations"),
        ({"machine": "gpu"}, "'gpu'.*cpu, cuda"),
        ({"machine": "cuda:x"}, "cuda:N"),
        ({"start": np.eye(5)}, "start: the matrix is 5x5"),
        ({"start": np.full((4, 4), np.nan)}, "start"),
        ({"start": "nowhere"}, None),
        ({"start": 3}, "start: 3 is no pose"),
        ({"start": np.diag([2.0, 2, 2, 1])}, "similarity"),
        ({"more_starts": [np.eye(4), np.zeros((2, 2))]}, r"more_starts\[1\]"),
        ({"start_covariance_center": (1, 2)}, "three numbers"),
        ({"weights": [1, 2]}, "weights"),
        ({"weights": "heavy"}, "weights: 'heavy' is no array of numbers"),
        ({"source_normals": np.zeros((3, 3))}, r"source_normals.*\(9, 3\)"),
    ],
)
def test_wrong_values_name_what_is_allowed(options: dict, message: str | None) -> None:
    expected = dovetail.FileError if message is None else dovetail.InvalidArgument
    with pytest.raises(expected, match=message or "nowhere"):
        dovetail.icp(np.random.rand(9, 3), np.random.rand(9, 3), **options)


def test_a_machine_that_is_not_there_is_a_machine_error() -> None:
    if "cuda:0" in dovetail.machines():
        pytest.skip("there is a GPU here")
    with pytest.raises(dovetail.MachineError) as raised:
        dovetail.icp(np.random.rand(9, 3), np.random.rand(9, 3), machine="cuda:0")
    assert isinstance(raised.value, RuntimeError) and isinstance(raised.value, dovetail.Error)


def test_methods_that_are_not_there_are_named() -> None:
    with pytest.raises(dovetail.InvalidArgument, match="has no method 'ipc'.*icp"):
        dovetail.register(np.random.rand(9, 3), np.random.rand(9, 3), "ipc")


def test_starts_are_where_it_begins(source: np.ndarray, target: np.ndarray, truth: np.ndarray, tmp_path) -> None:
    far = pose(170, (0, 0, 1), (30, 0, 0))
    moved = dovetail.apply(far, source)
    start = pose(-168, (0, 0, 1), (0, 0, 0)) @ pose(0, (0, 0, 1), (-30, 0, 0))
    wanted = truth @ np.linalg.inv(far)
    file = tmp_path / "start.txt"
    dovetail.write_pose(file, start)
    for given in (start, start[:3], start.tolist(), str(file), file):
        result = dovetail.icp(moved, target, start=given)
        assert error_of(result.transform, wanted, moved) < TOLERANCE
    several = dovetail.icp(moved, target, more_starts=[np.eye(4), start])
    assert error_of(several.transform, wanted, moved) < TOLERANCE
    again = dovetail.icp(moved, target, start=several)
    assert error_of(again.transform, wanted, moved) < TOLERANCE
    assert dovetail.icp(moved, target, start="centroid").options["start_at_centroid"]


def test_a_start_may_be_known(source: np.ndarray, target: np.ndarray) -> None:
    first = dovetail.icp(source, target)
    assert first.covariance is not None
    result = dovetail.icp(
        source, target, start=first, start_covariance=first.covariance, start_covariance_center=first.covariance_center
    )
    assert "start_sigmas" in result.evidence


def test_points_in_the_plane() -> None:
    rng = np.random.default_rng(5)
    streets = np.concatenate([np.linspace(a, b, 200) for a, b in rng.uniform(-50, 50, (12, 2, 2))])
    truth = np.array([[np.cos(0.05), -np.sin(0.05), 1.0], [np.sin(0.05), np.cos(0.05), -0.7], [0, 0, 1]])
    seen = dovetail.apply(np.linalg.inv(truth), streets)
    for method in ("icp", "chamfer"):
        result = dovetail.register(seen, streets, method)
        assert result.transform.shape == (3, 3) and result.rotation.shape == (2, 2) and result.translation.shape == (2,)
        assert error_of(result.transform, truth, seen) < 0.1
        assert result.model == "rigid2"


@pytest.mark.parametrize("model", ["similarity", "affine"])
def test_chamfer_has_wider_models(model: str, part: dovetail.PointCloud, target: np.ndarray) -> None:
    scaled = target / 1.03
    result = dovetail.chamfer(scaled, part, model=model)
    assert result.model == model + "3"
    assert result.scale == pytest.approx(1.03, abs=2e-3)
    assert error_of(result.transform, np.diag([1.03, 1.03, 1.03, 1]), scaled) < TOLERANCE


def test_evaluation_tells_right_from_wrong(source: np.ndarray, target: np.ndarray, truth: np.ndarray) -> None:
    right = dovetail.evaluate(source, target, truth)
    wrong = dovetail.evaluate(source, target, pose(60, (1, 0, 0), (10, 0, 0)))
    assert right.method == "evaluate" and "metric" not in right.options
    assert right.confidence > 0.5 > wrong.confidence
    np.testing.assert_allclose(right.transform, truth, atol=1e-12)


def test_a_workspace_gives_the_same_bits(source: np.ndarray, target: np.ndarray) -> None:
    workspace = dovetail.Workspace("cpu", threads=1)
    assert workspace.machine == "cpu" and "cpu" in repr(workspace)
    results = [dovetail.icp(source, target, workspace=workspace).transform for _ in range(2)]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], dovetail.icp(source, target, machine="cpu").transform)


@pytest.mark.parametrize("function", [*METHODS.values(), dovetail.evaluate, dovetail.find, dovetail.symmetry, dovetail.register,
                                      dovetail.simulate_bins, dovetail.write_bins, dovetail.evaluate_poses, dovetail.build_field])
def test_help_lists_every_option(function) -> None:  # fmt: skip
    signature = inspect.signature(function)
    keywords = [p for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert len(keywords) > 1
    for p in signature.parameters.values():
        assert p.name in function.__doc__
    if function in (dovetail.register, *METHODS.values()):
        for option in dovetail.options("run"):
            assert option.help.split(";")[0][1:30] in " ".join(function.__doc__.split())
            assert signature.parameters[option.name].default == option.default


def test_help_of_register_has_the_options_of_every_method() -> None:
    for method in METHODS:
        for option in dovetail.options(method):
            assert f"\n{option.name} : " in dovetail.register.__doc__
    assert dovetail.options("em-icp")[0].name == dovetail.options("em_icp")[0].name
    with pytest.raises(dovetail.InvalidArgument, match="did you mean softassign"):
        dovetail.options("softasign")


def test_the_preset_of_gpicp(source: np.ndarray, target: np.ndarray) -> None:
    told = dovetail.gpicp(source, target, preset="thesis", starts=4).options
    assert told["sets"] == 32 and told["starts"] == 4
    with pytest.raises(dovetail.InvalidArgument, match="thesis"):
        dovetail.gpicp(source, target, preset="paper")
