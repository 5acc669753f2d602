"""Reports: as files, and as notebooks show them."""

from __future__ import annotations

import base64
import gc
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest

import dovetail

pytestmark = pytest.mark.skipif(dovetail.info()["report"] != "built", reason="the page of reports is not in this build")


def runs_of(page: str) -> list[dict]:
    data = re.search(r'id="report-data">(.*?)</script>', page, re.S)
    assert data is not None
    return json.loads(data[1])["runs"]


def frame_of(shown: str) -> str:
    """The page in a notebook's frame."""
    found = re.fullmatch(r'<iframe [^<>]*sandbox="allow-scripts"[^<>]* srcdoc="([^"]*)"></iframe>', shown)
    assert found is not None, shown[:200]
    return html.unescape(found[1])


@pytest.fixture(scope="module")
def clouds(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return source, target


@pytest.fixture(scope="module")
def result(clouds: tuple[np.ndarray, np.ndarray]) -> dovetail.Registration:
    return dovetail.icp(*clouds)


def test_a_notebook_shows_the_report(result: dovetail.Registration, clouds: tuple[np.ndarray, np.ndarray]) -> None:
    page = frame_of(result._repr_html_())
    assert page.lstrip().lower().startswith("<!doctype html>") and "Content-Security-Policy" in page
    run = runs_of(page)[0]
    assert run["kind"] == "registration" and run["result"]["message"] == result.message
    assert sorted(cloud["total"] for cloud in run["clouds"]) == sorted(len(points) for points in clouds)
    assert run["notes"] == []


def test_what_is_gone_is_not_drawn(target: np.ndarray) -> None:
    moved = dovetail.apply(np.eye(4), target)
    result = dovetail.icp(moved, target)
    del moved
    gc.collect()
    run = runs_of(frame_of(result._repr_html_()))[0]
    assert len(run["clouds"]) == 1 and "not at hand" in run["notes"][0]
    given = runs_of(dovetail.Report().add(result, source=target, name="again").html())[0]
    assert len(given["clouds"]) == 2 and given["notes"] == [] and given["name"] == "again"


def test_results_do_not_hold_what_they_were_made_of(target: np.ndarray) -> None:
    import weakref

    points = np.array(target)
    gone = weakref.ref(points)
    result = dovetail.icp(points, target)
    del points
    gc.collect()
    assert gone() is None and result.message


def test_files_are_read_again(source: np.ndarray, target: np.ndarray, tmp_path: Path) -> None:
    for name, points in (("a.ply", source), ("b.ply", target)):
        dovetail.write_points(tmp_path / name, points)
    result = dovetail.icp(str(tmp_path / "a.ply"), tmp_path / "b.ply")
    run = runs_of(frame_of(result._repr_html_()))[0]
    assert run["name"] == "a.ply → b.ply" and len(run["clouds"]) == 2


def test_every_kind_of_result(part: dovetail.PointCloud, result: dovetail.Registration, tmp_path: Path) -> None:
    symmetry = dovetail.symmetry(part)
    scene = np.array(dovetail.Reference(part).sample(4.0).points)
    objects = {'<b>"part"': part}
    found = dovetail.find(objects, scene, instances=1)
    field = dovetail.build_field(part, cell=2.0)
    onto = dovetail.chamfer(scene, field)
    file = tmp_path / "all.html"
    dovetail.write_report(file, symmetry, found, onto, result, points=20_000)
    page = file.read_text(encoding="utf-8")
    kinds = [run["kind"] for run in runs_of(page)]
    assert kinds == ["symmetry", "found", "registration", "registration"]
    assert [len(run["clouds"]) for run in runs_of(page)][:3] == [1, 2, 2]
    assert "<b>" not in page.split('id="report-data">')[1].split("</script>")[0]
    assert frame_of(symmetry._repr_html_()) and frame_of(found._repr_html_())


@pytest.mark.skipif(dovetail.info()["vsd"] != "built", reason="Embree is not in this build")
def test_parts_in_an_image(part: dovetail.PointCloud) -> None:
    camera = dovetail.DepthCamera(width=64, height=48, fx=80, fy=80, cx=32, cy=24)
    depth = np.full((48, 64), 500, np.uint16)
    poses = dovetail.build_pose_database(part, sampling="uniform", references=8)
    found = dovetail.find_parts(depth, poses, camera=camera, starts=1, rounds=1)
    run = runs_of(frame_of(found._repr_html_()))[0]
    assert run["kind"] == "found" and (run["image"]["width"], run["image"]["measured"]) == (64, 64 * 48)
    assert run["clouds"][0]["role"] == "scene" and run["clouds"][0]["total"] == 64 * 48
    assert len(run["outlines"]) == len(found.objects) + len(found.doubtful)


def test_points_are_as_many_as_asked_for(result: dovetail.Registration, tmp_path: Path) -> None:
    few = dovetail.Report(points=100).add(result).html()
    assert sum(cloud["points"]["count"] for cloud in runs_of(few)[0]["clouds"]) == 100
    every = dovetail.Report(points=None).add(result).html()
    points = re.search(r'id="report-points">(.*?)</script>', every, re.S)
    assert points is not None and len(base64.b64decode(points[1])) > 8 * 7000
    with pytest.raises(dovetail.InvalidArgument, match="points"):
        dovetail.Report(points=0)
    with pytest.raises(dovetail.InvalidArgument, match="results"):
        dovetail.write_report(tmp_path / "none.html")
    with pytest.raises(dovetail.InvalidArgument, match="run.txt is no page's name; it has to end in .html"):
        dovetail.write_report(tmp_path / "run.txt", result)
    with pytest.raises(dovetail.InvalidArgument, match="run.txt"):
        dovetail.Report().add(result).write(tmp_path / "run.txt")
    with pytest.raises(TypeError, match="cannot be shown"):
        dovetail.Report().add(3)  # type: ignore[arg-type]
    with pytest.raises(dovetail.FileError, match="nowhere"):
        dovetail.write_report(tmp_path / "nowhere" / "a.html", result)
