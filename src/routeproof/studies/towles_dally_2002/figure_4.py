"""Figure 4 and section 4.1 of Towles & Dally 2002 (SPAA '02, p. 5): focus channels.

"Consider the 4,3-ary 2-cube shown in Figure 4, which is partially symmetric.  The channel from node (0,0) to (1,0) and
the channel from (0,0) to (0,1) form a focus set, assuming symmetry in the channel bandwidth and routing function is
also preserved."  And: "only two focus channels are needed to find the worst-case for dimension-order routing on the
two-dimensional torus".  (The figure's caption names the channel to (1,0) twice.)

Computed: the orbits of channels under the automorphisms that the routing is checked to respect, and, as Theorem 3 says,
the same worst case from the focus channels as from all 48.
"""

from __future__ import annotations

from ...routing.base.routing import Routing
from ...routing.named.spec import routing_from_spec
from ...symmetry.channel_classes import channel_classes
from ...topologies.grid.torus import torus
from ...worst.capacity import known_capacity
from ...worst.scan.exact import worst_case
from ..grid_routes import channel_on
from ..pieces import Progress, silent
from ..result import Row, StudyResult

NAME = "towles-dally-2002-figure-4"


def run(progress: Progress = silent) -> StudyResult:
    """Focus sets of DOR on the 4,3-ary 2-cube and on the 4-ary 2-cube, ties split and not."""
    network = torus(4, 3)
    rows: list[Row] = []
    for name in ("dor", "dor:tie=plus"):
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


def _judged(routing: Routing, *, published: bool) -> list[Row]:
    network = routing.network
    classes = channel_classes(routing, reversal=False)
    east, north = channel_on(network, (0, 0), (1, 0)), channel_on(network, (0, 0), (0, 1))
    focus = ", ".join(network.channel_label(c) for c in classes.focus.tolist())
    apart = classes.label[east] != classes.label[north]
    two = len(classes.focus) == 2
    note = "" if published else "with ties towards + a reflection of x is no symmetry: both directions of x are needed"
    data = {"orbits": len(classes.focus), "symmetry": list(classes.names)}
    label = f"{routing.name} on {network.name}"
    printed = ("(0,0) -> (1,0), (0,0) -> (0,1)", "2") if published else ("", "")
    agrees = (two and bool(apart), two) if published else (None, None)
    return [
        Row(f"{label}: focus channels", focus, printed[0], agrees[0], note, data=data),
        Row(f"{label}: number of focus channels", len(classes.focus), printed[1], agrees[1], note),
        *_worst_cases(routing),
    ]


def _worst_cases(routing: Routing) -> list[Row]:
    """Theorem 3: focus channels alone give the worst case that all channels give."""
    best = known_capacity(routing.network)
    reduced, full = worst_case(routing), worst_case(routing, symmetry="none")
    equal = reduced.throughput == full.throughput
    label = f"{routing.name} on {routing.network.name}: worst case, of capacity"
    note = "" if equal else f"all channels give {full.throughput / best}"
    return [Row(label, reduced.throughput / best, note=note, data={"equal to all channels": equal})]
