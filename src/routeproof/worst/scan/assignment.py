"""From a flow between rows and columns to a permutation of terminals (or a traffic matrix)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.loads import LoadBlock
from ...core.traffic import Permutation
from ...graphs.transport_arrays import Rates
from ...routing.base.routing import Routing
from .models import Model


def flow_permutation(
    routing: Routing,
    row: Int32,
    column: Int32,
    flow: Int64,
    *,
    apart: bool = False,
    left: npt.NDArray[np.bool_] | None = None,
) -> Permutation | None:
    """A permutation that sends ``flow[e]`` packets from terminals of row[e] to terminals of column[e].

    Terminals that the flow leaves out keep their packet at home where they can, and are paired in order otherwise.
    ``left``: bool (T,), after a failure the terminals that are left; the others keep their packets at home.
    ``apart``: every packet must leave its node (base loads count only then); None where that cannot be arranged.
    """
    size = routing.network.num_terminals
    sources = _members(routing.row_of, left)
    sinks = _members(routing.column_of, left)
    image = np.full(size, -1, dtype=np.int64)
    if left is not None:
        image[~left] = np.nonzero(~left)[0]
    for e in np.nonzero(flow)[0].tolist():
        for _ in range(int(flow[e])):
            image[sources[int(row[e])].pop()] = sinks[int(column[e])].pop()
    free_source = np.nonzero(image < 0)[0]
    taken = np.zeros(size, dtype=bool)
    taken[image[image >= 0]] = True
    free_sink = np.nonzero(~taken)[0]
    if not apart:
        home = np.intersect1d(free_source, free_sink)
        image[home] = home
        image[np.setdiff1d(free_source, home)] = np.setdiff1d(free_sink, home)
        return Permutation(image)
    # Pair in order of node, shifted by the largest number of terminals on one node; then repair clashes by swaps.
    source_node, sink_node = routing.network.source, routing.network.sink
    a = free_source[np.argsort(source_node[free_source], kind="stable")]
    b = free_sink[np.argsort(sink_node[free_sink], kind="stable")]
    if len(a):
        shift = max(int(np.bincount(source_node[a]).max()), int(np.bincount(sink_node[b]).max()))
        image[a] = np.roll(b, -shift)
    for i in a[source_node[a] == sink_node[image[a]]].tolist():
        home = source_node[i]
        # A free terminal k to swap with: both packets must leave their nodes afterwards.
        fits = a[(sink_node[image[a]] != home) & (source_node[a] != sink_node[image[i]])]
        if not len(fits):
            return None
        k = int(fits[0])
        image[i], image[k] = image[k], image[i]
    return Permutation(image)


def witness_of(
    routing: Routing, model: Model, block: LoadBlock, flow: Int64
) -> tuple[Permutation | None, list[tuple[int, int, Fraction]] | None] | None:
    """(permutation, traffic) that reaches the optimum of the block's one channel, by its optimal flow; None where some
    packet of it would stay at its node, whose base load counts."""
    apart = block.base is not None
    if model.name == "balanced":
        permutation = flow_permutation(routing, block.row, block.column, flow, apart=apart)
        return None if permutation is None else (permutation, None)
    if apart:
        return None
    row, column = block.row, block.column
    if model.rates.idle:
        row, column, flow = without_idle(routing, block, flow, model.rates)
    return None, flow_traffic(routing, row, column, flow, model.sends, model.receives, model.rates.unit)


def flow_traffic(
    routing: Routing, row: Int32, column: Int32, flow: Int64, supply: list[int], demand: list[int], unit: int
) -> list[tuple[int, int, Fraction]]:
    """Rates (i, j, rate) between terminals with this flow between rows and columns, in units of 1 / ``unit``.

    supply, demand: integers per terminal.
    """
    left = [{t: supply[t] for t in group} for group in _members(routing.row_of)]
    right = [{t: demand[t] for t in group} for group in _members(routing.column_of)]
    rates: list[tuple[int, int, Fraction]] = []
    for e in np.nonzero(flow)[0].tolist():
        amount = int(flow[e])
        mine, theirs = left[int(row[e])], right[int(column[e])]
        while amount:
            i = next(t for t, x in mine.items() if x)
            j = next(t for t, x in theirs.items() if x)
            part = min(amount, mine[i], theirs[j])
            mine[i] -= part
            theirs[j] -= part
            amount -= part
            rates.append((i, j, Fraction(part, unit)))
    return rates


def _members(group_of: Int32, left: npt.NDArray[np.bool_] | None = None) -> list[list[int]]:
    members: list[list[int]] = [[] for _ in range(int(group_of.max(initial=-1)) + 1)]
    for t in reversed(range(len(group_of)) if left is None else np.nonzero(left)[0].tolist()):
        members[int(group_of[t])].append(t)
    return members


def without_idle(routing: Routing, block: LoadBlock, flow: Int64, rates: Rates) -> tuple[Int32, Int32, Int64]:
    """Rows, columns and flow of packets that are not idle, and no more of them than there may be.

    Where idle packets are not all sent, every packet has the largest load, as an idle one in its place shows; so any of
    them may be left out.
    """
    live = block.row < len(routing.row_node) - 1
    flow = flow.copy()
    over = rates.idle - int(flow[~live].sum())
    for e in np.flatnonzero(live & (flow > 0)).tolist():
        part = min(over, int(flow[e]))
        flow[e] -= part
        over -= part
    return block.row[live], block.column[live], flow[live]
