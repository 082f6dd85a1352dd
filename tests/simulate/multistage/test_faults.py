"""Erasure and propagation against the definition written out again; who survives is connected; the avalanche."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.formats.documents.wiring import read_switch_faults, switch_list
from routeproof.formats.resolve import resolve_wiring
from routeproof.simulate.multistage.survivors import check_connected, connected_pairs, restrict_to, survive
from routeproof.simulate.packets.upfal import route_packets
from routeproof.topologies.multistage.banyan import butterfly, multibutterfly
from routeproof.topologies.multistage.fault_patterns import faults_from_text
from slow_packets import SlowRun


def slow_survivors(wire, faulty, epsilon, threshold):
    """(erased, declared) as sets of (level, row), from the text of the convention."""
    levels, rows = len(wire), len(wire[0][0])
    erased = set()
    for level in range(levels + 1):
        size = rows // 2**level
        for first in range(0, rows, size):
            block = range(first, first + size)
            if Fraction(sum((level, r) in faulty for r in block)) > epsilon * size:
                erased |= {(below, r) for below in range(level, levels + 1) for r in block}
    declared = set()
    for level in reversed(range(levels)):
        for r in range(rows):
            ways = {"up": 0, "down": 0}
            middle = r // (rows // 2**level) * (rows // 2**level) + rows // 2 ** (level + 1)
            for colour in wire[level]:
                head = (level + 1, colour[r])
                if head in faulty | declared and head not in erased:
                    ways["up" if colour[r] < middle else "down"] += 1
            if max(ways.values()) >= threshold and (level, r) not in erased | faulty:
                declared.add((level, r))
    return erased, declared


def slow_pairs(wire, dead):
    """Connected (input, output) pairs, by walking from every input."""
    levels, rows = len(wire), len(wire[0][0])
    pairs = 0
    for i in range(rows):
        here = {i} if (0, i) not in dead else set()
        for level in range(levels):
            here = {c[r] for r in here for c in wire[level] if (level + 1, c[r]) not in dead}
        pairs += len(here)
    return pairs


def as_set(switches):
    return {tuple(x) for x in np.argwhere(switches).tolist()}


@settings(max_examples=80)
@given(
    n=st.integers(1, 5),
    d=st.integers(1, 4),
    seed=st.integers(0, 99),
    count=st.integers(0, 12),
    epsilon=st.fractions(0, 1, max_denominator=8),
    threshold=st.integers(1, 4),
)
def test_survivors_are_those_of_the_definition(
    n: int, d: int, seed: int, count: int, epsilon: Fraction, threshold: int
) -> None:
    wiring = multibutterfly(1 << n, d=d, seed=seed)
    wire = wiring.wire.tolist()
    count, threshold = min(count, (n + 1) << n), min(threshold, d)
    faulty = faults_from_text(f"random:count={count},seed={seed}", wiring)
    left = survive(wiring, faulty, epsilon=epsilon, threshold=threshold)
    erased, declared = slow_survivors(wire, as_set(faulty), epsilon, threshold)
    assert as_set(left.erased) == erased
    assert as_set(left.declared) == declared
    check_connected(wiring, left)
    dead = as_set(~left.alive)
    assert slow_pairs(wire, dead) == len(left.inputs) * len(left.outputs) == connected_pairs(wiring, left.alive)
    assert connected_pairs(wiring, ~faulty) == slow_pairs(wire, as_set(faulty))


@settings(max_examples=25)
@given(seed=st.integers(0, 99), count=st.integers(1, 10), d=st.integers(2, 3))
def test_packets_run_on_the_survivors_step_by_step(seed: int, count: int, d: int) -> None:
    wiring = multibutterfly(16, d=d, seed=seed)
    left = survive(
        wiring, faults_from_text(f"random:count={count},seed={seed}", wiring), epsilon=Fraction(1, 8), threshold=d
    )
    images = restrict_to(left, np.random.default_rng(seed).permutation(16).astype(np.int32)[None, :])
    run = route_packets(wiring, images, load=2, alive=left.alive, check=True)
    assert run.delivered == run.packets == np.count_nonzero(images >= 0)
    slow = SlowRun(wiring.wire.tolist(), images.tolist(), 2, dead=as_set(~left.alive))
    for _ in slow.steps():
        pass
    assert (run.moves, run.swaps, run.steps) == (slow.moves, slow.swaps, max(slow.arrived.values(), default=0))


def test_no_fault_no_loss_and_all_faulty_none_left() -> None:
    wiring = butterfly(3)
    none = np.zeros((4, 8), dtype=bool)
    left = survive(wiring, none, epsilon=Fraction(1, 4))
    assert left.inputs == left.outputs == list(range(8))
    left = survive(wiring, ~none, epsilon=Fraction(1, 4))
    assert left.inputs == left.outputs == []


def test_more_faults_never_help_where_nothing_is_erased() -> None:
    wiring = multibutterfly(64, d=3, seed=1)
    order = np.argwhere(faults_from_text("random:count=40,seed=2", wiring))
    faulty = np.zeros((7, 64), dtype=bool)
    before = 64
    for level, row in order.tolist():
        faulty[level, row] = True
        now = len(survive(wiring, faulty, epsilon=Fraction(1), threshold=2).inputs)
        assert now <= before
        before = now


def test_exactly_epsilon_does_not_erase() -> None:
    wiring = multibutterfly(16, d=2, seed=1)
    faulty = faults_from_text("block:level=2,row=0,count=1", wiring)
    assert not survive(wiring, faulty, epsilon=Fraction(1, 4), threshold=2).erased.any()
    left = survive(wiring, faulty, epsilon=Fraction(24, 100), threshold=2)
    assert left.outputs == list(range(4, 16))
    assert as_set(left.erased) == {(level, r) for level in (2, 3, 4) for r in range(4)}


def test_small_blocks_avalanche() -> None:
    """One fault in a block of four is no more than a quarter of it: it is not erased.  Where one lost edge of two is
    enough (ceil(d/2) = 1), it takes all four switches before it along, and they take the inputs."""
    wiring = multibutterfly(64, d=2, seed=7)
    faulty = faults_from_text("block:level=4,row=0,count=1", wiring)
    lost = survive(wiring, faulty, epsilon=Fraction(1, 4))
    by_level = lost.declared.sum(axis=1).tolist()
    assert by_level[4:] == [0, 0, 0]
    assert by_level[0] > by_level[1] > by_level[2] > by_level[3] > 1
    assert len(lost.inputs) < 16
    erased = survive(wiring, faulty, epsilon=Fraction(1, 5))
    assert (len(erased.inputs), len(erased.outputs)) == (64, 60)


def test_an_attack_hurts_more_than_chance() -> None:
    wiring = multibutterfly(256, d=3, seed=3)
    attack = survive(wiring, faults_from_text("attack:count=12,level=3", wiring), epsilon=Fraction(1, 2))
    chance = survive(wiring, faults_from_text("random:count=12,seed=1,level=3", wiring), epsilon=Fraction(1, 2))
    assert attack.declared.sum() > chance.declared.sum()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{}", "a list of"),
        ("[[0]]", "entry 0"),
        ("[[0, 8]]", "outside the network"),
        ("[[4, 0]]", "outside the network"),
        ("[[1, 1], [1, 1]]", "twice"),
        ('[[0, "1"]]', "entry 0"),
    ],
)
def test_bad_fault_files(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "faults.json").write_text(content)
    with pytest.raises(InputError, match=words):
        read_switch_faults(tmp_path / "faults.json", butterfly(3))


def test_fault_files_come_back(tmp_path: Path) -> None:
    wiring = resolve_wiring("multibutterfly:16,d=2,seed=1")
    faulty = faults_from_text("random:count=9,seed=4", wiring)
    (tmp_path / "faults.json").write_text(json.dumps(switch_list(faulty)))
    assert np.array_equal(read_switch_faults(tmp_path / "faults.json", wiring), faulty)


@pytest.mark.parametrize(
    ("epsilon", "threshold", "words"),
    [(Fraction(5, 4), 1, "epsilon is 5/4"), (Fraction(-1), 1, "epsilon"), (Fraction(1, 4), 3, "1 to 2"), (Fraction(0),
    0, "1 to 2")],
)  # fmt: skip
def test_bad_settings(epsilon: Fraction, threshold: int, words: str) -> None:
    wiring = multibutterfly(8, d=2, seed=1)
    with pytest.raises(InputError, match=words):
        survive(wiring, np.zeros((4, 8), dtype=bool), epsilon=epsilon, threshold=threshold)
