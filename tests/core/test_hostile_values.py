"""Values that make no sense, given to the central types: refused in one line, never rounded, cut or rearranged."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.faults import Faults
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.core.rational import parse_fraction
from routeproof.core.traffic import Permutation, Traffic
from routeproof.questions.worst_case import answer_worst_case
from routeproof.routing.grid.dor import DOR
from routeproof.topologies.grid.lattice import ring
from routeproof.worst.scan.models import hose

NAN = float("nan")
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    "channels",
    [
        [(0.9, 1.2)],
        [(0, 1, 2), (1, 2, 0)],
        [0, 1, 1, 2],
        [(0, 1), (1,)],
        [(0, 10**30)],
        [(0, NAN)],
        [(False, True)],
        "ab",
        None,
    ],
)
def test_channels_are_pairs_of_integers_and_nothing_is_truncated(channels: Any) -> None:
    with pytest.raises(InputError, match=r"pairs|a list of pairs|list of pairs"):
        Network.of("x", 3, channels)


@pytest.mark.parametrize("size", [0, -3, 2.5, "3", True, None, 2**40])
def test_a_network_has_a_whole_number_of_nodes(size: Any) -> None:
    with pytest.raises(InputError, match=r"num_nodes|at least one node"):
        Network.of("x", size, [])


@pytest.mark.parametrize("width", [0, -1, NAN, float("inf"), None, True, "1/0", [1], [1, 0], [[1], [2]]])
def test_bandwidths_are_positive_numbers(width: Any) -> None:
    with pytest.raises(InputError, match="bandwidth"):
        Network.of("x", 2, [(0, 1), (1, 0)], bandwidth=width)


@pytest.mark.parametrize("width", [2, "2", 2.0, [2, 2], ["2", Fraction(2)], np.array([2, 2])])
def test_bandwidths_may_be_written_in_many_ways(width: Any) -> None:
    net = Network.of("x", 2, ((v, 1 - v) for v in range(2)), bandwidth=width)  # type: ignore[arg-type]
    assert net.bandwidth == (2, 2)


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ([[NAN, 0], [0, 0]], "nan"),
        ([["x", 0], [0, 0]], "'x'"),
        ([[1, 0], [0]], "row 1 of traffic matrix has 1 entries"),
        ([[-1, 0], [0, 0]], "from 0 to 0 is -1; it cannot be negative"),
        ([["2/3", "1/2"], [0, 0]], "row 0 of traffic matrix sums to 7/6"),
        ([["2/3", 0], ["1/2", 0]], "column 0 of traffic matrix sums to 7/6"),
        ([[Fraction(2**70, 2**70 - 1), 0], [0, 0]], "row 0"),
        ([], "0 terminals"),
    ],
)
def test_rates_that_make_no_traffic(rates: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Traffic.of_matrix(rates)


def test_traffic_is_checked_however_it_is_made() -> None:
    assert Traffic.of_matrix([[0.5, "1/2"], [HALF, 0]]).rate(0, 0) == HALF
    large = 2**62
    assert Traffic("x", 2, numerator=np.full((2, 2), large // 2), scale=large).rate(0, 1) == HALF
    for more in (
        {"numerator": np.full((2, 2), 5)},
        {"numerator": np.full((2, 2), large), "scale": large},  # the sums do not fit int64
        {"numerator": np.eye(2)},
        {"numerator": np.eye(3, dtype=int)},
        {"numerator": np.eye(2, dtype=int), "scale": 0},
        {"permutation": Permutation([1, 2, 0])},
    ):
        with pytest.raises(InputError):
            Traffic("x", 2, **more)


def test_traffic_of_another_size_is_refused_even_if_uniform() -> None:
    with pytest.raises(InputError, match="between 7 terminals; ring:5 has 5"):
        answer_worst_case(DOR().on(ring(5)), traffics=[Traffic.uniform(7)])


@pytest.mark.parametrize("image", [[], [0, 0], [0.0, 1.0], [True, False], "ab", [[0, 1]], [10**30, 0]])
def test_images_that_are_no_permutations(image: Any) -> None:
    with pytest.raises(InputError, match="image"):
        Permutation(image)


@pytest.mark.parametrize("dead", [[1.7], ["1"], "12", 3])
def test_faults_are_numbers(dead: Any) -> None:
    with pytest.raises(InputError, match="a list of node numbers was expected"):
        Faults(nodes=dead)
    assert Faults(nodes=np.array([1, 2])).nodes == {1, 2}


def test_hose_rates_are_exact_or_refused() -> None:
    routing = DOR().on(ring(5))
    found = hose(routing, ["1/2"] * 5, [0.25] * 5)
    assert [Fraction(x, found.rates.unit) for x in found.sends] == [HALF] * 5
    for wrong in (NAN, float("inf"), "x", None, -1):
        with pytest.raises(InputError, match="ingress rate of terminal 0"):
            hose(routing, [wrong] * 5, [1] * 5)  # type: ignore[list-item]


def test_weights_of_paths_are_numbers() -> None:
    assert Paths.of([(0, 1, "1/3", [0])]).weight.fractions() == [Fraction(1, 3)]  # type: ignore[list-item]
    with pytest.raises(InputError, match="the weight of path 0 is nan"):
        Paths.of([(0, 1, NAN, [0])])  # type: ignore[list-item]


@pytest.mark.parametrize("text", ["1_0", "\u0663", "1e9999", "1e-9999", "7" * 4000, "", "1/0", "nan"])
def test_numbers_that_are_not_read(text: str) -> None:
    with pytest.raises(InputError, match=r"^x "):
        parse_fraction(text, what="x")


@pytest.mark.parametrize("text", ["7" * 1990 + "/" + "3" * 1991, "1e3900", "1e-3900", "-2.5", " 3/4 "])
def test_what_is_read_can_be_written_and_read_again(text: str) -> None:
    number = parse_fraction(text, what="x")
    assert parse_fraction(str(number), what="x") == number
