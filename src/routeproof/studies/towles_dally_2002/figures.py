"""Figures 1 to 3 and 5 to 8 of Towles & Dally 2002 (SPAA '02, pp. 3 to 7), which illustrate and print no numbers.

The drawings are not in the text, but its captions are.  Each figure's counterpart is an example of ours with every
property that the caption tells, drawn from our networks and routings by ``routeproof study towles-dally-2002-figures
--plot FILE``; it need not be the example that was drawn.  What is checked of each is exact.

Where the text leaves the size of a network open it is chosen here: Figure 1 a 4 x 4 mesh, Figure 2 a ring of 6, Figure
6 a part of a 9-ary 2-cube, Figure 8 a 5-ary 2-cube.  (Figures 4 and 9 have studies of their own.)
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import prod
from typing import Any

from ...core.traffic import Permutation, Traffic
from ...routing.base.routing import Routing
from ...routing.named.spec import routing_from_spec
from ...topologies.grid.lattice import mesh, torus
from ...topologies.patterns import traffic_pattern
from ...worst.loads import channel_loads_under
from ...worst.scan.exact import worst_case
from ..grid_routes import Node, channel_on, grid_of, only_route, pair_load, shifted
from ..result import Progress, Row, StudyResult, checked, rows_by_figure, silent
from .five_turns import Vertex, transition_graph, vertex_probabilities

_MATCHING = (1, 3, 4, 5, 0, 2)
_MIRROR = {1: 3, 3: 1}  # the rows beside the middle one send to each other


def run(progress: Progress = silent) -> StudyResult:
    """A checked fact or two of each figure; what is drawn is in the rows' data."""
    figures = (_figure_1, _figure_2, _figure_3, _figure_5, _figure_6, _figure_7, _figure_8)
    return StudyResult(
        "Counterparts of Figures 1, 2, 3, 5, 6, 7 and 8",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), pp. 3 to 7",
        "examples with the properties that the captions tell, each checked",
        rows_by_figure(figures, progress),
    )


def _load_under(routing: Routing, traffic: Traffic, channel: int) -> Fraction:
    return channel_loads_under(routing, traffic).exact([channel]).fraction(0)


def _figure_1() -> list[Row]:
    """Two independent contributions to a channel's load."""
    network = mesh(4, 4)
    grid = grid_of(network)
    routing = routing_from_spec("dor", network)
    pairs: dict[str, tuple[Node, Node]] = {"xy": ((0, 1), (3, 3)), "uv": ((1, 1), (2, 0))}
    ends = ((1, 1), (2, 1))
    channel = channel_on(network, *ends)
    parts = [pair_load(routing, a, b, channel) for a, b in pairs.values()]
    rate = [[0] * network.num_terminals for _ in range(network.num_terminals)]
    for a, b in pairs.values():
        rate[grid.node(a)][grid.node(b)] = 1
    total = _load_under(routing, Traffic.of_matrix(rate), channel)
    drawn = {
        "network": network.spec,
        "channel": ends,
        "routes": {name: only_route(routing, a, b) for name, (a, b) in pairs.items()},
    }
    told = "one packet per cycle"
    return [
        Row("Figure 1: load of c from x to y", parts[0], told, parts[0] == 1, data=drawn),
        Row("Figure 1: load of c from u to v", parts[1], told, parts[1] == 1),
        Row("Figure 1: net load of c under both", total, "2 packets per cycle", total == 2 == sum(parts)),
    ]


def _figure_2() -> list[Row]:
    """The bipartite graph of one channel, a perfect matching, and its permutation."""
    network = torus(6)
    routing = routing_from_spec("dor", network)
    channel = next(c for c in range(network.num_channels) if (network.tail[c], network.head[c]) == (5, 0))
    weights = routing.channel_loads([channel]).as_dict()
    weight = sum((weights.get(edge, Fraction(0)) for edge in enumerate(_MATCHING)), Fraction(0))
    traffic = Traffic.of_permutation(Permutation(_MATCHING))
    load = _load_under(routing, traffic, channel)
    found = worst_case(routing, symmetry="none", all_channels=True)
    assert found.channel_loads is not None
    drawn = {
        "network": network.spec,
        "channel": network.channel_label(channel),
        "weights": [[s, d, str(x)] for (s, d), x in sorted(weights.items())],
        "matching": list(_MATCHING),
        "one for each source and destination": sorted(_MATCHING) == list(range(6)),
    }
    one = traffic.rate(0, 1)
    return [
        Row("Figure 2: weight of the matching", weight, data=drawn),
        Row("Figure 2: load of c under its permutation", load, "the sum of the edge weights", load == weight),
        Row("Figure 2: entry (0, 1) of the permutation matrix", one, "1", one == 1 == int(_MATCHING[0] == 1)),
        Row("Figure 2: weight of a maximum-weight matching (Section 3.4)", found.channel_loads[channel]),
    ]


def _figure_3() -> list[Row]:
    """Three paths of 5TURNS from (0,0) to (3,2): two combine at a vertex, the third passes the same node elsewhere."""
    edges = transition_graph((3, 2), start="virtual")
    three = _three_paths(_paths(edges, (0, 0, 0), (3, 2)))
    assert three is not None
    (one, two, third), vertex, other = three
    visits = vertex_probabilities(edges)
    entering = [path for path in _paths(edges, (0, 0, 0), vertex[1:]) if path[-1] == vertex]
    arriving = sum((prod((edges[x] for x in pairwise(path)), start=Fraction(1)) for path in entering), Fraction(0))
    told = "two of the paths being combined at a single state-node vertex"
    combined = vertex in one and vertex in two and one[: one.index(vertex)] != two[: two.index(vertex)]
    apart = vertex not in third and other in third and other[1:] == vertex[1:] and other[0] > vertex[0]
    drawn = {"paths": [[list(v) for v in path] for path in (one, two, third)], "vertex": list(vertex)}
    equal, sums = visits[vertex] == arriving, {"summed over all paths that enter it": str(arriving)}
    return [
        Row("Figure 3: where two paths combine, (turns, x, y)", str(vertex), told, combined, data=drawn),
        Row("Figure 3: where the third passes", str(other), "not combined: it has taken more turns", apart),
        Row("Figure 3: V of that vertex", visits[vertex], "the sum over its predecessors", equal, data=sums),
    ]


def _paths(edges: dict[tuple[Vertex, Vertex], Fraction], start: Vertex, goal: Node) -> list[list[Vertex]]:
    """Every path of the transition graph from ``start`` to a vertex at node ``goal``, in order."""
    if start[1:] == goal:
        return [[start]]
    following = sorted(w for v, w in edges if v == start)
    return [[start, *rest] for w in following for rest in _paths(edges, w, goal)]


def _three_paths(paths: list[list[Vertex]]) -> tuple[list[list[Vertex]], Vertex, Vertex] | None:
    """Two paths with a common vertex after they have parted, and one at its node with more turns; with both vertices.

    The node is strictly inside of the rectangle of the paths, so that what follows can be seen.
    """
    for one, two in combinations(paths, 2):
        for vertex in one[3:-1]:
            if vertex not in two or one[: one.index(vertex)] == two[: two.index(vertex)]:
                continue
            for third in paths:
                for other in third[1:-1]:
                    if other[1:] == vertex[1:] and other[0] > vertex[0] and vertex not in third:
                        return [one, two, third], vertex, other
    return None


def _figure_5() -> list[Row]:
    """Dimension-order routes with the same vector have the same shape."""
    network = torus(3, 3)
    routing = routing_from_spec("dor", network)
    one, two = only_route(routing, (0, 0), (1, 1)), only_route(routing, (1, 2), (2, 0))
    same = shifted(one, (1, 2), (3, 3)) == two
    label, told = "Figure 5: (1,2) to (2,0) is (0,0) to (1,1) moved by (1,2)", "the same relative path"
    return [checked(label, same, told, "the routes differ", network=network.spec, routes=[one, two])]


def _figure_6() -> list[Row]:
    """A route of DOR, and two of ROMM through nodes i and j of the minimal quadrant."""
    network = torus(9, 9)
    start, end, via = (2, 2), (5, 5), ((3, 4), (4, 3))
    xy, yx = (routing_from_spec(name, network) for name in ("dor:order=xy", "dor:order=yx"))
    romm = routing_from_spec("romm", network)
    grid = grid_of(network)
    straight = only_route(xy, start, end)
    i, j = via
    routes = [
        only_route(yx, start, i) + only_route(xy, i, end)[1:],
        only_route(xy, start, j) + only_route(yx, j, end)[1:],
    ]
    used, spread = (x.pair_loads([grid.node(start)], [grid.node(end)]).as_dict() for x in (xy, romm))
    taken = [channel_on(network, a, b) for route in routes for a, b in pairwise(route)]
    fine = all(spread.get(c, 0) > 0 for c in taken) and {len(x) for x in routes} == {len(straight)}
    drawn = {"network": network.spec, "dor": straight, "romm": routes, "ends": [start, end], "via": list(via)}
    most = {"largest load": str(max(spread.values())), "largest load of DOR": str(max(used.values()))}
    told, more = "a larger number of channels", len(spread) > len(used)
    label = "Figure 6: the drawn routes are ROMM's, and minimal"
    return [
        Row("Figure 6: channels of DOR from s to d", len(used), data=drawn),
        Row("Figure 6: channels of ROMM from s to d", len(spread), told, more, data=most),
        checked(label, fine, "example routes", "a route is not ROMM's"),
    ]


def _figure_7() -> list[Row]:
    network = torus(5)
    traffic = traffic_pattern("tornado", network)
    assert traffic.permutation is not None
    image = traffic.permutation.image.tolist()
    shifts = {(j - i) % 5 for i, j in enumerate(image)}
    loads = channel_loads_under(routing_from_spec("dor", network), traffic).load.fractions()
    hops = ", ".join(map(str, sorted(shifts)))
    label, drawn = "Figure 7: every node sends so many hops to the right", {"network": network.spec, "image": image}
    return [
        Row(label, hops, "(k - 1)/2", shifts == {(5 - 1) // 2}, data=drawn),
        Row("Figure 7: load of every channel to the right", max(loads), data={"to the left": str(min(loads))}),
    ]


def _figure_8() -> list[Row]:
    """The adversarial pattern for ROMM: tornado in the middle row, and pairs whose minimal quadrant contains c."""
    k, middle = 5, 2
    network = torus(k, k)
    grid = grid_of(network)
    ends: tuple[Node, Node] = ((2, middle), (3, middle))
    channel = channel_on(network, *ends)
    dor, romm = (routing_from_spec(name, network) for name in ("dor", "romm"))
    row: list[tuple[Node, Node]] = [((x, middle), ((x + 2) % k, middle)) for x in range(k)]
    x_to_y: tuple[Node, Node] = ((1, 1), (3, 3))
    tornado = sum((pair_load(romm, a, b, channel) for a, b in row), Fraction(0))
    more = pair_load(romm, *x_to_y, channel)
    image = list(range(network.num_nodes))
    for x in range(k):
        for y in range(k):
            image[grid.node((x, y))] = grid.node(((x + 2) % k, _MIRROR.get(y, y)))
    whole = _load_under(romm, Traffic.of_permutation(Permutation(image)), channel)
    worst_dor, worst_romm = worst_case(dor).load, worst_case(romm).load
    drawn: dict[str, Any] = {"network": network.spec, "channel": ends, "row": row, "x to y": x_to_y, "middle": middle}
    drawn["worst case of DOR"] = str(worst_dor)
    label, told = "Figure 8: load of c", "the same amount as in DOR's worst-case"
    return [
        Row(f"{label}, tornado in the middle row alone", tornado, told, tornado == worst_dor, data=drawn),
        Row(f"{label}, with traffic from x to y", tornado + more, "beyond that of DOR", tornado + more > worst_dor),
        Row(f"{label}, and the rows beside exchanging", whole, data={"image": image}),
        Row("Figure 8: exact worst case of ROMM on the 5-ary 2-cube", worst_romm),
    ]
