"""Run directories: killed, damaged, full, foreign, shared; the same command goes on and ends alike."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import engine_pieces
import pytest
from processes import PATIENCE, environment, lines, wait_until

from routeproof.engine import Engine, EngineError, Interrupted, Work, run
from routeproof.engine import work as engine_work
from routeproof.engine.records import encode
from routeproof.engine.run_file import FILE
from routeproof.engine.store import RunDirectory

COUNT, FREE = 24, 12


def tells(log: Path, gate: str = "", count: int = COUNT) -> Work:
    pieces = {str(k): {"x": k, "log": str(log), "gate": gate, "free": FREE} for k in range(count)}
    return Work("tells", engine_pieces.tell, pieces)


EXPECTED = encode({str(k): k * k for k in range(COUNT)})


def start(log: Path, where: Path, *, workers: int, gate: Path) -> subprocess.Popen[bytes]:
    """The work of ``tells``, in a process of its own; it cannot end before the gate is open."""
    script = (
        "import sys, pathlib, routeproof.engine as e, test_run_directory as t\n"
        "try:\n"
        f"    e.run(t.tells(pathlib.Path({str(log)!r}), {str(gate)!r}), workers={workers}, run={str(where)!r})\n"
        "except KeyboardInterrupt as error:\n"
        "    sys.exit(str(error))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", script],
        env=environment(TELL_AS="first"),
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # background jobs inherit that it is ignored
    )


def records(where: Path) -> int:
    """How many a reader beside the run can see; 0 as long as there is no table yet."""
    if not (where / FILE).exists():
        return 0
    with contextlib.closing(sqlite3.connect(where / FILE, timeout=PATIENCE)) as database:
        if not database.execute("SELECT * FROM sqlite_schema WHERE name = 'record'").fetchone():
            return 0
        return int(database.execute("SELECT count(*) FROM record").fetchone()[0])


@pytest.mark.parametrize("first", [1, 3])
def test_killed_and_resumed_under_another_number_of_workers(tmp_path: Path, first: int) -> None:
    log, where, gate = tmp_path / "log", tmp_path / "run", tmp_path / "gate"
    process = start(log, where, workers=first, gate=gate)
    try:
        wait_until(lambda: lines(log) == FREE and lines(tmp_path / "log-waits"), lambda: process.poll() is None)
        if first > 1:  # one process alone looks after its records between two pieces
            wait_until(lambda: records(where) == FREE, lambda: process.poll() is None)
        kept = records(where)
    finally:
        process.kill()
        process.wait()
    gate.touch()  # a worker of the killed process may still pass, before it notices
    assert encode(run(tells(log, str(gate)), workers=2, run=str(where))) == EXPECTED
    assert lines(log, without="first") == COUNT - kept
    assert encode(run(tells(log, str(gate)), workers=1, run=str(where))) == EXPECTED
    assert lines(log, without="first") == COUNT - kept


def test_an_interrupt_keeps_everything_and_says_how_to_go_on(tmp_path: Path) -> None:
    log, where, gate = tmp_path / "log", tmp_path / "run", tmp_path / "gate"
    process = start(log, where, workers=2, gate=gate)
    try:
        wait_until(lambda: records(where) == FREE, lambda: process.poll() is None)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1].decode()
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 1
    assert said.startswith(
        f"interrupted: {FREE} of {COUNT} pieces of tells were done; they are kept in {where}: the same command goes on"
    )
    gate.touch()
    assert encode(run(tells(log, str(gate)), workers=2, run=str(where))) == EXPECTED
    assert lines(log) == COUNT


def test_an_interrupt_in_this_process(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="5 of 24 pieces"):
        run(tells(tmp_path / "log"), workers=1, run=str(tmp_path / "run"), progress=stop)
    assert encode(run(tells(tmp_path / "log"), workers=1, run=str(tmp_path / "run"))) == EXPECTED
    assert lines(tmp_path / "log") == COUNT


def finished(tmp_path: Path) -> tuple[Path, Path]:
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    return log, where


def test_a_record_that_was_changed_is_made_again(tmp_path: Path) -> None:
    log, where = finished(tmp_path)
    database = sqlite3.connect(where / FILE)
    with database:
        database.execute("UPDATE record SET value = ? WHERE key = '7'", (encode(1234),))
        database.execute("DELETE FROM record WHERE key = '9'")
    database.close()
    assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
    assert lines(log) == COUNT + 2


@pytest.mark.parametrize("harm", ["truncated", "overwritten", "garbage", "empty", "other tables"])
def test_a_damaged_file_is_set_aside_and_what_is_whole_is_kept(tmp_path: Path, harm: str) -> None:
    log, where = finished(tmp_path)
    file = where / FILE
    size = file.stat().st_size
    if harm == "truncated":
        os.truncate(file, size - 4096)
    elif harm == "overwritten":
        with file.open("r+b") as stream:
            stream.seek(size - 6000)
            stream.write(os.urandom(3000))
    elif harm == "garbage":
        file.write_bytes(b"\x80\x04K\x01." * 1000)
    elif harm == "empty":
        file.write_bytes(b"")
    else:
        database = sqlite3.connect(file)
        database.execute("CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END")
        database.close()
    if harm == "empty":
        assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
        return
    with pytest.warns(UserWarning, match=r"were damaged .* the damaged file is damaged-1.sqlite"):
        assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
    assert (where / "damaged-1.sqlite").exists()
    if harm == "other tables":
        assert lines(log) == COUNT
    assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED


def test_two_runs_on_one_directory(tmp_path: Path) -> None:
    where = tmp_path / "run"
    with (
        RunDirectory(where),
        pytest.raises(EngineError, match=rf"is in use by process {os.getpid()} on .*; wait until that run has ended"),
    ):
        RunDirectory(where)
    RunDirectory(where).close()


def test_a_directory_belongs_to_one_command_and_one_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "run")
    RunDirectory(where, command={"verb": "worst-case", "topology": "torus:4x4"}).close()
    RunDirectory(where, command={"topology": "torus:4x4", "verb": "worst-case"}).close()
    with pytest.raises(EngineError, match="belongs to another command: worst-case topology=torus:4x4; this one"):
        RunDirectory(where, command={"verb": "study"})
    work = Work("adds", engine_pieces.add, {"1": {"x": 1}}, shared={"base": 1})
    run(work, run=where)
    with pytest.raises(EngineError, match="holds 'adds' of other inputs or options"):
        run(Work("adds", engine_pieces.add, {"1": {"x": 1}}, shared={"base": 2}), run=where)
    monkeypatch.setenv(engine_work.VARIABLE, "0.0+other")
    engine_work.code_version.cache_clear()
    with pytest.raises(EngineError, match=r"was made by routeproof 0.0\+test, this is 0.0\+other"):
        RunDirectory(where)


def test_more_pieces_of_the_same_work_add_up(tmp_path: Path) -> None:
    log, where = finished(tmp_path)
    assert len(run(tells(log, count=COUNT + 4), workers=1, run=str(where))) == COUNT + 4
    assert lines(log) == COUNT + 4


def test_different_works_of_one_name_in_one_run(tmp_path: Path) -> None:
    for _ in range(2):
        with Engine(workers=1, run=str(tmp_path / "run")) as engine:
            for base in (1, 2):
                work = Work("adds", engine_pieces.add, {"1": {"x": 1}}, shared={"base": base})
                assert engine.run(work)["1"]["sum"] == 1 + base


def test_directories_that_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EngineError, match="is a file; the name of a run directory was expected"):
        RunDirectory(tmp_path / "file")
    with pytest.raises(EngineError, match="there is no directory"):
        RunDirectory(tmp_path / "no" / "run")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(EngineError, match="is not a run directory and not empty"):
        RunDirectory(tmp_path / "mine")
    assert [x.name for x in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


def test_a_run_directory_is_private(tmp_path: Path) -> None:
    where = tmp_path / "run"
    where.mkdir(mode=0o755)
    RunDirectory(where).close()
    assert stat.S_IMODE(where.stat().st_mode) == 0o700
    assert stat.S_IMODE((where / FILE).stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="nothing is forbidden to root")
def test_no_permission(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(EngineError, match="cannot be used: Permission denied"):
        RunDirectory(tmp_path / "closed" / "run")


def test_a_directory_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = tmp_path / "run"
    RunDirectory(where).close()
    monkeypatch.setattr(os, "getuid", lambda: where.stat().st_uid + 1)
    with pytest.raises(EngineError, match="belongs to another user"):
        RunDirectory(where)


def write_at_once(engine: Engine) -> None:
    """Every record is written as soon as it is there."""
    assert engine.store is not None
    engine.store._pause = engine.store._shortest = engine.store._longest = 0.0


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    log, where = tmp_path / "log", tmp_path / "run"
    big = Work("big", engine_pieces.add, {str(k): {"x": 40_000 * k} for k in range(8)})
    with Engine(workers=1, run=str(where)) as engine:
        write_at_once(engine)
        engine.store._database.execute("PRAGMA max_page_count = 120")  # as if there were no more space
        with pytest.raises(EngineError, match="cannot be written: no space is left; what was kept before is safe"):
            engine.run(big)
        engine.store._database.rollback()
    assert 1 <= records(where) < 8
    assert encode(run(big, workers=2, run=str(where))) == encode(run(big, workers=1))
    assert not log.exists()


def test_a_directory_that_goes_away_in_the_middle(tmp_path: Path) -> None:
    where = tmp_path / "run"

    def remove(done: int, _: int) -> None:
        if done == 3:
            shutil.rmtree(where)

    engine = Engine(workers=1, run=str(where))
    write_at_once(engine)
    with pytest.raises(EngineError, match=r"the run directory .* cannot be written"):
        engine.run(tells(tmp_path / "log"), progress=remove)
    with contextlib.suppress(EngineError):
        engine.close()
