"""Claims of the kind ``packing``: the best rate of a collective, by a cut from above and packed trees from below.

The evidence: {"inside": 0 or 1 a node, packed, "trees": [{"root": node, "weight": a fraction, "channels": numbers,
packed, in an order in which units can travel them}, ...], "symmetry"?}.  ``<=`` needs the cut alone, ``>=`` the trees.
The channels of a reduce-scatter are travelled from head to tail: its trees are those by which sums flow to the root,
told from the root on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import shown
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.packings import PackedTree, cut_rate, packed_rate
from ..kind import BOUNDS, Kind, States
from ..proofs.proof import each_way
from ..reading import as_fraction, as_numbers, as_whole
from ..routings.worst_case import SYMMETRY
from ..shapes import BOUND, NUMBERS, WHOLE, Keys, ListOf, Word
from ..work import spend
from .subject import CABLES, SWITCHES, Ranks
from .written import CollectiveWork, every_tree, written_set, written_trees

SOURCE = "Edmonds 1973; Bang-Jensen, Frank & Jackson 1995 (SIAM J. Discrete Math. 8)"
_STEP = 1.0  # of a channel in a tree
_BIT = 0.01  # of the common denominator of weights, for every tree
_BITS = 0.003  # of the same, for a load as a fraction; squared


def check_packing(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The collective has a best rate of at least, at most or just ``value``."""
    task = ranks.task(claim.about)
    if ("inside" in data) != (claim.relation != ">=") or ("trees" in data) != (claim.relation != "<="):
        raise VerificationError(f"it says {claim.relation}, for which its evidence has too much or too little")
    if claim.relation != ">=":
        inside = as_numbers(data["inside"], "inside", ranks.network.num_nodes)
        if not np.isin(inside, (0, 1)).all():
            raise VerificationError("inside must hold 0 or 1 for every node")
        proved = cut_rate(task, inside == 1)
        if proved > value:
            raise VerificationError(f"it is at most {shown(value)}; its cut proves {shown(proved)}")
    if claim.relation != "<=":
        trees = trees_of(ranks, data)
        copies = np.ones_like(task.reached) if "switches" in claim.about else task.reached
        carried = packed_rate(task, trees, ranks.classes(task, data.get("symmetry")), copies=copies)
        if carried < value:
            raise VerificationError(f"it is at least {shown(value)}; its trees carry {shown(carried)}")
    elif "symmetry" in data:
        raise VerificationError("its cut is not read with a symmetry")


def trees_of(ranks: Ranks, data: Mapping[str, Any]) -> list[PackedTree]:
    """The trees of the evidence, read and not yet checked."""
    trees = [_tree(ranks, x, f"trees[{k}]") for k, x in enumerate(data["trees"])]
    if not trees:
        raise VerificationError("it has no trees")
    scale = 1
    for x in trees:
        scale = math.lcm(scale, x.weight.denominator)
        spend(_BIT * scale.bit_length(), "weights of trees")
    spend((_BITS * scale.bit_length()) ** 2 * len({c for x in trees for c in x.channels.tolist()}), "weights of trees")
    return trees


def _tree(ranks: Ranks, item: Mapping[str, Any], what: str) -> PackedTree:
    network = ranks.network
    most = network.num_nodes * network.num_nodes
    channels = unpack_ints(item["channels"], what=f"{what}.channels", max_items=most)
    spend(_STEP * len(channels), "trees of a collective")
    if len(channels) and not 0 <= int(channels.min()) <= int(channels.max()) < network.num_channels:
        raise VerificationError(f"{what} has a channel that the network has not")
    root = as_whole(item["root"], f"{what}.root", 0, network.num_nodes - 1)
    return PackedTree(root, as_fraction(item["weight"], f"{what}.weight"), channels)


def elaborate_packing(work: CollectiveWork, claim: Claim) -> None:
    data = claim.evidence.data

    def one(relation: str) -> None:
        if relation == "<=":
            work.claim(claim, relation, cuts=[[1, written_set(work.ranks.network, data["inside"], "inside")]])
        else:
            found = every_tree(work.ranks.network, trees_of(work.ranks, data), data)
            work.claim(claim, relation, **written_trees(trees=found))

    each_way(claim, one)


TREE = Keys({"root": WHOLE, "weight": BOUND, "channels": NUMBERS})
PACKING = Kind(
    "packing",
    "From above a set of nodes, which all that its ranks emit must leave; from below trees from every rank that emits "
    "to all ranks, whose weights fit into every channel.",
    Keys({}, {"inside": NUMBERS, "trees": ListOf(TREE), "symmetry": SYMMETRY}),
    {
        "collective_throughput": States(
            BOUNDS,
            Grade.PROVED,
            Keys(
                {"operation": Word("all-gather", "reduce-scatter", "broadcast")},
                {"root": WHOLE, "switches": SWITCHES, "host_cables": CABLES},
            ),
        )
    },
    frozenset({SOURCE}),
    check_packing,
    elaborate=elaborate_packing,
    subjects=frozenset({"collective", "schedule"}),
)
