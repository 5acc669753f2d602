"""What the tests of the Python package share: a part, and a cloud of it that was moved."""

from __future__ import annotations

import numpy as np
import pytest

import dovetail


def pose(degrees: float, axis: tuple[float, float, float], shift: tuple[float, float, float]) -> np.ndarray:
    """A rigid motion as a 4x4 matrix."""
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    matrix = np.eye(4)
    matrix[:3, :3] += np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
    matrix[:3, 3] = shift
    return matrix


def error_of(found: np.ndarray, truth: np.ndarray, points: np.ndarray) -> float:
    """How far apart two poses put the points, at most."""
    d = points.shape[1]
    moved = [points @ m[:d, :d].T + m[:d, d] for m in (found, truth)]
    return float(np.abs(moved[0] - moved[1]).max())


@pytest.fixture(scope="session")
def part() -> dovetail.PointCloud:
    return dovetail.built_in_part("bracket")


@pytest.fixture(scope="session")
def target(part: dovetail.PointCloud) -> np.ndarray:
    """Some 7,000 points all over the part, 120 mm long."""
    return np.array(dovetail.Reference(part).sample(3.0).points)


@pytest.fixture(scope="session")
def truth() -> np.ndarray:
    return pose(8, (1, 2, 3), (2, -1, 1.5))


@pytest.fixture(scope="session")
def source(part: dovetail.PointCloud, truth: np.ndarray) -> np.ndarray:
    """Other points of the part, moved so that the truth brings them back."""
    points = np.array(dovetail.Reference(part).sample(3.7).points)
    return np.array(dovetail.apply(np.linalg.inv(truth), points))
