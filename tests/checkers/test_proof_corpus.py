"""The corpus of proofs: correct ones hold, incorrect ones do not, malformed ones cannot be read; for every checker.

``reasons.json`` says what each incorrect or malformed file breaks.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from proof_judge import false_claims
from proofs import CHECKER, CORPUS, checked, checked_file

REASONS = json.loads((CORPUS / "reasons.json").read_text(encoding="utf-8"))
STATUS = {"correct": 0, "incorrect": 1, "malformed": 2}
SUBJECTS = ("network ", "graph ", "schedule ", "no network: ")
BEGINS = {0: SUBJECTS, 1: SUBJECTS, 2: "unreadable: "}


def files(folder: str) -> list[Path]:
    return sorted((CORPUS / folder).glob("*.json"))


ALL = [path for folder in STATUS for path in files(folder)]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", ALL, ids=name)
def test_the_checker_agrees_with_the_folder(path: Path) -> None:
    status, said = checked_file(path)
    assert status == STATUS[path.parent.name], said
    assert said.startswith(BEGINS[status])
    assert said.isascii()
    assert len(said) < 10_000


def test_every_file_that_is_refused_says_what_it_breaks() -> None:
    assert sorted(REASONS) == sorted(name(path) for path in ALL if path.parent.name != "correct")


@pytest.mark.parametrize("path", files("correct"), ids=name)
def test_correct_proofs_are_true(path: Path) -> None:
    """As the slow judge finds, who looks at no evidence."""
    assert false_claims(json.loads(path.read_text())) == []


def test_all_kinds_of_claims_are_in_the_corpus() -> None:
    """Each is in a proof that holds, and on the page."""
    page = (Path(__file__).parents[2] / "docs" / "proof-format.md").read_text(encoding="utf-8")
    seen = {x["kind"] for path in files("correct") for x in json.loads(path.read_text())["claims"]}
    assert all(f"`{kind}`" in page for kind in seen)
    module = ast.parse(CHECKER.read_text(encoding="utf-8"))
    tables = {
        node.targets[0].id: [key.value for key in node.value.keys]  # type: ignore[attr-defined]
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
    }
    assert seen | {"not-permutation"} == {
        kind
        for table in ("ABOUT_NETWORKS", "ABOUT_GRAPHS", "ABOUT_SCHEDULES", "ABOUT_NUMBERS")
        for kind in tables[table]
    }
    assert all(f"`{quantity}`" in page for quantity in tables["QUOTIENTS"])


SAID = {
    "calls-by-hand": "leave terminal 1, which makes none, no path to terminal 0, which answers none: holds",
    "calls-that-never-block": "every terminal that makes none has a path to every one that answers none: holds",
    "neighbours-by-hand": "the channels of some 2 nodes of one of the groups",
    "phases-of-jobs-that-meet": "the phases of claim 1 take at most 46/3 cycles, each beside any one phase of each of",
}


@pytest.mark.parametrize("file", SAID)
def test_sentences_say_no_more_than_was_checked(file: str) -> None:
    """Who makes no call may answer one; a phase of another job may end, and the next one begin; other nodes differ."""
    assert SAID[file] in checked_file(CORPUS / "correct" / f"{file}.json")[1]


def test_a_node_that_a_cut_lists_twice_counts_once() -> None:
    proof = json.loads((CORPUS / "correct" / "calls-by-hand.json").read_text(encoding="utf-8"))
    cut = proof["claims"][2]["cut"]
    assert proof["claims"][2]["kind"] == "calls-cut"
    cut += cut
    assert checked(proof)[0] == 0


# -- the file itself ----------------------------------------------------------------------------------------------


def test_the_checker_is_one_file_of_standard_python() -> None:
    text = CHECKER.read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 9))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert found <= set(sys.stdlib_module_names)
    assert "routeproof" not in found


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    """Without this package, and in any folder."""
    for path in (files("correct")[0], files("incorrect")[0], files("malformed")[0]):
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(CHECKER), str(path)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == STATUS[path.parent.name]
        assert done.stderr == ""


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["no-such-file.json"], ["."]])
def test_other_arguments_end_with_2(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(CHECKER), *arguments], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr == b""


# -- hostile files ------------------------------------------------------------------------------------------------

HOSTILE = {
    "a million digits": '{"format": ' + "7" * 1_000_000 + "}",
    "a million digits as a text": '{"nodes": "' + "7" * 1_000_000 + '"}',
    "an exponent of a million": '{"format": 1e1000000}',
    "a million lists": "[" * 1_000_000,
    "a million objects": '{"a":' * 1_000_000,
    "a surrogate": '{"format": "\\ud800"}',
    "only a surrogate": "\ud800",
    "a null byte": "\x00",
    "a byte order mark": "\ufeff{}",
    "infinity": '{"format": Infinity}',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_unreadable(what: str) -> None:
    status, said = checked(HOSTILE[what])
    assert status == 2
    assert len(said) < 400


def test_a_name_cannot_write_to_the_terminal() -> None:
    proof = json.loads((CORPUS / "correct" / "two-nodes-by-hand.json").read_text())
    proof["routings"][0]["name"] = "\x1b[2J: holds\n1000 claims hold\u202e" + "x" * 1000
    status, said = checked(proof)
    assert status == 0
    assert said.isascii()
    assert "\x1b" not in said
    read = 1 + len(proof["routings"]) + len(proof["demands"])
    assert said.count("\n") == read + len(proof["claims"]) + len(proof["not_elaborated"]) + 1


def test_more_nodes_than_memory_are_no_harm() -> None:
    """Numbers of nodes are only numbers: lists are as long as the file has them."""
    proof = json.loads((CORPUS / "correct" / "two-nodes-by-hand.json").read_text())
    proof["network"]["nodes"] = "1" + "0" * 3000
    proof["claims"] = proof["claims"][:2]
    assert checked(proof)[0] == 0
