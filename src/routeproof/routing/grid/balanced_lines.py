"""One dimension of randomized local balance: the short or the long way round, then any node of that way.

Source: RLB and RLBth, Singh, Dally, Towles & Gupta 2002 (SPAA), sec. 3; Towles, Dally & Boyd 2003 (SPAA), Table 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from .lines import Line

__all__ = ["BalancedLine"]

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class BalancedLine(Line):
    """The rule of a torus dimension of radix k: a way of L hops is taken with probability (k - L) / k.

    The other way round has k - L hops, so the short way, of Delta hops, has probability (k - Delta) / k and both ways
    load the ring alike.  The intermediate is uniform over the L + 1 nodes of the way taken, both ends included.

    ``threshold``: with fewer than k/4 hops to go the short way is always taken.
    """

    threshold: bool = False

    def _ways(self, s: Int64, t: Int64, p: Int64) -> list[tuple[Int64, Int64, Int64]]:
        """(length, offset of p, k times the probability) of each direction's way from s to t."""
        k = self.radix
        forward = (t - s) % k
        if len(self.directions) == 1:  # radix 2: both ways are the one channel
            return [(forward, (p - s) % k, np.full_like(forward, k))]
        backward = (s - t) % k
        chance = k - forward
        if self.threshold:
            chance = np.where(4 * forward < k, k, np.where(4 * (k - forward) < k, 0, chance))
        return [(forward, (p - s) % k, chance), (backward, (s - p) % k, k - chance)]

    def stays(self, s: Int64, t: Int64, p: Int64) -> tuple[Int64, Int64]:
        shape = np.broadcast_shapes(s.shape, t.shape, p.shape)
        ways = self._ways(s, t, p)
        den: Int64 = np.full(shape, self.radix, dtype=np.int64)
        num: Int64 = np.zeros(shape, dtype=np.int64)
        for length, _, _ in ways:
            den = den * (length + 1)
        for length, offset, chance in ways:
            num = num + np.asarray(chance * (offset <= length) * (den // (self.radix * (length + 1))), dtype=np.int64)
        return num, den

    def crosses(self, s: Int64, t: Int64, p: Int64, d: int) -> tuple[Int64, Int64, Int64]:
        shape = np.broadcast_shapes(s.shape, t.shape, p.shape)
        length, offset, chance = self._ways(s, t, p)[d]
        on = chance * (offset < length)
        den = np.broadcast_to(self.radix * (length + 1), shape)
        first, second = on * (length - offset), on * (offset + 1)
        return np.broadcast_to(first, shape), np.broadcast_to(second, shape), np.asarray(den)

    def legs(self, s: int, t: int) -> list[tuple[Fraction, tuple[int, ...]]]:
        """Both ways round that have a probability, the long one too."""
        here = np.array([s])
        ways = enumerate(self._ways(here, np.array([t]), here))
        return [(Fraction(int(x[0]), self.radix), (d,) * int(hops[0])) for d, (hops, _, x) in ways if x[0]]
