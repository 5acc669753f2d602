"""pip makes a wheel of a build, and what it installs does not need the build any more."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import dovetail

ROOT = Path(__file__).resolve().parents[2]
BUILD = os.environ.get("DOVETAIL_BUILD_DIR")


def test_the_version_has_one_place() -> None:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"project(dovetail VERSION {dovetail.__version__} " in text


def test_importing_needs_little() -> None:
    """No part of the library of another kind is imported, and nothing is started, before it is asked for."""
    script = "import sys, dovetail, threading; print(threading.active_count(), *sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(dovetail.__file__).parent.parent), "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    threads, *modules = run.stdout.split()
    assert threads == "1"
    assert not {"open3d", "trimesh", "torch", "cupy", "matplotlib"} & set(modules)


@pytest.mark.skipif(BUILD is None, reason="DOVETAIL_BUILD_DIR names no build")
@pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="pip is not installed")
def test_pip_installs(tmp_path: Path) -> None:
    copy = tmp_path / "source"  # pip leaves files beside setup.py
    copy.mkdir()
    for name in ("setup.py", "pyproject.toml", "CMakeLists.txt", "README.md"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    made = subprocess.run([*pip, "wheel", *offline, "-w", str(tmp_path), str(copy)], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = tmp_path.glob("dovetail-*.whl")
    assert dovetail.__version__ in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {"dovetail/__init__.py", "dovetail/_native.pyi", "dovetail/_commands.pyi", "dovetail/py.typed"} <= set(names)
        (module,) = [name for name in names if name.endswith(".so")]
        archive.extract(module, tmp_path)
        metadata = next(archive.read(name).decode() for name in names if name.endswith("/METADATA"))
    assert re.search(r"^Requires-Dist: numpy", metadata, re.M)
    needs = subprocess.run(["readelf", "-d", str(tmp_path / module)], capture_output=True, text=True, check=True).stdout
    assert "NEEDED" in needs and "RPATH" not in needs and "RUNPATH" not in needs
    target = tmp_path / "installed"
    subprocess.run([*pip, "install", *offline, "--target", str(target), str(wheel)], check=True, capture_output=True)
    script = "import dovetail, numpy; p = numpy.random.rand(99, 3); print(dovetail.__file__, dovetail.icp(p, p).machine)"
    environment = {**os.environ, "PYTHONPATH": str(target)}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, cwd=tmp_path, check=True)
    assert run.stdout.startswith(str(target))
