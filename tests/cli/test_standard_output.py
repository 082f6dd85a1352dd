"""With ``--json -``, descriptor 1 of the process holds one JSON document and nothing else, whatever a library prints.

Every verb that can write JSON is run, some where they need the solver, with one that prints at every occasion.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from noisy_solver import noisy_solver
from places import ROOT
from routeproof.cli.app import app

pytestmark = pytest.mark.skipif(os.name != "posix", reason="descriptors as POSIX has them")

SOLVING = (
    "adaptive mesh:2x3",
    "design complete:4 --objective worst-case",
    "design torus:3x3 --objective worst-case --solver simplex --then path-length",
    "design ring:4 --objective worst-case --demands routable",
    "design ring:5 --objective worst-case --demands matrix:traffic.csv",
    "design ring:4 --objective capacity",
    "design ring:4 --objective average-case --samples 3",
    "tradeoff ring:4 --against worst-case --workers 1",
    "tradeoff ring:4 --against worst-case --workers 2",
    "tradeoff ring:4 --against average-case --samples 3 --points 2",
    "worst-case irregular.graphml --routing minimal",
    "worst-case petersen --routing ecmp --demands routable",
    "worst-case torus:4x4 --routing 2turn",
    "compare irregular.graphml minimal valiant",
    "study towles-dally-boyd-2003-table-1 --workers 1",
)
OTHERS = (
    "check graph.json",
    "collective ring:4 --operation all-gather",
    "deadlock torus:4x4 --routing dor",
    "diff torus:3x3 mesh:3x3 --routing dor",
    "expansion multibutterfly:8,d=2,seed=1",
    "failures ring:4 --routing minimal",
    "hashing ring:4 --routing ecmp --traffic ring --samples 10",
    "plan ring:4 --routing minimal --drain 1",
    "schedule schedule.json",
    "search many-one --radix 2 --dimensions 3 --steps 3 --output graph.json",
    "simulate calls clos:3,2,2 --trials 5",
    "simulate circuits multibutterfly:8,d=2,seed=1 --permutation bit-reversal --load 2",
    "simulate faults multibutterfly:8,d=2,seed=1 --faults random:count=2,seed=1",
    "simulate load ring:4 --routing dor --rate 1/4 --cycles 50 --warm-up 10",
    "simulate packets multibutterfly:8,d=2,seed=1 --permutation bit-reversal",
    "split 4:9",
    "verify report.json",
)
WITHOUT_JSON = {"convert", "examples", "runs clean", "runs list", "runs show", "runs verify"}


def _rank(other: int) -> list[dict[str, Any]]:
    reduced = {"do": "reduce", "source": "s[0]", "target": "i[0]", "after": [[0, 0]]}
    return [
        {"send_to": other, "channel": 0, "steps": [{"do": "send", "source": "i[0]"}]},
        {"receive_from": other, "channel": 0, "steps": [{"do": "receive", "target": "s[0]"}, reduced]},
    ]


_EXCHANGE = {
    "format": "routeproof/schedule", "collective": "all-reduce", "chunks": 1, "in_place": [True], "scratch": 1,
    "ranks": [_rank(1), _rank(0)],
}  # fmt: skip


def verbs() -> Iterator[tuple[str, bool]]:
    """Every verb of the command, and whether it can write JSON to standard output."""
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        for inner, verb in getattr(command, "commands", {"": command}).items():
            yield f"{name} {inner}".strip(), any("--json" in x.opts for x in verb.params)


def test_every_verb_is_run_here() -> None:
    run = {" ".join(x.split()[: 2 if x.startswith("simulate") else 1]) for x in (*SOLVING, *OTHERS)}
    assert run == {name for name, writes in verbs() if writes}
    assert {name for name, writes in verbs() if not writes} == WITHOUT_JSON


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read."""
    here = tmp_path_factory.mktemp("standard output")
    edges = "".join(f'<edge source="{a}" target="{b}"/>' for a, b in ("ab", "bc", "cd", "da", "ac", "ce", "ed"))
    nodes = "".join(f'<node id="{x}"/>' for x in "abcde")
    graph = f'<graph edgedefault="undirected">{nodes}{edges}</graph>'
    text = f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{graph}</graphml>'
    (here / "irregular.graphml").write_text(text)
    (here / "schedule.json").write_text(json.dumps(_EXCHANGE))
    (here / "traffic.csv").write_text("0,1,0,0,1\n1,0,1,0,0\n0,1,0,0,0\n0,0,1,0,1\n1,0,0,1,0\n")
    for command in (
        "search many-one --radix 2 --dimensions 3 --steps 3 --output graph.json",
        "worst-case ring:4 --routing dor --json report.json",
    ):
        subprocess.run(
            [sys.executable, "-m", "routeproof", *shlex.split(command)], cwd=here, stdout=subprocess.DEVNULL, check=True
        )
    return here


@pytest.mark.parametrize("command", [*SOLVING, *OTHERS])
def test_one_document_and_nothing_else(command: str, folder: Path, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "routeproof", *shlex.split(command), "--json", "-"],
        cwd=folder,
        env={**os.environ, **noisy_solver(tmp_path)},
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    assert b"}" in ran.stdout[-3:]
    json.loads(ran.stdout)
    assert (tmp_path / "ran").exists() or command not in SOLVING, "nothing was solved"


_AS_NOTEBOOKS = """
import os, sys, threading
{before}
import test_surface as surface
for name in {names}:
    surface.RESULTS[name]()._repr_html_()
    os.remove({ran!r})  # nothing was solved where it is not there
"""
_BEFORE = {
    "a script": "",
    "a notebook": "import io\nsys.stdout = io.StringIO()\n"
    "threading.Thread(target=threading.Event().wait, daemon=True).start()",
}


@pytest.mark.parametrize("where", _BEFORE)
def test_functions_print_nothing(where: str, tmp_path: Path) -> None:
    """In a script, and in a process as notebooks have: output kept in Python, and other threads."""
    names = ["design", "adaptive", "tradeoff", "average_tradeoff", "design_average_case"]
    variables = noisy_solver(tmp_path)
    paths = [variables["PYTHONPATH"], str(ROOT / "tests" / "api"), str(ROOT / "tests" / "support")]
    code = _AS_NOTEBOOKS.format(before=_BEFORE[where], names=names, ran=str(tmp_path / "ran"))
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert (ran.returncode, ran.stdout) == (0, b""), ran.stderr.decode()


def test_no_function_prints(tmp_path: Path) -> None:
    """All of them, with the libraries as they are installed, and others that print, in one process."""
    paths = [str(ROOT / "tests" / "api"), str(ROOT / "tests" / "support")]
    code = "import test_surface as surface\nfor make in surface.RESULTS.values():\n    make()._repr_html_()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False, timeout=600)
    assert (ran.returncode, ran.stdout) == (0, b""), ran.stderr.decode()
