"""Upfal's algorithm: step by step against a slow implementation, and the laws that any run must keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.formats.resolve import resolve_permutations, resolve_wiring
from routeproof.simulate.multistage.runs import WiredRequest, run_packets
from routeproof.simulate.packets.trace import packet_trace
from routeproof.simulate.packets.upfal import PacketRun, check_phase, route_greedily, route_packets
from routeproof.topologies.multistage.banyan import butterfly, dilated_butterfly, multibutterfly
from slow_packets import SlowRun, slow_greedy

WIRINGS = [
    "butterfly:1", "butterfly:2", "butterfly:4", "dilated-butterfly:3,d=2", "multibutterfly:8,d=2,seed=1",
    "multibutterfly:16,d=3,seed=2", "multibutterfly:32,d=2,seed=3,shared",
]  # fmt: skip


def some_images(rows: int, count: int, seed: int, holes: bool = False) -> np.ndarray:
    rng = np.random.default_rng(seed)
    images = np.stack([rng.permutation(rows) for _ in range(count)])
    if holes:
        images[rng.random(images.shape) < 0.4] = -1
    return images


@pytest.mark.parametrize("text", WIRINGS)
@pytest.mark.parametrize(("count", "load"), [(1, 1), (1, 2), (3, 1), (5, 3)])
@pytest.mark.parametrize("holes", [False, True])
def test_agrees_step_by_step_with_the_slow_implementation(text: str, count: int, load: int, holes: bool) -> None:
    wiring = resolve_wiring(text)
    rows, load = wiring.inputs, min(load, wiring.inputs)
    for seed in range(2):
        images = some_images(rows, count, seed, holes)
        slow = SlowRun(wiring.wire.tolist(), images.tolist(), load)
        expected = []
        for _, at in slow.steps():
            state = np.full((wiring.log_inputs, rows), -1)
            for (level, r), packet in at.items():
                state[level, r] = packet.wave * rows + packet.target
            expected.append(state)
        found: list[np.ndarray] = []
        run = route_packets(wiring, images, load=load, watch=lambda step, state, found=found: found.append(state))
        assert len(found) == len(expected)
        for mine, theirs in zip(found, expected, strict=True):
            assert np.array_equal(mine, theirs)
        assert (run.moves, run.swaps) == (slow.moves, slow.swaps)
        assert run.steps == max(slow.arrived.values(), default=0)
        for packet, step in slow.arrived.items():
            assert run.arrival[packet.permutation, packet.target] == step
        quiet = route_packets(wiring, images, load=load)
        assert (quiet.steps, quiet.moves, quiet.swaps) == (run.steps, run.moves, run.swaps)
        assert quiet.worked == run.worked  # whole phases with the lists of each step left by the one before
        assert np.array_equal(quiet.arrival, run.arrival)


@settings(max_examples=40)
@given(
    n=st.integers(1, 6),
    d=st.integers(1, 3),
    seed=st.integers(0, 50),
    count=st.integers(1, 4),
    load=st.integers(1, 9),
    holes=st.booleans(),
)
def test_laws_of_every_run(n: int, d: int, seed: int, count: int, load: int, holes: bool) -> None:
    """All arrive; net progress is n levels a packet; nothing before step n; the phase invariant (checked inside)."""
    wiring = multibutterfly(1 << n, d=d, seed=seed)
    images = some_images(1 << n, count, seed, holes)
    run = route_packets(wiring, images, load=min(load, 1 << n), check=True)
    assert run.delivered == run.packets == np.count_nonzero(images >= 0)
    assert run.moves == n * run.packets
    assert np.array_equal(np.sort(np.nonzero(run.arrival)[1]), np.sort(images[images >= 0]))
    assert run.steps <= run.stages * 4 * d < run.steps + 4 * d
    greedy = route_greedily(wiring, images)
    assert greedy.delivered == run.packets
    assert greedy.moves == n * run.packets
    if run.packets:
        assert greedy.steps >= n
        assert run.stages * 2 >= n


def test_the_invariant_notices_a_packet_that_could_have_moved() -> None:
    wiring = butterfly(2)
    state = np.full((2, 4), -1)
    state[0, 0] = 3
    with pytest.raises(AssertionError, match="could have moved"):
        check_phase(wiring, state, 0)
    state[1, 2] = 2
    check_phase(wiring, state, 0)
    state[1, 2] = 4 + 2  # wave 1, later than wave 0
    with pytest.raises(AssertionError, match="swapped"):
        check_phase(wiring, state, 0)


def test_the_identity_takes_one_pass() -> None:
    """Packets that never meet move two levels a stage, by the colours that lead straight."""
    run = route_packets(butterfly(4), np.arange(16), load=4)
    assert (run.stages, run.swaps, run.moves) == (2, 0, 64)


def test_lower_waves_pass_first() -> None:
    images = np.stack([np.arange(16)] * 6)
    run = route_packets(multibutterfly(16, d=2, seed=1), images, load=4)
    last = run.arrival.max(axis=1)
    assert np.all(np.diff(last) > 0)


def test_large_numbers_use_wider_integers_with_the_same_result() -> None:
    wiring = multibutterfly(1024, d=2, seed=5)
    images = some_images(1024, 2, 1)
    small = route_packets(wiring, images, load=1024)
    many = np.full((2100, 1024), -1, dtype=np.int32)  # 2100 * 1024 waves of 1024 destinations are more than 2^31
    many[0], many[2000] = images
    wide = route_packets(wiring, many, load=1024)
    assert (wide.steps, wide.moves, wide.swaps) == (small.steps, small.moves, small.swaps)


@pytest.mark.parametrize("text", WIRINGS)
@pytest.mark.parametrize("count", [1, 3])
def test_greedy_agrees_with_the_slow_implementation(text: str, count: int) -> None:
    wiring = resolve_wiring(text)
    images = some_images(wiring.inputs, count, 7, holes=count > 1)
    expected = slow_greedy(wiring.wire.tolist(), images.tolist())
    run = route_greedily(wiring, images)
    assert run.steps == max(expected.values(), default=0)
    assert {(int(p), int(j)): int(run.arrival[p, j]) for p, j in zip(*np.nonzero(run.arrival), strict=True)} == expected


def test_bit_reversal_is_bad_for_butterflies_and_dilation_helps() -> None:
    """2^(n/2) packets share an edge in the middle: greedy takes at least n + 2^(n/2 - 1) - 1 steps."""
    n = 10
    image = [int(format(i, f"0{n}b")[::-1], 2) for i in range(1 << n)]
    plain = route_greedily(butterfly(n), image).steps
    assert plain >= n + 2 ** (n // 2 - 1) - 1
    assert route_greedily(dilated_butterfly(n, d=2), image).steps < plain


@pytest.mark.parametrize(
    ("images", "load", "words"),
    [
        ([0, 1, 2], 1, "3 terminals"),
        ([0, 0, 1, 2], 1, "both send to 0"),
        ([0, 1, 2, 9], 1, "sends to 9"),
        ([0, 1, 2, -2], 1, "sends to -2"),
        ([0, 1, 2, 3], 5, "load is 5"),
        ([0, 1, 2, 3], 0, "load is 0"),
        ([0.5, 1, 2, 3], 1, "whole numbers"),
    ],
)
def test_bad_input_is_refused_in_one_line(images: list[int], load: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        route_packets(butterfly(2), images, load=load)


def test_a_multi_benes_network_is_refused() -> None:
    with pytest.raises(InputError, match="not a multibutterfly"):
        route_packets(resolve_wiring("benes:2"), [0, 1, 2, 3], load=1)


def test_the_adversary_finds_what_is_slower_and_the_same_every_time() -> None:
    asked = WiredRequest("multibutterfly:32,d=2,seed=7", ("adversary:tries=60,seed=3",), load=4)
    done, again = run_packets(asked), run_packets(asked)
    assert np.array_equal(done.images, again.images)
    assert sorted(done.images[0].tolist()) == list(range(32))
    wiring = done.wiring
    others = [
        np.random.default_rng(3).permutation(32),
        *(resolve_permutations([x], 32)[0] for x in ("bit-reversal", "shuffle")),
    ]
    assert isinstance(done.result, PacketRun)
    assert done.result.steps >= max(route_packets(wiring, x, load=4).steps for x in others)
    assert route_packets(wiring, done.images, load=4).steps == done.result.steps
    assert done.tried == 60


@pytest.mark.parametrize("text", ["adversary:tries=0", "adversary:tres=5", "adversary:tries=x", "adversary:"])
def test_an_adversary_without_sense_is_told(text: str) -> None:
    if text == "adversary:":
        assert run_packets(WiredRequest("butterfly:1", (text + "tries=2",), algorithm="greedy")).tried == 2
        return
    with pytest.raises(InputError, match="adversary"):
        run_packets(WiredRequest("butterfly:3", (text,)))


def test_an_adversary_works_alone_and_on_survivors() -> None:
    with pytest.raises(InputError, match="alone"):
        run_packets(WiredRequest("butterfly:3", ("adversary:tries=5", "shuffle")))
    faulty = WiredRequest("multibutterfly:32,d=2,seed=7", ("adversary:tries=8,seed=1",), faults="random:count=3,seed=1")
    done = run_packets(faulty)
    assert isinstance(done.result, PacketRun)
    assert done.result.delivered == done.result.packets == int((done.images >= 0).sum()) < 32


def test_the_trace_follows_every_packet_to_its_output() -> None:
    wiring = multibutterfly(16, d=2, seed=5)
    images = some_images(16, 2, 3, holes=True).astype(np.int32)
    run = route_packets(wiring, images, load=2)
    lines = packet_trace(wiring, images, load=2).splitlines()
    assert lines[0] == "step,permutation,source,destination,level,row"
    rows = np.array([[int(x) for x in line.split(",")] for line in lines[1:]])
    ends = rows[rows[:, 4] == 4]
    assert len(ends) == run.packets
    for step, p, source, destination, _, row in ends:
        assert images[p, source] == destination == row
        assert run.arrival[p, destination] == step
    inside = rows[rows[:, 4] < 4]
    assert len(np.unique(inside[:, [0, 4, 5]], axis=0)) == len(inside)  # a switch holds one packet
    for p, source in np.argwhere(images >= 0):
        own = rows[(rows[:, 1] == p) & (rows[:, 2] == source)]
        assert np.all(np.diff(own[:, 0]) >= 1)
        assert np.all(np.abs(np.diff(own[:, 4])) <= 1)
