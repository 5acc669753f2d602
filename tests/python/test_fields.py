"""References, distance fields, chamfer alignment onto them, and the virtual scanner."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import error_of

import dovetail


def test_a_field_is_built_saved_and_used(part: dovetail.PointCloud, source: np.ndarray, truth: np.ndarray, tmp_path) -> None:
    field = dovetail.build_field(part, cell=1.5)
    assert field.dimension == 3 and field.cell == pytest.approx(1.5) and "1.5" in repr(field)
    assert (field.low < field.high).all() and field.bytes > 1000 and field.source == ""
    field.save(tmp_path / "part.field")
    loaded = dovetail.load_field(tmp_path / "part.field")
    results = [dovetail.chamfer(source, f) for f in (field, loaded, tmp_path / "part.field", str(tmp_path / "part.field"))]
    for result in results:
        assert error_of(result.transform, truth, source) < 0.5
        np.testing.assert_array_equal(result.transform, results[0].transform)
    with pytest.raises(dovetail.InvalidArgument, match="option cell: the reference is a field that was built already"):
        dovetail.chamfer(source, field, cell=2)
    with pytest.raises(dovetail.InvalidArgument, match="a field already"):
        dovetail.build_field(field)
    with pytest.raises(TypeError, match="holds no points to move"):
        dovetail.icp(field, source)


def test_lines_are_a_reference(tmp_path) -> None:
    corners = [(0, 0), (400, 0), (400, 300), (0, 300), (150, 80)]
    reference = dovetail.Reference(corners, lines=[[0, 1, 2, 3, 0], [0, 4]])
    assert reference.lines == [[0, 1, 2, 3, 0], [0, 4]] and reference.length == pytest.approx(1400 + 170)
    assert reference.frame is None and reference.area == 0 and "2 lines" in repr(reference)
    seen = np.asarray(reference.sample(2.0).points)
    shift = np.array([[1, 0, 7], [0, 1, -4], [0, 0, 1]])
    result = dovetail.chamfer(seen - shift[:2, 2], reference)
    assert error_of(result.transform, shift, seen) < 1 and result.finished_by
    with pytest.raises(dovetail.InvalidArgument, match="vertex 9 is none of the 5 points"):
        dovetail.Reference(corners, lines=[[0, 9]])


def test_maps_in_degrees(tmp_path) -> None:
    rng = np.random.default_rng(4)
    lines = (rng.random((15, 2, 2)) * 0.01 + (7.42, 43.73)).tolist()
    features = [{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": line}} for line in lines]
    roads = tmp_path / "roads.geojson"
    roads.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    reference = dovetail.read_reference(roads)
    assert reference.frame is not None and len(reference.lines) == 15
    result = dovetail.chamfer(roads, roads)  # points along the lines onto the lines
    assert result.source_frame == result.target_frame == reference.frame
    assert error_of(result.transform, np.eye(3), np.asarray(reference.points.points)) < 1


def test_images_are_references(tmp_path) -> None:
    with pytest.raises(dovetail.InvalidArgument, match="threshold"):
        dovetail.read_reference(tmp_path / "no.png", threshold=300)


def test_the_scanner_sees_the_part(part: dovetail.PointCloud) -> None:
    if dovetail.info()["scanner"] != "built":
        pytest.skip("the virtual scanner is not in this build")
    assert "bracket" in dovetail.built_in_parts()
    view = dovetail.scan(part, dovetail.look_at((200, 0, 200), (0, 0, 20)), width=80, height=60)
    assert (view.width, view.height, len(view)) == (80, 60, 4800)
    hit = np.isfinite(view.points).all(1)
    assert 0.05 < hit.mean() < 1 and (view.points[hit, 2] > 100).all()
    with pytest.raises(dovetail.InvalidArgument, match="width"):
        dovetail.scan(part, width=0)
    with pytest.raises(dovetail.InvalidArgument, match="pairs of a mesh and its pose"):
        dovetail.scan([part])
    with pytest.raises(dovetail.InvalidArgument, match="name: 'teapot'.*bracket, box"):
        dovetail.built_in_part("teapot")
