"""Steps against N and P: Maggs, Randomly Wired Multistage Networks, sec. 2, measured for three networks.

"Upfal's algorithm routes P permutations in O(P + log N) steps" (Theorem 1) on multibutterflies with expansion.
Butterfly and dilated butterfly are routed greedily with queues, where one step uses every edge once, as a stage of
Upfal's algorithm (4d steps) does; so stages stand beside greedy steps.  Bit-reversal and transpose are the butterfly's
bad permutations: about sqrt(N) steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Grade
from ...core.sampling.intervals import median_limits
from ..pieces import done_pieces
from ..result import Chart, Row, StudyResult

if TYPE_CHECKING:
    from ...core.multistage.wiring import Wiring
    from ...engine import Engine

__all__ = ["NAME", "all_at_once", "one_by_one", "pattern", "run"]

NAME = "maggs-packets"
_NETWORKS = ("butterfly", "dilated butterfly, d = 2", "multibutterfly, d = 2")
_BAD = ("bit-reversal", "transpose")
_LOAD = 4


def run(
    progress: Callable[[str], None] | None = None,
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
                rows.append(_exact(f"{name}, N = 2^{n}: {bad}", stages, f"{name}, {bad}", n))
            rows.append(_median(f"{name}, N = 2^{n}: random, median", found, f"{name}, random", n, seed))
    for count in permutations:
        for name in _NETWORKS:
            stages = together[f"{name}, {count} permutations"]
            rows.append(
                _exact(f"{name}, N = 2^10: {count} random permutation{'s' if count > 1 else ''}", stages, "", count)
            )
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
    wiring = _wiring(name, n, seed)
    bad = [_stages(wiring, pattern(x, n)[None, :]) for x in _BAD]
    return [*bad, [_stages(wiring, _random(n, seed, k)[None, :]) for k in range(trials)]]


def all_at_once(seed: int, name: str, count: int) -> int:
    """Stages of ``count`` random permutations at once, 1024 inputs."""
    images = np.stack([_random(10, seed, k) for k in range(count)])
    return _stages(_wiring(name, 10, seed), images)


def _wiring(name: str, n: int, seed: int) -> Wiring:
    from ...topologies.multistage.banyan import butterfly, dilated_butterfly, multibutterfly

    if name.startswith("multi"):
        return multibutterfly(1 << n, d=2, seed=seed)
    return dilated_butterfly(n, d=2) if name.startswith("dilated") else butterfly(n)


def _stages(wiring: Wiring, images: npt.NDArray[np.int32]) -> int:
    """Stages of Upfal's algorithm on random wirings, steps of greedy routing on the others."""
    from ...simulate.packets.greedy import route_greedily
    from ...simulate.packets.upfal import route_packets

    if wiring.name.startswith("multibutterfly"):
        run = route_packets(wiring, images, load=_LOAD)
        count = run.stages
    else:
        run = route_greedily(wiring, images)
        count = run.steps
    if run.delivered != run.packets:
        raise ArithmeticError(f"{run.packets - run.delivered} packets never arrive on {wiring.name}")
    return count


def pattern(name: str, n: int) -> npt.NDArray[np.int32]:
    """``transpose`` (the halves of the row's bits change places) or ``bit-reversal`` of 2^n rows."""
    rows = np.arange(1 << n)
    if name == "transpose":
        half = n // 2
        return ((rows & ((1 << half) - 1)) << (n - half) | rows >> half).astype(np.int32)
    image = np.zeros_like(rows)
    for bit in range(n):
        image |= (rows >> bit & 1) << (n - 1 - bit)
    return image.astype(np.int32)


def _random(n: int, seed: int, k: int) -> npt.NDArray[np.int32]:
    return np.random.default_rng([seed, n, k]).permutation(1 << n).astype(np.int32)


def _exact(label: str, stages: int, series: str, x: int) -> Row:
    data: dict[str, Any] = {"quantity": "stages"}
    if series:
        data |= {"series": series, "x": x}
    return Row(label, stages, grade=Grade.EXHAUSTED, data=data)


def _median(label: str, found: Sequence[int], series: str, n: int, seed: int) -> Row:
    low, middle, high = median_limits(found)
    data = {"quantity": "stages", "series": series, "x": n, "best": str(middle), "trials": len(found), "seed": seed}
    return Row(label, (Fraction(low), Fraction(high)), grade=Grade.SAMPLED, data=data)


def _growth(rows: Sequence[Row], sizes: Sequence[int]) -> Row:
    """Do stages of the multibutterfly per level stay, where steps of the butterfly grow as the square root of N?"""
    first, last = min(sizes), max(sizes)
    steps = {x.label: x.computed for x in rows}
    per = {}
    for name in (_NETWORKS[0], _NETWORKS[2]):
        a, b = (steps[f"{name}, N = 2^{n}: bit-reversal"] for n in (first, last))
        assert isinstance(a, int)
        assert isinstance(b, int)
        per[name] = b / a
    return Row(
        f"bit-reversal, 2^{last} inputs over 2^{first}",
        f"butterfly {per[_NETWORKS[0]]:.1f} times, multibutterfly {per[_NETWORKS[2]]:.1f} times",
        "O(P + log N) on multibutterflies",
        None,
        f"sqrt N grows {2 ** ((last - first) / 2):.0f} times, log N {last / first:.1f} times; a few sizes of one "
        "wiring each are no proof of an order of growth",
        Grade.EXHAUSTED,
    )
