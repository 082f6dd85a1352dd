"""Which channel follows which in a grid routing, by rule: no path is written out.

At a node a packet goes on, turns, or turns back.  Whether some packet does so is a question about one or two
dimensions: the packet may stand still in all others.  Within a dimension parts of a leg are legs, too (``Line.legs``:
shortest, or either way round), so a leg that comes to a node by some channel has a last hop that is a leg itself, and
one that goes through has the two hops around it.

- Straight on within a leg: where the two hops are a leg.
- From one dimension to another: within a phase where its order allows; between phases always, since the intermediate
  may be anything that leaves the first dimension done and the second to be done (unless the second is done in phase
  one, as one dimension of U2TURN is).
- Within a dimension between phases: only where the intermediate is any node (Valiant); else a leg was cut, which is
  straight on.  Then source and destination must differ, in that dimension or in another one in which the packet may
  move before or after.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import Int32, Int64
from .loads import GridLoads

Found = tuple[Int32, Int32, Int32, Int32]


@dataclass(frozen=True, eq=False)
class _Move:
    """One hop in one dimension and direction, from every node; -1 where there is none.  All int64, shape (N,)."""

    dimension: int
    direction: int
    channel: Int64
    ahead: Int64  # the node it leads to
    behind: Int64  # the node it comes from
    ahead_twice: Int64  # two hops on, where these are a shortest leg
    behind_twice: Int64


def grid_dependencies(routing: GridLoads) -> list[Found]:
    """Lists of (first, second, row, column), int32: packets from row to column cross the first and then the second.

    Every dependency of the routing's paths comes at least once.
    """
    moves = [_move(routing, m, d) for m, line in enumerate(routing.lines) for d in line.directions]
    found = []
    for a in moves:
        for b in moves:
            row, column = _packets(routing, moves, a, b)
            node = np.flatnonzero((row >= 0) & (column >= 0))
            if len(node):
                arrays = (a.channel[a.behind[node]], b.channel[node], row[node], column[node])
                first, second, source, end = (x.astype(np.int32) for x in arrays)
                found.append((first, second, source, end))
    return found


def _move(routing: GridLoads, m: int, d: int) -> _Move:
    network, line = routing.network, routing.lines[m]
    channel = routing.grid.channel_at[:, m, d].astype(np.int64)
    nodes = np.flatnonzero(channel >= 0)
    ahead, behind = (np.full(network.num_nodes, -1, dtype=np.int64) for _ in range(2))
    ahead[nodes] = network.head[channel[nodes]]
    behind[ahead[nodes]] = nodes
    start, end = (0, 2 % line.radix) if d == 0 else (2 % line.radix, 0)
    leg = any(way == (d, d) for _, way in line.legs(start, end))
    return _Move(m, d, channel, ahead, behind, _again(ahead, leg), _again(behind, leg))


def _again(following: Int64, leg: bool) -> Int64:
    twice = np.full_like(following, -1)
    if leg:
        once = following >= 0
        twice[once] = following[following[once]]
    return twice


def _moves_again(routing: GridLoads, move: _Move) -> bool:
    """Is there a second phase in which a packet may move so?"""
    return len(routing.orders) > 1 and routing.lines[move.dimension].via != "destination"


def _packets(routing: GridLoads, moves: list[_Move], a: _Move, b: _Move) -> tuple[Int64, Int64]:
    """(row, column) by node: a packet that comes to the node by ``a`` and goes on by ``b``; -1 where there is none."""
    none = np.full(routing.network.num_nodes, -1, dtype=np.int64)
    phases = routing.orders
    if a.dimension != b.dimension:
        order = phases[0]
        in_order = order is None or order.index(a.dimension) < order.index(b.dimension)
        return (a.behind, b.ahead) if in_order or _moves_again(routing, b) else (none, none)
    row, column = none.copy(), none.copy()
    if a is b:
        straight = (a.behind_twice[np.maximum(a.ahead, 0)] >= 0) & (a.ahead >= 0)
        row[straight], column[straight] = a.behind[straight], a.ahead[straight]
    if len(phases) == 1 or routing.lines[a.dimension].via != "anywhere":
        return row, column
    trials = [(s, t) for s in (a.behind, a.behind_twice) for t in (b.ahead, b.ahead_twice)]
    for c in moves:
        if c.dimension != a.dimension:
            first, second = (None if x is None else x.index(c.dimension) - x.index(a.dimension) for x in phases)
            if first is None or first < 0:  # it moved in another dimension before
                trials.append((np.where(a.behind >= 0, c.behind[a.behind], -1), b.ahead))
            if _moves_again(routing, c) and (second is None or second > 0):  # or will move after
                trials.append((a.behind, np.where(b.ahead >= 0, c.ahead[b.ahead], -1)))
    for s, t in trials:
        new = (row < 0) & (s >= 0) & (t >= 0) & (s != t)
        row[new], column[new] = s[new], t[new]
    return row, column
