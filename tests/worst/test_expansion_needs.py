"""What the theorems would need, against splitters whose neighbourhoods are counted here by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from routeproof.core.multistage.wiring import Splitter, splitter_of
from routeproof.topologies.multistage.banyan import dilated_butterfly, multibutterfly
from routeproof.worst.expansion import expansion_of, theorem_needs


def limit_by_brute_force(splitters: list[Splitter], bound: Fraction) -> Fraction:
    """The supremum of the alphas, at most 1/2, at which all subsets of at most alpha M inputs have more than bound."""
    inputs = splitters[0].inputs
    for size in range(1, inputs // 2 + 1):
        for splitter in splitters:
            for subset in combinations(range(inputs), size):
                if not len(splitter.neighbourhood(list(subset))) > bound * size:
                    return Fraction(size, inputs)
    return Fraction(1, 2)


@pytest.mark.parametrize(("d", "seed"), [(2, 1), (3, 2), (4, 5), (6, 3)])
def test_the_limits_are_those_of_all_subsets(d: int, seed: int) -> None:
    wiring = multibutterfly(16, d=d, seed=seed)
    splitters = [splitter_of(wiring, level=0, block=0, direction=x) for x in (0, 1)]
    found = expansion_of(splitters, unique=0)
    for need in theorem_needs([found], d):
        assert need.below == limit_by_brute_force(splitters, need.bound), need
        sizes = [k for k in range(1, 9) if Fraction(k, 16) < need.below]
        assert need.beta == (min(found.worst.expansion(k) for k in sizes) if sizes else None)
        assert need.beta is None or need.beta > need.bound


def test_several_levels_count_together_and_small_ones_say_nothing() -> None:
    wiring = multibutterfly(16, d=4, seed=5)
    levels = [expansion_of([splitter_of(wiring, level=x, block=0, direction=0)], unique=0) for x in (0, 1, 2)]
    alone = [theorem_needs([x], 4)[0].below for x in levels]
    together = theorem_needs(levels, 4)[0]
    assert together.below == min(alone)


def test_a_dilated_butterfly_has_nothing_that_a_theorem_could_use() -> None:
    wiring = dilated_butterfly(4, d=2)
    found = expansion_of([splitter_of(wiring, level=0, block=0, direction=0)], unique=0)
    assert all(x.beta is None and x.gives == "" for x in theorem_needs([found], 2))


def test_what_follows_is_by_the_formulas_of_the_paper() -> None:
    everything = Splitter("complete", tuple(tuple(range(8)) for _ in range(16)))  # d = 8: every subset has all 8
    needs = {x.theorem.split()[0]: x for x in theorem_needs([expansion_of([everything], unique=0)], 8)}
    # |N(k)| = 8 for every k: more than beta k for k < 8 / beta
    assert (needs["packets"].below, needs["packets"].beta) == (Fraction(1, 2), Fraction(8, 7))
    assert needs["packets"].gives == "L > 1"
    assert needs["circuits"].below == Fraction(2, 16)  # k = 1 only: 8 / 2 = 4 is not more than d/2 = 4
    assert needs["circuits"].gives == "L > 4, delta = 1"
    assert needs["faults"].gives == "L > 4, epsilon < 3/4"  # beta' = 8 - 4
    assert needs["calls"].gives == "L > 2/3"  # 3 beta - 2 d - 2 = 6
