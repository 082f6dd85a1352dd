"""What batch systems print of their queue, and the hosts of a fabric that it names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from routeproof import mesh
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.demands.jobs import read_jobs
from routeproof.formats.demands.spec import demands_from_spec


def fabric(*labels: str) -> Network:
    return replace(mesh(4, 2), terminal_labels=labels)


PORTS = fabric(*(f"gpu{k:03d} mlx5_{port}" for k in (1, 2, 3, 4) for port in (0, 1)))
BOTH = {"17": (0, 1, 2, 3), "19": (4, 5, 6, 7)}

SQUEUE = """\
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                17       gpu    train      ada  R    1:02:03      2 gpu[001-002]
         18_[1-99]       gpu    sweep      ada PD       0:00      1 (Priority)
                19       gpu my (big)      bob  R      10:03      2 gpu003,gpu004
                20       gpu   my job      bob PD       0:00      2 (Nodes required for job are DOWN, DRAINED or ...)
"""
SQUEUE_JSON = json.dumps(
    {
        "meta": {"slurm": {"version": {"major": "23"}}},
        "jobs": [
            {"job_id": 17, "job_state": ["RUNNING"], "nodes": "gpu[001-002]", "name": "train"},
            {"job_id": 18, "job_state": ["PENDING"], "nodes": "", "name": "sweep"},
            {"job_id": 19, "job_state": "RUNNING", "nodes": "gpu003,gpu004", "name": "x"},
            {"job_id": 20, "job_state": ["COMPLETED"], "nodes": "gpu[001-004]", "name": "yesterday"},
        ],
        "errors": [],
    }
)
QSTAT = """\
Job Id: 17
    Job_Name = train
    job_state = R
    exec_host = gpu001/0*8+gpu00
\t2/0*8
    Variable_List = PBS_O_HOME=/home/ada,
\tPBS_O_LANG=C

Job Id: 18
    Job_Name = sweep
    job_state = Q

Job Id: 19
    job_state = R
    exec_host = gpu003/1+gpu003/0+gpu004/1+gpu004/0

Job Id: 20
    job_state = C
    exec_host = gpu001/0-7+gpu004/0-7
"""
QSTAT_JSON = json.dumps(
    {
        "timestamp": 1,
        "pbs_version": "22.05",
        "Jobs": {
            "17": {"job_state": "R", "exec_host": "gpu001/0*8+gpu002/0*8"},
            "18": {"job_state": "Q"},
            "19": {"job_state": "R", "exec_host": "gpu003/0+gpu004/0"},
            "20": {"job_state": "F", "exec_host": "gpu001/0+gpu004/0"},
        },
    }
)
BJOBS = "JOBID      EXEC_HOST\n17         16*gpu001:16*gpu002\n18         -\n19         gpu003:gpu003:gpu004\n"
TEXTS = {"squeue": SQUEUE, "squeue json": SQUEUE_JSON, "qstat": QSTAT, "qstat json": QSTAT_JSON, "bjobs": BJOBS}


def write(folder: Path, text: str) -> Path:
    path = folder / "queue.txt"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", TEXTS)
def test_every_batch_system_says_the_same(name: str, tmp_path: Path) -> None:
    """All ports of a host are in its job; jobs that wait or have ended are in none."""
    assert read_jobs(write(tmp_path, TEXTS[name]), PORTS).terminals == BOTH


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "labels",
    [
        [f"GPU{k:03d} HCA-{port}" for k in (1, 2, 3, 4) for port in (1, 2)],
        [f"gpu{k:03d}.cluster.example mlx5_{port}" for k in (1, 2, 3, 4) for port in (0, 1)],
        [f"gpu{k:03d}/P{port}" for k in (1, 2, 3, 4) for port in (1, 2)],
    ],
)
def test_names_of_hosts_as_fabrics_spell_them(name: str, labels: list[str], tmp_path: Path) -> None:
    assert read_jobs(write(tmp_path, TEXTS[name]), fabric(*labels)).terminals == BOTH


def test_a_domain_on_the_queue_side(tmp_path: Path) -> None:
    text = BJOBS.replace("gpu003", "gpu003.cluster.example").replace("gpu001", "GPU001.cluster.example")
    assert read_jobs(write(tmp_path, text), PORTS).terminals == BOTH


def test_hosts_of_two_domains_are_not_one(tmp_path: Path) -> None:
    net = fabric("n1.a.example", "n1.b.example", "n2.a.example", "n2.b.example", "x1", "x2", "x3", "x4")
    with pytest.raises(InputError, match=r"line 2: 'n1' may be n1\.a\.example or n1\.b\.example; name it with its dom"):
        read_jobs(write(tmp_path, "JOBID EXEC_HOST\n1 n1:n2\n"), net)
    text = "JOBID EXEC_HOST\n1 n1.a.example:n2.a.example\n"
    assert read_jobs(write(tmp_path, text), net).terminals == {"1": (0, 2)}
    with pytest.raises(InputError, match=r"1 of 2 hosts of the queue is not in .*: 'n1\.c\.example'"):
        read_jobs(write(tmp_path, text.replace("n1.a", "n1.c")), net)


def test_hosts_that_the_fabric_does_not_have(tmp_path: Path) -> None:
    path = write(tmp_path, SQUEUE.replace("gpu003", "cpu17,gpu003,login2"))
    with pytest.raises(InputError) as caught:
        read_jobs(path, PORTS)
    said = str(caught.value)
    assert "2 of 6 hosts of the queue are not in mesh:4x2: 'cpu17', 'login2'" in said
    assert "within:FILE,missing=none leaves such hosts out" in said
    assert "\n" not in said
    with pytest.warns(RouteproofWarning, match="left out of their jobs: 'cpu17', 'login2'"):
        assert read_jobs(path, PORTS, left_out=True).terminals == BOTH
    with pytest.warns(RouteproofWarning, match="left out"):
        demands_from_spec([f"within:{path},missing=none"], PORTS)


def test_a_job_of_one_host_sends_nothing_over_the_network(tmp_path: Path) -> None:
    found = read_jobs(write(tmp_path, SQUEUE + " 21 gpu x ada R 0:00 1 gpu001\n".replace("gpu001", "gpu000")), named())
    assert found.alone == ("21",)


def named() -> Network:
    return fabric("gpu000 a", "gpu000 b", "gpu001", "gpu002", "gpu003", "gpu004", "x", "y")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SQUEUE.replace("gpu[001-002]", "gpu[001-"), "line 2: .*bracket"),
        (SQUEUE.replace("gpu003,gpu004", "gpu001,gpu004"), "terminal gpu001 mlx5_0 is in the jobs 17 and 19"),
        (SQUEUE.replace(" gpu[001-002]", ""), "line 2 has 7 columns; 8 were expected"),
        (SQUEUE.replace("19 ", "17 "), "line 4: a second job '17'"),
        (SQUEUE.replace("                17 ", "             train "), "line 2: 'train' is not a job's number"),
        (SQUEUE.splitlines()[0], "has no job that runs on two hosts of .*jobs that wait, and jobs on one host"),
        (SQUEUE_JSON.replace('"nodes"', '"hosts"'), "job 17: job_id, nodes and job_state of squeue --json"),
        (SQUEUE_JSON[:200], "is not valid JSON"),
        (QSTAT.replace("    job_state = R\n", "", 1), "line 1: job '17' has no job_state"),
        (QSTAT.replace("exec_host = gpu001/0*8+", "exec_host = gpu001/0*8 +"), "exec_host is"),
        (QSTAT.replace("    Job_Name = sweep", "garbage"), "line 10: 'garbage'"),
        (QSTAT_JSON.replace('"gpu003/0+gpu004/0"', "7"), "job '19': exec_host is 7"),
        (BJOBS.replace(":gpu004", " gpu004"), "line 4: .*bjobs -o"),
        (BJOBS.replace("gpu004", "7"), r"1 of 4 hosts .*'7'"),
        ("JOBID PARTITION NODELIST\n17 gpu gpu[001-002]\n", "has other columns"),
    ],
)
def test_damaged_queues(text: str, said: str, tmp_path: Path) -> None:
    """A number in a queue is no terminal's number."""
    with pytest.raises(InputError, match=said) as caught:
        read_jobs(write(tmp_path, text), PORTS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "said"),
    [("missing=all", "missing=none was expected"), ("missing=none", "missing=none is for what squeue")],
)
def test_the_option(option: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path, "a: gpu001 gpu002\n")
    with pytest.raises(InputError, match=said):
        demands_from_spec([f"within:{path},{option}"], PORTS)
