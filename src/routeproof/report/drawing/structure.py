"""The parts that a network is built of, found in its channels: pods and rails of trees, clusters of PolarFly, and the
bundles that a network too large for a drawing of every switch is shown as."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.graph import hops_from
from ...core.network import Network

Points = npt.NDArray[np.float64]
MOST_SINGLE = 300  # nodes of a network that is drawn node by node
_MOST_BUNDLES = 40  # of one level, or groups
_GAP = 0.9  # between two pods


def ends_of(network: Network) -> Int64:
    """The two nodes of every link, once, shape (E, 2)."""
    both = np.stack([network.tail, network.head], axis=1).astype(np.int64)
    return np.unique(np.sort(both, axis=1), axis=0)


def levels_of(network: Network, ends: Int64) -> Int64 | None:
    """How many hops every node is above the terminals; None where all nodes have some, where a link joins two nodes of
    one level, or where a node is not reached."""
    hosts = np.union1d(network.source, network.sink)
    if len(hosts) == network.num_nodes:
        return None
    tail, head = np.concatenate([ends, ends[:, ::-1]]).T
    level = hops_from(network.num_nodes, tail, head, hosts)
    joined = np.abs(level[ends[:, 0]] - level[ends[:, 1]]) == 1
    return level if np.all(level >= 0) and np.all(joined) else None


def _components(level: Int64, ends: Int64, top: int) -> Int64:
    """The connected part, among nodes of levels 0 to ``top``, that each is in, numbered by their first nodes."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(level)
    a, b = ends[np.all(level[ends] <= top, axis=1)].T
    _, part = connected_components(coo_array((np.ones(len(a)), (a, b)), shape=(size, size)), directed=False)
    _, first, number = np.unique(part, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[number], dtype=np.int64)


def place_pods(level: Int64, ends: Int64) -> tuple[Points, float] | None:
    """(x of every node, the whole width): the parts of a tree that only its upper levels join stand side by side, each
    under what joins it, with a gap between; None where there are no such parts."""
    top = int(level.max())
    parts = [_components(level, ends, x) for x in range(top + 1)]
    below = [parts[x][level <= x] for x in range(1, top)]
    if not any(1 < len(np.unique(x)) < len(x) for x in below):
        return None
    width, members = _widths(level, parts)
    x = np.zeros(len(level))
    whole = sum(width[top].values())
    todo = [(top, part, 0.0) for part in sorted(width[top])]
    while todo:
        at, part, left = todo.pop()
        own, across = members[at].get(part, []), width[at][part]
        x[own] = left + (np.arange(len(own)) + 0.5) * across / max(1, len(own)) - 0.5
        inner = _inside(parts, level, at, part)
        spare = across - _span(at - 1, inner, width)
        for k in inner:
            todo.append((at - 1, k, left + spare / 2))
            left += width[at - 1][k] + _gap(at - 1)
    return x, whole


def _gap(at: int) -> float:
    return _GAP if at > 0 else 0.0


def _inside(parts: Sequence[Int64], level: Int64, at: int, part: int) -> list[int]:
    """The parts of one level less that this one joins."""
    if not at:
        return []
    return sorted(set(parts[at - 1][(parts[at] == part) & (level < at)].tolist()))


def _span(at: int, inner: Sequence[int], width: Sequence[dict[int, float]]) -> float:
    return sum(width[at][k] for k in inner) + _gap(at) * max(0, len(inner) - 1)


def _widths(level: Int64, parts: Sequence[Int64]) -> tuple[list[dict[int, float]], list[dict[int, list[int]]]]:
    """By level and part: how wide it is; and its own nodes of that level."""
    width: list[dict[int, float]] = []
    members: list[dict[int, list[int]]] = []
    for at, part in enumerate(parts):
        own: dict[int, list[int]] = {}
        for v in np.flatnonzero(level == at).tolist():
            own.setdefault(int(part[v]), []).append(v)
        members.append(own)
        inner: dict[int, set[int]] = {}
        for k, below in zip(part[level < at].tolist(), parts[at - 1][level < at].tolist() if at else [], strict=True):
            inner.setdefault(k, set()).add(below)
        everyone = sorted(own.keys() | inner.keys())
        span = {k: _span(at - 1, sorted(x), width) for k, x in inner.items()}
        width.append({k: max(float(len(own.get(k, ()))), span.get(k, 0.0)) for k in everyone})
    return width, members


def clusters_of_polarfly(network: Network) -> Int64 | None:
    """The clusters of Lakhotia et al., SC 2022, sec. V: the quadrics, which have one neighbour less than the others,
    and around every neighbour of the first quadric that neighbour with its own; None where these are not q + 1 parts
    of all nodes."""
    ends = ends_of(network)
    near: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for u, v in ends.tolist():
        near[u].append(v)
        near[v].append(u)
    least = min(map(len, near))
    quadrics = [v for v, x in enumerate(near) if len(x) == least]
    found = np.full(network.num_nodes, -1, dtype=np.int64)
    found[quadrics] = 0
    for k, centre in enumerate(near[quadrics[0]]):
        for v in (centre, *near[centre]):
            if v not in quadrics:
                if found[v] >= 0:
                    return None
                found[v] = k + 1
    return None if np.any(found < 0) or len(quadrics) == network.num_nodes else found


@dataclass(frozen=True, eq=False)
class Bundles:
    """``of``: the bundle of every node, shape (N,); of every bundle its name, its row (a level; -1: they stand around a
    ring), and its column (a pod; -1: it stands above all of them)."""

    of: Int64
    names: Sequence[str]
    row: Sequence[int]
    column: Sequence[int]


def bundles_of(network: Network) -> Bundles | None:
    """Of a network with more than ``MOST_SINGLE`` nodes: its groups, or else its pods level by level; None where it has
    neither."""
    if network.num_nodes <= MOST_SINGLE or network.grid is not None:
        return None
    if network.groups is not None:
        of, names = _chunks(network.groups.astype(np.int64), "group")
        return Bundles(of, names, [-1] * len(names), list(range(len(names))))
    ends = ends_of(network)
    level = levels_of(network, ends)
    top = 0 if level is None else int(level.max())
    if level is None or not top:
        return None
    pod = _components(level, ends, top - 1)
    number = np.zeros(network.num_nodes, dtype=np.int64)
    names, row, column = [], [], []
    for at in range(top + 1):
        here = np.flatnonzero(level == at)
        part = pod[here] if at < top else np.zeros(len(here), dtype=np.int64)
        which, some = _chunks(part, "pod" if len(np.unique(part)) < len(here) else "switch")
        number[here] = len(names) + which
        names += [f"{x}, level {at + 1}" for x in some] if at < top else ["top level"]
        row += [at] * len(some)
        column += list(range(len(some))) if at < top else [-1]
    return Bundles(number, names, row, column)


def _chunks(part: Int64, word: str) -> tuple[Int64, list[str]]:
    """Parts, consecutive ones together where there are more than a picture holds; with their names."""
    kinds, number = np.unique(part, return_inverse=True)
    size = math.ceil(len(kinds) / _MOST_BUNDLES)
    many = f"{word}es" if word.endswith("ch") else f"{word}s"
    last = [min(first + size, len(kinds)) - 1 for first in range(0, len(kinds), size)]
    names = [f"{word} {x}" if size == 1 else f"{many} {x // size * size} to {x}" for x in last]
    return np.asarray(number // size, dtype=np.int64), names
