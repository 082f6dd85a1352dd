"""What jobs of SLURM, PBS and LSF ask for; PBS and LSF from submission to the end, their commands played by scripts."""

from __future__ import annotations

import asyncio
import importlib.util
import shlex
import signal
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import engine_pieces
import pytest
from processes import PATIENCE, after, python_path, wait_until

from routeproof.core.errors import InputError
from routeproof.engine import EngineError, Work, batch_systems, run
from routeproof.engine import batch as batch_module
from routeproof.engine.batch import BatchJobs
from routeproof.engine.batch_systems import (
    BATCH_SYSTEMS,
    JobState,
    Submissions,
    ask_states,
    noting,
    own_signals,
    parse_batch,
)
from routeproof.engine.records import encode

pytest.importorskip("distributed")
if importlib.util.find_spec("dask_jobqueue") is None:
    pytest.skip("dask-jobqueue is not installed", allow_module_level=True)
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("patient_dask")]  # warnings: Dask's own


@pytest.fixture(autouse=True)
def patient_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripts that play a batch system may take their time."""
    monkeypatch.setattr(batch_systems, "_PATIENCE", PATIENCE)


# A queue that starts every job at once.  What is asked about a job that is over: its state, or that nobody knows it.
SUBMIT = """#!/bin/sh
{refuse}
cd {where}
cat {script} > job$$.new
while ! mkdir busy 2>/dev/null; do sleep 0.02; done
n=$(($(cat count 2>/dev/null || echo 0) + 1)); echo $n > count
mv job$$.new job$n.sh
setsid sh job$n.sh > job$n.out 2>&1 < /dev/null &
echo $! > job$n.pid
rmdir busy
echo "{answer}"
"""
CANCEL = """#!/bin/sh
for job in "$@"; do kill -- -$(cat {where}/job${{job%%.*}}.pid); done
"""
STATES = {
    "pbs": """#!/bin/sh
echo "Job id            Name             User              Time Use S Queue"
echo "----------------  ---------------- ----------------  -------- - -----"
for job in "$@"; do
  if kill -0 $(cat {where}/job${{job%%.*}}.pid) 2>/dev/null; then
    echo "$job dask-worker somebody 00:00:01 R work"
  else echo "qstat: $job Job has finished, use -x or -H to obtain historical job information" >&2; fi
done
""",
    "lsf": """#!/bin/sh
shift 3
for job in "$@"; do
  if kill -0 $(cat {where}/job$job.pid) 2>/dev/null; then echo "$job|RUN"; else echo "$job|EXIT"; fi
done
""",
}
COMMANDS = {"pbs": ("qsub", "qdel", "qstat"), "lsf": ("bsub", "bkill", "bjobs")}


def play(system: str, where: Path, monkeypatch: pytest.MonkeyPatch, *, refuse: str = "") -> None:
    """Put the three commands of a batch system on the path."""
    submit, cancel, states = COMMANDS[system]
    answer = {"pbs": "$n.head.example", "lsf": "Job <$n> is submitted to queue <work>."}[system]
    script = {"pbs": '"$1"', "lsf": "-"}[system]
    for name, text in (
        (submit, SUBMIT.format(where=shlex.quote(str(where)), answer=answer, script=script, refuse=refuse)),
        (cancel, CANCEL.format(where=shlex.quote(str(where)))),
        (states, STATES[system].format(where=shlex.quote(str(where)))),
    ):
        (where / name).write_text(text)
        (where / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(where), prepend=":")
    monkeypatch.setenv("HOME", str(where))
    monkeypatch.setenv("PYTHONPATH", python_path())
    monkeypatch.setattr(batch_module, "_PAUSE", 0.2)


@pytest.mark.parametrize("system", ["pbs", "lsf"])
def test_jobs_of_other_systems(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if system == "lsf" and " " in tempfile.gettempdir():
        pytest.skip("dask-jobqueue does not quote the name of the temporary file that LSF reads")
    play(system, tmp_path, monkeypatch)
    before = signal.getsignal(signal.SIGINT)
    log, gate, count = tmp_path / "log", tmp_path / "gate", tmp_path / "count"
    pieces = {str(k): {"x": k, "log": str(log), "gate": str(gate), "free": 4} for k in range(12)}
    opener = after(lambda: count.exists() and count.read_text() == "2\n", gate.touch)
    found = run(Work("tells", engine_pieces.tell, pieces), cluster=f"{system},queue=work", workers=2)
    assert encode(found) == encode({str(k): k * k for k in range(12)})
    opener.join()
    assert signal.getsignal(signal.SIGINT) is before
    assert count.read_text() == "2\n"
    wait_until(lambda: all(x.ended for x in (ask_states(system, ["1", "2"]) or {}).values()))  # cancelled at the end
    assert "queue work" in (text := (tmp_path / "job1.sh").read_text()).replace("-q", "queue")
    assert "--host 127.0.0.1" in text
    assert not list((tmp_path / ".cache/routeproof").iterdir())


def test_a_queue_that_says_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work("adds", engine_pieces.add, {"1": {"x": 1}})
    play("pbs", tmp_path, monkeypatch, refuse="echo 'qsub: Unknown queue' >&2; exit 170")
    with pytest.raises(
        EngineError, match=r"^pbs refused the job: qsub: Unknown queue; 0 of 1 pieces of adds were done$"
    ):
        run(work, cluster="pbs,queue=nowhere")


def test_a_cluster_that_cannot_be_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, and nothing is left in the home."""
    import dask

    play("pbs", tmp_path, monkeypatch)
    with (
        dask.config.set({"jobqueue.pbs.memory": "lots"}),
        pytest.raises(EngineError, match=r"^pbs gave no cluster: .*~/.config/dask/jobqueue.yaml"),
    ):
        run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster="pbs,queue=work")
    assert not list((tmp_path / ".cache/routeproof").iterdir())


def test_no_batch_system_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for system, command in (("slurm", "sbatch"), ("pbs", "qsub"), ("lsf", "bsub")):
        with pytest.raises(
            EngineError, match=rf"there is no {command} on this machine: --cluster {system} works where"
        ):
            run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster=system)


def test_a_scheduler_that_other_machines_could_not_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused before anything is submitted."""
    for name, text in (("sbatch", "exit 1"), ("sinfo", "echo node01; echo node02")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(EngineError, match=r"may run on other machines \(node01\), and the scheduler .*,listen=ib0$"):
        run(Work("a", engine_pieces.add, {"1": {"x": 1}}), cluster="slurm")


def script(text: str) -> str:
    """The job's script for ``--cluster TEXT``, from dask_jobqueue itself."""
    with own_signals():
        import dask_jobqueue
    options = parse_batch(text)
    arguments: dict[str, Any] = options.for_dask()
    arguments.pop("scheduler_options")
    job = getattr(dask_jobqueue, BATCH_SYSTEMS[options.system]).job_cls
    return str(job("tcp://head:8786", name="w", **arguments).job_script())


def test_job_scripts() -> None:
    words = "queue=short,account=physics,walltime=01:30,cores=4,memory=6G,python=/shared/python,prologue=module load x"
    expected = {
        "slurm": ["-p short", "-A physics", "-t 01:30", "--cpus-per-task=4", "--mem=6G", "#SBATCH --exclusive"],
        "pbs": ["-q short", "-A physics", "walltime=01:30", "ncpus=4:mem=5723MB", "#PBS --exclusive"],
        "lsf": ["-q short", '-P "physics"', "-W 01:30", "-n 4", "#BSUB --exclusive"],
    }
    for system, lines in expected.items():
        text = script(f"{system},{words},prologue=ulimit -c 0,directive=--exclusive")
        for line in [*lines, "\nmodule load x\nulimit -c 0\n/shared/python -m distributed.cli.dask_worker"]:
            assert line in text
        assert "--nthreads 1" in text
        assert "--nworkers 4" in text
    plain = script("slurm,partition=short,project=physics")
    assert "-p short" in plain
    assert "-A physics" in plain
    assert f"{sys.executable} -m distributed.cli.dask_worker tcp://head:8786" in plain
    assert "--cpus-per-task=1" in plain
    assert "--no-dashboard --dashboard-address 127.0.0.1:0 --host 127.0.0.1" in plain


def test_settings_of_dask_hold_where_nothing_else_is_said() -> None:
    import dask

    with dask.config.set({"jobqueue.slurm.queue": "long", "jobqueue.slurm.cores": 2, "jobqueue.slurm.interface": "lo"}):
        assert "-p long" in script("slurm")
        assert "--cpus-per-task=2" in script("slurm")
        assert "-p short" in script("slurm,queue=short")
        assert parse_batch("slurm").listens() == {"interface": "lo"}
        assert parse_batch("slurm,listen=127.0.0.1").listens() == {"host": "127.0.0.1"}
    assert parse_batch("slurm").listens() == {"host": "127.0.0.1"}
    assert parse_batch("slurm,listen=lo").for_dask()["interface"] == "lo"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("slurm,quue=x", r"has no option 'quue'; did you mean 'queue'\?"),
        ("slurm,queue", "a value was expected after queue=, as in slurm,queue=short"),
        ("slurm,queue=a,partition=b", "queue is given twice"),
        ("slurm,cores=0", "a number from 1 to 4096 was expected"),
        ("slurm,memory=much", "'much' is not an amount of memory"),
        ("slurm,listen=203.0.113.9", "neither an interface nor an address of this machine; its interfaces are .*lo"),
        ("slurm,queue=a\n#SBATCH --uid=0", "queue holds a line break"),
    ],
)
def test_options_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_batch(text).for_dask()


def test_states_of_jobs_that_nobody_remembers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    tool = tmp_path / "squeue"
    tool.write_text("#!/bin/sh\necho 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1\n")
    tool.chmod(0o755)
    assert ask_states("slurm", ["7"]) == {"7": JobState("gone from the queue")}
    tool.write_text("#!/bin/sh\necho 'Unable to contact slurm controller' >&2; exit 1\n")
    assert ask_states("slurm", ["7"]) is None
    tool.write_text("#!/bin/sh\necho '7|PENDING|Resources'; echo '8|RUNNING|None'; echo '9|COMPLETING|None'\n")
    found = ask_states("slurm", ["7", "8", "9", "10"])
    assert found is not None
    assert [x.waits for x in found.values()] == [True, False, False, False]
    assert [x.ended for x in found.values()] == [False, False, False, True]
    assert [x.leaves for x in found.values()] == [False, False, True, False]


def test_who_ended_a_job() -> None:
    """Dask closes a job some time after its worker has gone.  Somebody may have cancelled that job long before, and its
    end takes long: then it is not Dask that ended it."""
    from distributed.deploy.spec import ProcessInterface

    class Job(ProcessInterface):
        job_id = "7"

    for left, closed in ((set[str](), {"7"}), ({"7"}, set[str]())):
        made = Submissions(left=left)
        job: Any = noting(Job, made)()
        asyncio.run(job.close())
        assert made.closed == closed


@pytest.mark.parametrize("word", ["COMPLETING", "STAGE_OUT", "E"])
def test_a_job_that_is_leaving_brings_no_worker(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is neither said that its worker comes, nor asked for another."""
    said: list[str] = []
    jobs: Any = BatchJobs.__new__(BatchJobs)
    jobs._asked, jobs._said, jobs._said_at, jobs._system, jobs._tell = 0.0, "", 0.0, "slurm", said.append
    jobs._made, jobs._seen, jobs._first, jobs._joined = Submissions(ids={"w": "7"}), set(), {}, {"7"}
    jobs.cluster = SimpleNamespace(scheduler=SimpleNamespace(workers={}), worker_spec={"w": {}})
    monkeypatch.setattr(batch_module, "ask_states", lambda *_: {"7": JobState(word)})
    jobs.watch()
    assert said == []
    assert jobs._made.left == {"7"}
