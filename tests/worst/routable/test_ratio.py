"""The oblivious ratio against a linear program of another form: flows by source and channel, floats, no proof."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from brute_routing import all_loads
from routeproof import Network, hypercube, jellyfish, mesh, named_routing, petersen, torus
from routeproof.core.errors import InputError
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.formats.documents.report import claims_to_document, document_to_claims
from routeproof.machine.memory import memory_allowed
from routeproof.questions.answer import subject_of
from routeproof.routing.base.routing import Routing
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.routable.loads import contraction_around
from routeproof.worst.routable.ratio import ObliviousRatio, oblivious_ratio, ratio_claims
from true_reports import hosts_network, table


def independent(routing: Routing) -> float:
    """Variables: flow of every source node on every channel, and demand of every row to every column."""
    network = routing.network
    nodes, channels = network.num_nodes, network.num_channels
    bandwidth = [float(x) for x in network.bandwidth]
    pairs = sorted({(int(i), int(j)) for i in routing.row_of for j in routing.column_of})
    pairs = [(i, j) for i, j in pairs if routing.row_node[i] != routing.column_node[j]]
    flows = nodes * channels
    conserve = np.zeros((nodes * nodes, flows + len(pairs)))
    for s in range(nodes):
        for c in range(channels):
            conserve[s * nodes + int(network.tail[c]), s * channels + c] -= 1
            conserve[s * nodes + int(network.head[c]), s * channels + c] += 1
    for k, (i, j) in enumerate(pairs):  # what arrives at a column's node and stays there; what a source sends is free
        conserve[int(routing.row_node[i]) * nodes + int(routing.column_node[j]), flows + k] -= 1
    conserve = np.delete(conserve, [s * nodes + s for s in range(nodes)], axis=0)
    carried = np.hstack([np.tile(np.eye(channels), (1, nodes)), np.zeros((channels, len(pairs)))])
    best = 0.0
    for c, loads in by_channel(routing).items():
        cost = np.zeros(flows + len(pairs))
        for k, pair in enumerate(pairs):
            cost[flows + k] = -float(loads.get(pair, 0)) / bandwidth[c]
        found = linprog(cost, carried, bandwidth, conserve, np.zeros(len(conserve)))
        best = max(best, -found.fun)
    return best


def by_channel(routing: Routing) -> dict[int, dict[tuple[int, int], Fraction]]:
    found: dict[int, dict[tuple[int, int], Fraction]] = {}
    for (c, i, j), load in all_loads(routing).items():
        found.setdefault(c, {})[i, j] = load
    return found


def by_node(routing: Routing, channel: int) -> dict[tuple[int, int], Fraction]:
    """Of the terminals of a pair of nodes those that load the channel most."""
    found: dict[tuple[int, int], Fraction] = {}
    rows, columns = set(routing.row_of.tolist()), set(routing.column_of.tolist())
    for (i, j), load in by_channel(routing).get(channel, {}).items():
        if i in rows and j in columns:
            ends = int(routing.row_node[i]), int(routing.column_node[j])
            found[ends] = max(load, found.get(ends, Fraction(0)))
    return found


def check(found: ObliviousRatio) -> None:
    """The flow respects all bandwidths and makes the load; the lengths bound every focus channel."""
    network, routing = found.routing.network, found.routing
    used = [Fraction(0)] * network.num_channels
    load = Fraction(0)
    pairs = by_node(routing, found.channel)
    for x in found.flow:
        at = int(routing.row_node[x.row])
        for e in x.path:
            assert int(network.tail[e]) == at
            at = int(network.head[e])
            used[e] += x.amount
        assert at == routing.column_node[x.column]
        load += x.amount * pairs.get((int(routing.row_node[x.row]), at), Fraction(0))
    assert all(x <= b for x, b in zip(used, network.bandwidth, strict=True))
    assert load / network.bandwidth[found.channel] == found.low
    for c, which in found.proof.items():
        length = unpack_ints(found.lengths[which], what="lengths", max_items=network.num_channels).tolist()
        far = distances(network, length)
        paid = sum((b * x for b, x in zip(network.bandwidth, length, strict=True)), Fraction(0))
        loads = by_node(routing, c)
        stretch = max(x / far[i][j] for (i, j), x in loads.items())
        assert found.high is not None
        assert stretch * paid / network.bandwidth[c] <= found.high
    assert set(found.proof) == {c for c in found.classes.focus.tolist() if by_node(routing, c)}


def distances(network: Network, length: list[int]) -> list[list[Fraction]]:
    size, far = network.num_nodes, Fraction(10**30)
    found = [[Fraction(0) if i == j else far for j in range(size)] for i in range(size)]
    for c, x in enumerate(length):
        u, v = int(network.tail[c]), int(network.head[c])
        found[u][v] = min(found[u][v], Fraction(x))
    for k in range(size):
        for i in range(size):
            for j in range(size):
                found[i][j] = min(found[i][j], found[i][k] + found[k][j])
    return found


def uneven() -> Network:
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 0), (0, 3), (0, 2), (2, 0)]
    width = [1, 2, 3, 1, Fraction(1, 2), 2, 1, 1, Fraction(5, 3), 1]
    return Network.of("uneven", 4, ends, bandwidth=width)


@pytest.mark.parametrize(
    ("network", "routing"),
    [
        (torus(3, 3), "dor"), (torus(4), "dor"), (mesh(3, 3), "dor"), (mesh(3, 2), "valiant"),
        (hypercube(3), "minimal"), (petersen(), "minimal"), (uneven(), "minimal"), (uneven(), "ksp:k=2"),
        (uneven(), "valiant"), (torus(5), "valiant"),
    ],
    ids=lambda x: x if isinstance(x, str) else x.name,
)  # fmt: skip
def test_the_ratio_is_that_of_an_independent_program(network: Network, routing: str) -> None:
    given = named_routing(routing, network)
    found = oblivious_ratio(given)
    check(found)
    assert found.low == found.high
    assert float(found.low) == pytest.approx(independent(found.routing), rel=1e-7)
    assert found.low >= 1
    assert oblivious_ratio(given, symmetry="none").low == found.low


def hosts_and_switches() -> Network:
    """Four hosts on three switches; the switches have no terminals, a link is double and one of its halves slow."""
    cables = [(0, 4), (1, 4), (2, 5), (3, 6), (4, 5), (5, 6), (6, 4), (4, 5)]
    width = [1, 1, 2, 1, 1, Fraction(1, 3), 1, Fraction(3, 2)]
    ends = [x for a, b in cables for x in ((a, b), (b, a))]
    hosts = [0, 1, 2, 3]
    return Network.of(
        "hosts and switches", 7, ends, bandwidth=[x for w in width for x in (w, w)], source=hosts, sink=hosts
    )


def dead_links() -> Network:
    return network_from_spec("torus:3x3,dead-links=0-1;4-7")


def random_network(seed: int) -> Network:
    """A one-way ring with chords, some parallel, and terminals that send at one node and receive at another."""
    rng = np.random.default_rng(seed)
    nodes = 5
    ends = [(v, (v + 1) % nodes) for v in range(nodes)]
    ends += [tuple(rng.choice(nodes, 2, replace=False).tolist()) for _ in range(6)]
    width = [Fraction(int(rng.integers(1, 7)), int(rng.integers(1, 4))) for _ in ends]
    source, sink = rng.integers(nodes, size=4).tolist(), rng.integers(nodes, size=4).tolist()
    return Network.of(f"random {seed}", nodes, ends, bandwidth=width, source=source, sink=sink)


KINDS: dict[str, Callable[[], Routing]] = {
    "two terminals of a node are routed differently": lambda: table(hosts_network()),
    "parallel channels": lambda: named_routing("minimal", hosts_network()),
    "hosts and switches": lambda: named_routing("minimal", hosts_and_switches()),
    "valiant by switches": lambda: named_routing("valiant", hosts_and_switches()),
    "dead links": lambda: named_routing("minimal", dead_links()),
    "a tree": lambda: named_routing("minimal", Network.of("tree", 3, [(0, 1), (1, 0), (1, 2), (2, 1)])),
    **{f"random {k}": lambda k=k: named_routing("ksp:k=2", random_network(k)) for k in range(5)},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_network(kind: str) -> None:
    routing = KINDS[kind]()
    found = oblivious_ratio(routing, all_channels=True)
    check(found)
    assert found.low == found.high
    assert found.low >= 1
    assert float(found.low) == pytest.approx(independent(found.routing), rel=1e-7)
    assert max(x.low for x in found.by_channel.values()) == found.low
    assert all(x.low == x.high for x in found.by_channel.values())
    verify_claims(*document_to_claims(claims_to_document(subject_of(routing), ratio_claims(found))))


def test_a_tree_has_ratio_one() -> None:
    assert oblivious_ratio(KINDS["a tree"]()).low == 1


def test_an_interval_holds_the_ratio() -> None:
    routing = named_routing("minimal", petersen())
    exact = oblivious_ratio(routing).low
    for accuracy in (Fraction(1, 10), Fraction(1, 100)):
        found = oblivious_ratio(routing, accuracy=accuracy)
        check(found)
        assert found.high is not None
        assert found.low <= exact <= found.high <= found.low * (1 + accuracy)


def test_the_surroundings_of_channels_prove_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    routing = named_routing("minimal", jellyfish(20, ports=4, degree=3, seed=1))
    looked: list[bool] = []

    def noted(*args: Any) -> Any:
        looked.append(contraction_around(*args) is not None)
        return contraction_around(*args)

    monkeypatch.setattr("routeproof.worst.routable.loads._WORTH", 1)
    monkeypatch.setattr("routeproof.worst.routable.ratio.contraction_around", noted)
    found = oblivious_ratio(routing)
    assert any(looked)
    monkeypatch.setattr("routeproof.worst.routable.ratio.contraction_around", lambda *_: None)
    check(found)
    assert found.low == found.high == oblivious_ratio(routing).low


def test_more_terminals_make_the_ratio_no_smaller() -> None:
    network = hosts_and_switches()
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    every = Network.of("every node", 7, ends, bandwidth=network.bandwidth)
    few, more = (oblivious_ratio(named_routing("minimal", x)).low for x in (network, every))
    assert few <= more


def test_an_interrupt_leaves_what_is_certified() -> None:
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    found = oblivious_ratio(named_routing("minimal", uneven()), symmetry="none", progress=stop)
    assert found.left == 7
    assert found.high is None
    (claim,) = ratio_claims(found)
    assert claim.relation == ">="
    assert claim.value <= oblivious_ratio(named_routing("minimal", uneven())).low


def test_what_cannot_be_done_is_said() -> None:
    routing = named_routing("dor", torus(6, 6))
    with memory_allowed(1000), pytest.raises(InputError, match=r"the oblivious ratio of dor on .* --memory allows"):
        oblivious_ratio(routing)
    with pytest.raises(InputError, match="the accuracy is -1"):
        oblivious_ratio(routing, accuracy=Fraction(-1))


def test_scaling_all_bandwidths_changes_nothing() -> None:
    network = uneven()
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    scaled = Network.of("scaled", 4, ends, bandwidth=[7 * x for x in network.bandwidth])
    first, second = (oblivious_ratio(named_routing("minimal", x)).low for x in (scaled, network))
    assert first == second
