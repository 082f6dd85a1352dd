"""Layers by a solver: no cycle, as few as exhaustive search finds; two where first fit takes three."""

from __future__ import annotations

from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest

from routeproof.routing.named.spec import routing_from_spec
from routeproof.searching.layers import Path, sorted_into_layers, with_fewer_layers
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.channels import virtual_channels

pytest.importorskip("pysat")


def is_free(paths: list[Path], layer: tuple[int, ...]) -> bool:
    for k in set(layer):
        graph = nx.DiGraph([e for path, own in zip(paths, layer, strict=True) if own == k for e in pairwise(path)])
        if not nx.is_directed_acyclic_graph(graph):
            return False
    return True


@pytest.mark.parametrize("seed", range(12))
def test_as_few_as_exhaustive_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    paths: list[Path] = [tuple(rng.permutation(5)[: rng.integers(1, 5)].tolist()) for _ in range(6)]
    for count in (1, 2, 3):
        found = sorted_into_layers(paths, count, time_limit=20.0)
        possible = any(is_free(paths, layer) for layer in product(range(count), repeat=len(paths)))
        assert (found is not None) == possible
        assert found is None or is_free(paths, tuple(found))


def test_fewer_than_first_fit() -> None:
    routing = routing_from_spec("sssp", network_from_spec("torus:5x5"))
    first = virtual_channels(routing)
    assert first.count == 3
    assert with_fewer_layers(first).count == 2


def test_what_the_file_states_is_kept_and_no_time_changes_nothing() -> None:
    routing = routing_from_spec("sssp", network_from_spec("torus:5x5"))
    first = virtual_channels(routing)
    assert with_fewer_layers(first, time_limit=0.0) is first
