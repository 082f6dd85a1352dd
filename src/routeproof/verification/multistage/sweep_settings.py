"""Settings of sweeps: every variable means something, every setting of a run is told by the sweep or never changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...core.errors import VerificationError
from ...core.sweep import variables_in
from ...formats.documents.long_fractions import fraction_from_text

__all__ = ["check_named", "check_settings"]

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


def check_named(subject: Mapping[str, Any]) -> None:
    """The subject names what its verb reads, and nothing else; every variable stands in a text that is read.

    (Trials at every point have more settings, which ``wired_trials`` checks.)
    """
    verb, trials = subject["verb"], "each" in subject
    if trials and verb == "calls":
        raise VerificationError("subject: calls have their trials by themselves, not at each point")
    foreign = sorted(set(subject) - _ALWAYS - _NAMED[verb])
    if trials:
        foreign = sorted(set(subject) & {"occupancy"})  # of calls alone
    if foreign:
        raise VerificationError(f"subject: it names {foreign[0]}, which a sweep of simulate {verb} does not read")
    texts = [subject["topology"], *subject.get("permutation", ())]
    texts += [x for x in (subject.get(key) for key in ("faults", "occupancy", "epsilon", "rho")) if isinstance(x, str)]
    used = set().union(*(variables_in(x) for x in texts))
    if "load" in subject["variables"] and subject.get("load", 1) != 1:
        raise VerificationError(f"subject: its load is {str(subject['load'])[:20]}, and a variable, too")
    for name in subject["variables"]:
        is_load = name == "load" and verb != "faults" and subject.get("algorithm") != "greedy"
        if name not in used and not is_load and (trials or verb == "calls"):
            raise VerificationError(f"subject: its variable {name[:40]} stands in no text that is read")


def check_settings(
    subject: Mapping[str, Any], points: Sequence[Mapping[str, str]], runs: Sequence[Mapping[str, Any]]
) -> None:
    """Settings of the runs, by point: those of one variable, or the same everywhere; ``runs``: their evidence."""
    if "each" in subject:
        return
    texts = [
        subject["topology"],
        *subject.get("permutation", ()),
        subject.get("faults", ""),
        subject.get("occupancy", ""),
    ]
    used = set().union(*(variables_in(x) for x in texts))
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
    numbers = [_number(x) for x in values]
    return None not in numbers and numbers == [_number(x) for x in texts]


def _number(value: object) -> Fraction | None:
    return fraction_from_text(str(value)) if isinstance(value, (str, int)) else None
