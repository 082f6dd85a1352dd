"""Explicit paths: what fits together, and what is refused by name."""

from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.paths import Paths, check_paths
from routeproof.core.rational import Rationals

HALF = Fraction(1, 2)


def ring() -> Network:
    """Four nodes, channels 0..3 clockwise (v -> v + 1), 4..7 back (v -> v - 1)."""
    return Network.of("ring", 4, [(v, (v + 1) % 4) for v in range(4)] + [(v, (v - 1) % 4) for v in range(4)])


def test_paths_keep_what_they_were_given() -> None:
    paths = Paths.of([(0, 2, HALF, [0, 1]), (0, 2, HALF, [4, 7]), (1, 1, 1, [])])
    assert len(paths) == paths.num_paths == 3
    assert [paths.path(k) for k in range(3)] == [[0, 1], [4, 7], []]
    assert paths.weight.fractions() == [HALF, HALF, 1]
    assert paths.offset.tolist() == [0, 2, 4, 4]
    check_paths(ring(), paths)
    with pytest.raises(ValueError, match="read-only"):
        paths.channel[0] = 3


def test_no_paths_at_all_are_paths() -> None:
    paths = Paths.of([])
    assert len(paths) == 0
    check_paths(ring(), paths)


def test_a_path_may_cross_a_channel_twice() -> None:
    check_paths(ring(), Paths.of([(0, 1, 1, [0, 1, 2, 3, 0])]))


def test_weights_of_thousands_of_bits_survive() -> None:
    tiny = Fraction(1, 3**3000)
    paths = Paths.of([(0, 1, tiny, [0]), (0, 1, 1 - tiny, [0])])
    assert paths.weight.fractions() == [tiny, 1 - tiny]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ((0, 9, 1, [0]), "destination terminal 9; terminals are 0 to 3"),
        ((4, 1, 1, [0]), "source terminal 4; terminals are 0 to 3"),
        ((0, 1, 1, [8]), "from terminal 0 to terminal 1 crosses channel 8; channels are 0 to 7"),
        ((0, 2, 1, [0, 2]), "channel 0 arrives at node 1, but the next channel 2 leaves node 2"),
        ((0, 2, 1, [1]), "starts with channel 1, which leaves node 1; terminal 0 is at node 0"),
        ((0, 2, 1, [0]), "ends with channel 0, which arrives at node 1; terminal 2 is at node 2"),
        ((0, 2, 1, []), "is empty, but leads from node 0 to node 2"),
        ((1, 1, 1, [1, 6]), "crosses 2 channels, but both are on node 1"),
    ],
)
def test_a_path_that_leads_nowhere_is_named(item: tuple[int, int, int, list[int]], message: str) -> None:
    good = (2, 3, 1, [2])
    with pytest.raises(InputError, match=message):
        check_paths(ring(), Paths.of([good, item, good]))


@pytest.mark.parametrize("weight", [0, -1, Fraction(-1, 2)])
def test_weights_must_be_positive(weight: Fraction) -> None:
    with pytest.raises(InputError, match=r"from terminal 0 to terminal 1 has weight .*must be positive"):
        Paths.of([(0, 1, weight, [0])])


@pytest.mark.parametrize("number", [-1, 2**31, 2**40])
def test_numbers_outside_int32_are_refused(number: int) -> None:
    for item in [(number, 1, 1, [0]), (0, number, 1, [0]), (0, 1, 1, [number])]:
        with pytest.raises(InputError, match="must be between 0 and"):
            Paths.of([item])


def test_arrays_must_fit_together() -> None:
    one = Rationals.ones(1)
    zero = np.array([0], dtype=np.int32)
    with pytest.raises(InputError, match="2 entries from 0 to 1 were expected"):
        Paths(zero, zero, np.array([0]), zero, one)
    pair = np.array([0, 0], dtype=np.int32)
    with pytest.raises(InputError, match="offset falls from 1 to 0"):
        Paths(pair, pair, np.array([0, 1, 0]), np.array([], dtype=np.int32), Rationals.ones(2))
    with pytest.raises(InputError, match="2 weights for 1 paths"):
        Paths(zero, zero, np.array([0, 1]), zero, Rationals.ones(2))


@pytest.mark.parametrize("wrong", [2**70, 0.5, "1", True])
def test_what_is_no_channel_number_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match="channel must be a flat list of integers"):
        Paths.of([(0, 1, 1, [wrong])])  # type: ignore[list-item]
