"""Circuits and calls on Maggs's networks: bit-steps, success against load, and when a call fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from ...core.claim import Grade
from ...core.multistage.call_graph import CallGraph
from ...simulate.calls.blocking import BlockingState, decide_strict
from ...simulate.calls.churn import Churn, busy_rule, run_calls
from ...simulate.circuits.switching import CircuitRun, route_circuits, route_pipelined
from ...topologies.family import is_wired, network_from_spec, wiring_from_spec
from ...topologies.multistage.banyan import multi_benes, multibutterfly
from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
from ..result import HERE, Chart, Here, Row, StudyResult
from .packets import probability_row

_ALGORITHMS: Mapping[str, Callable[..., CircuitRun]] = {"simple": route_circuits, "placeholders": route_pipelined}


def circuits(
    here: Here = HERE,
    *,
    sizes: Sequence[int] = (6, 8, 10, 12, 14),
    loads: Sequence[int] = (2, 4, 8, 16),
    trials: int = 50,
    seed: int = 7,
) -> StudyResult:
    """Circuits with and without placeholders: Maggs, Randomly Wired Multistage Networks, sec. 3, against size and load.

    "It is possible to establish paths ... in O(log^2 N) bit-steps" level by level, and in O(log N) with placeholders
    and cancellations.  Both are counted here, for one wiring and one permutation of each size; the two orders of growth
    cannot be told apart at practical sizes, where a level takes one to three steps.

    Bit-steps of both algorithms for N = 2^n, n in ``sizes``; how often all circuits connect, N = 256, by load.
    """
    rows: list[Row] = []
    pieces = {f"circuits of 2^{n} inputs": {"n": n} for n in sizes}
    sized = here.done("sizes", of_size, pieces, seed=seed)
    for n in sizes:
        for name, found in sized[f"circuits of 2^{n} inputs"].items():
            data: dict[str, Any] = {"quantity": "bit_steps", "steps": found["steps"], "rounds": found["rounds"], "n": n}
            data |= {"connected": found["connected"], "requests": found["requests"]}
            lost = found["requests"] - found["connected"]
            label = f"{name}: bit-steps, N = 2^{n}, d = 3, load 8"
            note = f"{lost} circuits fail" if lost else ""
            rows.append(Row(label, found["bit_steps"], note=note, grade=Grade.EXHAUSTED, data=data))
    pieces = {f"d = {d} at load {load}": {"d": d, "load": load} for d in (2, 3) for load in loads}
    loaded = here.done("loads", of_load, pieces, seed=seed, trials=trials)
    for d in (2, 3):
        for load in loads:
            for name, whole in loaded[f"d = {d} at load {load}"].items():
                label = f"{name}: all circuits connect, N = 256, d = {d}, load {load}"
                place = {"series": f"{name}, d = {d}", "load": load, "x": load, "best": f"{whole}/{trials}"}
                quantity = "all_connected_probability"
                rows.append(probability_row(label, quantity, whole, trials, seed=seed, **place))
    rows.append(_growth(rows, sizes))
    return StudyResult(
        "Circuits on multibutterflies: bit-steps against N, success against load (99% intervals)",
        "Maggs, Randomly Wired Multistage Networks, sec. 3; Arora, Leighton & Maggs 1990",
        "O(log N) bit-steps with placeholders and cancellations, where one level at a time takes O(log^2 N)",
        tuple(rows),
        chart=Chart("load L: every L-th row is a terminal", "probability that all circuits connect"),
    )


def of_size(seed: int, n: int) -> dict[str, dict[str, int]]:
    """What each algorithm needs for one permutation of 2^n inputs, d = 3, load 8."""
    wiring = multibutterfly(1 << n, d=3, seed=seed)
    image = np.random.default_rng(seed).permutation(1 << n >> 3)
    found = {}
    for name, route in _ALGORITHMS.items():
        run = route(wiring, image, load=8)
        found[name] = {x: int(getattr(run, x)) for x in ("bit_steps", "steps", "connected", "requests")}
        found[name]["rounds"] = len(run.rounds)
    return found


def of_load(seed: int, trials: int, d: int, load: int) -> dict[str, int]:
    """For how many of ``trials`` permutations each algorithm connects all circuits, N = 256."""
    wiring = multibutterfly(256, d=d, seed=seed)
    images = [np.random.default_rng([seed, k]).permutation(256 // load) for k in range(trials)]
    return {
        name: sum(route(wiring, x, load=load).connected == len(x) for x in images)
        for name, route in _ALGORITHMS.items()
    }


def _growth(rows: Sequence[Row], sizes: Sequence[int]) -> Row:
    """Bit-steps per level at the largest size, as a multiple of those at the smallest: 1 if they grow as log N."""
    n, m = min(sizes), max(sizes)
    words = []
    for name in _ALGORITHMS:
        mine = [x for x in rows if x.label.startswith(f"{name}: bit-steps")]
        steps = {x.data["n"]: x.computed for x in mine if isinstance(x.computed, int)}
        words.append(f"{name} {steps[m] * n / (steps[n] * m):.2f}")
    why = (
        f"with {m} levels instead of {n} the bound for one level at a time would allow {m / n:.2f}, the other 1; one "
        "wiring and one permutation of each size do not separate them: the orders of growth cannot be seen here"
    )
    label = f"bit-steps per level, 2^{m} inputs over 2^{n}"
    return Row(label, ", ".join(words), "O(log^2 N) against O(log N)", None, why, Grade.EXHAUSTED)


_QUANTITY = "blocking_probability"

_STRICT = (  # network, load, the theorem's word and its source
    ("clos:4,3,3", 1, "blocks: m < 2n - 1", "false"),
    ("clos:5,3,3", 1, "nonblocking: m >= 2n - 1", "true"),
    ("cantor:3", 1, "nonblocking: log2 N copies", "true"),
    ("benes:3", 1, "", ""),
    ("multi-benes:16,d=2,seed=1", 1, "", ""),
    ("multi-benes:16,d=2,seed=1", 2, "", ""),
    ("multi-benes:16,d=2,seed=1", 4, "", ""),
    ("multi-benes:32,d=2,seed=1", 8, "", ""),
)
_CHURN = (
    ("benes:6", 1),
    ("multi-benes:64,d=2,seed=7", 1),
    ("multi-benes:128,d=2,seed=7", 2),
    ("clos:8,8,8", 1),
    ("clos:12,8,8", 1),
    ("clos:15,8,8", 1),
    ("cantor:6", 1),
)
_RULE = ((4, 8, "3"), (4, 16, "3"), (6, 16, "5"))  # of 32 terminals: d, load, beta


def nonblocking(
    here: Here = HERE,
    *,
    trials: int = 200,
    seed: int = 7,
    occupancies: tuple[str, ...] = ("1/4", "1/2", "3/4", "9/10", "1"),
) -> StudyResult:
    """When does a call fail: Maggs, Randomly Wired Multistage Networks, sec. 5, measured, and decided where it can be.

    "Any unused input-output pair can be connected by a path through unused switches, no matter what paths have
    previously been established": decided exactly for small networks, with the theorems of Clos and Cantor beside it;
    sampled under random churn for 64 terminals.  The busy and blocked rule is tried at both of its thresholds; its
    theorem asks for beta > 2d/3 + 2/3 and L > 1/(2 alpha (3 beta - 2d - 2)), which no network of practical size reaches
    with constants that are proved, so that nothing here confirms or refutes it.

    Strict-sense nonblocking decided, blocking probabilities against occupancy, and the rule's two thresholds.
    """
    rows: list[Row] = []
    pieces: dict[str, dict[str, Any]]
    pieces = {f"deciding {_name(text, load)}": {"text": text, "load": load} for text, load, _, _ in _STRICT}
    answers = here.done("networks", decided, pieces)
    for text, load, published, word in _STRICT:
        value, note = answers[f"deciding {_name(text, load)}"]
        label = f"strictly nonblocking: {text}" + (f", load {load}" if load > 1 else "")
        agrees = value == word if word else None
        rows.append(Row(label, value, published, agrees, note, data={"quantity": "strictly_nonblocking", "load": load}))
    pieces = {
        f"calls on {_name(text, load)} at occupancy {x}": {"text": text, "load": load, "occupancy": x}
        for text, load in _CHURN
        for x in occupancies
    }
    failed = here.done("occupancies", churned, pieces, trials=trials, seed=seed)
    for text, load in _CHURN:
        for occupancy in occupancies:
            name = _name(text, load)
            hits = failed[f"calls on {name} at occupancy {occupancy}"]
            place = {"series": name, "occupancy": occupancy, "x": occupancy, "best": f"{hits}/{trials}"}
            rows.append(probability_row(f"{name}, occupancy {occupancy}", _QUANTITY, hits, trials, seed=seed, **place))
    pieces = {
        f"the rule, d = {d}, load {load}, {merger}": {"d": d, "load": load, "beta": beta, "merger": merger}
        for d, load, beta in _RULE
        for merger in ("printed", "argument")
    }
    ruled = here.done("rules", by_rule, pieces, seed=seed)
    for key, (wiring_name, hits) in ruled.items():
        asked = pieces[key]
        label = f"by the rule: {_name(wiring_name, asked['load'])}, beta {asked['beta']}, {asked['merger']}"
        rows.append(probability_row(f"{label}, occupancy 1/2", _QUANTITY, hits, 100, seed=seed))
    least = next(d for d in range(2, 99) if d - 1 > Fraction(2 * d + 2, 3))
    why = (
        "random splitters have beta close to d - 1 at best, so the rule's theorem speaks of no smaller d; its "
        "L > 1/(2 alpha (3 beta - 2d - 2)) cannot be seen at practical sizes"
    )
    rows.append(Row("least d with d - 1 > 2d/3 + 2/3", least, "beta > 2d/3 + 2/3", None, why))
    return StudyResult(
        "When a call fails: 64 terminals, random churn, 99% intervals; small networks decided exactly",
        "Maggs, Randomly Wired Multistage Networks, sec. 5; Clos 1953; Cantor 1971",
        "any unused input can reach any unused output, no matter what paths have already been established",
        tuple(rows),
        chart=Chart("occupancy: calls in progress, of all terminals", "probability that a call fails"),
    )


def decided(text: str, load: int) -> list[str]:
    """["true" or "false", what blocks]; it takes the time that it takes, so that all machines print the same."""
    answer = decide_strict(_graph(text, load), time_limit=inf)
    if isinstance(answer, BlockingState):
        return ["false", f"{len(answer.paths)} calls block another"]
    return ["true", ""]


def churned(trials: int, seed: int, text: str, load: int, occupancy: str) -> int:
    """In how many of ``trials`` a call fails."""
    graph = _graph(text, load)
    churn = Churn(6 * graph.terminals, Fraction(occupancy), seed, random_paths=True)
    return run_calls(graph, churn, trials=trials).failed


def by_rule(seed: int, d: int, load: int, beta: str, merger: str) -> list[Any]:
    """[the network's name, in how many of 100 trials a call fails] by the busy and blocked rule."""
    wiring = multi_benes(32 * load, d=d, seed=seed)
    graph = call_graph_of_wiring(wiring, load=load)
    rule = busy_rule(wiring, beta=Fraction(beta), merger=merger)
    found = run_calls(graph, Churn(6 * graph.terminals, Fraction(1, 2), seed, rule), trials=100)
    return [wiring.name, found.failed]


def _graph(text: str, load: int) -> CallGraph:
    if is_wired(text):
        return call_graph_of_wiring(wiring_from_spec(text), load=load)
    return call_graph_of_network(network_from_spec(text))


def _name(text: str, load: int) -> str:
    return text if load == 1 else f"{text}, load {load}"
