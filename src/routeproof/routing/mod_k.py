"""D-mod-K and S-mod-K routing on fat trees."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.network import Network
from .exact_arrays import ragged
from .listed_paths import ListedRouting
from .listed_tables import from_steps

__all__ = ["ModK", "tree_levels"]

Int64 = npt.NDArray[np.int64]


class ModK:
    """On the way up, a switch of level l takes its up channel number floor(t / W_l) mod (its up channels), t the
    number of the destination terminal (``dmodk``) or of the source terminal (``smodk``); W_l is the product of the
    numbers of up channels of the levels below it.  Up channels are numbered in ascending order, those from which the
    destination cannot be reached left out.  On the way down, parallel or equivalent channels are chosen likewise.

    The levels are hop distances from the nearest terminal, so any network in levels is taken: fat trees with dead
    links, fabrics from files.  Source: Lin, Chung & Huang 2004 (IPDPS); Zahavi 2012 (J. Supercomputing), D-Mod-K;
    Gomez et al. 2007 (IPDPS), deterministic versus adaptive routing in fat-trees.
    """

    def __init__(self, by: Literal["destination", "source"]) -> None:
        self.by = by

    def on(self, network: Network) -> ListedRouting:
        """Raises InputError where channels do not join adjacent levels, or a pair is not connected up and down."""
        name = "dmodk" if self.by == "destination" else "smodk"
        level = tree_levels(network, name)
        up = level[network.head] > level[network.tail]
        most = [1] * (int(level.max()) + 2)
        offset, channels = network.out_channels
        ups = np.add.reduceat(np.append(up[channels], False), offset[:-1]) * (np.diff(offset) > 0)
        for low in range(int(level.max()) + 1):
            most[low + 1] = most[low] * max(1, int(ups[level == low].max(initial=1)))
        period = np.array(most[:-1], dtype=np.int64)
        below, reach = _reach(network, level, up)
        sources, sinks = (np.unique(x) for x in (network.source, network.sink))
        lost = np.argwhere(~reach[np.ix_(sources, sinks)])
        if len(lost):
            i, j = int(sources[lost[0, 0]]), int(sinks[lost[0, 1]])
            raise InputError(
                f"network {network.name}: {name} has no path up and down from node {network.label(i)} "
                f"to node {network.label(j)}"
            )
        terminals = np.arange(network.num_terminals, dtype=np.int32)
        row, column = (
            (np.repeat(sources.astype(np.int32), len(terminals)), np.tile(terminals, len(sources)))
            if self.by == "destination"
            else (np.repeat(terminals, len(sinks)), np.tile(sinks.astype(np.int32), len(terminals)))
        )
        key = (column if self.by == "destination" else row).astype(np.int64)
        at = row.copy() if self.by == "destination" else network.source[row].copy()
        end = network.sink[column] if self.by == "destination" else column
        away = at != end
        row, column, key, at, end = (x[away] for x in (row, column, key, at, end))
        steps = []
        going = np.arange(len(row))
        while len(going):
            # The channels to choose from depend on the two nodes alone, and many terminals share a node.
            pair, back = np.unique(at[going].astype(np.int64) * network.num_nodes + end[going], return_inverse=True)
            here, there = pair // network.num_nodes, pair % network.num_nodes
            down = below[here, there]
            length = offset[here + 1] - offset[here]
            out = channels[ragged(offset[here], length)]
            which = np.repeat(np.arange(len(pair)), length)
            target = there[which]
            fits = np.where(
                down[which], ~up[out] & (below[network.head[out], target]), up[out] & reach[network.head[out], target]
            )
            out, which = out[fits], which[fits]
            count = np.bincount(which, minlength=len(pair))
            first = np.cumsum(count) - count
            chosen = out[first[back] + (key[going] // period[level[here]][back]) % count[back]]
            steps.append((going, chosen))
            at[going] = network.head[chosen]
            going = going[at[going] != end[going]]
        listed = from_steps(row, column, steps)
        if self.by == "destination":
            return ListedRouting(network, name, listed, columns="terminal")
        return ListedRouting(network, name, listed, rows="terminal")


def tree_levels(network: Network, name: str) -> Int64:
    """Hops to the nearest node with terminals, int64 (N,); raises InputError unless channels join adjacent levels."""
    level = np.full(network.num_nodes, -1, dtype=np.int64)
    level[(network.supply > 0) | (network.demand > 0)] = 0
    step = 0
    while True:
        front = np.zeros(network.num_nodes, dtype=bool)
        front[network.tail[level[network.head] == step]] = True
        front[network.head[level[network.tail] == step]] = True
        front &= level < 0
        if not front.any():
            break
        step += 1
        level[front] = step
    flat = np.nonzero(np.abs(level[network.tail] - level[network.head]) != 1)[0]
    if flat.size or not step:
        what = "all its nodes have terminals"
        if step:
            c = int(flat[0])
            what = f"channel {network.channel_label(c)} joins two nodes of level {int(level[network.tail[c]])}"
        raise InputError(f"{name} needs a fat tree, with channels between adjacent levels only; {network.name}: {what}")
    return level


def _reach(
    network: Network, level: Int64, up: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """bool (N, N): [v, d]: node d can be reached from v going down only; going up and then down."""
    size = network.num_nodes
    below = np.eye(size, dtype=bool)
    for at in range(1, int(level.max()) + 1):
        for c in np.nonzero(~up & (level[network.tail] == at))[0].tolist():
            below[network.tail[c]] |= below[network.head[c]]
    reach = below.copy()
    for at in range(int(level.max()) - 1, -1, -1):
        for c in np.nonzero(up & (level[network.tail] == at))[0].tolist():
            reach[network.tail[c]] |= reach[network.head[c]]
    return below, reach
