"""Monte Carlo on multistage networks: the same run with random permutations, faults or wirings, once for every trial.

``{trial}`` stands in the texts for the trial's number, as a sweep's variables do: ``random:seed={trial}``.  So a trial
can be replayed alone, by its number in that place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.claim import Claim, Evidence, Grade, Interval
from ...core.errors import InputError
from ...core.sampling.stopping import Stopping, sample_until
from ...core.sampling.trial_intervals import TRIAL_METHODS, TRIAL_QUANTITIES, trial_interval
from ...core.spread import Progress, in_blocks
from ...core.sweep import points_of
from ..circuits.levels import CircuitRun
from ..packets.slow_permutations import is_adversary
from ..packets.upfal import PacketRun
from .claims import CIRCUIT_SOURCE, FAULT_SOURCE, SOURCE
from .runs import WiredRequest, WiredRun
from .sweeping import RUNS, filled_request, plain_request, point_name, sweep_subject

if TYPE_CHECKING:
    from ...engine import Engine

_BLOCK = 20  # trials in a piece
_MOST = 1_000_000
_SOURCES = {"packets": SOURCE, "circuits": CIRCUIT_SOURCE, "faults": FAULT_SOURCE}


def trials_subject(
    verb: str, asked: WiredRequest, variables: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """What a report of the trials is about, or of a sweep over ``variables`` with trials at every point.

    Raises InputError where nothing changes from trial to trial, or a file is named.
    """
    if variables and "trial" in variables:
        raise InputError("sweep over trial: that is what --trials counts; another name was expected")
    try:
        subject = sweep_subject(verb, asked, {**(variables or {}), "trial": ("0",)})
    except InputError as error:
        if "over trial changes nothing" not in str(error):
            raise
        raise InputError(
            "all trials would be alike: {trial} stands nowhere in the command; --permutation 'random:seed={trial}' or "
            "--faults 'random:count=9,seed={trial}' draws anew for each"
        ) from None
    settings = {k: x for k, x in asdict(asked).items() if k in ("load", "algorithm", "rho", "distance", "threshold")}
    settings["epsilon"] = asked.epsilon
    if variables:
        return {**subject, "variables": {k: list(x) for k, x in variables.items()}, "each": "trials", **settings}
    return {**subject, "kind": "trials", "variables": ["trial"], **settings}


def swept_trials(
    verb: str,
    asked: WiredRequest,
    variables: Mapping[str, Sequence[str]],
    *,
    trials: int,
    stopping: Stopping | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> tuple[list[Claim], list[str]]:
    """``trials_claims`` at every point of a sweep, qualified by its ``point``; the same trials at all of them."""
    claims: list[Claim] = []
    notes: list[str] = []
    for point in points_of(variables):
        request = filled_request(verb, plain_request(asked), {**point, "trial": "{trial}"})
        assert isinstance(request, WiredRequest)
        name = point_name(point)
        try:
            found, told = trials_claims(
                verb, request, trials=trials, stopping=stopping, engine=engine, progress=progress, where=f" at {name}"
            )
        except InputError as error:
            raise InputError(f"at {name}: {error}") from None
        claims += [replace(x, about={"point": dict(point)}) for x in found]
        notes += [f"At {name}: {x}" for x in told]
    return claims, notes


def trials_claims(
    verb: str,
    asked: WiredRequest,
    *,
    trials: int,
    stopping: Stopping | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    where: str = "",
) -> tuple[list[Claim], list[str]]:
    """SAMPLED claims from trials 0 to ``trials`` - 1, or as many as ``stopping`` wants, and lines for people.

    packets: median_steps; circuits: all_connected_probability, connected_fraction; faults: surviving_inputs_fraction,
    surviving_outputs_fraction.  ``where``: what the engine's work is called by, beside "trials".
    Raises InputError, also for counts below 1.
    """
    if any(map(is_adversary, asked.permutation)):
        raise InputError(
            "an adversary looks for one permutation; trials draw them: --permutation 'random:seed={trial}'"
        )
    if not 1 <= trials <= _MOST:
        raise InputError(f"{trials} trials were asked for; 1 to {_MOST:,} were expected")
    values: list[list[float]] = []
    kinds = TRIAL_QUANTITIES[verb]
    spread = None if engine is None else engine.spread
    shared = {"verb": verb, "asked": plain_request(asked)}

    def look(start: int, stop: int) -> list[Interval]:
        span, name = (start, stop), f"trials{where}"
        for block in in_blocks(spread, name, measure_trials, span, _BLOCK, shared=shared, progress=progress):
            values.extend(block)
        confidence = 0.99 if stopping is None else stopping.confidence(stop)
        columns = np.array(values, dtype=np.float64).T.tolist()
        return [trial_interval(what.kind, x, confidence=confidence) for what, x in zip(kinds, columns, strict=True)]

    found = sample_until(stopping, trials, look)
    claims = []
    for what, interval in zip(kinds, found, strict=True):
        data = {"method": TRIAL_METHODS[what.kind], **({} if stopping is None else stopping.data())}
        evidence = Evidence("trial-runs", data)
        claims.append(Claim(what.name, "==", interval, Grade.SAMPLED, evidence, _SOURCES[verb]))
    return claims, [] if stopping is None else stopping.notes(found)


def measure_trials(verb: str, asked: Mapping[str, Any], first: int, count: int) -> list[list[float]]:
    """What the trials from number ``first`` on measure, as a piece of work; see ``TRIAL_QUANTITIES``."""
    found = []
    for trial in range(first, first + count):
        request = filled_request(verb, asked, {"trial": str(trial)})
        assert isinstance(request, WiredRequest)
        try:
            found.append(_measures(verb, RUNS[verb][1](request)))
        except InputError as error:
            raise InputError(f"in trial {trial}: {error}") from None
    return found


def _measures(verb: str, done: WiredRun) -> list[float]:
    run = done.result
    if verb == "packets":
        assert isinstance(run, PacketRun)
        return [float(run.steps)]
    if verb == "circuits":
        assert isinstance(run, CircuitRun)
        calls = int(np.count_nonzero(done.images >= 0))
        return [float(run.connected == calls), run.connected / calls if calls else 1.0]
    assert done.alive is not None
    return [float(done.alive[0].mean()), float(done.alive[-1].mean())]
