"""A real Dask cluster of processes on loopback: workers killed, the scheduler lost, nobody there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import engine_pieces
import pytest

from routeproof.core.errors import InputError
from routeproof.engine import Engine, EngineError, Work, run, version
from routeproof.engine import cluster as cluster_module
from routeproof.engine.records import encode

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own

HERE = str(Path(__file__).parent)


class Cluster:
    """A scheduler and workers, each a process; nothing listens beyond loopback."""

    def __init__(self, where: Path, workers: int) -> None:
        self.where = where
        self.environment = {**os.environ, "PYTHONPATH": HERE, "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1s"}
        self.file = where / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self._start("scheduler", *options, "--scheduler-file", str(self.file))
        end = time.monotonic() + 30
        while not self.file.exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        time.sleep(0.05)
        import json

        self.address = str(json.loads(self.file.read_text())["address"])
        self.workers = [self.add_worker() for _ in range(workers)]

    def _start(self, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
            env={**self.environment, **more},
            cwd=self.where,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def add_worker(self, **environment: str) -> subprocess.Popen[bytes]:
        options = ["--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        return self._start("worker", self.address, *options, "--local-directory", str(self.where), **environment)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path, 2)
    yield made
    made.close()


def tells(log: Path, count: int, wait: float) -> Work:
    return Work("tells", engine_pieces.tell, {str(k): {"x": k, "log": str(log), "wait": wait} for k in range(count)})


def lines(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


def when(log: Path, count: int, action: object) -> threading.Thread:
    """Do something once so many pieces are done."""

    def watch() -> None:
        while lines(log) < count:
            time.sleep(0.01)
        action()  # type: ignore[operator]

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def test_workers_killed_then_the_scheduler_then_resumed_here(cluster: Cluster, tmp_path: Path) -> None:
    log, where = tmp_path / "log", tmp_path / "run"
    adds = Work("adds", engine_pieces.add, {str(k): {"x": k} for k in range(20)}, shared={"base": 100})
    with Engine(cluster=cluster.address) as engine:
        assert encode(engine.run(adds)) == encode(run(adds, workers=1))

    # A worker dies in the middle: the others do its pieces.
    when(log, 6, lambda: cluster.workers[0].send_signal(signal.SIGKILL))
    expected = encode({str(k): k * k for k in range(24)})
    assert encode(run(tells(log, 24, 0.05), cluster=cluster.address)) == expected

    # The scheduler is lost: one line, and what was done is kept for whoever goes on.
    log = tmp_path / "second-log"
    when(log, 8, lambda: cluster.scheduler.send_signal(signal.SIGKILL))
    with pytest.raises(EngineError, match=r"(was lost|takes no more work).*the same command goes on from there"):
        run(tells(log, 40, 0.1), cluster=cluster.address, run=str(where))
    before = lines(log)
    results = run(tells(log, 40, 0.1), workers=2, run=str(where))
    assert encode(results) == encode({str(k): k * k for k in range(40)})
    assert lines(log) - before < 40


def test_clients_of_ones_own_and_other_versions(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    adds = Work("adds", engine_pieces.add, {str(k): {"x": k} for k in range(5)})
    with distributed.Client(cluster.address) as client:
        assert encode(run(adds, on=client)) == encode(run(adds, workers=1))
        assert client.status == "running"  # it stays open
        monkeypatch.setenv(version.VARIABLE, "0.0+newer")
        version.code_version.cache_clear()
        with pytest.raises(InputError, match=r"has routeproof 0.0\+test, this is 0.0\+newer: the same version was"):
            run(adds, on=client)


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_PATIENCE", 0.5)
    with pytest.raises(EngineError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9 .*; start one there"):
        run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster="tcp://127.0.0.1:9")
    with pytest.raises(EngineError, match="an address such as tcp://host:8786, or one of slurm, pbs, lsf"):
        run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster="slurmm")
    with pytest.raises(EngineError, match="on= is of type int"):
        run(Work("a", engine_pieces.add, {"1": {"x": 1}}), on=5)


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_PATIENCE", 1.0)
    alone = Cluster(tmp_path, 0)
    try:
        with pytest.raises(EngineError, match=r"the Dask scheduler at .* has no workers; start some"):
            run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster=alone.address)
    finally:
        alone.close()
