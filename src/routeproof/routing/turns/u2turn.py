"""U2TURN: paths of at most two turns on meshes, through a uniformly random column or row."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import Automorphism
from ..base.entry import RoutingEntry
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..grid.closed_form import GridRouting
from ..grid.layout import grid_of
from ..grid.lines import lines_of

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


ENTRY = RoutingEntry(
    name="u2turn",
    help="on meshes of two dimensions, at most two turns through a random column or row",
    build=lambda network, options: U2TURN(**options).on(network),
)
