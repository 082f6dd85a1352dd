"""Adaptive routing on the 8-ary 2-cube: Towles, Dally & Boyd 2003, sec. 5.5 (p. 9), "Comments on Adaptive Routing".

"The GOAL algorithm has an average path length of approximately 1.3 times minimal and has an experimental worst-case
throughput of half of capacity"; "in the average case, minimal adaptive algorithms can offer an average throughput of
about 60%".  No exact worst case of an adaptive routing is known, so all but the path length is simulated: a rate is
called sustained while queues do not grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ...core.claim import Grade
from ...core.sampling.intervals import median_limits
from ...core.sampling.trial_intervals import load_intervals
from ...simulate.load.queueing import simulate_load
from ...topologies.grid.lattice import torus
from ...topologies.patterns import traffic_pattern
from ..result import HERE, Here, Row, StudyResult, compared

_PATTERNS = ("tornado", "transpose", "bit-complement", "neighbor", "bit-reversal", "shuffle")
_UNLIKE = (
    "queues without limit, chosen by their length alone; longer runs give the same. The paper's "
    "experiment is not described, and the worst case of an adaptive routing is not known"
)
_STEADY = 0.002  # packets per cycle and terminal that queues may seem to grow by


def goal_length(k: int) -> Fraction:
    """GOAL's average path length of minimal on a k-ary n-cube: h (k - h) / k in either direction, for each h."""
    longer = sum((Fraction(2 * h * (k - h), k) for h in range(k)), Fraction(0))
    return longer / sum(min(h, k - h) for h in range(k))


def run(
    here: Here = HERE,
    *,
    k: int = 8,
    patterns: Sequence[str] = _PATTERNS,
    permutations: int = 10,
    cycles: int = 4000,
    seed: int = 7,
) -> StudyResult:
    """GOAL's path length; rates that GOAL sustains on ``patterns``; minimal adaptive's on random permutations."""
    capacity = Fraction(8, k) if k % 2 == 0 else Fraction(8 * k, k * k - 1)
    why = "by its definition; the paper speaks of k = 8"
    length = compared("GOAL: average path length, of minimal", goal_length(k), "1.3", why)
    rows = [replace(length, published="approximately 1.3")]
    pieces = {f"GOAL, {name}": {"routing": "goal", "pattern": name} for name in patterns}
    tried = [f"minimal adaptive, permutation {number + 1} of {permutations}" for number in range(permutations)]
    for number, key in enumerate(tried):
        pieces[key] = {"routing": "minimal-adaptive", "pattern": f"random:seed={seed + number}"}
    rates = here.done("traffic", sustained, pieces, k=k, cycles=cycles, seed=seed)
    least = (Fraction(2), Fraction(2))
    for name in patterns:
        low, high = rates[f"GOAL, {name}"]
        least = min(least, (low, high))
        rows.append(Row(f"GOAL, {name}: sustained", (low, high), grade=Grade.SAMPLED, data={"seed": seed}))
    half = capacity / 2
    agrees = least[0] <= half <= least[1]
    ends = (least[0] / capacity, least[1] / capacity)
    note = "" if agrees else _UNLIKE
    rows.append(Row("GOAL: least rate sustained, of capacity", ends, "half of capacity", agrees, note, Grade.SAMPLED))
    found = [float(sum(rates[key]) / 2 / capacity) for key in tried]
    limits = [Fraction(x).limit_denominator(10**4) for x in median_limits(found)]
    label = "minimal adaptive: rate sustained on a random permutation, median, of capacity"
    why = "the paper's average over traffic that is not described; ours is over random permutations"
    drawn = {"seed": seed, "trials": permutations}
    rows.append(Row(label, (limits[0], limits[2]), "about 60%", None, why, Grade.SAMPLED, drawn))
    return StudyResult(
        f"Adaptive routing on the {k}-ary 2-cube, simulated with ideal flow control",
        "Towles, Dally & Boyd 2003 (SPAA), sec. 5.5; Singh, Dally, Gupta & Towles 2003 (ISCA)",
        "GOAL: 1.3 times minimal, half of capacity; minimal adaptive: about 60% on average",
        tuple(rows),
    )


def sustained(k: int, cycles: int, seed: int, routing: str, pattern: str) -> list[Fraction]:
    """[a rate at which queues stay as they are, a rate 1/32 higher at which they grow], up to 1."""
    network = torus(k, k)
    traffic = traffic_pattern(pattern, network)
    low, high = 0, 32
    while high - low > 1:
        middle = (low + high) // 2
        run = simulate_load(
            network, routing, traffic, Fraction(middle, 32), warm_up=cycles // 4, cycles=cycles, seed=seed
        )
        growth = load_intervals(run.counts.tolist(), run.batch_ends, network.num_terminals)["queue_growth"]
        low, high = (low, middle) if growth[1] > _STEADY else (middle, high)
    return [Fraction(low, 32), Fraction(high, 32)]
