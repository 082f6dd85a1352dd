"""Virtual channels by an order of them: no cycle, as few as the solver finds, with or without the solver."""

from __future__ import annotations

import signal
from dataclasses import replace
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest

from routeproof.claims.routings.deadlock_rules import sharing_of
from routeproof.kernel.layer_clauses import Sharing
from routeproof.machine.deadlines import Deadline
from routeproof.routing.named.spec import routing_from_spec
from routeproof.searching.channel_orders import ordered_lanes
from routeproof.searching.channel_orders_kernels import Orders, Paths, begin, goes
from routeproof.searching.layers import fewest_virtual_channels, lanes_by_orders, lanes_of_paths
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.channels import assigned_by, deadlock, virtual_channels

Path = tuple[int, ...]


def some_paths(seed: int) -> list[Path]:
    rng = np.random.default_rng(seed)
    return sorted({tuple(rng.permutation(6)[: rng.integers(1, 5)].tolist()) for _ in range(9)})


def is_free(paths: list[Path], lanes: list[Path]) -> bool:
    hops = [list(zip(path, own, strict=True)) for path, own in zip(paths, lanes, strict=True)]
    return nx.is_directed_acyclic_graph(nx.DiGraph(x for hop in hops for x in pairwise(hop)))


@pytest.mark.parametrize("by", ["layers", "hops"])
@pytest.mark.parametrize("seed", range(8))
def test_lanes_by_orders_have_no_cycle_and_are_as_few(by: str, seed: int) -> None:
    pytest.importorskip("pysat")
    paths, sharing = some_paths(seed), Sharing(by, 6)
    count = next(n for n in range(1, 9) if lanes_of_paths(paths, n, sharing, time_limit=60.0)[0] is not None)
    lanes = lanes_by_orders(paths, count, sharing, Deadline(None))
    assert lanes is not None
    assert is_free(paths, lanes)
    assert max(max(own) for own in lanes) < count
    assert by == "hops" or all(len(set(own)) == 1 for own in lanes)
    assert [len(own) for own in lanes] == [len(path) for path in paths]


@pytest.mark.parametrize("by", ["layers", "hops"])
def test_none_where_there_are_none(by: str) -> None:
    looks = iter(range(10_000))
    deadline = Deadline(50.0, clock=lambda: float(next(looks)))  # that many looks at the clock
    assert ordered_lanes([(0, 1), (1, 0)], 1, Sharing(by, 2), deadline) is None


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_a_path_goes_where_some_copies_ascend(kept: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rank, path = rng.random((2, 5)), rng.permutation(5)[:3]
    words = Paths(path, np.array([0, 3]), np.zeros(3, dtype=np.int64), np.zeros(6, dtype=np.int64), kept)
    choices = [(v,) * 3 for v in range(2)] if kept else np.ndindex(2, 2, 2)
    ascending = any((np.diff(rank[list(own), path]) > 0).all() for own in choices)
    assert goes.interpreted(0, words, rank) == goes(0, words, rank) == ascending
    orders = Orders(rank, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.ones(1))
    assert begin(words, orders) == (not ascending)


@pytest.mark.parametrize(("topology", "assignment"), [("torus:5x5", None), ("torus:7x7", "hops")])
def test_two_without_the_solver(topology: str, assignment: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any, **more: Any) -> Any:
        raise ImportError

    monkeypatch.setattr("routeproof.searching.layers.lanes_of_paths", missing)
    routing = routing_from_spec("sssp", network_from_spec(topology))
    first = virtual_channels(routing, assignment)
    assert first.count > 2
    done = fewest_virtual_channels(first, assignment)
    claim = done.found.claim(deadlock(routing), done.least)
    assert (claim.relation, claim.value) == ("==", 2)
    assert sharing_of(done.found.assignment, routing.network).within == (assignment is None)


def test_an_interrupt_while_lanes_are_assigned_leaves_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*some: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return assigned_by(*some)

    monkeypatch.setattr("routeproof.searching.layers.lanes_of_paths", lambda *_, **more: (None, False))
    monkeypatch.setattr("routeproof.searching.layers.assigned_by", interrupted)
    first = replace(virtual_channels(routing_from_spec("sssp", network_from_spec("torus:5x5")), "layers"), count=5)
    assert fewest_virtual_channels(first, "layers").found.count == 4
