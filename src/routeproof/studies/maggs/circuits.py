"""Circuits with and without placeholders: Maggs, Randomly Wired Multistage Networks, sec. 3, against size and load.

"It is possible to establish paths ... in O(log^2 N) bit-steps" level by level, and in O(log N) with placeholders and
cancellations.  Both are counted here, for one wiring and one permutation of each size; the two orders of growth cannot
be told apart at practical sizes, where a level takes one to three steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.claim import Grade
from ...engine import Engine
from ...simulate.circuits.switching import CircuitRun, route_circuits, route_pipelined
from ...topologies.multistage.banyan import multibutterfly
from ..pieces import Progress, done_pieces, silent
from ..result import Chart, Row, StudyResult
from .wirings import probability_row

NAME = "maggs-circuits"
_ALGORITHMS: Mapping[str, Callable[..., CircuitRun]] = {"simple": route_circuits, "placeholders": route_pipelined}


def run(
    progress: Progress = silent,
    *,
    sizes: Sequence[int] = (6, 8, 10, 12, 14),
    loads: Sequence[int] = (2, 4, 8, 16),
    trials: int = 50,
    seed: int = 7,
    engine: Engine | None = None,
) -> StudyResult:
    """Bit-steps of both algorithms for N = 2^n, n in ``sizes``; how often all circuits connect, N = 256, by load."""
    rows: list[Row] = []
    pieces = {f"circuits of 2^{n} inputs": {"n": n} for n in sizes}
    sized = done_pieces(of_size, pieces, shared={"seed": seed}, name="sizes", engine=engine, progress=progress)
    for n in sizes:
        for name, found in sized[f"circuits of 2^{n} inputs"].items():
            data: dict[str, Any] = {"quantity": "bit_steps", "steps": found["steps"], "rounds": found["rounds"], "n": n}
            data |= {"connected": found["connected"], "requests": found["requests"]}
            lost = found["requests"] - found["connected"]
            label = f"{name}: bit-steps, N = 2^{n}, d = 3, load 8"
            note = f"{lost} circuits fail" if lost else ""
            rows.append(Row(label, found["bit_steps"], note=note, grade=Grade.EXHAUSTED, data=data))
    pieces = {f"d = {d} at load {load}": {"d": d, "load": load} for d in (2, 3) for load in loads}
    shared = {"seed": seed, "trials": trials}
    loaded = done_pieces(of_load, pieces, shared=shared, name="loads", engine=engine, progress=progress)
    for d in (2, 3):
        for load in loads:
            for name, whole in loaded[f"d = {d} at load {load}"].items():
                label = f"{name}: all circuits connect, N = 256, d = {d}, load {load}"
                place = {"series": f"{name}, d = {d}", "load": load, "x": load, "best": f"{whole}/{trials}"}
                quantity = "all_connected_probability"
                rows.append(probability_row(label, quantity, whole, trials, seed=seed, **place))
    rows.append(_growth(rows, sizes))
    return StudyResult(
        NAME,
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
