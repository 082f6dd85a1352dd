"""Reports about the times of an algorithm in every order of the ranks verify, and forged ones are refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import RouteproofError
from routeproof.formats.documents.report import document_to_claims
from routeproof.questions.collectives.phased import CollectiveTime
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from true_reports import sealed

F = Fraction


def made(**asked: Any) -> dict[str, Any]:
    routing = routing_from_spec("dor", network_from_spec(asked.pop("topology", "mesh:2x2")))
    answer = CollectiveTime(routing, algorithm="ring", **asked).answer()
    document: dict[str, Any] = json.loads(json.dumps(answer.document()))
    return document


def verify(document: dict[str, Any]) -> None:
    verify_claims(*document_to_claims(sealed(document)))


def all_orders() -> dict[str, Any]:
    return made(order="search", ranks=[0, 3, 1, 2], alpha=F(1, 2))


def every_order() -> dict[str, Any]:
    return made(order="random:2", topology="mesh:3x3")


def test_reports_hold() -> None:
    all_, bound = all_orders(), every_order()
    assert [x["value"] for x in all_["claims"][:2]] == ["9/2", "9/2"]
    assert (bound["claims"][1]["relation"], bound["claims"][1]["value"]) == (">=", "4")
    later = made(order="random:2", topology="mesh:3x3", alpha=F(1, 2))
    assert [x["value"] for x in later["claims"][1:2]] == ["8"]  # eight phases more of half a cycle
    for document in (all_, bound, later):
        verify(document)


def test_forged_reports_are_refused() -> None:
    all_, bound = all_orders(), every_order()
    forged = [
        (all_, {"value": "4"}, "the best of all orders makes it"),
        (all_, {"evidence": {**all_["claims"][1]["evidence"], "tried": 23}}, "which are not all of them"),
        (bound, {"value": "5"}, "the report's rate proves 4"),
    ]
    for document, changes, reason in forged:
        changed = json.loads(json.dumps(document))
        changed["claims"][1].update(changes)
        with pytest.raises(RouteproofError, match=reason):
            verify(changed)


def test_the_root_of_own_phases_stays_the_root(tmp_path: Path) -> None:
    messages = [[{"from": 0, "to": 1, "pieces": [0]}], [{"from": 1, "to": 2, "pieces": [0]}]]
    path = tmp_path / "line.json"
    content = {"format": "routeproof/phases", "operation": "broadcast", "ranks": 3, "phases": messages}
    path.write_text(json.dumps(content), encoding="utf-8")
    routing = routing_from_spec("dor", network_from_spec("mesh:3"))
    answer = CollectiveTime(routing, algorithm=str(path), order="search", root=1).answer()
    document = json.loads(json.dumps(answer.document()))
    assert document["subject"]["ranks"][0] == 1
    verify(document)
