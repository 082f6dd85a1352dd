"""Monte Carlo on multistage networks: every trial is drawn from the texts and run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.claim import Claim, Grade, Interval
from ...core.errors import InputError, VerificationError
from ...core.multistage.wiring import Wiring
from ...core.sampling.trial_intervals import TRIAL_QUANTITIES
from ...core.sweep import fill
from ...formats.resolve import resolve_permutations
from ...topologies.family import wiring_from_spec
from ...topologies.multistage.fault_patterns import faults_from_text, is_fault_pattern
from ...topologies.patterns import is_pattern
from ..kind import CIRCUITS, EXACT, FAULTS, PACKETS, RUNS, STOPPING, Kind, States, SubjectKind
from ..reading import Report, as_fraction, check_trials, errors_at
from ..shapes import TEXT, Keys, ListOf, Word
from ..work import spend
from .replays import check_levels, replay, survivors

_MOST_TRIALS = 1_000_000
_ALGORITHMS = {  # by verb, what subjects name -> the algorithm
    "packets": {"": "upfal", "upfal": "upfal", "greedy": "greedy"},
    "circuits": {"": "simple", "simple": "simple", "pipelined": "pipelined"},
    "faults": {"": ""},
}
_DEFAULTS: Mapping[str, object] = {"rho": "1/2", "distance": 2, "epsilon": "1/4", "threshold": None, "load": 1}
"""What settings are where nobody asked for another value."""


def verify_trials(report: Report) -> None:
    """Check the claims of a report of trials; raises VerificationError for the first that fails."""
    subject, claims, verb = report.subject, report.claims, report.subject["verb"]
    _check_settings(subject, verb)
    kinds = {x.name: x.kind for x in TRIAL_QUANTITIES[verb]}
    if [x.quantity for x in claims] != list(kinds):
        raise VerificationError(f"its claims are not {', '.join(kinds)}, each once")
    counts = {x.value.trials for x in claims if isinstance(x.value, Interval)}
    if len(counts) != 1 or not 1 <= (trials := counts.pop()) <= _MOST_TRIALS:
        raise VerificationError(f"its claims are not intervals of the same trials, at most {_MOST_TRIALS:,}")
    spend(500.0 * trials, f"{trials:,} trials")
    values = []
    for trial in range(trials):
        with errors_at(f"in trial {trial}"):
            values.append(_measured(subject, verb, {"trial": str(trial)}))
        if report.progress is not None:
            report.progress(trial + 1, trials)
    columns = dict(zip(kinds, np.array(values, dtype=np.float64).T.tolist(), strict=True))

    def check(claim: Claim) -> None:
        if claim.interval.seed or claim.interval.confidence != 0.99:
            raise VerificationError("its trials are numbered from 0, and its confidence is 99 %")
        check_trials(claim, kinds[claim.quantity], columns[claim.quantity], "the trials give")

    report.check_each(check)


def _check_settings(subject: Mapping[str, Any], verb: str) -> None:
    """The settings are those that this verb reads, and can be read."""
    if "each" not in subject and subject["variables"] != ["trial"]:
        raise VerificationError("subject: its trials are numbered by one variable, trial")
    texts = [subject["topology"], *subject.get("permutation", ()), subject.get("faults", "")]
    if not any("{trial}" in x for x in texts):
        raise VerificationError("subject: all trials would be the same, {trial} stands nowhere in it")
    if verb == "faults" and "permutation" in subject:
        raise VerificationError("subject: faults spread without any permutation")
    if verb != "faults" and "permutation" not in subject:
        raise InputError("the report's subject names no permutation")
    algorithm = subject.get("algorithm", "")
    if algorithm not in _ALGORITHMS[verb]:
        known = ", ".join(x or "none" for x in _ALGORITHMS[verb])
        raise VerificationError(f"subject: the algorithm {algorithm[:40]!r}; known: {known}")
    # Settings that this verb does not use keep the values that nobody asked for: they are no statements.
    for name, default in _DEFAULTS.items():
        used = name in ("rho", "distance") and algorithm == "pipelined"
        used |= name in ("epsilon", "threshold") and "faults" in subject
        used |= name == "load" and verb != "faults" and algorithm != "greedy"
        if name in subject and not used and subject[name] != default:
            raise VerificationError(f"subject: {name} is {str(subject[name])[:40]}, which its trials do not use")


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
    texts = [fill(x, point) for x in subject["permutation"]]
    if verb == "circuits" and len(texts) != 1:
        raise VerificationError(f"it names {len(texts)} permutations; circuits are of one")
    step = load if verb == "circuits" else 1
    images = named_images(texts, step, alive)
    algorithm = _ALGORITHMS[verb][subject.get("algorithm", "")]
    counts, _ = replay(algorithm, wiring, images, load, alive, subject)
    if verb == "packets":
        return [float(counts["steps"])]
    connected, calls = counts["delivered"], int((images[0] >= 0).sum())
    return [float(connected == calls), connected / calls if calls else 1.0]


def named_faults(text: str, wiring: Wiring) -> Bools:
    if not is_fault_pattern(text):
        raise VerificationError(f"its faults {text[:40]!r} are not a pattern")
    return faults_from_text(text, wiring)


def named_images(texts: Sequence[str], step: int, alive: Bools) -> Int64:
    """The permutations of these texts, between every ``step``-th row; -1 for packets whose ends do not survive."""
    if not all(map(is_pattern, texts)):
        raise VerificationError(f"its permutations {', '.join(texts)[:60]!r} are not patterns")
    images = resolve_permutations(texts, alive.shape[1] // step).astype(np.int64)
    return np.where((images >= 0) & alive[0, ::step] & alive[-1, images * step], images, -1)


def _alive(subject: Mapping[str, Any], wiring: Wiring, point: Mapping[str, str]) -> Bools:
    if "faults" not in subject:
        return np.ones((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    faulty = named_faults(fill(subject["faults"], point), wiring)
    epsilon = as_fraction(fill(str(subject.get("epsilon")), point), "epsilon")
    threshold = subject.get("threshold")
    if threshold is None:
        threshold = -(-wiring.multiplicity // 2)
    return survivors(wiring, faulty, epsilon, threshold)


TRIAL_RUNS = Kind(
    "trial-runs",
    "Random runs, each drawn again from the number of its trial and simulated again by other code.",
    Keys({"method": TEXT}, STOPPING),
    {x.name: States(EXACT, Grade.SAMPLED) for some in TRIAL_QUANTITIES.values() for x in some},
    PACKETS | CIRCUITS | FAULTS,
    subjects=frozenset({"sweep", "trials"}),
)
TRIALS = SubjectKind(
    "trials",
    verify_trials,
    Keys({"verb": Word("packets", "circuits", "faults"), "topology": TEXT, "variables": ListOf(Word("trial"))}, RUNS),
)
