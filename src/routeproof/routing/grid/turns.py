"""Paths with few turns on two-dimensional tori and meshes: minimal ones (5TURNS and its kin); U2TURN, on meshes
through a uniformly random column or row."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import Automorphism
from ..base.entry import RoutingEntry, check_choice
from ..base.mixture import Mixture
from ..base.routing import Routing
from .closed_form import GridRouting
from .lines import Line, grid_of, lines_of
from .relative import RelativeRouting, Steps

_MAX_STEPS = 10_000_000

Box = list[tuple[int, int, int, Fraction]]


@dataclass(frozen=True, kw_only=True)
class Turns:
    """Minimal paths with at most ``limit`` turns from one dimension to the other; ``limit=4`` is 5TURNS.

    The state t = 0 .. limit counts the turns made; a packet in an even state moves in x (dimension 0), in an odd one
    in y.  From state t it goes on in its dimension (state t) or in the other one (state t + 1), each alike among
    those of the two (state, next node) pairs that are productive and from which the destination is still in reach
    with the turns left.  Every packet starts in state 0.

    - ``start="virtual"``: R as printed.  A packet may turn at its source, and that counts as a turn.
    - ``start="strict"``: as the text says, packets start in x: the first hop is in x if any hop in x is needed.  If
      none is, the packet goes straight in y under both.

    On a torus every coordinate goes the short way round; at distance k/2 either way, with probability 1/2 each and
    independently, chosen before the first hop.

    Source: 5TURNS, "less than five turns", Towles & Dally 2002 (SPAA), sec. 3.5 and Figure 3, there on a mesh.
    Differs from the paper only in that no packet moves where it could not arrive; the paper prints a part of R.

    Raises InputError for a limit below 1, an unknown start and, in ``on``, unless the network is a torus or mesh of two
    dimensions.
    """

    limit: int = 4
    start: str = "virtual"

    def __post_init__(self) -> None:
        if isinstance(self.limit, bool) or not isinstance(self.limit, int) or self.limit < 1:
            raise InputError(f"turns: limit is {self.limit!r}; at least 1 turn is needed to get everywhere")
        check_choice("turns", "start", self.start, ("virtual", "strict"))

    def on(self, network: Network) -> RelativeRouting:
        grid = grid_of(network, "turns")
        if grid.kind == "hyperx" or grid.num_dimensions != 2:
            raise InputError(
                f"turns (such as 5turns) needs a torus or mesh of two dimensions; "
                f"{network.name} is a {grid.kind} of {grid.num_dimensions} dimensions"
            )
        kx, ky = grid.radix
        wraps = grid.kind == "torus"
        rough = (kx * ky * (kx + 2) * (ky + 2)) // (2 if wraps else 1)
        if rough > _MAX_STEPS:
            raise InputError(f"turns on {network.name} would need a table of about {rough:,} loads; that is too large")
        boxes: dict[tuple[int, int], Box] = {}
        steps: dict[tuple[int, ...], Steps] = {}
        ways = [_ways(line) for line in lines_of(grid, "destination")]
        for dx, dy in product(ways[0], ways[1]):
            if dx == dy == 0:
                continue
            loads: dict[tuple[tuple[int, ...], int, int], Fraction] = {}
            for (sx, a, px), (sy, b, py) in product(ways[0][dx], ways[1][dy]):
                if (a, b) not in boxes:
                    boxes[a, b] = self._box(a, b)
                for x, y, m, load in boxes[a, b]:
                    offset = (sx * x % kx, sy * y % ky) if wraps else (sx * x, sy * y)
                    key = (offset, m, int((sx, sy)[m] < 0))
                    loads[key] = loads.get(key, Fraction(0)) + px * py * load
            steps[dx, dy] = loads
        return RelativeRouting(network, f"turns:limit={self.limit},start={self.start}", steps)

    def _box(self, a: int, b: int) -> Box:
        """(x, y, dimension, load) of a packet from (0, 0) to (a, b), all hops in the + direction."""
        # Every choice is among at most two: all probabilities are integers over 2^(a + b).
        whole = 1 << (a + b)
        visits = {(0, 0): {0: whole}}
        loads: dict[tuple[int, int, int], int] = {}
        for x, y in sorted(product(range(a + 1), range(b + 1)), key=sum):
            for t, amount in visits.get((x, y), {}).items():
                moves = self._moves(t, a - x, b - y, first=(x, y) == (0, 0))
                for state, m in moves:
                    share = amount // len(moves)
                    loads[x, y, m] = loads.get((x, y, m), 0) + share
                    there = visits.setdefault((x + 1, y) if m == 0 else (x, y + 1), {})
                    there[state] = there.get(state, 0) + share
        return [(x, y, m, Fraction(load, whole)) for (x, y, m), load in loads.items()]

    def _moves(self, t: int, left_x: int, left_y: int, *, first: bool) -> list[tuple[int, int]]:
        """(next state, dimension) of the allowed hops, with ``left_x`` and ``left_y`` hops to go."""
        if first and self.start == "strict" and left_x:
            return [(0, 0)]
        left = (left_x, left_y)
        moves = []
        for m in (0, 1):
            state = t if t % 2 == m else t + 1
            # Once in dimension m, the other one takes one more turn if it has any hops to go.
            if left[m] and state + (left[1 - m] > 0) <= self.limit:
                moves.append((state, m))
        return moves


def _ways(line: Line) -> dict[int, list[tuple[int, int, Fraction]]]:
    """For each displacement in one dimension: (sign, hops, probability) of the ways to go."""
    found = {}
    for d in range(0 if line.kind == "torus" else 1 - line.radix, line.radix):
        legs = line.legs(max(0, -d), max(0, d))
        found[d] = [(-1 if way[:1] == (1,) else 1, len(way), share) for share, way in legs]
    return found


TURNS_ENTRY = RoutingEntry(
    name="turns",
    help="minimal paths of few turns, in two dimensions; turns:limit=4,start=virtual is 5TURNS",
    build=lambda network, options: Turns(**options).on(network),
    options={"limit": "the most turns that a packet makes", "start": "virtual (it may turn at its source) or strict"},
    whole_numbers=frozenset({"limit"}),
    aliases={"5turns": "turns:limit=4,start=virtual"},
)


_COMPARED_NODES = 400


@dataclass(frozen=True, kw_only=True)
class U2TURN:
    """With probability 1/2 x, y, x through a uniform column, else y, x, y through a uniform row.

    Source: Sun, Chang, Lin & Zeng 2012 (ICCD), known to us by its abstract alone: paths of at most two turns, traffic
    spread uniformly in both dimensions.  What the abstract states comes out exactly: half of capacity on square meshes
    of even radix; the optimum, above half, on odd ones (4/7 on 3x3, 6/11 on 5x5, the same as our linear program's); and
    1.5 times the minimal length, packets to their own node with a round trip included (they stay where they are, as
    everywhere in this package: 3/2 - 1/k^2 on k x k).  It does not say what packets do that stay in their row or
    column: here they too go to the random column (row) and back.

    Raises InputError, in ``on``, unless the network is a mesh of two dimensions.
    """

    def on(self, network: Network) -> Routing:
        grid = grid_of(network, "u2turn")
        if grid.kind != "mesh" or grid.num_dimensions != 2:
            raise InputError(
                f"u2turn needs a mesh of two dimensions; {network.name} is a {grid.kind} of {grid.num_dimensions}"
            )
        return _U2TURNRouting(network)


class _U2TURNRouting(Mixture):
    def __init__(self, network: Network) -> None:
        half = Fraction(1, 2)
        super().__init__([(half, _through(network, 0)), (half, _through(network, 1))])
        self.name, self.in_full = "u2turn", False

    def respects(self, g: Automorphism) -> bool:
        """Either half by itself, or (as a swap of x and y does) the two halves for one another."""
        if super().respects(g):
            return True
        return self.network.num_nodes <= _COMPARED_NODES and Routing.respects(self, g)


def _through(network: Network, wild: int) -> GridRouting:
    """Dimension ``wild`` to a uniform coordinate, the other dimension, and ``wild`` again."""
    grid = grid_of(network, "u2turn")
    by_dimension = [lines_of(grid, "anywhere" if m == wild else "destination")[m] for m in (0, 1)]
    return GridRouting(network, "u2turn", by_dimension, [(wild, 1 - wild)] * 2)


U2TURN_ENTRY = RoutingEntry(
    name="u2turn",
    help="on meshes of two dimensions, at most two turns through a random column or row",
    build=lambda network, options: U2TURN(**options).on(network),
)
