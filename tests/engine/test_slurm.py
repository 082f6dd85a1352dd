"""``--cluster slurm`` on a real SLURM, where one answers that this user may submit to (``.ci/slurm start`` makes one).

Jobs run on this machine; nothing listens beyond loopback.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import engine_pieces
import pytest

from routeproof.engine import Engine, EngineError, Work, run
from routeproof.engine import batch as batch_module
from routeproof.engine.errors import Interrupted
from routeproof.engine.records import encode


def why_not() -> str:
    """Why there is no SLURM to test with; "" where there is one whose only machine is this."""
    if shutil.which("sbatch") is None or shutil.which("sinfo") is None:
        return "no SLURM is installed here (.ci/slurm start installs one, as root on Debian)"
    try:
        answer = subprocess.run(["sinfo", "-h", "-o", "%P %T"], capture_output=True, text=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return "SLURM does not answer"
    if answer.returncode != 0:
        return "no SLURM answers here (.ci/slurm start starts one, as root)"
    if not re.search(r"^work\* (idle|mixed)", answer.stdout, re.MULTILINE) or "closed" not in answer.stdout:
        return "the SLURM here is not that of .ci/slurm"
    return ""


pytest.importorskip("distributed")
if importlib.util.find_spec("dask_jobqueue") is None:  # importing it here would take SIGINT
    pytest.skip("dask-jobqueue is not installed", allow_module_level=True)
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # Dask's own
    pytest.mark.skipif(bool(reason := why_not()), reason=reason or "SLURM answers"),
]


def queued() -> list[str]:
    """ "job state" of all that is in the queue."""
    done = subprocess.run(["squeue", "-h", "-o", "%i %T"], capture_output=True, text=True, check=True)
    return sorted(x for x in done.stdout.splitlines() if "COMPLETING" not in x)


def wait_for(what: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def empty_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test begins with an empty queue and leaves one; what jobs say goes below its own home."""
    lock = (Path(tempfile.gettempdir()) / "routeproof-slurm-tests.lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run side by side, and there is one queue
    wait_for(lambda: not queued())
    monkeypatch.setattr(batch_module, "_PAUSE", 0.3)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))  # jobs get it from whoever submits them
    monkeypatch.chdir(tmp_path)
    yield
    wait_for(lambda: not queued(), 10.0)
    lock.close()
    assert not list(tmp_path.glob("slurm-*"))


def tells(log: Path, count: int, wait: float) -> Work:
    return Work("tells", engine_pieces.tell, {str(k): {"x": k, "log": str(log), "wait": wait} for k in range(count)})


def lines(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


def after(log: Path, count: int, action: Callable[[], object]) -> None:
    """Do something once so many pieces are done."""

    def watch() -> None:
        wait_for(lambda: lines(log) >= count)
        action()

    threading.Thread(target=watch, daemon=True).start()


def kill_with_parent(process: int) -> None:
    parent = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    for x in (parent, process):
        os.kill(x, signal.SIGKILL)


def expected(count: int) -> bytes:
    return encode({str(k): k * k for k in range(count)})


def listening() -> set[str]:
    """The addresses that something listens at on this machine, as the kernel writes them."""
    found: set[str] = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        rows = [x.split() for x in Path(table).read_text().splitlines()[1:]] if Path(table).exists() else []
        found |= {x[1] for x in rows if x[3] == "0A"}
    return found


def test_jobs_do_the_work_on_loopback_and_are_gone_afterwards(tmp_path: Path) -> None:
    before, during, said = listening(), set[str](), list[str]()
    log = tmp_path / "log"
    after(log, 6, lambda: during.update(listening() - before))
    with Engine(cluster="slurm,queue=work,walltime=00:05:00,memory=1G", workers=2, tell=said.append) as engine:
        assert encode(engine.run(tells(log, 24, 0.1))) == expected(24)
        assert len(queued()) == 2
    assert len({x.split()[1] for x in log.read_text().splitlines()}) == 2  # two processes
    assert during
    assert all(x.startswith(("0100007F:", "0000000000000000FFFF00000100007F:")) for x in during)
    assert not queued()
    assert not list((tmp_path / ".cache/routeproof").iterdir())


def test_cancelled_jobs_and_jobs_whose_time_is_up(tmp_path: Path) -> None:
    said: list[str] = []
    log = tmp_path / "log"
    after(log, 6, lambda: subprocess.run(["scancel", queued()[0].split()[0]], check=True))
    assert encode(run(tells(log, 40, 0.1), cluster="slurm", workers=2, tell=said.append)) == expected(40)
    assert any(re.fullmatch(r"slurm: job \d+ was cancelled; the others go on", x) for x in said)

    # One that ends by itself is replaced, as when its time is up: here the worker and its parent are killed.
    said.clear()
    log = tmp_path / "second-log"
    after(log, 4, lambda: kill_with_parent(int(log.read_text().split()[1])))
    assert encode(run(tells(log, 16, 0.1), cluster="slurm", workers=1, tell=said.append)) == expected(16)
    assert any(re.fullmatch(r"slurm: job \d+ has ended \(.*\); another one is asked for", x) for x in said), said

    # The last one is cancelled: one line, and the same command goes on, here with processes of this machine.
    log, where = tmp_path / "third-log", str(tmp_path / "run")
    after(log, 8, lambda: subprocess.run(["scancel", "--user=root", "--name=dask-worker"], check=True))
    with pytest.raises(
        EngineError, match=r"all jobs of slurm have ended .CANCELLED.; .* were done; they are kept in .*same command"
    ):
        run(tells(log, 40, 0.1), cluster="slurm", workers=2, run=where)
    done = lines(log)
    assert encode(run(tells(log, 40, 0.1), workers=2, run=where)) == expected(40)
    assert lines(log) - done < 40


def test_a_queue_that_refuses_and_jobs_that_fail(tmp_path: Path) -> None:
    work = tells(tmp_path / "log", 2, 0.0)
    with pytest.raises(EngineError, match=r"^slurm refused the job: sbatch: error: .*[Ii]nvalid partition"):
        run(work, cluster="slurm,partition=nowhere")
    with pytest.raises(EngineError, match=r"3 jobs of slurm ended without a worker .*no-python.*; see .*jobs-.*err"):
        run(work, cluster="slurm,python=/no-python")
    assert len(list((tmp_path / ".cache/routeproof").iterdir())) == 1  # what the jobs said is kept


def test_no_node_is_free(tmp_path: Path) -> None:
    """Whoever waits is told why; an interrupt cancels the jobs."""
    said: list[str] = []

    def tell(line: str) -> None:
        said.append(line)
        signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(Interrupted, match="interrupted: 0 of 2 pieces of tells were done"):
        run(tells(tmp_path / "log", 2, 0.0), cluster="slurm,queue=closed", workers=2, tell=tell)
    assert re.fullmatch(
        r"slurm: 2 jobs are queued \(\d+, \d+; PartitionDown\), none runs yet; Ctrl-C cancels them", said[0]
    )
    assert not queued()


def test_the_command_ends_its_jobs_when_it_is_terminated(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "routeproof", "simulate", "calls", "multi-benes:8,d=2,seed=1", "--trials", "500"]
    options = ["--cluster", "slurm,queue=closed", "--workers", "2"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    wait_for(lambda: len(queued()) == 2)
    assert process.stderr is not None
    first = process.stderr.readline()
    assert re.match(r"slurm: 2 jobs are queued \(\d+, \d+; \w+\), none runs yet; Ctrl-C cancels them", first)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert err.splitlines()[-1].startswith("interrupted: 0 of ")
    assert process.returncode == 130
    assert not queued()
