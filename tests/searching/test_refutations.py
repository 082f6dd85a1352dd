"""Theorem 3 by refutation, and what the checker refuses."""

from __future__ import annotations

import itertools
import json
import runpy
import sys
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs import CHECKER
from routeproof.cli.main import main
from routeproof.core.cube.bounds import num_variables, tight_clauses
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import digest
from routeproof.kernel.refutation import check_refutation, with_hints
from routeproof.searching.find import find_refutation

require_refuted = runpy.run_path(str(CHECKER))["require_refuted"]
XOR = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


def test_a_small_refutation() -> None:
    assert check_refutation(2, XOR, [[2], []]) == 1
    assert check_refutation(1, [[1], [-1]], []) == 0
    assert check_refutation(1, [[]], []) == 0


@pytest.mark.parametrize(
    ("clauses", "lemmas", "words"),
    [
        (XOR, [], "after 0 lemmas no contradiction is reached: the refutation is cut off"),
        (XOR, [[1, 2]], "after 1 lemmas no contradiction"),
        (XOR[:3], [[2], []], "lemma 2 does not follow"),
        (XOR, [[]], "lemma 1 does not follow"),
        (XOR, [[3]], "lemma 1 has the literal 3; variables are 1 to 2"),
        (XOR, [[0]], "lemma 1 has the literal 0"),
        ([[1, 2]], [[-1]], "lemma 1 does not follow"),
    ],
)
def test_lemmas_that_do_not_follow(clauses: list[list[int]], lemmas: list[list[int]], words: str) -> None:
    with pytest.raises(VerificationError, match=words):
        check_refutation(2, clauses, lemmas)


CLAUSES = st.lists(
    st.lists(st.sampled_from([x for v in range(1, 5) for x in (v, -v)]), min_size=1, max_size=4), max_size=14
)


@settings(max_examples=300)
@given(CLAUSES, CLAUSES)
def test_what_is_refuted_has_no_solution(clauses: list[list[int]], lemmas: list[list[int]]) -> None:
    """Soundness, whatever the lemmas; and with all clauses as lemmas, shortest last, every contradiction is found."""
    solvable = any(
        all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in clauses)
        for values in itertools.product([False, True], repeat=4)
    )
    full = [
        [v if s else -v for v, s in zip(range(1, k + 1), signs, strict=True)]
        for k in range(4, -1, -1)
        for signs in itertools.product([False, True], repeat=k)
    ]
    try:
        check_refutation(4, clauses, lemmas)
        refuted = True
    except VerificationError:
        refuted = False
    assert not (refuted and solvable)
    if solvable:
        with pytest.raises(VerificationError):
            check_refutation(4, clauses, full)
    else:
        check_refutation(4, clauses, full)


def test_formula_of_a_cube_that_has_a_tight_graph_is_not_refuted() -> None:
    assert num_variables(3, 3) == 48
    assert find_refutation(3, 3, time_limit=inf) is None
    with pytest.raises(InputError, match="too large"):
        tight_clauses(6, 5)


def test_without_a_solver_the_search_says_at_once_that_it_cannot_refute(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setitem(sys.modules, "pysat", None)  # what a base install says to the import
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "pysat" else find_spec(name))
    asked = ["search", "permutation", "--radix", "4", "--dimensions", "3", "--steps", "3", "--time-limit", "0"]
    assert main(asked) == 1
    warning, *rest = capsys.readouterr().err.splitlines()
    assert "pip install 'routeproof[search]'" in warning
    assert "nothing is proved" in rest[-1]


def test_theorem_3_with_its_proof(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "none.json"
    wanted = ["search", "permutation", "--radix", "4", "--dimensions", "3", "--steps", "3", "--json", str(path)]
    assert main([*wanted, "--time-limit", "1e9"]) == 0
    assert "lemmas refute it" in capsys.readouterr().out
    assert main(["verify", str(path)]) == 0
    report = json.loads(path.read_text())
    [claim] = report["claims"]
    assert (claim["quantity"], claim["relation"], claim["value"], claim["grade"]) == ("steps", ">=", "4", "PROVED")
    lemmas = unpack_ints(claim["evidence"]["lemmas"], what="lemmas", max_items=10**7).tolist()
    evidence = claim["evidence"]
    half = lemmas[: len(lemmas) // 2]
    for change, words in (
        ({"evidence": {**evidence, "lemmas": pack_ints([*half, 1])}}, "cut off"),
        ({"evidence": {**evidence, "lemmas": pack_ints([1, 0, *lemmas])}}, "lemma 1 does not follow"),
        ({"evidence": {**evidence, "lemmas": pack_ints([])}}, "after 0 lemmas no contradiction"),
        ({"evidence": {**evidence, "lemmas": evidence["lemmas"][:-9]}}, "its refutation is not a packed list"),
        ({"evidence": {"kind": "refutation"}}, "its evidence has no 'formula'"),
        ({"value": "5"}, "shows 'steps >= 4'"),
        ({"graphs": "many-one"}, "known: permutation"),
        ({"grade": "EXHAUSTED"}, "makes it PROVED"),
        ({"evidence": {"kind": "guess"}}, "proves nothing here"),
    ):
        changed = {**claim, **change}
        changed["digest"] = digest(changed)
        path.write_text(json.dumps({**report, "claims": [changed]}))
        capsys.readouterr()
        assert main(["verify", str(path)]) == 1, change
        assert words in capsys.readouterr().err


@settings(max_examples=200)
@given(CLAUSES, CLAUSES)
def test_hints_are_enough_for_the_checker_of_proofs(clauses: list[list[int]], lemmas: list[list[int]]) -> None:
    """Whatever is refuted is refuted by hints, which a checker follows that searches for nothing."""
    more = [*lemmas, *([v, w] for v in (1, -1) for w in (2, -2)), [1], []]
    try:
        check_refutation(4, clauses, more)
    except VerificationError:
        with pytest.raises(VerificationError, match="does not follow"):
            with_hints(4, clauses, more)
        return
    require_refuted(list(clauses), with_hints(4, clauses, more))
