"""Aligns point sets and finds known parts in range images, on a CPU or an NVIDIA GPU.

    result = dovetail.register(source, target)      # arrays (n, 3), clouds, meshes or files
    if result.usable:
        aligned = result.apply(source)

dovetail.icp, em_icp, softassign, gpicp and chamfer are the methods, dovetail.find looks for objects in a scene;
help(dovetail.icp) lists every option with its default and range.
"""

from ._commands import (
    build_field, chamfer, em_icp, evaluate, evaluate_poses, find, gpicp, icp, options, register, simulate_bins, softassign,
    symmetry, write_bins,
)  # fmt: skip
from ._errors import Error, FileError, InvalidArgument, MachineError
from ._native import (
    Bin, DepthCamera, BinContact, BinDataset, BulkScores, DetectionScores, DistanceField, FindProgress, Found, FoundObject, GeoFrame,
    Iteration, LocalisationScores, MeshCheck, OptionInfo, PointCloud, PoseEvaluation, PoseScores, Quality, Reference, Registration, RestingPart,
    Symmetry, SymmetryAxis, ThresholdScores, VertexErrors, WeakDirection, Workspace, __version__, apply, built_in_part,
    built_in_parts, check_mesh, downsample, drop_invalid, estimate_normals, info, load_field, look_at, machines, measure_scale, mend_mesh, read_camera,
    read_covariance, read_points, read_pose, read_reference, scan, supported_formats, write_points, write_pose,
)  # fmt: skip
from ._others import from_open3d, from_trimesh, to_open3d, to_trimesh
from ._types import FileName, PointsLike, PoseLike, ReferenceLike

__all__ = [
    "Bin", "DepthCamera", "BinContact", "BinDataset", "BulkScores", "DetectionScores", "DistanceField", "Error", "FileError",
    "FileName", "FindProgress", "Found", "FoundObject", "GeoFrame", "InvalidArgument", "Iteration", "LocalisationScores",
    "MachineError", "MeshCheck", "OptionInfo", "PointCloud", "PointsLike", "PoseEvaluation", "PoseLike", "PoseScores", "Quality", "Reference",
    "ReferenceLike", "Registration", "RestingPart", "Symmetry", "SymmetryAxis", "ThresholdScores", "VertexErrors", "WeakDirection",
    "Workspace", "__version__", "apply", "build_field", "built_in_part", "built_in_parts", "chamfer", "check_mesh", "downsample", "drop_invalid",
    "em_icp", "estimate_normals", "evaluate", "evaluate_poses", "find", "from_open3d", "from_trimesh", "gpicp", "icp", "info",
    "load_field", "look_at", "machines", "measure_scale", "mend_mesh", "options", "read_camera", "read_covariance", "read_points",
    "read_pose", "read_reference", "register", "scan", "simulate_bins", "softassign", "supported_formats", "symmetry",
    "to_open3d", "to_trimesh", "write_bins", "write_points", "write_pose",
]  # fmt: skip
