"""The program on the optimal face by an interior-point method: flows x below potentials p, with B x + H p = f.

Flows are eliminated component by component, each with its own small Laplacian B D^-1 B'.  One node of every component
that is closed has no row: what flows in and out in sum is an equation in the potentials alone, C p = g.  Of all these
the independent ones are kept, as orthonormal rows; the dense system is solved in the directions that they leave free.

The steps are those of ``interior.steps``; nothing here is trusted.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import numpy as np

from ...core.arrays import Float64, Int64
from ...machine.one_thread import one_blas_thread
from ..interior.kernels import add_block, factor_block, solve_blocks
from ..interior.steps import Direction, InteriorMethod, Reached, refined
from ..interior.system import Block, factor_in_place, solve_factored
from .program import OptimalFace

_GROUP = 64  # rows of small components that are taken together
_SMALL = 1e-9  # relative to the largest singular value: equations that follow from others


@dataclass(frozen=True, eq=False)
class Point(Reached):
    """``x``, ``p``: flows and potentials, of all that there are; ``price``: of every row."""

    x: Float64
    p: Float64
    price: Float64


class _System:
    """B, H and f without the rows that are left out, in order of components; and the factors for one set of weights.

    ``over``: p of the potentials that there are, from their numbers; ``kept``: the rows, by their numbers before;
    ``fixed``: Q', float (P, r), of C p = g; ``wanted``: Q's right sides; ``shift``: (closed components, r), what
    multipliers of Q add to the prices of a component; ``closed``: by component its number there, or -1.
    """

    def __init__(self, face: OptimalFace) -> None:
        from scipy.sparse import coo_matrix

        self.alive = np.flatnonzero(face.alive)
        given = face.given[:, self.alive].astype(np.float64)
        parts = int(face.part.max()) + 1
        rows = np.arange(len(face.part))
        summed = coo_matrix((face.size.astype(np.float64), (face.part, rows)), shape=(parts, len(rows))).tocsr()
        open_part = np.asarray(abs(summed @ face.balance).sum(axis=1)).ravel() > 0
        self.closed = np.where(open_part, -1, np.cumsum(~open_part) - 1)
        cuts, sums = (summed @ given)[~open_part], (summed @ face.right)[~open_part]
        with one_blas_thread():
            self._equations(np.asarray(cuts.todense()), np.asarray(sums))
        first = np.unique(face.part, return_index=True)[1]
        keeps = np.ones(len(rows), dtype=np.bool_)
        keeps[first[~open_part]] = False
        keeps[np.asarray(abs(face.balance).sum(axis=1)).ravel() == 0] = False  # where a reversal keeps a node
        kept = np.flatnonzero(keeps)
        self.kept = kept[np.argsort(face.part[kept], kind="stable")]
        self.balance = face.balance[self.kept].astype(np.float64).tocsr()
        self.given = given[self.kept].tocsr()
        self.right = face.right[self.kept].astype(np.float64)
        self.rise, self.given_back = self.balance.T.tocsr(), self.given.T.tocsr()
        self.cover = np.searchsorted(self.alive, face.cover)
        self._blocks(face.part[self.kept])

    def _equations(self, cuts: Float64, sums: Float64) -> None:
        once = np.unique(cuts, axis=0, return_index=True)[1]
        left, size, turned = np.linalg.svd(cuts[once], full_matrices=False)
        rank = int(np.count_nonzero(size > _SMALL * max(float(size.max(initial=0.0)), 1.0)))
        self.fixed = np.ascontiguousarray(turned[:rank].T)
        self.shift = np.zeros((len(cuts), rank))
        self.shift[once] = left[:, :rank] / size[:rank]
        self.wanted = self.shift.T @ sums
        whole = np.linalg.svd(self.fixed, full_matrices=True)[0] if rank else np.eye(len(self.alive))
        self.free = np.ascontiguousarray(whole[:, rank:])

    def _blocks(self, part: Int64) -> None:
        """Small components together, in blocks of rows."""
        starts = np.flatnonzero(np.diff(part, prepend=-1))
        first = [0]
        for a, b in zip(starts.tolist(), [*starts[1:].tolist(), len(part)], strict=True):
            if a > first[-1] and b - first[-1] > _GROUP:
                first.append(a)
        self.first_row = np.array([*first, len(part)], dtype=np.int64)
        size = np.diff(self.first_row)
        self.first_factor = np.concatenate([[0], np.cumsum(size * size)]).astype(np.int64)
        self.factors = np.empty(int(self.first_factor[-1]))
        block = np.repeat(np.arange(len(size)), size)
        flows = self.rise.tocsr()
        counts = np.diff(flows.indptr)
        row = np.full((2, len(counts)), -1, dtype=np.int64)
        entry = np.zeros((2, len(counts)))
        for k in (0, 1):
            some = np.flatnonzero(counts > k)
            row[k, some], entry[k, some] = flows.indices[flows.indptr[some] + k], flows.data[flows.indptr[some] + k]
        of = np.where(row[0] >= 0, block[row[0]], -1)
        order = np.argsort(of, kind="stable")
        self.flows = np.split(order, np.searchsorted(of[order], np.arange(len(size))))[1:]
        plain = self.given.tocoo()
        self.block, self.local = list[Block](), list[Int64]()
        for k, some in enumerate(self.flows):
            own = np.arange(*self.given.indptr[self.first_row[k : k + 2]])
            base, none = self.first_row[k], np.full(len(own), -1, dtype=np.int64)
            names, cover = np.unique(np.concatenate([self.cover[some], plain.col[own]]), return_inverse=True)
            rows = [np.where(x >= 0, x - base, -1) for x in row[:, some]]
            self.block.append(
                Block(
                    np.array([0, size[k]]),
                    np.concatenate([rows[0], plain.row[own] - base]),
                    np.concatenate([rows[1], none]),
                    np.concatenate([entry[0, some], plain.data[own]]),
                    np.concatenate([entry[1, some], np.zeros(len(own))]),
                    np.arange(len(cover)),
                    cover.astype(np.int64)[:, None],
                )
            )
            self.local.append(names.astype(np.int64))

    def factor(self, d: Float64, w: Float64, potential: Float64, pool: ThreadPoolExecutor) -> None:
        """``d``: D; ``w``: y / s; ``potential``: v / p."""
        matrix, lock, inverse, ratio = np.zeros((len(self.alive),) * 2), Lock(), 1.0 / d, w / d

        def add(k: int) -> None:
            some, block, at = self.flows[k], self.block[k], self.local[k]
            more = len(block.row1) - len(some)
            weights = np.concatenate([inverse[some], np.zeros(more)])
            share = np.concatenate([ratio[some], np.ones(more)])
            out = self.factors[self.first_factor[k] : self.first_factor[k + 1]]
            part = factor_block(block, weights, share, len(at), out)
            with lock:
                add_block(matrix, at, part)

        for job in [pool.submit(add, k) for k in range(len(self.block))]:
            job.result()
        matrix += np.tril(matrix, -1).T
        each = np.arange(len(matrix))
        matrix[each, each] += potential + np.bincount(self.cover, w - w * ratio, minlength=len(matrix))
        self.matrix = matrix
        self.reduced = self.free.T @ matrix @ self.free
        self.reduced[np.diag_indices(len(self.reduced))] *= 1.0 + 1e-13
        factor_in_place(self.reduced, pool)

    def solve(self, right: Float64, off: Float64) -> tuple[Float64, Float64]:
        """(dp, multipliers of Q) with S dp = right + Q' multipliers, Q dp = off."""
        known = self.fixed @ off
        way = known
        if len(self.reduced):
            way = known + self.free @ solve_factored(self.reduced, self.free.T @ (right - self.matrix @ known))
        return way, self.fixed.T @ (self.matrix @ way - right)

    def laplace(self, right: Float64) -> Float64:
        order = np.arange(len(self.first_row))
        return np.asarray(solve_blocks(self.first_row, order, self.first_row, self.first_factor, self.factors, right))


class FaceInterior(InteriorMethod[Point]):
    """``primal``: x, s, p; ``dual``: z, y, v; ``node``: prices of rows, then multipliers of Q."""

    correctors = 3

    def __init__(self, face: OptimalFace) -> None:
        """Begin inside, both sides feasible: with Valiant's routing, half of it netted, and prices of 0."""
        self.face, self.own = face, _System(face)
        own, scale = self.own, float(face.reduction.network.num_terminals) ** 2
        self.cost, self.more = face.hops / scale, face.more[own.alive] / scale
        every, other = face.half_flow()
        p = every[own.alive]
        cap = p[own.cover]
        x = np.maximum(cap - every[other] / 2, cap / 2)
        share = np.minimum(1.0, self.more / (2 * np.maximum(self._under(self.cost), 1e-300)))
        y = self.cost * share[own.cover]
        v = self.more - self._under(y)
        self.cuts = np.cumsum([len(x), len(x)])
        self.place(
            np.concatenate([x, cap - x, p]),
            np.concatenate([self.cost + y, y, v]),
            np.zeros(len(own.right) + own.fixed.shape[1]),
        )

    def place(self, primal: Float64, dual: Float64, node: Float64) -> None:
        self.primal, self.dual, self.node = primal, dual, node
        self.x, self.s, self.p = np.split(primal, self.cuts)
        self.z, self.y, self.v = np.split(dual, self.cuts)

    def step(self, pool: ThreadPoolExecutor) -> None:
        """What a step leaves of the equations is taken away: it adds up in the loads of many pairs."""
        super().step(pool)
        own = self.own
        x, p = self.x, self.p + own.fixed @ (own.wanted - own.fixed.T @ self.p)
        for _ in range(2):
            x = x + (own.rise @ own.laplace(own.right - own.balance @ x - own.given @ p)) / self.d
        primal = np.concatenate([x, p[own.cover] - x, p])
        if float(primal.min()) > 0.0:
            self.place(primal, self.dual, self.node)

    def residuals(self) -> None:
        own, price = self.own, self.node[: len(self.own.right)]
        self.r_flow = own.right - own.balance @ self.x - own.given @ self.p
        self.r_cut = own.wanted - own.fixed.T @ self.p
        self.r_over = self.x + self.s - self.p[own.cover]
        self.r_x = self.cost + self.y - own.rise @ price - self.z
        back = own.given_back @ price + own.fixed @ self.node[len(price) :]
        self.r_p = self.more - self._under(self.y) - back - self.v

    def _under(self, y: Float64) -> Float64:
        return np.bincount(self.own.cover, y, minlength=len(self.own.alive)).astype(np.float64)

    def factor(self, pool: ThreadPoolExecutor) -> None:
        self.w = self.y / self.s
        self.d = self.z / self.x + self.w
        self.own.factor(self.d, self.w, self.v / self.p, pool)

    def direction(self, change: Float64, *, correcting: bool = False) -> Direction:
        own, w, d = self.own, self.w, self.d
        c_x, c_s, c_p = np.split(change, self.cuts)
        base = c_s / self.s
        h = c_x / self.x - base
        q, right, off = np.zeros(len(own.right)), c_p / self.p, np.zeros(len(self.r_cut))
        if not correcting:
            base = base + w * self.r_over
            h -= w * self.r_over + self.r_x
            q, off, right = self.r_flow.copy(), self.r_cut, right - self.r_p
        q -= own.balance @ (h / d)
        ratio = w / d
        turned = own.laplace(q)
        right = right + self._under(base + ratio * (h + own.rise @ turned)) + own.given_back @ turned

        def spread(found: Float64) -> Direction:
            dp, dm = found[: len(right)], found[len(right) :]
            over = dp[own.cover]
            dn = own.laplace(q - own.given @ dp - own.balance @ (ratio * over))
            rise = own.rise @ dn
            dx = (rise + w * over + h) / d
            ds = over - dx
            if not correcting:
                ds = ds - self.r_over
                rise = rise - self.r_x
            dy, dz = (c_s - self.y * ds) / self.s, (c_x - self.z * dx) / self.x
            tight = w > self.z / self.x
            dy, dz = np.where(tight, rise + dz, dy), np.where(tight, dz, dy - rise)
            dual = np.concatenate([dz, dy, (c_p - self.v * dp) / self.p])
            return Direction(np.concatenate([dx, ds, dp]), dual, np.concatenate([dn, dm]))

        def left(found: Direction) -> Float64:
            _, dy, dv = np.split(found.dual, self.cuts)
            dn, dm = found.node[: len(q)], found.node[len(q) :]
            wrong: Float64 = -self._under(dy) - own.given_back @ dn - own.fixed @ dm - dv
            return wrong if correcting else wrong + self.r_p

        def solved(rest: Float64) -> Float64:
            nonlocal off
            way = np.concatenate(own.solve(rest, off))
            off = np.zeros(len(off))
            return way

        return refined(solved, spread, left, right, self.complementarity())

    def value(self) -> float:
        return float(self.cost @ self.x + self.more @ self.p) + 1e-300

    def iterate(self, rounds: int) -> Point:
        self.residuals()
        own, face = self.own, self.face
        primal = max(float(np.abs(r).max(initial=0.0)) for r in (self.r_flow, self.r_cut, self.r_over))
        gap = self.complementarity() + float(
            np.abs(self.r_x).sum() * self.x.max() + np.abs(self.r_p).sum() * self.p.max()
        )
        count = len(own.right)
        price = np.zeros(len(face.right))
        price[own.kept] = self.node[:count]
        more = np.append(own.shift @ self.node[count:], 0.0)
        price += face.size * more[own.closed[face.part]]
        p = np.zeros(len(face.more))
        p[own.alive] = self.p
        return Point(
            gap / self.value(), primal, rounds, self.x, p, price * float(face.reduction.network.num_terminals) ** 2
        )
