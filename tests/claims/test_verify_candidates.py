"""Reports about what could be built verify, and forged ones are refused by what they say, not by their digests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.cli.main import main
from routeproof.questions.fabrics.candidates import Candidates
from true_reports import sealed


def test_reports_verify(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    Candidates(4, 4, rails=2, time_limit=600).answer().write(report)
    document = json.loads(report.read_text())
    report.write_text(json.dumps(sealed(document)))
    assert main(["verify", str(report)]) == 0


def _forge(document: dict[str, Any], what: str) -> None:
    if what == "name":
        name, other = list(document["subject"]["candidates"])[:2]
        found = document["subject"]["candidates"]
        found[name], found[other] = found[other], found[name]
        return
    if what == "rule":
        some = document["subject"]["candidates"].values()
        next(x for x in some if "failures" in x)["failures"]["repair"] = "split"
        return
    if what == "after":
        claim = next(x for x in document["claims"] if x["evidence"]["kind"] == "every-failure")
    else:
        claim = next(x for x in document["claims"] if x["quantity"] == what)
    claim["value"] = "1" if claim["value"] != "1" else "2"


@pytest.mark.parametrize("what", ["num_switches", "num_cables", "worst_case_throughput", "name", "rule", "after"])
def test_forged_reports_are_refused(what: str, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    Candidates(4, 4, rails=2, time_limit=600).answer().write(report)
    document = json.loads(report.read_text())
    _forge(document, what)
    report.write_text(json.dumps(sealed(document)))
    assert main(["verify", str(report)]) == 1
