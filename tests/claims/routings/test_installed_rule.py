"""Reports by the installed rule: an honest one holds, and each lie about the rule is refused with its reason."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from places import ETHERNET
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints
from true_reports import Document, sealed, verify


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = tmp_path_factory.mktemp("rule") / "report.json"
    assert main(["failures", str(ETHERNET / "three-tiers"), "--cables", "1", "--json", str(path)]) == 0
    document: Document = json.loads(path.read_text())
    return document


def claim(document: Document, quantity: str) -> dict[str, Any]:
    found: dict[str, Any] = next(x for x in document["claims"] if x["quantity"] == quantity)
    return found


def test_an_honest_report_holds(report: Document) -> None:
    assert verify(report) == len(report["claims"])
    assert claim(report, "entries_by_rule")["value"] == "78"


WEIGHTS = pack_ints(np.arange(1, 41))
LIES: list[tuple[Callable[[Document], Any], str]] = [
    (lambda d: claim(d, "entries_by_rule").update(value="77"), "the rule makes 78 entries"),
    (lambda d: d["claims"].remove(claim(d, "entries_by_rule")), "nothing is stated about the entries"),
    (lambda d: d["subject"]["rule"].update(weight=WEIGHTS), "and the rule sends them to"),
    (lambda d: d["subject"].pop("rule"), "a rule belongs to the repair rule installed-rule"),
    (lambda d: d["subject"].update(repair="split"), "a rule belongs to the repair rule installed-rule"),
    (lambda d: d["subject"].update(engine="minhop"), "an engine belongs to the repair rule opensm"),
    (lambda d: claim(d, "throughput").update(value="1"), "uniform traffic has the throughput"),
    (lambda d: claim(d, "adaptive_load").update(value="3"), "its evidence proves 2"),
    (lambda d: claim(d, "adaptive_load")["evidence"].update(cut=[99]), "outside the network"),
    (lambda d: d["claims"][2].update(value="2" if d["claims"][2]["value"] != "2" else "3"), r"\w"),
]


@pytest.mark.parametrize(("lie", "reason"), LIES)
def test_each_lie_is_refused(report: Document, lie: Callable[[Document], Any], reason: str) -> None:
    document = copy.deepcopy(report)
    lie(document)
    with pytest.raises((VerificationError, InputError), match=reason):
        verify(sealed(document))
