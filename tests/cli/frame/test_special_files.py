"""What is not a regular file is refused before it is opened: reading a FIFO or a device may never end."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError
from routeproof.formats.infiniband.dumps import line_chunks
from routeproof.formats.text_files import read_text

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX's")


@pytest.fixture
def fifo(tmp_path: Path) -> str:
    path = str(tmp_path / "fifo")
    os.mkfifo(path)
    return path


@pytest.fixture
def bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A socket, bound by a short name: theirs have about a hundred characters."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("s")
    return str(tmp_path / "s")


def test_nothing_but_files_is_read(fifo: str, bound: str, tmp_path: Path) -> None:
    for path, kind in (
        (fifo, r"a FIFO \(named pipe\)"),
        (bound, "a socket"),
        ("/dev/zero", "a device"),
        (str(tmp_path), "a directory"),
    ):
        with pytest.raises(InputError, match=rf"is {kind}; a regular file was expected, or /dev/stdin"):
            read_text(path, limit=100, wanted="a report")
    with pytest.raises(InputError, match="is a FIFO"):
        next(line_chunks(fifo, wanted="a dump"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "FIFO"],
        ["check", "FIFO"],
        ["convert", "FIFO", "x.json"],
        ["worst-case", "FIFO", "-r", "dor"],
        ["worst-case", "ring:4", "-r", "FIFO"],
        ["worst-case", "ring:4", "-r", "dor", "-t", "FIFO"],
        ["worst-case", "ring:4", "-r", "dor", "--model", "hose", "--rates", "FIFO"],
        ["simulate", "packets", "multibutterfly:8,d=2,seed=1", "--permutation", "FIFO"],
        ["simulate", "faults", "multibutterfly:8,d=2,seed=1", "--faults", "FIFO"],
        ["expansion", "FIFO"],
    ],
    ids=lambda x: "-".join(x).lower(),
)
def test_every_verb_refuses_a_fifo(arguments: list[str], fifo: str, run: Any) -> None:
    ran = run(*(fifo if x == "FIFO" else x for x in arguments))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1


def test_a_checkpoint_is_a_file(fifo: str, run: Any) -> None:
    ran = run("tradeoff", "ring:4", "--against", "worst-case", "--checkpoint", fifo)
    assert (ran.status, ran.err) == (2, f"error: {fifo} is a FIFO (named pipe); a regular file was expected, "
                                        "or /dev/stdin for standard input\n")  # fmt: skip


@pytest.mark.parametrize("how", ["cat {0} | {1} /dev/stdin", "{1} /dev/stdin < {0}", "{1} <(cat {0})"])
def test_standard_input_and_substituted_processes_are_read(how: str, tmp_path: Path, run: Any) -> None:
    report = tmp_path / "report.json"
    assert run("worst-case", "ring:4", "-r", "dor", "--json", str(report)).status == 0
    script = how.format(shlex.quote(str(report)), f"{shlex.quote(sys.executable)} -m routeproof verify --quiet")
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "claims verified" in ran.stdout
