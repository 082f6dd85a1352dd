"""The load of a sweep is one that its runs have: given once, or a variable, and of wirings only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import VerificationError
from true_reports import Document, sealed, verify

SWEEPS = {
    "calls": "calls multi-benes:8,d=2,seed=7 --trials 2",
    "circuits": "circuits multibutterfly:8,d=2,seed=7 -p shuffle",
    "packets": "packets multibutterfly:8,d=2,seed=7 -p shuffle",
    "trials": "circuits multibutterfly:8,d=2,seed=7 -p random:seed={trial} --trials 9",
}


def swept(command: str, folder: Path) -> Document:
    path = folder / "report.json"
    assert main(["simulate", *command.split(), "--quiet", "--json", str(path)]) == 0
    return json.loads(path.read_text())


@pytest.mark.parametrize("name", SWEEPS)
def test_a_sweep_over_loads_verifies(name: str, tmp_path: Path) -> None:
    document = swept(f"{SWEEPS[name]} --sweep load=1,2", tmp_path)
    assert verify(document) == len(document["claims"])
    if "load" in document["subject"]:
        document["subject"]["load"] = 2
        with pytest.raises(VerificationError, match="subject: its load is 2, and a variable, too"):
            verify(sealed(document))
    points: dict[str, Any] = {"1": "2", "2": "1"}
    document = swept(f"{SWEEPS[name]} --sweep load=1,2", tmp_path)
    document["subject"]["variables"]["load"].reverse()
    for claim in document["claims"]:
        claim["point"]["load"] = points[claim["point"]["load"]]
    with pytest.raises(VerificationError):
        verify(sealed(document))


def test_a_load_of_a_network_without_rows_is_refused(tmp_path: Path) -> None:
    document = swept("calls clos:{m},2,2 --trials 2 --sweep m=2,3", tmp_path)
    assert verify(document)
    document["subject"]["load"] = 77
    with pytest.raises(VerificationError, match="its load is 77; 1 was expected"):
        verify(sealed(document))


@pytest.mark.parametrize("name", SWEEPS)
def test_a_load_beside_a_sweep_over_loads(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *SWEEPS[name].split(), "--load", "4", "--sweep", "load=1,2"]) == 2
    assert "--load 4 and a sweep over load were asked for" in capsys.readouterr().err
