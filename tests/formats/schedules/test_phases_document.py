"""Documents of phases: read, written, refused with one line; reports with them verify and forgeries do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError, RouteproofError
from routeproof.formats.documents.report import document_to_claims
from routeproof.formats.schedules.phases_document import phases_from_document, phases_to_document, read_phases
from routeproof.questions.collectives.phased import CollectiveTime
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from true_reports import sealed

PAIR = [{"from": 0, "to": 1, "pieces": [0]}, {"from": 1, "to": 0, "pieces": [1]}]


def document(**changes: Any) -> dict[str, Any]:
    return {"format": "routeproof/phases", "operation": "all-gather", "ranks": 2, "phases": [PAIR], **changes}


def test_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(document()), encoding="utf-8")
    found = read_phases(path)
    assert phases_from_document(phases_to_document(found), what="it") == found


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"phases": []}, "at least one phase"),
        ({"phases": [[{"from": 0, "to": 1}]]}, "has no key 'pieces'"),
        ({"phases": [PAIR[:1]]}, "after the last phase rank 0 lacks piece 1"),
        ({"operation": "gossip"}, "gossip"),
        ({"ranks": 1 << 40}, "at most"),
        ({"ranks": "2"}, "ranks"),
        ({"rank": 2}, "unknown key"),
    ],
)
def test_refused(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(document(**changes)), encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        read_phases(path)


def test_reports_with_phases(tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(document()), encoding="utf-8")
    routing = routing_from_spec("dor", network_from_spec("mesh:2"))
    report = json.loads(json.dumps(CollectiveTime(routing, algorithm=str(path)).answer().document()))
    verify_claims(*document_to_claims(sealed(report)))
    assert report["claims"][0]["value"] == "1"
    lacking = json.loads(json.dumps(report))
    lacking["subject"]["phases"]["phases"][0].pop()
    none = json.loads(json.dumps(report))
    del none["subject"]["phases"]
    for forged, reason in ((lacking, "rank 0 lacks piece 1"), (none, "does not hold the phases")):
        with pytest.raises(RouteproofError, match=reason):
            verify_claims(*document_to_claims(sealed(forged)))
