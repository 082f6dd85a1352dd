"""Claims about collectives: verified, and refused wherever the evidence is damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from routeproof.core.errors import RouteproofError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import document_to_claims
from routeproof.questions.collectives.best import Collective
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from true_reports import sealed

F = Fraction
BOX = Network.of(  # two switches with two ranks each, and a link between them
    "box", 6, [(0, 4), (4, 0), (1, 4), (4, 1), (2, 5), (5, 2), (3, 5), (5, 3), (4, 5), (5, 4)],
    bandwidth=[3] * 8 + [1, 1], source=[0, 1, 2, 3], sink=[0, 1, 2, 3],
)  # fmt: skip
FORK = Network.of("fork", 4, [(0, 3), (3, 1), (3, 2)], source=[0, 1, 2], sink=[0, 1, 2])
UNEVEN = Network.of("uneven", 2, [(0, 1), (1, 0)], bandwidth=[7, F(13, 3)], source=[0, 0, 1], sink=[0, 0, 1])
CASES = {
    "all-gather": Collective(BOX, operation="all-gather"),
    "reduce-scatter": Collective(BOX, operation="reduce-scatter"),
    "broadcast": Collective(BOX, operation="broadcast", root=2),
    "ranks": Collective(BOX, operation="all-gather", ranks=[3, 0, 1]),
    "all-reduce": Collective(network_from_spec("torus:3x3"), operation="all-reduce"),
    "both ways": Collective(network_from_spec("mesh:2x3"), operation="all-reduce"),
    "interval": Collective(UNEVEN, operation="all-reduce"),
    "all-to-all": Collective(BOX, operation="all-to-all"),
    "some to all": Collective(BOX, operation="all-to-all", ranks=[2, 0, 1]),
    "closed form": Collective(network_from_spec("torus:4x4"), operation="all-to-all"),
    "multicast": Collective(FORK, operation="broadcast", multicast=True),
    "fork": Collective(FORK, operation="broadcast"),
    "bound": Collective(BOX, operation="all-gather", bound=True),
}


@cache
def _made(name: str) -> str:
    return json.dumps(CASES[name].answer().document())


def report(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_made(name))
    return found


def verify(document: dict[str, Any]) -> None:
    verify_claims(*document_to_claims(sealed(document)))


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_verifies(name: str) -> None:
    verify(report(name))


def test_numbers() -> None:
    rates = {k: {x.relation: x.value for x in q.answer().claims() if x.about["operation"] == q.operation
                 and x.quantity == "collective_throughput"} for k, q in CASES.items()}  # fmt: skip
    assert rates["all-gather"] == rates["reduce-scatter"] == {"==": F(1, 2)}
    assert rates["broadcast"] == {"==": 1}
    assert rates["ranks"] == {"==": F(1, 2)}
    assert rates["all-reduce"] == {"==": F(1, 4)}
    assert rates["interval"] == {">=": F(91, 68), "<=": F(13, 9)}
    assert rates["both ways"] == {"==": F(7, 30)}
    assert rates["all-to-all"] == {"==": 1}  # half of what two ranks send crosses the link
    assert rates["some to all"] == {"==": F(3, 2)}
    assert rates["closed form"] == {"==": 2}
    assert rates["multicast"] == {"==": 1}
    assert rates["fork"] == {"==": F(1, 2)}
    assert rates["bound"] == {"<=": F(1, 2)}


def evidence(document: dict[str, Any], number: int = 0) -> dict[str, Any]:
    data: dict[str, Any] = document["claims"][number]["evidence"]
    return data


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


def test_bandwidths_as_nccl_prints_them() -> None:
    """nccl-tests, PERFORMANCE.md: size over time, and the factor of each operation."""
    found = {name: {x.quantity: x.value for x in CASES[name].answer().claims() if x.about["operation"] == name}
             for name in ("all-gather", "reduce-scatter", "broadcast", "all-to-all")}  # fmt: skip
    both = [(x["algorithm_bandwidth"], x["bus_bandwidth"]) for x in found.values()]
    assert both == [(2, F(3, 2)), (2, F(3, 2)), (1, 1), (1, F(3, 4))]
    claims = CASES["all-reduce"].answer().claims()
    assert [x.value for x in claims if "bandwidth" in x.quantity] == [F(9, 4), 4]


def test_damaged_all_to_all_is_refused() -> None:
    document = report("all-to-all")
    document["claims"][0]["value"] = "2"
    with pytest.raises(VerificationError, match="its lengths prove at most 1"):
        verify(document)
    document = report("all-to-all")
    document["subject"]["ranks"] = [0, 1, 2]
    with pytest.raises(RouteproofError):
        verify(document)


def test_trees_that_branch_at_switches_need_switches_that_copy() -> None:
    document = report("multicast")
    for claim in document["claims"]:
        del claim["switches"]
    with pytest.raises(VerificationError, match=r"trees\[0\]"):
        verify(document)


def test_damaged_weighted_cuts_are_refused() -> None:
    assert evidence(report("fork"))["kind"] == "weighted-cuts"
    document = report("fork")
    document["claims"][0]["value"] = "1/3"
    with pytest.raises(VerificationError, match="it is at most 1/3; its cuts prove 1/2"):
        verify(document)
    document = report("fork")
    evidence(document)["potentials"] = pack_ints([0, 0, 0, 0])
    with pytest.raises(VerificationError, match="it is at most 1/2; its cuts prove"):
        verify(document)
    document = report("fork")
    evidence(document)["potentials"] = pack_ints([0, 1, 0, 0])
    with pytest.raises(VerificationError, match="holds a rank has a potential"):
        verify(document)
    document = report("fork")
    evidence(document)["cuts"][0]["weight"] = -1
    with pytest.raises(VerificationError, match="negative weight"):
        verify(document)
    document = report("fork")
    del evidence(document)["trees"][0]
    with pytest.raises(VerificationError, match=r"its trees carry|it has no trees"):
        verify(document)
    document = report("fork")
    for claim in document["claims"]:
        claim["switches"] = "multicast"
    with pytest.raises(VerificationError, match="switches"):
        verify(document)


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
