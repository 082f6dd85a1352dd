"""``routeproof simulate ... --sweep``: all combinations, resumed, verified; what is no sweep in one line."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError, VerificationError
from routeproof.core.sweep import fill, parse_variables, points_of
from routeproof.engine import work as engine_work
from routeproof.formats.documents.report import document_to_claims, read_report
from routeproof.verification import verify_claims

SWEEP = ["--sweep", "n=16,64", "--sweep", "seed=1..3"]


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the package may be edited while a test runs."""
    monkeypatch.setenv(engine_work.VARIABLE, "0.0+test")
    engine_work.code_version.cache_clear()


def test_the_grammar() -> None:
    variables = parse_variables(["n=64,256", "seed=9..11,3"])
    assert variables == {"n": ("64", "256"), "seed": ("9", "10", "11", "3")}
    assert points_of(variables)[1] == {"n": "64", "seed": "10"}
    assert fill("multibutterfly:{n},d=2,seed={seed}", {"n": "8", "seed": "1"}) == "multibutterfly:8,d=2,seed=1"
    for wrong in ("seed", "seed=", "seed=5..3", "seed=1,1", "Seed=1", "n=1..2..3", "n=1..1000000", "n={x}"):
        with pytest.raises(InputError, match="sweep"):
            parse_variables([wrong])
    with pytest.raises(InputError, match="twice"):
        parse_variables(["n=1", "n=2"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["packets", "multibutterfly:{n},d=2,seed={seed}", "-p", "random:seed={seed}", "-L", "4"],
        ["packets", "multibutterfly:{n},d=2,seed=1", "-p", "bit-reversal", "--algorithm", "greedy", "--faults",
         "random:count=4,seed={seed}"],
        ["circuits", "multibutterfly:{n},d=2,seed={seed}", "-p", "bit-reversal", "-L", "4"],
        ["circuits", "multibutterfly:{n},d=2,seed={seed}", "-p", "shuffle", "-L", "4", "--algorithm", "pipelined"],
        ["faults", "multibutterfly:{n},d=2,seed=1", "--faults", "random:count=4,seed={seed}"],
    ],
)  # fmt: skip
def test_every_point_is_the_run_alone(run: Any, tmp_path: Path, arguments: list[str]) -> None:
    report = tmp_path / "sweep.json"
    ran = run("simulate", *arguments, *SWEEP, "--json", str(report))
    assert ran.status == 0, ran.err
    assert "6 runs" in ran.out
    claims = [x for x in json.loads(report.read_text())["claims"] if x["point"] == {"n": "64", "seed": "2"}]
    alone = run("simulate", *(x.format(n=64, seed=2) for x in arguments), "--json", "-")
    assert [x["value"] for x in claims] == [x["value"] for x in json.loads(alone.out)["claims"]]
    assert run("verify", str(report)).status == 0


def test_a_sweep_goes_on_where_it_stopped(run: Any, tmp_path: Path) -> None:
    verb = ["simulate", "packets", "multibutterfly:16,d=2,seed={seed}", "-p", "bit-reversal", "--sweep", "seed=1..6"]
    verb += ["--run", str(tmp_path / "run")]
    assert run(*verb, "--json", str(tmp_path / "one.json")).status == 0
    database = sqlite3.connect(tmp_path / "run" / "records.sqlite")
    with database:
        assert database.execute("DELETE FROM record WHERE rowid % 2").rowcount == 3
    database.close()
    assert run(*verb, "--json", str(tmp_path / "two.json"), "--workers", "2").status == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_load_is_a_variable(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "sweep.json"
    verb = ["simulate", "packets", "multibutterfly:64,d=2,seed=1", "-p", "random:seed=1", "--sweep", "load=1,4"]
    assert run(*verb, "--json", str(report)).status == 0
    subject, claims = read_report(str(report))
    assert [x.evidence.data["load"] for x in claims if x.quantity == "steps"] == [1, 4]
    assert verify_claims(subject, claims) == claims


def test_a_sweep_with_a_hole_or_other_permutations_is_refused(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "sweep.json"
    verb = ["simulate", "packets", "multibutterfly:16,d=2,seed=1", "-p", "random:seed={seed}", "--sweep", "seed=1..3"]
    assert run(*verb, "--json", str(report)).status == 0
    subject, claims = document_to_claims(json.loads(report.read_text()))
    with pytest.raises(VerificationError, match="no run at seed 3"):
        verify_claims(subject, claims[:10])
    with pytest.raises(VerificationError, match="not those of one run"):
        verify_claims(subject, claims[:-1])
    with pytest.raises(VerificationError, match="not those that the sweep names"):
        verify_claims({**subject, "permutation": ["bit-reversal"]}, claims)
    with pytest.raises(VerificationError, match="at seed 1"):
        verify_claims({**subject, "topology": "multibutterfly:16,d=2,seed=2"}, claims)
    with pytest.raises(VerificationError, match="not in the sweep"):
        verify_claims({**subject, "variables": {"seed": ["1", "2"]}}, claims)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["packets", "butterfly:3", "-p", "shuffle", "--sweep", "seed=1..3"], "changes nothing"),
        (["packets", "butterfly:{n}", "-p", "shuffle", "--sweep", "m=1..3"], "changes nothing"),
        (["packets", "butterfly:{n}", "-p", "random:seed={s}", "--sweep", "n=2..3"], "no --sweep gives values"),
        (["packets", "butterfly:{n}", "-p", "transpose", "--sweep", "n=2..3"], "at n 3"),
        (["packets", "butterfly:3", "-p", "shuffle", "--sweep", "load=a"], "whole numbers"),
        (["faults", "butterfly:{n}", "--sweep", "n=2..3"], "no faults are given"),
    ],
)
def test_what_is_no_sweep_is_told_in_one_line(run: Any, arguments: list[str], words: str) -> None:
    ran = run("simulate", *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_files_do_not_vary(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "permutation.json"
    path.write_text("[1, 0, 2, 3]")
    ran = run("simulate", "packets", "butterfly:2", "-p", str(path), "--sweep", "load=1,2")
    assert ran.status == 2
    assert "is a file" in ran.err
