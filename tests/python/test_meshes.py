"""What is wrong with meshes."""

from __future__ import annotations

import numpy as np
import pytest

import dovetail

TETRAHEDRON = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"


def test_a_sound_part() -> None:
    check = dovetail.check_mesh(dovetail.built_in_part("cube"))
    assert check.sound and check.closed and check.findings == []
    assert check.volume == pytest.approx(60**3) and check.area == pytest.approx(6 * 60**2)
    assert "12 faces" in repr(check) or "6 faces" in repr(check)


def test_a_broken_file_is_told_and_mended(tmp_path) -> None:
    # One face the other way round, one twice.
    (tmp_path / "broken.off").write_text(TETRAHEDRON.replace("4 4 0", "4 5 0").replace("3 1 2 3", "3 1 3 2") + "3 0 3 2\n")
    check = dovetail.check_mesh(tmp_path / "broken.off")
    assert (check.flipped_triangles, check.doubled_triangles, check.holes) == (1, 1, 0)
    assert not check.sound and len(check.findings) == 2
    mended = dovetail.mend_mesh(tmp_path / "broken.off")
    again = dovetail.check_mesh(mended)
    assert again.sound and again.volume == pytest.approx(1 / 6)


def test_holes() -> None:
    assert dovetail.check_mesh(np.zeros((3, 3))).faces == 0
