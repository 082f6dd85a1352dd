"""``routeproof runs``, ``--quiet`` and the lines that a log gets."""

from __future__ import annotations

import io
import math
import sqlite3
import sys
from pathlib import Path

import pytest

from routeproof.cli.frame import progress
from routeproof.cli.main import main
from routeproof.engine.store import RunDirectory


def make(where: Path) -> Path:
    with RunDirectory(where, command={"verb": "worst-case", "topology": "torus:4x4"}) as run:
        kept = run.work("channels", "0" * 64)
        for k in range(3):
            kept.add(f"mark {k}", f"piece {k}", b"RPR1\1\0\0\0" + str(k).encode(), 0.5)
    return where


def test_list_show_verify_clean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")  # the name of the directory may be long
    where = make(tmp_path / "first")
    assert main(["runs", "list", str(tmp_path)]) == 0
    assert "at rest  worst-case topology=torus:4x4" in capsys.readouterr().out
    assert main(["runs", "show", str(where)]) == 0
    assert "channels: 3 pieces, 1.5" in capsys.readouterr().out
    assert main(["runs", "verify", str(where)]) == 0
    assert "all 3 records are whole" in capsys.readouterr().out
    with RunDirectory(where):
        assert main(["runs", "clean", str(where)]) == 2
        assert "is in use by process" in capsys.readouterr().err
    assert main(["runs", "clean", str(where)]) == 0
    assert not where.exists()
    assert main(["runs", "list", str(tmp_path)]) == 0
    assert "no run directories" in capsys.readouterr().out


def test_damage_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = make(tmp_path / "first")
    database = sqlite3.connect(where / "records.sqlite")
    with database:
        database.execute("UPDATE record SET value = ? WHERE key = 'piece 1'", (b"RPR1\1\0\0\0",))
    database.close()
    assert main(["runs", "verify", str(where)]) == 1
    assert "not whole: piece piece 1: it does not match its digest; 2 records" in capsys.readouterr().err
    (where / "records.sqlite").write_bytes(b"x" * 5000)
    assert main(["runs", "verify", str(where)]) == 1
    assert main(["runs", "list", str(tmp_path)]) == 0
    assert "damaged: " in capsys.readouterr().out


def test_what_no_run_made_is_never_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = make(tmp_path / "first")
    (where / "thesis.tex").touch()
    assert main(["runs", "clean", str(where)]) == 2
    assert "also holds thesis.tex, which no run made" in capsys.readouterr().err
    assert main(["runs", "show", str(tmp_path)]) == 2
    assert "is not a run directory" in capsys.readouterr().err


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(progress, "_PLAIN_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_PLAIN_PAUSE", math.inf)
    with progress.bar("channels") as report, progress.status_line() as tell:
        assert report is not None
        assert tell is not None
        report(10, 2000)
        report(20, 2000)  # too soon after
        tell("a study\x1b")
    lines = log.getvalue().splitlines()
    assert lines == ["channels: 10 of 2,000", "a study\\x1b"]


def test_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "_PLAIN_PATIENCE", -1.0)
    assert main(["worst-case", "mesh:4x3", "--routing", "dor"]) == 0
    assert "uniform traffic: " in capsys.readouterr().err
    assert main(["worst-case", "mesh:4x3", "--routing", "dor", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
