"""Least neighbourhoods and unique neighbours against all subsets of small splitters; bounds against exact values."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.core.multistage.wiring import Splitter, splitter_of
from routeproof.topologies.multistage.banyan import butterfly, dilated_butterfly, multi_benes, multibutterfly
from routeproof.worst.expansion import (
    greedy_neighbourhoods,
    least_neighbourhoods,
    second_eigenvalue,
    spectral_bounds,
    unique_neighbours,
)


def brute(splitter: Splitter) -> tuple[list[int], list[int]]:
    least, own = [], []
    for k in range(1, splitter.inputs + 1):
        sizes, unique = [], []
        for subset in combinations(range(splitter.inputs), k):
            sizes.append(len(splitter.neighbourhood(list(subset))))
            count = 0
            for i in subset:
                others = splitter.neighbourhood([x for x in subset if x != i])
                count += bool(set(splitter.adjacent[i]) - others)
            unique.append(count)
        least.append(min(sizes))
        own.append(min(unique))
    return least, own


def random_splitter(inputs: int, d: int, seed: int) -> Splitter:
    rng = np.random.default_rng(seed)
    return Splitter("random", tuple(tuple(rng.integers(0, inputs // 2, size=d).tolist()) for _ in range(inputs)))


@settings(max_examples=40)
@given(half=st.integers(1, 5), d=st.integers(1, 4), seed=st.integers(0, 999))
def test_exact_values_equal_brute_force(half: int, d: int, seed: int) -> None:
    splitter = random_splitter(2 * half, d, seed)
    least, own = brute(splitter)
    found = least_neighbourhoods(splitter)
    assert list(found.least) == least
    unique = unique_neighbours(splitter)
    assert list(unique.least) == own
    greedy = greedy_neighbourhoods(splitter)
    for k in range(2 * half):
        for result in (found, greedy):
            assert len(set(result.subset[k])) == k + 1
            assert len(splitter.neighbourhood(list(result.subset[k]))) == result.least[k]
        assert greedy.least[k] >= least[k]
        assert len(unique.subset[k]) == k + 1


@pytest.mark.parametrize("inputs", [8, 16, 32])
@pytest.mark.parametrize("d", [2, 3])
def test_bounds_enclose_the_exact_values(inputs: int, d: int) -> None:
    splitter = splitter_of(multibutterfly(inputs, d=d, seed=5), level=0, block=0, direction=1)
    exact = least_neighbourhoods(splitter)
    bound = second_eigenvalue(splitter, power=64)
    edges = np.zeros((inputs, inputs // 2))
    for i, outputs in enumerate(splitter.adjacent):
        for j in outputs:
            edges[i, j] += 1
    second = np.sort(np.linalg.eigvalsh(edges @ edges.T))[-2]
    assert second <= float(bound) <= 1.1 * second + 0.01
    for low, value, high in zip(
        spectral_bounds(splitter, bound), exact.least, greedy_neighbourhoods(splitter).least, strict=True
    ):
        assert low <= value <= high


def test_a_splitter_of_more_than_two_to_the_twelve_sets() -> None:
    """M = 32 has 16 outputs: the enumeration runs over an upper part as well."""
    splitter = splitter_of(multibutterfly(32, d=2, seed=9), level=0, block=0, direction=0)
    masks = splitter.masks()
    sets = np.arange(1 << 16)
    inside = sum((sets & m == m).astype(int) for m in masks)
    members = np.array([x.bit_count() for x in range(1 << 16)])
    best = [int(inside[members == y].max()) for y in range(17)]
    expected = [next(y for y in range(17) if best[y] >= k) for k in range(1, 33)]
    assert list(least_neighbourhoods(splitter).least) == expected


def test_butterflies_do_not_expand() -> None:
    """Two inputs of a butterfly's splitter share each output, dilated or not: k inputs have ceil(k / 2) neighbours."""
    for wiring in (butterfly(4), dilated_butterfly(4, d=3)):
        for direction in (0, 1):
            splitter = splitter_of(wiring, level=0, block=0, direction=direction)
            found = least_neighbourhoods(splitter)
            assert list(found.least) == [(k + 1) // 2 for k in range(1, 17)]
            assert found.expansion(1) == 1
            assert found.expansion(2) == Fraction(1, 2)


def test_splitters_of_wirings() -> None:
    wiring = multibutterfly(16, d=2, seed=3)
    splitter = splitter_of(wiring, level=1, block=1, direction=0)
    assert splitter.inputs == 8
    for i, outputs in enumerate(splitter.adjacent):
        heads = [int(wiring.wire[1, c, 8 + i]) for c in range(4)]
        assert sorted(outputs) == sorted(h - 8 for h in heads if h < 12)
    assert splitter.regular == 2
    assert splitter_of(multi_benes(8, d=2, seed=1), level=3, block=0, direction=0).inputs == 8
    for bad in ({"level": 4}, {"block": 2}, {"direction": 2}):
        with pytest.raises(InputError):
            splitter_of(wiring, **{"level": 1, "block": 1, "direction": 0, **bad})
    with pytest.raises(InputError, match="3 to 5"):
        splitter_of(multi_benes(8, d=2, seed=1), level=0, block=0, direction=0)


def test_too_large_or_malformed_splitters_are_refused() -> None:
    with pytest.raises(InputError, match="up to 64"):
        least_neighbourhoods(random_splitter(66, 2, 1))
    with pytest.raises(InputError, match="even"):
        Splitter("x", ((0,),))
    with pytest.raises(InputError, match="outputs are 0 to 0"):
        Splitter("x", ((0,), (1,)))
    with pytest.raises(InputError, match="not regular"):
        second_eigenvalue(random_splitter(8, 3, 1))
