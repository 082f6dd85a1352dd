"""Circuits with placeholders and cancellations: against a slow implementation, and what can be said of any run."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.claims.multistage.circuit_replays import replay_pipelined
from routeproof.core.errors import InputError
from routeproof.simulate.circuits.switching import route_circuits, route_pipelined
from routeproof.topologies.multistage.banyan import benes, butterfly, multibutterfly
from slow_pipelined import slow_pipelined
from wired_cases import faulty_case


@settings(max_examples=80)
@given(
    n=st.integers(1, 5),
    d=st.integers(1, 4),
    seed=st.integers(0, 99),
    log_load=st.integers(0, 5),
    holes=st.booleans(),
    faults=st.integers(0, 6),
    rho=st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5)]),
    distance=st.integers(1, 4),
)
def test_agrees_with_the_slow_implementation(
    n: int, d: int, seed: int, log_load: int, holes: bool, faults: int, rho: Fraction, distance: int
) -> None:
    case = faulty_case(n, d, seed, load=1 << min(log_load, n), holes=holes, faults=faults)
    wiring, image, load, alive = case.wiring, case.image, case.load, case.alive
    run = route_pipelined(wiring, image, load=load, alive=alive, rho=rho, distance=distance)
    slow = slow_pipelined(wiring.wire.tolist(), case.wanted, case.dead, rho, distance)
    assert list(run.rounds) == slow["rounds"]
    for t in range(len(image)):
        assert [int(x) for x in run.row[:, t] if x >= 0] == slow["paths"].get(t * load, [])
    assert (run.moves, run.placeholders) == (slow["moves"], slow["placeholders"])
    assert run.cancellations == slow["cancellations"]
    counts, rounds = replay_pipelined(wiring, image.astype(np.int64), load, rho, distance, alive)
    assert rounds == list(run.rounds)
    found = {"steps": run.steps, "stages": len(run.rounds), "moves": run.moves, "swaps": 0}
    found |= {"delivered": run.connected, "bit_steps": run.bit_steps}
    assert counts == {**found, "placeholders": run.placeholders, "cancellations": run.cancellations}


def test_without_stragglers_nobody_waits() -> None:
    """One circuit alone: a phase a level, a step a phase, no placeholders."""
    wiring = multibutterfly(64, d=2, seed=1)
    image = np.full(64, -1)
    image[5] = 17
    run = route_pipelined(wiring, image, load=1, distance=3)
    assert run.rounds == (1,) * 6
    assert (run.connected, run.placeholders, run.bit_steps) == (1, 0, 6 * (3 + 1 + 3))


def test_light_load_connects_everybody_as_the_simple_algorithm_does() -> None:
    wiring = multibutterfly(1024, d=3, seed=1)
    for seed in range(5):
        image = np.random.default_rng(seed).permutation(128)
        run = route_pipelined(wiring, image, load=8)
        assert run.connected == route_circuits(wiring, image, load=8).connected == 128
        assert run.moves == 1280
        assert len(run.rounds) < 30


def test_a_full_butterfly_connects_nobody_who_shares() -> None:
    assert route_pipelined(butterfly(3), np.arange(8)[::-1].copy(), load=1).connected in (0, 8)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"rho": Fraction(1)}, "rho is 1"), ({"rho": Fraction(-1)}, "rho is -1"), ({"distance": 0}, "distance")],
)
def test_bad_options(options: dict[str, Fraction | int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        route_pipelined(butterfly(3), [0, 1], load=4, **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="not a multibutterfly"):
        route_pipelined(benes(3), [0, 1], load=4)
