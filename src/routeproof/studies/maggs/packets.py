"""Steps against N and P: Maggs, Randomly Wired Multistage Networks, sec. 2, measured for three networks.

"Upfal's algorithm routes P permutations in O(P + log N) steps" (Theorem 1) on multibutterflies with expansion.
Butterfly and dilated butterfly are routed greedily with queues, where one step uses every edge once, as a stage of
Upfal's algorithm (4d steps) does; so stages stand beside greedy steps.  Bit-reversal and transpose are the butterfly's
bad permutations: about sqrt(N) steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Grade
from ...core.multistage.wiring import Wiring
from ...core.sampling.intervals import median_limits
from ...engine import Engine
from ...simulate.packets.upfal import route_greedily, route_packets
from ..pieces import Progress, done_pieces, silent
from ..result import Chart, Row, StudyResult, sampled
from .wirings import BUTTERFLY, DILATED, MULTI, pattern, wiring_of

NAME = "maggs-packets"
_NETWORKS = (BUTTERFLY, DILATED, MULTI)
_BAD = ("bit-reversal", "transpose")
_LOAD = 4


def run(
    progress: Progress = silent,
    *,
    sizes: Sequence[int] = (6, 8, 10, 12, 14),
    permutations: Sequence[int] = (1, 4, 16, 64),
    trials: int = 20,
    seed: int = 7,
    engine: Engine | None = None,
) -> StudyResult:
    """Stages (greedy: steps) of one permutation for N = 2^n, n in ``sizes``; of P random ones at once for N = 1024."""
    rows: list[Row] = []
    sized = {f"{name}, N = 2^{n}": {"name": name, "n": n, "trials": trials} for n in sizes for name in _NETWORKS}
    counted = {f"{name}, {p} permutations": {"name": name, "count": p} for p in permutations for name in _NETWORKS}
    shared = {"seed": seed}
    alone = done_pieces(one_by_one, sized, shared=shared, name="sizes", engine=engine, progress=progress)
    together = done_pieces(all_at_once, counted, shared=shared, name="permutations", engine=engine, progress=progress)
    for n in sizes:
        for name in _NETWORKS:
            *fixed, found = alone[f"{name}, N = 2^{n}"]
            for bad, stages in zip(_BAD, fixed, strict=True):
                place = {"quantity": "stages", "series": f"{name}, {bad}", "x": n}
                rows.append(Row(f"{name}, N = 2^{n}: {bad}", stages, grade=Grade.EXHAUSTED, data=place))
            low, middle, high = median_limits(found)
            place = {"quantity": "stages", "series": f"{name}, random", "x": n}
            own = {"best": str(middle), "trials": len(found), "seed": seed}
            rows.append(sampled(f"{name}, N = 2^{n}: random, median", (low, high), **place, **own))
    for count in permutations:
        for name in _NETWORKS:
            stages = together[f"{name}, {count} permutations"]
            label = f"{name}, N = 2^10: {count} random permutation{'s' if count > 1 else ''}"
            rows.append(Row(label, stages, grade=Grade.EXHAUSTED, data={"quantity": "stages"}))
    rows.append(_growth(rows, sizes))
    return StudyResult(
        NAME,
        "Stages of Upfal's algorithm on multibutterflies, greedy steps on butterflies (99% intervals of medians)",
        "Maggs, Randomly Wired Multistage Networks, sec. 2; Upfal 1989; Leighton & Maggs 1989",
        "Theorem 1: P permutations in O(P + log N) steps",
        tuple(rows),
        chart=Chart("log2 N", "stages, or steps of greedy routing", logarithmic=True),
    )


def one_by_one(seed: int, name: str, n: int, trials: int) -> list[Any]:
    """[stages of bit-reversal, of transpose, [of every random permutation]] with 2^n inputs."""
    wiring = wiring_of(name, n, seed)
    bad = [_stages(wiring, pattern(x, n)[None, :]) for x in _BAD]
    return [*bad, [_stages(wiring, _random(n, seed, k)[None, :]) for k in range(trials)]]


def all_at_once(seed: int, name: str, count: int) -> int:
    """Stages of ``count`` random permutations at once, 1024 inputs."""
    images = np.stack([_random(10, seed, k) for k in range(count)])
    return _stages(wiring_of(name, 10, seed), images)


def _stages(wiring: Wiring, images: npt.NDArray[np.int32]) -> int:
    """Stages of Upfal's algorithm on random wirings, steps of greedy routing on the others."""
    waves = wiring.name.startswith("multibutterfly")
    run = route_packets(wiring, images, load=_LOAD) if waves else route_greedily(wiring, images)
    if run.delivered != run.packets:
        raise ArithmeticError(f"{run.packets - run.delivered} packets never arrive on {wiring.name}")
    return run.stages if waves else run.steps


def _random(n: int, seed: int, k: int) -> npt.NDArray[np.int32]:
    return np.random.default_rng([seed, n, k]).permutation(1 << n).astype(np.int32)


def _growth(rows: Sequence[Row], sizes: Sequence[int]) -> Row:
    """Do stages of the multibutterfly per level stay, where steps of the butterfly grow as the square root of N?"""
    first, last = min(sizes), max(sizes)
    steps = {x.label: x.computed for x in rows if isinstance(x.computed, int)}
    low, high = ([steps[f"{name}, N = 2^{n}: bit-reversal"] for name in (BUTTERFLY, MULTI)] for n in (first, last))
    words = f"butterfly {high[0] / low[0]:.1f} times, multibutterfly {high[1] / low[1]:.1f} times"
    why = (
        f"sqrt N grows {2 ** ((last - first) / 2):.0f} times, log N {last / first:.1f} times; a few sizes of one "
        "wiring each are no proof of an order of growth"
    )
    label = f"bit-reversal, 2^{last} inputs over 2^{first}"
    return Row(label, words, "O(P + log N) on multibutterflies", None, why, Grade.EXHAUSTED)
