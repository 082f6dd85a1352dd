"""WRD on rings: the closed form is the optimum of our own linear program."""

from __future__ import annotations

from fractions import Fraction

import pytest

from routeproof import InputError, network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.locality import average_path_length
from routeproof.worst.scan.exact import worst_case


@pytest.mark.parametrize("k", range(2, 14))
def test_worst_case_and_path_length_in_closed_form(k: int) -> None:
    net = network(f"ring:{k}")
    routing = routing_from_spec("wrd", net)
    routing.check()
    if k == 2:
        assert average_path_length(routing) == Fraction(1, 2)
        return
    assert worst_case(routing).load == (Fraction(k * k - 1, 4 * k) if k % 2 else Fraction(k, 4))
    assert average_path_length(routing) == (Fraction(k * k - 1, 3 * k) if k % 2 else Fraction(k - 1, 3))


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7, 8, 9, 12])
def test_nothing_is_better(k: int) -> None:
    from routeproof.optimum.worst_case import design_worst_case

    net = network(f"ring:{k}")
    best = design_worst_case(net, shortest=True)
    routing = routing_from_spec("wrd", net)
    assert worst_case(routing).load == best.load == best.least_load
    assert average_path_length(routing) == best.length == best.least_length


def test_neighbours_on_even_rings_take_the_channel_between_them() -> None:
    routing = routing_from_spec("wrd", network("ring:8"))
    assert [len(path) for _, path in routing.decomposition(0, 1)] == [1]
    assert sorted((x, len(p)) for x, p in routing.decomposition(0, 2)) == [(Fraction(1, 6), 6), (Fraction(5, 6), 2)]


@pytest.mark.parametrize("text", ["torus:3x3", "ring:5,oneway", "petersen", "mesh:5"])
def test_it_is_for_rings(text: str) -> None:
    with pytest.raises(InputError):
        routing_from_spec("wrd", network(text))
