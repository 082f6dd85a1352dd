"""Rail-local routing on clusters of GPUs, against its paths written out anew."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.graphs.networkx_graph import from_networkx
from routeproof.routing.base.routing import Routing
from routeproof.routing.graph.rail_local import RailLocal
from routeproof.routing.named.described import describe_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.symmetry.automorphisms import find_automorphisms
from routeproof.symmetry.channel_classes import channel_classes, solve_folded
from routeproof.topologies.failures import cables_of
from routeproof.topologies.family import network_from_spec
from routeproof.worst.failures import rebuilt_after
from routeproof.worst.rerouting_bound import bounds_of
from routeproof.worst.scan.exact import worst_case
from routeproof.worst.scan.models import balanced

CLUSTERS = [
    ("rail-optimized:2,3,nvlink=9", "yes"),
    ("rail-optimized:3,2,nvlink=9,spines=2", "yes"),
    ("rail-optimized:3,2,nvlink=9,spines=2", "no"),
    ("rail-optimized:2,2,nvlink=5/2,spines=1,pods=2", "yes"),
    ("rail-optimized:2,2,nvlink=5/2,spines=1,pods=2", "no"),
    ("rail-optimized:2,2,nvlink=9,spines=2,planes=2", "yes"),
]


def place(label: str) -> tuple[str, str]:
    """Server and number: of pod0.server1.gpu2."""
    server, _, number = label.rpartition(".gpu")
    return server, number


def written_out(network: Network, i: int, j: int, *, pxn: bool) -> list[tuple[Fraction, list[str]]]:
    """The paths by their definition, as names of nodes, on a network without parallel channels."""
    graph = nx.DiGraph([(network.label(u), network.label(v)) for u, v in zip(network.tail, network.head, strict=True)])
    s, d = network.label(i), network.label(j)
    (own, _), (there, number) = place(s), place(d)
    if own == there:
        return [(Fraction(1), [s, f"{own}.nvswitch", d])]
    relay = f"{own}.gpu{number}" if pxn else s
    first = [s] if relay == s else [s, f"{own}.nvswitch", relay]
    ends = {relay, d}
    kept = [x for x in graph if x in ends or not (".gpu" in x or "nvswitch" in x)]
    paths = list(nx.all_shortest_paths(graph.subgraph(kept), relay, d))
    return [(Fraction(1, len(paths)), [*first, *path[1:]]) for path in paths]


def names(routing: Routing, path: Sequence[int]) -> list[str]:
    network = routing.network
    return [network.label(int(network.tail[path[0]])), *(network.label(int(network.head[c])) for c in path)]


@pytest.mark.parametrize(("topology", "pxn"), CLUSTERS)
def test_paths_loads_and_worst_case_by_definition(topology: str, pxn: str) -> None:
    network = network_from_spec(topology)
    routing = RailLocal(pxn=pxn).on(network)
    routing.check()
    count = network.num_terminals
    ends = zip(network.tail.tolist(), network.head.tolist(), strict=True)
    at = {(network.label(u), network.label(v)): c for c, (u, v) in enumerate(ends)}
    load: dict[tuple[int, int, int], Fraction] = {}
    for i, j in itertools.permutations(range(count), 2):
        wanted = sorted(written_out(network, i, j, pxn=pxn == "yes"))
        assert sorted((w, names(routing, path)) for w, path in routing.paths(i, j)) == wanted
        for weight, path in wanted:
            for pair in itertools.pairwise(path):
                load[at[pair], i, j] = load.get((at[pair], i, j), Fraction(0)) + weight
    channels, pairs = range(network.num_channels), list(itertools.permutations(range(count), 2))
    assert {(c, *p): x for c in channels for p, x in routing.channel_loads([c]).as_dict().items()} == load
    assert {(c, *p): x for p in pairs for c, x in routing.pair_loads(p[:1], p[1:]).as_dict().items()} == load
    if count <= 6:
        zero = Fraction(0)
        worst = max(
            sum((load.get((c, i, image[i]), zero) for i in range(count)), zero) / network.bandwidth[c]
            for image in itertools.permutations(range(count))
            for c in range(network.num_channels)
        )
        assert worst_case(routing).load == worst


@pytest.mark.parametrize(("servers", "gpus"), [(4, 2), (5, 4), (9, 8), (3, 4)])
def test_pxn_lets_a_server_flood_one_interface(servers: int, gpus: int) -> None:
    """All GPUs of a server may send to one rail of the others: min(gpus, servers - 1) packets leave at one GPU."""
    routing = routing_from_spec("rail-local", network_from_spec(f"rail-optimized:{servers},{gpus},nvlink=9"))
    assert worst_case(routing).load == min(gpus, servers - 1)


def test_without_pxn_a_full_cluster_with_spines_carries_every_permutation() -> None:
    network = network_from_spec("rail-optimized:4,4,nvlink=9,spines=4")
    assert worst_case(routing_from_spec("rail-local:pxn=no", network)).load == 1
    assert worst_case(routing_from_spec("rail-local", network)).load == 3


def test_a_channel_that_nobody_uses_has_load_0_when_folded_by_symmetry() -> None:
    """In one pod all packets of PXN stay on their rails: no spine is ever reached."""
    routing = RailLocal().on(network_from_spec("rail-optimized:3,2,nvlink=9,spines=1"))
    classes, rates = channel_classes(routing), balanced(routing).rates
    network = routing.network
    up = [c for c in range(network.num_channels) if network.label(int(network.head[c])).startswith("plane0.spine")]
    assert len(up) == 2
    for c in up:
        folded = solve_folded(routing, c, classes, rates)
        assert folded is not None
        assert folded.value == 0


@pytest.mark.parametrize("pxn", ["yes", "no"])
@pytest.mark.parametrize(
    "topology", ["rail-optimized:3,2,nvlink=9,spines=2", "rail-optimized:2,2,nvlink=4,spines=2,pods=2"]
)
def test_cables_that_symmetry_exchanges_leave_the_same_when_it_is_made_anew(topology: str, pxn: str) -> None:
    network = network_from_spec(topology)
    routing = RailLocal(pxn=pxn).on(network)
    classes = channel_classes(routing, reversal=False)
    described, bounds = describe_routing(routing), bounds_of(network)
    found: dict[int, set[str]] = {}
    for cable in cables_of(network):
        after = rebuilt_after(network, bounds, described, [], list(cable))
        key = min(int(classes.label[c]) for c in cable)
        found.setdefault(key, set()).add(f"{'refused' in after} {after.get('load')} {after.get('uniform')}")
    assert len(found) == 3
    assert all(len(x) == 1 for x in found.values())


@pytest.mark.parametrize("pxn", ["yes", "no"])
def test_symmetry_is_judged_as_by_comparing_all_loads(pxn: str) -> None:
    network = network_from_spec("rail-optimized:3,2,nvlink=9,spines=2")
    routing = RailLocal(pxn=pxn).on(network)
    found = find_automorphisms(network)
    assert found is not None
    for g in found.generators:
        assert routing.respects(g) == Routing.respects(routing, g)


def test_parallel_channels_and_nvswitches_are_taken_alike() -> None:
    graph = nx.MultiDiGraph()
    for a in range(2):
        for x in range(2):
            gpu = f"s{a}.gpu{x}"
            links = [(gpu, f"s{a}.nvswitch0"), (gpu, f"s{a}.nvswitch1"), (gpu, f"leaf{x}"), (gpu, f"leaf{x}")]
            graph.add_edges_from([(*e, {}) for u, v in links for e in ((u, v), (v, u))])
    every = [x for x in graph if "gpu" in x]
    network = from_networkx(graph, terminals=every)
    routing = RailLocal().on(network)
    routing.check()
    number = {network.label(v): v for v in range(network.num_nodes)}
    assert len(routing.paths(number["s0.gpu0"], number["s0.gpu1"])) == 2
    assert len(routing.paths(number["s0.gpu0"], number["s1.gpu1"])) == 2 * 4
    up = [c for c in range(network.num_channels) if network.channel_label(c).startswith("s0.gpu0 -> s0.nvswitch")]
    for c in up:
        assert set(routing.channel_loads([c]).as_dict().values()) == {Fraction(1, 2)}


@pytest.mark.parametrize(
    ("topology", "name", "message"),
    [
        ("torus:4x4", "rail-local", "needs servers of GPUs around nodes called nvswitch"),
        ("rail-optimized:2,2,nvlink=9", "rail-local:pxn=no", "has no path from pod0.server0.gpu0 to pod0.server1.gpu1"),
        ("rail-optimized:2,2,nvlink=9,dead-nodes=1", "rail-local", "server of pod0.server0.gpu0 has no GPU"),
        ("rail-optimized:2,2,nvlink=9", "rail-local:pxn=maybe", "pxn is 'maybe'; "),
    ],
)  # fmt: skip
def test_refused_in_one_clear_line(topology: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        routing_from_spec(name, network_from_spec(topology))


def test_a_report_verifies_and_other_names_of_gpus_do_not(tmp_path: Path) -> None:
    net, report = tmp_path / "net.json", tmp_path / "report.json"
    assert main(["convert", "rail-optimized:3,2,nvlink=9,spines=2", str(net)]) == 0
    assert main(["worst-case", str(net), "--routing", "rail-local", "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    text = report.read_text()
    swapped = (
        text.replace("server0.gpu0", "server0.gpuX").replace("server0.gpu1", "server0.gpu0").replace("gpuX", "gpu1")
    )
    assert json.loads(swapped) != json.loads(text)
    report.write_text(swapped)
    assert main(["verify", str(report)]) == 1
