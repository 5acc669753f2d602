"""Bins of parts, their images, and scores of poses in them."""

from __future__ import annotations

import csv
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import dovetail

needs_bins = pytest.mark.skipif(dovetail.info()["bins"] != "built", reason="bins are not in this build")
needs_images = pytest.mark.skipif(dovetail.info()["vsd"] != "built", reason="Embree is not in this build")


@needs_bins
def test_parts_come_to_rest() -> None:
    shares: list[float] = []
    parts = [dovetail.built_in_part("cube"), dovetail.built_in_part("hex_nut")]
    bins = dovetail.simulate_bins(parts, count=(3, 2), bins=2, seed=5, friction=0.6, on_progress=shares.append)
    assert [b.seed for b in bins] == [5, 6]
    for b in bins:
        assert b.dropped == 5 and b.at_rest
        assert {p.part for p in b.parts} <= {0, 1}
        assert all(p.transform[2, 3] > 0 for p in b.parts)
        assert b.mesh().faces is not None
    assert shares[-1] == pytest.approx(1)
    again = dovetail.simulate_bins(parts, count=(3, 2), seed=5, friction=0.6, threads=1)[0]
    np.testing.assert_array_equal(again.parts[0].transform, bins[0].parts[0].transform)


@needs_bins
def test_mistakes_are_named() -> None:
    cube = dovetail.built_in_part("cube")
    with pytest.raises(dovetail.InvalidArgument, match="2 numbers for 1 parts"):
        dovetail.simulate_bins(cube, count=[1, 2])
    with pytest.raises(dovetail.InvalidArgument, match="friction"):
        dovetail.simulate_bins(cube, friction=-1)
    with pytest.raises(dovetail.InvalidArgument):
        dovetail.simulate_bins(np.random.rand(50, 3))
    with pytest.raises(ZeroDivisionError):
        dovetail.simulate_bins(cube, count=2, on_progress=lambda share: 1 / 0)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A cube of 60 mm in a file in metres."""
    cube = dovetail.built_in_part("cube")
    dovetail.write_points(tmp_path / "small.ply", dovetail.PointCloud(np.array(cube.points) / 1000, faces=cube.faces))
    return tmp_path / "small.ply"


def diagonal(unit: float) -> pytest.approx:
    return pytest.approx(60 * 3**0.5 * unit, rel=1e-5)  # the file has floats


@needs_bins
@needs_images
def test_parts_of_a_data_set_are_in_millimetres(small: Path, tmp_path: Path) -> None:
    quick = dict(count=1, images=1, columns=80, rows=60, plane=True)

    def size(folder: str) -> float:
        return float(json.loads((tmp_path / folder / "models" / "models_info.json").read_text())["1"]["diameter"])

    with pytest.warns(UserWarning, match="small.ply: taken to be in m, so that it is 60 x 60 x 60 mm; unit= tells") as told:
        dovetail.write_bins(tmp_path / "guessed", small, **quick)
    assert [one.filename for one in told] == [__file__]
    assert size("guessed") == diagonal(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dovetail.write_bins(tmp_path / "told", small, unit="inch", **quick)
        dovetail.write_bins(tmp_path / "cloud", dovetail.built_in_part("cube"), **quick)
        dovetail.write_bins(tmp_path / "cm", dovetail.built_in_part("cube"), unit="cm", **quick)
    assert (size("told"), size("cloud"), size("cm")) == (diagonal(0.0254), diagonal(1), diagonal(10))
    with pytest.raises(dovetail.InvalidArgument, match="unit: 'ell' is not allowed; allowed: None, mm, cm, m, inch"):
        dovetail.write_bins(tmp_path / "never", small, unit="ell", **quick)
    assert not (tmp_path / "never").exists()


@needs_bins
def test_bins_of_files_are_in_millimetres(small: Path) -> None:
    with pytest.warns(UserWarning, match="taken to be in m"):
        guessed = dovetail.simulate_bins(small, count=2, seed=1)
    told = dovetail.simulate_bins(small, count=2, seed=1, unit="m")
    as_it_is = dovetail.simulate_bins(dovetail.read_points(small), count=2, seed=1)
    assert guessed[0].length == told[0].length == pytest.approx(1000 * as_it_is[0].length)
    lying = dovetail.resting_poses(small, told, unit="m")
    assert lying.unit == "mm" and lying.kind_of(small) == 0


@needs_images
def test_views_of_files_are_in_millimetres(small: Path) -> None:
    quick = dict(sampling="uniform", references=4)
    with pytest.warns(UserWarning, match="taken to be in m"):
        guessed = dovetail.build_pose_database(small, **quick)
    told = dovetail.build_pose_database({"small": small}, unit="cm", **quick)
    assert 2 * guessed.parts[0].radius == diagonal(1)
    assert 2 * told.parts[0].radius == diagonal(0.01)


def write_truth(folder: Path, results: Path) -> int:
    """The truth of a data set as a results CSV."""
    scene = folder / "test" / "000001"
    rows = 0
    with results.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["scene_id", "im_id", "obj_id", "score", "R", "t", "time"])
        for image, truths in json.loads((scene / "scene_gt.json").read_text()).items():
            for t in truths:
                numbers = [" ".join(map(repr, t[key])) for key in ("cam_R_m2c", "cam_t_m2c")]
                out.writerow([1, image, t["obj_id"], 1.0, *numbers, 0.5])
                rows += 1
    return rows


@needs_bins
@needs_images
def test_images_are_written_and_poses_scored(tmp_path) -> None:
    folder = tmp_path / "bins"
    written = dovetail.write_bins(folder, dovetail.built_in_part("hex_bolt"), count=4, images=2, columns=160, rows=120, seed=3)
    assert written.instances == 8 and len(written.bins) == 2 and "2 images" in repr(written)
    assert (written.camera.width, written.camera.height) == (160, 120)
    rows = write_truth(folder, tmp_path / "truth.csv")
    scores = dovetail.evaluate_poses(tmp_path / "truth.csv", folder, threads=1)
    assert scores.estimates == rows == 8 and scores.images == 2
    assert scores.bop19 == pytest.approx(1) and scores.bop24 == pytest.approx(1)
    assert scores.all.bulk.recall == pytest.approx(1)
    assert scores.objects[1].localisation.mssd.mean == pytest.approx(1)
    assert json.loads(scores.to_json())["schema"] == "dovetail.pose_evaluation/1"
    assert "bop19" in scores._repr_html_() and "BOP19" in repr(scores)
    without = dovetail.evaluate_poses(tmp_path / "truth.csv", folder, vsd=False)
    assert without.bop19 is None
    with pytest.raises(dovetail.FileError, match="none.csv"):
        dovetail.evaluate_poses(tmp_path / "none.csv", folder)
    with pytest.raises(dovetail.InvalidArgument, match="vsd_delta"):
        dovetail.evaluate_poses(tmp_path / "truth.csv", folder, vsd_delta=-1)


@needs_bins
@needs_images
def test_a_camera_may_be_given(tmp_path) -> None:
    camera = dovetail.DepthCamera(width=64, height=48, fx=80, fy=80, cx=32, cy=24)
    written = dovetail.write_bins(tmp_path / "a", dovetail.built_in_part("cube"), count=1, camera=camera, noise=False)
    assert written.camera.fx == 80
    same = dovetail.read_camera(tmp_path / "a" / "camera.json")
    assert (same.width, same.fx) == (64, 80)
    with pytest.raises(dovetail.FileError):
        dovetail.write_bins(tmp_path / "b", dovetail.built_in_part("cube"), camera=tmp_path / "nothing.json")
