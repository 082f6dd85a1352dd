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
    image = np.full(size, -1, dtype=np.int64)
    if left is not None:
        image[~left] = np.nonzero(~left)[0]
    used = np.flatnonzero(flow)
    packets = np.repeat(used, flow[used])
    image[_in_turn(routing.row_of, row[packets], left)] = _in_turn(routing.column_of, column[packets], left)
    idle, open_ = image < 0, np.ones(size, dtype=bool)
    open_[image[~idle]] = False
    if not apart:
        image[idle & open_] = np.flatnonzero(idle & open_)
        image[idle & ~open_] = np.flatnonzero(open_ & ~idle)
        return Permutation(image)
    free_source, free_sink = np.flatnonzero(idle), np.flatnonzero(open_)
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


def _in_turn(group_of: Int32, asked: Int32, left: npt.NDArray[np.bool_] | None) -> Int64:
    """For each of the groups that are ``asked`` a terminal of it that is ``left``, the lowest first, none twice."""
    there = np.arange(len(group_of)) if left is None else np.flatnonzero(left)
    there = there[np.argsort(group_of[there], kind="stable")]
    order = np.argsort(asked, kind="stable")
    first = np.searchsorted(group_of[there], asked[order])
    found = np.empty(len(asked), dtype=np.int64)
    found[order] = there[first + np.arange(len(asked)) - np.searchsorted(asked[order], asked[order])]
    return found


def _members(group_of: Int32) -> list[list[int]]:
    members: list[list[int]] = [[] for _ in range(int(group_of.max(initial=-1)) + 1)]
    for t in reversed(range(len(group_of))):
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
