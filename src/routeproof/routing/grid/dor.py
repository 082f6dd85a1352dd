"""Dimension-order routing (e-cube, XY): one dimension after the other, minimally."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ...core.network import Network
from ..base.entry import RoutingEntry, check_choice, with_options
from .closed_form import GridRouting
from .lines import TIE_HELP, Tie, grid_of, lines_of, order_text, parse_order


@dataclass(frozen=True, kw_only=True)
class DOR:
    """Minimal in every dimension, dimension 0 ("x") first (Sullivan & Bashkow 1977; Towles & Dally 2002, sec. 5.1).

    - ``tie``: at distance k/2 of an even torus dimension ``split`` goes either way with probability 1/2, ``plus``
      always in the + direction.
    - ``order``: None (x first), an order such as ``yx``, or ``random``: uniform over all orders for every packet
      (in two dimensions that is O1TURN).

    Also known as e-cube and XY routing.  Raises InputError for unknown options and, in ``on``, for networks without
    a grid or with another number of dimensions than ``order``.
    """

    tie: Tie = "split"
    order: str | None = None

    def __post_init__(self) -> None:
        check_choice("dor", "tie", self.tie, ("split", "plus"))
        if self.order not in (None, "random"):
            parse_order("dor", self.order)

    def on(self, network: Network) -> GridRouting:
        grid = grid_of(network, "dor")
        natural = tuple(range(grid.num_dimensions))
        order = natural if self.order is None else None if self.order == "random" else parse_order("dor", self.order)
        spelled = None if order == natural else "random" if order is None else order_text(order)
        name = with_options("dor", tie=None if self.tie == "split" else self.tie, order=spelled)
        return GridRouting(network, name, lines_of(grid, "destination", self.tie), (order,))


ENTRY = RoutingEntry(
    name="dor",
    help="dimension order, x first, on tori, meshes and HyperX (e-cube, XY)",
    build=lambda network, options: DOR(**options).on(network),
    options={"tie": TIE_HELP, "order": "the order of dimensions, such as yx, or random"},
    aliases={"xy": "dor:order=xy", "yx": "dor:order=yx", "e-cube": "dor", "ecube": "dor", "dimension-order": "dor"},
)


@dataclass(frozen=True, kw_only=True)
class O1TURN:
    """Dimension-order routing in a random one of the two orders of a two-dimensional grid (Seo et al., ISCA 2005).

    ``tie`` as in ``DOR``.  Raises InputError for unknown options and, in ``on``, unless the network has a grid of
    two dimensions (for others ``DOR(order="random")`` is the same idea).
    """

    tie: Tie = "split"

    def __post_init__(self) -> None:
        check_choice("o1turn", "tie", self.tie, ("split", "plus"))

    def on(self, network: Network) -> GridRouting:
        grid = grid_of(network, "o1turn")
        if grid.num_dimensions != 2:
            raise InputError(
                f"o1turn needs two dimensions; {network.name} has {grid.num_dimensions}; dor:order=random takes any "
                f"number of them"
            )
        name = with_options("o1turn", tie=None if self.tie == "split" else self.tie)
        return GridRouting(network, name, lines_of(grid, "destination", self.tie), (None,))


O1TURN_ENTRY = RoutingEntry(
    name="o1turn",
    help="xy or yx with probability 1/2 each, in two dimensions",
    build=lambda network, options: O1TURN(**options).on(network),
    options={"tie": TIE_HELP},
)


if TYPE_CHECKING:
    pass
