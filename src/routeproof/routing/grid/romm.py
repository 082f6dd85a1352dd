"""ROMM: two-phase minimal routing through a random node of the minimal quadrant."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import InputError
from ...core.network import Network
from ..base.entry import RoutingEntry, check_choice, with_options
from .closed_form import GridRouting
from .layout import grid_of
from .lines import Tie, lines_of
from .orders import Order, order_text, parse_order


@dataclass(frozen=True, kw_only=True)
class ROMM:
    """Through a uniform intermediate of the closed minimal quadrant, source and destination included.

    Both phases are dimension-order routed (Nesson & Johnsson 1995; Towles & Dally 2002, sec. 5.2).

    - ``tie``: at distance k/2 of an even torus dimension ``split`` first chooses the direction with probability 1/2
      each, ``union`` takes the intermediate's coordinate from all k nodes (all lie on a minimal path); a phase that
      is then itself a tie goes either way with probability 1/2.
    - ``order``: ``random``, uniform and independent in each phase; or fixed orders of the two phases such as
      ``xy-yx`` (25/198 of capacity in the worst case of the 9-ary 2-cube, against 25/144).

    Raises InputError for unknown options and, in ``on``, for networks without a grid or with another number of
    dimensions than ``order``.
    """

    tie: Tie = "split"
    order: str = "random"

    def __post_init__(self) -> None:
        check_choice("romm", "tie", self.tie, ("split", "union"))
        self._orders()

    def _orders(self) -> tuple[Order, Order]:
        if self.order == "random":
            return None, None
        phases = self.order.split("-") if isinstance(self.order, str) else [self.order]
        orders = [parse_order("romm", phase, "xy-yx") for phase in phases]
        if len(orders) != 2 or len(orders[0]) != len(orders[1]):
            raise InputError(
                f"romm: order is {self.order!r}; the orders of both phases were expected, as in 'xy-yx', or 'random'"
            )
        return orders[0], orders[1]

    def on(self, network: Network) -> GridRouting:
        one, two = orders = self._orders()
        spelled = None if one is None or two is None else f"{order_text(one)}-{order_text(two)}"
        name = with_options("romm", tie=None if self.tie == "split" else self.tie, order=spelled)
        return GridRouting(network, name, lines_of(grid_of(network, "romm"), "quadrant", self.tie), orders)


ENTRY = RoutingEntry(
    name="romm",
    help="two-phase minimal through a random node of the minimal quadrant",
    build=lambda network, options: ROMM(**options).on(network),
    options={
        "tie": "split or union, at distance k/2",
        "order": "random, or both phases' orders, such as xy-yx",
    },
)
