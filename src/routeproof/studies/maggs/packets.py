"""Packets on Maggs's networks: steps against N and P; and what 100 faulty switches do (Leighton & Maggs 1992)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Grade
from ...core.multistage.wiring import Wiring
from ...core.sampling.intervals import median_limits, probability_limits
from ...simulate.multistage.survivors import connected_pairs, restrict_to, survive
from ...simulate.packets.upfal import route_greedily, route_packets
from ...topologies.multistage.banyan import butterfly, dilated_butterfly, multibutterfly
from ..result import HERE, Chart, Here, Row, StudyResult, sampled

BUTTERFLY, DILATED, MULTI = "butterfly", "dilated butterfly, d = 2", "multibutterfly, d = 2"
_NETWORKS = (BUTTERFLY, DILATED, MULTI)
_BAD = ("bit-reversal", "transpose")
_LOAD = 4


def packets(
    here: Here = HERE,
    *,
    sizes: Sequence[int] = (6, 8, 10, 12, 14),
    permutations: Sequence[int] = (1, 4, 16, 64),
    trials: int = 20,
    seed: int = 7,
) -> StudyResult:
    """Steps against N and P: Maggs, Randomly Wired Multistage Networks, sec. 2, measured for three networks.

    "Upfal's algorithm routes P permutations in O(P + log N) steps" (Theorem 1) on multibutterflies with expansion.
    Butterfly and dilated butterfly are routed greedily with queues, where one step uses every edge once, as a stage of
    Upfal's algorithm (4d steps) does; so stages stand beside greedy steps.  Bit-reversal and transpose are the
    butterfly's bad permutations: about sqrt(N) steps.

    Stages (greedy: steps) of one permutation for N = 2^n, n in ``sizes``; of P random ones at once for N = 1024.
    """
    rows: list[Row] = []
    sized = {f"{name}, N = 2^{n}": {"name": name, "n": n, "trials": trials} for n in sizes for name in _NETWORKS}
    counted = {f"{name}, {p} permutations": {"name": name, "count": p} for p in permutations for name in _NETWORKS}
    alone = here.done("sizes", one_by_one, sized, seed=seed)
    together = here.done("permutations", all_at_once, counted, seed=seed)
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


def wiring_of(name: str, n: int, seed: int) -> Wiring:
    """The network with 2^n inputs that ``BUTTERFLY``, ``DILATED`` or "multibutterfly, d = D" names."""
    if name == BUTTERFLY:
        return butterfly(n)
    return dilated_butterfly(n, d=2) if name == DILATED else multibutterfly(1 << n, d=int(name[-1]), seed=seed)


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


def probability_row(label: str, quantity: str, hits: int, trials: int, **data: Any) -> Row:
    """The interval of a probability from ``hits`` of so many ``trials``."""
    return sampled(label, probability_limits(hits, trials), quantity=quantity, hits=hits, trials=trials, **data)


_FAULTY = (*_NETWORKS, "multibutterfly, d = 4")
_EPSILON = Fraction(1, 5)


def faulty_switches(
    here: Here = HERE,
    *,
    log_inputs: int = 10,
    faults: Sequence[int] = (0, 10, 25, 50, 100, 200),
    trials: int = 20,
    seed: int = 7,
) -> StudyResult:
    """100 faulty switches in a 1024-input network: Leighton & Maggs 1992, and sec. 4 of Maggs's paper, measured.

    Random switches fail (any level).  Three questions: how many of all pairs of inputs and outputs are still joined by
    working switches; how many inputs and outputs survive erasure and propagation, which guarantees that *all* of them
    are joined; and whether a multibutterfly with 100 faults still routes faster than a dilated butterfly.  Each trial
    draws its own faults.  The paper of 1992 is not at hand: nothing here is compared with a number or a sentence of it.

    Connected pairs, survivors and greedy steps against the number of faulty switches, N = 2^log_inputs.
    """
    n = log_inputs
    shared: dict[str, Any] = {"n": n, "seed": seed, "trials": trials}
    rows: list[Row] = []
    asked: dict[str, dict[str, Any]]
    asked = {f"{name}, {k} faults": {"name": name, "k": k} for name in _FAULTY for k in faults}
    shares = here.done("pairs joined", joined, asked, **shared)
    for key, piece in asked.items():
        data = {"series": piece["name"], "x": piece["k"], "trials": len(shares[key]), "seed": seed}
        rows.append(_median(f"{key}: pairs joined", shares[key], quantity="connected_pairs_fraction", **data))
    asked = {f"{name}, {k} faults": {"name": name, "k": k} for name in _FAULTY[2:] for k in faults if k}
    kept = here.done("survivors", surviving, asked, **shared)
    drawn = {"trials": trials, "seed": seed}
    for key in asked:
        for side in ("inputs", "outputs"):
            label = f"{key}: surviving {side} (epsilon {_EPSILON}, threshold {kept[key]['threshold']})"
            rows.append(_median(label, kept[key][side], quantity=f"surviving_{side}", **drawn))
    k = min(100, max(faults))
    patterns = {f"{name} permutation": {"name": name, "k": k} for name in ("transpose", "bit-reversal", "random")}
    steps = here.done("permutations", timed, patterns, **shared)
    for key, piece in patterns.items():
        name, (whole, faulty) = piece["name"], steps[key]
        best, less = f"{name}: greedy steps, dilated butterfly", f"{name}: greedy steps, multibutterfly"
        rows.append(_median(f"{best}, no faults", whole, quantity="steps", **drawn))
        rows.append(_median(f"{less}, {k} faults", faulty, quantity="steps", **drawn))
        rows.append(_verdict(str(name), k, whole, faulty))
    return StudyResult(
        f"Faulty switches in networks with {1 << n} inputs (99% intervals of medians)",
        "Leighton & Maggs 1992 (IEEE Trans. Computers 41); Maggs, Randomly Wired Multistage Networks, sec. 4",
        "k faults leave N - O(k) inputs and outputs between which permutations are routed in O(log N) steps",
        tuple(rows),
        chart=Chart("faulty switches", "pairs still joined, of all pairs of inputs and outputs"),
    )


def _faulty(wiring: Wiring, count: int, seed: int, trial: int) -> npt.NDArray[np.bool_]:
    faulty = np.zeros((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    rng = np.random.default_rng([seed, count, trial])
    faulty.reshape(-1)[rng.choice(faulty.size, size=count, replace=False)] = True
    return faulty


def joined(n: int, seed: int, trials: int, name: str, k: int) -> list[float]:
    """The share of all pairs that ``k`` random faults leave joined, in every trial."""
    wiring = wiring_of(name, n, seed)
    drawn = [_faulty(wiring, k, seed, trial) for trial in range(trials if k else 1)]
    return [connected_pairs(wiring, ~x) / wiring.inputs**2 for x in drawn]


def surviving(n: int, seed: int, trials: int, name: str, k: int) -> dict[str, Any]:
    """How many inputs and outputs survive ``k`` random faults, in every trial; and the threshold."""
    wiring = wiring_of(name, n, seed)
    threshold = wiring.multiplicity // 2 + 1  # at least half of the edges, rounded down, lead on: floor(d/2)
    kept: dict[str, Any] = {"inputs": [], "outputs": [], "threshold": threshold}
    for trial in range(trials):
        left = survive(wiring, _faulty(wiring, k, seed, trial), epsilon=_EPSILON, threshold=threshold)
        kept["inputs"].append(float(len(left.inputs)))
        kept["outputs"].append(float(len(left.outputs)))
    return kept


def timed(n: int, seed: int, trials: int, name: str, k: int) -> list[list[float]]:
    """Greedy steps: [of the dilated butterfly without faults, of the survivors of a multibutterfly with k faults]."""
    dilated, multi = wiring_of(DILATED, n, seed), wiring_of(MULTI, n, seed)
    fixed = None if name == "random" else pattern(name, n)
    whole: list[float] = []
    faulty: list[float] = []
    for trial in range(trials):
        drawn = np.random.default_rng([seed, trial]).permutation(multi.inputs).astype(np.int32)
        image = (drawn if fixed is None else fixed)[None, :]
        left = survive(multi, _faulty(multi, k, seed, trial), epsilon=_EPSILON, threshold=2)
        if fixed is None or not whole:
            whole.append(float(route_greedily(dilated, image).steps))
        faulty.append(float(route_greedily(multi, restrict_to(left, image), alive=left.alive).steps))
    return [whole, faulty]


def _verdict(name: str, k: int, whole: Sequence[float], faulty: Sequence[float]) -> Row:
    a = median_limits(faulty)
    b = (whole[0],) * 3 if len(whole) == 1 else median_limits(whole)
    word = "fewer steps" if a[2] < b[0] else "more steps" if a[0] > b[2] else "no difference seen"
    label = f"{name}: multibutterfly with {k} faults against dilated butterfly without"
    note = "packets whose input or output did not survive are left out"
    return Row(label, word, note=note, grade=Grade.SAMPLED)


def _median(label: str, values: Sequence[float], **data: Any) -> Row:
    """The interval of the median; a single value is not a sample."""
    if len(values) == 1:
        return Row(label, Fraction(values[0]).limit_denominator(10**6), grade=Grade.EXHAUSTED, data=data)
    low, middle, high = median_limits(values)
    best = Fraction(middle).limit_denominator(10**6)
    return sampled(label, (low, high), **data, best=f"{float(best):.6g}")
