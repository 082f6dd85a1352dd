"""The verified checker agrees with the Python checker, and its theorem rests on no axiom.

Skipped where Coq, OCaml and Zarith are not installed (Debian: ``coq``, ``ocaml-nox``, ``libzarith-ocaml-dev``).
"""

from __future__ import annotations

import copy
import fcntl
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofs import CORPUS, Proof, checked_file, proof_of

FOLDER = Path(__file__).parents[2] / "checkers" / "verified"
PROOFS = ["worst case", "hose", "jobs", "box", "routable", "terminals", "design", "comparison", "deadlock", "virtual"]
HOSTILE = {
    "nothing": "",
    "no JSON": "{",
    "a key twice": '{"format": "routeproof/proof", "format": "routeproof/proof"}',
    "depth": "[" * 100_000,
    "digits": "9" * 1_000_000,
    "a fraction": "0.5",
    "what follows": "{} {}",
    "a control character": '"\x01"',
}


def why_not() -> str:
    if shutil.which("coqc") is None or shutil.which("ocamlfind") is None or shutil.which("make") is None:
        return "coq, ocaml and make are not all installed"
    if subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True).returncode:
        return "OCaml's library Zarith is not installed"
    return "" if os.access(FOLDER, os.W_OK) else "the source tree is read-only"


@pytest.fixture(scope="session")
def built() -> Path:
    """The checker, built where it is not up to date; one process at a time does it."""
    if reason := why_not():
        pytest.skip(reason)
    with (Path(tempfile.gettempdir()) / "routeproof-verified-checker.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(["make", "-C", str(FOLDER)], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return FOLDER / "check_proof"


def verified(built: Path, path: Path) -> tuple[int, str]:
    run = subprocess.run([built, path], capture_output=True, text=True)
    assert not run.stderr
    return run.returncode, run.stdout


def written(folder: Path, proof: Proof) -> Path:
    path = folder / "proof.json"
    path.write_text(json.dumps(proof), encoding="utf-8")
    return path


def places(x: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the lists and the single values of a document are."""
    inner = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    if not isinstance(x, dict) and place:
        yield place
    for key, y in inner:
        yield from places(y, (*place, key))


def falsified(proof: Proof, rng: random.Random) -> Proof:
    """One value is changed, or one list has an element less, more or in another place."""
    changed = copy.deepcopy(proof)
    *way, last = rng.choice(list(places(changed)))
    inner: Any = changed
    for key in way:
        inner = inner[key]
    old = inner[last]
    if isinstance(old, list):
        where = rng.randrange(len(old) + 1)
        inner[last] = rng.choice([old[:where] + old[where + 1 :], old[:where] + old[:1] + old[where:], old[::-1]])
    elif isinstance(old, int):
        inner[last] = rng.choice([old + 1, old - 1, 0, -old, 2 * old, str(old), 10**20, "9" * 50, True, None])
    else:
        inner[last] = rng.choice([None, 0, 1, [], "nodes", "terminals", "worst-case-at-least"])
    return changed


def test_its_theorem_rests_on_no_axiom(built: Path) -> None:
    said = subprocess.run(["make", "-s", "-C", str(FOLDER), "assumptions"], capture_output=True, text=True).stdout
    assert said.strip() == "Closed under the global context"


def test_nothing_is_assumed_or_left_open() -> None:
    for file in FOLDER.glob("*.v"):
        code = re.sub(r"\(\*.*?\*\)", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        found = re.findall(r"\b(Axiom|Parameter|Conjecture|Admitted|admit|Extract Constant|Extract Inductive)\b", code)
        assert not found, f"{file.name}: {found}"


def test_the_page_quotes_the_statements_as_they_are() -> None:
    page = (FOLDER.parents[1] / "docs" / "verified-checker.md").read_text(encoding="utf-8")
    sources = " ".join(" ".join(file.read_text(encoding="utf-8").split()) for file in FOLDER.glob("*.v"))
    for block in re.findall(r"^```coq\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for piece in block.replace("...", "\n\n").split("\n\n"):
            assert " ".join(piece.split()).removeprefix("-> ") in sources, piece


@pytest.mark.parametrize("name", PROOFS)
def test_it_says_what_the_python_checker_says_of(name: str, built: Path, tmp_path: Path) -> None:
    path = written(tmp_path, proof_of(name))
    assert verified(built, path) == checked_file(path)


@pytest.mark.parametrize("name", PROOFS)
def test_both_checkers_agree_on_falsified_proofs_of(name: str, built: Path, tmp_path: Path) -> None:
    rng = random.Random(name)
    for _ in range(20):
        path = written(tmp_path, falsified(proof_of(name), rng))
        assert verified(built, path)[0] == checked_file(path)[0], path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*.json")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_both_checkers_agree_on_the_corpus(path: Path, built: Path) -> None:
    status, said = verified(built, path)
    if status == 3:
        assert said == "not covered by this checker: destination graphs\n"
    elif status == 2 and b"price-of-obliviousness" in path.read_bytes():
        # It has no theorem about such a quotient, nor about flows of all that is routable.
        assert said in ("unreadable: an unknown quotient\n", "unreadable: a flow of each matrix\n")
    else:
        assert status == checked_file(path)[0]


@pytest.mark.parametrize("name", HOSTILE)
def test_it_refuses_what_is_no_proof(name: str, built: Path, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(HOSTILE[name], encoding="utf-8")
    status, said = verified(built, path)
    assert status == 2
    assert said.startswith("unreadable: ")
    assert verified(built, tmp_path)[0] == 2


def test_a_graph_is_not_covered_and_never_passed(built: Path, tmp_path: Path) -> None:
    path = written(tmp_path, proof_of("graph document"))
    assert verified(built, path) == (3, "not covered by this checker: destination graphs\n")
