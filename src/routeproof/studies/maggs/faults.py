"""100 faulty switches in a 1024-input network: Leighton & Maggs 1992, and sec. 4 of Maggs's paper, measured.

Random switches fail (any level).  Three questions: how many of all pairs of inputs and outputs are still joined by
working switches; how many inputs and outputs survive erasure and propagation, which guarantees that *all* of them are
joined; and whether a multibutterfly with 100 faults still routes faster than a dilated butterfly.  Each trial draws its
own faults.  The paper of 1992 is not at hand: nothing here is compared with a number or a sentence of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Grade
from ...core.multistage.wiring import Wiring
from ...core.sampling.intervals import median_limits
from ...engine import Engine
from ...simulate.multistage.survivors import connected_pairs, restrict_to, survive
from ...simulate.packets.upfal import route_greedily
from ..pieces import Progress, done_pieces, silent
from ..result import Chart, Row, StudyResult, sampled
from .wirings import BUTTERFLY, DILATED, MULTI, pattern, wiring_of

NAME = "leighton-maggs-1992-faults"
_NETWORKS = (BUTTERFLY, DILATED, MULTI, "multibutterfly, d = 4")
_EPSILON = Fraction(1, 5)


def run(
    progress: Progress = silent,
    *,
    log_inputs: int = 10,
    faults: Sequence[int] = (0, 10, 25, 50, 100, 200),
    trials: int = 20,
    seed: int = 7,
    engine: Engine | None = None,
) -> StudyResult:
    """Connected pairs, survivors and greedy steps against the number of faulty switches, N = 2^log_inputs."""
    n = log_inputs
    shared = {"n": n, "seed": seed, "trials": trials}
    rows: list[Row] = []
    asked: dict[str, dict[str, Any]]
    asked = {f"{name}, {k} faults": {"name": name, "k": k} for name in _NETWORKS for k in faults}
    shares = done_pieces(joined, asked, shared=shared, name="pairs joined", engine=engine, progress=progress)
    for key, piece in asked.items():
        data = {"series": piece["name"], "x": piece["k"], "trials": len(shares[key]), "seed": seed}
        rows.append(_median(f"{key}: pairs joined", shares[key], quantity="connected_pairs_fraction", **data))
    asked = {f"{name}, {k} faults": {"name": name, "k": k} for name in _NETWORKS[2:] for k in faults if k}
    kept = done_pieces(surviving, asked, shared=shared, name="survivors", engine=engine, progress=progress)
    drawn = {"trials": trials, "seed": seed}
    for key in asked:
        for side in ("inputs", "outputs"):
            label = f"{key}: surviving {side} (epsilon {_EPSILON}, threshold {kept[key]['threshold']})"
            rows.append(_median(label, kept[key][side], quantity=f"surviving_{side}", **drawn))
    k = min(100, max(faults))
    patterns = {f"{name} permutation": {"name": name, "k": k} for name in ("transpose", "bit-reversal", "random")}
    steps = done_pieces(timed, patterns, shared=shared, name="permutations", engine=engine, progress=progress)
    for key, piece in patterns.items():
        name, (whole, faulty) = piece["name"], steps[key]
        best, less = f"{name}: greedy steps, dilated butterfly", f"{name}: greedy steps, multibutterfly"
        rows.append(_median(f"{best}, no faults", whole, quantity="steps", **drawn))
        rows.append(_median(f"{less}, {k} faults", faulty, quantity="steps", **drawn))
        rows.append(_verdict(str(name), k, whole, faulty))
    return StudyResult(
        NAME,
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
