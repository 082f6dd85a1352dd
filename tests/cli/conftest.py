"""One way to run the command: in this process, with its exit status and both outputs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from routeproof.cli.main import main


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(sys, "path", list(sys.path))  # the directory of a routing function is put there
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("ROUTEPROOF_DEBUG", raising=False)

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        status = main(list(arguments))
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return run
