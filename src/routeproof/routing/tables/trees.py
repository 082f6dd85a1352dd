"""Routings by trees: from every source a few, each with its weight, along which its packets go to all destinations."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.exact_arrays import matches, over_scale, ragged
from ...core.loads import PairBlock
from ...core.network import Network
from ...core.rational import parse_fraction
from ...formats.documents.packed_ints import pack_ints, unpack_ints
from ...machine.compiled import njit
from ..base.pair_table import ChannelLoads
from ..base.routing import RoutingByChannel

_MOST_SCALE = 1 << 40
_MOST_TREES = 1 << 20


class TreeRouting(RoutingByChannel):
    """A packet from node ``source[m]`` takes tree m with probability ``weight[m]`` / ``scale``: it gets to node v by
    channel ``via[m, v]``, and before that to the tail of this channel in the same way.

    source: int32 (M,); weight: int64 (M,), positive, those of a source with terminals sum to ``scale``; via: int32
    (M, N), -1 at the source and at nodes that the tree does not reach.

    Raises InputError for what is no tree, a destination that it does not reach, and weights that do not sum up.
    """

    has_explicit_paths = True
    holds_paths = True
    crosses_once = True

    def __init__(self, network: Network, name: str, source: Int32, weight: Int64, via: Int32, scale: int) -> None:
        super().__init__(network, name)
        order = np.argsort(source, kind="stable")
        self.source, self.weight, self.via, self.scale = source[order], weight[order], via[order], scale
        self._check_weights()
        shape = self.via.shape
        self._order, self._start, self._size = (np.full(shape, -1, dtype=np.int32) for _ in range(3))
        number = number_nodes.for_steps(8 * self.via.size)
        wrong = number(self.via, network.tail, network.head, self.source, self._order, self._start, self._size)
        if wrong >= 0:
            label = network.label(int(self.source[wrong]))
            raise InputError(f"routing {name}: the channels of a tree from node {label} are not connected to it")
        missing = np.argwhere((self._start < 0) & (network.demand > 0)[None, :])
        if len(missing):
            m, v = missing[0].tolist()
            ends = f"from node {network.label(int(self.source[m]))} does not reach node {network.label(v)}"
            raise InputError(f"routing {name}: a tree {ends}")

    def _check_weights(self) -> None:
        network = self.network
        total = np.zeros(network.num_nodes, dtype=np.int64)
        if int(self.weight.min(initial=1)) <= 0 or self.scale > _MOST_SCALE or len(self.weight) > _MOST_TREES:
            raise InputError(f"routing {self.name}: weights of trees must be positive, and their scale at most 2^40")
        if int(self.weight.max(initial=0)) > self.scale:
            raise InputError(f"routing {self.name}: a tree has a weight above 1")
        np.add.at(total, self.source, self.weight)
        wrong = np.flatnonzero((network.supply > 0) & (total != self.scale))
        if len(wrong):
            label, found = network.label(int(wrong[0])), Fraction(int(total[wrong[0]]), self.scale)
            raise InputError(f"routing {self.name}: the trees from node {label} weigh {found}; 1 was expected")

    def _loads_on(self, channel: int) -> ChannelLoads:
        network, nodes, v = self.network, self.network.num_nodes, int(self.network.head[channel])
        trees = np.flatnonzero((network.supply[self.source] > 0) & (self.via[:, v] == channel))
        size = self._size[trees, v].astype(np.int64)
        at = ragged(trees * np.int64(nodes) + self._start[trees, v], size)
        column = self._order.ravel()[at].astype(np.int64)
        key = np.repeat(self.source[trees].astype(np.int64), size) * nodes + column
        keep = network.demand[column] > 0
        key, load = _added(key[keep], np.repeat(self.weight[trees], size)[keep])
        return key // nodes, key % nodes, over_scale(load, self.scale)

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        network = self.network
        row, column = (np.asarray(x, dtype=np.int64).reshape(-1) for x in (rows, columns))
        tree, each = matches(self.source, row)
        pair = np.repeat(np.arange(len(row)), each)
        at = column[pair].copy()
        keys, loads = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        while True:
            going = at != self.source[tree]
            tree, pair, at = tree[going], pair[going], at[going]
            if not len(tree):
                break
            channel = self.via[tree, at].astype(np.int64)
            known = channel >= 0  # nothing is sent to nodes without terminals
            tree, pair, channel = tree[known], pair[known], channel[known]
            keys.append(pair * network.num_channels + channel)
            loads.append(self.weight[tree])
            at = network.tail[channel].astype(np.int64)
        key, load = _added(np.concatenate(keys), np.concatenate(loads))
        offset = np.searchsorted(key, np.arange(len(row) + 1) * np.int64(network.num_channels))
        return PairBlock(offset, (key % network.num_channels).astype(np.int32), over_scale(load, self.scale))

    def expected_loads(self, channel: int) -> int:
        v = int(self.network.head[channel])
        return int(self._size[self.via[:, v] == channel, v].sum())

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """Those of the source's trees, equal ones put together."""
        found: dict[tuple[int, ...], Fraction] = {}
        for m in np.flatnonzero(self.source == row).tolist():
            path, v = [], column
            while v != row:
                path.append(int(self.via[m, v]))
                v = int(self.network.tail[path[-1]])
            way = tuple(reversed(path))
            found[way] = found.get(way, Fraction(0)) + Fraction(int(self.weight[m]), self.scale)
        return [(weight, list(path)) for path, weight in found.items()]

    def check(self) -> None:
        """Nothing: that every packet arrives was found when the trees were walked."""

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # the trees tell them
        """The trees, packed: what ``read_trees`` reads."""
        source, weight, via = (pack_ints(x) for x in (self.source, self.weight, self.via.ravel()))
        return {"trees": {"scale": self.scale, "source": source, "weight": weight, "via": via}}


def read_trees(network: Network, data: Mapping[str, Any]) -> TreeRouting:
    """The routing that ``TreeRouting.written_in_full`` wrote; raises InputError or VerificationError."""
    entry = data["trees"]
    if not isinstance(entry, Mapping) or set(entry) != {"scale", "source", "weight", "via"}:
        raise InputError("'trees' of a routing must be an object with 'scale', 'source', 'weight' and 'via'")
    scale = parse_fraction(entry["scale"], what="the scale of the trees' weights")
    if scale.denominator != 1 or not 1 <= scale <= _MOST_SCALE:
        raise InputError("the scale of the trees' weights must be a whole number from 1 to 2^40")
    source = unpack_ints(entry["source"], what="the sources of the trees", max_items=_MOST_TREES)
    count, nodes = len(source), network.num_nodes
    weight = unpack_ints(entry["weight"], what="the weights of the trees", max_items=count)
    via = unpack_ints(entry["via"], what="the channels of the trees", max_items=count * nodes)
    if len(weight) != count or len(via) != count * nodes:
        raise InputError(f"{count} trees need as many weights, and a channel for each of {nodes} nodes")
    for what, numbers, least, below in (
        ("source", source, 0, nodes), ("channel", via, -1, network.num_channels),
    ):  # fmt: skip
        if count and not (least <= int(numbers.min()) and int(numbers.max()) < below):
            raise InputError(f"a tree names a {what} outside {least} to {below - 1}")
    trees = via.astype(np.int32).reshape(count, nodes)
    return TreeRouting(network, data["spec"], source.astype(np.int32), weight.astype(np.int64), trees, int(scale))


def _added(key: Int64, weight: Int64) -> tuple[Int64, Int64]:
    """Equal keys together, ascending; sums of weights are at most a scale."""
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    return key[first], (np.add.reduceat(weight[order], first) if len(first) else weight[:0])


@njit(cache=True, nogil=True, error_model="numpy")
def number_nodes(via, tail, head, root, order, start, size):  # type: ignore[no-untyped-def]
    """Of tree m, whose node v is reached by channel ``via[m, v]`` (-1: not at all): the nodes below v, itself first,
    are ``order[m, start[m, v] : start[m, v] + size[m, v]]``.  All int32 (M, N); root: int32 (M,).

    Returns -1, or the first tree that is none: channels that do not lead to their node, or that lead in a cycle.
    """
    nodes = via.shape[1]
    children = np.empty(nodes, dtype=np.int64)
    ready = np.empty(nodes, dtype=np.int64)
    next_place = np.empty(nodes, dtype=np.int64)
    for m in range(len(via)):
        children[:] = 0
        inside = 1
        for v in range(nodes):
            c = via[m, v]
            if c >= 0:
                if v == root[m] or head[c] != v:
                    return m
                children[tail[c]] += 1
                inside += 1
        for v in range(nodes):
            size[m, v] = 0
            start[m, v] = -1
            if children[v] > 0 and v != root[m] and via[m, v] < 0:
                return m
        done = 0
        for v in range(nodes):
            if children[v] == 0 and (via[m, v] >= 0 or v == root[m]):
                ready[done] = v
                done += 1
        at = 0
        while at < done:
            v = ready[at]
            at += 1
            size[m, v] += 1
            if v != root[m]:
                u = tail[via[m, v]]
                size[m, u] += size[m, v]
                children[u] -= 1
                if children[u] == 0:
                    ready[done] = u
                    done += 1
        if done != inside:
            return m
        for k in range(done - 1, -1, -1):
            v = ready[k]
            if v == root[m]:
                start[m, v] = 0
            else:
                u = tail[via[m, v]]
                start[m, v] = next_place[u]
                next_place[u] += size[m, v]
            next_place[v] = start[m, v] + 1
            order[m, start[m, v]] = v
    return -1
