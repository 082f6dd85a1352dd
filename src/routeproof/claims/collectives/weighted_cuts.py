"""Claims of the kind ``weighted-cuts``: the best rate where switches copy nothing and cannot pass on all that they
receive, by sets of nodes with weights and potentials of switches (``kernel.packings.weighted_cut_rate``).

The evidence: {"cuts": [{"inside": 0 or 1 a node, packed, "weight": whole}, ...], "potentials": a whole number a node,
packed, "trees": as of ``packing``}.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import shown
from ...kernel.packings import packed_rate, weighted_cut_rate
from ..kind import EXACT, Kind, States
from ..proofs.proof import number
from ..reading import as_numbers
from ..shapes import NUMBERS, WHOLE, Keys, ListOf, Word
from .best import SOURCE, TREE, trees_of
from .subject import CABLES, Ranks
from .written import CollectiveWork, every_tree, written_set, written_trees


def check_weighted_cuts(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    task, size = ranks.task(claim.about), ranks.network.num_nodes
    sets = []
    for k, x in enumerate(data["cuts"]):
        inside = as_numbers(x["inside"], f"cuts[{k}].inside", size)
        if not np.isin(inside, (0, 1)).all():
            raise VerificationError(f"cuts[{k}].inside must hold 0 or 1 for every node")
        sets.append((inside == 1, x["weight"]))
    proved = weighted_cut_rate(task, sets, as_numbers(data["potentials"], "potentials", size).tolist())
    if proved > value:
        raise VerificationError(f"it is at most {shown(value)}; its cuts prove {shown(proved)}")
    carried = packed_rate(task, trees_of(ranks, data), ranks.classes(task, None), copies=task.reached)
    if carried < value:
        raise VerificationError(f"it is at least {shown(value)}; its trees carry {shown(carried)}")


def elaborate_weighted_cuts(work: CollectiveWork, claim: Claim) -> None:
    data, network = claim.evidence.data, work.ranks.network
    found = every_tree(network, trees_of(work.ranks, data), data)
    potentials = as_numbers(data["potentials"], "potentials", network.num_nodes).tolist()
    cuts = [
        [number(x["weight"]), written_set(network, x["inside"], f"cuts[{k}].inside")]
        for k, x in enumerate(data["cuts"])
    ]
    work.claim(claim, "<=", cuts=cuts, potentials=[[v, number(x)] for v, x in enumerate(potentials) if x])
    work.claim(claim, ">=", **written_trees(trees=found))


_CUT = Keys({"inside": NUMBERS, "weight": WHOLE})
WEIGHTED_CUTS = Kind(
    "weighted-cuts",
    "From above sets of nodes with weights, and potentials of switches: a switch that copies nothing sends no more "
    "than it receives; from below trees from every rank that emits to all ranks, whose weights fit into every channel.",
    Keys({"cuts": ListOf(_CUT), "potentials": NUMBERS, "trees": ListOf(TREE)}),
    {
        "collective_throughput": States(
            EXACT,
            Grade.PROVED,
            Keys(
                {"operation": Word("all-gather", "reduce-scatter", "broadcast")},
                {"root": WHOLE, "host_cables": CABLES},
            ),
        )
    },
    frozenset({SOURCE}),
    check_weighted_cuts,
    elaborate=elaborate_weighted_cuts,
    subjects=frozenset({"collective", "schedule"}),
)
