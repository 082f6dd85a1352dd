"""The worst-case program as the interior-point method sees it: one block for every class of pairs.

Minimise ``cost . x + price * w`` over flows x >= 0, potentials p >= 0 and the load w >= 0 with

    E_b x_b = f_b  (conservation, by block b),   P p - Q x >= 0,   A (p, w) >= 0,

E, P and A as in ``program.worst_case`` (eq. 8 of Towles, Dally & Boyd 2003), never written down as one matrix.  A row
of P is a cover: potentials whose sum is no less than a flow.  Q says which flow; most often every flow has one cover,
and several only where the terminals of a node are not all treated alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int64
from ...symmetry.pair_classes import PairClass, Reduction
from ..program.flow_program import Ends, balance_nodes, open_classes
from ..program.worst_case import Potentials

_GROUP = 64


class Numbered:
    """The classes of potentials without gaps; ``count``: how many there are.

    For every channel c there is one potential for each sender r and each receiver k, and one of the total where that is
    limited:

        flow of c between the nodes of r and k  <=  a(r, c) + b(k, c) + t(c)   where r may send to k, and
        sum of sends(r) a(r, c)  +  sum of receives(k) b(k, c)  +  total t(c)  <=  bandwidth(c) * w.
    """

    def __init__(self, reduction: Reduction) -> None:
        self._own = Potentials(reduction)
        used = np.full(self._own.count, reduction.ports is None)
        if reduction.ports is not None:
            for ids, _ in self._own.costs(np.arange(reduction.network.num_channels)):
                used[ids] = True
        self._place, self.count = np.cumsum(used) - 1, int(np.count_nonzero(used))

    def by_pair(self) -> list[list[Ends]]:
        found: dict[int, list[Ends]] = {}
        for ends in self._own.ends():
            found.setdefault(ends.pair, []).append(ends)
        return [found[k] for k in range(len(found))]

    def above(self, ends: Ends) -> list[Int64]:
        """The potentials above the flow from a sender to a receiver, each int64 (C,)."""
        return [self._place[ids] for ids in self._own.above(ends)]

    def limits(self, focus: Int64) -> list[tuple[Int64, Float64]]:
        """What a channel's potentials cost: [(potentials of the channels ``focus``, (n, F), what each may send)]."""
        return [(self._place[ids], np.array([float(x) for x in rates])) for ids, rates in self._own.costs(focus)]


@dataclass(frozen=True, eq=False)
class Blocks:
    """All blocks, one after the other; V flow variables, M covers, R rows of conservation, Q potentials.

    - ``variable``: int32 (pairs, C): the flow variable of every channel, -1 where none may flow;
    - ``first``, ``first_row``: int64 (pairs + 1,): where the variables and rows of each block begin;
    - ``row1``, ``row2``: int64 (V,): the rows that a variable enters (-1: none), with ``entry1``, ``entry2``;
    - ``cover``: int64 (M, 1 to 3): the potentials of every cover; ``covered``: int64 (M,): the flow below each, in
      order; None where each flow has one cover;
    - ``members``: int64 (V,): how many (pair of nodes, channel) a variable stands for;
    - ``hops``: float64 (V,): hops per unit of flow, summed over pairs of terminals;
    - ``right``: float64 (R,): f; rows are in the order in which the Laplacian of a block has a narrow band;
    - ``groups``: int64 (G + 1,): where groups of rows begin, each coupled to the next of its block only;
      ``first_group``: int64 (pairs + 1,);
    - ``load``: A, scipy CSR (number of focus channels, Q + 1), the last column is w; each row over the bandwidth.
    """

    reduction: Reduction
    num_potentials: int
    variable: npt.NDArray[np.int32]
    first: Int64
    first_row: Int64
    row1: Int64
    row2: Int64
    entry1: Float64
    entry2: Float64
    cover: Int64
    covered: Int64 | None
    members: Int64
    hops: Float64
    right: Float64
    groups: Int64
    first_group: Int64
    focus: Int64
    load: Any

    @property
    def num_variables(self) -> int:
        return int(self.first[-1])

    def of(self, k: int) -> slice:
        """The variables of block ``k``."""
        return slice(int(self.first[k]), int(self.first[k + 1]))

    def covers(self, k: int) -> slice:
        here = self.of(k)
        if self.covered is None:
            return here
        return slice(*np.searchsorted(self.covered, [here.start, here.stop]).tolist())

    def over(self, p: Float64) -> Float64:
        """P p."""
        total: Float64 = p[self.cover[:, 0]]
        for k in range(1, self.cover.shape[1]):
            total = total + p[self.cover[:, k]]
        return total

    def under(self, y: Float64) -> Float64:
        """P' y."""
        n = self.num_potentials + 1
        total: Float64 = np.bincount(self.cover[:, 0], weights=y, minlength=n).astype(np.float64)
        for k in range(1, self.cover.shape[1]):
            total = total + np.bincount(self.cover[:, k], weights=y, minlength=n)
        return total

    def up(self, x: Float64) -> Float64:
        """Q x: by cover what is given by flow."""
        return x if self.covered is None else np.asarray(x[self.covered])

    def down(self, y: Float64) -> Float64:
        """Q' y: sums over the covers of every flow."""
        if self.covered is None:
            return y
        return np.bincount(self.covered, weights=y, minlength=self.num_variables).astype(np.float64)

    def balance(self, x: Float64) -> Float64:
        """E x."""
        n = len(self.right)
        total = np.zeros(n + 1)
        for row, entry in ((self.row1, self.entry1), (self.row2, self.entry2)):
            total += np.bincount(np.where(row >= 0, row, n), weights=entry * x, minlength=n + 1)
        return total[:n]

    def rise(self, node: Float64) -> Float64:
        """E' node."""
        padded = np.append(node, 0.0)
        return np.asarray(self.entry1 * padded[self.row1] + self.entry2 * padded[self.row2])


def blocks_of(reduction: Reduction) -> Blocks:
    potentials = Numbered(reduction)
    variable = np.full((len(reduction.pairs), reduction.network.num_channels), -1, dtype=np.int32)
    parts: list[dict[str, npt.NDArray[Any]]] = []
    covered = []
    first, first_row, groups, first_group = [0], [0], [0], [0]
    ends_of = potentials.by_pair()
    for k, pair in enumerate(reduction.pairs):
        above = [potentials.above(ends) for ends in ends_of[k]]
        variable[k], group_ends, part = _block(reduction, pair, above)
        for row in (part["row1"], part["row2"]):
            row[row >= 0] += first_row[-1]
        parts.append(part)
        covered.append(np.repeat(np.arange(len(part["members"])) + first[-1], len(above)))
        first.append(first[-1] + len(part["members"]))
        groups += [first_row[-1] + x for x in group_ends]
        first_group.append(len(groups) - 1)
        first_row.append(first_row[-1] + len(part["right"]))
    focus = np.unique(reduction.focus).astype(np.int64)
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Blocks(
        reduction=reduction,
        num_potentials=potentials.count,
        variable=variable,
        first=np.array(first),
        first_row=np.array(first_row),
        groups=np.array(groups),
        first_group=np.array(first_group),
        focus=focus,
        load=_loads(reduction, potentials, focus),
        covered=np.concatenate(covered) if max(map(len, ends_of)) > 1 else None,
        **joined,
    )


def _block(
    reduction: Reduction, pair: PairClass, above: list[list[Int64]]
) -> tuple[Int64, list[int], dict[str, npt.NDArray[Any]]]:
    """(the variable of every channel, where groups of rows end, the block's part of what ``Blocks`` has)."""
    network = reduction.network
    variable, size = open_classes(network, pair)
    open_channel = np.nonzero(variable >= 0)[0]
    flow = variable[open_channel]
    sample = open_channel[np.unique(flow, return_index=True)[1]]
    members = np.bincount(flow, minlength=size).astype(np.int64)
    # One row for every class of nodes, at its smallest node; the destination's balance follows from the others.
    row_at = np.full(network.num_nodes, -1, dtype=np.int64)
    at = balance_nodes(pair)
    row_at[at] = np.arange(len(at))
    tail, head = row_at[network.tail[open_channel]], row_at[network.head[open_channel]]
    keys = np.concatenate([tail * size + flow, head * size + flow])
    sign = np.concatenate([np.ones(len(flow)), -np.ones(len(flow))])
    real = np.concatenate([tail, head]) >= 0
    key, where = np.unique(keys[real], return_inverse=True)
    entry = np.bincount(where, weights=sign[real], minlength=len(key))
    key, entry = key[entry != 0], entry[entry != 0]
    row, column = key // size, key % size
    live, row = np.unique(row, return_inverse=True)  # a reversal that keeps a node makes its row vanish
    order, group_ends = _banded(len(live), row, column, size)
    row = order[row]
    right = np.zeros(len(live))
    right[order[0]] = 1.0  # the source's row is the first one
    by_column = np.argsort(column, kind="stable")
    row, column, entry = row[by_column], column[by_column], entry[by_column]
    start = np.searchsorted(column, np.arange(size + 1))
    if int(np.diff(start).max(initial=0)) > 2:
        raise ArithmeticError("a class of channels touches more than two classes of nodes")
    part: dict[str, npt.NDArray[Any]] = {}
    for k in (0, 1):
        part[f"row{k + 1}"], part[f"entry{k + 1}"] = np.full(size, -1, dtype=np.int64), np.zeros(size)
        has = np.diff(start) > k
        part[f"row{k + 1}"][has], part[f"entry{k + 1}"][has] = row[start[:-1][has] + k], entry[start[:-1][has] + k]
    part |= {
        "cover": np.stack([[by_channel[sample] for by_channel in one] for one in above])
        .transpose(2, 0, 1)
        .reshape(len(above) * size, -1),
        "members": members * pair.size,
        "hops": (members * pair.weight).astype(np.float64),
        "right": right,
    }
    return variable, group_ends, part


def _banded(size: int, row: Int64, column: Int64, num_columns: int) -> tuple[Int64, list[int]]:
    """(the new place of every row, where groups end): breadth-first levels from row 0, small ones put together."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order

    entry = csr_matrix((np.ones(len(row), dtype=np.int32), (row, column)), shape=(size, num_columns))
    near = (entry @ entry.T).tocsr()
    level = np.full(size, -1, dtype=np.int64)
    base = 0
    for root in range(size):
        if level[root] >= 0:
            continue
        order, before = breadth_first_order(near, root, directed=False)
        level[root] = base
        for v in order[1:].tolist():
            level[v] = level[before[v]] + 1
        base = int(level.max()) + 1
    place = np.empty(size, dtype=np.int64)
    sequence = np.argsort(level, kind="stable")
    place[sequence] = np.arange(size)
    counts = np.bincount(level)
    ends, at, last = [], 0, 0
    for n in counts.tolist():
        at += n
        if at - last >= _GROUP:
            ends.append(at)
            last = at
    if last < at:
        ends.append(at)
    return place, ends


def _loads(reduction: Reduction, potentials: Numbered, focus: Int64) -> Any:
    """A: what the potentials of every focus channel leave of its bandwidth."""
    from scipy.sparse import csr_matrix

    network = reduction.network
    limits = potentials.limits(focus)
    width = [float(network.bandwidth[c]) for c in focus.tolist()]
    where, at, value = [], [], []
    for k in range(len(focus)):
        for ids, rate in limits:
            where.append(np.full(len(ids), k))
            at.append(ids[:, k])
            value.append(-rate / width[k])
        where.append(np.array([k]))
        at.append(np.array([potentials.count]))
        value.append(np.ones(1))
    shape = (len(focus), potentials.count + 1)
    return csr_matrix((np.concatenate(value), (np.concatenate(where), np.concatenate(at))), shape=shape)
