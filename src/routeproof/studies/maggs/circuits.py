"""Circuits with and without placeholders: Maggs, Randomly Wired Multistage Networks, sec. 3, against size and load.

"It is possible to establish paths ... in O(log^2 N) bit-steps" level by level, and in O(log N) with placeholders and
cancellations.  Both are counted here, for one wiring and one permutation of each size; the two orders of growth cannot
be told apart at practical sizes, where a level takes one to three steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.claim import Grade
from ...core.sampling.intervals import probability_limits
from ..pieces import done_pieces
from ..result import Chart, Row, StudyResult

if TYPE_CHECKING:
    from ...engine import Engine
    from ...simulate.circuits.levels import CircuitRun

__all__ = ["NAME", "of_load", "of_size", "run"]

NAME = "maggs-circuits"


def run(
    progress: Callable[[str], None] | None = None,
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
                low, high = (Fraction(x).limit_denominator(10**6) for x in probability_limits(whole, trials))
                label = f"{name}: all circuits connect, N = 256, d = {d}, load {load}"
                data = {"quantity": "all_connected_probability", "hits": whole, "trials": trials, "seed": seed}
                data |= {"series": f"{name}, d = {d}", "load": load, "x": load, "best": f"{whole}/{trials}"}
                rows.append(Row(label, (low, high), grade=Grade.SAMPLED, data=data))
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
    from ...topologies.multistage.banyan import multibutterfly

    wiring = multibutterfly(1 << n, d=3, seed=seed)
    image = np.random.default_rng(seed).permutation(1 << n >> 3)
    found = {name: route(wiring, image, load=8) for name, route in _algorithms().items()}
    return {
        name: {
            "bit_steps": run.bit_steps,
            "steps": run.steps,
            "rounds": len(run.rounds),
            "connected": run.connected,
            "requests": run.requests,
        }
        for name, run in found.items()
    }


def of_load(seed: int, trials: int, d: int, load: int) -> dict[str, int]:
    """For how many of ``trials`` permutations each algorithm connects all circuits, N = 256."""
    from ...topologies.multistage.banyan import multibutterfly

    wiring = multibutterfly(256, d=d, seed=seed)
    images = [np.random.default_rng([seed, k]).permutation(256 // load) for k in range(trials)]
    return {
        name: sum(route(wiring, x, load=load).connected == len(x) for x in images)
        for name, route in _algorithms().items()
    }


def _algorithms() -> dict[str, Callable[..., CircuitRun]]:
    from ...simulate.circuits.levels import route_circuits
    from ...simulate.circuits.pipelined import route_pipelined

    return {"simple": route_circuits, "placeholders": route_pipelined}


def _growth(rows: Sequence[Row], sizes: Sequence[int]) -> Row:
    """Bit-steps per level at the largest size, as a multiple of those at the smallest: 1 if they grow as log N."""
    n, m = min(sizes), max(sizes)
    ratio = {}
    for name in ("simple", "placeholders"):
        steps = {x.data["n"]: x.computed for x in rows if x.label.startswith(f"{name}: bit-steps")}
        first, last = steps[n], steps[m]
        assert isinstance(first, int)
        assert isinstance(last, int)
        ratio[name] = Fraction(last * n, first * m)
    return Row(
        f"bit-steps per level, 2^{m} inputs over 2^{n}",
        f"simple {float(ratio['simple']):.2f}, placeholders {float(ratio['placeholders']):.2f}",
        "O(log^2 N) against O(log N)",
        None,
        f"with {m} levels instead of {n} the bound for one level at a time would allow {m / n:.2f}, the other 1; one "
        "wiring and one permutation of each size do not separate them: the orders of growth cannot be seen here",
        Grade.EXHAUSTED,
    )
