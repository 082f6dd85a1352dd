"""Trees up to symmetry: written out over the whole group, they are a packing like any other."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from collective_by_cuts import carried
from gpu_boxes import a100
from routeproof.core.collective import broadcasts_of
from routeproof.core.network import Network
from routeproof.core.symmetry import Automorphism, orbit_labels
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.graphs.arborescence import Arc, cheapest_tree
from routeproof.kernel.packings import PackedTree
from routeproof.optimum.collectives import symmetric
from routeproof.optimum.collectives.rate import best_cut
from routeproof.optimum.collectives.result import Best, best_broadcasts
from routeproof.topologies.family import network_from_spec


def group(generators: list[Automorphism]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every element, as its node and channel images."""
    first = tuple(range(len(generators[0].node))), tuple(range(len(generators[0].channel)))
    found, waiting = {first}, [first]
    while waiting:
        node, channel = waiting.pop()
        for g in generators:
            after = tuple(g.node[list(node)].tolist()), tuple(g.channel[list(channel)].tolist())
            if after not in found:
                found.add(after)
                waiting.append(after)
    return list(found)


def generators(best: Best) -> list[Automorphism]:
    from routeproof.claims.context import generators_of

    assert best.symmetry is not None
    return generators_of(best.task.network, best.symmetry)


@pytest.mark.parametrize(
    ("network", "operation", "ranks"),
    [
        (network_from_spec("torus:3x3"), "all-gather", None),
        (network_from_spec("torus:2x4"), "reduce-scatter", None),
        (network_from_spec("mesh:3x3"), "all-gather", None),
        (network_from_spec("torus:3x3"), "broadcast", None),
        (network_from_spec("torus:4x4"), "all-gather", [0, 5, 10, 15]),
        (network_from_spec("fat-tree:4"), "all-gather", None),
    ],
)
def test_all_images_fit_together(
    network: Network, operation: str, ranks: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symmetric, "_FEWEST_RANKS", 0)
    monkeypatch.setattr(symmetric, "_MOST_CLASSES", 1000)
    task = broadcasts_of(network, operation, ranks=ranks, root=0 if operation == "broadcast" else None)
    best = best_broadcasts(task)
    assert best.symmetry is not None
    assert best.rate == best.cut.rate
    elements = group(generators(best))
    orbit = np.bincount(orbit_labels(network.num_nodes, [g.node for g in generators(best)]))
    every = []
    for tree in best.trees:
        share = tree.weight * int(orbit[tree.root]) / len(elements)
        every += [PackedTree(node[tree.root], share, np.array(channel)[tree.channels]) for node, channel in elements]
    assert carried(task, every) == best.rate


def test_large_ones_have_one_tree() -> None:
    for network, rate in ((network_from_spec("torus:5x5x5"), Fraction(6, 124)), (a100(16), Fraction(5, 3))):
        best = best_broadcasts(broadcasts_of(network, "all-gather"))
        assert best.rate == rate
        assert best.symmetry is not None
        assert len(best.trees) == 1


def test_ranks_that_symmetry_would_move() -> None:
    """Of a torus only the symmetry that leaves the ranks in place is used."""
    network = network_from_spec("torus:6x6")
    ranks = [v for v in range(36) if v % 6 < 5]
    task = broadcasts_of(network, "all-gather", ranks=ranks)
    best = best_broadcasts(task)
    assert best.rate == best_cut(task).rate
    if best.symmetry is not None:
        for text in best.symmetry["found"]:
            image = unpack_ints(text, what="image", max_items=36)
            assert (task.reached[image] == task.reached).all()


@pytest.mark.parametrize("seed", range(30))
def test_cheapest_trees(seed: int) -> None:
    """Beside all trees of a small graph."""
    from itertools import product

    rng = random.Random(seed)
    size = rng.randint(2, 5)
    arcs = [Arc(*rng.sample(range(size), 2), rng.randint(0, 5)) for _ in range(rng.randint(size, 12))]
    arcs += [Arc(v, (v + 1) % size, 9) for v in range(size)]
    into = [[k for k, x in enumerate(arcs) if x.head == v] for v in range(1, size)]
    costs = [sum(arcs[k].cost for k in some) for some in product(*into) if is_tree(arcs, some)]
    found = cheapest_tree(size, arcs, 0)
    assert is_tree(arcs, found)
    assert len(found) == size - 1
    assert sum(arcs[k].cost for k in found) == min(costs)


def is_tree(arcs: list[Arc], some: tuple[int, ...] | list[int]) -> bool:
    have = {0}
    while True:
        more = {arcs[k].head for k in some if arcs[k].tail in have} - have
        if not more:
            return len(have) == len(some) + 1
        have |= more
