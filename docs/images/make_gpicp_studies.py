#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Draws the figures of docs/gpicp_studies.md from a result file of bench/run --only gpicp_studies, and the laid table from
what gpicp_picture wrote.

usage: make_gpicp_studies.py RESULTS.json OUT_FOLDER [PICTURE.txt]      (needs python3-numpy and python3-matplotlib)
"""
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

COLOURS = {"thesis": "tab:red", "field": "tab:blue", "default": "tab:green", "peer": "tab:gray"}
LINES = {"mug": "-", "liqueur_glass": "--", "glass": ":"}


def pick(lines: list, study: str, **values) -> list:
    return [line for line in lines
            if line["what"] == study and all(line.get(key) == value for key, value in values.items())]


def save(figure, folder: Path, name: str) -> None:
    figure.tight_layout()
    figure.savefig(folder / f"gpicp_{name}.png", dpi=80)
    plt.close(figure)


def panels(title: str, label: str):
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.6))
    figure.suptitle(title, fontsize=11)
    for axis, what in zip(axes, ("mean distance, mm", "processor time an instance, ms")):
        axis.set_xlabel(label)
        axis.set_ylabel(what)
        axis.grid(alpha=0.3)
    return figure, axes


def sweep(lines: list, folder: Path, name: str, study: str, varied: str, label: str, title: str,
          logarithmic: bool = False, factor: float = 1) -> None:
    figure, (error, time) = panels(title, label)
    for object_name in ("mug", "liqueur_glass"):
        for method in ("thesis", "field"):
            rows = sorted(pick(lines, study, object=object_name, method=method), key=lambda row: row[varied])
            if not rows:
                continue
            x = [factor * row[varied] for row in rows]
            style = {"color": COLOURS[method], "linestyle": LINES[object_name], "marker": "o", "markersize": 3}
            error.plot(x, [row["exact_error"] for row in rows], **style,
                       label=f"{object_name.replace('_', ' ')}, {method}")
            error.plot(x, [row["approximate_error"] for row in rows], **(style | {"marker": "", "alpha": 0.35}))
            time.plot(x, [row["processor_ms"] for row in rows], **style)
        truth = pick(lines, study, object=object_name)[0]["error_at_truth"]
        error.axhline(truth, color="black", linestyle=LINES[object_name], linewidth=0.8)
    if study == "set size":
        for row in pick(lines, study, method="plain loop, triplets apart"):
            error.plot([3], [row["exact_error"]], "k^" if row["object"] == "mug" else "kv")
    if logarithmic:
        error.set_xscale("log"), time.set_xscale("log"), time.set_yscale("log")
    time.set_ylim(bottom=None if logarithmic else 0)
    error.legend(fontsize=8)
    save(figure, folder, name)


def epsilon(lines: list, folder: Path) -> None:
    figure, (error, time) = panels("Scoring by (1 + ε) searches; at the right end: straight down, and a field", "ε")
    end = 16
    for object_name in ("mug", "liqueur_glass"):
        for method, colour in (("left-balanced", "tab:red"), ("buckets", "tab:orange"), ("field", "tab:blue")):
            rows = sorted(pick(lines, "epsilon", object=object_name, method=method), key=lambda row: row["epsilon"])
            rows += pick(lines, "epsilon", object=object_name, method=method + ", depth-first")
            x = [min(end, row["epsilon"]) for row in rows]
            style = {"color": colour, "linestyle": LINES[object_name], "marker": "o", "markersize": 3}
            error.plot(x, [row["exact_error"] for row in rows], **style,
                       label=f"{object_name.replace('_', ' ')}, {method}")
            error.plot(x, [row["approximate_error"] for row in rows], **(style | {"marker": "", "alpha": 0.35}))
            time.plot(x, [row["processor_ms"] for row in rows], **style)
    for axis in (error, time):
        axis.set_xscale("symlog", linthresh=0.25)
        axis.set_xticks([0, 0.25, 0.5, 1, 2, 4, 8, end], ["0", ".25", ".5", "1", "2", "4", "8", "down"])
    time.set_ylim(bottom=0)
    error.legend(fontsize=7)
    save(figure, folder, "epsilon")


def searches(lines: list, folder: Path) -> None:
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), sharey=True)
    for axis, order in zip(axes, ("along a curve", "scattered")):
        rows = pick(lines, "search", order=order)
        names = [row["method"] + (f", ε {row['epsilon']:g}" if row["epsilon"] < 1e6 else "") for row in rows]
        colours = ["tab:blue" if "field" in n else "tab:orange" if "buckets" in n else
                   "tab:red" if "stackless" in n else "tab:pink" for n in names]
        axis.barh(range(len(rows)), [row["value"] for row in rows], color=colours)
        axis.set_yticks(range(len(rows)), names, fontsize=7)
        for i, row in enumerate(rows):
            axis.text(row["value"], i, f" {100 * row['too_far']:.1f}%", fontsize=6, va="center")
        axis.set_xlabel("ns a query, one thread; beside: how much too far on average", fontsize=8)
        axis.set_title("queries " + order, fontsize=10)
    axes[0].invert_yaxis()  # shared: turned round once
    save(figure, folder, "searches")


def methods_of(lines: list, study: str) -> list:
    names = []
    for row in pick(lines, study):
        if row["method"] not in names:
            names.append(row["method"])
    return names


def colour_of(method: str) -> str:
    return COLOURS.get(method, COLOURS["peer"])


def label_of(method: str) -> str:
    return "PCL, " + method if method not in COLOURS else method


def instances(lines: list, folder: Path) -> None:
    figure, (error, time) = panels("All 21 instances: 7 mugs, 8 liqueur glasses, 6 glasses, 20,000 points each", "instance")
    for method in methods_of(lines, "instances"):
        rows = sorted(pick(lines, "instances", method=method), key=lambda row: row["instance"])
        x = [row["instance"] for row in rows]
        error.plot(x, [row["exact_error"] for row in rows], color=colour_of(method), marker="o", markersize=3,
                   label=label_of(method))
        time.plot(x, np.cumsum([row["processor_ms"] for row in rows]) / 1000, color=colour_of(method))
    rows = sorted(pick(lines, "instances", method="thesis"), key=lambda row: row["instance"])
    error.plot([row["instance"] for row in rows], [row["error_at_truth"] for row in rows], "k_", label="at the truth")
    time.set_ylabel("processor time of the first n, s")
    error.legend(fontsize=7)
    save(figure, folder, "instances")


def points(lines: list, folder: Path) -> None:
    figure, (error, time) = panels("Points in an instance (one of each kind)", "points")
    for method in methods_of(lines, "points"):
        rows = pick(lines, "points", method=method)
        x = sorted({row["points_an_instance"] for row in rows})
        for axis, key in ((error, "exact_error"), (time, "processor_ms")):
            axis.plot(x, [np.mean([r[key] for r in rows if r["points_an_instance"] == at]) for at in x],
                      color=colour_of(method), marker="o", markersize=3, label=label_of(method))
    time.set_yscale("log")
    error.legend(fontsize=7)
    save(figure, folder, "points")


def picture(file: Path, folder: Path) -> None:
    cloud = np.loadtxt(file)
    xyz, kind = cloud[:, :3], cloud[:, 3].astype(int)
    # From beside the camera, so that what does not lie in place would be seen.
    middle = xyz[kind == 0].mean(axis=0)
    a = np.deg2rad(18)
    turn = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    seen = (xyz - middle) @ turn.T + [0, 0, np.linalg.norm(middle)]
    width, height, focus = 900, 620, 1300
    image = np.full((height, width, 3), 255, np.uint8)
    colours = np.array([[150, 150, 150], [200, 60, 40], [40, 90, 190], [40, 150, 80]])
    u = np.round(width / 2 + focus * seen[:, 0] / seen[:, 2]).astype(int)
    v = np.round(height / 2 + focus * seen[:, 1] / seen[:, 2]).astype(int)
    for k in np.argsort(-seen[:, 2]):  # the nearest last
        size = 1 if kind[k] else 2
        x0, y0 = max(0, u[k]), max(0, v[k])
        if x0 + size > width or y0 + size > height:
            continue
        shade = np.clip(1.5 - 0.5 * seen[k, 2] / np.linalg.norm(middle), 0.5, 1.2)
        image[y0:y0 + size, x0:x0 + size] = np.clip(colours[kind[k]] * shade, 0, 255)
    plt.imsave(folder / "gpicp_table.png", image)


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    lines = [line for line in json.loads(Path(sys.argv[1]).read_text())["benchmarks"]
             if line["benchmark"] == "gpicp_studies"]
    folder = Path(sys.argv[2])
    sweep(lines, folder, "starts", "starts", "starts", "starts", "Number of starts")
    sweep(lines, folder, "shift", "shift", "shift_of_radius", "shift of the guess, radii", "How far the guess is off")
    sweep(lines, folder, "sets", "set size", "set_points", "points in a set",
          "Points in a set (black triangles: PCL's triplets, apart from each other)")
    sweep(lines, folder, "share", "share scored", "share", "share of the points scored, %", "Share of the points scored",
          True, 100)
    epsilon(lines, folder)
    searches(lines, folder)
    instances(lines, folder)
    points(lines, folder)
    if len(sys.argv) == 4:
        picture(Path(sys.argv[3]), folder)


main()
