"""Reports of designs, curves, runs, calls, failures and splitters, as the command writes them, with entries changed and
digests made again: ``verify`` answers with one line whatever it is given, and refuses what is false.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_corrupted_reports import changes, entries, put, refusal

from routeproof.cli.main import main
from true_reports import Document, sealed

COMMANDS = {
    "load": "simulate load torus:3x3 -r dor --cycles 40 --warm-up 5 --rate 0.3",
    "calls": "simulate calls multi-benes:8,d=2,seed=7 --together 3 --trials 3",
    "cube": "simulate packets hypercube:3 -p bit-complement --algorithm e-cube",
    "splitter": "expansion random-splitter:8,d=3,seed=7",
    "design": "design ring:5 --objective worst-case",
    "2turn": "design torus:3x3 --objective worst-case --paths 2turn",
    "average": "design ring:5 --objective average-case --samples 4",
    "failures": "failures ring:5 -r minimal",
}
_TRIALS = 50  # a report; many thousands were tried when this was written

Path_ = tuple[str | int, ...]
FALSE: dict[str, list[tuple[Path_, Any]]] = {
    "calls": [
        (("claims", -1, "quantity"), "capacity"),
        (("claims", -1, "quantity"), "blocking_probability"),
        (("claims", 0, "value"), "1/" + "9" * 3000),
    ],
    "cube": [(("claims", 0, "evidence", "algorithm"), "dor"), (("claims", 0, "value"), "1/" + "9" * 3000)],
    "splitter": [
        (("claims", 0, "unit"), "hops"),
        (("claims", 8, "unit"), "outputs"),
        (("claims", 8, "evidence", "kind"), "dor"),
        (("claims", 8, "evidence", "from"), []),
        (("claims", 0, "quantity"), "capacity"),
        (("claims", 0, "level"), 3),
        (("claims", 0, "traffic"), "tornado"),
        (("claims", 0, "value"), "1/" + "9" * 3000),
    ],
    "design": [
        (("subject", "routing", "classes"), []),
        (("subject", "routing", "classes", 1, 0), 1),
        (("subject", "routing", "symmetry", "declared"), []),
    ],
    "2turn": [(("subject", "routing", "path_classes"), [])],
    "average": [
        (("claims", 0, "sample"), "fresher"),
        (("claims", 0, "channel"), 3),
        (("claims", 4, "value"), "1/" + "9" * 3000),
        (("claims", 4, "value"), str(10**400)),
    ],
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    where: Path = tmp_path_factory.mktemp("reports")
    for name, command in COMMANDS.items():
        assert main([*command.split(), "--quiet", "--json", str(where / f"{name}.json")]) == 0
    return {name: json.loads((where / f"{name}.json").read_text()) for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_is_changed_the_answer_is_one_line(name: str, reports: dict[str, Document]) -> None:
    document = reports[name]
    assert refusal(document) is None
    rng = np.random.default_rng(3)
    found = [x for x in entries(document) if x[0] and not isinstance(x[1], float)]
    refused = 0
    for k in rng.permutation(len(found))[:_TRIALS]:
        path, value = found[k]
        some = changes(value, rng)
        if some:
            error = refusal(sealed(put(document, path, some[int(rng.integers(len(some)))])))
            refused += error is not None
            assert error is None or len(str(error)) < 1000
    assert refused > _TRIALS / 4


@pytest.mark.parametrize(("name", "path", "value"), [(name, *x) for name, every in FALSE.items() for x in every])
def test_false_statements_are_refused(name: str, path: Path_, value: Any, reports: dict[str, Document]) -> None:
    error = refusal(sealed(put(reports[name], path, value)))
    assert error is not None
    assert len(str(error)) < 600


def test_a_splitter_somewhere_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert main(["expansion", "multibutterfly:8,d=2,seed=7", "--level", "0", "--quiet", "--json", str(file)]) == 0
    document = json.loads(file.read_text())
    assert refusal(document) is None
    for key, value in (("direction", "sideways"), ("direction", ["up"]), ("block", 9), ("block", "0"), ("level", 77)):
        assert refusal(sealed(put(document, ("claims", 0, key), value))) is not None
