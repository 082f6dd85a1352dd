"""``verify --routing``: what was judged is what is named, on the screen and in the new report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from routeproof.formats.documents.report import digest


def test_the_routing_that_was_judged_is_the_one_that_is_named(run: Any, tmp_path: Path) -> None:
    report, other = tmp_path / "report.json", tmp_path / "other.json"
    assert run("worst-case", "torus:4x4", "--routing", "dor", "--json", str(report)).status == 0
    document = json.loads(report.read_text())
    document["subject"]["routing"] = {"spec": "valiant"}
    document["subject"]["digest"] = digest(document["subject"])
    report.write_text(json.dumps(document))
    assert run("verify", str(report)).status == 1
    ran = run("verify", str(report), "--routing", "dor", "--json", str(other))
    assert ran.status == 0
    assert "routing: dor" in ran.out
    assert "checked against this routing, in place of the report's" in ran.out
    assert "valiant" not in ran.out
    assert json.loads(other.read_text())["subject"]["routing"] == {"spec": "dor"}
    assert run("verify", str(other)).status == 0
