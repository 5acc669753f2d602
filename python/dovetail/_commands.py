"""One function for each command. Signatures and help texts come from the library's table of options."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any, Literal, Mapping, Sequence

import numpy as np

from . import _native
from ._errors import InvalidArgument
from ._inputs import by_name, remember
from ._groups import (
    CALLS, CAMERA, DATASET, EVALUATION_RUN, FIELD, FIELD_RUN, FIND_CALLS, FIND_RUN, IMAGE, NORMALS, PARTS_MACHINE, PARTS_PRESET,
    PICKING, PLACE, PRESET, RESTING, RUN, SCORES_RUN, SETS, SIMULATION, STARTS, SYMMETRY_RUN, UNIT, WEIGHTS, WHERE, WORK,
)  # fmt: skip
from ._native import (
    Bin, BinDataset, DatasetParts, DistanceField, Found, OptionInfo, PoseDatabase, PoseEvaluation, Registration, RestingPoses,
    Symmetry,
)  # fmt: skip
from ._outputs import check_writable
from ._parameters import Group, command, describe, table, unknown, with_more_options
from ._shown import shown
from ._types import FileName, PointsLike, PoseLike, PosesLike, RangeImageLike, ReferenceLike
from ._units import as_cloud, in_millimetres

_REST: tuple[Group, ...] = (STARTS, WEIGHTS, RUN, CALLS)


@command(table("icp", "Method"), NORMALS, *_REST)
def icp(source: PointsLike, target: PointsLike, **options: Any) -> Registration:
    """Finds the transform that brings source onto target, from a start within reach: iterative closest point."""
    return remember(_native.icp(source, target, options), source=source, target=target)


@command(table("em_icp", "Method"), NORMALS, *_REST)
def em_icp(source: PointsLike, target: PointsLike, **options: Any) -> Registration:
    """The same from any rotation, by soft correspondence."""
    return remember(_native.em_icp(source, target, options), source=source, target=target)


@command(table("softassign", "Method"), NORMALS, *_REST)
def softassign(source: PointsLike, target: PointsLike, **options: Any) -> Registration:
    """The same for points that match one to one, by soft correspondence."""
    return remember(_native.softassign(source, target, options), source=source, target=target)


@command(PRESET, table("gpicp", "Method"), NORMALS, *_REST)
def gpicp(source: PointsLike, target: PointsLike, **options: Any) -> Registration:
    """The same from any pose and with little in common: hundreds of thousands of poses tried at once."""
    return remember(_native.gpicp(source, target, options), source=source, target=target)


@command(table("chamfer", "Method"), FIELD, *_REST)
def chamfer(observed: PointsLike, reference: ReferenceLike, **options: Any) -> Registration:
    """Brings points onto a map's lines, a mesh, points or an image, without correspondences; rigid to projective.

    The reference is a Reference, a DistanceField, points or a mesh, or a file of any of them.
    """
    return remember(_native.chamfer(observed, reference, options), source=observed, target=reference)


_METHODS = {"icp": icp, "em_icp": em_icp, "softassign": softassign, "gpicp": gpicp, "chamfer": chamfer}


@command(*_REST)
def _any_method(source: PointsLike, target: ReferenceLike, method: str = "icp", **options: Any) -> Registration:
    """Finds the transform that brings source onto target.

    method is 'icp', 'em_icp', 'softassign', 'gpicp' or 'chamfer'; each has options of its own beside those of every run.
    """
    raise NotImplementedError


def register(source: PointsLike, target: ReferenceLike, method: str = "icp", **options: Any) -> Registration:
    name = method.replace("-", "_") if isinstance(method, str) else method
    if name not in _METHODS:
        raise InvalidArgument(unknown("register", str(method), list(_METHODS), "method"))
    return _METHODS[name](source, target, **options)


register.__doc__ = (_any_method.__doc__ or "") + "".join(
    describe(table(name, f"Method {name}")) + (describe(FIELD) if name == "chamfer" else "") for name in _METHODS
)
setattr(register, "__signature__", with_more_options(_any_method))


@command(NORMALS, WEIGHTS, EVALUATION_RUN)
def evaluate(source: PointsLike, target: PointsLike, pose: PoseLike, **options: Any) -> Registration:
    """How well a given pose fits: rmse, inliers, overlap and confidence as a registration would report them."""
    return remember(_native.evaluate(source, target, pose, options), source=source, target=target)


@command(FIELD, FIELD_RUN)
def build_field(reference: ReferenceLike, **options: Any) -> DistanceField:
    """Prepares a reference for chamfer(): build it once, align many observations to it."""
    return _native.build_field(reference, options)


@command(PLACE, table("find", "Search"), FIND_RUN, FIND_CALLS)
def find(objects: PointsLike | Sequence[PointsLike] | Mapping[str, PointsLike], scene: PointsLike, **options: Any) -> Found:
    """Where known objects are in a scene, with no start; says when one is not there.

    objects is one mesh or cloud, a list of them, or a dict that names them.
    """
    named = by_name(objects)
    return remember(_native.find(named, scene, options), scene=scene, objects=named)


@command(table("symmetry", "Symmetry"), SYMMETRY_RUN)
def symmetry(part: PointsLike, **options: Any) -> Symmetry:
    """Which rotations map a part onto itself, and whether it equals its mirror image."""
    return remember(_native.symmetry(part, options), part=part)


@command(UNIT, table("bin", "Bin"), SIMULATION)
def simulate_bins(
    parts: PointsLike | Sequence[PointsLike], *, count: int | Sequence[int] = 10, bins: int = 1, **options: Any
) -> list[Bin]:
    """Drops parts into bins until they rest: how parts lie in practice, with every pose known.

    parts is a closed mesh or a list of them, count how many of each. Lengths are in millimetres where the parts
    are: those of files always, arrays and clouds keep their own unit where none is told.
    """
    meshes, counts = _counted(parts, count, options)
    if not isinstance(bins, Integral) or bins < 1:
        raise InvalidArgument(f"bins: {shown(bins)} is not allowed; allowed: 1 or more")
    return _native.simulate_bins(meshes, counts, bins, options)


@command(UNIT, CAMERA, table("bin_images", "Images"), table("bin", "Bin"), table("depth_sensor", "Sensor"), SIMULATION)
def write_bins(
    folder: FileName, parts: PointsLike | Sequence[PointsLike], *, count: int | Sequence[int] = 10, **options: Any
) -> BinDataset:
    """Simulates bins and writes depth images with every pose known, as a data set in the layout of the BOP benchmark.

    parts is a closed mesh or a list of them, count how many of each; arrays and clouds are in millimetres unless told. The folder must not be there yet, or be
    empty; it appears whole or not at all.
    """
    meshes, counts = _counted(parts, count, options)
    return _native.write_bins(folder, meshes, counts, options)


def _counted(parts: Any, count: Any, options: dict[str, Any]) -> tuple[list[Any], list[int]]:
    """Parts and how many of each; takes the unit out of the options. Files are read when all else is known to be right."""
    unit = options.pop("unit", None)
    meshes = list(parts) if isinstance(parts, (list, tuple)) else [parts]
    counts = list(count) if np.ndim(count) == 1 else [count] * len(meshes)
    for number in counts:
        if not isinstance(number, Integral):
            raise TypeError(f"count: {shown(number)} is no whole number; allowed: one, or one for each part")
    if len(counts) != len(meshes):
        raise InvalidArgument(f"count: {len(counts)} numbers for {len(meshes)} parts; allowed: one, or one for each")
    return [in_millimetres(mesh, unit, f"parts[{i}]") for i, mesh in enumerate(meshes)], counts


@command(DATASET, table("pose_evaluation", "Scores"), SCORES_RUN)
def evaluate_poses(results: FileName, dataset: FileName, **options: Any) -> PoseEvaluation:
    """How good estimated poses are: BOP's AR and mAP, ADD, precision and recall.

    results is a results CSV of the BOP benchmark, dataset the folder of a data set in its layout.
    """
    return _native.evaluate_poses(results, dataset, options)


@command(UNIT, RESTING, table("pose_database", "References"), WORK)
def build_pose_database(parts: PointsLike | Sequence[PointsLike] | Mapping[str, PointsLike], **options: Any) -> PoseDatabase:
    """Chooses the views by which find_parts() finds parts in range images, and renders them.

    parts is a mesh, or a cloud with normals, or a list or dict of them, in millimetres unless told; a file's name becomes the
    part's.
    """
    unit = options.pop("unit", None)
    named = {name: in_millimetres(part, unit, f"parts[{name!r}]") for name, part in by_name(parts, "part").items()}
    symmetries = options.pop("symmetries", None) or {}
    lying = _resting(named, options)
    rows = [
        (name, surface, _symmetry_of(symmetries.get(name)), lying.get(name))
        for name, surface in named.items()
    ]  # fmt: skip
    return _native.build_pose_database(rows, options)


def _symmetry_of(given: Any) -> Any:
    return _native.read_symmetry(given) if isinstance(given, (str, os.PathLike)) else given


def _resting(named: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Rotations by the parts' names, as far as sampling needs them; takes what it needs out of the options."""
    resting, bins, count = options.pop("resting", None), options.pop("bins", 100), options.pop("count", 60)
    if options.get("sampling", "adaptive") != "adaptive":
        return {}
    if isinstance(resting, Mapping):
        return {str(name): rotations for name, rotations in resting.items()}
    if resting is not None:
        poses = _native.read_resting_poses(resting) if isinstance(resting, (str, os.PathLike)) else resting
        return _by_geometry(poses, named)
    found = {}
    for name, surface in named.items():
        cloud = as_cloud(surface, "parts")
        if cloud.faces is None:
            continue
        run = {key: options[key] for key in ("threads", "seed") if key in options}
        found[name] = resting_poses({name: cloud}, simulate_bins(cloud, count=count, bins=bins, **run)).rotations(0)
    return found


def _by_geometry(poses: RestingPoses, named: dict[str, Any]) -> dict[str, Any]:
    """A part is known by its geometry: its name may be another."""
    found = {}
    for name, surface in named.items():
        cloud = as_cloud(surface, "parts")
        if cloud.faces is None:
            continue
        kind = poses.kind_of(cloud)
        if kind is None:
            told = ", ".join(poses.names)
            raise InvalidArgument(f"resting: has no poses of {name}: its parts are {told}, and this one's geometry is another")
        found[name] = poses.rotations(kind)
    return found


def resting_poses(
    parts: PointsLike | Sequence[PointsLike] | Mapping[str, PointsLike],
    bins: Sequence[Bin],
    *,
    unit: Literal["mm", "cm", "m", "inch"] | None = None,
) -> RestingPoses:
    """How parts lie in simulated bins, to keep or to make a density of.

    parts and their unit are those that simulate_bins() was given; the poses are in millimetres.
    """
    named = {name: in_millimetres(part, unit, f"parts[{name!r}]") for name, part in by_name(parts, "part").items()}
    clouds = [as_cloud(part, f"parts[{name!r}]") for name, part in named.items()]
    return _native.resting_poses(clouds, list(named), list(bins), "mm")


@command(IMAGE, PARTS_PRESET, table("find_parts", "Search"), WHERE, PICKING, PARTS_MACHINE, WORK)
def find_parts(image: RangeImageLike, poses: PosesLike, **options: Any) -> Found:
    """Finds every part of a pose database in a range image, with no idea of where they are.

    Poses are camera_from_part, in millimetres; image is a RangeImage, an array of depths, an organised cloud or a file.
    """
    return remember(_native.find_parts(image, poses, options), image=image, poses=poses)


@command(SETS, PARTS_PRESET, table("find_parts", "Search"), PARTS_MACHINE, WORK)
def find_parts_in_dataset(dataset: FileName, poses: PosesLike, results: FileName, **options: Any) -> DatasetParts:
    """The same in every image that a data set of the BOP benchmark names; writes its results CSV, for evaluate_poses()."""
    check_writable(results)
    return _native.find_parts_in_dataset(dataset, poses, results, options)


def options(method: str = "run") -> list[OptionInfo]:
    """The options of a method with defaults, ranges and meaning; of 'run' those that every method has."""
    tables = _native.option_tables()
    name = str(method).replace("-", "_")
    if name not in tables:
        raise InvalidArgument(unknown("options", name, list(tables), "table"))
    return tables[name]
