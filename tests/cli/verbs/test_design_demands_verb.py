"""``routeproof design --demands``: the set is in the report, and what makes no sense is one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeproof.cli.main import main


def test_jobs_are_in_the_report_and_the_routing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs, report, best = tmp_path / "jobs.txt", tmp_path / "report.json", tmp_path / "best.json"
    jobs.write_text("a: 0 1 3\nb: 2 4 5\n")
    words = ["design", "ring:6", "--objective", "worst-case", "--demands", f"within:{jobs}", "--json", str(report)]
    assert main([*words, "--output", str(best)]) == 0
    shown = "".join(capsys.readouterr().out.split())  # the name of the set is folded, not cut
    assert f"overwithin:{jobs}" in shown
    document = json.loads(report.read_text())
    assert document["subject"]["demands"]["jobs"] == {"a": [0, 1, 3], "b": [2, 4, 5]}
    assert main(["verify", str(report)]) == 0
    assert main(["worst-case", "ring:6", "--routing", str(best), "--demands", f"within:{jobs}", "--json", "-"]) == 0
    (load,) = [x for x in document["claims"] if (x["quantity"], x["relation"]) == ("worst_case_load", "==")]
    assert f'"value": "{load["value"]}"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--objective worst-case --demands sparse:all", "sparse:16"),
        ("--objective worst-case --demands unbalanced", "hose:FILE"),
        ("--objective capacity --demands sparse:2", "--objective capacity"),
        ("--objective worst-case --paths single --demands sparse:2", "--paths single"),
        ("--objective worst-case --paths tables --lids 2 --demands sparse:2", "--lids"),
        ("--objective worst-case --solver first-order --demands sparse:2", "first-order"),
    ],
)
def test_what_makes_no_sense_is_one_line(words: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "ring:5", *words.split()]) == 2
    error = capsys.readouterr().err.strip()
    assert reason in error
    assert "\n" not in error
