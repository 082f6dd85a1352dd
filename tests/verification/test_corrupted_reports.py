"""Every entry of a report is changed: digests name the damage, and with new digests no false claim is verified.

A change with new digests may be verified where the claims are still true (potentials that prove with room to spare,
another busiest channel): then the analysis, asked again about what the report now says, must find the same values.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from routeproof.claims.subject import routing_of
from routeproof.core.errors import InputError, RouteproofError, VerificationError
from routeproof.core.traffic import Permutation, Traffic
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import RESERVED
from routeproof.questions.worst_case import answer_worst_case
from true_reports import (
    Document,
    hose_report,
    report,
    report_on,
    sealed,
    shared_report,
    table_report,
    user_function,
    verify,
)

Path = tuple[str | int, ...]
_TRIALS = 120  # a report; all of them, some 15,000 changes, were tried when this was written

REPORTS: dict[str, Callable[[], Document]] = {
    "torus": lambda: report_on("torus:3x3", "romm", traffic=("tornado",)),
    "bandwidths": lambda: report_on("torus:4x3,bandwidth=2x1", "dor"),
    "graph": lambda: report_on("random-regular:10,degree=3,seed=2", "minimal"),
    "unbalanced": lambda: report_on("mesh:4", "dor", model="unbalanced"),
    "hose": hose_report,
    "terminals": table_report,
    "function": lambda: report(user_function()),
    "all channels": lambda: report_on("ring:4", "mix:1/3*dor+2/3*valiant", all_channels=True),
    "channels together": lambda: shared_report("fat-tree:4,bandwidth=1x3/2", "dmodk"),
}
HARMLESS = ("source", "environment", "topology", "version")  # free text, checked by other tests; True is 1


def entries(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every list and every leaf."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key != "digest" and key not in HARMLESS:
                yield from entries(item, (*path, key))
        return
    yield path, value
    for k, item in enumerate(value if isinstance(value, list) else ()):
        yield from entries(item, (*path, k))


def changes(value: Any, rng: np.random.Generator) -> list[Any]:
    """Other values of about the same kind."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, True, str(value), 1 << 70, value + 0.5]
    if value is None:
        return [0, ""]
    if isinstance(value, list):
        return [x for x in ([], value[:-1], value[1:], value + value[:1], value[::-1]) if x != value]
    assert isinstance(value, str)
    if value[:3] in ("i1:", "i2:", "i4:"):
        array = unpack_ints(value, what="it", max_items=1 << 20)
        found = [value[:-3], pack_ints(array[:-1]), pack_ints(np.append(array, 0)), pack_ints(np.append(array, array))]
        for k in rng.permutation(len(array))[:6]:
            for step in (1, -1, 1 << 40, -(1 << 62), (1 << 63) - 1 - int(array[k])):
                one = array.copy()
                one[k] += step
                found.append(pack_ints(one))
        return found
    try:
        number = Fraction(value)
    except ValueError:
        return ["", value + "x", "tornado", "hose", "EXHAUSTED", "dor", "valiant", "torus:4x4"]
    hair = Fraction(1, 10**40)
    others = [number + 1, number + hair, number - hair, -number, 2 * number, number / 2]
    return [str(x) for x in others if x != number] + ["5/0", "nan", str(10**400), "1/" + "9" * 3000]


def put(document: Document, path: Path, value: Any) -> Document:
    changed = copy.deepcopy(document)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


_TRUTHS: dict[str, dict[tuple[str, str], str]] = {}


def truth(document: Document) -> dict[tuple[str, str], str]:
    """What the analysis finds about the subject, the traffic and the rates of the report."""
    worst = next((x for x in document["claims"] if x["evidence"]["kind"] == "worst-case"), None)
    model = "balanced" if worst is None else worst["model"]
    rates = None
    if model == "hose":
        given = worst["evidence"]["model"]
        rates = tuple([Fraction(x) for x in given[key]] for key in ("ingress", "egress"))
    traffics = []
    for claim in document["claims"]:
        evidence = claim["evidence"]
        if claim["quantity"] == "throughput" and "permutation" in evidence:
            traffics.append(Traffic.of_permutation(Permutation(evidence["permutation"]), name=claim["traffic"]))
        elif claim["quantity"] == "throughput" and "matrix" in evidence:
            rows = [[Fraction(x) for x in row] for row in evidence["matrix"]]
            traffics.append(Traffic.of_matrix(rows, name=claim["traffic"]))
    single = any("channel" in x for x in document["claims"])
    asked = [(x.name, x.permutation and x.permutation.image.tolist(), str(x.numerator), x.scale) for x in traffics]
    key = json.dumps([document["subject"], model, str(rates), asked, single])
    if key not in _TRUTHS:
        routing = routing_of(document["subject"])
        found = answer_worst_case(routing, model=model, rates=rates, traffics=traffics, all_channels=single)
        _TRUTHS[key] = {(x.quantity, json.dumps(dict(x.about), sort_keys=True)): str(x.value) for x in found.stated}
    return _TRUTHS[key]


def false_claims(document: Document) -> list[str]:
    found = truth(document)
    wrong = []
    for claim in document["claims"]:
        about = {key: x for key, x in claim.items() if key not in RESERVED}
        value = found.get((claim["quantity"], json.dumps(about, sort_keys=True)))
        if value != claim["value"]:
            wrong.append(f"{claim['quantity']} {about}: {claim['value']}, in truth {value}")
    return wrong


def refusal(document: Document) -> RouteproofError | None:
    """Why the document is refused; any exception of another kind fails the test."""
    try:
        verify(document)
    except (VerificationError, InputError) as error:
        found: RouteproofError = error
    else:
        return None
    assert str(found)
    assert "\n" not in str(found)
    return found


@pytest.mark.parametrize("name", REPORTS)
def test_with_the_old_digests_the_part_is_named(name: str) -> None:
    document = REPORTS[name]()
    rng = np.random.default_rng(1)
    for path, value in entries(document):
        if len(path) < 2 or path[0] not in ("subject", "claims") or (path[0] == "claims" and len(path) < 3):
            continue
        for other in changes(value, rng)[:1]:
            error = refusal(put(document, path, other))
            assert isinstance(error, VerificationError), path
            part = "subject" if path[0] == "subject" else f"claims[{path[1]}]"
            assert str(error).startswith(part)
            assert "does not match its digest" in str(error)


@pytest.mark.parametrize("name", REPORTS)
def test_with_new_digests_nothing_false_is_verified(name: str) -> None:
    document = REPORTS[name]()
    assert refusal(document) is None
    assert false_claims(document) == []
    rng = np.random.default_rng(2)
    possible = [(path, other) for path, value in entries(document) if path for other in changes(value, rng)]
    chosen = rng.permutation(len(possible))[:_TRIALS]
    refused = 0
    for path, other in (possible[k] for k in chosen):
        changed = sealed(put(document, path, other))
        if refusal(changed) is None:
            assert false_claims(changed) == [], (path, other)
        else:
            refused += 1
    assert refused > _TRIALS / 2
