"""Results as objects: attributes, texts, JSON, pickles."""

from __future__ import annotations

import copy
import html
import json
import pickle

import numpy as np
import pytest

import dovetail
from dovetail import _report


@pytest.fixture(scope="module")
def result(source: np.ndarray, target: np.ndarray) -> dovetail.Registration:
    return dovetail.icp(source, target, min_confidence=0.4, start=np.eye(4))


def test_attributes_agree_with_the_json(result: dovetail.Registration) -> None:
    told = json.loads(result.to_json())
    assert told["schema"] == "dovetail.registration/1"
    np.testing.assert_array_equal(result.transform, told["target_from_source"])
    np.testing.assert_array_equal(result.covariance, told["covariance"])
    np.testing.assert_array_equal(result.covariance_center, told["covariance_center"])
    for key in ("method", "machine", "build", "version", "model", "usable", "confidence", "evidence", "termination", "message",
                "warnings", "iterations", "rmse", "inlier_distance", "inlier_ratio", "overlap", "score", "log_odds",
                "expected_error", "margin", "points", "time_ms"):  # fmt: skip
        assert getattr(result, key) == told[key], key
    assert len(result.alternatives) == len(told["alternatives"])
    assert len(result.trace) == len(told["trace"]) == result.iterations
    assert result.trace_transforms.shape == (result.iterations, 4, 4)
    np.testing.assert_array_equal(result.trace_transforms[-1], told["trace"][-1]["target_from_source"])
    for name, value in result.options.items():
        np.testing.assert_array_equal(value, told["options"][name])
    assert set(told["options"]) - set(result.options) == {"more_starts", "start_covariance", "start_covariance_center"}


def test_every_documented_key_is_an_attribute(result: dovetail.Registration) -> None:
    for key in json.loads(result.to_json()):
        if key not in ("schema", "target_from_source"):
            assert hasattr(result, key), key


def test_parts_of_the_transform(result: dovetail.Registration) -> None:
    np.testing.assert_allclose(result.rotation, result.transform[:3, :3], atol=1e-12)
    np.testing.assert_allclose(result.rotation @ result.rotation.T, np.eye(3), atol=1e-12)
    np.testing.assert_array_equal(result.translation, result.transform[:3, 3])
    assert result.scale == pytest.approx(1, abs=1e-12)


def test_texts_for_people(result: dovetail.Registration) -> None:
    assert "usable" in repr(result) and "icp" in repr(result) and result.message in repr(result)
    page = result._repr_html_()
    assert page.startswith(("<table>", "<iframe"))
    told = _report.told(result)
    assert told.startswith("<table>") and html.escape(result.message) in told


def test_html_is_escaped() -> None:
    page = _report.table("a <b>", [("<i>", "1 < 2 & 3")])
    assert "<i>" not in page and "1 &lt; 2 &amp; 3" in page


def test_points_are_moved(result: dovetail.Registration, source: np.ndarray) -> None:
    wanted = source @ result.transform[:3, :3].T + result.transform[:3, 3]
    np.testing.assert_allclose(result.apply(source), wanted, atol=1e-9)
    single = result.apply(source.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, wanted, atol=1e-3)
    cloud = dovetail.PointCloud(source, attributes={"id": np.arange(len(source))})
    moved = result.apply(cloud)
    np.testing.assert_allclose(moved.points, wanted, atol=1e-9)
    np.testing.assert_array_equal(moved.attributes["id"], np.arange(len(source)))
    np.testing.assert_allclose(dovetail.apply(result, source), wanted, atol=1e-9)
    with pytest.raises(dovetail.InvalidArgument, match="in 2D, and the pose is rigid3"):
        result.apply(source[:, :2])


def test_results_survive_pickle(result: dovetail.Registration, source: np.ndarray, part: dovetail.PointCloud) -> None:
    chamfer = dovetail.chamfer(source, part, model="similarity", cell=1.5)
    for original in (result, chamfer):
        again = pickle.loads(pickle.dumps(original))
        told, wanted = json.loads(again.to_json()), json.loads(original.to_json())
        assert told == wanted
        assert json.loads(copy.deepcopy(original).to_json()) == wanted
    row = pickle.loads(pickle.dumps(result.trace[0]))
    np.testing.assert_array_equal(row.transform, result.trace[0].transform)


def test_clouds_survive_pickle(part: dovetail.PointCloud) -> None:
    cloud = dovetail.PointCloud(part.points, colors=np.zeros((len(part), 3), np.uint8), faces=part.faces)
    again = pickle.loads(pickle.dumps(cloud))
    for name in ("points", "colors", "faces"):
        np.testing.assert_array_equal(getattr(again, name), getattr(cloud, name))
    assert again.normals is None


def test_results_are_saved(result: dovetail.Registration, tmp_path) -> None:
    file = tmp_path / "run.json"
    result.save(file)
    assert file.read_text() in (result.to_json(), result.to_json() + "\n")
    np.testing.assert_array_equal(dovetail.read_pose(file), result.transform)
    covariance, center = dovetail.read_covariance(file)
    np.testing.assert_array_equal(covariance, result.covariance)
    np.testing.assert_array_equal(center, result.covariance_center)
    with pytest.raises(dovetail.FileError, match="nowhere"):
        result.save(tmp_path / "nowhere" / "run.json")


def test_indent_is_taken(result: dovetail.Registration) -> None:
    assert "\n" not in result.to_json(indent=-1)
    assert json.loads(result.to_json(indent=-1)) == json.loads(result.to_json())
