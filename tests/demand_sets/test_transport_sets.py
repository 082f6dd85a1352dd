"""Transport sets: what is in them, their intersections, and sets that are refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from routeproof.core.errors import InputError
from routeproof.demand_sets.demand_set import intersection
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet, between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose

HALF = Fraction(1, 2)
PAIRS = [(i, j) for i in range(4) for j in range(4) if i != j]
SETS = {
    "permutations": permutations(4),
    "sparse": sparse(4, 2),
    "within": within([[0, 1], [2, 3]], 4),
    "pairs": among([(0, 1), (1, 2), (3, 2)], 4),
    "hose": hose([1, 1, HALF, 2], [1, "1/2", 1, 0]),
    "box": between({(0, 1): (HALF, Fraction(1)), (2, 1): (Fraction(0), HALF)}, 4),
}


def admits(one: TransportSet, demand: dict[tuple[int, int], Fraction]) -> bool:
    try:
        one.check_admits(demand)
    except InputError:
        return False
    return True


def test_an_intersection_admits_what_both_admit() -> None:
    """All demands of three pairs with rates 0, 1/2 and 1."""
    chosen = [(0, 1), (1, 2), (2, 1), (3, 2)]
    demands = [dict(zip(chosen, x, strict=True)) for x in product((Fraction(0), HALF, Fraction(1)), repeat=4)]
    for a, b in product(SETS.values(), repeat=2):
        try:
            both = a & b
        except InputError:
            assert not any(admits(a, x) and admits(b, x) and any(x.values()) for x in demands), (a.text, b.text)
            continue
        assert [admits(both, x) for x in demands] == [admits(a, x) and admits(b, x) for x in demands], both.text


@pytest.mark.parametrize(
    ("rate", "told"),
    [
        (Fraction(3, 2), "sends 3/2, at"),
        (Fraction(1.7), r"sends about 1\.7, at"),
        (Fraction(10**5000), "sends a fraction of 16,610 bits, at"),
    ],
)
def test_long_rates_are_told_as_decimals(rate: Fraction, told: str) -> None:
    with pytest.raises(InputError, match=told):
        SETS["permutations"].check_admits({(0, 1): rate})


def test_of_several_sets_all_hold() -> None:
    found = intersection([SETS["sparse"], SETS["within"], SETS["hose"]])
    assert found.text == "sparse & within & hose".replace("sparse", "sparse:2")
    assert found.total == 2
    assert found.sends == (1, 1, HALF, 1)
    assert [pair for pair in PAIRS if found.allows(*pair)] == [(0, 1), (1, 0), (2, 3), (3, 2)]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: within([[0], [1, 2]], 4), "job 0 has one terminal; two at least"),
        (lambda: within([[0, 1], [1, 2]], 4), "terminal 1 is in jobs 0 and 1"),
        (lambda: within([[0, 4]], 4), "terminal 4; terminals are 0 to 3"),
        (lambda: within([], 4), "there is no job"),
        (lambda: among([], 4), "no pair of terminals may send"),
        (lambda: among([(1, 1)], 4), "terminal 1 sends to itself"),
        (lambda: among([(1, 7)], 4), r"pair \(1, 7\); terminals are 0 to 3"),
        (lambda: sparse(4, 0), "at least one packet"),
        (lambda: hose([1, -1], [1, 1]), "terminal 1 sends at most -1; it cannot be negative"),
        (lambda: hose([1, 1], [1]), "receives has 1 rates; 2 were expected"),
        (lambda: hose([1, float("inf")], [1, 1]), "finite"),
        (lambda: between({(0, 1): (Fraction(2), Fraction(1))}, 4), "sends from 2 to 1; 0 <= low <= high"),
        (lambda: within([[0, 1]], 4) & within([[2, 3]], 4), "the set is empty"),
        (lambda: within([[0, 1]], 4) & between({(0, 2): (HALF, HALF)}, 4), "terminal 0 sends 1/2 to 2, which is not"),
        (lambda: sparse(4, 1) & between({(0, 1): (HALF, HALF), (2, 3): (Fraction(1),) * 2}, 4), "together send 3/2"),
        (
            lambda: between({(0, 1): (HALF, HALF)}, 4) & between({(0, 1): (Fraction(1), Fraction(1))}, 4),
            "box and box contradict each other: terminal 0 sends 1/2 to 1/2 and 1 to 1 to 1",
        ),
        (lambda: permutations(4) & permutations(5), "about 4 terminals, permutations about 5"),
    ],
)  # fmt: skip
def test_what_is_refused(make: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        make()  # type: ignore[operator]
