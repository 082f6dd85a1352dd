"""The worst of all pairs of links that fail together: ``python benchmarks/pairs_of_links.py N [--share S]``.

The network is random 6-regular, of N nodes; minimal routing is made anew after each failure.  A bound rules most pairs
out; those that are left are judged exactly (as ``routeproof failures NETWORK --links 2`` judges every pair, up to
200,000 of them).  With a share S < 1, every 1/S-th link is taken as the first of a pair: the time is then that of a
part, and the worst case that of these pairs.

The bound.  Potentials u, v of the whole network's channel c bound its load by b = sum u + sum v.  After the failure of
e alone, lines are raised by R_e in all until they bound the loads again (``kernel.reused_bounds``), and by R_f after
that of f.  After both, the shortest paths of a pair of terminals are

- the old ones, if neither e nor f was on one of them;
- those after e alone, if e was on one, f was on none, and f is on none of those after e: no path of theirs is lost, and
  no other path is as short; the same with e and f exchanged;
- in the other cases, D, others, which are looked for.  Their loads raise lines by R_D, from u and v.

Lines that are raised by all three amounts bound all loads: the load of c is at most b + R_e + R_f + R_D.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

import routeproof as rp
from routeproof.core.arrays import Int64
from routeproof.kernel.reused_bounds import raised_bounds
from routeproof.routing.base.repair import Crossing, Detours, Rerouting, find_detours
from routeproof.worst.failures import Base, base_of, solve_failures

_NONE = -(1 << 60)  # of a channel that failed
_BEGIN = 40  # pairs that are judged before any is ruled out


class Single(NamedTuple):
    """Of one link: its channels; the pairs of terminals of which a path crossed it (keys, in order); for each link,
    from ``first`` on, the keys of those whose new paths cross that link; by how much each channel's bound rises."""

    dead: list[int]
    crossed: Int64
    first: Int64
    key: Int64
    rise: Int64


class Pairs:
    def __init__(self, network: rp.Network) -> None:
        self.network, self.base = network, base_of(rp.named_routing("minimal", network), "rebuild")
        assert network.reverse is not None
        self.link = np.unique(np.minimum(np.arange(network.num_channels), network.reverse), return_inverse=True)[1]
        self.channels = [np.flatnonzero(self.link == x).tolist() for x in range(self.link.max() + 1)]
        self.singles = [self.single(x) for x in self.channels]
        self.rise = np.array([x.rise for x in self.singles])

    @property
    def rerouting(self) -> Rerouting:
        return self.base.rerouting.alike  # type: ignore[attr-defined, no-any-return]

    def single(self, dead: list[int]) -> Single:
        found = self.rerouting.after([], dead)
        key = self.keys(found.row, found.column)
        cross = np.unique(self.link[found.channel] * self.network.num_nodes**2 + key[found.pair])
        link, pair = np.divmod(cross, self.network.num_nodes**2)
        rise = self.raised(found)
        rise[dead] = _NONE
        return Single(dead, key, np.searchsorted(link, np.arange(len(self.channels) + 1)), pair, rise)

    def keys(self, row: np.ndarray, column: np.ndarray) -> Int64:
        return row.astype(np.int64) * self.network.num_nodes + column

    def raised(self, found: Detours) -> Int64:
        assert found.lost is None, "some failure separates nodes"
        base: Base = self.base
        every = base.rates.supply, base.rates.demand
        row, column = found.row[found.pair], found.column[found.pair]
        new = raised_bounds(
            base.potentials, *every, left=every, channel=found.channel, row=row, column=column, load=found.load
        )
        return new - base.potentials.bound

    def before_both(self, e: int) -> Int64:
        """For each link, the largest bound after e and it, without R_D."""
        return (self.rise + (self.base.potentials.bound + self.singles[e].rise)).max(axis=1)

    def bounds(self, e: int) -> Iterator[tuple[int, int]]:
        """(f, the largest bound after e and f) for all links f beyond e."""
        one, n = self.singles[e], self.network.num_nodes
        crossed = np.zeros(n * n, dtype=bool)
        crossed[one.crossed] = True
        every = np.ones(self.network.num_terminals, dtype=bool)
        for f in range(e + 1, len(self.singles)):
            other = self.singles[f]
            both = other.crossed[crossed[other.crossed]]
            after = one.key[one.first[f] : one.first[f + 1]], other.key[other.first[e] : other.first[e + 1]]
            row, column = (x.astype(np.int32) for x in np.divmod(np.unique(np.concatenate([both, *after])), n))
            dead = np.zeros(self.network.num_channels, dtype=bool)
            dead[[*one.dead, *other.dead]] = True
            found = find_detours(self.rerouting.routing, self.rerouting.hops, Crossing(dead, every, row, column))
            yield f, int((self.base.potentials.bound + one.rise + other.rise + self.raised(found)).max())

    def load(self, e: int, f: int) -> Fraction:
        """Exactly, after both."""
        return Fraction(
            solve_failures(self.base, failures=[([], sorted(self.channels[e] + self.channels[f]))])[0]["load"]
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", type=int, metavar="N")
    parser.add_argument("--share", type=float, default=1.0, metavar="S", help="of the links as the first (default: 1)")
    options = parser.parse_args()
    begun = time.process_time()
    pairs = Pairs(rp.network(f"random-regular:{options.nodes},degree=6,seed=1"))
    taken = range(0, len(pairs.singles), round(1 / options.share))
    scale, likely = pairs.base.potentials.scale, []
    for e in taken:
        after = pairs.before_both(e)[e + 1 :]
        likely += [(int(after[x]), e, e + 1 + x) for x in np.argsort(after)[-_BEGIN:].tolist()]
    judged = {(e, f): pairs.load(e, f) for _, e, f in sorted(likely)[-_BEGIN:]}
    best, ready, count, left = max(judged.values()), time.process_time(), 0, []
    for e in taken:
        for f, bound in pairs.bounds(e):
            count += 1
            if bound > best * scale and (e, f) not in judged:
                left.append((bound, e, f))
    bounded = time.process_time()
    for bound, e, f in sorted(left, reverse=True):
        if bound > best * scale:
            judged[e, f] = pairs.load(e, f)
            best = max(best, judged[e, f])
    sys.stdout.write(
        f"{options.nodes} nodes, {count:,} pairs of links: worst-case load {best}; {len(judged):,} judged exactly; "
        f"{ready - begun:.1f} s before, {bounded - ready:.1f} s for the bounds, {time.process_time() - bounded:.1f} s "
        f"for what they leave\n"
    )


if __name__ == "__main__":
    main()
