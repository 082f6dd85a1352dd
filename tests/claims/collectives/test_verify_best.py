"""Cuts and packed trees: refused wherever the evidence is damaged."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from answered_reports import verify
from collective_reports import F, evidence, report
from routeproof.claims.reading import Report
from routeproof.claims.work import limited
from routeproof.core.errors import RouteproofError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import document_to_claims
from routeproof.verification.report import check_report
from true_reports import sealed


def raise_value(document: dict[str, Any]) -> None:
    document["claims"][0]["value"] = "3/5"


def lower_value(document: dict[str, Any]) -> None:
    document["claims"][0]["value"] = "2/5"


def grow_weight(document: dict[str, Any]) -> None:
    tree = evidence(document)["trees"][0]
    tree["weight"] = str(Fraction(tree["weight"]) + F(1, 1000))


def drop_tree(document: dict[str, Any]) -> None:
    del evidence(document)["trees"][0]


def cut_off_tree(document: dict[str, Any]) -> None:
    tree = evidence(document)["trees"][0]
    tree["channels"] = pack_ints(unpack_ints(tree["channels"], what="x", max_items=99)[:-1])


def turn_tree(document: dict[str, Any]) -> None:
    tree = evidence(document)["trees"][0]
    tree["channels"] = pack_ints(unpack_ints(tree["channels"], what="x", max_items=99)[::-1].copy())


def move_root(document: dict[str, Any]) -> None:
    evidence(document)["trees"][0]["root"] = 1


def strange_channel(document: dict[str, Any]) -> None:
    tree = evidence(document)["trees"][0]
    tree["channels"] = pack_ints([*unpack_ints(tree["channels"], what="x", max_items=99)[:-1], 10])


def negative_weight(document: dict[str, Any]) -> None:
    evidence(document)["trees"][0]["weight"] = "-1/2"


def whole_cut(document: dict[str, Any]) -> None:
    evidence(document)["inside"] = pack_ints([1] * 6)


def empty_cut(document: dict[str, Any]) -> None:
    evidence(document)["inside"] = pack_ints([0] * 6)


def other_cut(document: dict[str, Any]) -> None:
    evidence(document)["inside"] = pack_ints([1, 0, 0, 0, 0, 0])


def no_cut(document: dict[str, Any]) -> None:
    del evidence(document)["inside"]


def claim_copies(document: dict[str, Any]) -> None:
    document["claims"][0]["switches"] = "multicast"


def other_operation(document: dict[str, Any]) -> None:
    document["claims"][0]["operation"] = "reduce-scatter"


def add_root(document: dict[str, Any]) -> None:
    document["claims"][0]["root"] = 0


def fewer_ranks(document: dict[str, Any]) -> None:
    document["subject"]["ranks"] = [0, 1]


def twice_a_rank(document: dict[str, Any]) -> None:
    document["subject"]["ranks"] = [0, 1, 0]


def more_bandwidth(document: dict[str, Any]) -> None:
    document["claims"][1]["value"] = "3"


DAMAGE: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (raise_value, "its trees carry|states"),
    (lower_value, "it is at most 2/5; its cut proves 1/2"),
    (grow_weight, r"its trees put .* on channel \d+ .*whose bandwidth is"),
    (drop_tree, "it is at least 1/2; its trees carry"),
    (cut_off_tree, r"trees\[0\] (does not reach node|ends at node)"),
    (turn_tree, r"trees\[0\]: channel \d+ begins at node \d, but"),
    (move_root, r"trees\[0\]: channel"),
    (strange_channel, r"trees\[0\] has a channel that the network has not"),
    (negative_weight, r"trees\[0\] has the weight -1/2"),
    (whole_cut, "its cut misses no node that must receive"),
    (empty_cut, "the nodes of its cut emit nothing"),
    (other_cut, "its cut proves 3"),
    (no_cut, "too much or too little"),
    (claim_copies, "."),
    (other_operation, "."),
    (add_root, "about all-gather, with a root"),
    (fewer_ranks, "."),
    (twice_a_rank, "ranks 0 and 2 are both terminal 0"),
    (more_bandwidth, "the report's rate makes it 2"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE, ids=[x.__name__ for x, _ in DAMAGE])
def test_damage_is_refused(damage: Callable[[dict[str, Any]], None], message: str) -> None:
    document = report("all-gather")
    damage(document)
    with pytest.raises(RouteproofError, match=message):
        verify(document)


def test_trees_that_branch_at_switches_need_switches_that_copy() -> None:
    document = report("multicast")
    for claim in document["claims"]:
        del claim["switches"]
    with pytest.raises(VerificationError, match=r"trees\[0\]"):
        verify(document)


def test_weights_whose_common_denominator_is_long_are_counted_before_they_are_added_up() -> None:
    document = report("all-gather")
    tree = evidence(document)["trees"][0]
    tree["weight"] = f"1/{3**1500}"
    evidence(document)["trees"] += [{**tree, "weight": f"1/{x**400}"} for x in (5, 7, 11, 13, 17, 19, 23, 29, 31, 37)]
    with limited(1000), pytest.raises(RouteproofError, match="weights of trees would take about"):
        check_report(Report(*document_to_claims(sealed(document))))
