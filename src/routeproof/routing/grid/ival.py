"""IVAL: Valiant's routing with a reversed second phase, and loops removed: in closed form, or walk by walk."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress
from ..base.delivery import Bundle
from ..base.entry import RoutingEntry, check_choice, with_options
from .lines import TIE_HELP, Line, Tie, check_order_fits, grid_of, lines_of, order_text, parse_order
from .relative import RelativeRouting, Steps, translated_bundles

Vector = tuple[int, ...]
Step = tuple[int, int]
"""(dimension, direction)"""


def without_loops(start: Vector, steps: Sequence[Step], radix: Sequence[int]) -> list[tuple[Vector, int, int]]:
    """The path left of a walk on a torus: whenever it comes to a node for the second time, what lies between goes.

    As (node that is left, dimension, direction); directions are 0 for + and 1 for -.
    """
    path: list[tuple[Vector, int, int]] = []
    here = start
    at = {start: 0}
    for m, d in steps:
        path.append((here, m, d))
        here = (*here[:m], (here[m] + 1 - 2 * d) % radix[m], *here[m + 1 :])
        if here in at:
            for node, _, _ in path[at[here] + 1 :]:
                del at[node]
            del path[at[here] :]
        at[here] = len(path)
    return path


def paths_without_loops(
    lines: Sequence[Line], start: Vector, delta: Vector, first: Vector, second: Vector
) -> Iterator[tuple[Fraction, list[tuple[Vector, int, int]]]]:
    """(probability, path) of every walk from ``start`` to ``start + delta`` through a uniform node.

    Phases go in the dimension orders ``first`` and ``second``; two walks may leave the same path.
    """
    radix = [line.radix for line in lines]
    for way in product(*(line.walks(0, x) for line, x in zip(lines, delta, strict=True))):
        share = Fraction(1)
        for x, _, _ in way:
            share *= x
        steps = [(m, d) for m in first for d in way[m][1]] + [(m, d) for m in second for d in way[m][2]]
        yield share, without_loops(start, steps, radix)


def loads_without_loops(
    lines: Sequence[Line], first: Vector, second: Vector
) -> dict[Vector, dict[tuple[Vector, int, int], Fraction]]:
    """Loads by displacement of those paths."""
    start = (0,) * len(lines)
    result: dict[Vector, dict[tuple[Vector, int, int], Fraction]] = {}
    for delta in product(*(range(line.radix) for line in lines)):
        if any(delta):
            loads = result.setdefault(delta, {})
            for share, path in paths_without_loops(lines, start, delta, first, second):
                for key in path:
                    loads[key] = loads.get(key, Fraction(0)) + share
    return result


_MAX_STEPS = 10_000_000
_MAX_WALKS = 20_000_000


Loads = dict[tuple[tuple[int, ...], int, int], Fraction]


@dataclass(frozen=True, kw_only=True)
class IVAL:
    """Through a uniform node, dimension order to it, the reversed order from it, and no loops.

    The last dimension of phase one is the first of phase two: its two legs are one walk along a ring, of which only
    the direct way that it amounts to is left.  Where that is nothing at all, the legs of the dimension before join in
    the same way, and so on: the path that is left visits no node twice, so that nothing depends on the order in which
    loops are removed.

    - ``order``: the order of phase one, ``xy`` (the default) or another one, or ``random``: uniform over all orders
      for every packet, which makes the dimensions alike.  Lengths do not depend on it where radices are equal.
    - ``phases``: ``reversed``, or ``same``: phase two in the order of phase one.  Loops are then those of the whole
      walk, removed as they close; lengths are 1.797 of minimal on the 8-ary 2-cube where ``reversed`` has 413/256.
    - ``tie``: as in ``DOR``, for each leg by itself.

    Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2.  Also known as I2TURN on two-dimensional tori (Ramanujam & Lin
    2013, IEEE Trans. Computers 62(3)).  A packet to its own node never enters the network.

    Raises InputError for unknown options and, in ``on``, for networks that are no torus, have other dimensions than
    ``order``, or are too large for a table of loads by displacement.
    """

    order: str = "xy"
    phases: str = "reversed"
    tie: Tie = "split"

    def __post_init__(self) -> None:
        check_choice("ival", "tie", self.tie, ("split", "plus"))
        check_choice("ival", "phases", self.phases, ("reversed", "same"))
        if self.order not in ("xy", "random"):
            parse_order("ival", self.order)

    def on(self, network: Network) -> RelativeRouting:
        grid = grid_of(network, "ival")
        if grid.kind != "torus":
            raise InputError(f"ival needs a torus; {network.name} is a {grid.kind}; valiant takes any network")
        n = grid.num_dimensions
        natural = tuple(range(n))
        orders = [natural]
        if self.order == "random":
            orders = list(permutations(natural))
        elif self.order != "xy":  # the default stands for the natural order of any number of dimensions
            orders = [parse_order("ival", self.order)]
            check_order_fits("ival", orders[0], n, network.name)
        size = math.prod(grid.radix)
        rough = 2 * size * sum(math.prod(grid.radix[r] for r in o[: m + 1]) for o in orders for m in natural)
        if rough > _MAX_STEPS:
            raise InputError(f"ival on {network.name} would need a table of about {rough:,} loads; that is too large")
        lines = lines_of(grid, "anywhere", self.tie)
        if self.phases == "same":
            if len(orders) * size * size * 4**n > _MAX_WALKS:
                raise InputError(f"ival:phases=same would need all walks on {network.name}; that is too many")
            parts = [loads_without_loops(lines, order, order) for order in orders]
        else:
            parts = [dict(_reversed(lines, order)) for order in orders]
        steps = parts[0] if len(parts) == 1 else _mean(parts)
        second = [order if self.phases == "same" else order[::-1] for order in orders]
        spelled = "random" if self.order == "random" else None if orders[0] == natural else order_text(orders[0])
        phases, tie = (None if x == default else x for x, default in ((self.phases, "reversed"), (self.tie, "split")))
        name = with_options("ival", order=spelled, phases=phases, tie=tie)
        return IVALRouting(network, name, steps, lines, list(zip(orders, second, strict=True)))


class IVALRouting(RelativeRouting):
    """Loads by displacement, and the paths themselves."""

    has_explicit_paths = True

    def __init__(
        self,
        network: Network,
        name: str,
        steps: Mapping[tuple[int, ...], Steps],
        lines: tuple[Line, ...],
        orders: list[tuple[tuple[int, ...], tuple[int, ...]]],
    ) -> None:
        super().__init__(network, name, steps)
        self._lines, self._orders = lines, orders

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The routing's own paths with their exact weights, heaviest first."""
        at, radix = self.grid.coordinates, self.grid.radix
        start = tuple(int(x) for x in at[row])
        delta = tuple(int(x) % k for x, k in zip(at[column] - at[row], radix, strict=True))
        weight: dict[tuple[int, ...], Fraction] = {}
        for first, second in self._orders:
            for share, path in paths_without_loops(self._lines, start, delta, first, second):
                channels = tuple(int(self.grid.channel_at[self.grid.node(node), m, d]) for node, m, d in path)
                weight[channels] = weight.get(channels, Fraction(0)) + share / len(self._orders)
        return [(x, list(path)) for path, x in sorted(weight.items(), key=lambda item: (-item[1], item[0]))]

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:
        yield from translated_bundles(self, self.places, progress)


def _mean(parts: list[dict[tuple[int, ...], Loads]]) -> dict[tuple[int, ...], Loads]:
    share = Fraction(1, len(parts))
    result: dict[tuple[int, ...], Loads] = {}
    for delta in parts[0]:
        loads: Loads = {}
        for part in parts:
            for key, load in part[delta].items():
                loads[key] = loads.get(key, Fraction(0)) + share * load
        result[delta] = loads
    return result


def _reversed(lines: tuple[Line, ...], order: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Loads]]:
    """(displacement, loads) in closed form.

    Let dimension m be the last in ``order`` in which the packet has to move.  After it nothing is left of the walk; in
    it the direct way from s_m to t_m, at a uniform place w_r of every dimension r before; in each dimension before,
    the leg to w with the later dimensions at s, and the leg from w with the later dimensions at t.
    """
    radix = [line.radix for line in lines]
    for delta in product(*(range(k) for k in radix)):
        moving = [at for at, r in enumerate(order) if delta[r]]
        if not moving:
            continue
        last = moving[-1]
        loads: Loads = {}
        for at, m in enumerate(order[: last + 1]):
            before = [order[x] for x in range(at)]
            share = Fraction(1, math.prod(radix[r] for r in before))
            legs = _way_round(lines[m], delta[m]) if at == last else _legs(lines[m], delta[m])
            for places in product(*(range(radix[r]) for r in before)):
                for x, d, late, load in legs:
                    offset = [delta[r] if late else 0 for r in range(len(radix))]
                    for r, w in zip(before, places, strict=True):
                        offset[r] = w
                    offset[m] = x
                    key = (tuple(offset), m, d)
                    loads[key] = loads.get(key, Fraction(0)) + share * load
        yield delta, loads


def _legs(line: Line, delta: int) -> list[tuple[int, int, bool, Fraction]]:
    """(offset, direction, in phase two?, load) of the two legs through a uniform node of a ring."""
    found = []
    zero, t, p = np.array(0), np.array(delta), np.arange(line.radix)
    for d in line.directions:
        first, second, den = (np.broadcast_to(x, p.shape).tolist() for x in line.crosses(zero, t, p, d))
        for x in p.tolist():
            found += [(x, d, late, Fraction(y, den[x])) for late, y in ((False, first[x]), (True, second[x])) if y]
    return found


def _way_round(line: Line, delta: int) -> list[tuple[int, int, bool, Fraction]]:
    """The same of what two legs through a uniform node amount to: one direct way, in one direction or the other."""
    k = line.radix
    chance = [Fraction(0), Fraction(0)]
    for share, first, second in line.walks(0, delta):
        # At most k hops in all: what they amount to is delta forwards or k - delta backwards, or once round more.
        forward = sum(1 if d == 0 else -1 for d in first + second)
        chance[int(forward < 0)] += share
    ways = [((x % k), 0, False, chance[0]) for x in range(delta)]
    ways += [(-x % k, 1, False, chance[1]) for x in range(k - delta)]
    return [way for way in ways if way[3]]


ENTRY = RoutingEntry(
    name="ival",
    help="Valiant's with a reversed second phase and loops removed, on tori",
    build=lambda network, options: IVAL(**options).on(network),
    options={
        "order": "the order of phase one, such as yx, or random",
        "phases": "reversed, or same: phase two in the order of phase one",
        "tie": TIE_HELP,
    },
)
