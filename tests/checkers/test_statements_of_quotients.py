"""What a checker prints of throughput, fractions and prices is the whole statement, and follows from what is proved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from falsified_proofs import other_quotients, statement
from proof_judge import false_claims
from proofs import EVERY_CHARACTER, Proof, checked, every_character, source

SOURCES = [
    "design", "tradeoff", "ideal", "ideal of a matrix", "routable design", "comparison", "capacity", "any rate",
    "design of a box", "least-load-within-a-path-length", "two-shortest-paths", "shortest-paths-alone",
    "tables-by-hand",
]  # fmt: skip


def sentences(proof: Proof) -> list[str]:
    """What is printed of the claims."""
    return re.findall(r"^[0-9]+\. (.*): holds$", checked(proof)[1], re.MULTILINE)


def printed(name: str) -> Iterator[tuple[Proof, dict[str, Any], str]]:
    """(the proof, a claim, what is printed of it)."""
    proof = source(name)
    for claim, said in zip(proof["claims"], sentences(proof), strict=True):
        yield proof, claim, said


@pytest.mark.parametrize("name", SOURCES)
def test_every_quotient_says_which_set_routing_and_limits(name: str) -> None:
    for proof, claim, said in printed(name):
        if claim["kind"] != "quotient":
            continue
        of = None if claim["of"] is None else proof["claims"][claim["of"]]
        over = proof["claims"][claim["over"]]
        own = over if of is None or "fraction" in claim["quantity"] else of
        if "demands" in own:
            assert f"set {own['demands'] + 1} (" in said
        if "routing" in own and "price" not in claim["quantity"]:
            assert f"routing {own['routing'] + 1} (" in said
        if own["kind"].startswith("best"):
            assert f"between {own['between']}" in said
            assert (own["within"] is not None) == (
                " is at most " in said.partition("every routing")[2].partition(" has ")[0]
            )
        bound = {"most": "at most ", "least": "at least "}.get(claim["quantity"].split("-")[-1], "")
        assert f" {bound}{Fraction(*claim['value'])}" in said


def test_lists_of_one_name_are_told_apart() -> None:
    """Two claims may list other paths under one name: a sentence says in which claim they are."""
    named = [said for proof, claim, said in printed("two-shortest-paths") if "among-paths" in claim["kind"]]
    assert len(named) > 1
    assert len({re.findall(r"listed in claim ([0-9]+) as \"ksp:2\"", said)[0] for said in named}) == len(named)
    for proof, claim, said in printed("two-shortest-paths"):
        if claim["kind"] == "quotient" and "among-paths" in proof["claims"][claim["over"]]["kind"]:
            assert f"listed in claim {claim['over'] + 1} as " in said


def test_the_limit_of_a_design_is_in_its_throughput() -> None:
    said = checked(source("least-load-within-a-path-length"))[1]
    limited = (
        "with demands of set 2 (uniform), every routing between terminals whose average path length is at most 34/25"
    )
    assert f"{limited} has a throughput of at most 150/121: holds\n" in said
    assert "each routed as is best for it, the throughput is at least 18/13: holds\n" in said


def test_two_routings_of_one_name_are_told_apart() -> None:
    said = sentences(source("two-routings-of-one-name"))
    assert len(set(said)) == len(said) == 11


@pytest.mark.parametrize("name", SOURCES)
def test_a_quotient_that_passes_is_true_of_what_it_says(name: str) -> None:
    """Judged without the numbers of the claims that it is of: by loads and flows, computed again."""
    passed, known = 0, dict[str, list[int]]()
    for changed in other_quotients(source(name), 20, seed=len(name)):
        status, said = checked(changed)
        if status == 0:
            passed += 1
            key = statement(changed)
            known[key] = known[key] if key in known else false_claims(changed)
            assert known[key] == [], said.splitlines()[-2]
    assert passed


def test_names_are_printed_in_full_and_all_but_printable_ascii_is_escaped() -> None:
    status, said = checked(every_character())
    assert status == 0
    assert said.isascii()
    assert said.isprintable() or set(said) - set(map(chr, range(32, 127))) == {"\n"}
    shown, _ = json.JSONDecoder().raw_decode(said.partition("\n1. under routing 1 (")[2])
    assert shown == EVERY_CHARACTER


def test_names_that_differ_at_their_end_are_printed_differently() -> None:
    one, two = ({**every_character(), "not_elaborated": [["x" * 200 + last, ""]]} for last in "ab")
    assert checked(one)[1] != checked(two)[1]


def test_long_values_are_printed_in_full() -> None:
    proof = source("two-nodes-by-hand")
    claim = proof["claims"][0]
    claim["value"] = ["1" + "0" * 80 + "1", "1" + "0" * 80]
    assert f"more than {claim['value'][0]}/{claim['value'][1]} times" in checked(proof)[1]
