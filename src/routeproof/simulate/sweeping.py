"""Sweeps: one run on a multistage network for every combination of values, as independent pieces of work."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.errors import InputError
from ..core.sweep import fill, points_of, variables_in
from ..formats.json_text import canonical_json, parse_json
from ..formats.report_file import claims_to_document, document_to_claims
from .wired_runs import WiredRequest, run_circuits, run_faults, run_packets

if TYPE_CHECKING:
    from ..engine import Engine

__all__ = ["run_point", "sweep_claims", "sweep_subject"]

_RUNS: Mapping[str, Callable[[WiredRequest], Any]] = {
    "packets": run_packets,
    "circuits": run_circuits,
    "faults": run_faults,
}


def sweep_subject(verb: str, asked: WiredRequest, variables: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What a report of the sweep is about; raises InputError for a variable without a place, a place without values,
    and files (a run directory knows pieces of work by their texts, and a text must mean the same for ever)."""
    texts = [asked.wiring, *asked.permutation, *([] if asked.faults is None else [asked.faults])]
    texts += [asked.epsilon, asked.rho]
    used = set().union(*(variables_in(x) for x in texts)) | {"load"}
    for name in variables:
        if name not in used:
            raise InputError(f"sweep over {name} changes nothing: {{{name}}} stands nowhere in the command")
    if "load" in variables and not all(x.isdecimal() and len(x) < 10 for x in variables["load"]):
        raise InputError(
            f"sweep over load has the values {', '.join(variables['load'])[:60]}; whole numbers were expected"
        )
    first = points_of(variables)[0]
    for text in texts[: 1 + len(asked.permutation) + (asked.faults is not None)]:
        if os.path.isfile(fill(text, first)):
            raise InputError(
                f"{fill(text, first)[:80]} is a file; a sweep was expected to name networks, permutations, faults"
            )
    subject: dict[str, Any] = {"kind": "sweep", "verb": verb, "topology": asked.wiring}
    subject["variables"] = {name: list(values) for name, values in variables.items()}
    if verb != "faults":
        subject["permutation"] = list(asked.permutation)
    if asked.faults is not None:
        subject["faults"] = asked.faults
    return subject


def sweep_claims(
    engine: Engine,
    verb: str,
    asked: WiredRequest,
    variables: Mapping[str, Sequence[str]],
    progress: Callable[[int, int], None] | None = None,
) -> list[Claim]:
    """The claims of all points, each qualified by its ``point``, in the order of the points."""
    from ..engine import Work

    pieces = {_name(point): {"point": point} for point in points_of(variables)}
    shared = {"verb": verb, "asked": {**asdict(asked), "permutation": list(asked.permutation)}}
    claims: list[Claim] = []
    for _, text in engine.each(Work("points", run_point, pieces, shared=shared), progress=progress):
        claims += document_to_claims(parse_json(text, what="a record"))[1]
    return claims


def run_point(verb: str, asked: Mapping[str, Any], point: Mapping[str, str]) -> str:
    """One run, as the text of its report."""
    plain = WiredRequest(**{**asked, "permutation": tuple(fill(x, point) for x in asked["permutation"])})
    plain = replace(
        plain,
        wiring=fill(plain.wiring, point),
        load=int(point.get("load", plain.load)),
        faults=None if plain.faults is None else fill(plain.faults, point),
        epsilon=fill(plain.epsilon, point),
        rho=fill(plain.rho, point),
    )
    try:
        done = _RUNS[verb](plain)
    except InputError as error:
        raise InputError(f"at {_name(point)}: {error}") from None
    return canonical_json(claims_to_document({}, [replace(x, about={"point": dict(point)}) for x in done.claims]))


def _name(point: Mapping[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in point.items())
