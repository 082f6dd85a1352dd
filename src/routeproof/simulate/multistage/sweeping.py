"""Sweeps and Monte Carlo on multistage networks: one run for every combination of values, as independent pieces of
work, or the same run with random permutations, faults or wirings, once for every trial.

``{trial}`` stands in the texts for the trial's number, as a sweep's variables do: ``random:seed={trial}``.  So a trial
can be replayed alone, by its number in that place.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from ...claims.multistage.runs import CIRCUIT_RUN, FAULT_PROPAGATION, PACKET_RUN
from ...claims.multistage.trials import TRIAL_RUNS
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.spread import Progress
from ...core.sweep import fill, points_of, variables_in
from ...formats.documents.json_text import canonical_json, parse_json
from ...formats.documents.report import claims_to_document, document_to_claims
from ..calls.runs import CallRequest, run_call_request
from .runs import WiredRequest, run_circuits, run_faults, run_packets

if TYPE_CHECKING:
    from ...engine import Engine
from typing import TYPE_CHECKING

import numpy as np

from ...core.claim import Interval
from ...core.sampling.stopping import Stopping, sample_until
from ...core.sampling.trial_intervals import TRIAL_METHODS, TRIAL_QUANTITIES, trial_interval
from ...core.spread import in_blocks
from ..circuits.switching import CircuitRun
from ..packets.slow_permutations import is_adversary
from ..packets.upfal import PacketRun
from .runs import WiredRun

if TYPE_CHECKING:
    from ...engine import Engine

Request = WiredRequest | CallRequest
RUNS: Mapping[str, tuple[type[Request], Callable[[Any], Any]]] = {
    "packets": (WiredRequest, run_packets),
    "circuits": (WiredRequest, run_circuits),
    "faults": (WiredRequest, run_faults),
    "calls": (CallRequest, run_call_request),
}
_NAMED = ("wiring", "topology", "permutation", "faults")  # texts that could name files
_BLOCK = 20  # trials in a piece
_MOST = 1_000_000
_SOURCES = {"packets": PACKET_RUN.source, "circuits": CIRCUIT_RUN.source, "faults": FAULT_PROPAGATION.source}


def sweep_subject(verb: str, asked: Request, variables: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What a report of the sweep is about; raises InputError for a variable without a place, a place without values,
    and files (a run directory knows pieces of work by their texts, and a text must mean the same for ever)."""
    used = set().union(*(variables_in(x) for x in _texts(asked, [x.name for x in fields(asked)]))) | {"load"}
    for name in variables:
        if name not in used:
            raise InputError(f"sweep over {name} changes nothing: {{{name}}} stands nowhere in the command")
    if "load" in variables and not all(x.isdecimal() and len(x) < 10 for x in variables["load"]):
        raise InputError(
            f"sweep over load has the values {', '.join(variables['load'])[:60]}; whole numbers were expected"
        )
    if "load" in variables and asked.load != 1:
        raise InputError(f"--load {asked.load} and a sweep over load were asked for; one of them was expected")
    first = points_of(variables)[0]
    for text in _texts(asked, _NAMED):
        if os.path.isfile(fill(text, first)):
            raise InputError(
                f"{fill(text, first)[:80]} is a file; a sweep was expected to name networks, permutations, faults"
            )
    named = asked.topology if isinstance(asked, CallRequest) else asked.wiring
    subject: dict[str, Any] = {"kind": "sweep", "verb": verb, "topology": named}
    subject["variables"] = {name: list(values) for name, values in variables.items()}
    if isinstance(asked, CallRequest):
        return {**subject, "load": asked.load, "occupancy": asked.occupancy}
    if verb != "faults":
        subject["permutation"] = list(asked.permutation)
    if asked.faults is not None:
        subject["faults"] = asked.faults
    return subject


def sweep_claims(
    engine: Engine, verb: str, asked: Request, variables: Mapping[str, Sequence[str]], progress: Progress | None = None
) -> list[Claim]:
    """The claims of all points, each qualified by its ``point``, in the order of the points."""
    from ...engine import Work

    pieces = {point_name(point): {"point": point} for point in points_of(variables)}
    shared = {"verb": verb, "asked": plain_request(asked)}
    claims: list[Claim] = []
    for _, text in engine.each(Work("points", run_point, pieces, shared=shared), progress=progress):
        claims += document_to_claims(parse_json(text, what="a record", exact=False))[1]
    return claims


def run_point(verb: str, asked: Mapping[str, Any], point: Mapping[str, str]) -> str:
    """One run, as the text of its report."""
    run = RUNS[verb][1]
    try:
        done = run(filled_request(verb, asked, point))
    except InputError as error:
        raise InputError(f"at {point_name(point)}: {error}") from None
    return canonical_json(claims_to_document({}, [replace(x, about={"point": dict(point)}) for x in done.claims]))


def plain_request(asked: Request) -> dict[str, Any]:
    """The request as plain data for ``filled_request``."""
    return {x: list(y) if isinstance(y, tuple) else y for x, y in asdict(asked).items()}


def filled_request(verb: str, asked: Mapping[str, Any], point: Mapping[str, str]) -> Request:
    """The request with the values of the point in the place of their names; raises InputError."""
    filled: dict[str, Any] = {}
    for name, value in asked.items():
        filled[name] = fill(value, point) if isinstance(value, str) else value
        if isinstance(value, (list, tuple)):
            filled[name] = tuple(fill(x, point) for x in value)
    filled["load"] = int(point.get("load", asked["load"]))
    return RUNS[verb][0](**filled)


def _texts(asked: Request, names: Sequence[str]) -> list[str]:
    """The texts among the request's fields of these names."""
    found = []
    for value in (getattr(asked, name, None) for name in names):
        found += [x for x in (value if isinstance(value, tuple) else (value,)) if isinstance(x, str)]
    return found


def point_name(point: Mapping[str, str]) -> str:
    """In words."""
    return ", ".join(f"{key} {value}" for key, value in point.items())


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
        claims.append(TRIAL_RUNS.claim(interval, data, quantity=what.name, source=_SOURCES[verb]))
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
