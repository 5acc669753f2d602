"""Results as a page for a browser: the same report that the program writes."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence, Union

from . import _native
from ._errors import InvalidArgument
from ._inputs import by_name, recall
from ._native import Found, PoseEvaluation, Registration, Symmetry
from ._outputs import check_page_name
from ._types import FileName, PointsLike, PosesLike, RangeImageLike, ReferenceLike

Reportable = Union[Registration, Found, Symmetry, PoseEvaluation]
GONE = "What it was made of is not at hand any more, so it is not drawn; Report.add() takes it."


class Report:
    """Results as one HTML file that any browser opens and that asks nothing of the network.

    points is the most that are shown, of all runs together; None: all. runs says how many results will be added.
    """

    def __init__(self, *, points: int | None = 500_000, runs: int = 1) -> None:
        self._page = _native.Page(points, runs)

    def add(
        self,
        result: Reportable,
        *,
        name: str | None = None,
        source: PointsLike | None = None,
        target: ReferenceLike | None = None,
        scene: PointsLike | None = None,
        objects: PointsLike | Sequence[PointsLike] | Mapping[str, PointsLike] | None = None,
        image: RangeImageLike | None = None,
        poses: PosesLike | None = None,
        part: PointsLike | None = None,
    ) -> Report:
        """Adds a result, and what is to be drawn of it.

        source and target go with a registration, scene and objects with find(), image and poses with find_parts(), part with
        symmetry(). What is not given is what the result was made of, where that is still there.
        """
        if not isinstance(result, (Registration, Found, Symmetry, PoseEvaluation)):
            allowed = "a Registration, Found, Symmetry, PoseEvaluation"
            raise TypeError(f"result: {type(result).__name__} cannot be shown; allowed: {allowed}")
        given = dict(source=source, target=target, scene=scene, objects=objects, image=image, poses=poses, part=part)
        known = recall(result)
        inputs: dict[str, Any] = {key: known.get(key) if value is None else value for key, value in given.items()}
        if isinstance(result, Registration):
            moving, fixed = inputs["source"], inputs["target"]
            title = _title(name, moving, " → ", fixed, result.method)
            self._page.add_registration(result, title, moving, fixed, _notes(inputs, "source", "target"))
        elif isinstance(result, Found):
            self._add_found(result, name, inputs)
        elif isinstance(result, Symmetry):
            title = _title(name, inputs["part"], "", None, "symmetry")
            self._page.add_symmetry(result, title, inputs["part"], _notes(inputs, "part"))
        else:
            self._page.add_scores(result, name or "scores", [])
        return self

    def _add_found(self, found: Found, name: str | None, inputs: dict[str, Any]) -> None:
        if found.camera is not None or inputs["image"] is not None:
            poses = inputs["poses"]
            database = _native.load_pose_database(poses) if isinstance(poses, (str, os.PathLike)) else poses
            notes = _notes(inputs, "image", "poses")
            return self._page.add_parts(found, _title(name, poses, " in ", inputs["image"], "parts"), inputs["image"], database, notes)
        objects = inputs["objects"]
        named = {} if objects is None else {key: shape for key, shape in by_name(objects).items() if shape is not None}
        self._page.add_search(found, name or ", ".join(named) or "search", inputs["scene"], named, _notes(inputs, "scene"))

    def html(self) -> str:
        """The page. Raises MachineError where the build has no page of reports."""
        return self._page.html()

    def write(self, file: FileName) -> None:
        """Writes it. The file appears whole or not at all, and its name ends in .html."""
        check_page_name(file)
        self._page.write(file)


def write_report(file: FileName, *results: Reportable, points: int | None = 500_000) -> None:
    """Writes results as one page for a browser; several of them as a table, the doubtful ones first.

    What they were made of is drawn where it is still there: files, and arrays and clouds that somebody holds.
    """
    if not results:
        raise InvalidArgument("results: there are none to show")
    check_page_name(file)
    report = Report(points=points, runs=len(results))
    for result in results:
        report.add(result)
    report.write(file)


def _notes(inputs: dict[str, Any], *names: str) -> list[str]:
    return [] if all(inputs[name] is not None for name in names) else [GONE]


def _title(name: str | None, first: Any, between: str, second: Any, otherwise: str) -> str:
    if name:
        return name
    files = [os.path.basename(os.fspath(f)) for f in (first, second) if isinstance(f, (str, os.PathLike))]
    return between.join(files) if len(files) == (1 if second is None else 2) else otherwise
