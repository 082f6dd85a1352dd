"""ROMM: two-phase minimal routing through a random node of the minimal quadrant."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import InputError
from ...core.network import Network
from ..base.entry import RoutingEntry, check_choice
from .closed_form import GridRouting
from .layout import grid_of
from .orders import Order, order_text, parse_order

__all__ = ["ENTRY", "ROMM"]


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

    tie: str = "split"
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
        grid_of(network, "romm")
        options = ["tie=union"] if self.tie == "union" else []
        orders = self._orders()
        if orders[0] is not None and orders[1] is not None:
            options.append(f"order={order_text(orders[0])}-{order_text(orders[1])}")
        name = ":".join(["romm", *([",".join(options)] if options else [])])
        return GridRouting(
            network, name, via="quadrant", tie="union" if self.tie == "union" else "split", orders=orders
        )


ENTRY = RoutingEntry(
    name="romm",
    help="two-phase minimal through a random node of the minimal quadrant",
    build=lambda network, options: ROMM(**options).on(network),
    options={
        "tie": "split or union, at distance k/2",
        "order": "random, or both phases' orders, such as xy-yx",
    },
)
