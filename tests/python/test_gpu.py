"""Arrays in a GPU's memory enter where they are. Skips where there is no GPU."""

from __future__ import annotations

import json

import numpy as np
import pytest
from gpu_arrays import DeviceArray, Driver

import dovetail
from dovetail import _native

pytestmark = pytest.mark.skipif(bool(dovetail.info()["cuda_unavailable"]), reason="no GPU: " + dovetail.info()["cuda_unavailable"])


@pytest.fixture(scope="module")
def driver() -> Driver:
    return Driver()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("stream", [None, 1, 2])
def test_they_are_looked_at_where_they_are(driver: Driver, target: np.ndarray, kind: type, stream: int | None) -> None:
    array = DeviceArray(driver, target.astype(kind), stream=stream)
    seen = _native.inspect_points(array)
    assert seen["on_device"] and seen["address"] == array.pointer.value and seen["count"] == len(target)
    wide = DeviceArray(driver, np.column_stack([target, target]).astype(kind), columns=3)
    assert _native.inspect_points(wide)["stride_bytes"] == 6 * np.dtype(kind).itemsize


def test_chamfer_says_the_same_of_both(driver: Driver, source: np.ndarray, part: dovetail.PointCloud) -> None:
    points = source.astype(np.float32)
    field = dovetail.build_field(part, cell=1.0, machine="cuda")
    on_host = dovetail.chamfer(points, field, machine="cuda")
    on_device = dovetail.chamfer(DeviceArray(driver, points), field, machine="cuda")
    np.testing.assert_array_equal(on_device.transform, on_host.transform)
    told, wanted = json.loads(on_device.to_json()), json.loads(on_host.to_json())
    assert told["evidence"] == wanted["evidence"] and told["points"] == wanted["points"]
    wide = DeviceArray(driver, np.column_stack([points, points]), columns=3)
    np.testing.assert_array_equal(dovetail.chamfer(wide, field, machine="cuda").transform, on_host.transform)


def test_results_of_them_are_shown(driver: Driver, source: np.ndarray, part: dovetail.PointCloud) -> None:
    array = DeviceArray(driver, source.astype(np.float32))
    assert dovetail.chamfer(array, part, cell=2.0, machine="cuda")._repr_html_()


def test_what_works_on_the_host_says_so(driver: Driver, target: np.ndarray) -> None:
    with pytest.raises(dovetail.InvalidArgument, match="in a GPU's memory"):
        dovetail.symmetry(DeviceArray(driver, target))


@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_arrays_of_other_libraries_enter_where_they_are(library: str, source: np.ndarray, part: dovetail.PointCloud) -> None:
    module = pytest.importorskip(library)
    points = source.astype(np.float32)
    array = module.asarray(points) if library == "cupy" else module.from_numpy(points).cuda()
    seen = _native.inspect_points(array)
    assert seen["on_device"] and seen["address"] == array.__cuda_array_interface__["data"][0]
    field = dovetail.build_field(part, cell=1.0, machine="cuda")
    on_host = dovetail.chamfer(points, field, machine="cuda")
    np.testing.assert_array_equal(dovetail.chamfer(array, field, machine="cuda").transform, on_host.transform)
    # Made by a kernel that may still run: the owner's stream is waited for.
    moved = array * 1.0 + 0.0
    np.testing.assert_array_equal(dovetail.chamfer(moved, field, machine="cuda").transform, on_host.transform)
