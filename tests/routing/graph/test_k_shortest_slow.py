"""The k shortest paths where most ways end before the destination: the slow search takes over, in the same order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import routeproof as rp
from routeproof.routing.graph import shortest_paths


@pytest.mark.parametrize("effort", [1, 20])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_both_searches_find_the_same_paths(effort: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    net = rp.network("random-regular:12,degree=3,seed=4")
    fast = shortest_paths.KShortestPaths(k=k).on(net)
    monkeypatch.setattr(shortest_paths, "_EFFORT", effort)
    slow = shortest_paths.KShortestPaths(k=k).on(net)
    for i, j in itertools.permutations(range(12), 2):
        assert slow.paths(i, j) == fast.paths(i, j)


def test_a_leaf_behind_a_wide_network_has_one_path_and_is_found() -> None:
    """Two simple paths to it were asked for: there is one, and looking for another must not take for ever."""
    grid = rp.mesh(6, 6)
    ends = [*zip(grid.tail.tolist(), grid.head.tolist(), strict=True), (0, 36), (36, 0)]
    net = rp.Network.of("leaf", 37, ends)
    assert [path for _, path in shortest_paths.KShortestPaths(k=2).on(net).paths(0, 36)] == [[len(ends) - 2]]
    assert np.all(net.tail[[len(ends) - 2]] == 0)


def test_hosts_of_one_switch_have_no_paths() -> None:
    net = rp.Network.of("pair", 2, [(0, 1), (1, 0)], source=[0, 0], sink=[0, 0])
    assert shortest_paths.KShortestPaths(k=3).on(net).pair_loads([0], [0]).as_dict() == {}
