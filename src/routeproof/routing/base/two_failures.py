"""Bounds on the worst case after two failures at once, from what each of the two does alone.

Pairs that cross what failed take all shortest paths of what is left, in equal parts or split hop by hop; all others
stay as they are.  Potentials u, v of a channel of the whole network bound its load by b = sum u + sum v.  After the
failure of e alone they are raised by R_e in all until they bound the loads again (``kernel.reused_bounds``), and by R_f
after that of f.  After both, the paths of a pair are

- the old ones, if neither e nor f was on one of them;
- those after e alone, if e was on one of the old, f on none of these, and f is on none of those after e: no path of
  theirs is lost, and no other path is as short; the same with e and f exchanged;
- in the other cases others, which are looked for; by R_D the potentials are raised for the loads of these pairs.

Raised by all three they bound all loads: b + R_e + R_f + R_D.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...kernel.reused_bounds import Potentials, raised_bounds
from ...machine.memory import check_table
from ...topologies.failures import Failure
from .repair import Crossing, Detours, Rerouting

_MOST_RAISED = 1 << 59  # so that sums of bounds fit 64 bits


class Alone(NamedTuple):
    """One failure alone: its channels; ``crossed``, the pairs of which a path crossed them, a pair in one number,
    ascending; ``pair[first[k]:first[k + 1]]``, those whose new paths cross part k; ``terminals``, how many senders or
    receivers ``crossed`` has, whichever is less; and by how much it raises each channel's bound, int64 (C,)."""

    channels: Sequence[int]
    crossed: Int64
    first: Int64
    pair: Int64
    terminals: int
    rise: Int64

    def on(self, part: int) -> Int64:
        return self.pair[self.first[part] : self.first[part + 1]]


class TwoFailures:
    """Any two of ``failures``, which are links, or cables.

    ``potentials``: of the whole network, for ``supply`` and ``demand``, int64, by row and by column.
    Raises InputError where one of them alone separates terminals, cuts pairs, or does what the rule does not say, and
    where the rule makes other pairs change, too.
    """

    def __init__(
        self, rerouting: Rerouting, potentials: Potentials, supply: Int64, demand: Int64, failures: Sequence[Failure]
    ) -> None:
        rule, network = rerouting.shortest, rerouting.routing.network
        if rule is None:
            raise InputError("the repair rule does not keep the paths that no failure meets, or cuts pairs")
        self.rerouting, self.potentials, self.rates = rule, potentials, (supply, demand)
        self.parts = parts = [x.channels(network) for x in failures]
        check_table(len(parts), network.num_channels, 8, f"bounds after every failure of {network.name}")
        self._part = np.full(network.num_channels, -1, dtype=np.int64)
        for k, channels in enumerate(parts):
            self._part[list(channels)] = k
        self._alone = [self._fail(channels) for channels in parts]

    def _fail(self, channels: Sequence[int]) -> Alone:
        found, columns = self.rerouting.after([], channels), len(self.rates[1])
        if not found.is_decided or found.cuts:
            label = self.rerouting.routing.network.channel_label(channels[0])
            raise InputError(f"the failure of {label} alone separates terminals, or cuts or lengthens paths")
        pair = found.row.astype(np.int64) * columns + found.column
        part, size = self._part[found.channel], len(self.rates[0]) * columns
        by_part = np.unique((part * size + pair[found.pair])[part >= 0])
        first = np.searchsorted(by_part, np.arange(len(self.parts) + 1) * size)
        ends = (np.unique(x) for x in (found.row, found.column))
        terminals = min(int(rate[x].sum()) for x, rate in zip(ends, self.rates, strict=True))
        rise = self._raised(found)
        rise[list(channels)] = -self.potentials.bound[list(channels)] - 2 * _MOST_RAISED
        return Alone(channels, np.sort(pair), first, by_part % size, terminals, rise)

    def _raised(self, found: Detours) -> Int64:
        row, column = found.row[found.pair], found.column[found.pair]
        every = self.rates
        rise = raised_bounds(
            self.potentials, *every, left=every, channel=found.channel, row=row, column=column, load=found.load
        )
        rise -= self.potentials.bound
        if int(rise.max(initial=0)) > _MOST_RAISED:
            raise VerificationError("bounds after two failures do not fit 64 bits")
        return rise

    def likely(self, e: int, others: Sequence[int]) -> list[tuple[int, int]]:
        """(the largest bound after both without R_D, f) for each f of ``others``."""
        before = self.potentials.bound + self._alone[e].rise
        return [(int((before + self._alone[f].rise).max()), f) for f in others]

    def after(self, e: int, others: Iterable[int]) -> Iterator[tuple[int, Int64 | None]]:
        """(f, bounds of all channels after e and f, not positive of those that failed) for each f of ``others``.

        int64 (C,) over the potentials' scale; None where terminals are separated, or pairs cut or not decided.
        """
        network, columns = self.rerouting.routing.network, len(self.rates[1])
        one, every = self._alone[e], np.ones(network.num_terminals, dtype=bool)
        crossed = np.zeros(len(self.rates[0]) * columns, dtype=bool)
        crossed[one.crossed] = True
        before = self.potentials.bound + one.rise
        for f in others:
            other = self._alone[f]
            changed = np.unique(np.concatenate([other.crossed[crossed[other.crossed]], one.on(f), other.on(e)]))
            row, column = (x.astype(np.int32) for x in np.divmod(changed, columns))
            dead = np.zeros(network.num_channels, dtype=bool)
            dead[[*one.channels, *other.channels]] = True
            found = self.rerouting.rerouted(Crossing(dead, every, row, column))
            yield f, before + other.rise + self._raised(found) if found.is_decided and not found.cuts else None

    def most(self) -> Fraction:
        """A load per bandwidth that no channel passes after any two of the parts that separate no terminals, cut no
        pairs and are decided.

        No pair loads a channel more than once, so that R_D need be no more than the senders, or the receivers, that
        have paths over e, and those that have paths over f.
        """
        rise = np.full((2, len(self.potentials.bound)), -2 * _MOST_RAISED)
        for alone in self._alone:
            rise = np.sort(np.concatenate([rise, alone.rise[None]]), axis=0)[1:]
        most = sum(sorted(x.terminals for x in self._alone)[-2:])
        if most * self.potentials.scale > _MOST_RAISED:
            raise VerificationError("bounds after two failures do not fit 64 bits")
        bound = self.potentials.bound + rise.sum(axis=0) + most * self.potentials.scale
        widths = self.rerouting.routing.network.bandwidth
        return max(Fraction(x) / b for x, b in zip(bound.tolist(), widths, strict=True)) / self.potentials.scale


def pairs_of(count: int, first: Collection[int]) -> dict[int, list[int]]:
    """All pairs of ``count`` failures up to symmetry, the second ones by the first: ``first`` has one of
    each class."""
    return {e: [f for f in range(count) if f != e and not (f < e and f in first)] for e in sorted(first)}


def both(one: Failure, other: Failure) -> Failure:
    """Two links, or two cables, in order."""
    return Failure((), tuple(sorted(one.links + other.links)), tuple(sorted(one.cables + other.cables)))


def seconds_each(network: Network) -> float:
    """About how long ``TwoFailures.after`` takes for one pair."""
    return 1.5e-4 + 8e-8 * network.num_channels
