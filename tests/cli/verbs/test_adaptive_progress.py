"""``adaptive``: whatever method designs the oblivious routing, its progress is shown, and stops nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("demands", "load"), [("permutations", "1"), ("matrix:matrix.csv", "5/3"), ("routable", "1"), ("sparse:1", "1/3")]
)
def test_every_set_is_answered_outside_of_a_terminal(tmp_path: Path, demands: str, load: str) -> None:
    masses = [1 + 3 * i % 5 for i in range(10)]
    rows = [[f"{a * b}/{sum(masses)}" if i != j else "0" for j, b in enumerate(masses)] for i, a in enumerate(masses)]
    (tmp_path / "matrix.csv").write_text("\n".join(map(",".join, rows)) + "\n")
    command = [sys.executable, "-m", "routeproof", "adaptive", "petersen", "--demands", demands]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert "error" not in found.stderr
    line = next(x for x in found.stdout.splitlines() if x.startswith("ideal adaptive channel load"))
    assert load in line.split()
