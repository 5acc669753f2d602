"""Builds the wheel with CMake: the module, its stubs, nothing else. The version is that of CMakeLists.txt."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(dovetail VERSION (\S+)", text)
    if found is None:
        raise SystemExit("CMakeLists.txt: no version in project(dovetail VERSION ...)")
    return found[1]


class BuildWithCMake(build_ext):
    """DOVETAIL_BUILD_DIR names a build folder to use, DOVETAIL_CMAKE_ARGS further arguments for CMake."""

    def build_extension(self, ext: Extension) -> None:
        given = os.environ.get("DOVETAIL_BUILD_DIR")
        build = Path(given) if given else Path(self.build_temp).resolve()
        if not given:
            build.mkdir(parents=True, exist_ok=True)
            arguments = os.environ.get("DOVETAIL_CMAKE_ARGS", "").split()
            generator = ["-G", "Ninja"] if self.has("ninja") else []
            self.cmake(
                "-S", ROOT, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DDOVETAIL_PYTHON=ON",
                "-DDOVETAIL_APPS=OFF", "-DDOVETAIL_TESTS=OFF", f"-DPython3_EXECUTABLE={sys.executable}", *arguments,
            )  # fmt: skip
        self.cmake("--build", build, "--target", "dovetail_python", "--parallel", str(os.cpu_count() or 1))
        self.cmake("--install", build, "--component", "python", "--prefix", Path(self.build_lib).resolve())

    def cmake(self, *arguments: object) -> None:
        subprocess.run(["cmake", *map(str, arguments)], check=True)

    def has(self, program: str) -> bool:
        return subprocess.run(["which", program], stdout=subprocess.DEVNULL).returncode == 0

    def get_outputs(self) -> list:
        return [str(path) for path in Path(self.build_lib, "dovetail").rglob("*") if path.is_file()]

    def copy_extensions_to_source(self) -> None:
        raise SystemExit("dovetail cannot be installed with -e: build it, and put build/release/python on PYTHONPATH")


setup(version=version(), packages=[], ext_modules=[Extension("dovetail._native", [])], cmdclass={"build_ext": BuildWithCMake})
