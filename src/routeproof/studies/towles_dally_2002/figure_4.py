"""Figure 4 and section 4.1 of Towles & Dally 2002 (SPAA '02, p. 5): focus channels.

"Consider the 4,3-ary 2-cube shown in Figure 4, which is partially symmetric.  The channel from node (0,0) to (1,0) and
the channel from (0,0) to (0,1) form a focus set, assuming symmetry in the channel bandwidth and routing function is
also preserved."  And: "only two focus channels are needed to find the worst-case for dimension-order routing on the
two-dimensional torus".  (The figure's caption names the channel to (1,0) twice.)

Computed: the orbits of channels under the automorphisms that the routing is checked to respect, and, as Theorem 3 says,
the same worst case from the focus channels as from all 48.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..result import Row, StudyResult

if TYPE_CHECKING:
    from ...core.network import Network
    from ...routing.base.routing import Routing

__all__ = ["NAME", "channel_between", "run"]

NAME = "towles-dally-2002-figure-4"


def run(progress: Callable[[str], None] | None = None) -> StudyResult:
    """Focus sets of DOR on the 4,3-ary 2-cube and on the 4-ary 2-cube, ties split and not."""
    from ...routing.named.spec import routing_from_spec
    from ...topologies.grid.torus import torus

    network = torus(4, 3)
    rows: list[Row] = []
    for name in ("dor", "dor:tie=plus"):
        if progress is not None:
            progress(name)
        rows += _judged(routing_from_spec(name, network), published=name == "dor")
    square = torus(4, 4)
    for name in ("dor", "dor:tie=plus"):
        rows += _worst_cases(routing_from_spec(name, square))
    return StudyResult(
        NAME,
        "Focus channels of dimension-order routing on the 4,3-ary 2-cube",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), sec. 4.1, Figure 4, p. 5",
        "the channels from (0,0) to (1,0) and from (0,0) to (0,1) form a focus set",
        tuple(rows),
    )


def channel_between(network: Network, tail: tuple[int, int], head: tuple[int, int]) -> int:
    """The number of the channel between two nodes given by their coordinates."""
    grid = network.grid
    assert grid is not None
    u, v = grid.node(tail), grid.node(head)
    return next(c for c in range(network.num_channels) if network.tail[c] == u and network.head[c] == v)


def _judged(routing: Routing, *, published: bool) -> list[Row]:
    from ...analysis.worst_case.channel_classes import channel_classes

    network = routing.network
    classes = channel_classes(routing, reversal=False)
    east, north = channel_between(network, (0, 0), (1, 0)), channel_between(network, (0, 0), (0, 1))
    focus = ", ".join(network.channel_label(c) for c in classes.focus.tolist())
    apart = classes.label[east] != classes.label[north]
    covers = len(classes.focus) == 2 and bool(apart)
    note = "" if published else "with ties towards + a reflection of x is no symmetry: both directions of x are needed"
    data = {"orbits": len(classes.focus), "symmetry": list(classes.names)}
    first = Row(
        f"{routing.name} on {network.name}: focus channels",
        focus,
        "(0,0) -> (1,0), (0,0) -> (0,1)" if published else "",
        covers if published else None,
        note,
        data=data,
    )
    count = Row(
        f"{routing.name} on {network.name}: number of focus channels",
        len(classes.focus),
        "2" if published else "",
        len(classes.focus) == 2 if published else None,
        note,
    )
    return [first, count, *_worst_cases(routing)]


def _worst_cases(routing: Routing) -> list[Row]:
    """Theorem 3: focus channels alone give the worst case that all channels give."""
    from ...analysis.capacity import known_capacity
    from ...analysis.worst_case.exact import worst_case

    best = known_capacity(routing.network)
    reduced, full = worst_case(routing), worst_case(routing, symmetry="none")
    equal = reduced.throughput == full.throughput
    label = f"{routing.name} on {routing.network.name}: worst case, of capacity"
    note = "" if equal else f"all channels give {full.throughput / best}"
    return [Row(label, reduced.throughput / best, note=note, data={"equal to all channels": equal})]
