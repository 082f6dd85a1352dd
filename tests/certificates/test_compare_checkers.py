"""How another checker is compared with ours."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "proofs"
CHECKER = FOLDER.parents[2] / "checkers" / "python" / "check_proof.py"
compare = runpy.run_path(str(FOLDER / "compare.py"))["main"]


def test_our_own_checker_does_not_differ(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(["--only", "by-images", "--falsify", "4", "--", sys.executable, str(CHECKER)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "1 files"
    assert said[-1] == "0 differences"


def test_a_checker_that_takes_everything_is_found_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(["--only", "version", "--falsify", "0", "--", "true"]) == 1
    said = capsys.readouterr().out
    assert "malformed/version-4: 0, and not 2" in said


def test_one_process_answers_for_changes_of_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    """One that takes everything differs wherever ours refuses; proofs with some kinds can be left out."""
    yes = "import sys\nfor _ in sys.stdin: print(0, flush=True)"
    asked = ["--falsify", "6", "--each-kind", "--leaves", "2", "--lines", "--", sys.executable, "-c", yes]
    assert compare(["--only", "tables-by-hand", *asked]) == 1
    said = capsys.readouterr().out.splitlines()
    counts = [line for line in said if " changes refused, " in line]
    assert [line.partition(":")[0] for line in counts] == [
        "best-load-at-least",
        "quotient",
        "tables",
        "tables-at-least",
    ]
    refused = [int(line.partition(": ")[2].split()[0]) for line in counts]
    assert said[-1] == f"{sum(refused)} differences"
    assert compare(["--only", "tables-by-hand", "--without", "tables", *asked]) == 0
    assert capsys.readouterr().out.splitlines() == ["0 files", "0 differences"]
