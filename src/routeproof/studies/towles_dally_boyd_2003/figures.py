"""Figures 2 and 3 of Towles, Dally & Boyd 2003 (SPAA '03, pp. 5 and 6): the k-ary 2-cube, and a loop that IVAL removes.

Both illustrate and print no numbers.  Figure 3: "an example of a loop in a path used by Valiant's routing algorithm on
a portion of a torus network.  X first dimension-order routing is used from the source s to intermediate i and then from
the intermediate to the destination d.  A more efficient dotted path removes the loop in the solid path and reduces path
length without decreasing throughput."  Ours is such a path on the 8-ary 2-cube, with the loop cut out as our IVAL does
it; that no throughput is lost is checked for all such paths together, exactly.  Figure 2 is drawn for k = 4.
"""

from __future__ import annotations

from itertools import pairwise

from ...routing.grid.ival import without_loops
from ...routing.named.spec import routing_from_spec
from ...topologies.grid.lattice import torus
from ...worst.scan.exact import worst_case
from ..grid_routes import Node, grid_of, only_route
from ..result import Progress, Row, StudyResult, checked, rows_by_figure, silent

_K = 8
_START, _VIA, _END = (2, 2), (5, 4), (4, 1)


def run(progress: Progress = silent) -> StudyResult:
    """Checked facts of both figures; what is drawn is in the rows' data."""
    figures = (_figure_2, _figure_3)
    return StudyResult(
        "Counterparts of Figures 2 and 3",
        "Towles, Dally & Boyd 2003, Throughput-Centric Routing Algorithm Design (SPAA '03), pp. 5 and 6",
        "the k-ary 2-cube; removing the loop reduces path length without decreasing throughput",
        rows_by_figure(figures, progress),
    )


def _figure_2() -> list[Row]:
    """Nodes in k rows of k, each joined to four others; the wires around close k-rings."""
    network = torus(4, 4)
    grid = grid_of(network)
    hops = {
        tuple(int(b - a) % 4 for a, b in zip(grid.coordinates[u], grid.coordinates[v], strict=True))
        for u, v in zip(network.tail.tolist(), network.head.tolist(), strict=True)
    }
    square = network.num_nodes == 4**2 and network.num_channels == 4 * network.num_nodes
    square &= hops == {(1, 0), (3, 0), (0, 1), (0, 3)}
    text = f"{network.num_nodes} nodes, {network.num_channels} channels"
    published = "k-ary 2-cube (2-dimensional torus)"
    note = "" if square else "not the 4-ary 2-cube"
    drawn = {"network": network.spec, "hops": sorted(hops)}
    return [Row("Figure 2: the 4-ary 2-cube", text, published, square, note, data=drawn)]


def _figure_3() -> list[Row]:
    """A route through i that comes back to one of its nodes; and what is left of it."""
    network = torus(_K, _K)
    dor = routing_from_spec("dor", network)
    solid = only_route(dor, _START, _VIA) + only_route(dor, _VIA, _END)[1:]
    dotted = [_START, *_heads(without_loops(_START, _steps(solid), (_K, _K)))]
    again = sorted({at for at in solid if solid.count(at) > 1})
    hops = set(pairwise(solid))
    less = set(pairwise(dotted)) < hops and dotted[-1] == _END and len(set(dotted)) == len(dotted)
    drawn = {"network": network.spec, "solid": solid, "dotted": dotted, "ends": [_START, _END], "via": _VIA}
    before, after = (worst_case(routing_from_spec(name, network)).load for name in ("valiant", "ival"))
    told = "removing the loop only reduces the channel loads"
    return [
        Row("Figure 3: hops of the solid path", len(solid) - 1, data=drawn),
        Row("Figure 3: node that it revisits", ", ".join(map(str, again)), "a loop in a path", len(again) > 0),
        Row("Figure 3: hops of the dotted path", len(dotted) - 1, "reduces path length", len(dotted) < len(solid)),
        checked("Figure 3: dotted channels are among the solid", less, told),
        Row("Figure 3: worst-case load of VAL", before),
        Row("Figure 3: worst-case load of IVAL", after, "without decreasing throughput", after <= before),
    ]


def _steps(route: list[Node]) -> list[tuple[int, int]]:
    """(dimension, direction) of every hop; direction 0 is +."""
    moves = ((0, u - x) if u != x else (1, v - y) for (x, y), (u, v) in pairwise(route))
    return [(m, 0 if step % _K == 1 else 1) for m, step in moves]


def _heads(path: list[tuple[tuple[int, ...], int, int]]) -> list[Node]:
    found = []
    for (x, y), m, direction in path:
        step = 1 - 2 * direction
        found.append(((x + step * (m == 0)) % _K, (y + step * (m == 1)) % _K))
    return found
