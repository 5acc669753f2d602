"""Every Python block of the documents runs: each in a folder of its own that has two scans of a part and the part itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import pose

import dovetail

ROOT = Path(__file__).resolve().parents[2]


def blocks() -> list[tuple[str, str]]:
    """The name and the text of every block; a block that begins with `# needs X` runs where X is built."""
    found = []
    for document in ("README.md", "docs/python.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        for number, match in enumerate(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S), 1):
            found.append((f"{document}:{number}", match[1]))
    return found


@pytest.fixture(scope="session")
def scans(tmp_path_factory: pytest.TempPathFactory, part: dovetail.PointCloud) -> Path:
    if dovetail.info()["scanner"] != "built":
        pytest.skip("the virtual scanner is not in this build")
    folder = tmp_path_factory.mktemp("scans")
    dovetail.write_points(folder / "part.stl", part)
    for number, eye in enumerate([(250, 100, 300), (200, 180, 300)], 1):
        view = dovetail.drop_invalid(dovetail.scan(part, dovetail.look_at(eye, (0, 0, 20)), noise=0.05, seed=number))
        dovetail.write_points(folder / f"scan{number}.ply", view)
    first, second = (dovetail.look_at(eye, (0, 0, 20)) for eye in [(250, 100, 300), (200, 180, 300)])
    dovetail.write_pose(folder / "guess.txt", pose(3, (0, 1, 0), (2, 0, 0)) @ np.linalg.inv(first) @ second)
    return folder


def test_there_are_blocks() -> None:
    assert len(blocks()) > 15


@pytest.mark.parametrize("name, text", blocks(), ids=[name for name, _ in blocks()])
def test_the_block_runs(name: str, text: str, scans: Path, tmp_path: Path) -> None:
    for need in re.findall(r"^# needs (\w+)", text, re.M):
        if dovetail.info()[need] != "built":
            pytest.skip(f"{need} is not in this build")
    for file in scans.iterdir():
        (tmp_path / file.name).symlink_to(file)
    environment = {**os.environ, "PYTHONPATH": str(Path(dovetail.__file__).parent.parent)}
    run = subprocess.run([sys.executable, "-W", "error", "-c", text], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert run.returncode == 0, f"{name}\n{text}\n{run.stdout}\n{run.stderr}"
    assert len(text.strip().splitlines()) <= 14, f"{name}: an example is about ten lines"
