"""RLB and RLBth: randomized local balance on tori."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...core.errors import InputError
from ...core.network import Network
from ..base.entry import RoutingEntry
from .balanced_lines import BalancedLine
from .closed_form import GridRouting
from .layout import grid_of
from .orders import Order, phase_orders, phase_orders_text

__all__ = ["RLB", "RLBTH_ENTRY", "RLB_ENTRY"]


@dataclass(frozen=True, kw_only=True)
class RLB:
    """In every dimension the way of L hops with probability (k - L) / k; two phases through a node in between.

    The ways of all dimensions span a quadrant, minimal or not; the intermediate is uniform over its nodes, source and
    destination included, and both phases are dimension-order routed within the quadrant.

    - ``threshold=True`` is RLBth: a dimension with fewer than k/4 hops to go takes the short way.
    - ``order``: ``random``, uniform and independent in each phase (as Singh et al. describe it); ``xy`` or any other
      order for both phases; or the orders of the two phases such as ``xy-yx``.  Towles, Dally & Boyd say "DOR is used
      for both phases", which leaves it open: on the 8-ary 2-cube the worst load is about 3.20 or 3.22.

    At distance k/2 both ways have probability 1/2: there are no ties to settle.  On rings RLB is the optimal worst case
    with no intermediate needed.

    Source: Singh, Dally, Towles & Gupta 2002 (SPAA), sec. 3; Towles, Dally & Boyd 2003 (SPAA), Table 1.
    Raises InputError for unknown options and, in ``on``, unless the network is a two-way torus (or ring).
    """

    threshold: bool = False
    order: str = "random"

    def __post_init__(self) -> None:
        if not isinstance(self.threshold, bool):
            raise InputError(f"rlb: threshold is {self.threshold!r}; True or False was expected")
        phase_orders(self._name, self.order)

    @property
    def _name(self) -> str:
        return "rlbth" if self.threshold else "rlb"

    def on(self, network: Network) -> GridRouting:
        grid = grid_of(network, self._name)
        if grid.kind != "torus" or grid.oneway:
            kind = "one-way torus" if grid.oneway else grid.kind
            raise InputError(f"{self._name} needs a torus with channels both ways; {network.name} is a {kind}")
        orders = phase_orders(self._name, self.order)
        option = f":order={phase_orders_text(orders)}" if orders[0] is not None else ""
        return _BalancedRouting(network, self._name + option, orders, threshold=self.threshold)


class _BalancedRouting(GridRouting):
    def __init__(self, network: Network, name: str, orders: tuple[Order, Order], *, threshold: bool) -> None:
        tie: Literal["split"] = "split"
        super().__init__(network, name, via="quadrant", tie=tie, orders=orders)
        self.lines = tuple(
            BalancedLine("torus", k, oneway=False, via="quadrant", tie=tie, threshold=threshold)
            for k in self.grid.radix
        )


_ORDER_HELP = "random in each phase, or an order such as xy for both, or both such as xy-yx"

RLB_ENTRY = RoutingEntry(
    name="rlb",
    help="randomized local balance: on tori, each dimension's way of L hops with probability (k - L)/k",
    build=lambda network, options: RLB(**options).on(network),
    options={"order": _ORDER_HELP},
)

RLBTH_ENTRY = RoutingEntry(
    name="rlbth",
    help="RLB, but always the short way where fewer than k/4 hops are needed",
    build=lambda network, options: RLB(threshold=True, **options).on(network),
    options={"order": _ORDER_HELP},
)
