"""Tables that translations of the network take to themselves: what one node does for a destination, all others do.

On tori, hypercubes and other networks with a commutative group of symmetries, one translation for every node, such
tables are searched first: one change is made at all nodes alike, and the channels of one class have one worst case.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...core.arrays import Int32
from ...core.network import Network
from ...core.symmetry import orbit_labels, translations_of
from ...graphs.shortest import hops_to_all
from ...kernel.table_bounds import Names, at_most, room, steps
from ...searching.satisfiability import solve
from ...symmetry.automorphisms import generators_of
from .tables import Images, Tables

_MOST_NUMBERS = 100_000_000
_MOST_CLAUSES = 300_000
_MOST_CONFLICTS = 40_000  # not seconds: what is found does not depend on the machine


def no_images(network: Network, num_columns: int) -> Images:
    """The identity alone: every channel has a worst case of its own."""
    node, channel, column = (
        np.arange(x, dtype=np.int32)[None, :] for x in (network.num_nodes, network.num_channels, num_columns)
    )
    return Images(node, channel, column, channel[0])


def images_of(tables: Tables) -> Images | None:
    """The declared translations of the tables' network; None where it has none, or where its nodes do not have equally
    many terminals, each of which both sends and receives."""
    network = tables.network
    if network.symmetry is None or network.num_nodes < 2 or not np.array_equal(network.source, network.sink):
        return None
    count = network.num_terminals // network.num_nodes
    if (network.supply != count).any():
        return None
    shift = translations_of(network, generators_of(network, symmetry="translations")[0])
    size = network.num_nodes + network.num_channels + tables.num_columns
    if shift is None or network.num_nodes * size > _MOST_NUMBERS:
        return None
    order = np.argsort(network.source, kind="stable")  # the terminals of node v: order[count v:count (v + 1)]
    place = np.argsort(order)
    terminal = order[count * shift.sum[:, network.source] + place % count]
    part = tables.first[None, :]
    if tables.by_source:
        part = terminal[:, tables.first]
    column = tables.use[part, terminal[:, tables.destination]].astype(np.int32)
    channel = np.stack([shift.channels(v) for v in range(network.num_nodes)])
    return Images(shift.sum, channel, column, orbit_labels(network.num_channels, list(channel)))


def symmetrised(columns: Int32, images: Images) -> Int32:
    """The tables that the first column of every class gives: what translations make of it."""
    result = np.full_like(columns, -1)
    for j in np.unique(images.column.min(axis=0)).tolist():
        column = columns[:, j]
        moved = np.where(column >= 0, images.channel[:, column], -1)
        for node, own, k in zip(images.node, moved, images.column[:, j].tolist(), strict=True):
            result[node, k] = own
    return result


def symmetric_below(
    network: Network, images: Images, bound: Fraction, *, minimal: bool, seconds: float | None = None
) -> Int32 | None:
    """Symmetric tables (N, T) whose worst case is below ``bound``, by a solver of clauses; None where it finds none, in
    so many ``seconds``.

    The clauses are those of ``kernel.table_bounds.table_formula`` for one terminal of every class, with the covers of
    one channel of every class; ``minimal``: with shortest paths only.
    """
    try:
        from pysat.solvers import Solver
    except ImportError:
        return None
    ends, channels = (np.unique(x).tolist() for x in (images.column.min(axis=0), images.rep))
    size = network.num_nodes
    if len(ends) * size * network.num_channels > _MOST_CLAUSES:
        return None
    names, clauses = Names(), list[list[int]]()
    tail, head, rep = network.tail.tolist(), network.head.tolist(), images.rep.tolist()
    to = np.argmax(images.channel == images.rep[None, :], axis=0)  # who takes a channel to the one of its class
    node, terminal = images.node[to], images.column[to]
    rows = {c: [names.new() for _ in range(size)] for c in channels}
    columns = {c: [names.new() for _ in range(network.num_terminals)] for c in channels}
    hops = hops_to_all(network)
    chosen: dict[tuple[int, int, int], int] = {}
    for j in ends:
        end = int(network.sink[j])
        others = [v for v in range(size) if v != end]
        passes = {(s, v): names.new() for s in others for v in others if s != v}
        choice: dict[int, list[int]] = {v: [] for v in others}
        for c, v in enumerate(tail):
            if v == end or (minimal and hops[end, head[c]] >= hops[end, v]):
                continue
            chosen[v, j, c] = names.new()
            choice[v].append(chosen[v, j, c])
            clauses += steps(chosen[v, j, c], v, head[c], end, others, passes)
            for s in others:
                here = [] if s == v else [-passes[s, v]]
                covers = [rows[rep[c]][node[c, s]], columns[rep[c]][terminal[c, j]]]
                clauses.append([-chosen[v, j, c], *here, *covers])
        clauses += choice.values()
    for c in channels:
        weighted = [(x, int(network.supply[v])) for v, x in enumerate(rows[c])] + [(x, 1) for x in columns[c]]
        clauses += at_most(weighted, room(network.bandwidth[c], bound), names)
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        solver.conf_budget(_MOST_CONFLICTS)
        if not solve(solver, float("inf") if seconds is None else seconds):
            return None
        model = set(solver.get_model())
    table = np.full((size, network.num_terminals), -1, dtype=np.int32)
    for (v, j, c), name in chosen.items():
        if name in model:
            table[v, j] = c
    return symmetrised(table, images)
