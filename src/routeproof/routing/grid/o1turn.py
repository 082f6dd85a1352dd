"""O1TURN: XY or YX routing with probability 1/2 each."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import InputError
from ...core.network import Network
from ..base.entry import RoutingEntry
from .closed_form import GridRouting
from .layout import grid_of
from .orders import TIE_HELP, check_choice

__all__ = ["ENTRY", "O1TURN"]


@dataclass(frozen=True, kw_only=True)
class O1TURN:
    """Dimension-order routing in a random one of the two orders of a two-dimensional grid (Seo et al., ISCA 2005).

    ``tie`` as in ``DOR``.  Raises InputError for unknown options and, in ``on``, unless the network has a grid of
    two dimensions (for others ``DOR(order="random")`` is the same idea).
    """

    tie: str = "split"

    def __post_init__(self) -> None:
        check_choice("o1turn", "tie", self.tie, ("split", "plus"))

    def on(self, network: Network) -> GridRouting:
        n = grid_of(network, "o1turn").num_dimensions
        if n != 2:
            raise InputError(
                f"o1turn needs two dimensions; {network.name} has {n}; dor:order=random takes any number of them"
            )
        if self.tie == "plus":
            return GridRouting(network, "o1turn:tie=plus", via="destination", tie="plus", orders=(None,))
        return GridRouting(network, "o1turn", via="destination", tie="split", orders=(None,))


ENTRY = RoutingEntry(
    name="o1turn",
    help="xy or yx with probability 1/2 each, in two dimensions",
    build=lambda network, options: O1TURN(**options).on(network),
    options={"tie": TIE_HELP},
)
