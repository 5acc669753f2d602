"""Aligns point sets and finds known parts in range images, on a CPU or an NVIDIA GPU.

    result = dovetail.register(source, target)      # arrays (n, 3), clouds, meshes or files
    if result.usable:
        aligned = result.apply(source)

dovetail.icp, em_icp, softassign, gpicp and chamfer are the methods, dovetail.find looks for objects in a scene;
help(dovetail.icp) lists every option with its default and range.
"""

from ._commands import (
    build_field, build_pose_database, chamfer, em_icp, evaluate, evaluate_poses, find, find_parts, find_parts_in_dataset, gpicp,
    icp, options, register, resting_poses, simulate_bins, softassign, symmetry, write_bins,
)  # fmt: skip
from ._errors import Error, FileError, InvalidArgument, MachineError
from ._native import (
    Bin, BinContact, BinDataset, BulkScores, DatasetParts, DepthCamera, DetectionScores, DistanceField, FindProgress, Found,
    FoundObject, FoundRival, FrequentOrientation, GeoFrame, Iteration, LocalisationScores, MeshCheck, OptionInfo, PointCloud,
    PoseDatabase, PoseDensity, PoseEvaluation, PoseReferences, PoseScores, Quality, RangeImage, Reference, Registration,
    RestingPart, RestingPoses, SeenInImage, Symmetry, SymmetryAxis, ThresholdScores, VertexErrors, WeakDirection, Workspace,
    __version__,
    apply, built_in_part, built_in_parts, check_mesh, downsample, drop_invalid, estimate_normals, info, load_field,
    load_pose_database, look_at, machines, measure_scale, mend_mesh, read_camera, read_covariance, read_points, read_pose,
    read_range_image, read_reference, read_resting_poses, read_symmetry, scan, supported_formats, write_points, write_pose,
)  # fmt: skip
from ._others import from_open3d, from_trimesh, to_open3d, to_trimesh
from ._pages import Report, write_report
from ._parts import write_found_picture, write_found_results
from ._types import FileName, PointsLike, PoseLike, PosesLike, RangeImageLike, ReferenceLike

__all__ = [
    "Bin", "BinContact", "BinDataset", "BulkScores", "DatasetParts", "DepthCamera", "DetectionScores", "DistanceField",
    "Error", "FileError", "FileName", "FindProgress", "Found", "FoundObject", "FoundRival", "FrequentOrientation", "GeoFrame",
    "InvalidArgument", "Iteration", "LocalisationScores", "MachineError", "MeshCheck", "OptionInfo", "PointCloud",
    "PointsLike", "PoseDatabase", "PoseDensity", "PoseEvaluation", "PoseLike", "PoseReferences", "PoseScores", "PosesLike",
    "Quality", "RangeImage", "RangeImageLike", "Reference", "ReferenceLike", "Registration", "Report", "RestingPart",
    "RestingPoses", "SeenInImage", "Symmetry", "SymmetryAxis", "ThresholdScores", "VertexErrors", "WeakDirection", "Workspace",
    "__version__", "apply", "build_field", "build_pose_database", "built_in_part", "built_in_parts", "chamfer",
    "check_mesh", "downsample", "drop_invalid", "em_icp", "estimate_normals", "evaluate", "evaluate_poses", "find",
    "find_parts", "find_parts_in_dataset", "from_open3d", "from_trimesh", "gpicp", "icp", "info", "load_field",
    "load_pose_database", "look_at", "machines", "measure_scale", "mend_mesh", "options", "read_camera", "read_covariance",
    "read_points", "read_pose", "read_range_image", "read_reference", "read_resting_poses", "read_symmetry", "register",
    "resting_poses", "scan", "simulate_bins", "softassign", "supported_formats", "symmetry", "to_open3d", "to_trimesh",
    "write_bins", "write_found_picture", "write_found_results", "write_points", "write_pose", "write_report",
]  # fmt: skip
