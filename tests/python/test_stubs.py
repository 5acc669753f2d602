"""The stubs say what the module does, and pass the strictest checks there are."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dovetail

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
PACKAGE = Path(dovetail.__file__).parent

PROGRAM = """
import numpy as np
import dovetail
from typing_extensions import reveal_type

points = np.zeros((9, 3), np.float32)
result = dovetail.icp(points, "scan.ply", metric="point_to_plane", max_distance=3, on_iteration=lambda i: i.rmse > 0)
reveal_type(result.transform)
reveal_type(result.confidence)
reveal_type(dovetail.register(points, dovetail.Reference(points), method="chamfer", model="affine").trace)
for thing in dovetail.find({"part": dovetail.built_in_part()}, points, instances=0):
    reveal_type(thing.translation)
reveal_type(dovetail.symmetry(points).rotations)
"""
WRONG = {
    'dovetail.icp(points, points, metric="point_to_line")': "Literal",
    "dovetail.icp(points, points, max_distanc=3)": "max_distanc",
    "dovetail.icp(points, points, trace='yes')": "trace",
    "dovetail.register(points, points, 'em_icp', metric='point_to_point')": "overload",
    "dovetail.evaluate(points, points)": "pose",
    "dovetail.icp(3, points)": "int",
}


def mypy(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)


def test_programs_are_checked(tmp_path: Path) -> None:
    header = "import numpy as np\nimport dovetail\npoints = np.zeros((9, 3))\n"
    (tmp_path / "right.py").write_text(PROGRAM.replace("from typing_extensions import reveal_type\n", ""))
    (tmp_path / "wrong.py").write_text(header + "\n".join(WRONG))
    checked = mypy(tmp_path, "right.py", "wrong.py")
    told = checked.stdout.splitlines()
    right = [line for line in told if line.startswith("right.py")]
    assert not [line for line in right if ": error:" in line], checked.stdout
    for revealed in ("ndarray", "Union[builtins.float, None]", "builtins.list[dovetail._native.Iteration]"):
        assert any(revealed in line for line in right), (revealed, right)
    for number, (line, word) in enumerate(WRONG.items(), header.count("\n") + 1):
        said = [m for m in told if m.startswith(f"wrong.py:{number}: error")]
        assert said and word in " ".join(said), (line, checked.stdout)


def test_the_package_itself_is_strict(tmp_path: Path) -> None:
    checked = mypy(tmp_path, "-p", "dovetail")
    assert checked.returncode == 0, checked.stdout


def test_stubs_agree_with_the_module(tmp_path: Path) -> None:
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "mypy.stubtest", "dovetail._native", "dovetail._commands", "--concise"]
    checked = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert not checked.stderr, checked.stderr
    # Of every class that is compiled it says that it is made by a metaclass, and how one would be made if one could.
    of_pybind11 = ("metaclass differs", '__init__ is inconsistent, stub does not have *args argument "args"')
    differences = [line for line in checked.stdout.splitlines() if not line.endswith(of_pybind11)]
    assert not [line for line in differences if line.startswith("dovetail.")], "\n".join(differences)
    assert checked.stdout.count("metaclass differs") > 10  # it did look
