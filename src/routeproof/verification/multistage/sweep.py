"""Reports of sweeps: every point's network is built from the texts, and its run is done again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.multistage.wiring import Wiring
from ...core.sweep import fill, parse_variables, points_of
from ...formats.documents.packed_ints import unpack_ints
from ...formats.resolve_cube import resolve_permutations
from ...topologies.multistage.fault_patterns import faults_from_text, is_fault_pattern
from ...topologies.patterns import is_pattern
from ...topologies.spec import is_wired, wiring_from_spec
from ..calls.claims import verify_calls
from ..calls.counts import CALL_COUNTS
from ..calls.together import TOGETHER_COUNTS
from ..context import Progress
from ..kinds import kind_of
from ..reading import as_fraction
from .replays import Bools, replay_faults
from .runs import check_run
from .sweep_settings import check_named, check_settings
from .trials import verify_trials

__all__ = ["verify_sweep"]

_KINDS = {
    "packets": ("packet-run",),
    "circuits": ("circuit-run", "pipelined-circuit-run"),
    "faults": ("fault-propagation",),
    "calls": ("call-run",),
}
_NOT_GREEDY = {"stages", "swaps"}


def verify_sweep(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Every point of the product of the variables must be there, whole, and hold; raises VerificationError."""
    del routing  # a sweep is over wirings
    given = subject["variables"]
    if not isinstance(given, Mapping) or not all(isinstance(x, list) for x in given.values()):
        raise InputError("the report's variables are no lists of texts")
    if not all(isinstance(x, str) for values in given.values() for x in values):
        raise InputError("the report's variables are no lists of texts")
    texts = [f"{name}={','.join(values)}" for name, values in given.items()]
    points = points_of(parse_variables(texts))
    check_named(subject)
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
        try:
            _check_point(subject, point, some)
            runs.append(some[0].evidence.data)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"at {where}: {error}") from None
        if progress is not None:
            progress(number + 1, len(points))
    if at < len(claims):
        raise VerificationError(
            f"claims[{at}] ({claims[at].quantity[:80]}): its point is not in the sweep, or not in its place"
        )
    check_settings(subject, points, runs)
    return list(claims)


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
    wanted = set(kind_of(kind).states)
    if data.get("algorithm") == "greedy":
        wanted -= _NOT_GREEDY
    if kind == "fault-propagation" and wiring.inputs > 4096:
        wanted.discard("connected_pairs")
    if sorted(x.quantity for x in claims) != sorted(wanted):
        raise VerificationError("its claims are not those of one run, each once")
    check_run(wiring, claims)
    faults = subject.get("faults")
    dead = _check_faults(wiring, None if faults is None else fill(faults, point), data)
    if subject["verb"] != "faults":
        _check_images(subject.get("permutation", []), point, data, dead)


def _check_faults(wiring: Wiring, named: str | None, data: Mapping[str, Any]) -> Bools:
    """The switches that do not survive the faults which the sweep names; the run must be with these faults."""
    if named is None:
        if "faults" in data:
            raise VerificationError("its run has faults, of which the sweep says nothing")
        return np.zeros((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    if not is_fault_pattern(named):
        raise VerificationError(f"its faults {named[:40]!r} are no pattern")
    faulty = faults_from_text(named, wiring)
    if data.get("faults") != [list(x) for x in np.argwhere(faulty).tolist()]:
        raise VerificationError(f"its run is not with the faults that the sweep names, {named[:60]!r}")
    erased, declared = replay_faults(wiring, faulty, as_fraction(data["epsilon"], "epsilon"), data["threshold"])
    return erased | declared | faulty


def _check_trials(subject: Mapping[str, Any], point: Mapping[str, str], claims: Sequence[Claim]) -> None:
    """The trials at the point, whose texts still name the number of the trial."""
    if subject["each"] != "trials":
        raise VerificationError("the report's subject has neither runs nor trials at each point")
    values = {**point, "trial": "{trial}"}
    filled: dict[str, Any] = {key: fill(x, values) if isinstance(x, str) else x for key, x in subject.items()}
    if isinstance(subject.get("permutation"), list):
        filled["permutation"] = [fill(str(x), values) for x in subject["permutation"]]
    if "load" in point:
        filled["load"] = int(point["load"]) if point["load"].isdecimal() else None
    verify_trials(filled, claims)


def _check_calls(subject: Mapping[str, Any], point: Mapping[str, str], claims: Sequence[Claim]) -> None:
    """All that one run of calls says, each once, on the network and at the occupancy that the sweep names."""
    text, data = fill(subject["topology"], point), claims[0].evidence.data
    load, occupancy = point.get("load", subject.get("load")), subject.get("occupancy")
    if not str(load).isdecimal() or not isinstance(occupancy, str):
        raise VerificationError("the report's subject has no load or no occupancy")
    if as_fraction(data.get("occupancy"), "occupancy") != as_fraction(fill(occupancy, point), "the occupancy named"):
        raise VerificationError(f"its run has the occupancy {str(data.get('occupancy'))[:40]}")
    wanted = {*CALL_COUNTS, "blocking_probability"}
    if data.get("beta") is not None:
        wanted.add("no_path_probability")
    if any(x.evidence.kind == "call-together" for x in claims):
        wanted |= {*TOGETHER_COUNTS, "all_connected_probability"}
    if sorted(x.quantity for x in claims) != sorted(wanted):
        raise VerificationError("its claims are not those of one run, each once")
    if not is_wired(text) and int(str(load)) != 1:
        raise VerificationError(f"its load is {load}; 1 was expected: only of a wiring can rows be left out")
    described = {"wiring": {"spec": text}, "load": int(str(load))} if is_wired(text) else {"network": text}
    verify_calls({"exchange": described}, claims)


def _check_images(named: Sequence[str], point: Mapping[str, str], data: Mapping[str, Any], dead: Bools) -> None:
    """Are those the permutations that the sweep names, without the packets that faults leave no terminal to?"""
    texts = [fill(x, point) for x in named]
    if not all(map(is_pattern, texts)):
        if len(texts) == 1 and texts[0].startswith("adversary") and data.get("searched") == texts[0].strip():
            return  # the permutation that was found is given in full
        raise VerificationError(f"its permutations {', '.join(texts)[:60]!r} are no patterns")
    flat = unpack_ints(data["images"], what="images", max_items=1 << 30).astype(np.int64) - 1
    size = len(flat) // int(data["permutations"])
    expected = resolve_permutations(texts, size).astype(np.int64)
    step = dead.shape[1] // size
    expected = np.where(dead[0, ::step] | dead[-1, expected * step], -1, expected)
    if not np.array_equal(expected.reshape(-1), flat):
        raise VerificationError("its permutations are not those that the sweep names")
