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
from collections.abc import Iterator
from pathlib import Path

import engine_pieces
import pytest
from processes import after, lines, python_path, wait_until, who_waits

from routeproof.engine import Engine, EngineError, Work, run
from routeproof.engine import batch as batch_module
from routeproof.engine.errors import Interrupted
from routeproof.engine.records import encode


def why_not() -> str:
    """Why there is no SLURM to test with; "" where there is one whose only machine is this."""
    if shutil.which("sbatch") is None or shutil.which("sinfo") is None:
        return "no SLURM is installed here (.ci/slurm start installs one, as root on Debian)"
    try:
        answer = subprocess.run(
            ["sinfo", "-h", "-o", "%P %T"], capture_output=True, text=True, timeout=600, check=False
        )
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
    pytest.mark.usefixtures("patient_dask"),
    pytest.mark.skipif(bool(reason := why_not()), reason=reason or "SLURM answers"),
]


def queued() -> list[str]:
    """ "job state" of all that is in the queue."""
    done = subprocess.run(["squeue", "-h", "-o", "%i %T"], capture_output=True, text=True, check=True)
    return sorted(x for x in done.stdout.splitlines() if "COMPLETING" not in x)


@pytest.fixture(autouse=True)
def empty_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test begins with an empty queue and leaves one; what jobs say goes below its own home."""
    lock = (Path(tempfile.gettempdir()) / "routeproof-slurm-tests.lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run side by side, and there is one queue
    wait_until(lambda: not queued())
    monkeypatch.setattr(batch_module, "_PAUSE", 0.3)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", python_path())  # jobs get it from whoever submits them
    monkeypatch.chdir(tmp_path)
    yield
    wait_until(lambda: not queued())
    lock.close()
    assert not list(tmp_path.glob("slurm-*"))


FREE = 6
# Its jobs are COMPLETING for a while after their worker has gone; only then does SLURM say how they ended.
SLOW_TO_END = 'slurm,prologue=trap "sleep 1.5" TERM'


def tells(log: Path, count: int) -> Work:
    """Pieces of which all but the first six wait until there is ``LOG-gate``."""
    given = {"log": str(log), "gate": f"{log}-gate", "free": FREE}
    return Work("tells", engine_pieces.tell, {str(k): {"x": k, **given} for k in range(count)})


def open_gate(log: Path) -> None:
    Path(f"{log}-gate").touch()


def kill_with_parent(process: int) -> None:
    parent = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    for x in (parent, process):
        os.kill(x, signal.SIGKILL)


def cancel_every_job() -> None:
    subprocess.run(["scancel", *(x.split()[0] for x in queued())], check=True)


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

    def look() -> None:
        during.update(listening() - before)
        open_gate(log)

    looker = after(lambda: len(who_waits(log)) >= 2, look)  # two processes
    with Engine(cluster="slurm,queue=work,walltime=00:05:00,memory=1G", workers=2, tell=said.append) as engine:
        assert encode(engine.run(tells(log, 24))) == expected(24)
        looker.join()
        assert len(queued()) == 2
    assert during
    assert all(x.startswith(("0100007F:", "0000000000000000FFFF00000100007F:")) for x in during)
    assert not queued()
    assert not list((tmp_path / ".cache/routeproof").iterdir())


def test_cancelled_jobs_and_jobs_whose_time_is_up(tmp_path: Path) -> None:
    said: list[str] = []

    def until_said(words: str, log: Path) -> None:
        wait_until(lambda: any(re.fullmatch(words, x) for x in said))
        open_gate(log)

    log = tmp_path / "log"

    def cancel() -> None:
        subprocess.run(["scancel", queued()[0].split()[0]], check=True)
        until_said(r"slurm: job \d+ was cancelled; the others go on", log)

    other = after(lambda: len(who_waits(log)) >= 2, cancel)
    assert encode(run(tells(log, 40), cluster=SLOW_TO_END, workers=2, tell=said.append)) == expected(40)
    other.join()

    # One that ends by itself is replaced, as when its time is up: here the worker and its parent are killed.
    said.clear()
    log = tmp_path / "second-log"

    def kill() -> None:
        kill_with_parent(next(iter(who_waits(second))))
        until_said(r"slurm: job \d+ has ended \(.*\); another one is asked for", second)

    second = log
    other = after(lambda: who_waits(second), kill)
    assert encode(run(tells(second, 16), cluster="slurm", workers=1, tell=said.append)) == expected(16)
    other.join()

    # The last one is cancelled: one line, and the same command goes on, here with processes of this machine.
    third, where = tmp_path / "third-log", str(tmp_path / "run")
    kept: list[int] = []  # how many are done, as they are
    other = after(lambda: kept and who_waits(third) and len(queued()) == 2, cancel_every_job)
    with pytest.raises(
        EngineError, match=r"all jobs of slurm have ended .CANCELLED.; .* were done; they are kept in .*same command"
    ):
        run(tells(third, 40), cluster=SLOW_TO_END, workers=2, run=where, progress=lambda done, _: kept.append(done))
    other.join()
    done = lines(third)
    open_gate(third)
    assert encode(run(tells(third, 40), workers=2, run=where)) == expected(40)
    assert lines(third) - done < 40


def test_a_queue_that_refuses_and_jobs_that_fail(tmp_path: Path) -> None:
    work = tells(tmp_path / "log", 2)
    with pytest.raises(EngineError, match=r"^slurm refused the job: sbatch: error: .*[Ii]nvalid partition"):
        run(work, cluster="slurm,partition=nowhere")
    with pytest.raises(EngineError, match=r"3 jobs of slurm ended without a worker .*no-python.*; see .*jobs-.*err"):
        run(work, cluster="slurm,python=/no-python")
    assert len(list((tmp_path / ".cache/routeproof").iterdir())) == 1  # what the jobs said is kept


def test_no_node_is_free(tmp_path: Path) -> None:
    """Whoever waits is told why; an interrupt cancels the jobs."""
    said: list[str] = []

    words = r"slurm: 2 jobs are queued \(\d+, \d+; PartitionDown\), none runs yet; Ctrl-C cancels them"

    def tell(line: str) -> None:  # the first line may be of one job, or of reasons that are not known yet
        said.append(line)
        if re.fullmatch(words, line):
            signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(Interrupted, match="interrupted: 0 of 2 pieces of tells were done"):
        run(tells(tmp_path / "log", 2), cluster="slurm,queue=closed", workers=2, tell=tell)
    assert re.fullmatch(words, said[-1])
    assert not queued()


def test_the_command_ends_its_jobs_when_it_is_terminated(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "routeproof", "simulate", "calls", "multi-benes:8,d=2,seed=1", "--trials", "500"]
    options = ["--cluster", "slurm,queue=closed", "--workers", "2"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    wait_until(lambda: len(queued()) == 2, lambda: process.poll() is None)
    assert process.stderr is not None
    words = r"slurm: 2 jobs are queued \(\d+, \d+; \w+\), none runs yet; Ctrl-C cancels them"
    assert any(re.match(words, line) for line in process.stderr)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=600)
    assert err.splitlines()[-1].startswith("interrupted: 0 of ")
    assert process.returncode == 130
    assert not queued()
