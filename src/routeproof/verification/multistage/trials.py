"""Monte Carlo on multistage networks: every trial is drawn from the texts and run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade, Interval
from ...core.errors import InputError, VerificationError
from ...core.multistage.wiring import Wiring
from ...core.sampling.stopping import confidence_of_limits
from ...core.sampling.trial_intervals import TRIAL_METHODS, TRIAL_QUANTITIES, trial_interval
from ...core.sweep import fill
from ...formats.resolve_cube import resolve_permutations
from ...topologies.multistage.fault_patterns import faults_from_text, is_fault_pattern
from ...topologies.patterns import is_pattern
from ...topologies.spec import wiring_from_spec
from ..context import Progress
from ..intervals import check_interval
from ..kind import EXACT, STOPPING, Kind, States
from ..reading import as_fraction, as_list
from ..shapes import TEXT, Keys
from ..sources import CIRCUITS, FAULTS, PACKETS
from ..work import spend
from .circuit_replays import replay_pipelined
from .replays import Bools, Int64, check_levels, replay_circuits, replay_faults, replay_greedy, replay_upfal

__all__ = ["KINDS", "verify_trials"]

_MOST_TRIALS = 1_000_000
_ALGORITHMS = {"packets": ("", "upfal", "greedy"), "circuits": ("", "simple", "pipelined"), "faults": ("",)}
_PLAIN: Mapping[str, tuple[Any, ...]] = {
    "rho": ("1/2",),
    "distance": (2,),
    "epsilon": ("1/4",),
    "threshold": (None,),
    "load": (1,),
}
"""What settings are where nobody asked for another value."""


def verify_trials(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check the claims of a report of trials; raises VerificationError for the first that fails."""
    del routing  # trials are on a wiring
    verb = subject["verb"]
    if verb not in TRIAL_QUANTITIES:
        raise InputError("the report's subject is no series of trials")
    _check_settings(subject, verb)
    wanted = TRIAL_QUANTITIES[verb]
    if [x.quantity for x in claims] != [x.name for x in wanted]:
        raise VerificationError(f"its claims are not {', '.join(x.name for x in wanted)}, each once")
    counts = {x.value.trials for x in claims if isinstance(x.value, Interval)}
    if len(counts) != 1 or not 1 <= (trials := counts.pop()) <= _MOST_TRIALS:
        raise VerificationError(f"its claims are not intervals of the same trials, at most {_MOST_TRIALS:,}")
    spend(500.0 * trials, f"{trials:,} trials")
    values = []
    for trial in range(trials):
        try:
            values.append(_measured(subject, verb, {"trial": str(trial)}))
        except (VerificationError, InputError) as error:
            raise VerificationError(f"in trial {trial}: {error}") from None
        if progress is not None:
            progress(trial + 1, trials)
    columns = np.array(values, dtype=np.float64).T.tolist()
    for number, (claim, what, column) in enumerate(zip(claims, wanted, columns, strict=True)):
        try:
            _check(claim, what.kind, column)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _check_settings(subject: Mapping[str, Any], verb: str) -> None:
    """The settings are those that this verb reads, and can be read."""
    if "each" not in subject and subject["variables"] != ["trial"]:
        raise VerificationError("subject: its trials are numbered by one variable, trial")
    texts = [subject["topology"], *subject.get("permutation", ()), subject.get("faults") or ""]
    if not any("{trial}" in x for x in texts):
        raise VerificationError("subject: all trials would be alike, {trial} stands nowhere in it")
    if verb == "faults":
        if "permutation" in subject:
            raise VerificationError("subject: faults spread without any permutation")
    elif "permutation" not in subject:
        raise InputError("the report's subject names no permutation")
    if str(subject.get("algorithm", "")) not in _ALGORITHMS[verb]:
        known = ", ".join(x or "none" for x in _ALGORITHMS[verb])
        raise VerificationError(f"subject: the algorithm {str(subject['algorithm'])[:40]!r}; known: {known}")
    # Settings that this verb does not use keep the values that nobody asked for: they are no statements.
    for name, plain in _PLAIN.items():
        used = name in ("rho", "distance") and subject.get("algorithm") == "pipelined"
        used |= name in ("epsilon", "threshold") and subject.get("faults") is not None
        used |= name == "load" and verb != "faults" and subject.get("algorithm") != "greedy"
        if name in subject and not used and subject[name] not in plain:
            raise VerificationError(f"subject: {name} is {str(subject[name])[:40]}, which its trials do not use")


def _check(claim: Claim, kind: str, values: Sequence[float]) -> None:
    value, data = claim.value, claim.evidence.data
    if data["method"] != TRIAL_METHODS[kind]:
        raise VerificationError(f"its method is {str(data['method'])[:40]!r}; {TRIAL_METHODS[kind]} was expected")
    assert isinstance(value, Interval)
    if value.seed or value.confidence != 0.99:
        raise VerificationError("its trials are numbered from 0, and its confidence is 99 %")
    own = trial_interval(kind, values, confidence=confidence_of_limits(data, value))
    check_interval(value, (own.low, own.best, own.high), "the trials give")


def _measured(subject: Mapping[str, Any], verb: str, point: Mapping[str, str]) -> list[float]:
    wiring = wiring_from_spec(fill(subject["topology"], point))
    check_levels(wiring)
    spend(4 * wiring.wire.size, "its trials")
    alive = _alive(subject, wiring, point)
    if verb == "faults":
        return [float(alive[0].mean()), float(alive[-1].mean())]
    load = subject.get("load")
    if type(load) is not int or not 1 <= load <= wiring.inputs or (verb == "circuits" and wiring.inputs % load):
        raise VerificationError(f"its load is {str(load)[:20]}")
    texts = [fill(str(x), point) for x in as_list(subject, "permutation")]
    if not all(map(is_pattern, texts)):
        raise VerificationError("its permutations are no patterns")
    if verb == "circuits" and len(texts) != 1:
        raise VerificationError(f"it names {len(texts)} permutations; circuits are of one")
    size = wiring.inputs // (load if verb == "circuits" else 1)
    images = resolve_permutations(texts, size).astype(np.int64)
    step = wiring.inputs // size
    kept = (images >= 0) & alive[0, ::step] & alive[-1, images * step]
    images = np.where(kept, images, -1)
    if verb == "packets":
        return [float(_steps(subject, wiring, images, load, alive))]
    connected = _connected(subject, wiring, images[0], load, alive)
    calls = int(kept[0].sum())
    return [float(connected == calls), connected / calls if calls else 1.0]


def _steps(subject: Mapping[str, Any], wiring: Wiring, images: Int64, load: int, alive: Bools) -> int:
    if subject.get("algorithm") == "greedy":
        return replay_greedy(wiring, images, alive)["steps"]
    return replay_upfal(wiring, images, load, alive)["steps"]


def _connected(subject: Mapping[str, Any], wiring: Wiring, image: Int64, load: int, alive: Bools) -> int:
    if subject.get("algorithm") != "pipelined":
        return replay_circuits(wiring, image, load, alive)[0]["delivered"]
    rho, distance = as_fraction(subject.get("rho"), "rho"), subject.get("distance")
    if not 0 <= rho < 1 or type(distance) is not int or not 1 <= distance <= 1 << 20:
        raise VerificationError("its rho or its distance of cancellations is outside its range")
    return replay_pipelined(wiring, image, load, rho, distance, alive)[0]["delivered"]


def _alive(subject: Mapping[str, Any], wiring: Wiring, point: Mapping[str, str]) -> Bools:
    if subject.get("faults") is None:
        return np.ones((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    text = fill(str(subject["faults"]), point)
    if not is_fault_pattern(text):
        raise VerificationError("its faults are no pattern")
    faulty = faults_from_text(text, wiring)
    epsilon = as_fraction(fill(str(subject.get("epsilon")), point), "epsilon")
    threshold = subject.get("threshold")
    threshold = -(-wiring.multiplicity // 2) if threshold is None else threshold
    if type(threshold) is not int or not 1 <= threshold <= wiring.multiplicity or not Fraction(0) <= epsilon <= 1:
        raise VerificationError("its epsilon or threshold is outside its range")
    erased, declared = replay_faults(wiring, faulty, epsilon, threshold)
    return ~(erased | declared | faulty)


KINDS: Mapping[str, Kind] = {
    "trial-runs": Kind(
        Keys({"method": TEXT}, STOPPING),
        {x.name: States(EXACT, Grade.SAMPLED) for some in TRIAL_QUANTITIES.values() for x in some},
        PACKETS | CIRCUITS | FAULTS,
    )
}
