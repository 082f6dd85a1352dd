"""The Newton equation of the ratio's program with distances, solved channel by channel, then node by node.

For every focus channel c there are lengths l_c(e) and distances p_c(i, v) from every source i, and with weights W

    (l_c(e) + p_c(i, tail e) - p_c(i, head e))^2 W_c(i, e)   and   (p_c(i, j) - x(c, i, j))^2 W'(c, i, j)

tie them together; flows x are conserved with multipliers pi by pair of nodes.  Distances are eliminated source by
source (a weighted Laplacian each), then the lengths of a channel, dense.  What is left in pi couples two nodes only
where a channel joins them: a Laplacian of the network whose weights are matrices between pairs, which is factored node
by node in an order of few new neighbours.  So the work grows with the cube of the number of pairs, and with the square
of the network's treewidth, which is small for wide-area networks.

Source: nested elimination as George 1973 (SIAM J. Numer. Anal. 10(2)), minimum fill as Rose 1972.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.linalg import blas, lapack
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ...core.arrays import Float64, Int64
from .program import RatioProgram

_MORE = 1e-13  # of a diagonal, against rounding
_NUMBER = 8


class Distances:
    """What is fixed: flows of ``program`` by variable (V,), arcs (source, channel) that do not enter their source (A,),
    and distances, (F, S N) with one that is 0 from every source to itself."""

    def __init__(self, program: RatioProgram) -> None:
        network, pairs = program.reduction.network, program.reduction.pairs
        self.program, self.focus = program, program.focus
        self.tail, self.head = network.tail.astype(np.int64), network.head.astype(np.int64)
        self.wide = np.array([float(x) for x in network.bandwidth])
        self.source = np.flatnonzero(network.supply)
        self.num_nodes, self.num_channels, self.num_pairs = network.num_nodes, network.num_channels, len(pairs)
        self.num_focus, self.size = len(self.focus), len(self.source) * self.num_nodes
        at = program.flow_at[:, self.source, :]
        of, i, j = np.nonzero(at >= 0)
        self.column = at[of, i, j]
        self.first = np.searchsorted(of, np.arange(self.num_focus + 1))
        self.end = (of * len(self.source) + i) * self.num_nodes + j
        pair, channel = np.zeros((2, program.base.num_columns), dtype=np.int64)
        for k, columns in enumerate(program.flow):
            live = columns >= 0
            pair[columns[live]], channel[columns[live]] = k, np.flatnonzero(live)
        self.pair, self.channel = pair[self.column], channel[self.column]
        forward = self.tail[self.channel] == self.tail[self.focus[of]]
        self.sign = np.where(forward, 1.0, -1.0)
        self.row = [ends[self.channel] * self.num_pairs + self.pair for ends in (self.tail, self.head)]
        self.sent = np.zeros((self.num_nodes, self.num_pairs))
        self.sent[[x.source for x in pairs], np.arange(self.num_pairs)] = 1.0
        joined = csr_matrix((np.ones(len(self.pair)), self.row), shape=(self.sent.size, self.sent.size))
        label = connected_components(joined, directed=False)[1].reshape(self.sent.shape)
        self.destination = np.array([x.destination for x in pairs])
        here = self.destination, np.arange(self.num_pairs)
        self.open = (label == label[here]).astype(np.float64)
        self.open[here] = 0.0  # its balance follows from the others, and nodes that no flow joins to it have none
        within = (self.head != self.source[:, None]) & (self.head != self.tail)
        self.arc_source, self.arc = np.nonzero(within)
        self.arc_ends = [self.arc_source * self.num_nodes + ends[self.arc] for ends in (self.tail, self.head)]
        self.free = np.flatnonzero(np.arange(self.num_nodes) != self.source[:, None])
        self.itself = np.arange(len(self.source)) * self.num_nodes + self.source

    def balance(self, x: Float64) -> Float64:
        """What leaves every node of every pair's flow, less what arrives, (N, R); 0 at destinations."""
        out, back = (np.bincount(row, x, self.open.size) for row in self.row)
        return np.asarray((out - back).reshape(self.open.shape) * self.open)

    def rise(self, pi: Float64) -> Float64:
        """From tail to head, by flow variable."""
        flat = (pi * self.open).ravel()
        return np.asarray(flat[self.row[0]] - flat[self.row[1]])

    def padded(self, p: Float64) -> Float64:
        whole = np.zeros((self.num_focus, self.size))
        whole[:, self.free] = p
        return whole

    def at_ends(self, x: Float64) -> Float64:
        """By flow variable to by distance."""
        found = np.bincount(self.end, x, self.num_focus * self.size).reshape(self.num_focus, self.size)
        return found.astype(np.float64)

    def fall(self, p: Float64) -> Float64:
        """From tail to head of every arc, (F, A)."""
        return np.asarray(p[:, self.arc_ends[0]] - p[:, self.arc_ends[1]])

    def leaving(self, y: Float64) -> Float64:
        """What leaves every node over arcs, less what arrives; 0 at sources."""
        out, back = (_summed(ends, y, self.size) for ends in self.arc_ends)
        found = out - back
        found[:, self.itself] = 0.0
        return found

    def by_channel(self, y: Float64) -> Float64:
        """Over all sources, (F, C)."""
        return _summed(self.arc, y, self.num_channels)

    @cached_property
    def order(self) -> list[tuple[int, list[int]]]:
        """Nodes in the order in which they are eliminated, each with the later ones that it is joined to by then."""
        near: dict[int, set[int]] = {v: set() for v in range(self.num_nodes)}
        for i, j in zip(self.tail.tolist(), self.head.tolist(), strict=True):
            if i != j:
                near[i].add(j)
                near[j].add(i)
        found = []
        while near:
            v = min(near, key=lambda v: (len(near[v]), sum(len(near[v] - near[u]) for u in near[v])))
            later = near.pop(v)
            found.append((v, sorted(later)))
            for u in later:
                near[u] = (near[u] | later) - {u, v}
        return found

    @property
    def bytes(self) -> int:
        """About what ``Newton`` takes."""
        joined = sum(1 + 2 * len(later) for _, later in self.order)
        arcs = self.num_focus * self.size * self.num_channels
        return _NUMBER * (joined * self.num_pairs**2 + 3 * arcs + 60 * self.num_focus * len(self.arc))

    @property
    def work(self) -> float:
        """Multiplications of one factorisation, about."""
        return sum((1.0 + len(later)) ** 2 for _, later in self.order) * float(self.num_pairs) ** 3


def _summed(at: Int64, y: Float64, size: int) -> Float64:
    """(F, size): the sums of ``y`` (F, n) by ``at`` (n,)."""
    rows = len(y)
    found = np.bincount((np.arange(rows)[:, None] * size + at).ravel(), y.ravel(), rows * size).reshape(rows, size)
    return found.astype(np.float64)


class Newton:
    """The equation, factored, for one set of weights.  Raises numpy.linalg.LinAlgError where it is not definite, as far
    as floating point can tell.

    ``arc``: W by arc; ``flow``, ``ratio``: W' by variable and by how much of it a distance moves its flow, with
    ``inverse`` what a variable yields; ``length``, ``distance``, ``w``: what else holds each; ``load``: of the rows
    bandwidth(c) w >= sum_e bandwidth(e) l_c(e).
    """

    def __init__(
        self, shape: Distances, *, arc: Float64, flow: Float64, ratio: Float64, inverse: Float64, length: Float64,
        distance: Float64, load: Float64, w: float,
    ) -> None:  # fmt: skip
        self.s, self.ratio, self.w = shape, ratio, w
        self._distances(arc, shape.padded(distance) + shape.at_ends(flow))
        self._lengths(arc, length, load)
        self._nodes(inverse)
        wide = shape.wide[shape.focus]
        self.tie, self.load = -(load * wide)[:, None] * shape.wide, float(load @ wide**2)
        self.tied = self._without_load(self.tie, np.zeros((shape.num_focus, shape.size)), np.zeros(shape.open.shape))

    def _distances(self, arc: Float64, diagonal: Float64) -> None:
        """``root`` R with R' R = the inverse of every source's Laplacian, and ``drawn``: R times its arcs' weights."""
        s = self.s
        count, nodes, itself = len(s.source), s.num_nodes, np.arange(len(s.source))
        tail, head = (ends - s.arc_source * nodes for ends in s.arc_ends)
        between = _summed((s.arc_ends[0] * nodes) + head, arc, s.size * nodes)
        between += _summed((s.arc_ends[1] * nodes) + tail, arc, s.size * nodes)
        matrix = -between.reshape(s.num_focus, count, nodes, nodes)
        for ends in s.arc_ends:
            diagonal = diagonal + _summed(ends, arc, s.size)
        matrix[:, itself, s.source, :] = 0.0
        matrix[:, itself, :, s.source] = 0.0
        diagonal[:, s.itself] = 1.0
        scale = 1.0 / np.sqrt(diagonal.reshape(s.num_focus, count, nodes))
        matrix *= scale[..., :, None] * scale[..., None, :]
        matrix[:, :, np.arange(nodes), np.arange(nodes)] = 1.0 + _MORE / 100
        root = np.linalg.inv(np.linalg.cholesky(matrix)) * scale[..., None, :]
        root[:, itself, s.source, s.source] = 0.0
        self.root = root
        weight = np.zeros((s.num_focus, count, s.num_channels))
        weight[:, s.arc_source, s.arc] = arc
        drawn = root[..., s.tail]
        drawn -= root[..., s.head]
        drawn *= weight[:, :, None, :]
        self.drawn = drawn.reshape(s.num_focus, s.size, s.num_channels)

    def _lengths(self, arc: Float64, length: Float64, load: Float64) -> None:
        """``lower``: the inverse of each channel's Cholesky factor."""
        s = self.s
        matrix = -np.matmul(self.drawn.transpose(0, 2, 1), self.drawn)
        matrix += load[:, None, None] * s.wide[:, None] * s.wide
        at = np.arange(s.num_channels)
        matrix[:, at, at] += length + s.by_channel(arc)
        scale = 1.0 / np.sqrt(np.maximum(matrix[:, at, at], 1e-300))
        matrix *= scale[:, :, None] * scale[:, None, :]
        matrix[:, at, at] = 1.0 + _MORE
        self.lower = np.linalg.inv(np.linalg.cholesky(matrix)) * scale[:, None, :]

    def _nodes(self, inverse: Float64) -> None:
        """``factor``: of every node the Cholesky factor, and what it takes from later nodes."""
        s, count = self.s, self.s.num_pairs
        place = {v: k for k, (v, _) in enumerate(s.order)}
        blocks = {(v, v): np.diag(1.0 - s.open[v]) for v in place}
        blocks |= {(v, u): np.zeros((count, count)) for v, later in s.order for u in later}
        for k, c in enumerate(s.focus.tolist()):
            u, v = int(s.tail[c]), int(s.head[c])
            if u == v:
                continue
            joint = self._between_pairs(k, inverse)
            for a, b in ((u, u), (v, v), (u, v) if place[u] < place[v] else (v, u)):
                blocks[a, b] += (joint if a == b else -joint) * s.open[a][:, None] * s.open[b]
        self.factor: dict[int, tuple[Float64, Float64]] = {}
        for v, later in s.order:
            own = blocks.pop((v, v))
            own[np.arange(count), np.arange(count)] *= 1.0 + _MORE
            lower, wrong = lapack.dpotrf(own, lower=1)
            if wrong:
                raise np.linalg.LinAlgError("not positive definite")
            taken = np.zeros((count, 0))
            if later:
                taken = blas.dtrsm(1.0, lower, np.hstack([blocks.pop((v, u)) for u in later]), lower=1)
            self.factor[v] = lower, taken
            each = [taken[:, k * count : (k + 1) * count] for k in range(len(later))]
            for u, one in zip(later, each, strict=True):
                for x, other in zip(later, each, strict=True):
                    if place[u] <= place[x]:
                        blocks[u, x] -= one.T @ other

    def _between_pairs(self, k: int, inverse: Float64) -> Float64:
        """(R, R): how the flows of pairs over one channel move together, if nodes' multipliers differ across it."""
        s, count, nodes = self.s, self.s.num_pairs, self.s.num_nodes
        here = slice(int(s.first[k]), int(s.first[k + 1]))
        at, pair = s.end[here] - k * s.size, s.pair[here]
        weight, of = np.zeros(s.size), np.zeros(s.size, dtype=np.int64)
        weight[at], of[at] = self.ratio[here] * s.sign[here], pair
        root = self.root[k] * weight.reshape(-1, 1, nodes)
        own = np.matmul(root.transpose(0, 2, 1), root)
        both = of.reshape(-1, nodes, 1) * count + of.reshape(-1, 1, nodes)
        joint = np.bincount(both.ravel(), own.ravel(), count * count)
        joint = joint.reshape(count, count)
        joint[np.arange(count), np.arange(count)] += np.bincount(pair, inverse[here], count)
        drawn = np.matmul(root.transpose(0, 2, 1), self.drawn[k].reshape(-1, nodes, s.num_channels))
        fold = csr_matrix((np.ones(len(at)), (pair, at)), shape=(count, s.size))
        through = (fold @ drawn.reshape(s.size, -1)) @ self.lower[k].T
        return np.asarray(joint + through @ through.T)

    def solve(self, right: Float64) -> Float64:
        """Lengths (F, C), distances (F, S N), pi (N, R) and w, one after the other, from the same of the right side."""
        s = self.s
        cuts = np.cumsum([s.num_focus * s.num_channels, s.num_focus * s.size, s.open.size])
        length, distance, pi, w = np.split(right, cuts)
        found = self._without_load(
            length.reshape(s.num_focus, -1), distance.reshape(s.num_focus, -1), pi.reshape(s.open.shape)
        )
        held = self.w + self.load - float(np.vdot(self.tie, self.tied[0]))
        more = (float(w[0]) - float(np.vdot(self.tie, found[0]))) / held
        parts = [one - more * tied for one, tied in zip(found, self.tied, strict=True)]
        return np.concatenate([*(x.ravel() for x in parts), [more]])

    def _without_load(self, length: Float64, distance: Float64, pi: Float64) -> tuple[Float64, Float64, Float64]:
        first, far = self._channels(length, distance)
        node = self._pairs(pi - self.s.balance(self.ratio * far.ravel()[self.s.end]))
        more, farther = self._channels(np.zeros_like(length), self.s.at_ends(self.ratio * self.s.rise(node)))
        return first + more, far + farther, node

    def _channels(self, length: Float64, distance: Float64) -> tuple[Float64, Float64]:
        s = self.s
        shape = (s.num_focus, len(s.source), s.num_nodes, 1)
        half = np.matmul(self.root, distance.reshape(shape)).reshape(s.num_focus, s.size, 1)
        right = np.matmul(self.lower, length[..., None] - np.matmul(self.drawn.transpose(0, 2, 1), half))
        length = np.matmul(self.lower.transpose(0, 2, 1), right)
        half = (half - np.matmul(self.drawn, length)).reshape(shape)
        return length[..., 0], np.matmul(self.root.transpose(0, 1, 3, 2), half).reshape(s.num_focus, s.size)

    def _pairs(self, right: Float64) -> Float64:
        s, count = self.s, self.s.num_pairs
        node = right * s.open
        for v, later in s.order:
            lower, taken = self.factor[v]
            node[v] = blas.dtrsv(lower, node[v], lower=1)
            for u, part in zip(later, (taken.T @ node[v]).reshape(len(later), count), strict=True):
                node[u] -= part
        for v, later in reversed(s.order):
            lower, taken = self.factor[v]
            node[v] = blas.dtrsv(lower, node[v] - taken @ node[later].ravel(), lower=1, trans=1)
        return np.asarray(node * s.open)
