"""5TURNS, the routing function of section 3.5 and Figure 3 of Towles & Dally 2002 (SPAA '02, pp. 4 and 5).

"The 5TURNS function allows any minimal path from a source to destination that contains less than five turns from one
dimension to the other with packets always starting in the x dimension."  The printed R lets a packet turn at its
source (state 1 is reached by a move in y out of state 0), which the words do not: both are computed, ``virtual`` as
printed and ``strict`` as worded.  In both no packet moves to a state from which its destination is out of reach.

Figure 3 shows paths from (0,0) to (3,2): two of them meet at one vertex of the routing state-node transition graph, and
a third passes the same node with more turns, at another vertex.  No number is printed.  Computed here from the formulas
for V and gamma in section 3.5: the probability of every vertex, and the loads of all channels, which must equal those
of our routing.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ...routing.named.spec import routing_from_spec
from ...topologies.family import network_from_spec
from ...topologies.grid.lattice import mesh
from ...worst.capacity import known_capacity
from ...worst.scan.exact import worst_case
from ..grid_routes import grid_of
from ..result import Progress, Row, StudyResult, checked, silent

Vertex = tuple[int, int, int]
"""(t, x, y): the turns made so far, the routing state of the paper, and the node."""

_LIMIT = 4
_GOAL = (3, 2)


def moves(vertex: Vertex, goal: tuple[int, int], *, start: str) -> list[Vertex]:
    """R(t, x, y): where a packet for ``goal`` (to the right and above) may go next, each alike.

    An even t moves in x, an odd one in y.  ``start``: "virtual" (a packet may turn at its source, at the cost of a
    turn) or "strict" (it first moves in x if it has to move in x at all).
    """
    ahead, aside = _next(vertex)
    options = [ahead, aside]
    if start == "strict" and vertex == (0, 0, 0):
        options = [ahead] if goal[0] > 0 else [aside]
    return [v for v in options if _arrives(v, goal)]


def _next(vertex: Vertex) -> tuple[Vertex, Vertex]:
    """Where a packet comes by going straight on, and by turning."""
    t, x, y = vertex
    right, up = (x + 1, y), (x, y + 1)
    return ((t, *right), (t + 1, *up)) if t % 2 == 0 else ((t, *up), (t + 1, *right))


@cache
def _arrives(vertex: Vertex, goal: tuple[int, int]) -> bool:
    t, x, y = vertex
    if t > _LIMIT or x > goal[0] or y > goal[1]:
        return False
    return (x, y) == goal or any(_arrives(v, goal) for v in _next(vertex))


def transition_graph(goal: tuple[int, int], *, start: str) -> dict[tuple[Vertex, Vertex], Fraction]:
    """E of section 3.5: the probability of every move between vertices that a packet from (0,0) can reach."""
    edges: dict[tuple[Vertex, Vertex], Fraction] = {}
    todo: list[Vertex] = [(0, 0, 0)]
    seen = set(todo)
    for v in todo:
        following = [] if v[1:] == goal else moves(v, goal, start=start)
        for w in following:
            edges[v, w] = Fraction(1, len(following))
            if w not in seen:
                seen.add(w)
                todo.append(w)
    return edges


def vertex_probabilities(edges: dict[tuple[Vertex, Vertex], Fraction]) -> dict[Vertex, Fraction]:
    """V of section 3.5: how probable it is that the packet visits the vertex."""
    found: dict[Vertex, Fraction] = {(0, 0, 0): Fraction(1)}
    for (v, w), probability in sorted(edges.items(), key=lambda item: item[0][0][1] + item[0][0][2]):
        found[w] = found.get(w, Fraction(0)) + found[v] * probability
    return found


def run(progress: Progress = silent) -> StudyResult:
    """The example of Figure 3, and worst cases of both readings on a small mesh and a small torus."""
    rows: list[Row] = []
    for start in ("virtual", "strict"):
        progress(start)
        rows += _example(start)
        rows += [_worst_case(topology, start) for topology in ("mesh:5x5", "torus:5x5")]
    return StudyResult(
        "5TURNS: its routing state-node transition graph for (0,0) to (3,2), and its worst case",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), sec. 3.5, Figure 3, p. 5",
        "two of the paths are combined at a single state-node vertex, the third is not since it has taken more turns",
        tuple(rows),
    )


def _example(start: str) -> list[Row]:
    edges = transition_graph(_GOAL, start=start)
    visits = vertex_probabilities(edges)
    arrival = sum((x for v, x in visits.items() if v[1:] == _GOAL), Fraction(0))
    by_node: dict[tuple[int, int], set[int]] = {}
    for t, x, y in visits:
        by_node.setdefault((x, y), set()).add(t)
    entering = {w: [v for v, other in edges if other == w] for w in visits}
    combined = sorted(w for w, sources in entering.items() if len(sources) > 1)
    several = sorted(node for node, states in by_node.items() if len(states) > 1 and node != _GOAL)
    chances = {f"({t}, {x}, {y})": str(p) for (t, x, y), p in sorted(visits.items())}
    rows = [
        Row(f"{start}: vertices (t, x, y) and their probabilities", len(visits), data=chances),
        Row(f"{start}: probability of arrival at (3,2)", arrival),
        checked(
            f"{start}: a vertex where paths combine, at a node that is also passed in another state",
            any(w[1:] in several for w in combined),
            "shown in Figure 3b",
            "no such vertex",
            **{"combined": [list(v) for v in combined], "nodes in several states": [list(v) for v in several]},
        ),
    ]
    network = mesh(_GOAL[0] + 1, _GOAL[1] + 1)
    grid = grid_of(network)
    wanted: dict[int, Fraction] = {}
    for (v, w), probability in edges.items():
        channel = int(grid.channel_at[grid.node(v[1:]), 0 if w[1] > v[1] else 1, 0])
        wanted[channel] = wanted.get(channel, Fraction(0)) + visits[v] * probability
    routing = routing_from_spec(f"turns:limit={_LIMIT},start={start}", network)
    loads = routing.pair_loads([grid.node((0, 0))], [grid.node(_GOAL)]).as_dict()
    label = f"{start}: loads of {routing.name} equal the formula for gamma"
    by_channel = {network.channel_label(c): str(x) for c, x in sorted(wanted.items())}
    return [*rows, checked(label, loads == wanted, "", "the routing and the formula differ", **by_channel)]


def _worst_case(topology: str, start: str) -> Row:
    network = network_from_spec(topology)
    best = known_capacity(network)
    found = worst_case(routing_from_spec(f"turns:limit={_LIMIT},start={start}", network))
    data = {"channel": network.channel_label(found.channel), "throughput": str(found.throughput)}
    return Row(f"{start}: worst case on {topology}, of capacity", found.throughput / best, data=data)
