"""Sweeps: one run on a multistage network for every combination of values, as independent pieces of work."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

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

Request = WiredRequest | CallRequest
RUNS: Mapping[str, tuple[type[Request], Callable[[Any], Any]]] = {
    "packets": (WiredRequest, run_packets),
    "circuits": (WiredRequest, run_circuits),
    "faults": (WiredRequest, run_faults),
    "calls": (CallRequest, run_call_request),
}
_NAMED = ("wiring", "topology", "permutation", "faults")  # texts that could name files


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
