"""Objects in a scene."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from conftest import error_of, pose

import dovetail


@pytest.fixture(scope="module")
def scene(part: dovetail.PointCloud, truth: np.ndarray) -> dovetail.PointCloud:
    """The part on a table, seen by a depth camera."""
    if dovetail.info()["scanner"] != "built":
        pytest.skip("the virtual scanner is not in this build")
    table = dovetail.PointCloud([(-200, -200, -12), (200, -200, -12), (200, 200, -12), (-200, 200, -12)], faces=[(0, 1, 2), (0, 2, 3)])
    return dovetail.scan([(part, truth), (table, np.eye(4))], dovetail.look_at((250, 150, 350), (0, 0, 20)), noise=0.1)


def test_an_object_is_found(part: dovetail.PointCloud, truth: np.ndarray, scene: dovetail.PointCloud, tmp_path) -> None:
    steps: list[dovetail.FindProgress] = []
    camera = dovetail.look_at((250, 150, 350), (0, 0, 20))
    found = dovetail.find({"bracket": part}, scene, frame_from_scene=camera, on_object=steps.append)
    assert len(found) == 1, found.message
    thing = found[0]
    assert thing.object == "bracket" and thing.confidence > 0.5
    assert error_of(thing.frame_transform, truth, np.asarray(part.points)) < 1
    np.testing.assert_allclose(camera @ thing.transform, thing.frame_transform, atol=1e-9)
    assert [o.object for o in found] == ["bracket"] and found[-1].object == "bracket"
    assert steps and steps[0].object == "bracket"
    told = json.loads(found.to_json())
    assert told["schema"] == "dovetail.found/1"
    np.testing.assert_array_equal(told["objects"][0]["scene_from_object"], thing.transform)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again.to_json() == found.to_json() and again.options == found.options
    found.save(tmp_path / "found.json")
    assert json.loads((tmp_path / "found.json").read_text()) == told
    colored = found.coloured_scene(scene, {"bracket": part})
    assert set(np.unique(colored.attributes["object"])) == {-1, 0}
    assert "bracket" in found._repr_html_() and found.message in repr(found)
    with pytest.raises(IndexError):
        found[1]


def test_what_is_not_there_is_not_found(scene: dovetail.PointCloud) -> None:
    found = dovetail.find([dovetail.built_in_part("mug")], scene, min_confidence=0.9, region=((-100, -100, 0), (100, 100, 600)))
    assert len(found) == 0 and not found.objects
    assert found.options["min_confidence"] == 0.9


def test_objects_have_names(part: dovetail.PointCloud, tmp_path) -> None:
    from dovetail._inputs import by_name

    dovetail.write_points(tmp_path / "bolt.stl", part)
    assert list(by_name([tmp_path / "bolt.stl", part])) == ["bolt", "object1"]
    assert list(by_name([str(tmp_path / "bolt.stl")] * 2)) == ["bolt", "bolt_1"]
    assert list(by_name(part)) == ["object0"]
    assert list(by_name(np.zeros((4, 3)))) == ["object0"]


@pytest.mark.parametrize(
    "objects, options, message",
    [
        ([], {}, "nothing to look for"),
        ({"a": np.zeros((0, 3))}, {}, "a"),
        ({"a": np.zeros((4, 4))}, {}, r"objects\['a'\]"),
        ({"a": np.random.rand(9, 3)}, {"region": (1, 2, 3)}, "two corners"),
        ({"a": np.random.rand(9, 3)}, {"viewpoint": 3}, "three numbers"),
        ({"a": np.random.rand(9, 3)}, {"instances": -1}, "instances"),
    ],
)
def test_mistakes_areby_name(objects: object, options: dict, message: str) -> None:
    with pytest.raises(dovetail.InvalidArgument, match=message):
        dovetail.find(objects, np.random.rand(50, 3), **options)


def test_an_exception_stops_a_search(part: dovetail.PointCloud, scene: dovetail.PointCloud) -> None:
    def fail(step: dovetail.FindProgress) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        dovetail.find(part, scene, on_object=fail)
