"""Where a search for better tables begins: shortest paths, and up*/down*, as tables; what they lack, completed."""

from __future__ import annotations

import math

import numpy as np

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.network import Network
from ...graphs.shortest import hops_to_all
from ...kernel.table_bounds import ONE, Lids
from ...routing.graph.mod_k import DModK, ModK, tree_levels
from ...routing.graph.up_down import default_root, up_channels
from ...routing.tables.next_hop import NextHopRouting
from .exchange_kernels import complete

_MOST_GROWN = 1 << 24  # nodes squared times terminals
_PRICES = (0.25, 0.4, 0.6)  # of a tree that uses a channel already, as a logarithm of new nodes
_NOISE = 0.05  # of chance, likewise


def completed_table(network: Network, table: Int32, *, name: str) -> NextHopRouting:
    """The table (N, T) with shortest ways to where it has entries; raises InputError where there are none."""
    return NextHopRouting(network, name, completed(network, table), "terminal")


def shortest_tables(network: Network, lid: int = 0, lids: Lids = ONE) -> Int32:
    """int32, shape (N, T): for each destination the channels of a shortest-path tree, ties spread by terminal number;
    of several ``lids``, each has its own share of the ties, or, where sources are pinned, one of as many shares as
    there are ties in each.

    Raises InputError where a node cannot reach a terminal.
    """
    hops = hops_to_all(network).T
    offset, link = network.out_channels
    table = np.full((network.num_nodes, network.num_terminals), -1, dtype=np.int32)
    for v in range(network.num_nodes):
        leaving = link[offset[v] : offset[v + 1]]
        if not len(leaving):
            continue
        good = hops[network.head[leaving]][:, network.sink] + 1 == hops[v, network.sink][None, :]
        good &= hops[v, network.sink] > 0
        rank = np.cumsum(good, axis=0)
        count = rank[-1]
        shares = np.minimum(lids.count, np.maximum(np.sqrt(count).astype(int), 1)) if lids.pinned else lids.count
        share = np.maximum(count // shares, 1)
        end = np.arange(network.num_terminals)
        own = np.where(count < shares, end + lid, lid % shares * share + end % share)
        wanted = own % np.maximum(count, 1) + 1
        chosen = np.argmax(good & (rank == wanted), axis=0)
        table[v] = np.where(count > 0, leaving[chosen], -1)
    return table


def up_down_tables(network: Network, lid: int = 0) -> Int32:
    """int32, shape (N, T): up*/down* tables: down where only down channels lead to the destination, else up; of several
    lids, each breaks ties anew.

    Up is towards a root in the middle of the network, see ``routing.graph.up_down``; no cycle of dependencies is
    possible.
    """
    up = up_channels(network, default_root(network))
    size, into = network.num_nodes, _channels_into(network)
    table = np.full((size, network.num_terminals), -1, dtype=np.int32)
    for t, end in enumerate(network.sink.tolist()):
        distance = np.full(size, -1)
        distance[end] = 0
        rng = np.random.default_rng(t if lid == 0 else [t, lid])
        for down in (True, False):
            # First all nodes from which down channels alone lead here, then upwards to the nearest of those.
            queue = sorted(np.flatnonzero(distance >= 0).tolist(), key=distance.tolist().__getitem__)
            for v in queue:  # grows while it is walked through
                for c in rng.permutation(into[v]).tolist():
                    u = int(network.tail[c])
                    if up[c] != down and distance[u] < 0:
                        distance[u], table[u, t] = distance[v] + 1, c
                        queue.append(u)
    return table


def leaf_shifted_tables(network: Network) -> Int32:
    """int32, shape (N, T), for fat trees of three levels: ``dmodk`` but for the way up.

    Leaf number x of its pod sends to terminal t by its parent number (x + t) mod w, w the number of its parents.  The
    parent number y sends t up by its channel number (y - t) mod w, or that plus a multiple of w.  With w leaves
    in a pod this number is x: a channel to the highest level has the packets of one leaf alone, so at most as many as
    the leaf has terminals.

    Raises InputError for other networks.
    """
    level, known = tree_levels(network, "leaf-shifted"), ModK("destination").on(network)
    assert isinstance(known, DModK)
    table = known.next_channel.copy()
    head, tail, size = network.head, network.tail, network.num_nodes
    if level.max() != 2:
        raise InputError(f"{network.name} has {int(level.max()) + 1} levels; a fat tree of 3 was expected")
    up = np.flatnonzero(level[head] > level[tail])
    above = np.full(size, size)
    np.minimum.at(above, tail[up], head[up])  # parents of one number in their pods have the same nodes above them
    up = up[np.lexsort((up, head[up], above[head[up]], tail[up]))]
    ways = np.split(up, np.searchsorted(tail[up], np.arange(1, size)))
    pod = np.full(size, size)
    np.minimum.at(pod, tail[up], head[up])
    end = np.argsort(np.lexsort((network.sink, pod[network.sink])))  # numbers of terminals: leaf by leaf, pod by pod
    for v in np.flatnonzero(level < 2).tolist():
        rising = (table[v] >= 0) & (level[head[table[v]]] > level[v])
        children = tail[up][head[up] == v]
        if not rising.any() or (level[v] and not len(children)):
            continue
        if level[v] == 0:
            number = np.searchsorted(np.unique(tail[up][head[up] == head[ways[v][0]]]), v) + end
        else:
            leaf = ways[int(children.min())]
            first = (np.flatnonzero(head[leaf] == v)[0] - end) % len(leaf)
            alike = np.maximum((len(ways[v]) - first - 1) // len(leaf) + 1, 1)  # first, first + w, ...
            number = first + end // len(leaf) % alike * len(leaf)
        table[v, rising] = ways[v][(number % len(ways[v]))[rising]]
    return table


def few_inner_tables(network: Network) -> Int32:
    """int32, shape (N, T): for each destination a tree with few inner nodes, the channels that leave them balanced.

    A channel's worst case is at most the packets of its tail and, by Koenig's theorem, one for each destination for
    which other nodes send through its tail: an inner node.  Each tree grows from its destination by the node that
    brings the most new ones, less the more its channel is used by the trees before: the greedy connected dominating
    set of Guha & Khuller 1998 (Algorithmica), with prices, of which a few are tried.  Its paths may be longer than the
    shortest.  A node that cannot reach a terminal has no entry.

    Raises InputError for large networks.
    """
    size, ends = network.num_nodes, network.num_terminals
    if size * size * ends > _MOST_GROWN:
        raise InputError(f"{network.name} is too large to grow trees with few inner nodes")
    return min((_grown(network, price) for price in _PRICES), key=lambda x: x[0])[1]


def _grown(network: Network, price_of_use: float) -> tuple[float, Int32]:
    """The most that a channel is used by inner nodes, for its bandwidth; the trees."""
    size, ends = network.num_nodes, network.num_terminals
    into = _channels_into(network)
    below = [{int(network.tail[c]) for c in channels} for channels in into]
    table, used = np.full((size, ends), -1, dtype=np.int32), [0.0] * network.num_channels
    width, rng = [float(x) for x in network.bandwidth], np.random.default_rng(0)
    for t, end in enumerate(network.sink.tolist()):
        reached, ways = {end}, dict[int, int]()  # ways: from nodes that a channel joins to an inner one
        v: int | None = end
        while v is not None:
            for c in into[v].tolist():
                u = int(network.tail[c])
                if u not in reached or (u in ways and used[c] < used[ways[u]]):
                    ways[u] = c
            reached |= below[v]
            if len(reached) == size:
                break
            worth = {u: len(below[u] - reached) for u in ways}
            price = {
                u: math.log(n) - price_of_use * used[ways[u]] + _NOISE * rng.random() for u, n in worth.items() if n
            }
            v = max(price, key=price.__getitem__, default=None)
            if v is not None:
                c = ways.pop(v)
                table[v, t] = c
                used[c] += 1 / width[c]
        for u, c in ways.items():
            table[u, t] = c
    return max(used), table


def _channels_into(network: Network) -> list[Int32]:
    """By node, ascending."""
    first, channel = network.in_channels
    return np.split(channel, first[1:-1])


def completed(network: Network, table: Int32) -> Int32:
    """The table with an entry at every node that reaches the destination: shortest ways to nodes that have one."""
    table = np.array(table, dtype=np.int32)
    size = network.num_nodes
    valid = (table >= 0) & (network.tail[table] == np.arange(size)[:, None])
    jump = np.full((size + 1, table.shape[1]), size, dtype=np.int32)
    jump[:-1] = np.where(valid, network.head[table], size)
    jump[network.sink, np.arange(table.shape[1])] = network.sink
    for _ in range(size.bit_length()):
        jump = np.take_along_axis(jump, jump, axis=0)
    lost = jump[:-1] != network.sink[None, :]
    if lost.any():
        complete(table, lost, network.tail, *network.in_channels)
    if lost.any():
        v, t = np.argwhere(lost)[0].tolist()
        raise InputError(f"no path leads from node {network.label(v)} to terminal {network.terminal_label(t)}")
    return table
