"""An all-reduce as a reduce-scatter and then an all-gather, and the sets of nodes that bound every all-reduce."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from ...claims.collectives.all_reduce import ALL_REDUCE, GOSSIP, PHASES, TWO_PHASES, in_sequence
from ...core.arrays import Bools, Int64
from ...core.claim import Claim
from ...core.collective import Broadcasts
from ...formats.documents.packed_ints import pack_ints
from ...graphs.max_flow import FlowGraph
from ...kernel.packings import all_reduce_rate
from .rate import scaled
from .result import Best

_ABOUT = {"operation": "all-reduce"}


def all_reduce_claims(found: Mapping[str, Best], num_ranks: int) -> list[Claim]:
    """``found``: the best of both phases; one equation where the two ends meet, else what is known of each."""
    gather = found["all-gather"]
    choices = [parts for x in found.values() for parts in (_single_nodes(x.task), _narrow_sets(x))]
    parts = min(choices, key=lambda x: all_reduce_rate(gather.task, x, num_ranks))
    high = all_reduce_rate(gather.task, parts, num_ranks)
    above, below = {"parts": pack_ints(parts)}, {"from": [*PHASES]}
    rates = [found[x].rate for x in PHASES]
    low = in_sequence(rates) if min(rates) else Fraction(0)
    if low == high:
        return [ALL_REDUCE.claim(low, {**below, **above}, _ABOUT)]
    return [
        *([TWO_PHASES.claim(low, below, _ABOUT)] if low else []),
        GOSSIP.claim(high, above, _ABOUT),
    ]


def _single_nodes(task: Broadcasts) -> Int64:
    """Every node that holds a rank is a set."""
    return np.where(task.reached, np.arange(task.network.num_nodes), -1).astype(np.int64)


def _narrow_sets(best: Best) -> Int64:
    """Disjoint sets, each the least one around some rank into which no more flows than it needs at the best rate: such
    sets are disjoint or equal; what they leave are sets of one node."""
    task = best.task
    numbers = scaled(task, best.cut.rate)
    graph = FlowGraph(task.tail, task.head, numbers.capacity, numbers.supply)
    parts = np.full(task.network.num_nodes, -1, dtype=np.int64)
    for v in task.nodes:
        if parts[v] < 0:
            inside = _around(graph, task, v, numbers.total)
            parts[inside & (parts < 0)] = v
    return parts


def _around(graph: FlowGraph, task: Broadcasts, v: int, need: int) -> Bools:
    graph.least([v], most=need)
    found = graph.end_side
    return found if not found[task.reached].all() else np.arange(len(found)) == v
