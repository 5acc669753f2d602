"""Parts in range images: databases of views, searches, how parts lie."""

from __future__ import annotations

import copy
import json
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dovetail

needs_bins = pytest.mark.skipif(dovetail.info()["bins"] != "built", reason="bins are not in this build")
pytestmark = pytest.mark.skipif(dovetail.info()["vsd"] != "built", reason="Embree is not in this build")

QUICK: dict[str, Any] = {"starts": 2, "rounds": 1, "min_confidence": 0.001}
CAMERA = dovetail.DepthCamera(width=160, height=120, fx=220, fy=220, cx=80, cy=60)


@pytest.fixture(scope="module")
def pipe() -> dovetail.PointCloud:
    return dovetail.built_in_part("t_pipe")


@pytest.fixture(scope="module")
def database(pipe: dovetail.PointCloud) -> dovetail.PoseDatabase:
    return dovetail.build_pose_database({"pipe": pipe}, sampling="uniform", references=96, threads=1)


@pytest.fixture(scope="module")
def depth(pipe: dovetail.PointCloud) -> np.ndarray:
    """What a camera above one part on a table sees, in millimetres."""
    y, x = np.mgrid[0 : CAMERA.height, 0 : CAMERA.width]
    image = np.full(x.shape, 700.0, np.float32)
    # The part from straight above, lying: the nearest of many points of its surface in each pixel.
    points = np.array(dovetail.Reference(pipe).sample(0.4).points)
    lowest = points[:, 2].min()
    seen = np.column_stack([points[:, 0], -points[:, 1], 700 - (points[:, 2] - lowest)])
    u = np.rint(CAMERA.fx * seen[:, 0] / seen[:, 2] + CAMERA.cx).astype(int)
    v = np.rint(CAMERA.fy * seen[:, 1] / seen[:, 2] + CAMERA.cy).astype(int)
    np.minimum.at(image, (v, u), seen[:, 2].astype(np.float32))
    return image


@pytest.fixture(scope="module")
def image(depth: np.ndarray) -> dovetail.RangeImage:
    return dovetail.RangeImage(depth, CAMERA)


def told(found: dovetail.Found) -> dict[str, Any]:
    """The options as the JSON has them."""
    options: dict[str, Any] = json.loads(found.to_json())["options"]
    return options


def test_a_database_says_what_it_holds(database: dovetail.PoseDatabase, pipe: dovetail.PointCloud, tmp_path: Path) -> None:
    assert len(database) == 1 and database.references == 96
    part = database.parts[0]
    assert part.name == "pipe" and part.sampling == "uniform" and len(part) == 96
    assert part.symmetry.name == dovetail.symmetry(pipe).name
    assert part.orientations.shape == (96, 4)
    np.testing.assert_allclose(np.linalg.norm(part.orientations, axis=1), 1, atol=1e-12)
    assert part.shares.shape == (96,) and 0 < part.cover_median <= part.cover_95 < 90
    depths = part.image(5)
    assert depths.shape == (part.image_size, part.image_size)
    seen = np.isfinite(depths)
    assert seen.any() and not seen.all() and np.abs(depths[seen]).max() <= part.radius
    assert (part.edge_distances(5)[seen] >= 0).all()
    mesh = part.mesh
    assert mesh.faces is not None
    assert np.linalg.norm(mesh.points - part.center, axis=1).max() == pytest.approx(part.radius, rel=1e-5)  # floats
    with pytest.raises(IndexError, match="96 references"):
        part.image(96)
    database.save(tmp_path / "pipe.posedb")
    again = dovetail.load_pose_database(tmp_path / "pipe.posedb")
    assert database.bytes == again.bytes == (tmp_path / "pipe.posedb").stat().st_size
    np.testing.assert_array_equal(again.parts[0].image(5), depths)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(database)).parts[0].orientations, part.orientations)
    assert "pipe" in repr(database) and "96 views" in repr(part) and "pipe" in database._repr_html_()


def test_a_part_outlives_its_database(pipe: dovetail.PointCloud) -> None:
    part = dovetail.build_pose_database({"pipe": pipe}, sampling="uniform", references=8).parts[0]
    assert part.image(0).shape == (64, 64)


def test_the_image_may_be_many_things(database: dovetail.PoseDatabase, depth: np.ndarray, tmp_path: Path) -> None:
    shares: list[float] = []
    image = dovetail.RangeImage(depth, CAMERA)
    np.testing.assert_array_equal(image.depth, depth)
    with pytest.raises(ValueError):
        image.depth[0, 0] = 1
    assert "160 x 120" in repr(image) and len(image.points()) == depth.size
    found = dovetail.find_parts(image, database, starts=2, rounds=1, on_progress=shares.append)
    assert found.camera is not None and found.camera.fx == 220 and shares and max(shares) <= 1
    database.save(tmp_path / "pipe.posedb")
    np.save(tmp_path / "depth.npy", depth / np.float32(1000))
    told = json.loads(found.to_json())
    assert told["schema"] == "dovetail.found/1" and told["camera"]["width"] == 160

    def poses(other: dovetail.Found) -> list[list[float]]:
        return [thing.transform.ravel().tolist() for thing in other.objects + other.doubtful]

    same = dovetail.find_parts(depth, tmp_path / "pipe.posedb", camera=CAMERA, starts=2, rounds=1, threads=1)
    assert poses(same) == poses(found) and same.object_files == [str(tmp_path / "pipe.posedb")]
    metres = dovetail.find_parts(tmp_path / "depth.npy", database, camera=CAMERA, starts=2, rounds=1)
    assert metres.scene_file == str(tmp_path / "depth.npy")
    assert len(poses(metres)) == len(poses(found))
    robot = np.array([[0, 1, 0, 10], [-1, 0, 0, 20], [0, 0, 1, 30], [0, 0, 0, 1.0]])
    placed = dovetail.find_parts(image, database, starts=2, rounds=1, min_confidence=0.001, frame_from_camera=robot)
    assert len(placed) > 0
    for thing in placed:
        np.testing.assert_allclose(thing.frame_transform, robot @ thing.transform, atol=1e-9)


def test_masked_pixels_are_holes(database: dovetail.PoseDatabase, depth: np.ndarray) -> None:
    half = np.zeros(depth.shape, bool)
    half[:, :80] = True
    masked = dovetail.RangeImage(np.ma.array(depth, mask=half), CAMERA).depth
    np.testing.assert_array_equal(masked, np.where(half, 0, depth))
    assert len(dovetail.find_parts(np.ma.masked_greater(depth, 0), database, camera=CAMERA, **QUICK)) == 0


@pytest.mark.parametrize("kind", ["c16", "U9", "S9", "O", "?"])
def test_depths_are_real_numbers(database: dovetail.PoseDatabase, depth: np.ndarray, kind: str) -> None:
    with pytest.raises(TypeError, match="image: an array of .* holds no depths"):
        dovetail.find_parts(depth.astype(kind), database, camera=CAMERA)


@pytest.mark.parametrize("kind", ["<u2", ">u2", "i4", "f4", "f8"])
@pytest.mark.parametrize("unit", [0.0, 2.0])
@pytest.mark.parametrize("step", [0.0, 0.1, 1.0])
def test_an_array_means_what_its_file_means(kind: str, unit: float, step: float, depth: np.ndarray, tmp_path: Path) -> None:
    camera = dovetail.DepthCamera(width=160, height=120, fx=220, fy=220, cx=80, cy=60, depth_scale=step)
    whole = kind[-2] in "iu"
    given = (10 * depth if whole else depth / 1000).astype(kind)
    np.save(tmp_path / "depth.npy", given)
    array = dovetail.RangeImage(given, camera, millimetres=unit).depth
    np.testing.assert_array_equal(array, dovetail.read_range_image(tmp_path / "depth.npy", camera, millimetres=unit).depth)
    wanted = unit or ((step or 1) if whole else 1000)
    np.testing.assert_allclose(array, given.astype(np.float32) * wanted, rtol=1e-6)  # of floats


def test_depths_in_millimetres_stay(depth: np.ndarray) -> None:
    np.testing.assert_array_equal(dovetail.RangeImage(depth, CAMERA).depth, depth)
    with pytest.raises(dovetail.InvalidArgument, match="millimetres: -1"):
        dovetail.RangeImage(depth, CAMERA, millimetres=-1)


@pytest.fixture(scope="module")
def found(database: dovetail.PoseDatabase, image: dovetail.RangeImage) -> dovetail.Found:
    found = dovetail.find_parts(image, database, **QUICK)
    assert len(found) > 0
    return found


def test_where_to_look(database: dovetail.PoseDatabase, image: dovetail.RangeImage, found: dovetail.Found, tmp_path: Path) -> None:
    corner = dovetail.find_parts(image, database, region=(0, 0, 30, 30), starts=2, rounds=1)
    assert len(corner) == 0 and told(corner)["region"] == [0, 0, 30, 30]  # the part is in the middle
    mask = np.zeros(image.depth.shape, bool)
    mask[:30, :30] = True
    masked = dovetail.find_parts(image, database, mask=mask, starts=2, rounds=1)
    assert len(masked) == 0 and told(masked)["masked"]
    whole = dovetail.find_parts(image, database, mask=np.ones(mask.shape, np.uint8), **QUICK)
    np.testing.assert_array_equal(whole[0].transform, found[0].transform)
    found.save(tmp_path / "last.json")
    pairs = [(thing.object, thing.transform) for thing in found]
    for start in (found, found.objects, pairs, tmp_path / "last.json"):
        again = told(dovetail.find_parts(image, database, start=start, starts=1, rounds=1))["start"]
        assert [one["object"] for one in again] == [thing.object for thing in found]
        for one, thing in zip(again, found):
            np.testing.assert_allclose(one["scene_from_object"], thing.transform, rtol=1e-15, atol=0)


def test_what_to_pick(database: dovetail.PoseDatabase, image: dovetail.RangeImage, found: dovetail.Found) -> None:
    robot = np.array([[0, 1, 0, 10], [-1, 0, 0, 20], [0, 0, 1, 30], [0, 0, 0, 1.0]])
    box = [(-500, -500, 500), (500, 500, 900)]
    near = dovetail.find_parts(image, database, frame_from_camera=robot, reach=box, prefer=(0, 0, 500), **QUICK)
    assert len(near) == len(found) and told(near)["prefer"] == [0, 0, 500] and told(near)["reach"][1] == [500, 500, 900]
    for thing in near:
        np.testing.assert_allclose(thing.frame_transform, robot @ thing.transform, atol=1e-9)  # mm
    assert len(dovetail.find_parts(image, database, reach=[(0, 0, 0), (1, 1, 1)], **QUICK)) == 0  # mm from the camera


def test_what_an_image_shows_of_a_part(found: dovetail.Found) -> None:
    for thing in found.objects + found.doubtful:
        seen = thing.image
        assert seen is not None
        assert 0 < seen.explained <= seen.pixels
        assert seen.explained + seen.hidden + seen.contradicted + seen.unknown <= seen.pixels
        assert not (seen.on_top and seen.covered_by) and seen.turns_about is None
        assert seen.equivalents.shape[1:] == (4, 4)
        assert str(seen.pixels) in repr(seen)
        for rival in thing.rivals:
            assert rival.object == "pipe" and 0 < rival.share <= 1 and rival.transform.shape == (4, 4)
            assert set(rival.evidence) == set(thing.evidence) and "pipe" in repr(rival)
    assert found.options["starts"] == 2 and found.options["refined"] > 0 and "inlier_distance" not in found.options


def test_settings_by_name_and_a_machine_that_is_kept(database: dovetail.PoseDatabase, image: dovetail.RangeImage) -> None:
    paper = dovetail.find_parts(image, database, preset="paper", starts=2).options
    assert (paper["rough"], paper["best"], paper["starts"], paper["refined"]) == ("paper", 1, 2, 1)
    workspace = dovetail.Workspace("cpu")
    kept = [dovetail.find_parts(image, database, workspace=workspace, **QUICK) for _ in range(2)]
    alone = dovetail.find_parts(image, database, machine="cpu", **QUICK)
    assert kept[0].machine == alone.machine == workspace.machine
    for one in kept:
        np.testing.assert_array_equal(one[0].transform, alone[0].transform)


def test_results_survive_pickle(database: dovetail.PoseDatabase, image: dovetail.RangeImage, found: dovetail.Found) -> None:
    robot = np.array([[0, 1, 0, 10], [-1, 0, 0, 20], [0, 0, 1, 30], [0, 0, 0, 1.0]])
    box = [(-500, -500, 500), (500, 500, 900)]
    asked: dict[str, Any] = dict(
        frame_from_camera=robot, region=(5, 5, 150, 110), mask=np.ones(image.depth.shape, bool), start=found, reach=box, prefer=(0, 0, 1)
    )
    for original in (found, dovetail.find_parts(image, database, **asked, **QUICK)):
        for again in (pickle.loads(pickle.dumps(original)), copy.deepcopy(original)):
            assert again.to_json() == original.to_json() and again.options == original.options
    again = pickle.loads(pickle.dumps(found))
    one = pickle.loads(pickle.dumps(found[0]))
    np.testing.assert_array_equal(one.transform, found[0].transform)
    assert one.confidence == found[0].confidence and one.evidence == found[0].evidence
    assert one.image is not None and found[0].image is not None and one.image.pixels == found[0].image.pixels
    held = [told(dovetail.find_parts(image, database, start=start, starts=1, rounds=1))["start"] for start in (found, again, [one])]
    assert held[0] == held[1] and held[2] == held[0][:1]
    seen = pickle.loads(pickle.dumps(image))
    np.testing.assert_array_equal(seen.depth, image.depth)
    camera = dovetail.DepthCamera(width=160, height=120, fx=220, fy=221, cx=80, cy=60, depth_scale=0.1, pixel_center=0.5)
    for same in (pickle.loads(pickle.dumps(camera)), dovetail.RangeImage(image.depth, camera).camera):
        for name in ("width", "height", "fx", "fy", "cx", "cy", "depth_scale", "pixel_center"):
            assert getattr(same, name) == getattr(camera, name)
    assert seen.camera.fx == image.camera.fx


def test_what_was_found_as_files(
    database: dovetail.PoseDatabase, depth: np.ndarray, image: dovetail.RangeImage, found: dovetail.Found, tmp_path: Path
) -> None:
    dovetail.write_found_picture(tmp_path / "found.png", found)
    png = (tmp_path / "found.png").read_bytes()
    assert png[:4] == b"\x89PNG" and struct.unpack(">II", png[16:24]) == (CAMERA.width, CAMERA.height)
    dovetail.write_found_results(tmp_path / "found.csv", found, image="000003/depth/000017.png")
    rows = (tmp_path / "found.csv").read_text().splitlines()
    assert len(rows) == 1 + len(found) and rows[1].startswith("3,17,1,")
    gone = dovetail.find_parts(depth.copy(), database, camera=CAMERA, **QUICK)
    with pytest.raises(dovetail.InvalidArgument, match="image: .* not at hand"):
        dovetail.write_found_picture(tmp_path / "gone.png", gone)
    dovetail.write_found_picture(tmp_path / "again.png", gone, image=image, poses=database)
    assert (tmp_path / "again.png").read_bytes() == png


def test_mistakes_are_named(database: dovetail.PoseDatabase, depth: np.ndarray, pipe: dovetail.PointCloud) -> None:
    with pytest.raises(dovetail.InvalidArgument, match="camera"):
        dovetail.find_parts(depth, database)
    with pytest.raises(dovetail.InvalidArgument, match="160 x 119"):
        dovetail.find_parts(depth[1:], database, camera=CAMERA)
    with pytest.raises(dovetail.InvalidArgument, match="dimensions"):
        dovetail.find_parts(depth[0], database, camera=CAMERA)
    with pytest.raises(dovetail.InvalidArgument, match="has its own"):
        dovetail.find_parts(dovetail.RangeImage(depth, CAMERA), database, camera=CAMERA)
    with pytest.raises(TypeError, match="poses"):
        dovetail.find_parts(depth, 3, camera=CAMERA)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="camera"):
        dovetail.find_parts(depth, database, camera=3)  # type: ignore[arg-type]
    image = dovetail.RangeImage(depth, CAMERA)
    for keyword, value in [
        ("region", (1, 2, 3)), ("region", (0, 0, 10.5, 10)), ("mask", depth[0]), ("mask", depth[1:]), ("reach", (1, 2, 3)), ("prefer", (1, 2)),
        ("start", [("nobody", np.eye(4))]), ("preset", "best"),
    ]:  # fmt: skip
        with pytest.raises(dovetail.InvalidArgument, match=keyword):
            dovetail.find_parts(image, database, **{keyword: value})
    for keyword, wrong in [("start", 3), ("start", ["pipe"]), ("workspace", "cpu")]:
        with pytest.raises(TypeError, match=keyword):
            dovetail.find_parts(image, database, **{keyword: wrong})
    with pytest.raises(dovetail.InvalidArgument, match="refined"):
        dovetail.find_parts(depth, database, camera=CAMERA, refined=0)
    with pytest.raises(dovetail.FileError, match="nothing.posedb"):
        dovetail.find_parts(depth, "nothing.posedb", camera=CAMERA)
    with pytest.raises(dovetail.InvalidArgument, match="references"):
        dovetail.build_pose_database(pipe, sampling="uniform", references=-1)
    with pytest.raises(dovetail.InvalidArgument, match="there are none"):
        dovetail.build_pose_database({}, sampling="uniform")
    with pytest.raises(ZeroDivisionError):
        dovetail.find_parts(depth, database, camera=CAMERA, on_progress=lambda share: 1 / 0)


@needs_bins
def test_how_parts_lie(pipe: dovetail.PointCloud, tmp_path: Path) -> None:
    bins = dovetail.simulate_bins(pipe, count=4, bins=5, seed=2)
    lying = dovetail.resting_poses({"pipe": pipe}, bins)
    rotations = lying.rotations()
    assert rotations.shape == (sum(len(b.parts) for b in bins), 3, 3)
    np.testing.assert_array_equal(rotations[0], bins[0].parts[0].transform[:3, :3])
    lying.save(tmp_path / "lying.json")
    again = dovetail.read_resting_poses(tmp_path / "lying.json")
    assert again.names == ["pipe"] and again.bins == 5 and again.unit == "mm"
    np.testing.assert_allclose(again.rotations(), rotations, atol=1e-12)  # they are quaternions in the file
    assert again.kind_of(pipe) == 0 and again.kind_of(dovetail.built_in_part("cube")) is None
    density = lying.density(dovetail.symmetry(pipe), most=3)
    assert density.poses == len(rotations) and 1 <= len(density.orientations) <= 3
    assert density.directions.shape == (len(density.density), 3)
    first = density.orientations[0]
    # The nearest pose's own up is within the reach of 0.2, up to a symmetry of the part.
    ups = [first.rotation @ s[:3, :3] @ first.up for s in dovetail.symmetry(pipe).rotations]
    assert max(up[2] for up in ups) > np.cos(0.2)
    assert density.distance(density) == 0
    assert json.loads(density.to_json("pipe"))["schema"] == "dovetail.density/1"
    built = dovetail.build_pose_database({"other name": pipe}, resting=tmp_path / "lying.json", references=16)
    assert built.parts[0].resting == len(rotations) and built.parts[0].sampling == "adaptive"
    given = dovetail.build_pose_database({"pipe": pipe}, resting={"pipe": rotations}, references=16)
    assert given.parts[0].resting == len(rotations)
    copied = pickle.loads(pickle.dumps(lying))
    assert copied.names == ["pipe"] and copied.unit == "mm" and copied.bins == 5 and copied.kind_of(pipe) == 0
    np.testing.assert_array_equal(copied.rotations(), rotations)
    with pytest.raises(dovetail.InvalidArgument, match="has no poses of cube"):
        dovetail.build_pose_database({"cube": dovetail.built_in_part("cube")}, resting=lying, references=16)
    with pytest.raises(dovetail.InvalidArgument, match=r"\(k, 3, 3\)"):
        dovetail.build_pose_database({"pipe": pipe}, resting={"pipe": rotations[0]}, references=16)


@needs_bins
def test_a_data_set_is_searched_and_scored(database: dovetail.PoseDatabase, pipe: dovetail.PointCloud, tmp_path: Path) -> None:
    dovetail.write_bins(tmp_path / "bins", pipe, count=2, images=1, columns=160, rows=120, seed=4)
    for wrong in (tmp_path / "nodir" / "found.csv", tmp_path):
        with pytest.raises(dovetail.FileError, match="nodir is not there|is a folder"):
            dovetail.find_parts_in_dataset(tmp_path / "bins", database, wrong, on_progress=lambda share: 1 / 0)
    told = dovetail.find_parts_in_dataset(tmp_path / "bins", database, tmp_path / "found.csv", starts=2, rounds=1)
    assert told.images == 1 and "1 images" in repr(told)
    assert (tmp_path / "found.csv").read_text().startswith("scene_id,im_id,obj_id,score,R,t,time")
    scores = dovetail.evaluate_poses(tmp_path / "found.csv", tmp_path / "bins")
    assert pickle.loads(pickle.dumps(scores)).to_json() == scores.to_json()
    if told.parts:
        assert dovetail.evaluate_poses(tmp_path / "found.csv", tmp_path / "bins").estimates == told.parts
