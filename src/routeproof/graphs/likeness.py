"""Which node of one graph stands for which of another that is like it, but for some edges and nodes.

Nodes are matched one after another: a pair costs what its numbers of hosts and edges differ by, and for every pair
that is matched already, what edges and paths of two edges to it differ by.  A node with one cheapest counterpart is
matched to it; where there is none, the least ambiguous one is, with all nodes that have the same neighbours.  Then an
assignment by common neighbours is tried as long as it keeps more edges.  This is a heuristic: others count what it
finds.

Names in the literature: seeded (percolation) graph matching; Fishkind et al. 2019 for the assignment by neighbours.
"""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from ..core.arrays import Int64

Counts = npt.NDArray[np.float32]
_HOSTS, _FAR = 1000.0, 1e9
_ROUNDS = 6
_IDLE, _NEAR, _SOON = 3, 0.9, 2.0  # where so many edges are kept: so many tries in vain, or so many seconds


def alike(
    one: Counts, other: Counts, hosts: tuple[Int64, Int64], *, tries: int = 200, seconds: float = 8.0
) -> tuple[Int64, float]:
    """Of every node of the first graph the node of the second that it stands for (-1: none), and how many edges both
    have between matched nodes.

    ``one``, ``other``: float32, (N, N) and (M, M), how many edges join two nodes; ``hosts``: how many hosts every node
    has.  ``tries``: other beginnings where not all edges are kept, within ``seconds``.
    """
    most = min(one.sum(), other.sum()) / 2
    start, best = time.monotonic(), (-1.0, np.zeros(0, dtype=np.int64))
    search, idle = _Search(one, other, hosts), 0
    for k in range(tries):
        found = search.polished(search.percolated(k))
        kept = search.kept(found)
        idle = 0 if kept > best[0] else idle + 1
        if kept > best[0]:
            best = kept, found
        spent = time.monotonic() - start
        near = best[0] >= _NEAR * most and (idle >= _IDLE or spent > _SOON)
        if near or best[0] >= most or spent > seconds:
            break
    return best[1], best[0]


class _Search:
    def __init__(self, one: Counts, other: Counts, hosts: tuple[Int64, Int64]) -> None:
        self.one, self.other = one, other
        self.two = one @ one, other @ other
        self.twins = _twins(one, hosts[0]), _twins(other, hosts[1])
        apart = (hosts[0][:, None] > 0) != (hosts[1][None, :] > 0)
        degrees = np.abs(one.sum(axis=1)[:, None] - other.sum(axis=1)[None, :])
        number = np.abs(hosts[0][:, None] - hosts[1][None, :])
        self.first = (_HOSTS * apart + degrees + number).astype(np.float32)

    def percolated(self, beginning: int) -> Int64:
        """``beginning``: which of the cheapest counterparts the first node takes, then the next node."""
        cost = self.first.copy()
        found = np.full(len(self.one), -1, dtype=np.int64)
        first = True
        for _ in range(min(self.one.shape[0], self.other.shape[0])):
            least = cost.min(axis=1)
            near = cost == least[:, None]
            ties = near.sum(axis=1)
            open_ = found < 0
            if not open_.any() or float(least[open_].min()) >= _FAR:
                break
            pairs = self._sure(cost, found, least, ties)
            if not pairs:
                rows = np.flatnonzero(open_ & (least < _FAR))
                order = rows[np.lexsort((least[rows], ties[rows]))]
                u = int(order[0])
                if first:
                    u = int(order[beginning // ties[u] % len(order)])
                    some = np.flatnonzero(near[u])
                    pairs = [(u, int(some[beginning % len(some)]))]
                else:
                    pairs = self._twin_pairs(u, np.flatnonzero(near[u]), found, cost)
                first = False
            for u, v in pairs:
                found[u] = v
                self._add(cost, u, v)
        return found

    def _sure(self, cost: Counts, found: Int64, least: Counts, ties: Int64) -> list[tuple[int, int]]:
        """Pairs that are each other's only cheapest counterpart."""
        rows = np.flatnonzero((found < 0) & (ties == 1) & (least < _FAR))
        if not len(rows):
            return []
        columns = cost[rows].argmin(axis=1)
        of_column = cost[:, columns]
        single = (of_column == of_column.min(axis=0)).sum(axis=0) == 1
        mine = of_column[rows, np.arange(len(rows))] == of_column.min(axis=0)
        return list(zip(rows[single & mine].tolist(), columns[single & mine].tolist(), strict=True))

    def _twin_pairs(self, u: int, near: Int64, found: Int64, cost: Counts) -> list[tuple[int, int]]:
        lowest = cost[:, near].min(axis=0)
        v = int(near[np.argmin(cost[u, near] - lowest)])
        rows = [u, *(x for x in np.flatnonzero((self.twins[0] == self.twins[0][u]) & (found < 0)).tolist() if x != u)]
        columns = [v, *(x for x in near.tolist() if self.twins[1][x] == self.twins[1][v] and x != v)]
        return list(zip(rows, columns, strict=False))

    def _add(self, cost: Counts, u: int, v: int) -> None:
        for weight, here, there in (
            (4.0, self.one[:, u], self.other[:, v]),
            (1.0, self.two[0][:, u], self.two[1][:, v]),
        ):
            rows, columns = np.flatnonzero(here), np.flatnonzero(there)
            cost[rows] += weight * here[rows, None]
            cost[:, columns] += weight * there[columns]
            cost[np.ix_(rows, columns)] -= 2 * weight * np.minimum(here[rows, None], there[columns])
        cost[u, :] = 2 * _FAR
        cost[:, v] = 2 * _FAR

    def polished(self, found: Int64) -> Int64:
        """Assignments by common neighbours, as long as they keep more edges."""
        kept = self.kept(found)
        for _ in range(_ROUNDS):
            some = np.flatnonzero(found >= 0)
            common = self.one[:, some] @ self.other[found[some]]
            rows, columns = linear_sum_assignment(4 * common - self.first, maximize=True)
            again = np.full(len(found), -1, dtype=np.int64)
            again[rows] = columns
            better = self.kept(again)
            if better <= kept:
                break
            found, kept = again, better
        return found

    def kept(self, found: Int64) -> float:
        some = np.flatnonzero(found >= 0)
        return float(np.minimum(self.one[np.ix_(some, some)], self.other[np.ix_(found[some], found[some])]).sum() / 2)


def _twins(edges: Counts, hosts: Int64) -> Int64:
    """The same number for nodes with the same neighbours and as many hosts."""
    known: dict[bytes, int] = {}
    rows = [row.tobytes() + bytes(str(h), "ascii") for row, h in zip(edges, hosts.tolist(), strict=True)]
    return np.array([known.setdefault(x, len(known)) for x in rows], dtype=np.int64)
