"""100 faulty switches in a 1024-input network: Leighton & Maggs 1992, and sec. 4 of Maggs's paper, measured.

Random switches fail (any level).  Three questions: how many of all pairs of inputs and outputs are still joined by
working switches; how many inputs and outputs survive erasure and propagation, which guarantees that *all* of them are
joined; and whether a multibutterfly with 100 faults still routes faster than a dilated butterfly.  Each trial draws its
own faults.  The paper of 1992 is not at hand: nothing here is compared with a number or a sentence of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.claim import Grade
from ..core.median import median_limits
from .maggs_packets import pattern
from .result import Chart, Row, StudyResult

if TYPE_CHECKING:
    from ..core.wiring import Wiring

__all__ = ["NAME", "run"]

NAME = "leighton-maggs-1992-faults"


def run(
    progress: Callable[[str], None] | None = None,
    *,
    log_inputs: int = 10,
    faults: Sequence[int] = (0, 10, 25, 50, 100, 200),
    trials: int = 20,
    seed: int = 7,
) -> StudyResult:
    """Connected pairs, survivors and greedy steps against the number of faulty switches, N = 2^log_inputs."""
    from ..topologies.wired import butterfly, dilated_butterfly, multibutterfly

    n = log_inputs
    networks = {
        "butterfly": butterfly(n),
        "dilated butterfly, d = 2": dilated_butterfly(n, d=2),
        "multibutterfly, d = 2": multibutterfly(1 << n, d=2, seed=seed),
        "multibutterfly, d = 4": multibutterfly(1 << n, d=4, seed=seed),
    }
    rows: list[Row] = []
    for name, wiring in networks.items():
        for k in faults:
            if progress is not None:
                progress(f"{name}, {k} faults")
            drawn = [_faulty(wiring, k, seed, trial) for trial in range(trials if k else 1)]
            rows.append(_pairs(name, wiring, k, drawn, seed))
    for name in list(networks)[2:]:
        for k in faults:
            if k:
                drawn = [_faulty(networks[name], k, seed, trial) for trial in range(trials)]
                rows += _survivors(name, networks[name], k, drawn, seed)
    rows += _speed(networks, min(100, max(faults)), trials, seed, progress)
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


def _pairs(name: str, wiring: Wiring, k: int, drawn: Sequence[npt.NDArray[np.bool_]], seed: int) -> Row:
    from ..simulate.faults import connected_pairs

    shares = [connected_pairs(wiring, ~x) / wiring.inputs**2 for x in drawn]
    data: dict[str, Any] = {"quantity": "connected_pairs_fraction", "series": name, "x": k, "trials": len(drawn)}
    data |= {"seed": seed}
    return _interval(f"{name}, {k} faults: pairs joined", shares, data)


def _survivors(name: str, wiring: Wiring, k: int, drawn: Sequence[npt.NDArray[np.bool_]], seed: int) -> list[Row]:
    from ..simulate.faults import survive

    threshold = wiring.multiplicity // 2 + 1  # at least half of the edges, rounded down, lead on: floor(d/2)
    kept: dict[str, list[float]] = {"inputs": [], "outputs": []}
    for faulty in drawn:
        left = survive(wiring, faulty, epsilon=Fraction(1, 5), threshold=threshold)
        kept["inputs"].append(float(len(left.inputs)))
        kept["outputs"].append(float(len(left.outputs)))
    rows = []
    for side, counts in kept.items():
        data = {"quantity": f"surviving_{side}", "trials": len(drawn), "seed": seed}
        label = f"{name}, {k} faults: surviving {side} (epsilon 1/5, threshold {threshold})"
        rows.append(_interval(label, counts, data))
    return rows


def _speed(
    networks: dict[str, Wiring], k: int, trials: int, seed: int, progress: Callable[[str], None] | None
) -> list[Row]:
    """Greedy steps: the dilated butterfly without faults, the multibutterfly of the same size with k, its survivors."""
    from ..simulate.faults import restrict_to, survive
    from ..simulate.greedy import route_greedily

    dilated, multi = networks["dilated butterfly, d = 2"], networks["multibutterfly, d = 2"]
    n = multi.log_inputs
    images = {"transpose": pattern("transpose", n), "bit-reversal": pattern("bit-reversal", n), "random": None}
    rows = []
    for name, fixed in images.items():
        whole: list[float] = []
        faulty: list[float] = []
        for trial in range(trials):
            if progress is not None:
                progress(f"{name} permutation, {trial + 1} of {trials}")
            drawn = np.random.default_rng([seed, trial]).permutation(multi.inputs).astype(np.int32)
            image = (drawn if fixed is None else fixed)[None, :]
            left = survive(multi, _faulty(multi, k, seed, trial), epsilon=Fraction(1, 5), threshold=2)
            if fixed is None or not whole:
                whole.append(float(route_greedily(dilated, image).steps))
            faulty.append(float(route_greedily(multi, restrict_to(left, image), alive=left.alive).steps))
        data = {"quantity": "steps", "trials": trials, "seed": seed}
        rows.append(_interval(f"{name}: greedy steps, dilated butterfly, no faults", whole, dict(data)))
        rows.append(_interval(f"{name}: greedy steps, multibutterfly, {k} faults", faulty, dict(data)))
        rows.append(_verdict(name, k, whole, faulty))
    return rows


def _verdict(name: str, k: int, whole: Sequence[float], faulty: Sequence[float]) -> Row:
    a = median_limits(faulty)
    b = (whole[0],) * 3 if len(whole) == 1 else median_limits(whole)
    word = "fewer steps" if a[2] < b[0] else "more steps" if a[0] > b[2] else "no difference seen"
    return Row(
        f"{name}: multibutterfly with {k} faults against dilated butterfly without",
        word,
        note="packets whose input or output did not survive are left out",
        grade=Grade.SAMPLED,
    )


def _interval(label: str, values: Sequence[float], data: dict[str, Any]) -> Row:
    if len(values) == 1:
        return Row(label, Fraction(values[0]).limit_denominator(10**6), grade=Grade.EXHAUSTED, data=data)
    low, middle, high = (Fraction(x).limit_denominator(10**6) for x in median_limits(values))
    return Row(label, (low, high), grade=Grade.SAMPLED, data={**data, "best": f"{float(middle):.6g}"})
