#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Draws docs/images/demo.png from a folder written by `dovetail demo`: the scans as guessed, and as aligned.

usage: make_demo_image.py DEMO_FOLDER OUT.png      (needs python3-numpy and python3-matplotlib)
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def points(file: Path, scratch: Path, program: Path) -> np.ndarray:
    out = scratch / (file.stem + ".npy")
    subprocess.run([program, "convert", file, out, "--drop-invalid"], check=True, stdout=subprocess.DEVNULL)
    return np.load(out)[:, :3]


def main() -> None:
    folder, out = Path(sys.argv[1]), sys.argv[2]
    program = Path(__file__).parents[2] / "build/release/dovetail"
    colours = plt.get_cmap("tab10").colors
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), subplot_kw={"projection": "3d"})
    with tempfile.TemporaryDirectory() as scratch:
        views = sorted(folder.glob("view?.ply"))
        for which, (axis, title) in enumerate(zip(axes, ("before: rough guesses", "after: dovetail register icp"))):
            for i, view in enumerate(views):
                cloud = points(view, Path(scratch), program)
                number = view.stem[-1]
                if i > 0:
                    pose = np.loadtxt(folder / f"guess{number}.txt")
                    if which == 1:
                        result = json.loads((folder / f"result{number}.json").read_text())
                        pose = np.array(result["target_from_source"])
                    cloud = cloud @ pose[:3, :3].T + pose[:3, 3]
                cloud = cloud[::5]
                axis.scatter(cloud[:, 0], cloud[:, 2], -cloud[:, 1], s=1.1, color=colours[i], linewidths=0)
            axis.set_title(title, fontsize=12)
            axis.set_axis_off()
            axis.set_box_aspect((1, 1, 0.8), zoom=1.4)
            axis.view_init(24, -70)
    figure.tight_layout()
    figure.savefig(out, dpi=90)


main()
