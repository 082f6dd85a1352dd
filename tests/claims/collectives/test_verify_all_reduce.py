"""All-reduces: two phases, trees both ways, divisions of the ranks; damaged, they are refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from answered_reports import verify
from collective_reports import evidence, report
from routeproof.core.errors import VerificationError
from routeproof.core.network import Network
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.questions.collectives.best import Collective


def test_damaged_trees_both_ways_are_refused() -> None:
    document = report("both ways")
    trees = evidence(document)["trees"]
    trees[0]["weight"] = str(2 * Fraction(trees[0]["weight"]))
    with pytest.raises(VerificationError, match=r"its trees put .* on channel"):
        verify(document)
    document = report("both ways")
    evidence(document)["symmetry"] = {"declared": []}
    with pytest.raises(VerificationError, match=r"its trees put .* on channel"):
        verify(document)
    document = report("both ways")
    del evidence(document)["trees"][0]
    with pytest.raises(VerificationError, match=r"it is at least 7/30; its trees carry|it has no trees"):
        verify(document)


def test_switches_add_nothing_at_the_root_of_a_tree() -> None:
    """Through a switch with four ranks no all-reduce is faster than 1/6; a tree whose root adds would make 1/4."""
    star = Network.of(
        "star", 5, [(0, 4), (4, 0), (1, 4), (4, 1), (2, 4), (4, 2), (3, 4), (4, 3)], source=range(4), sink=range(4)
    )
    document = json.loads(json.dumps(Collective(star, operation="all-reduce").answer().document()))
    claim = document["claims"][0]
    document["claims"] = [claim]
    trees = [{"root": 4, "weight": "1", "channels": pack_ints([1, 3, 5, 7])}]
    claim |= {"relation": ">=", "value": "1/4", "evidence": {"kind": "trees-both-ways", "trees": trees}}
    claim["source"] = "Tutte 1961 and Nash-Williams 1961 (J. London Math. Soc. 36)"
    with pytest.raises(VerificationError, match=r"trees\[0\] has its root at node 4, which holds no rank"):
        verify(document)


def test_damaged_all_reduce_is_refused() -> None:
    document = report("all-reduce")
    document["claims"][0]["value"] = "1/3"
    with pytest.raises(VerificationError, match="both phases of the report make less"):
        verify(document)
    document["claims"][0]["value"] = "1/5"
    with pytest.raises(VerificationError, match="its sets of nodes prove 1/4"):
        verify(document)
    document = report("all-reduce")
    del document["claims"][1]
    with pytest.raises(VerificationError, match=r"does not state collective_throughput .* of reduce-scatter"):
        verify(document)


@pytest.mark.parametrize("parts", [[0] * 9, [-1] * 9, [0] * 8 + [-1]])
def test_sets_that_do_not_divide_the_ranks_are_refused(parts: list[int]) -> None:
    document = report("all-reduce")
    evidence(document)["parts"] = pack_ints(parts)
    with pytest.raises(VerificationError, match="do not divide the ranks"):
        verify(document)
