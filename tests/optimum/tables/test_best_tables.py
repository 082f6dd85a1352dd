"""The best tables, exactly: an independent integer program agrees; bounds by counting; what is known at the start."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from networkx.generators.atlas import graph_atlas_g

from integer_tables import SMALL, least_by_integers, of_graph
from routeproof import design_tables
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.table_bounds import (
    ONE,
    Lids,
    count_at_exit,
    count_meetings,
    count_paths,
    least_load_above,
    least_load_from,
)
from routeproof.machine.deadlines import Deadline
from routeproof.optimum.tables import bounds as looked_for
from routeproof.optimum.tables.bounds import counted_bound, meeting_bound
from routeproof.optimum.tables.exchange import improve_tables
from routeproof.worst.scan.exact import worst_case

pytest.importorskip("pysat")

_FOUR = [g for g in graph_atlas_g() if g.number_of_nodes() == 4 and nx.is_connected(g)]
_SOME = [31, 35, 38, 41, 43]  # of five nodes, two of them with a gap between all routings and tables
_OF_SIX = [67, 82, 88, 99, 110, 126]  # least worst cases of 1, 2 and 3; all: python tests/support/integer_tables.py


@pytest.mark.parametrize("graph", [*(g for g in SMALL if len(g) < 6), *(SMALL[k] for k in _OF_SIX)])
def test_agrees_with_an_integer_program(graph: nx.Graph) -> None:
    net = of_graph(graph)
    made = design_tables(net, proposals=300)
    claim = next(x for x in made.claims() if x.about.get("among") == "tables" and x.quantity == "worst_case_load")
    assert claim.relation == "=="
    assert float(claim.number) == pytest.approx(least_by_integers(net), abs=1e-6)


_PRISM = nx.circular_ladder_graph(3)


@pytest.mark.parametrize("graph", [*_FOUR, *(graph_atlas_g()[k] for k in _SOME), nx.star_graph(5), _PRISM])
def test_single_paths_agree_with_an_integer_program(graph: nx.Graph) -> None:
    net = of_graph(graph)
    made = design_tables(net, single=True, proposals=300)
    claim = next(x for x in made.claims() if x.about.get("among") == "single-paths")
    assert claim.relation == "=="
    assert float(claim.number) == pytest.approx(least_by_integers(net, single=True), abs=1e-6)
    assert all(len(made.routing.paths(i, j)) == 1 for i in range(len(graph)) for j in range(len(graph)) if i != j)


@pytest.mark.parametrize("single", [False, True])
def test_agrees_where_bandwidths_differ(single: bool) -> None:
    net = of_graph(nx.cycle_graph(4), [2, 1, 3, 1, 2, 2, 1, 1])
    made = design_tables(net, single=single, proposals=300)
    claim = next(x for x in made.claims() if "among" in x.about and x.quantity == "worst_case_load")
    assert claim.relation == "=="
    assert float(claim.number) == pytest.approx(least_by_integers(net, single=single), abs=1e-6)


def test_single_paths_have_one_path_to_begin_with() -> None:
    from routeproof.routing.named.spec import routing_from_spec

    net = resolve_network("ring:4")
    with pytest.raises(InputError, match=r"valiant has \d paths from terminal 0 to"):
        design_tables(net, routing_from_spec("valiant", net), single=True)
    with pytest.raises(InputError, match="--paths single, leave them out"):
        design_tables(net, single=True, lids=2)


def test_a_better_table_than_the_search_finds() -> None:
    """The search alone ends at 2 on this network, where 1 can be had."""
    net = of_graph(nx.complement(nx.cycle_graph(6)))
    assert design_tables(net, proposals=1).value("worst_case_load") == 1


def test_counting() -> None:
    leaf = counted_bound(resolve_network("fat-tree:8,levels=2"))
    assert leaf is not None
    assert leaf.value == 4
    path = counted_bound(of_graph(nx.path_graph(6)))
    assert path is not None
    assert path.value == 3  # both halves of a line meet at its middle
    net = resolve_network("fat-tree:4,levels=2")
    assert count_at_exit(net, [0], 0, Fraction(2)) is None
    assert "room for all sources" in str(count_at_exit(net, [0], 0, Fraction(3)))
    assert "elsewhere" in str(count_at_exit(net, [0, 1], 0, Fraction(2)))
    assert "no packet leaves" in str(count_at_exit(net, list(range(net.num_nodes)), 0, Fraction(2)))


@pytest.mark.parametrize(
    ("topology", "value"), [("hypercube:7", 3), ("hypercube:10", 5), ("torus:16x16", 6), ("torus:4x4", 2)]
)
def test_counting_meetings(topology: str, value: int) -> None:
    """About the root of twice the number of nodes, over the degree; counting for one destination at a time, as Borodin
    & Hopcroft do, has the root of the number of nodes."""
    net = resolve_network(topology)
    bound = meeting_bound(net)
    assert bound is not None
    assert bound.value == value
    assert count_paths(net, bound.value) is not None


def test_a_multiplier_below_0_proves_nothing() -> None:
    assert "negative" in str(count_meetings(resolve_network("torus:4x4"), Fraction(2), Fraction(-1)))


@pytest.mark.parametrize("topology", ["torus:4x4", "petersen", "hypercube:4"])
def test_counting_meetings_says_that_tables_are_the_best(topology: str) -> None:
    made = design_tables(resolve_network(topology), proposals=20_000)
    claim = next(x for x in made.claims() if x.about.get("among") == "tables" and x.quantity == "worst_case_load")
    assert (claim.relation, claim.number) == ("==", 2)
    assert claim.evidence.data["bound"]["counted"] == "meetings"


@pytest.mark.parametrize("seed", range(8))
def test_no_single_paths_are_below_what_counting_says(seed: int) -> None:
    """Trees with a cycle, with several terminals at a node and different bandwidths."""
    rng = np.random.default_rng(seed)
    graph = nx.random_labeled_tree(12, seed=seed)
    graph.add_edge(*rng.choice(12, 2, replace=False).tolist())
    width = rng.integers(1, 3, 2 * graph.number_of_edges()).tolist()
    channels = [x for a, b in graph.edges for x in ((a, b), (b, a))]
    ends = sorted(rng.integers(0, 12, 16).tolist())
    net = Network.of("a graph", 12, channels, bandwidth=width, source=ends, sink=ends)
    found = improve_tables(net, proposals=500).routing
    load, bound = worst_case(found).load, meeting_bound(net)
    assert bound is None or bound.value <= load
    assert all(count_paths(net, x) is not None for x in (load + 1, load + Fraction(1, 2)))


def test_counting_is_of_packets_that_are_not_spread() -> None:
    assert meeting_bound(resolve_network("hypercube:7"), Lids(2)) is None
    assert "spread" in str(count_meetings(resolve_network("hypercube:7"), Fraction(1), Fraction(1), Lids(2)))
    assert "spread" in str(count_paths(resolve_network("hypercube:7"), Fraction(1), Lids(2)))


def test_loads_that_tables_can_have() -> None:
    net = of_graph(nx.path_graph(3), [2, 3, 2, 3])
    assert least_load_from(net, Fraction(1, 3)) == Fraction(1, 3)
    assert least_load_from(net, Fraction(2, 5)) == Fraction(1, 2)
    assert least_load_above(net, Fraction(1, 2)) == Fraction(2, 3)


def test_the_start_is_known_to_be_optimal() -> None:
    made = design_tables(resolve_network("fat-tree:8,levels=2"))
    assert made.answer.made.proposals == 0
    assert made.value("worst_case_load") == 4


def test_a_mixture_is_bounded_by_all_routings_alone() -> None:
    from routeproof.routing.named.spec import routing_from_spec

    net = resolve_network("torus:3x3")
    start = routing_from_spec("mix:1/2*dor:order=xy+1/2*dor:order=yx", net)
    made = design_tables(net, start, proposals=50)
    assert not any("among" in x.about for x in made.claims())


@pytest.mark.parametrize("terminals", [[0], [0, 0]])
def test_a_network_without_channels_is_refused(terminals: list[int]) -> None:
    with pytest.raises(InputError, match="has no channels"):
        design_tables(Network.of("a node", 1, [], source=terminals, sink=terminals))


def test_bounds_of_tables_share_one_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now, given = [0.0], list[float]()

    def spend(*args, time_limit: float, **_):  # all that it is given
        given.append(time_limit)
        now[0] += time_limit
        return (None, "no bound") if len(given) == 1 else (args[1], None)

    monkeypatch.setattr(looked_for, "least_load", spend)
    monkeypatch.setattr(looked_for, "exact_tables", spend)
    net = of_graph(nx.path_graph(4))
    bounds = looked_for.TablesBounds(net, ONE, deadline=Deadline(100, lambda: now[0]), stage=None)
    bounds.look(Fraction(1000))
    bounds.settle(Fraction(1000), "tables", free=True, progress=None)
    assert len(given) == 2
    assert min(given) > 0
    assert sum(given) < 100


def test_the_capacity_has_a_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []
    monkeypatch.setattr(
        "routeproof.optimum.capacity.capacity_if_possible", lambda _, *, seconds=None: given.append(seconds)
    )
    net = of_graph(graph_atlas_g()[35])  # whose capacity no formula gives
    design_tables(net, proposals=10, time_limit=20.0)
    design_tables(net, proposals=10)
    assert given[0] is not None
    assert given[0] <= 2
    assert given[-1] is None
