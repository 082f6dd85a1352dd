"""Reports about two days: verified, and refused where a claim, a day or a network is not what it is said to be."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from routeproof.core.errors import InputError, RouteproofError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.documents.report import document_to_claims
from routeproof.questions.fabrics.diff import Diff
from routeproof.routing.tables.groups import GroupRouting
from routeproof.verification import verify_claims
from routeproof.verification.elaborate import elaborated_text
from true_reports import sealed

ENDS = [(0, 2), (2, 0), (0, 3), (3, 0), (1, 2), (2, 1), (1, 3), (3, 1)]
NET = Network.of("leaf-spine", 4, ENDS, source=[0, 0, 1, 1], sink=[0, 0, 1, 1], labels=["l1", "l2", "s1", "s2"])


def routing(weight: int) -> GroupRouting:
    """Two leaves and two spines; l1 sends ``weight`` parts of 4 to s1."""
    groups = {(0, 1): [(0, weight), (2, 4 - weight)], (1, 0): [(4, 1), (6, 1)], (2, 1): [(5, 1)], (3, 1): [(7, 1)],
              (2, 0): [(1, 1)], (3, 0): [(3, 1)]}  # fmt: skip
    return GroupRouting(NET, "installed", groups)


@cache
def _made() -> str:
    return json.dumps(Diff(routing(2), routing(3)).answer().document())


def report() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_made())
    return found


def verify(document: dict[str, Any]) -> None:
    verify_claims(*document_to_claims(sealed(document)))


def claim(document: dict[str, Any], day: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        x for x in document["claims"] if x["quantity"] == "worst_case_load" and x["day"] == day and "flows" not in x
    )
    return found


def test_what_is_found_verifies() -> None:
    document = report()
    verify(document)
    days = document["subject"]["days"]
    assert list(days) == ["before", "after", "before, with change 1 alone"]
    assert [claim(document, x)["value"] for x in days] == ["1", "3/2", "3/2"]


def test_a_claim_about_the_other_day_is_refused() -> None:
    document = report()
    one, other = claim(document, "before"), claim(document, "after")
    one["day"], other["day"] = "after", "before"
    with pytest.raises(VerificationError, match=r"^(before|after): claims"):
        verify(document)


def test_a_claim_about_no_day_is_refused() -> None:
    document = report()
    claim(document, "before")["day"] = "yesterday"
    with pytest.raises(VerificationError, match="none of the days"):
        verify(document)


def test_a_day_without_claims_is_refused() -> None:
    document = report()
    document["claims"] = [x for x in document["claims"] if x["day"] != "after"]
    with pytest.raises(VerificationError, match="no claims about it"):
        verify(document)


def test_days_that_are_exchanged_are_refused() -> None:
    document = report()
    days = document["subject"]["days"]
    days["before"], days["after"] = days["after"], days["before"]
    with pytest.raises(VerificationError, match=r"^(before|after): claims"):
        verify(document)


@pytest.mark.parametrize("days", [None, [], {}, "before", {"before": 3}, {"before": None, "after": []}])
def test_days_that_are_none_are_refused(days: object) -> None:
    document = report()
    document["subject"]["days"] = days
    with pytest.raises(RouteproofError):
        verify(document)


def test_a_key_of_a_day_that_nothing_checks_is_refused() -> None:
    document = report()
    document["subject"]["days"]["after"]["speed"] = "fast"
    with pytest.raises(VerificationError, match="'speed', which nothing checks"):
        verify(document)


def test_a_proof_is_about_one_day() -> None:
    with pytest.raises(InputError, match="a proof is about one network"):
        elaborated_text(*document_to_claims(sealed(report())), most=1_000_000)
