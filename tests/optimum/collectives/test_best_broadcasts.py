"""The best rate of broadcasts at once: every cut of small networks, every tree followed."""

from __future__ import annotations

import random
import signal
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from collective_by_cuts import carried, least_cut
from random_tasks import some_network, some_task
from routeproof.core.collective import broadcasts_of
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.kernel.packings import weighted_cut_rate
from routeproof.optimum.collectives.rate import best_cut
from routeproof.optimum.collectives.result import best_broadcasts
from routeproof.topologies.family import network_from_spec

F = Fraction


@pytest.mark.parametrize("seed", range(120))
def test_both_ends_meet_at_the_least_cut_where_channels_have_reverses(seed: int) -> None:
    rng = random.Random(seed)
    task = some_task(rng, some_network(rng, both_ways=True))
    least = least_cut(task)
    if not least:
        with pytest.raises(InputError, match="no path leads from node"):
            best_broadcasts(task)
        return
    best = best_broadcasts(task)
    assert best.cut.rate == best.rate == least
    assert carried(task, best.trees) == least


@pytest.mark.parametrize("seed", range(120))
def test_one_way_channels(seed: int) -> None:
    rng = random.Random(1000 + seed)
    task = some_task(rng, some_network(rng, both_ways=False))
    least = least_cut(task)
    if not least:
        with pytest.raises(InputError, match="no path leads from node"):
            best_broadcasts(task)
        return
    best = best_broadcasts(task)
    assert best.cut.rate == least
    if task.reached.all():
        assert best.rate == least
    if best.above is not None:
        assert best.rate == weighted_cut_rate(task, best.above.cuts, best.above.potential.tolist()) < least
    else:
        assert best.rate in (least, 0)
    if best.rate:
        assert carried(task, best.trees) == best.rate <= least


@pytest.mark.parametrize("seed", range(40))
def test_switches_that_copy(seed: int) -> None:
    rng = random.Random(2000 + seed)
    network = some_network(rng, both_ways=seed % 2 == 0)
    root = rng.randrange(network.num_terminals) if seed % 3 else None
    task = broadcasts_of(network, "all-gather" if root is None else "broadcast", root=root)
    least = least_cut(task)
    if not least:
        with pytest.raises(InputError, match="no path leads from node"):
            best_broadcasts(task, switches_copy=True)
        return
    best = best_broadcasts(task, switches_copy=True)
    assert best.cut.rate == least
    assert carried(task, best.trees, switches_copy=True) == best.rate <= least
    assert best.rate >= best_broadcasts(task).rate


def test_an_interrupt_leaves_the_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    from routeproof.optimum.collectives import result

    own = result.pack_trees

    def interrupted(*arguments: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return own(*arguments)

    monkeypatch.setattr(result, "pack_trees", interrupted)
    best = best_broadcasts(broadcasts_of(network_from_spec("mesh:3x3"), "all-gather"))
    assert best.interrupted
    assert best.cut.rate == F(1, 4)
    assert [x.relation for x in best.claims({"operation": "all-gather"})] == ["<="]


def test_known_rates() -> None:
    assert rate("complete:4", "all-gather") == 1
    assert rate("torus:4x4", "all-gather") == rate("torus:4x4", "reduce-scatter") == F(4, 15)
    assert rate("torus:9,oneway", "all-gather") == F(1, 8)
    assert rate("mesh:3x3", "broadcast", root=4) == 2


def rate(spec: str, operation: str, root: int | None = None) -> Fraction:
    return best_broadcasts(broadcasts_of(network_from_spec(spec), operation, root=root)).rate


def test_a_switch_that_copies_nothing_halves_a_broadcast() -> None:
    """One channel into the switch, one to each of two ranks: each unit goes in twice."""
    network = Network.of("fork", 4, [(0, 3), (3, 1), (3, 2)], source=[0, 1, 2], sink=[0, 1, 2])
    best = best_broadcasts(broadcasts_of(network, "broadcast", root=0))
    assert best.cut.rate == 1
    assert best.rate == F(1, 2)
    assert carried(best.task, best.trees) == F(1, 2)
    copied = best_broadcasts(best.task, switches_copy=True)
    assert copied.rate == carried(best.task, copied.trees, switches_copy=True) == 1


def test_order_and_subset_of_ranks() -> None:
    network = network_from_spec("torus:4x4")
    some = broadcasts_of(network, "all-gather", ranks=[5, 0, 10])
    assert np.flatnonzero(some.reached).tolist() == [0, 5, 10]
    assert best_broadcasts(some).rate == least_cut(some) == 2


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ([0, 16], "rank 1 is terminal 16; terminals are 0 to 15"),
        ([3, 4, 3], "ranks 0 and 2 are both terminal 3"),
        ([3], "all ranks are at one node"),
    ],
)
def test_ranks_that_make_no_sense(ranks: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        broadcasts_of(network_from_spec("torus:4x4"), "all-gather", ranks=ranks)


def test_ranks_that_send_here_and_receive_there() -> None:
    with pytest.raises(InputError, match=r"rank 0 sends at node .* and receives at node"):
        broadcasts_of(network_from_spec("butterfly:4"), "all-gather")


def test_the_pair_without_a_path_is_named() -> None:
    network = Network.of("one way", 3, [(0, 1), (1, 2)], labels=["a", "b", "c"])
    with pytest.raises(InputError, match="no path leads from node c to node a of one way"):
        best_broadcasts(broadcasts_of(network, "all-gather"))
    with pytest.raises(InputError, match=r"no path leads from node [bc] to node [ab] of one way"):
        best_broadcasts(broadcasts_of(network, "reduce-scatter"))


def test_bandwidths_that_are_too_fine() -> None:
    width = [F(1, 3**20), F(1, 7**30)]
    network = Network.of("fine", 2, [(0, 1), (1, 0)], bandwidth=width)
    with pytest.raises(InputError, match="too fine for flows in 64 bits"):
        best_broadcasts(broadcasts_of(network, "all-gather"))


def test_one_flow_for_each_class_of_ranks_finds_the_same_cut() -> None:
    """A box of many is cut off; all ranks of all boxes are alike but for their places in the box."""
    declared = broadcasts_of(network_from_spec("ndv2:1025"), "all-gather")
    best = best_cut(declared)
    assert best.rate == F(25, 2) / (8 * 1024)
    assert np.count_nonzero(~best.inside) == 8
    some = network_from_spec("torus:4x3")
    plain = replace(some, symmetry=None)
    for ranks in ([0, 1, 2, 3], [5, 6, 11], None):
        for operation in ("all-gather", "reduce-scatter"):
            rates = {best_cut(broadcasts_of(x, operation, ranks=ranks)).rate for x in (some, plain)}
            assert rates == {least_cut(broadcasts_of(some, operation, ranks=ranks))}
