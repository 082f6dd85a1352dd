"""The verified checker agrees with the Python checker, and its theorem rests on no axiom.

Skipped where Coq, OCaml and Zarith are not installed (Debian: ``coq``, ``ocaml-nox``, ``libzarith-ocaml-dev``).
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from falsified_proofs import falsifications, other_quotients
from named_proofs import MIXED, proof_of_everything
from proofs import CORPUS, Proof, checked_file, every_character, proof_of
from symmetric_proofs import ASKED, symmetric_proof

FOLDER = Path(__file__).parents[2] / "checkers" / "verified"
PROOFS = [
    "worst case", "unbalanced", "hose", "jobs", "box and rows", "routable", "terminals", "design", "capacity",
    "tradeoff", "comparison", "ideal", "ideal of routable", "deadlock", "virtual", "graph document", "phases",
    "shifts", "failures",
]  # fmt: skip
STATUS = {"correct": 0, "incorrect": 1, "malformed": 2}
REFUSED = (
    "tables-at-least", "deadlock-free-with-bubbles", "deadlock-free-with-classes", "escape-acyclic", "escape-cycle",
    "phases-meet", "shared-channel", "single-link-failure",
    "blocked-call", "never-blocked", "calls-at-once", "calls-cut", "neighbours-at-most", "neighbours-at-least",
    "steps-at-least", "split-chance",
)  # fmt: skip
"""Kinds of claims that are not verified; versions 3 (schedules) and 4 (numbers alone) are not either."""
NOT_VERIFIED = [
    *(
        f"unreadable: claims of the kind {kind} are not verified here: use another checker, or leave them out\n"
        for kind in REFUSED
    ),
    "unreadable: refutations with message classes are not verified here: use another checker\n",
    "unreadable: schedules (version 3) are not verified here: use another checker\n",
    "unreadable: numbers alone (version 4) are not verified here: use another checker\n",
]
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

IN_A_NAME = [
    b"\xed\xa0\x80", b"\xc0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xf0\x80\x80\x80", b"\xe2\x82\xac",
    b"\xf0\x9f\x98\x80", b"\xe2\x82", b"\x80", b"\x7f", b"\x1f", b"\\ud83d\\ude00", b"\\ud83d\\u0041",
    b"\\ud83d\\n", b"\\ude00", b"\\uD83D\\uDE0", b"\\u00e", b"\\x", b"\\/\\b\\f\\r\\t\\\\\\\"", b"'",
    b"\xef\xbb\xbf", b"\\u+0e9",
]  # fmt: skip
A_NUMBER = [
    b"01", b"-0", b"-1", b"+1", b"1.0", b"1e3", b"-", b"9007199254740991", b"9007199254740992",
    b"12345678901234567", b"true", b"nul", b"NaN", b"Infinity", b"0x1", b" 2\t\r\n", b"\x0b2", b"\xc2\xa02",
    b"[]", b"[1,]", b"{}", b'{"a":1,"a":1}', b'{"a":1,"\\u0061":2}', b'{"a":1,}',
]  # fmt: skip


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


def test_its_theorem_rests_on_no_axiom(built: Path) -> None:
    said = subprocess.run(["make", "-s", "-C", str(FOLDER), "assumptions"], capture_output=True, text=True).stdout
    assert set(said.splitlines()) == {"Closed under the global context"}


def test_it_checks_files_that_are_named_line_by_line(built: Path) -> None:
    paths = [CORPUS / "correct" / "design.json", *sorted((CORPUS / "malformed").glob("*.json"))[:2]]
    run = subprocess.run([built], input="".join(f"{x}\n" for x in paths), capture_output=True, text=True)
    assert (run.returncode, run.stdout.split()) == (0, ["0", "2", "2"])


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


def verified_claims(name: str) -> Proof:
    """A proof without claims of kinds that are not verified; no other claim rests on them."""
    proof = proof_of(name)
    claims = [claim for claim in proof["claims"] if claim["kind"] not in REFUSED]
    assert proof["claims"][: len(claims)] == claims
    return {**proof, "claims": claims}


@pytest.mark.parametrize("name", PROOFS)
def test_it_says_what_the_python_checker_says_of(name: str, built: Path, tmp_path: Path) -> None:
    path = written(tmp_path, verified_claims(name))
    assert verified(built, path) == checked_file(path)


@pytest.mark.parametrize("name", PROOFS)
def test_both_checkers_agree_on_falsified_proofs_of(name: str, built: Path, tmp_path: Path) -> None:
    for place, changed in falsifications(verified_claims(name), 20, seed=PROOFS.index(name)):
        path = written(tmp_path, changed)
        assert verified(built, path)[0] == checked_file(path)[0], place


@pytest.mark.parametrize("name", ASKED)
def test_both_checkers_agree_on_routings_made_of_images(name: str, built: Path, tmp_path: Path) -> None:
    proof = symmetric_proof(name)
    path = written(tmp_path, proof)
    assert verified(built, path) == checked_file(path)
    for place, changed in falsifications(proof, 20, seed=5):
        path = written(tmp_path, changed)
        assert verified(built, path)[0] == checked_file(path)[0], place


@pytest.mark.parametrize("name", ["design", "tradeoff", "ideal", "comparison"])
def test_both_checkers_agree_on_quotients_of(name: str, built: Path, tmp_path: Path) -> None:
    for changed in other_quotients(proof_of(name), 20, seed=1):
        path = written(tmp_path, changed)
        status, said = verified(built, path)
        assert (status, said if status == 0 else "") == (
            checked_file(path)[0],
            checked_file(path)[1] if status == 0 else "",
        )


def test_both_checkers_escape_the_same_characters(built: Path, tmp_path: Path) -> None:
    path = written(tmp_path, every_character())
    assert verified(built, path) == checked_file(path)


def of_corpus(folder: str, *, refused: bool = False) -> list[Path]:
    """Proofs with claims that are not verified, or about schedules; or all others."""
    words = [f'"kind": "{kind}"' for kind in REFUSED] + ['"version": 3', '"version": 4', '"classes": 2']
    files = sorted(CORPUS.glob(f"{folder}/*.json"))
    return [x for x in files if any(word in x.read_text(errors="replace") for word in words) == refused]


@pytest.mark.parametrize("path", of_corpus("correct", refused=True), ids=lambda path: path.name)
def test_it_says_which_kinds_it_does_not_know(path: Path, built: Path) -> None:
    status, said = verified(built, path)
    assert status == 2
    assert said in NOT_VERIFIED


@pytest.mark.parametrize("path", of_corpus("*"), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_both_checkers_agree_on_the_corpus(path: Path, built: Path) -> None:
    status, said = verified(built, path)
    assert status == checked_file(path)[0] == STATUS[path.parent.name], said


@pytest.mark.parametrize("path", of_corpus("correct"), ids=lambda path: path.name)
def test_both_checkers_print_the_same_of_the_corpus(path: Path, built: Path) -> None:
    assert verified(built, path) == checked_file(path)


@pytest.mark.parametrize("name", MIXED)
def test_both_checkers_print_the_same_names(name: str, built: Path, tmp_path: Path) -> None:
    path = written(tmp_path, proof_of_everything(name, seed=MIXED.index(name)))
    said, wanted = verified(built, path)[1].splitlines(), checked_file(path)[1].splitlines()
    assert said[:-1] == wanted[:-1]
    assert said[-1].startswith("does not hold: ")
    assert len(said) > 30


def test_both_checkers_read_the_same_bytes(built: Path, tmp_path: Path) -> None:
    content = (CORPUS / "correct" / "two-nodes-by-hand.json").read_bytes()
    rng = random.Random(34)
    changed = [content.replace(b'"name": "', b'"name": "' + x, 1) for x in IN_A_NAME]
    for place in (b'"nodes": 2', b'"scale": 2', b'"total": null'):
        changed += [content.replace(place, place.split()[0] + b" " + x, 1) for x in A_NUMBER]
    for _ in range(200):
        k = rng.randrange(len(content))
        changed.append(
            content[:k] + bytes(rng.choices(range(256), k=rng.randrange(2))) + content[k + rng.randrange(2) :]
        )
    assert len(set(changed) - {content}) > 200
    paths = [tmp_path / f"{k}.json" for k in range(len(changed))]
    for path, x in zip(paths, changed, strict=True):
        path.write_bytes(x)
    run = subprocess.run([built], input="".join(f"{x}\n" for x in paths), capture_output=True, text=True)
    found = [checked_file(x)[0] for x in paths]
    assert run.stdout.split() == [str(x) for x in found]
    assert set(found) == {0, 1, 2}
    for path, x in list(zip(paths, found, strict=True))[: len(IN_A_NAME)]:
        assert x or verified(built, path) == checked_file(path)


@pytest.mark.parametrize("name", HOSTILE)
def test_it_refuses_what_is_no_proof(name: str, built: Path, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(HOSTILE[name], encoding="utf-8")
    status, said = verified(built, path)
    assert status == 2
    assert said.startswith("unreadable: ")
    assert verified(built, tmp_path)[0] == 2
