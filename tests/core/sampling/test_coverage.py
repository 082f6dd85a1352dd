"""Intervals of every SAMPLED quantity, formed as the product forms them, against exact values.

Every case repeats an experiment whose true value is known: by enumeration of all that chance can do, by another exact
analysis, or by a formula.  ``python tests/core/sampling/test_coverage.py 3000`` is the long version (a second argument:
cases with this in their name), whose figures stand in ``docs/sampling.md``.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof
from routeproof import named_routing
from routeproof import wiring as wiring_of
from routeproof.claims.kinds import KINDS
from routeproof.core.claim import Claim, Grade, Interval
from routeproof.core.cube.destination_graph import Cube
from routeproof.core.multistage.call_graph import CallGraph
from routeproof.core.network import Network
from routeproof.core.sampling.intervals import probability_limits
from routeproof.core.sampling.stopping import Stopping, Width
from routeproof.core.sampling.trial_intervals import FAILURE_QUANTITIES, TRIAL_QUANTITIES, trial_interval
from routeproof.core.traffic import Permutation, Traffic
from routeproof.questions.failures.claims import sampled_failure_intervals
from routeproof.questions.hashing import drawn_mean
from routeproof.questions.sampled import QUANTITIES as OF_FUNCTIONS
from routeproof.questions.sampled import sampled_claims
from routeproof.questions.worst_case import answer_average, answer_worst_case
from routeproof.routing.base.routing import Routing
from routeproof.routing.function.incremental import Incremental, Sampled
from routeproof.routing.function.user_function import Channel
from routeproof.routing.hashing.flows import Flows
from routeproof.simulate.calls.churn import BusyRule, Churn, Exchange, busy_rule, run_calls
from routeproof.simulate.calls.runs import call_claims, together_claims
from routeproof.simulate.calls.together import connect_together, run_together
from routeproof.simulate.cube.algorithms import CUBE_ALGORITHMS
from routeproof.simulate.cube.claims import run_trials, trial_claims
from routeproof.simulate.load.study import oblivious_runs
from routeproof.simulate.multistage.runs import WiredRequest
from routeproof.simulate.multistage.sweeping import RUNS, filled_request, measure_trials, plain_request
from routeproof.topologies.failures import all_failures, drawn_failures
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.multistage.call_graphs import call_graph_of_wiring
from routeproof.worst.average import sampled_average_case
from routeproof.worst.failures import base_of, solve_failures
from routeproof.worst.loads import channel_loads_under, largest_load
from routeproof.worst.scan.exact import worst_case

Truth = float | Fraction | tuple[float, float]  # one value, or the ends of all that are right (a median)
Found = Iterable[tuple[str, Interval, Truth]]
Stop = Stopping | None


@dataclass(frozen=True)
class Case:
    """``measure(seed)``: quantities with their intervals and true values, independent from seed to seed."""

    kind: str
    measure: Callable[[int], Found]
    runs: int = 60


# -- routing functions ------------------------------------------------------------------------------------------------


def half(state: Any, node: int, destination: int) -> list[Any]:
    """A ring of four, either way round with probability 1/2, decided at the source."""
    if state is None:
        return [("1/2", 1, (node + 1) % 4), ("1/2", -1, (node - 1) % 4)]
    return [(1, state, (node + state) % 4)]


def restless(state: Any, node: int, destination: int) -> list[Any]:
    """A lazy walk on a ring of four that may pass a channel again and again."""
    step = 1 if (destination - node) % 4 < 3 else -1
    return [("3/4", None, (node + step) % 4), ("1/4", None, (node - step) % 4)]


def over_parallel(state: Any, node: int, destination: int) -> list[Any]:
    """``UNEVEN``: forwards around the ring, from node 0 over either of two channels, from node 1 perhaps backwards."""
    if node == 0:
        return [("1/4", None, Channel(0)), ("3/4", None, Channel(1))]
    if node == 1 and destination == 0:
        return [("1/3", None, Channel(2)), ("2/3", None, Channel(5))]
    return [(1, None, (node + 1) % 4)]


UNEVEN = Network.of(
    "uneven",
    4,
    [(0, 1), (0, 1), (1, 2), (2, 3), (3, 0), (1, 0)],
    bandwidth=["1/2", 2, 1, "5/3", 1, "1/3"],
    source=[0, 0, 0, 1, 2, 3, 3],
    sink=[2, 1, 3, 0, 0, 2, 1],
)
"""Several terminals at a node, others sending than receiving; parallel channels; unequal bandwidths."""


def rates(size: int) -> Traffic:
    """Unequal ones, among them none."""
    weight = [[(3 * i + 5 * j) % 7 if (i + j) % 3 else 0 for j in range(size)] for i in range(size)]
    return Traffic.of_matrix([[Fraction(x, 7 * size) for x in row] for row in weight], name="rates")


def of_function(function: Any, network: Network, samples: int, stopping: Stop = None) -> Callable[[int], Found]:
    size = network.num_terminals
    image = Traffic.of_permutation(Permutation([(i + size // 2) % size for i in range(size)]), name="halfway")
    traffics = [image, rates(size)]

    @cache
    def truth() -> Mapping[tuple[str, object], Any]:
        exact = answer_worst_case(Incremental(function).on(network), traffics=traffics)
        return {(x.quantity, x.about.get("traffic")): x.value for x in exact.stated}

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        for count in [samples] if stopping is None else [stop for _, stop in stopping.spans()]:
            routing = Sampled(function, samples=count, seed=seed).on(network)
            claims = sampled_claims(routing, traffics, stage=lambda _: nullcontext(), stopping=stopping)[2]
            values = [x for x in claims if isinstance(x.value, Interval)]
            if stopping is not None and stopping.enough([x.value for x in values]):
                break
        for x in values:
            yield x.quantity, x.value, truth()[x.quantity, x.about.get("traffic")]

    return measure


# -- random traffic, failures, hashing --------------------------------------------------------------------------------


def images(model: str, size: int) -> Iterator[list[int]]:
    """All permutations of the model, each as likely as the others."""
    if model == "shift":
        yield from ([(i + by) % size for i in range(size)] for by in range(1, size))
    elif model == "permutation":
        yield from map(list, permutations(range(size)))
    else:
        for rest in permutations(range(1, size)):
            order = [0, *rest]
            yield [order[(order.index(i) + 1) % size] for i in range(size)]


def of_average(routing: Routing, model: str, *, stopping: Stop = None, known: bool = False) -> Callable[[int], Found]:
    network = routing.network

    @cache
    def setting() -> tuple[list[Claim], Fraction, Fraction, float]:
        exact = answer_worst_case(routing).stated
        capacity = next(x.value for x in exact if x.quantity == "capacity")
        first = sampled_average_case(routing, model, samples=1)
        mean = MIXTURES.get(model)
        if mean is None:
            loads = [
                largest_load(channel_loads_under(routing, Traffic.of_permutation(Permutation(x))), network)
                for x in images(model, network.num_terminals)
            ]
            least = [min(1 / x, first.most) if x else first.most for x in loads]
            mean = sum(least, Fraction(0)) / len(least)
        return (
            [*exact] if known else [],
            next(x.value for x in exact if x.quantity == "worst_case_load"),
            capacity,
            mean,
        )

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        claims, load, capacity, mean = setting()
        if known:
            answer = answer_average(
                routing, model=model, samples=15, seed=seed, known=[x for x in claims if x.relation == "=="],
                stopping=stopping,
            )  # fmt: skip
            claim = answer.stated[0]
            yield claim.quantity, claim.value, mean / capacity  # type: ignore[misc]
        else:
            found = sampled_average_case(routing, model, samples=15, seed=seed, stopping=stopping, worst_load=load)
            yield "average_case_throughput", found, mean

    return measure


def _sinkhorn_mean() -> float:
    """On two terminals: the rate of the swap is the logistic function of the mean of two logistic variables."""
    at = (np.arange(2000) + 0.5) / 2000
    log = np.log(at / (1 - at))
    swap = 1 / (1 + np.exp(-(log[:, None] + log[None, :]) / 2))
    return float(np.minimum(1 / swap, 2).mean())


MIXTURES = {  # of ring:2, where traffic x across has the throughput min(1 / x, 2)
    "two-permutations": 3 / 4 + (1 + math.log(2)) / 2,
    "three-permutations": 3 / 8 + 3 / 8 * (1 / 2 + 2 * math.log(2)) + 3 / 8 * 3 / 2,
    "sinkhorn": _sinkhorn_mean(),
}


def of_failures(routing: Routing, stopping: Stop = None, **counts: int) -> Callable[[int], Found]:
    network = routing.network

    @cache
    def every() -> tuple[Mapping[Any, Fraction | None], Fraction]:
        some = all_failures(network, **counts)
        solved = solve_failures(base_of(routing), failures=[(list(x.nodes), x.channels(network)) for x in some])
        loads = [None if "lost" in x else Fraction(x["load"]) for x in solved]
        return dict(zip(some, loads, strict=True)), worst_case(routing).load

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        loads, whole = every()
        drawn: list[Any] = []
        for start, stop in [(0, 25)] if stopping is None else stopping.spans():
            drawn += drawn_failures(network, counts, start=start, stop=stop, seed=seed)
            found = sampled_failure_intervals([loads[x] for x in drawn], whole, seed, stopping)
            if stopping is not None and stopping.enough(found):
                break
        connected = Fraction(sum(x is not None for x in loads.values()), len(loads))
        left = sum((min(Fraction(1), whole / x) for x in loads.values() if x is not None), Fraction(0)) / len(loads)
        for what, interval, truth in zip(FAILURE_QUANTITIES, found, (connected, left), strict=True):
            yield what.name, interval, truth

    return measure


def of_hashing(network: Network, image: list[int], each: int) -> Callable[[int], Found]:
    @cache
    def flows() -> Flows:
        return Flows(named_routing("minimal:choice=per-hop", network), Permutation(image), each)

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        mean = flows().mean
        assert mean is not None
        claim = drawn_mean(flows(), {}, 40, seed)
        yield claim.quantity, claim.value, mean  # type: ignore[misc]

    return measure


# -- simulations ------------------------------------------------------------------------------------------------------


def of_trials(verb: str, asked: WiredRequest, outcomes: int, stopping: Stop = None) -> Callable[[int], Found]:
    """``outcomes``: how many different things are drawn, all as likely."""

    @cache
    def every() -> list[list[float]]:
        values: dict[Any, list[float]] = {}
        for trial in range(40 * outcomes):
            run = RUNS[verb][1](filled_request(verb, plain_request(asked), {"trial": str(trial)}))
            key = tuple(run.images.ravel().tolist()) if run.images.size else run.result.faulty.tobytes()
            if key not in values:
                values[key] = measure_trials(verb, plain_request(asked), trial, 1)[0]
        assert len(values) == outcomes
        return list(values.values())

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        columns = list(zip(*every(), strict=True))
        values: list[list[float]] = []
        for start, stop in [(0, 25)] if stopping is None else stopping.spans():
            values += measure_trials(verb, plain_request(asked), 10_000 + 1000 * seed + start, stop - start)
            confidence = 0.99 if stopping is None else stopping.confidence(stop)
            found = [
                trial_interval(what.kind, x, confidence=confidence)
                for what, x in zip(TRIAL_QUANTITIES[verb], zip(*values, strict=True), strict=True)
            ]
            if stopping is not None and stopping.enough(found):
                break
        for what, interval, x in zip(TRIAL_QUANTITIES[verb], found, columns, strict=True):
            ordered = sorted(x)
            middle = ordered[(len(x) - 1) // 2], ordered[len(x) // 2]
            yield what.name, interval, middle if what.kind == "median" else sum(map(Fraction, x)) / len(x)

    return measure


def of_calls(graph: CallGraph, rule: BusyRule | None) -> Callable[[int], Found]:
    """One event and a request, of four terminals: all that can be drawn, gone through."""
    asked = Churn(events=1, occupancy=Fraction(1), seed=0, rule=rule)

    @cache
    def truth() -> tuple[Fraction, Fraction]:
        exchange, outcomes = Exchange(graph, rule), []
        for i, j, k, at in product(range(4), range(4), range(4), range(12)):
            exchange.clear()
            done = exchange.connect(i, j) == 0
            idle = [0, 1, 2, 3]
            if done:  # the last takes the place of the one that is called
                idle[j] = idle[-1]
                idle.pop()
            outcomes.append(exchange.connect((k + 1) % 4 if done and k == i else k, idle[at % len(idle)]))
        return tuple(Fraction(sum(x in bad for x in outcomes), len(outcomes)) for bad in ((1, 2), (2,)))  # type: ignore[return-value]

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        churn = replace(asked, seed=seed)
        settings = {
            "occupancy": "1",
            "paths": "ordered",
            **({} if rule is None else {"beta": "3/2", "merger": "printed"}),
        }
        found = {x.quantity: x.value for x in call_claims(run_calls(graph, churn, trials=40), churn, settings)}
        for name, value in zip(("blocking_probability", "no_path_probability"), truth(), strict=True):
            if name in found:
                yield name, found[name], value  # type: ignore[misc]

    return measure


def of_requests_at_once(graph: CallGraph, count: int) -> Callable[[int], Found]:
    """Beside one call: a trial without events makes its own request, which is connected."""

    @cache
    def truth() -> Fraction:
        whole = []
        exchange = Exchange(graph)
        for i, j in product(range(4), repeat=2):
            exchange.clear()
            assert exchange.connect(i, j) == 0
            left = [permutations(sorted({0, 1, 2, 3} - {x}), count) for x in (i, j)]
            whole += [all(connect_together(exchange, list(zip(*x, strict=True)))[0]) for x in product(*left)]
        return Fraction(sum(whole), len(whole))

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        _, run = run_together(graph, Churn(events=0, occupancy=Fraction(1), seed=seed), count=count, trials=40)
        found = next(x for x in together_claims(run, count, seed) if isinstance(x.value, Interval))
        yield found.quantity, found.value, truth()  # type: ignore[misc]

    return measure


def of_cube(algorithm: str) -> Callable[[int], Found]:
    cube, image = Cube(2, 2), [3, 2, 1, 0]

    class Middles:
        def __init__(self, chosen: tuple[int, ...]) -> None:
            self.chosen = chosen

        def integers(self, low: int, high: int, size: int) -> Any:
            assert (low, high, size) == (0, 4, 4)
            return np.array(self.chosen)

    @cache
    def steps() -> list[int]:
        ends = np.arange(4, dtype=np.int32), np.array(image, dtype=np.int32)
        return [
            CUBE_ALGORITHMS[algorithm].moves(cube, *ends, Middles(x)).shape[1]  # type: ignore[arg-type]
            for x in product(range(4), repeat=4)
        ]

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        trials = run_trials(algorithm, cube, image, trials=30, seed=1000 * seed)
        for claim in trial_claims(trials, [2, 3, 4]):
            bound = int(claim.about["steps"])
            yield claim.quantity, claim.value, Fraction(sum(x <= bound for x in steps()), 256)  # type: ignore[misc]

    return measure


def of_loads(use: str) -> Callable[[int], Found]:
    """Two terminals at either end of a channel each way; ``use``: of the channel.  Each makes a packet with probability
    p, so that p / (2 (1 - 2 p)) wait at a channel on average, of 2 p that pass."""
    network = network_from_spec("ring:2,concentration=2")
    routing, swap = named_routing("dor", network), Traffic.of_permutation(Permutation([2, 3, 0, 1]), name="swap")
    p = Fraction(use) / 2
    truth = {"offered_rate": p, "accepted_rate": p, "queue_growth": Fraction(0), "average_hops": Fraction(1)}
    truth["average_delay"] = 1 + p / (2 * (1 - 2 * p))

    def measure(seed: int) -> Iterator[tuple[str, Interval, Truth]]:
        settings: dict[str, Any] = {"order": "fifo", "cycles": 8000, "warm_up": 2000, "seed": seed}
        for claim in oblivious_runs(routing, swap, rates=[p], around=(), **settings)[1]:
            yield claim.quantity, claim.value, truth[claim.quantity]  # type: ignore[misc]

    return measure


def _stop(width: str, limit: int, first: int = 10) -> Stopping:
    relative = width.endswith("%")
    amount = Fraction(width.removesuffix("%")) / (100 if relative else 1)
    return Stopping(Width(amount, relative), limit, first)


def _wired(spec: str) -> CallGraph:
    return call_graph_of_wiring(wiring_of(spec))


def _cases() -> dict[str, Case]:
    crowd, pairs = network_from_spec("ring:4,concentration=16"), network_from_spec("ring:4,concentration=2")
    ring, mesh = network_from_spec("ring:4,bandwidth=1/2,concentration=2"), network_from_spec("mesh:2x3")
    square = network_from_spec("mesh:2x2,concentration=2")
    few = named_routing("dor", pairs_of(3))
    drawn, wired = ("random:seed={trial}",), "multibutterfly:4,d=2,seed=1"
    benes = "multi-benes:4,d=2,seed=7"
    return {
        "function, 16 terminals a node": Case("sampled", of_function(half, crowd, 20)),
        "function, loops": Case("sampled", of_function(restless, ring, 20)),
        "function, uneven": Case("sampled", of_function(over_parallel, UNEVEN, 20)),
        "function, stopping": Case("sampled", of_function(half, pairs, 0, _stop("150%", 320)), 40),
        "permutations": Case("random-traffic", of_average(few, "permutation")),
        "permutations, uneven": Case(
            "random-traffic", of_average(named_routing("minimal:choice=per-hop", UNEVEN_BOTH), "permutation")
        ),
        "shifts": Case("random-traffic", of_average(named_routing("minimal:choice=per-hop", mesh), "shift")),
        "rings": Case(
            "random-traffic", of_average(named_routing("minimal:choice=per-hop", mesh), "ring", known=True), 50
        ),
        "permutations, stopping": Case(
            "random-traffic",
            of_average(few, "permutation", stopping=_stop("50%", 80)),
            50,
        ),
        **{
            model: Case("random-traffic", of_average(named_routing("dor", network_from_spec("ring:2")), model), 60)
            for model in MIXTURES
        },
        "links fail": Case("drawn-failures", of_failures(named_routing("minimal:choice=per-hop", pairs), links=2)),
        "cables fail": Case(
            "drawn-failures", of_failures(named_routing("minimal:choice=per-hop", UNEVEN_BOTH), cables=2)
        ),
        "failures, stopping": Case(
            "drawn-failures",
            of_failures(named_routing("minimal:choice=per-hop", mesh), _stop("1/4", 640), links=2),
        ),
        "hashing": Case("hashed-draws", of_hashing(square, [6, 7, 4, 5, 2, 3, 0, 1], 1)),
        "hashing, two flows": Case("hashed-draws", of_hashing(UNEVEN_BOTH, [3, 4, 5, 0, 1, 2], 2)),
        "packets": Case("trial-runs", of_trials("packets", WiredRequest("butterfly:2", drawn), 24)),
        "circuits": Case(
            "trial-runs",
            of_trials("circuits", WiredRequest(wired, drawn), 24),
        ),
        "circuits, stopping": Case(
            "trial-runs",
            of_trials("circuits", WiredRequest("butterfly:2", drawn), 24, _stop("1/3", 160)),
            80,
        ),
        "faults": Case(
            "trial-runs",
            of_trials("faults", WiredRequest(wired, faults="random:count=2,seed={trial}"), 66),
        ),
        "calls": Case("call-run", of_calls(_wired("butterfly:2"), None)),
        "calls, rule": Case("call-run", of_calls(_wired(benes), busy_rule(wiring_of(benes), beta=Fraction(3, 2)))),
        "requests at once": Case("call-together", of_requests_at_once(_wired("butterfly:2"), 2)),
        "cube": Case("cube-trials", of_cube("valiant-brebner")),
        "cube, at once": Case("cube-trials", of_cube("valiant-brebner-at-once")),
        **{f"load, use {x}": Case("load-run", of_loads(x)) for x in ("1/2", "9/10", "99/100")},
    }


def pairs_of(size: int) -> Network:
    return network_from_spec(f"ring:{size},concentration=2")


UNEVEN_BOTH = Network.of(
    "uneven both ways",
    3,
    [(0, 1), (1, 0), (0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)],
    bandwidth=[1, 1, "1/2", "1/2", 2, 2, "3/4", "3/4"],
    source=[0, 0, 0, 1, 2, 2],
    sink=[0, 0, 0, 1, 2, 2],
)
CASES = _cases()


def misses(case: Case, runs: int) -> dict[str, tuple[int, int]]:
    """By quantity: how often its interval missed, and of how many."""
    found: dict[str, tuple[int, int]] = {}
    for seed in range(runs):
        for name, interval, truth in case.measure(seed):
            assert interval.confidence == 0.99
            low, high = truth if isinstance(truth, tuple) else (truth, truth)
            missed, of = found.get(name, (0, 0))
            found[name] = missed + (not (interval.low <= high and low <= interval.high)), of + 1
    return found


@pytest.mark.parametrize("name", CASES)
def test_intervals_cover_as_often_as_they_say(name: str) -> None:
    for quantity, (missed, runs) in misses(CASES[name], CASES[name].runs).items():
        assert probability_limits(missed, runs, confidence=0.999)[0] <= 0.01, (quantity, missed, runs)


def test_every_sampled_quantity_is_covered() -> None:
    stated = {
        (kind, x)
        for kind, entry in KINDS.own.items()
        for x, form in entry.states.items()
        if form.grade is Grade.SAMPLED
    }
    measured = {(case.kind, x) for case in CASES.values() for x, _, _ in case.measure(0)}
    assert measured == stated | {("sampled", x) for x in OF_FUNCTIONS}


def test_claims_are_sampled_nowhere_else() -> None:
    """SAMPLED claims are made by their kinds, whose quantities the test above goes through; no module makes its own."""
    root = Path(routeproof.__file__).parent
    for path in root.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "Claim":
                given = map(ast.unparse, [*call.args, *(x.value for x in call.keywords)])
                assert "Grade.SAMPLED" not in given, path


if __name__ == "__main__":
    for label, case in CASES.items():
        if len(sys.argv) < 3 or sys.argv[2] in label:
            print(label, misses(case, int(sys.argv[1])), flush=True)
