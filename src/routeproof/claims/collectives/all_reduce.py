"""Claims about an all-reduce: two phases, or trees, from below; from above a division of the ranks.

- ``two-phases`` (``>=``): the rates of both phases, which other claims of the report state, one after the other;
- ``trees-both-ways`` (``>=``): trees as of ``packing``: sums flow to their roots over reverse channels, and the result
  flows back (``kernel.packings.both_ways_rate``);
- ``gossip`` (``<=``): sets of nodes, {"parts": the number of each node's set or -1, packed}, and the bandwidth between
  them (``kernel.packings.all_reduce_rate``): of all schedules whose messages carry one value each, and whose switches
  neither add nor copy;
- ``all-reduce`` (``==``): one of the former and the latter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.collective import broadcasts_of
from ...core.errors import VerificationError
from ...core.rational import shown
from ...kernel.packings import PackedTree, all_reduce_rate, both_ways_rate, sum_of_widths
from ..kind import Kind, States
from ..proofs.proof import NotElaborated, each_way, fraction
from ..reading import as_numbers
from ..routings.worst_case import SYMMETRY
from ..shapes import NUMBERS, Either, Keys, ListOf, Word
from .best import TREE, trees_of
from .subject import CABLES, Ranks
from .written import CollectiveWork, every_tree, written_trees

PHASES = ("reduce-scatter", "all-gather")
_QUANTITY = "collective_throughput"
_ABOUT = Keys({"operation": Word("all-reduce")}, {"host_cables": CABLES})


def in_sequence(rates: list[Fraction]) -> Fraction:
    """The rate of phases one after the other, each of which moves the same amount."""
    return 1 / sum((1 / x for x in rates), Fraction(0))


def check_phases(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    if data["from"] != [*PHASES]:
        raise VerificationError("its evidence does not say that it is a reduce-scatter and then an all-gather")
    rates = [ranks.stated(_QUANTITY, {**claim.about, "operation": x}, relation=">=") for x in PHASES]
    if min(rates) <= 0 or in_sequence(rates) < value:
        raise VerificationError(f"it is at least {shown(value)}; both phases of the report make less")


def check_gossip(ranks: Ranks, _claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    task = broadcasts_of(ranks.network, "all-gather", ranks=ranks.ranks)
    proved = all_reduce_rate(task, as_numbers(data["parts"], "parts", ranks.network.num_nodes), len(ranks.ranks))
    if proved > value:
        raise VerificationError(f"it is at most {shown(value)}; its sets of nodes prove {shown(proved)}")


def check_both_ways(ranks: Ranks, _claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    task = broadcasts_of(ranks.network, "all-gather", ranks=ranks.ranks)
    trees, classes = trees_of(ranks, data), ranks.classes(task, data.get("symmetry"))
    carried = both_ways_rate(task, trees, classes, len(ranks.ranks))
    if carried < value:
        raise VerificationError(f"it is at least {shown(value)}; its trees carry {shown(carried)}")


def check_both(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    (check_both_ways if "trees" in data else check_phases)(ranks, claim, value, data)
    check_gossip(ranks, claim, value, data)


def elaborate_all_reduce(work: CollectiveWork, claim: Claim) -> None:
    """Trees along which sums flow to their roots, and trees along which results flow back; sets of nodes."""

    def one(relation: str) -> None:
        about = {"ranks": work.ranks.ranks, "value": fraction(claim.number)}
        if relation == "<=":
            work.proof.claim("all-reduce-at-most", **about, sets=_written_sets(work.ranks, claim))
        else:
            sums, results = (_both_ways if "trees" in claim.evidence.data else _one_after_the_other)(work.ranks, claim)
            work.proof.claim("all-reduce-at-least", **about, **written_trees(sums=sums, results=results))

    each_way(claim, one)


def _written_sets(ranks: Ranks, claim: Claim) -> list[list[int]]:
    network, data = ranks.network, claim.evidence.data
    part = as_numbers(data["parts"], "parts", network.num_nodes)
    task, across = broadcasts_of(network, "all-gather", ranks=ranks.ranks), part[network.tail] != part[network.head]
    sides = (np.flatnonzero(across & (part[x] >= 0)) for x in (network.tail, network.head))
    sets = [np.flatnonzero(part == k).tolist() for k in np.unique(part[part >= 0])]
    if min(sum_of_widths(task, x) for x in sides) > claim.number * 2 * (len(sets) - 1) * len(ranks.ranks):
        raise NotElaborated("it is bounded by one set of nodes alone, and the format counts messages between all sets")
    return sets


def _both_ways(ranks: Ranks, claim: Claim) -> tuple[list[PackedTree], list[PackedTree]]:
    data = claim.evidence.data
    results = every_tree(ranks.network, trees_of(ranks, data), data, divided=True)
    return [replace(x, channels=ranks.network.opposite[x.channels].astype(np.int64)) for x in results], results


def _one_after_the_other(ranks: Ranks, claim: Claim) -> tuple[list[PackedTree], list[PackedTree]]:
    """The trees of both phases, each with just what the all-reduce needs of it."""
    found = []
    for operation in PHASES:
        about = {**claim.about, "operation": operation}
        stated = (x for x in ranks.others if "trees" in x.evidence.data and dict(x.about) == about)
        data = next(stated).evidence.data
        trees, carried = every_tree(ranks.network, trees_of(ranks, data), data), dict[int, Fraction]()
        for x in trees:
            carried[x.root] = carried.get(x.root, Fraction(0)) + x.weight
        supply = broadcasts_of(ranks.network, operation, ranks=ranks.ranks).supply
        part = {v: claim.number * int(supply[v]) / x for v, x in carried.items()}
        found.append([replace(x, weight=x.weight * part[x.root]) for x in trees])
    sums, results = found
    return sums, results


_PHASES = {"from": ListOf(Word(*PHASES))}
_PARTS = {"parts": NUMBERS}
_TREES = {"trees": ListOf(TREE)}
_GOSSIP = "Patarasuk & Yuan 2009 (J. Parallel Distrib. Comput. 69); Harary & Schwenk 1974 (J. Franklin Inst. 297)"
_TREE_SOURCE = "Tutte 1961 and Nash-Williams 1961 (J. London Math. Soc. 36)"
TWO_PHASES = Kind(
    "two-phases",
    "A reduce-scatter and then an all-gather, whose rates other claims of this report state.",
    Keys(_PHASES),
    {_QUANTITY: States((">=",), Grade.PROVED, _ABOUT)},
    frozenset({"Rabenseifner 2004 (ICCS)"}),
    check_phases,
    elaborate=elaborate_all_reduce,
    rests=True,
    subjects=frozenset({"collective", "schedule"}),
)
BOTH_WAYS = Kind(
    "trees-both-ways",
    "Trees from a rank to all ranks: sums flow to the root over reverse channels, the result flows back, and the "
    "weights fit into every channel.",
    Keys(_TREES, {"symmetry": SYMMETRY}),
    {_QUANTITY: States((">=",), Grade.PROVED, _ABOUT)},
    frozenset({_TREE_SOURCE}),
    check_both_ways,
    elaborate=elaborate_all_reduce,
    subjects=frozenset({"collective", "schedule"}),
)
GOSSIP = Kind(
    "gossip",
    "Disjoint sets of nodes that hold all ranks: for each place of the result each set sends a message and receives "
    "one, and k sets send 2 (k - 1), if a message carries one value or sum, and switches neither add nor copy.",
    Keys(_PARTS),
    {_QUANTITY: States(("<=",), Grade.PROVED, _ABOUT)},
    frozenset({_GOSSIP}),
    check_gossip,
    elaborate=elaborate_all_reduce,
    subjects=frozenset({"collective", "schedule"}),
)
ALL_REDUCE = Kind(
    "all-reduce",
    "From below a reduce-scatter and then an all-gather, whose rates other claims of this report state, or trees that "
    "are used both ways, for sums and for the result; from above disjoint sets of nodes that hold all ranks: for each "
    "place of the result each set sends a message and receives one, and k sets send 2 (k - 1), if a message carries "
    "one value or sum, and switches neither add nor copy.",
    Either("trees", Keys({**_TREES, **_PARTS}, {"symmetry": SYMMETRY}), Keys({**_PHASES, **_PARTS})),
    {_QUANTITY: States(("==",), Grade.PROVED, _ABOUT)},
    frozenset({_GOSSIP}),
    check_both,
    elaborate=elaborate_all_reduce,
    rests=True,
    subjects=frozenset({"collective", "schedule"}),
)
