"""The simple circuit-switching algorithm: against a slow one, and the laws of disjoint paths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.simulate.circuits.switching import CircuitRun, check_circuits, route_circuits
from routeproof.topologies.multistage.banyan import benes, butterfly, multibutterfly
from wired_cases import faulty_case


def slow_circuits(wire, wanted, dead):
    """{source row: target row} to ({source: path of rows}, rounds by level); written from the text."""
    levels = len(wire)
    paths = {s: [s] for s in wanted}
    rounds = []
    for level in range(levels):
        waiting = [s for s in wanted if len(paths[s]) == level + 1]
        count = 0
        while True:
            proposals: dict[int, set[int]] = {}
            for s in waiting:
                for colour in wire[level]:
                    head = colour[paths[s][-1]]
                    same_way = format(head, f"0{levels}b")[level] == format(wanted[s], f"0{levels}b")[level]
                    if same_way and (level + 1, head) not in dead:
                        proposals.setdefault(head, set()).add(s)
            accepted = {head: next(iter(who)) for head, who in proposals.items() if len(who) == 1}
            taken = {p[level + 1] for p in paths.values() if len(p) == level + 2}
            assert not taken & set(proposals)
            for s in list(waiting):
                for colour in wire[level]:
                    if accepted.get(colour[paths[s][-1]]) == s:
                        paths[s].append(colour[paths[s][-1]])
                        waiting.remove(s)
                        break
            if not accepted:
                break
            count += 1
        rounds.append(count)
    return paths, rounds


@settings(max_examples=80)
@given(
    n=st.integers(1, 5),
    d=st.integers(1, 4),
    seed=st.integers(0, 99),
    log_load=st.integers(0, 5),
    holes=st.booleans(),
    faults=st.integers(0, 6),
)
def test_agrees_with_the_slow_implementation(
    n: int, d: int, seed: int, log_load: int, holes: bool, faults: int
) -> None:
    case = faulty_case(n, d, seed, load=1 << min(log_load, n), holes=holes, faults=faults)
    wiring, image, load, alive = case.wiring, case.image, case.load, case.alive
    run = route_circuits(wiring, image, load=load, alive=alive)
    paths, rounds = slow_circuits(wiring.wire.tolist(), case.wanted, case.dead)
    assert list(run.rounds) == rounds
    for t in range(len(image)):
        mine = [int(x) for x in run.row[:, t] if x >= 0]
        assert mine == paths.get(t * load, [])
    assert run.connected == sum(len(p) == n + 1 for p in paths.values())
    assert run.moves == sum(len(p) - 1 for p in paths.values())


def test_light_load_connects_everybody() -> None:
    wiring = multibutterfly(256, d=3, seed=1)
    for seed in range(5):
        run = route_circuits(wiring, np.random.default_rng(seed).permutation(16), load=16)
        assert run.connected == 16
        assert run.moves == 16 * 8
        assert run.steps >= 8


def test_a_full_butterfly_connects_nobody_who_shares() -> None:
    """Both inputs of a 2 x 2 splitter always propose to the same switches, so under full load nothing is accepted."""
    assert route_circuits(butterfly(3), np.arange(8)[::-1].copy(), load=1).connected in (0, 8)


def test_the_checker_notices_shared_switches_and_missing_wires() -> None:
    wiring = multibutterfly(16, d=2, seed=1)
    run = route_circuits(wiring, np.array([1, 0]), load=8)
    alive = np.ones((5, 16), dtype=bool)
    target = np.array([8, 0], dtype=np.int32)
    check_circuits(wiring, run, target, alive)
    row = run.row.copy()
    row[2, 1] = row[2, 0]
    with pytest.raises(AssertionError, match=r"share|no wire"):
        check_circuits(wiring, CircuitRun(run.rounds, 2, 2, 8, row, run.colour), target, alive)
    colour = run.colour.copy()
    colour[1, 0] = (colour[1, 0] + 1) % 4
    if wiring.wire[1, colour[1, 0], run.row[1, 0]] != run.row[2, 0]:
        with pytest.raises(AssertionError, match="no wire"):
            check_circuits(wiring, CircuitRun(run.rounds, 2, 2, 8, run.row, colour), target, alive)


@pytest.mark.parametrize(
    ("image", "load", "words"),
    [
        ([0, 1], 3, "does not divide"),
        ([0, 1, 2], 4, "2 terminals"),
        ([0, 0], 4, "not a partial permutation"),
        ([0, 2], 4, "not a partial permutation"),
        ([0, 1], 16, "load is 16"),
    ],
)
def test_bad_input(image: list[int], load: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        route_circuits(butterfly(3), image, load=load)
    with pytest.raises(InputError, match="not a multibutterfly"):
        route_circuits(benes(3), [0, 1], load=4)
