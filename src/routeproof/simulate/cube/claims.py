"""What a run on a cube says: exact counts with the whole schedule as evidence, or a probability from seeded trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...claims.cube.run import CUBE_RUN, CUBE_TRIALS
from ...core.claim import Claim, Interval
from ...core.cube.destination_graph import Cube, TimedMoves
from ...core.sampling.intervals import probability_limits
from ...core.sampling.stopping import Stopping, sample_until
from ...core.spread import Progress, in_blocks
from ...formats.documents.packed_ints import pack_ints
from .algorithms import run_on_cube

if TYPE_CHECKING:
    from ...engine import Engine

CONFIDENCE = 0.99
_BLOCK = 20  # trials in a piece of work


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
    numbers = {"steps": run.steps, "moves": run.num_moves, "delivered": len(run.origin)}
    return CUBE_RUN.counted(numbers, data)


@dataclass(frozen=True)
class Trials:
    """``steps``: int64, shape (trials,): how many steps trial k took, whose seed is ``seed + k``.

    ``destination``: int32, shape (N,), by node, -1 for none.
    """

    algorithm: str
    destination: npt.NDArray[np.int32]
    steps: npt.NDArray[np.int64]
    seed: int

    def within(self, bound: int, stopping: Stopping | None = None) -> Interval:
        """The probability of ``bound`` steps or fewer (Clopper & Pearson); ``stopping``: when sampling could end."""
        trials = len(self.steps)
        hits = int(np.count_nonzero(self.steps <= bound))
        confidence = CONFIDENCE if stopping is None else stopping.confidence(trials, CONFIDENCE)
        low, high = probability_limits(hits, trials, confidence=confidence)
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
    first: int = 0,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> Trials:
    """One request again and again, with fresh random choices; every single run is checked.

    Trial k has the seed ``seed`` + k, so that it can be replayed alone; ``first``: the number of the first one.
    ``engine``: does blocks of trials; ``progress`` then counts blocks.
    """
    image = np.asarray(destination, dtype=np.int32)
    asked = {"algorithm": algorithm, "destination": image, "many_one": many_one, "seed": seed}
    shared = {**asked, "radix": cube.radix, "dimensions": cube.dimensions}
    spread, size = (None, 1) if engine is None else (engine.spread, _BLOCK)
    parts = in_blocks(
        spread, "trials", steps_of_trials, (first, first + trials), size,
        shared=shared, prepare=prepare_trials, ready={**asked, "cube": cube}, progress=progress,
    )  # fmt: skip
    return Trials(algorithm, image, np.concatenate([np.zeros(0, dtype=np.int64), *parts]), seed)


def prepare_trials(radix: int, dimensions: int, **asked: Any) -> dict[str, Any]:
    """What all blocks share, made once where they are done."""
    return {**asked, "cube": Cube(radix, dimensions)}


def steps_of_trials(ready: Mapping[str, Any], first: int, count: int) -> npt.NDArray[np.int64]:
    """The steps of a block of trials, as a piece of work."""
    runs = (run_on_cube(**{**ready, "seed": ready["seed"] + k}) for k in range(first, first + count))
    return np.array([run.steps for run in runs], dtype=np.int64)


def trials_until(
    algorithm: str, cube: Cube, destination: npt.ArrayLike, bounds: Sequence[int], stopping: Stopping, **options: Any
) -> Trials:
    """``run_trials`` until the probabilities of all ``bounds`` are as narrow as ``stopping`` wants them."""
    found: list[Trials] = []

    def look(start: int, stop: int) -> list[Interval]:
        now = run_trials(algorithm, cube, destination, first=start, trials=stop - start, **options)
        found.append(replace(now, steps=np.concatenate([*(x.steps for x in found[-1:]), now.steps])))
        return [found[-1].within(x, stopping) for x in bounds]

    sample_until(stopping, stopping.limit, look)
    return found[-1]


def trial_claims(trials: Trials, bounds: Sequence[int], stopping: Stopping | None = None) -> list[Claim]:
    """probability_within for every bound on the steps; SAMPLED.  ``stopping``: when sampling could end."""
    data = {
        "algorithm": trials.algorithm,
        "destination": pack_ints(trials.destination),
        "histogram": [list(x) for x in trials.histogram()],
        **({} if stopping is None else stopping.data()),
    }
    return [CUBE_TRIALS.claim(trials.within(x, stopping), data, {"steps": x}) for x in bounds]
