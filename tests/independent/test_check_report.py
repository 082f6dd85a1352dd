"""The checker that was written from the page of formats: it accepts true reports and refuses falsified ones.

Nothing here imports the package: reports are made by the command.
"""

from __future__ import annotations

import ast
import base64
import functools
import hashlib
import json
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CHECKER = Path(__file__).parent / "check_report.py"
Document = dict[str, Any]


@functools.cache
def made(command: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [sys.executable, "-m", "routeproof", *command.split(), "--quiet", "--json", str(report)],
            check=True,
            capture_output=True,
        )
        return report.read_text(encoding="utf-8")


def judged(document: Document, folder: Path) -> tuple[int, str]:
    report = folder / "judged.json"
    report.write_text(json.dumps(document), encoding="utf-8")
    run = subprocess.run([sys.executable, "-S", str(CHECKER), str(report)], check=False, capture_output=True, text=True)
    assert not run.stderr
    return run.returncode, run.stdout


def signed(document: Document) -> Document:
    """With digests that fit, as a forger would write them."""
    for entry in (document["subject"], *document["claims"]):
        rest = {key: x for key, x in entry.items() if key != "digest"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        entry["digest"] = hashlib.sha256(text.encode()).hexdigest()
    return document


def packed(numbers: list[int]) -> str:
    content = base64.b64encode(zlib.compress(struct.pack(f"<{len(numbers)}q", *numbers)))
    return f"i8:{len(numbers)}:{content.decode()}"


def test_it_is_of_the_standard_library() -> None:
    tree = ast.parse(CHECKER.read_text(encoding="utf-8"))
    imported = {x.name for node in ast.walk(tree) if isinstance(node, ast.Import) for x in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize(
    ("command", "claims"),
    [
        ("worst-case torus:4x4 --routing dor", 8),
        ("worst-case mesh:4x3 --routing dor", 8),
        ("worst-case torus:3x2x3 --routing dor --no-symmetry", 8),
        ("worst-case torus:3x3 --routing valiant", 8),
        ("design mesh:3x3 --objective worst-case --then path-length", 7),
    ],
)
def test_true_reports_hold(command: str, claims: int, tmp_path: Path) -> None:
    document = json.loads(made(command))
    assert judged(document, tmp_path) == (0, f"{claims} claims hold; 0 are of kinds that are not known here\n")


def evidence(document: Document, k: int = 0) -> Any:
    return document["claims"][k]["evidence"]


def lower(document: Document) -> None:
    for claim, value in zip(document["claims"], ("4/3", "3/4", "3/8"), strict=False):
        claim["value"] = value
    evidence(document)["ratio"] = "4/3"


def higher(document: Document) -> None:
    for claim, value in zip(document["claims"], ("2", "1/2", "1/4"), strict=False):
        claim["value"] = value
    evidence(document)["ratio"] = "2"


def not_the_worst(document: Document) -> None:
    evidence(document)["witness"]["permutation"] = list(range(16))


def no_permutation(document: Document) -> None:
    evidence(document)["witness"]["permutation"][5] = 4


def one_potential(document: Document) -> None:
    evidence(document)["bounds"][0]["quantum"] = packed([0] * 10)


def fewer_potentials(document: Document) -> None:
    evidence(document)["bounds"][0]["quantum"] = packed([1] * 9)


def more_potentials(document: Document) -> None:
    evidence(document)["bounds"][0]["quantum"] = packed([0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0])


def more_symmetry(document: Document) -> None:
    """Dimension order does not treat the dimensions alike: one of the two proofs is left out."""
    data = evidence(document)
    data["symmetry"]["declared"].append("swap dimensions 0 and 1")
    data["bounds"][0].update(channel=packed([0]), shift=packed([0]), quantum=packed([0, 0, 0, 0, 2]))


def no_proof(document: Document) -> None:
    evidence(document)["bounds"] = []


def another_capacity(document: Document) -> None:
    document["claims"][3]["value"] = "5/2"


def another_busiest(document: Document) -> None:
    evidence(document, 4)["load"] = "1/4"
    document["claims"][4]["value"] = "4"


def another_length(document: Document) -> None:
    evidence(document, 6)["average"] = "7/4"
    document["claims"][6]["value"] = "7/4"


FORGERIES = (
    lower, higher, not_the_worst, no_permutation, one_potential, fewer_potentials, more_potentials, more_symmetry,
    no_proof, another_capacity, another_busiest, another_length,
)  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES)
def test_false_reports_are_refused(forge: Callable[[Document], None], tmp_path: Path) -> None:
    document = json.loads(made("worst-case torus:4x4 --routing dor"))
    forge(document)
    status, said = judged(signed(document), tmp_path)
    assert status == 1, said
    assert "FalseClaimError(" in said


def test_damage_is_found_by_the_digest(tmp_path: Path) -> None:
    document = json.loads(made("worst-case torus:4x4 --routing dor"))
    document["claims"][2]["source"] = "elsewhere"
    assert judged(document, tmp_path) == (1, "does not hold: FalseClaimError('a digest does not match')\n")


@pytest.mark.parametrize("forge", ["value", "hops", "traffic"])
def test_false_optima_are_refused(forge: str, tmp_path: Path) -> None:
    document = json.loads(made("design mesh:3x3 --objective worst-case --then path-length"))
    claim = document["claims"][0]
    bound = claim["evidence"]["adversary"]
    if forge == "value":
        claim["value"] = claim["evidence"]["reached"]["worst-case"]["ratio"] = "1"
    elif forge == "hops":
        bound["hops"] = 1
    else:
        bound["pairs"][0]["traffic"] = packed([1] * 24)
    status, said = judged(signed(document), tmp_path)
    assert status == 1, said
    assert "FalseClaimError(" in said
