"""What a run on a cube says: exact counts with the whole schedule as evidence, or a probability from seeded trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.binomial import probability_limits
from ..core.claim import Claim, Evidence, Grade, Interval
from ..core.destination_graph import Cube
from ..core.timed_moves import TimedMoves
from ..formats.packed_ints import pack_ints
from .claims import counted
from .cube_algorithms import run_on_cube

__all__ = ["CONFIDENCE", "Trials", "cube_run_claims", "run_trials", "trial_claims"]

CONFIDENCE = 0.99
SOURCE = "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes, sec. 1 and 3"


def cube_run_claims(run: TimedMoves, algorithm: str, *, many_one: bool, seed: int | None = None) -> list[Claim]:
    """steps, moves and delivered; ``algorithm``: a name of ``CUBE_ALGORITHMS``, or ``destination-graph``."""
    data = {
        "algorithm": algorithm,
        "many_one": many_one,
        "origin": pack_ints(run.origin),
        "destination": pack_ints(run.destination),
        "moves": pack_ints(run.moves.reshape(-1)),
        **({} if seed is None else {"seed": seed}),
    }
    numbers = [
        ("steps", run.steps, "steps"),
        ("moves", run.num_moves, ""),
        ("delivered", len(run.origin), "packets"),
    ]
    return counted(numbers, "cube-run", data, SOURCE)


@dataclass(frozen=True)
class Trials:
    """``steps``: int64, shape (trials,): how many steps trial k took, whose seed is ``seed + k``.

    ``destination``: int32, shape (N,), by node, -1 for none.
    """

    algorithm: str
    destination: npt.NDArray[np.int32]
    steps: npt.NDArray[np.int64]
    seed: int

    def within(self, bound: int) -> Interval:
        """The probability of ``bound`` steps or fewer (Clopper & Pearson)."""
        trials = len(self.steps)
        hits = int(np.count_nonzero(self.steps <= bound))
        low, high = probability_limits(hits, trials, confidence=CONFIDENCE)
        return Interval(low, hits / trials, high, trials, self.seed, CONFIDENCE)

    def histogram(self) -> list[tuple[int, int]]:
        """(steps, how many trials took so many), rising."""
        values, counts = np.unique(self.steps, return_counts=True)
        return list(zip(values.tolist(), counts.tolist(), strict=True))


def run_trials(
    algorithm: str,
    cube: Cube,
    destination: npt.ArrayLike,
    *,
    trials: int,
    seed: int = 0,
    many_one: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Trials:
    """One request again and again, with fresh random choices; every single run is checked."""
    steps = np.zeros(trials, dtype=np.int64)
    for k in range(trials):
        steps[k] = run_on_cube(algorithm, cube, destination, many_one=many_one, seed=seed + k).steps
        if progress is not None:
            progress(k + 1, trials)
    return Trials(algorithm, np.asarray(destination, dtype=np.int32), steps, seed)


def trial_claims(trials: Trials, bounds: Sequence[int]) -> list[Claim]:
    """probability_within for every bound on the steps; SAMPLED."""
    data = {
        "algorithm": trials.algorithm,
        "destination": pack_ints(trials.destination),
        "histogram": [list(x) for x in trials.histogram()],
    }
    return [
        Claim(
            "probability_within",
            "==",
            trials.within(bound),
            Grade.SAMPLED,
            Evidence("cube-trials", data),
            "",
            SOURCE,
            {"steps": bound},
        )
        for bound in bounds
    ]
