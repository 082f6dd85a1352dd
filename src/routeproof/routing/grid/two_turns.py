"""The paths of at most two turns on two-dimensional tori and meshes, by displacement: of 2TURN, 2TURNA and W2TURN.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2 and 5.4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from ...core.errors import InputError
from ...core.network import Grid, Network
from ..base.entry import RoutingEntry
from .lines import grid_of
from .relative import RelativeRouting, Steps

Legs = tuple[tuple[int, int], ...]
"""(dimension, hops) leg by leg; hops are signed and never 0, consecutive legs are of different dimensions."""


def two_turn_paths(grid: Grid, start: Sequence[int], end: Sequence[int]) -> list[Legs]:
    """All paths between two nodes, given by their coordinates, with at most two turns; they visit no node twice.

    They come in a fixed order, of at most three legs: x, y, xy, yx, xyx and yxy.  On a torus a leg goes either way
    round, minimally or not, and paths depend on ``end - start`` modulo the radices alone: one start stands for all.

    "'u-turns' or changes of direction within dimensions are disallowed" (the paper) is read as: no immediate reversal.
    The two x legs of xyx may point opposite ways; if they had to point the same way, no weights of these paths would
    reach half of capacity on the 8-ary 2-cube.  A path never revisits a node: the two legs of a dimension lie on
    different rows.

    For ``start == end`` the one path is the empty one.  Raises InputError unless the grid is a torus or mesh of two
    dimensions.
    """
    if grid.kind == "hyperx" or grid.num_dimensions != 2:
        raise InputError(
            f"paths of two turns need a torus or mesh of two dimensions; this is a {grid.kind} of {grid.num_dimensions}"
        )
    if tuple(start) == tuple(end):
        return [()]
    found: list[Legs] = []
    for first in (0, 1):
        second = 1 - first
        across = _hops(grid, second, start[second], end[second])
        if start[second] == end[second]:
            found += [((first, x),) for x in _hops(grid, first, start[first], end[first])]
            continue  # two parallel legs would lie on one line: a reversal, or a node twice
        for w in range(grid.radix[first]):
            # None where w is the start: the path begins in the other dimension, and is found with that one first.
            before = _hops(grid, first, start[first], w)
            after = _hops(grid, first, w, end[first]) or [0]
            for x in before:
                for y in across:
                    found += [((first, x), (second, y), *(((first, z),) if z else ())) for z in after]
    return found


def _hops(grid: Grid, dimension: int, a: int, b: int) -> list[int]:
    """The signed hops of a leg from a to b, that is not all the way round; none if a is b."""
    if a == b:
        return []
    if grid.kind == "mesh":
        return [b - a]
    k = grid.radix[dimension]
    forward = (b - a) % k
    return [forward] if grid.oneway or k == 2 else [forward, forward - k]


def channels_of(grid: Grid, start: Sequence[int], legs: Legs) -> Iterator[int]:
    """The channels of the path that ``legs`` make from coordinates ``start``."""
    here = list(start)
    for m, hops in legs:
        step = 1 if hops > 0 else -1
        for _ in range(abs(hops)):
            yield int(grid.channel_at[grid.node(here), m, int(step < 0)])
            here[m] = (here[m] + step) % grid.radix[m]


_MADE = re.compile(r"(?<![\w-])2turna(?::([\w=, -]*))?(?![\w-])")


def is_made_for(name: str, *, traffic: str, seed: int) -> bool:
    """Does the routing of this name, or a part of it, come from the matrices that ``seed`` draws of ``traffic``?

    By its name: ``2turna:samples=30,seed=7``, as it is or in ``designed as ...`` and in mixtures.
    """
    for options in _MADE.findall(name):
        told = {key.strip(): x.strip() for key, _, x in (part.partition("=") for part in options.split(","))}
        if (told.get("traffic", "permutation"), told.get("seed", "0").lstrip("0") or "0") == (traffic, str(seed)):
            return True
    return False


def check_not_made_for(name: str, *, traffic: str, seed: int) -> None:
    """Raise InputError where ``is_made_for`` says so."""
    if is_made_for(name, traffic=traffic, seed=seed):
        raise InputError(
            f"{name[:60]} was made for the random matrices of seed {seed}, on which it looks too good; another seed "
            f"was expected, such as --seed {seed + 1}"
        )


_MAX_RADIX = 40


@dataclass(frozen=True, kw_only=True)
class W2TURN:
    """Paths x, y, x and y, x, y through a random column or row, like those of ``ival``, but with better weights.

    Its worst-case load is (k^2 - 1)/(4k) for odd k and k/4 for even k, which no routing beats.  Its paths are as short
    as those of any routing that does so with at most two turns (``2turn``), but for k = 4 and k = 6.

    Let a packet have x and y hops to go in its two dimensions, 0 < x, y <= k/2.  It goes through each of the k - 2
    columns other than its own two with probability 1/(2k) for odd k and (k - 2)/(2k(k - 1)) for even k, through each
    of the other rows likewise; what is left is shared by the two paths of one turn.

    - Through a column, its leg along y goes the long way round with probability y/k (odd) or (y - 1)/(k - 2) (even),
      as in ``rlb`` and ``wrd``.
    - Its legs along x go to the column and from it by a shortest walk; where two are equally long, by the one that
      goes the long way round as a whole.  With probability x/k (odd) or x/(k - 2) (even) they do so also at the two
      columns next to those, where that costs one hop (odd) or two (even) more.
    - The legs of paths of one turn are minimal, but for those columns that are the packet's own.

    A packet that stays in its row goes through each other row with the same weight, else directly: the long way with
    probability x/k or (x + 1)/(k + 2).

    Source: Ramanujam & Lin 2008 (IEEE Computer Architecture Letters), 2009 (ANCS), 2013 (IEEE Trans. Computers 62(3)),
    of which the abstracts are all that was at hand.  The weights are our own: they fill, to the last channel, the
    potentials that the optimal 2TURN has (on a channel of a row, for odd k, (h - j)(k + 1)/(2k^2) for the source j hops
    before it in that row and (h - j)/(2k^2) in other rows, h = (k - 1)/2; for even k, (k/2 - j)/(2k) and
    (k/2 - 1 - j)/(2k(k - 1))).  For odd k the abstract's claim ("the minimum average hop count that can be
    achieved with 2-turn paths while remaining worst-case throughput optimal") fixes the length, and this is it.  For
    even k theirs is "within just 0.72 percent" of it at k = 12; here it is that minimum from k = 8 on.

    Raises InputError, in ``on``, unless the network is a torus of two dimensions of one radix, 3 to 40.
    """

    def on(self, network: Network) -> W2TURNRouting:
        grid = grid_of(network, "w2turn")
        if grid.kind != "torus" or grid.num_dimensions != 2 or grid.oneway or len(set(grid.radix)) != 1:
            raise InputError(f"w2turn needs a torus of k x k nodes with channels both ways; {network.name} is not one")
        k = grid.radix[0]
        if not 3 <= k <= _MAX_RADIX:
            raise InputError(f"w2turn is for radices 3 to {_MAX_RADIX}; {network.name} has radix {k}")
        return W2TURNRouting(network, "w2turn", _steps(k))


class W2TURNRouting(RelativeRouting):
    """Loads by displacement, and the paths themselves."""

    def decomposition(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The packets' own paths with their exact weights, heaviest first.  (Deadlock is judged by the loads: the paths
        of ``has_explicit_paths`` would change what reports of it say.)"""
        at, k = self.grid.coordinates, self.grid.radix[0]
        start = at[row].tolist()
        x, y = ((at[column] - at[row]) % k).tolist()
        if not x and not y:
            return [(Fraction(1), [])]
        found = [(share, list(channels_of(self.grid, start, legs))) for legs, share in weighted_paths(k, x, y)]
        return sorted(found, key=lambda item: (-item[0], item[1]))


def weighted_paths(k: int, x: int, y: int) -> Iterator[tuple[Legs, Fraction]]:
    """The paths to displacement (x, y), not both 0, and their probabilities; no path comes twice."""
    hops = [min(d, k - d) for d in (x, y)]
    signs = [1 if 2 * d <= k else -1 for d in (x, y)]
    if x and y:
        found = [*_one_turn(k, hops), *_two_turns(k, hops, 0), *_two_turns(k, hops, 1)]
    else:
        found = list(_straight(k, hops[0] or hops[1], int(x == 0)))
    for legs, share in found:
        if share:
            yield tuple((m, signs[m] * h) for m, h in legs if h), share


def _through(k: int) -> Fraction:
    """The probability of a line other than the packet's own."""
    return Fraction(1, 2 * k) if k % 2 else Fraction(k - 2, 2 * k * (k - 1))


def _long_way(k: int, d: int) -> Fraction:
    """On such a line: how often the long way of k - d hops is taken."""
    return Fraction(d, k) if k % 2 else Fraction(d - 1, k - 2)


def _extra(k: int, d: int) -> Fraction:
    """How often, on one of the two lines where the long way round is the next best, it is taken nevertheless."""
    return Fraction(d, k) if k % 2 else Fraction(d, k - 2)


def _one_turn(k: int, hops: list[int]) -> Iterator[tuple[Legs, Fraction]]:
    weight = Fraction(1, 2) - (k - 2) * _through(k)
    ways = []
    for d in hops:
        room = (k - 1) // 2 - d
        long = Fraction(0)
        if room == 0:
            long = _extra(k, d) * _through(k) / weight
        elif room < 0:  # d = k/2: either way is as long
            long = Fraction(1, 2)
        ways.append([(d, 1 - long), (d - k, long)])
    for first in (0, 1):
        for a, p in ways[first]:
            for b, q in ways[1 - first]:
                yield ((first, a), (1 - first, b)), weight * p * q


def _two_turns(k: int, hops: list[int], m: int) -> Iterator[tuple[Legs, Fraction]]:
    """Dimension m, the other one, and m again, through all lines but the packet's own two."""
    d, across = hops[m], hops[1 - m]
    for w in range(1, k):
        if w == d:
            continue
        for a, b, p in _legs(k, d, w):
            for way, q in ((across, 1 - _long_way(k, across)), (across - k, _long_way(k, across))):
                yield ((m, a), (1 - m, way), (m, b)), _through(k) * p * q


def _legs(k: int, d: int, w: int) -> list[tuple[int, int, Fraction]]:
    """(hops to offset w, hops from it to offset d, share)."""
    if w < d:
        return [(w, d - w, Fraction(1))]
    back, beyond, room = k - w, w - d, (k - 1) // 2 - d
    round_ = (-back, -beyond)
    if back <= room:
        short, extra = (-back, back + d), back == room
    elif beyond <= room:
        short, extra = (w, -beyond), beyond == room
    else:
        return [(*round_, Fraction(1))]
    share = _extra(k, d) if extra else Fraction(0)
    return [(*short, 1 - share), (*round_, share)]


def _straight(k: int, d: int, m: int) -> Iterator[tuple[Legs, Fraction]]:
    """A packet that moves in dimension m alone."""
    ways = ((d, 1 - _long_way(k, d)), (d - k, _long_way(k, d)))
    for h in range(1, k):
        aside = [h] if 2 * h < k else [h - k] if 2 * h > k else [h, -h]
        for a in aside:
            for way, p in ways:
                yield ((1 - m, a), (m, way), (1 - m, -a)), _through(k) * p / len(aside)
    long = Fraction(d, k) if k % 2 else Fraction(d + 1, k + 2)
    weight = 1 - (k - 1) * _through(k)
    yield ((m, d),), weight * (1 - long)
    yield ((m, d - k),), weight * long


def _steps(k: int) -> dict[tuple[int, ...], Steps]:
    """Loads of every displacement; those of a quarter are added up path by path, the others are their reflections."""
    made: dict[tuple[int, ...], Steps] = {}
    for x, y in product(range(k // 2 + 1), repeat=2):
        if not x and not y:
            continue
        own = _loads(k, list(weighted_paths(k, x, y)))
        for to in {(x, y), (-x % k, y), (x, -y % k), (-x % k, -y % k)}:
            turned = (to[0] != x, to[1] != y)
            made[to] = {
                ((-a % k if turned[0] else a, -b % k if turned[1] else b), m, d ^ turned[m]): load
                for ((a, b), m, d), load in own.items()
            }
    return made


def _loads(k: int, paths: list[tuple[Legs, Fraction]]) -> dict[tuple[tuple[int, int], int, int], Fraction]:
    den = math.lcm(*(share.denominator for _, share in paths))
    loads: dict[tuple[int, int, int, int], int] = {}
    for legs, share in paths:
        weight = share.numerator * (den // share.denominator)
        at = [0, 0]
        for m, hops in legs:
            direction, step = (0, 1) if hops > 0 else (1, -1)
            for _ in range(abs(hops)):
                key = (at[0], at[1], m, direction)
                loads[key] = loads.get(key, 0) + weight
                at[m] = (at[m] + step) % k
    return {((a, b), m, d): Fraction(load, den) for (a, b, m, d), load in loads.items()}


ENTRY = RoutingEntry(
    name="w2turn",
    help="on k x k tori, at most two turns with weights in closed form: the best worst case",
    build=lambda network, options: W2TURN(**options).on(network),
)
