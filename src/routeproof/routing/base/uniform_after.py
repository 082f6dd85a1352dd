"""Uniform traffic after failures: only what a failure changes is added up anew."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...core.arrays import Int64
from ...core.rational import INT64_MAX, Rationals, lcm_within
from .pair_table import TooManyLoadsError
from .repair import Detours, NoRepair, Rerouting
from .routing import Routing

_MOST = INT64_MAX >> 20  # a common denominator: what is added up stays below 2^63


class UniformAfter:
    """The load per bandwidth of uniform traffic among the terminals that are left, 1/T to each of T, of the pairs that
    are not cut."""

    def __init__(self, rerouting: Rerouting) -> None:
        self.rerouting = rerouting
        routing, table = rerouting.routing, rerouting.table
        self._scale = lcm_within(table.denominators, _MOST) or 0
        if not self._scale:
            return
        self._sends = np.bincount(routing.row_of, minlength=len(routing.row_node)).astype(np.int64)
        self._receives = np.bincount(routing.column_of, minlength=len(routing.column_node)).astype(np.int64)
        self._whole = self._sums(table.channel, table.load, self._sends[table.row] * self._receives[table.column])

    def load(self, detours: Detours) -> Fraction | None:
        """None where the fractions are too fine for 64-bit sums, and where no packet crosses a channel."""
        if not self._scale:
            return None
        routing, table, network = self.rerouting.routing, self.rerouting.table, self.rerouting.routing.network
        left = detours.terminals
        scale = lcm_within({self._scale, *detours.load.denominators()}, _MOST)
        if scale is None:
            return None
        factor = scale // self._scale
        if left.all():
            is_table = [x is routing for _, x in routing.forwarding_tables()] == [True]
            old = (routing if is_table else table).pair_loads(detours.row, detours.column)
            weight = np.repeat(self._sends[detours.row] * self._receives[detours.column], np.diff(old.offset))
            total = self._whole.copy()
            np.subtract.at(total, old.channel, old.load.scaled(self._scale) * weight)
            sends, receives = self._sends, self._receives
        else:
            sends = np.bincount(routing.row_of[left], minlength=len(self._sends)).astype(np.int64)
            receives = np.bincount(routing.column_of[left], minlength=len(self._receives)).astype(np.int64)
            moved = np.zeros((table.num_rows, table.num_columns), dtype=bool)
            moved[detours.row, detours.column] = True
            weight = sends[table.row] * receives[table.column] * ~moved[table.row, table.column]
            total = self._sums(table.channel, table.load, weight)
        if int(total.max(initial=0)) > INT64_MAX // factor // 2:
            return None
        weight = (sends[detours.row] * receives[detours.column])[detours.pair]
        more = np.zeros(network.num_channels, dtype=np.int64)
        np.add.at(more, detours.channel, detours.load.num * (scale // detours.load.den) * weight)
        total = total * factor + more
        top = np.zeros(len(network.widths), dtype=np.int64)
        np.maximum.at(top, network.bandwidth_rank, total)
        most = max(Fraction(int(x)) / width for x, width in zip(top, network.widths, strict=True))
        return most / (scale * int(left.sum())) if most else None

    def _sums(self, channel: np.ndarray, load: Rationals, weight: Int64) -> Int64:
        total = np.zeros(self.rerouting.routing.network.num_channels, dtype=np.int64)
        np.add.at(total, channel, load.num * (self._scale // load.den) * weight)
        return total


def uniform_alone(routing: Routing) -> Fraction | None:
    """The load per bandwidth of uniform traffic without a failure; None also where no table holds all pair loads."""
    try:
        whole = NoRepair(routing)
    except TooManyLoadsError:
        return None
    return UniformAfter(whole).load(whole.after([], []))
