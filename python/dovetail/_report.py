"""What notebooks show of a result: the report for browsers in a frame, or a table where the build has no such page."""

from __future__ import annotations

import html as _html
from typing import Any, Iterable

from . import _native

POINTS = 60_000
"""Notebooks keep what they show: a megabyte and a half with so many points."""


def html(result: Any) -> str:
    """The HTML of any result."""
    if _native.report_available() and type(result).__name__ in _PAGED:
        return frame(result)
    return told(result)


def frame(result: Any) -> str:
    """The report in a frame that may run its own script and reach nothing else."""
    from ._pages import Report

    page = _html.escape(Report(points=POINTS).add(result).html(), quote=True)
    style = "width:100%;height:620px;border:1px solid #ccc;border-radius:8px"
    return f'<iframe title="Dovetail report" sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'


def told(result: Any) -> str:
    """Rows of the result's own kind under its own heading."""
    rows = _ROWS.get(type(result).__name__, _described)
    return table(f"dovetail.{type(result).__name__}", rows(result))


def table(heading: str, rows: Iterable[tuple[str, object]]) -> str:
    """Two columns, everything escaped."""
    lines = "".join(
        f"<tr><th style='text-align:left'>{_html.escape(name)}</th>"
        f"<td style='text-align:left'>{_html.escape(_text(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption>{_html.escape(heading)}</caption><tbody>{lines}</tbody></table>"


def _text(value: object) -> str:
    if value is None:
        return "not known"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _registration(r: Any) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = [
        ("usable", "yes" if r.usable else "no"),
        ("message", r.message),
        ("confidence", r.confidence),
        ("rmse", r.rmse),
        ("inliers", r.inlier_ratio),
        ("expected error", r.expected_error),
        ("transform", "; ".join(" ".join(f"{x:.6g}" for x in row) for row in r.transform)),
        ("method", f"{r.method} on {r.machine}, {r.iterations} iterations, {r.time_ms['total']:.1f} ms"),
    ]
    return rows + [("warning", warning) for warning in r.warnings]


def _found(f: Any) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = [("message", f.message)]
    for o in f.objects:
        place = ", ".join(f"{x:.5g}" for x in o.translation)
        rows.append((o.object, f"at ({place}), confidence {o.confidence or 0:.2f}, visible {o.visible_ratio:.0%}"))
    return rows + [("warning", warning) for warning in f.warnings]


def _symmetry(s: Any) -> list[tuple[str, object]]:
    return [
        ("group", s.name),
        ("in words", s.description),
        ("mirror image", "the same" if s.mirror else "differs"),
        ("deviation", s.deviation),
        ("tolerance", s.tolerance),
        ("diameter", s.diameter),
    ]


def _scores(e: Any) -> list[tuple[str, object]]:
    names = ("bop19", "bop24", "bop25", "bop25_mm", "images", "estimates")
    return [(name, getattr(e, name)) for name in names] + [("note", note) for note in e.notes]


def _described(result: Any) -> list[tuple[str, object]]:
    return [("", repr(result))]


def _database(d: Any) -> list[tuple[str, object]]:
    return [(p.name, f"{len(p)} views of {p.image_size} x {p.image_size} pixels, symmetry {p.symmetry.name}") for p in d.parts]


_ROWS = {
    "Registration": _registration, "Found": _found, "Symmetry": _symmetry, "PoseEvaluation": _scores, "PoseDatabase": _database,
}  # fmt: skip
_PAGED = ("Registration", "Found", "Symmetry", "PoseEvaluation")
