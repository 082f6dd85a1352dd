"""A real Dask cluster of processes on loopback: workers killed, the scheduler lost, nobody there."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import engine_pieces
import pytest
from processes import PATIENCE, after, environment, wait_until, who_waits

from routeproof.core.errors import InputError
from routeproof.engine import Engine, EngineError, Work, run
from routeproof.engine import cluster as cluster_module
from routeproof.engine import work as engine_work
from routeproof.engine.cluster import OnDask
from routeproof.engine.records import encode
from routeproof.engine.run_file import FILE

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own


class Cluster:
    """A scheduler and workers, each a process; nothing listens beyond loopback."""

    def __init__(self, where: Path, workers: int) -> None:
        self.where = where
        self.environment = environment()
        self.file = where / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self._start("scheduler", *options, "--scheduler-file", str(self.file))
        wait_until(self._answers, lambda: self.scheduler.poll() is None)
        self.address = str(json.loads(self.file.read_text())["address"])
        self.workers = [self.add_worker() for _ in range(workers)]

    def _answers(self) -> bool:
        """Has the scheduler said all of where it is?"""
        with contextlib.suppress(OSError, ValueError):
            return "address" in json.loads(self.file.read_text())
        return False

    def _start(self, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
            env={**self.environment, **more},
            cwd=self.where,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def add_worker(self, **environment: str) -> subprocess.Popen[bytes]:
        options = ["--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny", "--memory-limit", "0"]
        return self._start("worker", self.address, *options, "--local-directory", str(self.where), **environment)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch, patient_dask: None) -> None:
    for limit in ("_PATIENCE", "_COMING", "_FETCHING"):
        monkeypatch.setattr(cluster_module, limit, PATIENCE)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path, 2)
    yield made
    made.close()


FREE = 10


def tells(log: Path, count: int) -> Work:
    """Pieces of which all but the first ten wait until there is ``LOG-gate``."""
    given = {"log": str(log), "gate": f"{log}-gate", "free": FREE}
    return Work("tells", engine_pieces.tell, {str(k): {"x": k, **given} for k in range(count)})


def reader(where: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{(where / FILE).as_uri()}?mode=ro", uri=True, timeout=PATIENCE)


def stored(where: Path) -> int:
    """How many records a reader beside the run can see."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(reader(where)) as database:
        return int(database.execute("SELECT count(*) FROM record").fetchone()[0])
    return 0


def test_workers_killed_then_the_scheduler_then_resumed_here(cluster: Cluster, tmp_path: Path) -> None:
    log, where = tmp_path / "log", tmp_path / "run"
    adds = Work("adds", engine_pieces.add, {str(k): {"x": k} for k in range(20)}, shared={"base": 100})
    with Engine(cluster=cluster.address) as engine:
        assert encode(engine.run(adds)) == encode(run(adds, workers=1))

    # A worker dies in the middle of a piece: the other one does what it had.
    def kill_a_worker() -> None:
        cluster.workers[0].send_signal(signal.SIGKILL)
        cluster.workers[0].wait()
        Path(f"{log}-gate").touch()

    killer = after(lambda: cluster.workers[0].pid in who_waits(log), kill_a_worker)
    expected = encode({str(k): k * k for k in range(24)})
    assert encode(run(tells(log, 24), cluster=cluster.address)) == expected
    killer.join()

    # The scheduler is lost: one line, and what was done is kept for whoever goes on.
    log = tmp_path / "second-log"
    killer = after(lambda: stored(where), lambda: cluster.scheduler.send_signal(signal.SIGKILL))
    with pytest.raises(EngineError, match=r"(was lost|takes no more work).*the same command goes on from there"):
        run(tells(log, 40), cluster=cluster.address, run=str(where))
    killer.join()
    kept = stored(where)
    Path(f"{log}-gate").touch()
    progress: list[int] = []
    results = run(tells(log, 40), workers=2, run=str(where), progress=lambda done, _: progress.append(done))
    assert encode(results) == encode({str(k): k * k for k in range(40)})
    assert progress[0] == kept


def test_clients_of_ones_own_and_other_versions(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    adds = Work("adds", engine_pieces.add, {str(k): {"x": k} for k in range(5)})
    with distributed.Client(cluster.address) as client:
        assert encode(run(adds, on=client)) == encode(run(adds, workers=1))
        assert client.status == "running"  # it stays open
        monkeypatch.setenv(engine_work.VARIABLE, "0.0+newer")
        engine_work.code_version.cache_clear()
        with pytest.raises(InputError, match=r"has routeproof 0.0\+test, this is 0.0\+newer: the same version was"):
            run(adds, on=client)


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_PATIENCE", 0.5)
    with socket.socket() as nobody:  # holds a port at which it does not listen
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        with pytest.raises(EngineError, match=rf"no Dask scheduler answers at tcp://127.0.0.1:{port} .*; start one"):
            run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster=f"tcp://127.0.0.1:{port}")
    with pytest.raises(EngineError, match="an address such as tcp://host:8786, or one of slurm, pbs, lsf"):
        run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster="slurmm")
    with pytest.raises(EngineError, match="on= is of type int"):
        run(Work("a", engine_pieces.add, {"1": {"x": 1}}), on=5)


def test_a_scheduler_that_says_nothing() -> None:
    """Dask's time limits raise a TimeoutError without a word."""

    def late(*_: object, **__: object) -> None:
        raise TimeoutError

    client = SimpleNamespace(submit=None, scheduler_info=None, nthreads=lambda: {"w": 1}, scheduler=None, scatter=late)
    with pytest.raises(EngineError, match=r"^the scheduler takes no more work: TimeoutError$"):
        OnDask(client, own=False).submit(b"", b"")


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_COMING", 0.5)
    alone = Cluster(tmp_path, 0)
    try:
        with pytest.raises(EngineError, match=r"the Dask scheduler at .* has no workers; start some"):
            run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster=alone.address)
    finally:
        alone.close()
