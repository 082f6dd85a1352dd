"""Calls: the compiled exchange against a slow one, the rule against its definition, blocking against enumeration."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.claims.calls.replays import replay_calls
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.multistage.call_graph import CallGraph, check_call_path, is_joined
from routeproof.simulate.calls.blocking import BlockingState, decide_strict, find_blocking_state
from routeproof.simulate.calls.churn import BusyRule, Churn, Exchange, busy_rule, run_calls, trial_draws
from routeproof.topologies.family import is_wired, network_from_spec, wiring_from_spec
from routeproof.topologies.multistage.banyan import benes, butterfly, multi_benes, multibutterfly
from routeproof.topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring


def graph_of(text: str) -> CallGraph:
    if is_wired(text):
        return call_graph_of_wiring(wiring_from_spec(text))
    return call_graph_of_network(network_from_spec(text))


@settings(max_examples=40)
@given(
    n=st.integers(1, 4),
    d=st.integers(1, 3),
    log_load=st.integers(0, 3),
    seed=st.integers(0, 99),
    occupancy=st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(1)]),
    rule=st.sampled_from([None, "printed", "argument"]),
    random_paths=st.booleans(),
)
def test_agrees_with_the_slow_implementation(
    n: int, d: int, log_load: int, seed: int, occupancy: Fraction, rule: str | None, random_paths: bool
) -> None:
    wiring = multi_benes(1 << n, d=d, seed=seed)
    graph = call_graph_of_wiring(wiring, load=1 << min(log_load, n))
    chosen = busy_rule(wiring, beta=Fraction(2 * d + 1, 2) if d > 3 else Fraction(d), merger=rule) if rule else None
    options: dict[str, Any] = {"events": 25, "occupancy": occupancy, "seed": seed, "random_paths": random_paths}
    run = run_calls(graph, Churn(rule=chosen, **options), trials=3)
    caps = None if chosen is None else (chosen.splitter, chosen.merger)
    slow = replay_calls(graph, trials=3, caps=caps, **options)
    assert slow == {
        "requests": run.requests,
        "blocked_by_rule": run.by_rule,
        "blocked_without_path": run.without_path,
        "hang_ups": run.hang_ups,
        "calls_in_progress": run.busy,
        "failed": run.failed,
        "failed_without_path": run.failed_without_path,
    }


def path_of(exchange: Exchange, i: int) -> list[int]:
    """The vertices of the call of busy input ``i``."""
    found, after = [i], exchange._calls.after
    while after[found[-1]] >= 0:
        found.append(int(after[found[-1]]))
    return found


@settings(max_examples=30)
@given(seed=st.integers(0, 999), splitter=st.integers(0, 2), merger=st.integers(0, 5), load=st.sampled_from([1, 2, 4]))
def test_calls_are_disjoint_and_blocked_switches_are_those_of_the_rule(
    seed: int, splitter: int, merger: int, load: int
) -> None:
    wiring = multi_benes(16, d=3, seed=seed)
    graph = call_graph_of_wiring(wiring, load=load)
    exchange = Exchange(graph, BusyRule(splitter, merger))
    rng = np.random.default_rng(seed)
    calls: dict[int, int] = {}
    for _ in range(40):
        i = int(rng.integers(graph.terminals))
        if i in calls:
            assert exchange.hang_up(i) == calls.pop(i)
        else:
            idle = sorted(set(range(graph.terminals)) - set(calls.values()))
            j = int(rng.choice(idle))
            others = {v for k in calls for v in path_of(exchange, k)}
            before = exchange.blocked.copy()
            outcome = exchange.connect(i, j, salt=int(rng.integers(5)))
            assert (outcome == 2) == (not is_joined(graph, i, j, others))
            if outcome == 0:
                assert check_call_path(graph, path_of(exchange, i), others) == (i, j)
                assert not before[path_of(exchange, i)].any()
                calls[i] = j
        used = {v for k in calls for v in path_of(exchange, k)}
        assert set(np.nonzero(exchange.used)[0].tolist()) == used
        # The rule from the outputs back, level by level and switch by switch.
        cut = load.bit_length() - 1
        bad = [[False] * 16 for _ in range(9)]
        for level in range(8 - cut, cut - 1, -1):
            for r in range(16):
                v = graph.terminals + (level - cut) * 16 + r
                lost = [0, 0]
                if level < 8 - cut:
                    for c in range(6):
                        h = int(wiring.wire[level, c, r])
                        lost[h >> (7 - level) & 1 if level >= 4 else 0] += bad[level + 1][h]
                blocked = max(lost) > splitter if level >= 4 else lost[0] > merger
                assert bool(exchange.blocked[v]) == blocked
                bad[level][r] = blocked or v in used


def states(graph: CallGraph) -> Any:
    """All sets of calls along disjoint paths, by extending with inputs in order."""

    def paths(v: int, used: set[int]) -> Any:
        if v in used:
            return
        if v >= graph.num_vertices - graph.terminals:
            yield [v]
            return
        for w in sorted(set(graph.heads(v))):
            for rest in paths(w, used):
                yield [v, *rest]

    def extend(i: int, used: set[int]) -> Any:
        if i == graph.terminals:
            yield used
            return
        yield from extend(i + 1, used)
        for path in paths(i, used):
            yield from extend(i + 1, used | set(path))

    return extend(0, set())


def blocks(graph: CallGraph) -> bool:
    first = graph.num_vertices - graph.terminals
    return any(
        i not in used and first + j not in used and not is_joined(graph, i, j, used)
        for used in states(graph)
        for i in range(graph.terminals)
        for j in range(graph.terminals)
    )


SMALL = {
    "clos:1,2,2": graph_of("clos:1,2,2"),
    "clos:2,2,2": graph_of("clos:2,2,2"),
    "clos:3,2,2": graph_of("clos:3,2,2"),
    "cantor:1": graph_of("cantor:1"),
    "benes:1": call_graph_of_wiring(benes(1)),
    "benes:2": call_graph_of_wiring(benes(2)),
    "butterfly:2": call_graph_of_wiring(butterfly(2)),
    "multi-benes:4": call_graph_of_wiring(multi_benes(4, d=2, seed=1), load=2),
    "multibutterfly:4": call_graph_of_wiring(multibutterfly(4, d=2, seed=1), load=2),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_blocking_is_decided_as_by_enumeration(name: str) -> None:
    graph = SMALL[name]
    found = decide_strict(graph, time_limit=inf)
    assert isinstance(found, BlockingState) == blocks(graph)


@pytest.mark.parametrize("name", ["clos:2,2,2", "clos:4,3,3", "benes:3", "multi-benes:16,d=2,seed=1"])
def test_the_adversary_finds_what_can_be_found(name: str) -> None:
    graph = graph_of(name)
    state = find_blocking_state(graph, tries=50, seed=1)
    assert state is not None
    used: set[int] = set()
    for path in state.paths:
        i, j = check_call_path(graph, path, used)
        assert (i, j) != (state.input, state.output)
        used.update(path)
    assert not is_joined(graph, state.input, state.output, used)


@pytest.mark.parametrize(
    ("name", "nonblocking"),
    [
        ("clos:1,1,3", True),
        ("clos:3,2,4", True),
        ("clos:4,3,2", False),
        ("clos:4,3,3", False),
        ("clos:5,3,3", True),
        ("cantor:2", True),
        ("cantor:3", True),
        ("benes:2", False),
    ],
)
def test_theorems_of_clos_and_cantor(name: str, nonblocking: bool) -> None:
    """Strict-sense nonblocking for m >= 2n - 1 (Clos 1953) and for log2 N copies of a Benes network (Cantor 1971)."""
    graph = graph_of(name)
    found = decide_strict(graph, time_limit=inf)
    assert isinstance(found, list) == nonblocking
    if nonblocking:
        assert find_blocking_state(graph, tries=20, seed=1) is None
        run = run_calls(graph, Churn(60, Fraction(1), 3, random_paths=True), trials=20)
        assert run.without_path == 0


def test_a_light_loaded_multi_benes_network_is_proved_nonblocking() -> None:
    assert isinstance(decide_strict(call_graph_of_wiring(multi_benes(16, d=2, seed=1), load=4), time_limit=inf), list)
    assert isinstance(
        decide_strict(call_graph_of_wiring(multi_benes(16, d=2, seed=1), load=2), time_limit=inf), BlockingState
    )


def test_terminals_of_a_light_loaded_network() -> None:
    graph = call_graph_of_wiring(multi_benes(16, d=2, seed=1), load=4)
    assert (graph.terminals, graph.num_vertices) == (4, 8 + 5 * 16)
    assert graph.heads(2) == [4 + r for r in (8, 9, 10, 11)]
    last = 4 + 4 * 16
    assert [graph.heads(last + r) for r in (8, 9, 10, 11)] == [[graph.output(2)]] * 4


def test_draws_are_the_seed_s_alone() -> None:
    assert trial_draws(1, 2, 5).tolist() == trial_draws(1, 2, 9).tolist()[:18]


@pytest.mark.parametrize(
    ("beta", "expected"),
    [("3", (1, 6, 2)), ("5/2", (0, 4, 0)), ("4", (3, 10, 6)), ("10/3", (1, 7, 3))],
)
def test_thresholds(beta: str, expected: tuple[int, int, int]) -> None:
    """d = 4: 2b - 5 of 4, and of 8: 4b - 6 as printed, 4b - 10 as the argument needs; more than this blocks."""
    wiring = multi_benes(16, d=4, seed=1)
    printed = busy_rule(wiring, beta=Fraction(beta), merger="printed")
    assert (printed.splitter, printed.merger) == expected[:2]
    assert busy_rule(wiring, beta=Fraction(beta), merger="argument").merger == expected[2]


def test_bad_input() -> None:
    wiring = multi_benes(16, d=4, seed=1)
    with pytest.raises(InputError, match="beta is 2; from 5/2"):
        busy_rule(wiring, beta=Fraction(2))
    with pytest.raises(InputError, match="beta is 5"):
        busy_rule(wiring, beta=Fraction(5))
    with pytest.raises(InputError, match="not a multi-Benes"):
        busy_rule(multibutterfly(16, d=4, seed=1), beta=Fraction(3))
    for load in (0, 3, 32):
        with pytest.raises(InputError, match=f"load is {load}; a power of two"):
            call_graph_of_wiring(wiring, load=load)
    with pytest.raises(InputError, match="cycle"):
        graph_of("torus:3x3")
    with pytest.raises(InputError, match="bandwidth"):
        graph_of("clos:3,2,2,bandwidth=2")
    graph = graph_of("clos:3,2,2")
    for options, words in (
        ({"trials": 0}, "trials"),
        ({"occupancy": Fraction(0)}, "occupancy"),
        ({"seed": -1}, "seed"),
        ({"events": 10**22}, "at most 100,000,000 were expected"),
        ({"trials": 10**22}, "at most 1,000,000,000 of"),
    ):
        chosen: dict[str, Any] = {"trials": 1, "events": 1, "occupancy": Fraction(1), "seed": 1, **options}
        trials = chosen.pop("trials")
        with pytest.raises(InputError, match=words):
            run_calls(graph, Churn(**chosen), trials=trials)
    with pytest.raises(VerificationError, match="not joined"):
        check_call_path(graph, [0, graph.output(0)], set())
