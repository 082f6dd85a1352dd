"""Verbs through the engine: the same report from one process, from several, and from a run that was interrupted."""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.engine import work as engine_work


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the package may be edited while a test runs."""
    monkeypatch.setenv(engine_work.VARIABLE, "0.0+test")
    engine_work.code_version.cache_clear()


def report(*arguments: str, to: Path) -> bytes:
    assert main([*arguments, "--json", str(to)]) == 0
    return to.read_bytes()


def test_worst_case_is_the_same_wherever_it_is_done(tmp_path: Path) -> None:
    verb = ["worst-case", "mesh:5x4,bandwidth=2x1", "--routing", "romm", "--no-symmetry"]
    plain = report(*verb, to=tmp_path / "plain.json")
    run = str(tmp_path / "run")
    one = report(*verb, "--workers", "1", "--run", run, to=tmp_path / "one.json")
    assert json.loads(plain)["claims"][0]["value"] == json.loads(one)["claims"][0]["value"]
    database = sqlite3.connect(Path(run) / "records.sqlite")
    with database:
        assert database.execute("DELETE FROM record WHERE rowid % 2").rowcount > 1
    database.close()
    assert report(*verb, "--workers", "2", "--run", run, to=tmp_path / "two.json") == one
    assert main(["verify", str(tmp_path / "two.json")]) == 0


def test_a_sweep_that_is_killed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """A long sweep, shortened: killed without warning, twice, and resumed under another number of workers."""
    verb = ["worst-case", "mesh:8x8", "--routing", "romm", "--no-symmetry", "--all-channels"]
    run = ["--run", str(tmp_path / "run")]
    kept = 0
    for workers in ("1", "2"):
        command = [sys.executable, "-m", "routeproof", *verb, *run, "--workers", workers, "--quiet"]
        with (tmp_path / "said.txt").open("w") as errors:  # no pipe: workers that are left hold it open
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        while process.poll() is None and records(tmp_path / "run") <= kept:
            time.sleep(0.005)
        process.kill()
        process.wait()
        said = (tmp_path / "said.txt").read_text()
        assert process.returncode in (0, -signal.SIGKILL), said  # 0: it was done before we looked
        kept = max(kept, records(tmp_path / "run"))
        assert kept, said
    last = report(*verb, *run, "--workers", "2", to=tmp_path / "last.json")
    assert last == report(*verb, "--workers", "1", to=tmp_path / "never.json")


def records(run: Path) -> int:
    """How many are kept."""
    if not (run / "records.sqlite").exists():
        return 0
    place = f"{(run / 'records.sqlite').as_uri()}?mode=ro"  # a reader makes no file
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(place, uri=True)) as database:
        return int(database.execute("SELECT count(*) FROM record").fetchone()[0])
    return 0


def test_a_run_of_another_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["--run", str(tmp_path / "run"), "--workers", "1"]
    assert main(["worst-case", "mesh:5x4", "--routing", "dor", "--no-symmetry", *run]) == 0
    capsys.readouterr()
    assert main(["worst-case", "mesh:5x4", "--routing", "romm", "--no-symmetry", *run]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "belongs to another command: worst-case" in said


def test_options_that_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verb = ["worst-case", "mesh:5x4", "--routing", "dor", "--no-symmetry"]
    for wrong, words in (
        (["--cluster", "nowhere"], "an address such as tcp://host:8786"),
        (["--workers", "0"], "Invalid value for '--workers'"),
        (["--workers", "1", "--memory", "lots"], "'lots' is not an amount of memory; one such as 16G"),
        (["--workers", "1", "--memory", "1M"], "channels needs about"),
        (["--run", str(tmp_path / "no" / "run")], "there is no directory"),
    ):
        assert main([*verb, *wrong]) == 2
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1


def test_options_without_effect_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", "torus:4x4", "--routing", "dor", "--workers", "2"]) == 0
    assert "warning: there was nothing to spread or to keep" in capsys.readouterr().err


def test_bad_input_says_one_line_on_a_first_run_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("routeproof.machine.compiled.Kernel.will_compile", lambda _: True)
    monkeypatch.setattr("routeproof.machine.compiled.Kernel.allowance", 0)
    rates = tmp_path / "rates.json"
    rates.write_text("{}")
    assert main(["worst-case", "mesh:3x3", "-r", "dor", "--model", "hose", "--rates", str(rates)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["worst-case", "mesh:3x3", "-r", "dor"]) == 0
    assert capsys.readouterr().err == "compiling kernels (first run only)\n"


def test_trials_of_calls_add_up(tmp_path: Path) -> None:
    verb = ["simulate", "calls", "multi-benes:8,d=2,seed=1"]
    plain = report(*verb, "--trials", "120", to=tmp_path / "plain.json")
    run = ["--run", str(tmp_path / "run")]
    assert report(*verb, "--trials", "120", "--workers", "2", *run, to=tmp_path / "two.json") == plain
    assert report(*verb, "--trials", "120", "--workers", "1", *run, to=tmp_path / "one.json") == plain


def test_trials_on_cubes_are_their_seeds(tmp_path: Path) -> None:
    verb = ["simulate", "packets", "hypercube:4", "--algorithm", "valiant-brebner", "--trials", "50", "--seed", "3"]
    plain = report(*verb, "--permutation", "bit-reversal", to=tmp_path / "plain.json")
    assert report(*verb, "--permutation", "bit-reversal", "--workers", "2", to=tmp_path / "two.json") == plain


def test_studies_spread_what_they_can(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from routeproof.engine import Engine
    from routeproof.studies.registry import run_study

    name = "towles-dally-2002-table-1"
    plain = run_study(name, trials=20, seeds=(1, 2))
    with Engine(workers=2) as engine:
        assert run_study(name, trials=20, seeds=(1, 2), engine=engine).rows == plain.rows
    assert main(["study", "towles-dally-2002-figure-4", "--workers", "2"]) == 2
    assert "has no independent pieces to spread" in capsys.readouterr().err
