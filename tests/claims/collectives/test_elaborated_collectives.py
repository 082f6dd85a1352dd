"""Claims about collectives in a proof: the checker holds them, and a slow judge of cuts finds them true."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from collective_reports import CASES, report
from proof_judge import false_claims
from proofs import Proof, checked, elaborated
from routeproof.claims.collectives.written import with_images
from routeproof.core.errors import InputError
from routeproof.kernel.packings import PackedTree
from routeproof.topologies.family import network_from_spec

BOTH = ["collective-at-least", "collective-at-most"]
TRAFFIC = ["flow-at-least", "quotient", "flow-at-most", "quotient"]
ALL_REDUCE = ["all-reduce-at-least", "all-reduce-at-most"]
IN_PROOFS = {
    "all-gather": BOTH, "reduce-scatter": BOTH, "broadcast": BOTH, "ranks": BOTH, "cables": BOTH, "one leaf": BOTH,
    "bound": BOTH[1:], "multicast": BOTH, "fork": BOTH[::-1], "all-to-all": TRAFFIC, "some to all": TRAFFIC,
    "both ways": [*BOTH * 2, *ALL_REDUCE], "interval": [*BOTH * 2, *ALL_REDUCE[:1]],
}  # fmt: skip


def proof_of_case(name: str) -> Proof:
    return elaborated(json.loads(json.dumps(report(name))))


@pytest.mark.parametrize("name", IN_PROOFS)
def test_the_best_rates_are_in_a_proof_that_holds_and_is_true(name: str) -> None:
    proof = proof_of_case(name)
    assert [x["kind"] for x in proof["claims"] if x["kind"] != "bandwidth"] == IN_PROOFS[name]
    status, said = checked(proof)
    assert status == 0, said
    assert false_claims(proof) == []


def test_who_copies_is_said() -> None:
    said = {name: checked(proof_of_case(name))[1] for name in ("multicast", "fork", "ranks", "reduce-scatter")}
    assert (
        "a broadcast from terminal 0 among all 3 terminals, copied at any node, has a rate of at least 1"
        in (said["multicast"])
    )
    assert "copied at nodes of ranks alone, has a rate above 1/2: holds" in said["fork"]
    assert "an all-gather among the terminals 3, 0, 1, copied at any node, has a rate above 1/2" in said["ranks"]
    assert "a reduce-scatter among all 4 terminals, added up at nodes of ranks alone," in said["reduce-scatter"]


def test_what_counts_the_cables_of_an_all_to_all_is_left_out() -> None:
    assert "cables, all-to-all" in CASES
    with pytest.raises(InputError, match="ranks' own cables"):
        proof_of_case("cables, all-to-all")


def test_a_tree_of_a_class_is_written_out_with_all_its_images() -> None:
    network = network_from_spec("ring:4")
    assert network.symmetry is not None
    clockwise = [int(np.flatnonzero((network.tail == v) & (network.head == (v + 1) % 4))[0]) for v in range(3)]
    tree = PackedTree(0, Fraction(1, 3), np.array(clockwise))
    found = with_images(network, [tree], network.symmetry.generators)
    assert {x.root for x in found} == {0, 1, 2, 3}
    assert sum(x.weight for x in found) == Fraction(4, 3)
    load = [sum(x.weight for x in found if c in x.channels) for c in range(network.num_channels)]
    assert max(load) <= 1
