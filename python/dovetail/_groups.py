"""Arguments beside the table of options: what is no number and no name, but a pose, an array or a function."""

from __future__ import annotations

from ._parameters import Group, Parameter, table

STARTS = Group(
    "Where to begin",
    (
        Parameter(
            "start",
            "PoseLike | Literal['centroid'] | None",
            None,
            "Where the source is placed first: a pose, or 'centroid' for its centroid on the target's. None: as it is.",
        ),
        Parameter("more_starts", "Sequence[PoseLike] | None", None, "Further starts, refined beside the first; answers are ranked."),
        Parameter(
            "start_covariance",
            "npt.NDArray[np.float64] | None",
            None,
            "How well the start is known, as an earlier result's covariance: 6x6, or 3x3 in 2D.",
        ),
        Parameter(
            "start_covariance_center",
            "npt.NDArray[np.float64] | Sequence[float] | None",
            None,
            "The place that this is about: an earlier result's covariance_center, or where a sensor stood.",
        ),
    ),
)
WEIGHTS = Group(
    "Source points",
    (Parameter("weights", "npt.NDArray[np.floating[Any]] | Sequence[float] | None", None, "One weight for each source point."),),
)
NORMALS = Group(
    "Normals",
    (
        Parameter("source_normals", "npt.NDArray[np.floating[Any]] | None", None, "Of the source's points, (n, 3). None: estimated."),
        Parameter("target_normals", "npt.NDArray[np.floating[Any]] | None", None, "Of the target's points, (n, 3). None: estimated."),
    ),
)
CALLS = Group(
    "While it runs",
    (
        Parameter("workspace", "Workspace | None", None, "A machine kept from run to run, in place of machine, device and threads."),
        Parameter(
            "on_iteration",
            "Callable[[Iteration], bool | None] | None",
            None,
            "Called after each iteration of the leading start; False stops with the pose reached. A GPU waits for it.",
        ),
        Parameter(
            "on_progress",
            "Callable[[Iteration], object] | None",
            None,
            "Called now and then with how the leading start stands: for a progress bar, which slows nothing down.",
        ),
    ),
)
PRESET = Group("Preset", (Parameter("preset", "Literal['thesis'] | None", None, "Settings by name, which other options change."),))
PLACE = Group(
    "Where to look",
    (
        Parameter("region", "Sequence[Sequence[float]] | None", None, "Look only in this box of the scene: its two corners (x, y, z)."),
        Parameter("viewpoint", "Sequence[float] | None", None, "Where the sensor stood. None: the origin, where the scene looks like it."),
        Parameter("frame_from_scene", "PoseLike | None", None, "Poses are told in this frame too, a robot's say."),
        Parameter("on_object", "Callable[[FindProgress], object] | None", None, "Called with each step of the search."),
    ),
)
UNIT = Group(
    "Unit",
    (
        Parameter(
            "unit",
            "Literal['mm', 'cm', 'm', 'inch'] | None",
            None,
            "Of the parts, which are brought to mm. None: of files mm or m, told by the part's size, with a warning; arrays and clouds "
            "stay as they are.",
        ),
    ),
)
SIMULATION = Group(
    "Run",
    (
        Parameter("seed", "int", 0, "Of the first bin; the next has the next."),
        Parameter("threads", "int", 0, "Bins at a time; 0: all processors. The bins do not depend on it."),
        Parameter("on_progress", "Callable[[float], object] | None", None, "Called now and then with the share that is done."),
    ),
)
WORK = Group(
    "Run",
    (
        Parameter("threads", "int", 0, "0: all processors. Results do not depend on it."),
        Parameter("on_progress", "Callable[[float], object] | None", None, "Called now and then with the share that is done."),
    ),
)
IMAGE = Group(
    "Image",
    (
        Parameter("camera", "DepthCamera | FileName | None", None, "A camera, or its file. Organised clouds and a RangeImage need none."),
        Parameter(
            "depth_unit",
            "float",
            0.0,
            "What one unit of arrays and clouds is in mm. 0: whole numbers are steps "
            "of the camera's depth_scale, floats are told by the depths: m where their median is below 20, else mm.",
        ),
    ),
)
PARTS_PRESET = Group("Preset", (Parameter("preset", "Literal['paper'] | None", None, "Settings by name, which other options change."),))
WHERE = Group(
    "Where to look",
    (
        Parameter(
            "region",
            "Sequence[int] | None",
            None,
            "Only parts that mostly lie in these pixels: left, top, width, height. The rest still tells what hides a part.",
        ),
        Parameter(
            "mask",
            "npt.NDArray[Any] | FileName | None",
            None,
            "The same, pixel by pixel: an array (rows, columns), or a PNG in which the pixels that count are not black.",
        ),
        Parameter(
            "start",
            "Found | FileName | Sequence[FoundObject | tuple[str, PoseLike]] | None",
            None,
            "Poses to try first, those of the last image say; where they still hold, nothing is searched.",
        ),
    ),
)
PICKING = Group(
    "Picking",
    (
        Parameter("frame_from_camera", "PoseLike | None", None, "Poses are told in this frame too, a robot's say."),
        Parameter(
            "reach",
            "Sequence[Sequence[float]] | None",
            None,
            "Only parts whose middle is in this box of that frame: its two corners (x, y, z), mm.",
        ),
        Parameter(
            "prefer",
            "Sequence[float] | npt.NDArray[np.float64] | None",
            None,
            "The order of picking: what nothing covers first, of that the nearest to this point of that frame. None: the likeliest first.",
        ),
    ),
)
PARTS_MACHINE = Group(
    "Machine",
    (Parameter("workspace", "Workspace | None", None, "A machine kept from image to image, in place of machine and device."),),
)
RESTING = Group(
    "How parts lie",
    (
        Parameter(
            "resting",
            "RestingPoses | FileName | Mapping[str, npt.NDArray[np.float64]] | None",
            None,
            "What adaptive sampling follows: resting poses of these parts, a file of them, or rotations (k, 3, 3) by the "
            "parts' names. None: bins are simulated.",
        ),
        Parameter("bins", "int", 100, "Bins of each part that are simulated."),
        Parameter("count", "int", 60, "Parts in a bin."),
        Parameter("symmetries", "Mapping[str, Symmetry | FileName] | None", None, "By the parts' names. None: they are found."),
    ),
)
SETS = Group(
    "Data set",
    (
        Parameter("split", "str", "test", "The folder with the scenes."),
        Parameter("targets", "FileName", "test_targets_bop19.json", "Names the images."),
        Parameter("detection_targets", "FileName", "test_targets_bop24.json", "The same, where it is there."),
    ),
)
CAMERA = Group(
    "Camera", (Parameter("camera", "DepthCamera | FileName | None", None, "A camera, or a camera.json. None: columns, rows, field_of_view."),)
)
DATASET = Group(
    "Data set",
    (
        Parameter("split", "str", "test", "The folder with the scenes."),
        Parameter("targets", "FileName", "test_targets_bop19.json", "What is to be localised."),
        Parameter("detection_targets", "FileName", "test_targets_bop24.json", "In which images to detect; else those of targets."),
        Parameter("camera", "FileName", "camera.json", "Tells the width of the images; else the depth images do."),
    ),
)

RUN = table("run", "Run")
FIELD = table("field", "Distance field")
EVALUATION_RUN = table(
    "run",
    "Run",
    leave_out=("start_at_centroid", "start_rotation_sigma", "start_shift_sigma", "seed", "time_limit_ms", "trace"),
)
FIND_RUN = table("run", "Run", leave_out=("start_at_centroid", "start_rotation_sigma", "start_shift_sigma", "trace", "min_inlier_ratio"))
FIND_CALLS = Group(
    "While it runs",
    (
        Parameter("workspace", "Workspace | None", None, "A machine kept from run to run, in place of machine, device and threads."),
        Parameter("more_starts", "Sequence[PoseLike] | None", None, "Poses that are tried for every object as well."),
    ),
)
FIELD_RUN = table("run", "Run", only=("machine", "device", "threads", "origin_points"))
SYMMETRY_RUN = table("run", "Run", only=("threads", "origin_points"))
SCORES_RUN = table("run", "Run", only=("threads",))
