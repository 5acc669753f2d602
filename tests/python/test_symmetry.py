"""Symmetries of parts."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import dovetail


def test_a_cube_has_24_rotations(tmp_path) -> None:
    cube = dovetail.built_in_part("cube")
    found = dovetail.symmetry(cube)
    assert (found.name, found.kind, found.order, found.mirror) == ("O", "octahedral", 4, True)
    assert found.rotations.shape == (24, 4, 4)
    np.testing.assert_array_equal(found.rotations[0], np.eye(4))
    assert found.diameter == pytest.approx(60 * 3**0.5)
    np.testing.assert_allclose(found.box_high, (30, 30, 30))
    assert all(np.linalg.norm(axis.direction) == pytest.approx(1) for axis in found.axes)
    assert "order" in repr(found.axes[0]) and "O" in repr(found) and "O" in found._repr_html_()
    assert json.loads(found.to_json())["schema"] == "dovetail.symmetry/1"
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again.to_json() == found.to_json() and again.name == "O"
    assert pickle.loads(pickle.dumps(found.axes[0])).order == found.axes[0].order
    found.save(tmp_path / "cube.json")
    found.add_to_models_info(tmp_path / "models_info.json", 7, millimetres=10)
    assert json.loads((tmp_path / "models_info.json").read_text())["7"]["diameter"] == pytest.approx(600 * 3**0.5)
    with pytest.raises(dovetail.InvalidArgument):
        found.add_to_models_info(tmp_path / "models_info.json", -1)


def test_options_and_what_they_refuse() -> None:
    bolt = dovetail.built_in_part("hex_bolt")
    assert dovetail.symmetry(bolt, max_order=5, threads=1).order < 6
    with pytest.raises(dovetail.InvalidArgument, match="max_order"):
        dovetail.symmetry(bolt, max_order=1)
    with pytest.raises(TypeError, match="has no option 'seed'"):
        dovetail.symmetry(bolt, seed=1)
    with pytest.raises(dovetail.InvalidArgument):
        dovetail.symmetry(np.zeros((5, 2)))
