"""Reports of sweeps: every point's network is built from the texts, and its run is done again.

Every variable means something, and every setting of a run is named by the sweep or never changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.arrays import Bools
from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.multistage.wiring import Wiring
from ...core.sweep import fill, parse_variables, points_of, variables_in
from ...formats.documents.json_text import fraction_from_text
from ...formats.documents.packed_ints import unpack_ints
from ...topologies.family import is_wired, wiring_from_spec
from ..calls.claims import CALL_COUNTS, TOGETHER_COUNTS, verify_calls
from ..kind import RUNS, SubjectKind
from ..kinds import KINDS
from ..reading import Report, as_fraction, errors_at, name_of
from ..shapes import ANY, TEXT, Keys, Word
from .replays import survivors
from .runs import check_run
from .trials import named_faults, named_images, verify_trials

_KINDS = {
    "packets": ("packet-run",),
    "circuits": ("circuit-run", "pipelined-circuit-run"),
    "faults": ("fault-propagation",),
}
_NOT_GREEDY = {"stages", "swaps"}
_NAMED: Mapping[str, frozenset[str]] = {
    "packets": frozenset({"permutation", "faults"}),
    "circuits": frozenset({"permutation", "faults"}),
    "faults": frozenset({"faults"}),
    "calls": frozenset({"load", "occupancy"}),
}
"""What a sweep over single runs names, by verb, beside its network and its variables."""
_ALWAYS = frozenset({"kind", "verb", "topology", "variables", "verified"})
_SETTINGS = (
    "algorithm", "load", "rho", "distance", "epsilon", "threshold", "trials", "seed", "paths", "beta", "merger",
)  # fmt: skip


def verify_sweep(report: Report) -> None:
    """Every point of the product of the variables must be there, whole, and hold; raises VerificationError."""
    subject, claims = report.subject, report.claims
    given = subject["variables"]
    if not isinstance(given, Mapping) or not all(
        isinstance(values, list) and all(isinstance(x, str) for x in values) for values in given.values()
    ):
        raise InputError("the report's variables are not lists of texts")
    points = points_of(parse_variables(f"{name}={','.join(values)}" for name, values in given.items()))
    _check_named(subject)
    at = 0
    runs: list[Mapping[str, Any]] = []
    for number, point in enumerate(points):
        some: list[Claim] = []
        while at < len(claims) and claims[at].about.get("point") == point:
            some.append(replace(claims[at], about={k: x for k, x in claims[at].about.items() if k != "point"}))
            at += 1
        where = ", ".join(f"{key} {value}" for key, value in point.items())
        if not some:
            raise VerificationError(f"the sweep has no run at {where}, or not in its place")
        with errors_at(f"at {where}"):
            _check_point(subject, point, some)
        runs.append(some[0].evidence.data)
        if report.progress is not None:
            report.progress(number + 1, len(points))
    if at < len(claims):
        raise VerificationError(f"{name_of(at, claims[at])}: its point is not in the sweep, or not in its place")
    if "each" not in subject:
        _check_settings(subject, points, runs)


def _check_named(subject: Mapping[str, Any]) -> None:
    """The subject names what its verb reads, and nothing else (``trials`` checks that of trials); every variable stands
    in a text that is read."""
    verb, trials = subject["verb"], "each" in subject
    if trials and verb == "calls":
        raise VerificationError("subject: calls have their trials by themselves, not at each point")
    foreign = sorted(set(subject) & {"occupancy"} if trials else set(subject) - _ALWAYS - _NAMED[verb])
    if foreign:
        raise VerificationError(f"subject: it names {foreign[0]}, which a sweep of simulate {verb} does not read")
    used = _variables(subject, "faults", "occupancy", "epsilon", "rho")
    if "load" in subject["variables"] and subject.get("load", 1) != 1:
        raise VerificationError(f"subject: its load is {str(subject['load'])[:20]}, and a variable, too")
    for name in subject["variables"]:
        is_load = name == "load" and verb != "faults" and subject.get("algorithm") != "greedy"
        if name not in used and not is_load and (trials or verb == "calls"):
            raise VerificationError(f"subject: its variable {name[:40]} stands in no text that is read")


def _variables(subject: Mapping[str, Any], *keys: str) -> set[str]:
    """The variables in the texts of the network, the permutations and these keys."""
    texts = [subject["topology"], *subject.get("permutation", ()), *(subject.get(key, "") for key in keys)]
    return set().union(*map(variables_in, texts))


def _check_settings(
    subject: Mapping[str, Any], points: Sequence[Mapping[str, str]], runs: Sequence[Mapping[str, Any]]
) -> None:
    """Settings of the runs, by point: those of one variable, or the same everywhere; ``runs``: their evidence."""
    used = _variables(subject, "faults", "occupancy")
    if subject["verb"] == "calls":
        used.add("load")  # of the wiring, which is made with the load of the point
    for key in _SETTINGS:
        values = [run.get(key) for run in runs]
        names = [name for name in subject["variables"] if _follows(values, [point[name] for point in points])]
        by_load = key == "load" and key in subject["variables"] and subject["verb"] != "calls"
        if by_load and key not in names:
            raise VerificationError("its runs do not have the loads that the sweep names")
        if not names and any(x != values[0] for x in values):
            raise VerificationError(f"its runs have more than one {key}, of which the sweep says nothing")
        used |= set(names)
    unused = sorted(set(subject["variables"]) - used)
    if unused:
        raise VerificationError(f"subject: its variable {unused[0][:40]} changes nothing that is read")


def _follows(values: Sequence[Any], texts: Sequence[str]) -> bool:
    """Are the values those of a variable, point by point?"""
    numbers = [fraction_from_text(str(x)) if isinstance(x, (str, int)) else None for x in values]
    return None not in numbers and numbers == [fraction_from_text(x) for x in texts]


def _check_point(subject: Mapping[str, Any], point: Mapping[str, str], claims: Sequence[Claim]) -> None:
    if subject["verb"] == "calls":
        _check_calls(subject, point, claims)
        return
    if "each" in subject:
        _check_trials(subject, point, claims)
        return
    wiring = wiring_from_spec(fill(subject["topology"], point))
    kind, data = claims[0].evidence.kind, claims[0].evidence.data
    if kind not in _KINDS[subject["verb"]]:
        raise VerificationError(f"evidence of the kind {kind[:40]!r} is not of simulate {subject['verb']}")
    wanted = set(KINDS.own[kind].states)
    if data.get("algorithm") == "greedy":
        wanted -= _NOT_GREEDY
    if kind == "fault-propagation" and wiring.inputs > 4096:
        wanted.discard("connected_pairs")
    _check_each_once(claims, wanted)
    check_run(wiring, Report(subject, claims))
    alive = _check_faults(wiring, fill(subject["faults"], point) if "faults" in subject else None, data)
    if subject["verb"] != "faults":
        _check_images(subject.get("permutation", []), point, data, alive)


def _check_each_once(claims: Sequence[Claim], wanted: set[str]) -> None:
    if sorted(x.quantity for x in claims) != sorted(wanted):
        raise VerificationError("its claims are not those of one run, each once")


def _check_faults(wiring: Wiring, named: str | None, data: Mapping[str, Any]) -> Bools:
    """The switches that survive the faults which the sweep names; the run must be with these faults."""
    if named is None:
        if "faults" in data:
            raise VerificationError("its run has faults, of which the sweep says nothing")
        return np.ones((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    faulty = named_faults(named, wiring)
    if data.get("faults") != np.argwhere(faulty).tolist():
        raise VerificationError(f"its run is not with the faults that the sweep names, {named[:60]!r}")
    return survivors(wiring, faulty, as_fraction(data["epsilon"], "epsilon"), data["threshold"])


def _check_trials(subject: Mapping[str, Any], point: Mapping[str, str], claims: Sequence[Claim]) -> None:
    """The trials at the point, whose texts still name the number of the trial."""
    values = {**point, "trial": "{trial}"}
    filled: dict[str, Any] = {key: fill(x, values) if isinstance(x, str) else x for key, x in subject.items()}
    if "permutation" in subject:
        filled["permutation"] = [fill(x, values) for x in subject["permutation"]]
    if "load" in point:
        filled["load"] = int(point["load"]) if point["load"].isdecimal() else None
    verify_trials(Report(filled, claims))


def _check_calls(subject: Mapping[str, Any], point: Mapping[str, str], claims: Sequence[Claim]) -> None:
    """All that one run of calls says, each once, on the network and at the occupancy that the sweep names."""
    text, data = fill(subject["topology"], point), claims[0].evidence.data
    load = str(point.get("load", subject.get("load")))
    if not load.isdecimal() or "occupancy" not in subject:
        raise VerificationError("the report's subject has no load or no occupancy")
    named = as_fraction(fill(subject["occupancy"], point), "the occupancy named")
    if as_fraction(data.get("occupancy"), "occupancy") != named:
        raise VerificationError(f"its run has the occupancy {str(data.get('occupancy'))[:40]}")
    wanted = {*CALL_COUNTS, "blocking_probability"}
    if "beta" in data:
        wanted.add("no_path_probability")
    if any(x.evidence.kind == "call-together" for x in claims):
        wanted |= {*TOGETHER_COUNTS, "all_connected_probability"}
    _check_each_once(claims, wanted)
    if not is_wired(text) and int(load) != 1:
        raise VerificationError(f"its load is {load}; 1 was expected: only of a wiring can rows be left out")
    described = {"wiring": {"spec": text}, "load": int(load)} if is_wired(text) else {"network": text}
    verify_calls(Report({"exchange": described}, claims))


def _check_images(named: Sequence[str], point: Mapping[str, str], data: Mapping[str, Any], alive: Bools) -> None:
    """Are those the permutations that the sweep names, without the packets that faults leave no terminal to?"""
    texts = [fill(x, point) for x in named]
    if len(texts) == 1 and texts[0].startswith("adversary") and data.get("searched") == texts[0].strip():
        return  # the permutation that was found is given in full
    flat = unpack_ints(data["images"], what="images", max_items=1 << 30) - 1
    step = alive.shape[1] * data["permutations"] // len(flat)
    if not np.array_equal(named_images(texts, step, alive).reshape(-1), flat):
        raise VerificationError("its permutations are not those that the sweep names")


SWEEP = SubjectKind(
    "sweep",
    verify_sweep,
    Keys(
        {"verb": Word("packets", "circuits", "faults", "calls"), "topology": TEXT, "variables": ANY},
        {**RUNS, "each": Word("trials"), "occupancy": TEXT},
    ),
    qualifier="point",
)
