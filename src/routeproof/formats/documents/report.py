"""Reports: claims about one subject, with a digest on each, as JSON.

``{"format": "routeproof/report", "version": 1, "subject": {...}, "claims": [{"quantity", "relation", "value", "unit",
"grade", "evidence": {"kind", ...}, "source", "digest", ...}, ...], "environment": {...}}``

What qualifies a claim (``"traffic": "tornado"``, ``"channel": 3``) stands beside its other keys.  A digest is the
SHA-256, in hexadecimal, of the canonical JSON (sorted keys, no spaces) of the object without its digest: it says
which part of a damaged report is damaged; whether a claim is true is for its evidence to say.
"""

from __future__ import annotations

import hashlib
import math
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ... import __version__
from ...core.claim import RELATIONS, Claim, Evidence, Grade, Interval
from ...core.errors import InputError, VerificationError, did_you_mean
from ..format import Format, NetworkFormat
from ..text_files import FilePath, brief, shown, unexpected
from .json_text import DOCUMENT_LIMIT, canonical_json, fraction_from_text, fraction_to_text, read_json_object

_REPORT_LIMIT = 4 * DOCUMENT_LIMIT  # adversaries for every pair of 256 nodes take 300 MB
RESERVED = ("quantity", "relation", "value", "unit", "grade", "evidence", "source", "digest")
_INTERVAL = ("low", "best", "high", "trials", "seed", "confidence")
_MAX_BITS = 13_000  # of an integer: JSON readers stop at 4300 digits
_WORD = re.compile(r"[a-z][a-z-]*", re.ASCII)


def environment() -> dict[str, str]:
    """What made a report: versions of this package, Python and numpy, and the platform."""
    return {
        "routeproof": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": sys.platform,
    }


def digest(entry: Mapping[str, Any]) -> str:
    """The digest of a claim, a subject or an environment, as JSON-able data, without its own ``digest``."""
    rest = {key: value for key, value in entry.items() if key != "digest"}
    return hashlib.sha256(canonical_json(rest).encode("ascii")).hexdigest()


def _sealed(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "digest": digest(entry)}


def _jsonable(value: Any, what: str) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and value.bit_length() <= _MAX_BITS:
        return value
    if isinstance(value, (list, tuple)):
        return [_jsonable(x, what) for x in value]
    if isinstance(value, (dict, Mapping)) and all(isinstance(key, str) for key in value):
        return {key: _jsonable(x, what) for key, x in value.items()}
    if isinstance(value, Fraction):
        return fraction_to_text(value)
    if isinstance(value, (np.generic, np.ndarray)):
        return _jsonable(value.tolist(), what)
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise InputError(f"{what} holds {brief(value)} of type {type(value).__name__}, which a report cannot hold")


def claims_to_document(subject: Mapping[str, Any], claims: Sequence[Claim]) -> dict[str, Any]:
    """The report document of ``claims`` about ``subject`` (``{"network": ..., ...}``); raises InputError for qualifiers
    with a reserved name and for data that JSON cannot hold."""
    return {
        "format": "routeproof/report",
        "version": 1,
        "subject": _sealed(_jsonable(dict(subject), "the subject")),
        "claims": [_sealed(_claim_entry(claim, f"claims[{k}] ({claim.quantity})")) for k, claim in enumerate(claims)],
        "environment": _sealed(dict(environment())),
    }


def _claim_entry(claim: Claim, what: str) -> dict[str, Any]:
    clash = [key for key in claim.about if key in RESERVED]
    if clash:
        raise InputError(f"{what} is qualified by '{clash[0]}', a name that reports reserve")
    if "kind" in claim.evidence.data:
        raise InputError(f"{what} has evidence with an entry 'kind', a name that reports reserve")
    value: Any = fraction_to_text(claim.value) if isinstance(claim.value, (Fraction, int)) else claim.value
    if isinstance(claim.value, Interval):
        value = _jsonable({key: getattr(claim.value, key) for key in _INTERVAL}, what)
    entry = {
        "quantity": claim.quantity,
        **_jsonable(claim.about, what),
        "relation": claim.relation,
        "value": value,
        "unit": claim.unit,
        "grade": claim.grade.value,
        "source": claim.source,
        "evidence": {"kind": claim.evidence.kind, **_jsonable(claim.evidence.data, what)},
    }
    _value(entry["value"], claim.grade, what)
    return entry


def document_to_claims(document: Any, *, what: str = "report") -> tuple[dict[str, Any], list[Claim]]:
    """The subject (without its digest) and the claims of a report document; raises VerificationError, naming the part
    that does not match its digest."""
    from ..structure import ReportDocument, document_of

    if not isinstance(document, dict):
        raise unexpected(what, document, "an object")
    data = document_of(ReportDocument, document, what=what)
    _check_digest(data.subject, f"{what}: subject", "subject")
    if data.environment:
        _check_digest(data.environment, f"{what}: environment", "environment")
    claims = [_claim(entry, f"{what}: claims[{k}]", k) for k, entry in enumerate(data.claims)]
    return {key: value for key, value in data.subject.items() if key != "digest"}, claims


def _check_digest(entry: dict[str, Any], what: str, name: str) -> None:
    found = entry.get("digest")
    if not isinstance(found, str):
        raise InputError(f"{what} has no digest" if found is None else f"{what}.digest is {brief(found)}")
    try:
        matches = digest(entry) == found
    except (ValueError, TypeError, RecursionError):  # NaN, or objects that no JSON text gives
        raise InputError(f"{what} holds data that JSON does not have") from None
    if not matches:
        raise VerificationError(f"{name}: its content does not match its digest")


def _claim(entry: Any, what: str, k: int) -> Claim:
    if not isinstance(entry, dict):
        raise unexpected(what, entry, "an object")
    quantity = entry.get("quantity")
    named = isinstance(quantity, str) and quantity.isprintable()
    _check_digest(entry, what, f"claims[{k}] ({str(quantity)[:80]})" if named else f"claims[{k}]")
    for key in RESERVED:
        if key not in entry:
            raise InputError(f"{what} has no key '{key}'")
    for key in ("quantity", "unit", "source", "relation", "grade"):
        if not isinstance(entry[key], str):
            raise unexpected(f"{what}.{key}", entry[key], "a string")
    if entry["relation"] not in RELATIONS:
        raise unexpected(f"{what}.relation", entry["relation"], f"one of {', '.join(RELATIONS)}")
    grades = {grade.value: grade for grade in Grade}
    if entry["grade"] not in grades:
        raise InputError(f"{what}.grade is {brief(entry['grade'])}; {did_you_mean(entry['grade'][:40], grades)}")
    evidence = entry["evidence"]
    if not isinstance(evidence, dict) or not isinstance(evidence.get("kind"), str):
        raise unexpected(f"{what}.evidence", evidence, "an object with a string 'kind'")
    grade = grades[entry["grade"]]
    return Claim(
        quantity=entry["quantity"],
        relation=entry["relation"],
        value=_value(entry["value"], grade, what),
        grade=grade,
        evidence=Evidence(evidence["kind"], {key: x for key, x in evidence.items() if key != "kind"}),
        unit=entry["unit"],
        source=entry["source"],
        about={key: x for key, x in entry.items() if key not in RESERVED},
    )


def _value(value: Any, grade: Grade, what: str) -> Fraction | str | Interval:
    place = f"{what}.value"
    if grade is Grade.SAMPLED:
        if not isinstance(value, dict) or sorted(value) != sorted(_INTERVAL):
            raise unexpected(place, value, f"an object with {', '.join(_INTERVAL)}")
        for key in _INTERVAL:
            if type(value[key]) not in ((int,) if key in ("trials", "seed") else (int, float)):
                raise unexpected(f"{place}.{key}", value[key], "a number")
        if not value["low"] <= value["best"] <= value["high"] or value["trials"] < 1 or not 0 < value["confidence"] < 1:
            raise InputError(
                f"{place} is not an interval: low <= best <= high, trials >= 1, 0 < confidence < 1 expected"
            )
        return Interval(**value)
    exact = fraction_from_text(value) if isinstance(value, str) else None
    if exact is not None:
        return exact
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    raise unexpected(place, value, 'a fraction string ("25/144") or a word ("true")')


def read_report(path: FilePath) -> tuple[dict[str, Any], list[Claim]]:
    document = read_json_object(path, limit=_REPORT_LIMIT, wanted="a report", exact=False)
    return document_to_claims(document, what=f"file {shown(path)}")


REPORT: NetworkFormat = Format(
    "report", "a report", sniff=lambda file: file.says("routeproof/report"), instead="routeproof verify checks reports"
)
