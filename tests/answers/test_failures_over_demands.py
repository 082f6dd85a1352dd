"""Failures over a set of demands: each one against a network on which what failed is left out by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.core.errors import InputError

JOBS = {"a": [0, 1, 4], "b": [2, 3, 5]}


@pytest.mark.parametrize("demands", ["sparse:2", "within", "permutations"])
@pytest.mark.parametrize("what", ["links", "switches"])
def test_every_failure_is_judged_over_the_set(demands: str, what: str, tmp_path: Path) -> None:
    network = rp.mesh(3, 2)
    given = rp.named_routing("ecmp", network)
    wanted = rp.demands.within(JOBS) if demands == "within" else rp.demands.given(demands)
    found = rp.failures(given, **{what: 1}, demands=wanted)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    every = rp.failures(given, **{what: 1})
    loads = {x.failure.text: x.load for x in found.answer.judged}
    worst = {x.failure.text: x.load for x in every.answer.judged}
    if demands == "permutations":
        assert {x: worst[x] for x in loads} == loads
    for text, load in loads.items():
        assert load is None or text not in worst or load <= worst[text]


def test_a_link_that_fails_sends_its_packets_another_way() -> None:
    """On a ring of four, without one link, nodes 0 and 1 are three hops apart: their packets load the other links."""
    network = rp.ring(4)
    given = rp.named_routing("ecmp", network)
    found = rp.failures(given, demands=rp.demands.pairs([(0, 1)]))
    loads = {x.failure.text: x.load for x in found.answer.judged}
    assert set(loads.values()) == {Fraction(1)}


def test_what_is_wrong_is_said() -> None:
    given = rp.named_routing("ecmp", rp.ring(4))
    for demands in (rp.demands.routable(), rp.demands.sparse("all"), rp.demands.box({(0, 1): 1}, margin=2)):
        with pytest.raises(InputError, match="failures are judged over"):
            rp.failures(given, demands=demands)
    with pytest.raises(InputError, match="one by one"):
        rp.failures(given, demands="sparse:2", samples=3)
    with pytest.raises(InputError, match="one by one"):
        rp.failures(given, demands="sparse:2", repair="rebuild")
    with pytest.raises(InputError, match="nobody is left who may send"):
        rp.failures(given, switches=1, demands=rp.demands.pairs([(0, 1)]))
