"""The ratio's program by an interior point, where its exact vertex is too long: all distances in place of paths.

    minimise w  over flows x, lengths l, distances p >= 0 with  l_c(e) + p_c(i, tail e) >= p_c(i, head e),
    p_c(i, j) >= the flow of c from i to j,  bandwidth(c) w >= sum_e bandwidth(e) l_c(e).

The multipliers of the first rows are the adversaries, as flows from i against c.

Source: Applegate & Cohen 2003 (SIGCOMM), the program of polynomial size; steps as in ``interior.steps``.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Float64
from ...core.graph import hops_from
from ..interior.steps import Direction, InteriorMethod, Reached, refined
from .system import Distances, Newton

_ROOM = 0.05


@dataclass(frozen=True, eq=False)
class Iterate(Reached):
    """``x``: by column of the program, flows and lengths; ``y``: flows against focus channels by arc, (F, A)."""

    x: Float64
    y: Float64


class RatioInterior(InteriorMethod[Iterate]):
    """``primal``: x, slacks of arcs and of ends, l, p, w, slacks of loads; ``dual``: what belongs to each."""

    correctors = 3

    def __init__(self, shape: Distances) -> None:
        s = self.s = shape
        self.narrow = s.wide[s.focus]
        arcs, free = (s.num_focus, len(s.arc)), (s.num_focus, len(s.free))
        self.shapes = [(len(s.end),), arcs, (len(s.end),), (s.num_focus, s.num_channels), free, (1,), (s.num_focus,)]
        self.cuts = np.cumsum([int(np.prod(x)) for x in self.shapes])[:-1]
        self._start()

    def _start(self) -> None:
        """Electrical currents, and lengths that are just long enough for them."""
        s = self.s
        laplacian = np.zeros((s.num_nodes, s.num_nodes))
        for a, b in ((s.tail, s.head), (s.head, s.tail)):
            np.add.at(laplacian, (a, a), s.wide / 2)
            np.add.at(laplacian, (a, b), -s.wide / 2)
        ends = s.sent.copy()
        here = s.destination, np.arange(s.num_pairs)
        ends[here] = -1.0
        height = np.linalg.pinv(laplacian) @ ends
        height -= height[here]
        x = np.maximum(s.rise(height) * s.wide[s.channel], 0.0) + _ROOM
        hops = np.array([hops_from(s.num_nodes, s.tail, s.head, i) for i in s.source.tolist()])
        far = np.where(hops < 0, hops.max(), hops) * (0.5 / float(s.wide.max()))
        p = np.repeat(far.reshape(1, -1), s.num_focus, axis=0)
        length = np.repeat(1.0 / s.wide[None, :], s.num_focus, axis=0)
        above = s.at_ends(x) / np.maximum(p, 1e-300)
        above[:, s.itself] = 0.0
        long = (1 + 2 * _ROOM) * above.max(axis=1)[:, None]
        length, p = length * long, p * long
        used = length @ s.wide
        w = (1 + _ROOM) * float((used / self.narrow).max())
        u = (1 - _ROOM) / (s.num_focus * self.narrow)
        y = 0.5 / len(s.source) * u[:, None] * s.wide[s.arc]
        each = np.repeat(y.mean(axis=1), np.diff(s.first)) / 2
        rest = np.maximum(u[:, None] * s.wide - s.by_channel(y), 1e-6 * u[:, None] * s.wide)
        primal = [x, length[:, s.arc] + s.fall(p), p.ravel()[s.end] - x, length, p[:, s.free], np.array([w])]
        dual = [each, y, each, rest, np.repeat(y.mean(axis=1)[:, None] / 2, len(s.free), axis=1), np.array([_ROOM])]
        self.place(self._joined([*primal, self.narrow * w - used]), self._joined([*dual, u]), np.zeros(s.open.shape))

    def _joined(self, parts: list[Float64]) -> Float64:
        return np.concatenate([x.ravel() for x in parts])

    def _split(self, whole: Float64) -> list[Float64]:
        return [x.reshape(shape) for x, shape in zip(np.split(whole, self.cuts), self.shapes, strict=True)]

    def place(self, primal: Float64, dual: Float64, node: Float64) -> None:
        self.primal, self.dual, self.node = primal, dual, node
        self.x, self.arc, self.end, self.l, self.p, self.w, self.t = self._split(primal)
        self.z, self.y, self.demand, self.zl, self.zp, self.zw, self.u = self._split(dual)

    def _rows(self, length: Float64, p: Float64, x: Float64, w: Float64) -> list[Float64]:
        """What the rows of arcs, ends and loads leave."""
        s = self.s
        return [length[:, s.arc] + s.fall(p), p.ravel()[s.end] - x, self.narrow * w - length @ s.wide]

    def _columns(self, dual: list[Float64]) -> list[Float64]:
        """What the columns of l, p and w are short of."""
        s, (_, y, demand, zl, zp, zw, u) = self.s, dual
        p = -s.padded(zp) - s.at_ends(demand) - s.leaving(y)
        return [u[:, None] * s.wide - s.by_channel(y) - zl, p, -(zw + self.narrow @ u)]

    def residuals(self) -> None:
        s = self.s
        arc, end, load = self._rows(self.l, s.padded(self.p), self.x, self.w)
        self.off = [self.arc - arc, self.end - end, self.t - load]
        self.unbalanced = (s.sent - s.balance(self.x)) * s.open
        self.r_x = self.demand - self.z - s.rise(self.node)
        self.short = self._columns(self._split(self.dual))
        self.short[2] = self.short[2] + 1.0

    def factor(self, pool: ThreadPoolExecutor) -> None:  # noqa: ARG002
        self.along, self.across, own = self.y / self.arc, self.demand / self.end, self.z / self.x
        self.d, self.heavy = own + self.across, self.u / self.t
        self.ratio = self.across / self.d
        self.newton = Newton(
            self.s, arc=self.along, flow=self.ratio * own, ratio=self.ratio, inverse=1.0 / self.d,
            length=self.zl / self.l, distance=self.zp / self.p, load=self.heavy, w=float(self.zw[0] / self.w[0]),
        )  # fmt: skip

    def direction(self, change: Float64, *, correcting: bool = False) -> Direction:
        s, real = self.s, 0.0 if correcting else 1.0
        c_x, c_arc, c_end, c_l, c_p, c_w, c_t = self._split(change)
        off, short, r_x = [real * x for x in self.off], [real * x for x in self.short], real * self.r_x
        arc, end = c_arc / self.arc + self.along * off[0], c_end / self.end + self.across * off[1]
        load, h = c_t / self.t + self.heavy * off[2], c_x / self.x - end - r_x
        far = s.padded(c_p / self.p) + s.at_ends(end + self.ratio * h) + s.leaving(arc)
        right = [
            c_l / self.l + s.by_channel(arc) - load[:, None] * s.wide - short[0],
            far - short[1],
            real * self.unbalanced - s.balance(h / self.d),
            c_w / self.w + self.narrow @ load - short[2],
        ]
        sizes = np.cumsum([x.size for x in right])[:-1]

        def spread(way: Float64) -> Direction:
            length, p, node, w = (x.reshape(y.shape) for x, y in zip(np.split(way, sizes), right, strict=True))
            rise = s.rise(node)
            x = (self.across * p.ravel()[s.end] + rise + h) / self.d
            rows = [row - wrong for row, wrong in zip(self._rows(length, p, x, w), off, strict=True)]
            primal = [x, rows[0], rows[1], length, p[:, s.free], w, rows[2]]
            dual = [
                (c - z * dx) / x
                for c, z, dx, x in zip(
                    self._split(change), self._split(self.dual), primal, self._split(self.primal), strict=True
                )
            ]
            # Of what belongs to flows and ends the one by its product, the other by the flow's equation.
            tight, rest = self.across > self.z / self.x, rise - r_x
            dual[2], dual[0] = np.where(tight, dual[0] + rest, dual[2]), np.where(tight, dual[0], dual[2] - rest)
            return Direction(self._joined(primal), self._joined(dual), node)

        def left(found: Direction) -> Float64:
            wrong = [x + y for x, y in zip(self._columns(self._split(found.dual)), short, strict=True)]
            lost = (s.balance(self._split(found.primal)[0]) - real * self.unbalanced) * s.open
            return self._joined([wrong[0], wrong[1], lost, wrong[2]])

        return refined(self.newton.solve, spread, left, self._joined(right), self.complementarity())

    def value(self) -> float:
        return float(self.w[0])

    def iterate(self, rounds: int) -> Iterate:
        self.residuals()
        off = max(float(np.abs(r).max(initial=0.0)) for r in (*self.off, self.unbalanced))
        gap = self.complementarity() + sum(float(np.abs(r).sum()) for r in (*self.short, self.r_x))
        found = np.zeros(self.s.program.base.num_columns)
        found[self.s.column], found[self.s.program.length] = self.x, self.l
        return Iterate(gap / self.value(), off, rounds, found, self.y)
