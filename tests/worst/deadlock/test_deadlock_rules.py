"""Bubbles on rings, Duato's condition and message classes: against the definitions, and known answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx
import numpy as np
import pytest

from routeproof.core.claim import Claim
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.questions.answer import subject_of
from routeproof.questions.deadlock import Deadlock
from routeproof.routing.base.routing import Routing
from routeproof.routing.dependencies.escape import Escape, escape_of
from routeproof.routing.dependencies.virtual_dependencies import transactions
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.deadlock.channels import deadlock
from routeproof.worst.deadlock.rules import bubble_claim, escape_claims


def made(topology: str, name: str) -> Routing:
    return routing_from_spec(name, network_from_spec(topology))


def verified(routing: Routing, topology: str, claims: list[Claim]) -> bool:
    return bool(verify_claims(subject_of(routing, topology=topology, paths=True), claims))


# Bubbles


@pytest.mark.parametrize("topology", ["ring:5", "torus:4x4", "torus:4x3x5", "mesh:3x3", "ring:4,oneway"])
def test_dimension_order_routing_needs_bubbles_alone(topology: str) -> None:
    routing = made(topology, "dor")
    claim = bubble_claim(deadlock(routing))
    assert (claim.quantity, claim.value, claim.about["flow_control"]) == ("deadlock_free", "true", "bubble")
    assert verified(routing, topology, [claim])


@pytest.mark.parametrize(
    ("topology", "name"), [("torus:4x4", "valiant"), ("mesh:3x3", "romm"), ("torus:4x4", "o1turn")]
)
def test_cycles_that_are_not_rings_are_refused(topology: str, name: str) -> None:
    with pytest.raises(InputError, match=r"are not rings: .* is next to .* and to "):
        bubble_claim(deadlock(made(topology, name)))


def packets_stop(routing: Routing, slots: int, bubble: bool) -> bool:
    """Can packets of a ring of 4 nodes stop, by a search of all states: in each buffer a queue of destinations?"""
    network = routing.network
    path = {(i, j): routing.paths(i, j)[0][1] for i in range(4) for j in range(4) if i != j}
    after = {
        (c, j): path.get((int(network.head[c]), j), [None])[0] for c in range(network.num_channels) for j in range(4)
    }
    start = ((),) * network.num_channels
    seen, queue = {start}, deque([start])
    while queue:
        state = queue.popleft()
        moves = list(moved(network, state, after, slots))
        if not moves and any(state):
            return True
        for (_, j), ways in path.items():  # a new packet comes onto the ring
            c = ways[0]
            if len(state[c]) + (2 if bubble else 1) <= slots:
                moves.append((*state[:c], (*state[c], j), *state[c + 1 :]))
        for new in moves:
            if new not in seen:
                seen.add(new)
                queue.append(new)
    return False


def moved(network: Network, state: tuple[Any, ...], after: dict[Any, Any], slots: int) -> Iterator[tuple[Any, ...]]:
    for c, held in enumerate(state):
        if held:
            following = after[c, held[0]]
            new = [*state]
            new[c] = held[1:]
            if network.head[c] == held[0]:
                yield tuple(new)
            elif len(state[following]) < slots:
                new[following] = (*new[following], held[0])
                yield tuple(new)


def test_in_all_states_of_a_ring_packets_stop_without_bubbles_and_not_with_them() -> None:
    routing = made("ring:4,oneway", "dor")
    assert packets_stop(routing, 1, bubble=False)
    assert packets_stop(routing, 2, bubble=False)
    assert not packets_stop(routing, 2, bubble=True)


# Escapes

ESCAPES = [
    ("mesh:3x3", "dor", [1]), ("torus:4x4", "dor", [1, 2]), ("torus:4x3", "dor", [1, 2]), ("hypercube:3", "dor", [1]),
    ("ring:5", "dor", [1, 2]), ("random-regular:10,degree=3,seed=2", "sssp", None), ("petersen", "sssp", None),
    ("hyperx:3x3", "dor", [1]), ("mesh:2x3", "o1turn", [1, 2]), ("mesh:3x3", "o1turn", [1, 3]),
]  # fmt: skip


def by_definition(escape: Escape, lane: dict[tuple[int, int], int]) -> set[tuple[int, int]]:
    """All extended dependencies: packets walk step by step, on adaptive lanes between two escapes."""
    routing, network = escape.routing, escape.routing.network
    far = dict(
        networkx.all_pairs_shortest_path_length(networkx.DiGraph(list(zip(network.tail, network.head, strict=True))))
    )
    found = set()
    for (column, c), own in lane.items():
        end = routing.column_node[column]
        seen, queue = set(), [network.head[c]]
        while queue:
            v = queue.pop()
            if v in seen:
                continue
            seen.add(v)
            for d in range(network.num_channels):
                if network.tail[d] == v and far[network.head[d]][end] + 1 == far[v][end]:
                    queue.append(network.head[d])
                if network.tail[d] == v and (column, d) in lane:
                    found.add((own * network.num_channels + c, lane[column, d] * network.num_channels + d))
    return found


@pytest.mark.parametrize(("topology", "name", "counts"), ESCAPES)
def test_extended_dependencies_are_those_of_the_definition(topology: str, name: str, counts: list[int] | None) -> None:
    routing = made(topology, name)
    escape, claims = escape_of(routing), escape_claims(routing)
    assert counts is None or [x.about["escape_lanes"] for x in claims] == counts
    assert verified(made(topology, "minimal"), topology, claims)
    for claim in claims:
        count = len(escape.column)
        lanes = np.zeros(count, dtype=np.int64)
        if claim.value == "true":
            lanes = unpack_ints(claim.evidence.data["lane"], what="lanes", max_items=count)
        lane = dict(zip(zip(escape.column.tolist(), escape.channel.tolist(), strict=True), lanes.tolist(), strict=True))
        edges = by_definition(escape, lane)
        first, second, _ = escape.dependencies(lanes)
        assert set(zip(first.tolist(), second.tolist(), strict=True)) == edges
        assert networkx.is_directed_acyclic_graph(networkx.DiGraph(edges)) == (claim.value == "true")


@pytest.mark.parametrize(
    ("topology", "name", "words"),
    [
        ("mesh:3x3", "valiant", "on no shortest path"),
        ("fat-tree:4", "dmodk", "has no path to .* through .*, where packets of adaptive"),
        ("mesh:3x3", "minimal", "its paths are not known"),
    ],
)
def test_what_is_no_escape_is_refused(topology: str, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        escape_claims(made(topology, name))


def test_an_escape_is_of_minimal_routing() -> None:
    with pytest.raises(InputError, match="--routing minimal was expected, not dor"):
        Deadlock(made("ring:4", "dor"), escape="dor").answer()


# Message classes


def classes_on(topology: str, name: str, classes: str) -> list[Claim]:
    pytest.importorskip("pysat")
    routing = made(topology, name)
    claims = list(Deadlock(routing, virtual_channels=True, classes=classes).answer().stated)
    assert verified(routing, topology, claims)
    return claims


# on a mesh nothing is saved; on a ring two are enough for both classes, where each alone needs two
@pytest.mark.parametrize(
    ("topology", "classes", "apart", "together"),
    [("mesh:2x3", "request,reply", 2, 2), ("ring:4", "request,reply", 4, 2), ("mesh:2x2", "a,b,c", 3, 2)],
)
def test_classes_apart_and_together(topology: str, classes: str, apart: int, together: int) -> None:
    claims = classes_on(topology, "dor", classes)
    count = classes.count(",") + 1
    (separate,) = (x for x in claims if x.about.get("separate_classes") == count)
    (shared,) = (x for x in claims if x.about.get("classes") == count and x.relation != ">=")
    assert (separate.relation, separate.value, shared.relation, shared.value) == ("==", apart, "==", together)
    routing, lanes = made(topology, "dor"), shared.evidence.data["hop"]
    hop = iter(unpack_ints(lanes, what="lanes", max_items=10**6).tolist())
    graph = networkx.DiGraph()
    for path in transactions(routing, count):
        graph.add_edges_from(pairwise([(c, next(hop)) for c in path]))
    assert networkx.is_directed_acyclic_graph(graph)
    assert {lane for _, lane in graph} <= set(range(together))


def test_transactions_go_there_and_back() -> None:
    routing = made("ring:3", "dor")
    network = routing.network
    for path, parts in transactions(routing, 3).items():
        assert path == tuple(c for part in parts for c in part)
        assert [network.head[x[-1]] for x in parts[:-1]] == [network.tail[x[0]] for x in parts[1:]]
        assert parts[0] == parts[2]
    assert len(transactions(routing, 2)) == 6


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("request,reply,request", "in a circle of classes no number"),
        ("request", "the names of 2 to 8 classes"),
        ("a,,b", "the names of 2 to 8 classes"),
        (",", "the names of 2 to 8 classes"),
    ],
)
def test_names_that_are_no_chain_are_refused(names: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Deadlock(made("ring:4", "dor"), virtual_channels=True, classes=names).answer()
    with pytest.raises(InputError, match="--virtual-channels asks for them"):
        Deadlock(made("ring:4", "dor"), classes="a,b").answer()


def answered(network: Network) -> dict[str, tuple[str, str]]:
    """What is claimed of two classes, after a check: relation and number by how they have virtual channels."""
    claims = Deadlock(routing_from_spec("sssp", network), virtual_channels=True, classes="a,b").answer().claims()
    assert verify_claims(subject_of(routing_from_spec("sssp", network), paths=True), claims)
    of = {"separate_classes": "apart", "classes": "shared"}
    return {of[k]: (x.relation, str(x.value)) for x in claims for k in of if k in x.about and x.relation != ">="}


def test_classes_of_hosts_at_one_node_need_one_virtual_channel() -> None:
    around = Network.of("pair", 2, [(0, 1), (1, 0)], source=[0, 0], sink=[0, 0])
    assert answered(around) == {"apart": ("==", "2"), "shared": ("==", "1")}


def test_an_answer_that_begins_on_the_channel_of_its_message_waits_for_itself() -> None:
    """Both come in and go out at different nodes: what 1 gets and what it sends cross the same channel."""
    apart = Network.of("apart", 3, [(0, 1), (1, 2), (2, 0)], source=[0, 0], sink=[1, 1])
    assert answered(apart) == {"apart": ("==", "2"), "shared": ("==", "2")}


def test_a_message_whose_answer_crosses_no_channel_holds_its_own() -> None:
    """Terminal 1 sends where terminal 0 is, and receives at the other end of the line."""
    line = Network.of("line", 3, [(0, 1), (1, 2), (1, 0), (2, 1)], source=[0, 0], sink=[0, 2])
    assert set(transactions(routing_from_spec("sssp", line), 2)) == {(0, 1), (0, 1, 0, 1)}
