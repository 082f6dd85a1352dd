"""An all-reduce: as a reduce-scatter and then an all-gather, or along trees that are used both ways; and the sets of
nodes that bound every all-reduce."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.collectives.all_reduce import ALL_REDUCE, BOTH_WAYS, GOSSIP, PHASES, TWO_PHASES, in_sequence
from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.collective import Broadcasts
from ...core.spread import Stage, silent
from ...formats.documents.packed_ints import pack_ints
from ...graphs.max_flow import FlowGraph
from ...kernel.packings import all_reduce_rate
from .both_ways import BothWays, trees_both_ways
from .rate import scaled
from .result import Best, InterruptedPacking, interruptible, written_trees


def all_reduce_claims(
    found: Mapping[str, Best], num_ranks: int, more: Mapping[str, Any], *, stage: Stage = silent
) -> list[Claim]:
    """``found``: the best of both phases; one equation where the two ends meet, else what is known of each; ``more``:
    qualifiers besides the operation.

    Trees that are used both ways are looked for where the phases do not reach the bound.
    """
    task = found["all-gather"].task
    choices = [parts for x in found.values() for parts in (_single_nodes(x.task), _narrow_sets(x), _two_sides(x))]
    rates = [found[x].rate for x in PHASES]
    low = in_sequence(rates) if min(rates) else Fraction(0)
    below: dict[str, Any] = {"from": [*PHASES]}
    parts, high = _narrowest(task, choices, num_ranks)
    if 0 < low < high:
        other = _both_ways(task, high * num_ranks, stage)
        if other is not None:
            parts, high = _narrowest(task, [parts, *other.parts], num_ranks)
            if other.rate > low * num_ranks:
                low = other.rate / num_ranks
                below = {"trees": written_trees(other.trees), "symmetry": other.symmetry}
    above, about = {"parts": pack_ints(parts)}, {"operation": "all-reduce", **more}
    if low == high:
        return [ALL_REDUCE.claim(low, {**below, **above}, about)]
    kind = BOTH_WAYS if "trees" in below else TWO_PHASES
    return [*([kind.claim(low, below, about)] if low else []), GOSSIP.claim(high, above, about)]


def _both_ways(task: Broadcasts, most: Fraction, stage: Stage) -> BothWays | None:
    try:
        with interruptible(stage) as step, step("trees both ways") as progress:
            return trees_both_ways(task, most, progress)
    except InterruptedPacking:
        return None


def _narrowest(task: Broadcasts, choices: Sequence[Int64], num_ranks: int) -> tuple[Int64, Fraction]:
    rates = [all_reduce_rate(task, x, num_ranks) for x in choices]
    k = rates.index(min(rates))
    return choices[k], rates[k]


def _single_nodes(task: Broadcasts) -> Int64:
    """Every node that holds a rank is a set."""
    return np.where(task.reached, np.arange(task.network.num_nodes), -1).astype(np.int64)


def _two_sides(best: Best) -> Int64:
    """Both sides of the cut."""
    return best.cut.inside.astype(np.int64)


def _narrow_sets(best: Best) -> Int64:
    """Disjoint sets, each the least one around some rank into which no more flows than it needs at the best rate: such
    sets are disjoint or equal; what they leave are sets of one node."""
    task = best.task
    numbers = scaled(task, best.cut.rate)
    graph = FlowGraph(task.tail, task.head, numbers.capacity, numbers.supply)
    parts = np.full(task.network.num_nodes, -1, dtype=np.int64)
    for v in task.nodes:
        if parts[v] < 0:
            graph.least([v], most=numbers.total)
            found = graph.end_side
            inside = found if not found[task.reached].all() else np.arange(len(found)) == v
            parts[inside & (parts < 0)] = v
    return parts
