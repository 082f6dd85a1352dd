"""Two phases in dimension order on grids: through a random node of the minimal quadrant (ROMM), or of all (Valiant)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.loads import BaseLoads, LoadBlock
from ...core.network import Network
from ...core.rational import Rationals
from ..base.entry import RoutingEntry, check_choice, with_options
from ..base.routing import Routing
from .closed_form import GridRouting
from .lines import TIE_HELP, Tie, check_order_fits, grid_of, lines_of, order_text, parse_order, phase_orders


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
        phase_orders("romm", self.order, both=True)

    def on(self, network: Network) -> GridRouting:
        one, two = orders = phase_orders("romm", self.order, both=True)
        spelled = None if one is None or two is None else f"{order_text(one)}-{order_text(two)}"
        name = with_options("romm", tie=None if self.tie == "split" else self.tie, order=spelled)
        return GridRouting(network, name, lines_of(grid_of(network, "romm"), "quadrant", self.tie), orders)


ROMM_ENTRY = RoutingEntry(
    name="romm",
    help="two-phase minimal through a random node of the minimal quadrant",
    build=lambda network, options: ROMM(**options).on(network),
    options={"tie": "split or union, at distance k/2", "order": "random, or both phases' orders, such as xy-yx"},
)


@dataclass(frozen=True, kw_only=True)
class Valiant:
    """Through a uniform intermediate over all N nodes, source and destination included (Valiant & Brebner 1981).

    Each phase is ``DOR`` with this ``tie`` (``split`` or ``plus``) and ``order`` (None: x first).  A packet to its own
    node never enters the network.
    Raises InputError for unknown options and, in ``on``, for networks without a grid.
    """

    tie: Tie = "split"
    order: str | None = None

    def __post_init__(self) -> None:
        check_choice("valiant", "tie", self.tie, ("split", "plus"))
        if self.order is not None:
            parse_order("valiant", self.order, or_random=False)

    def on(self, network: Network) -> GridRouting:
        return GridValiant(network, self.tie, None if self.order is None else parse_order("valiant", self.order))


class GridValiant(GridRouting):
    """Every pair loads every channel by a part that depends on its row and one that depends on its column."""

    has_base = True

    def __init__(self, network: Network, tie: Tie, order: tuple[int, ...] | None = None) -> None:
        grid = grid_of(network, "valiant")
        natural = tuple(range(grid.num_dimensions))
        order = natural if order is None else order
        check_order_fits("valiant", order, len(natural), network.name)
        spelled = None if order == natural else order_text(order)
        name = with_options("valiant", tie=None if tie == "split" else tie, order=spelled)
        self._rank = {r: at for at, r in enumerate(order)}
        super().__init__(network, name, lines_of(grid, "anywhere", tie), (order, order))

    def _parts(self, channel: int) -> tuple[Int64, int, Int64, int]:
        """Numerators by row, their denominator, numerators by column, their denominator."""
        place = self.places.place(channel)
        m, radix, rank = place.dimension, self.grid.radix, self._rank
        row, column = np.ones(1, dtype=np.int64), np.ones(1, dtype=np.int64)
        before = math.prod(k for r, k in enumerate(radix) if rank[r] < rank[m])
        after = math.prod(k for r, k in enumerate(radix) if rank[r] > rank[m])
        for r, k in enumerate(radix):
            x, p = np.arange(k), np.array(place.position[r])
            if r == m:
                by_row, by_column, den = self.lines[r].crosses(x, x, p, place.direction)
                crossing = int(den[0])
            else:
                # Phase one meets w before m and s after it; phase two meets t before m and w after it.
                here, anywhere = (x == p).astype(np.int64), np.ones(k, dtype=np.int64)
                by_row, by_column = (anywhere, here) if rank[r] < rank[m] else (here, anywhere)
            row, column = (row[:, None] * by_row).ravel(), (column[:, None] * by_column).ravel()
        return row, before * crossing, column, after * crossing

    def channel_loads(
        self,
        channels: npt.ArrayLike,
        *,
        rows: npt.NDArray[np.bool_] | None = None,  # noqa: ARG002  # restricts sparse entries; there are none
    ) -> LoadBlock:
        todo = np.asarray(channels, dtype=np.int32).ravel()
        shape = (len(todo), self.network.num_nodes)
        num = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.int64)
        den = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.int64)
        for k, c in enumerate(todo.tolist()):
            num[0][k], den[0][k], num[1][k], den[1][k] = self._parts(c)
        none = np.zeros(0, dtype=np.int32)
        base = BaseLoads(Rationals(num[0], den[0]), Rationals(num[1], den[1]))
        return LoadBlock(todo, np.zeros(len(todo) + 1, dtype=np.int64), none, none, Rationals.of([]), base)

    def expected_loads(self, channel: int) -> int:  # noqa: ARG002
        return 0

    def _telling_pairs(self) -> tuple[Int64, Int64]:
        """One source with all columns, and every row with one column, as loads are row part + column part.

        From the first the surplus of every column part follows, then from the second that of every row part.
        """
        nodes = np.arange(self.network.num_nodes)
        return np.concatenate([np.zeros_like(nodes), nodes]), np.concatenate([nodes, np.roll(nodes, -1)])


def _on_any_network(network: Network, options: dict[str, Any]) -> Routing:
    if network.grid is not None or options:
        return Valiant(**options).on(network)
    from ..graph.valiant import AnyGraphValiant

    return AnyGraphValiant(network)


VALIANT_ENTRY = RoutingEntry(
    name="valiant",
    help="through a random node; on grids in dimension order, elsewhere by random shortest paths",
    build=_on_any_network,
    options={"tie": TIE_HELP, "order": "on grids: the order of dimensions in both phases, such as yx"},
    aliases={"val": "valiant", "vlb": "valiant"},
)
