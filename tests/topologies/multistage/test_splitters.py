"""Explicit splitters and hardened multibutterflies: what they are by definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.multistage.wiring import check_wiring, splitter_of
from routeproof.simulate.multistage.survivors import survive
from routeproof.topologies.family import wiring_from_spec
from routeproof.topologies.multistage.splitters import gabber_galil, gabber_galil_maps, ramanujan, splitter_from_spec
from routeproof.worst.expansion import least_neighbourhoods, second_eigenvalue, spectral_bounds


@pytest.mark.parametrize("inputs", [2, 4, 8, 16, 64, 512])
def test_gabber_galil_maps_are_permutations(inputs: int) -> None:
    for image in gabber_galil_maps(inputs):
        assert sorted(image.tolist()) == list(range(inputs))


def test_gabber_galil_splitters_are_those_of_the_network() -> None:
    wiring = check_wiring(wiring_from_spec("gabber-galil:32"))
    for direction in (0, 1):
        found = splitter_of(wiring, level=0, block=0, direction=direction)
        assert [sorted(x) for x in found.adjacent] == [sorted(x) for x in gabber_galil(32).adjacent]


def test_spectral_bounds_hold_for_an_explicit_splitter() -> None:
    splitter = gabber_galil(32)
    bounds = spectral_bounds(splitter, second_eigenvalue(splitter))
    assert all(b <= y for b, y in zip(bounds, least_neighbourhoods(splitter).least, strict=True))


def test_ramanujan_graphs_have_their_size_and_degree() -> None:
    large = ramanujan(5, 13)  # 5 is no square modulo 13
    assert (large.inputs, large.regular) == (13 * (13**2 - 1) // 2, 6)
    small = ramanujan(29, 5)  # 29 = 4 is a square modulo 5
    assert (small.inputs, small.regular) == (60, 30)


def test_a_ramanujan_graph_meets_its_theorem() -> None:
    splitter = ramanujan(17, 13)  # 17 = 4 is a square modulo 13; 13 > 2 sqrt(17)
    edges = np.zeros((splitter.inputs, splitter.outputs))
    for i, outputs in enumerate(splitter.adjacent):
        np.add.at(edges[i], list(outputs), 1)
    values = np.linalg.eigvalsh(edges.T @ edges)
    assert values[-1] == pytest.approx(2 * 18**2)
    assert values[-2] <= 8 * 17 + 1e-6


def test_the_second_eigenvalue_is_rounded_up_only() -> None:
    splitter = splitter_from_spec("random-splitter:40,d=4,seed=3")
    edges = np.zeros((40, 20))
    for i, outputs in enumerate(splitter.adjacent):
        np.add.at(edges[i], list(outputs), 1)
    true = np.linalg.eigvalsh(edges.T @ edges)[-2]
    bound = second_eigenvalue(splitter)
    assert isinstance(bound, Fraction)
    assert true - 1e-9 <= float(bound) <= 1.02 * true


def test_hardened_splitters_are_complete_and_larger_ones_untouched() -> None:
    plain, hard = (wiring_from_spec(f"multibutterfly:64,d=3,seed=4{x}") for x in ("", ",hardened"))
    check_wiring(hard)
    for level in range(6):
        size = 64 >> level
        for block in range(1 << level):
            found = splitter_of(hard, level=level, block=block, direction=1)
            if size <= 6:
                assert all(set(x) == set(range(size // 2)) for x in found.adjacent)
            else:
                assert found.adjacent == splitter_of(plain, level=level, block=block, direction=1).adjacent


def test_hardening_stops_the_avalanche_of_one_fault() -> None:
    faulty = np.zeros((7, 64), dtype=np.bool_)
    faulty[4, 0] = True
    lost = []
    for text in ("multibutterfly:64,d=4,seed=7", "multibutterfly:64,d=4,seed=7,hardened"):
        survivors = survive(wiring_from_spec(text), faulty, epsilon=Fraction(1, 4), threshold=2)
        lost.append(int(survivors.declared.sum()))
    assert lost[0] > 50
    assert lost[1] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ramanujan:5", "needs 2 parameters, as in ramanujan:5,13"),
        ("ramanujan:5,5", "two different primes"),
        ("ramanujan:5,7", "of the form 4k"),
        ("ramanujan:5,9", "of the form 4k"),
        ("ramanujan:5,101", "at most 20000"),
        ("random-splitter:63,d=3,seed=1", "even number"),
        ("random-splitter:64,d=3", "needs seed="),
    ],
)
def test_bad_splitters_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        splitter_from_spec(text)


@pytest.mark.parametrize("text", ["gabber-galil:48", "gabber-galil:0", "gabber-galil:1073741824"])
def test_bad_networks_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        wiring_from_spec(text)
