"""All-to-alls; damaged, they are refused."""

from __future__ import annotations

import pytest

from answered_reports import verify
from collective_reports import report
from routeproof.core.errors import RouteproofError, VerificationError


def test_damaged_all_to_all_is_refused() -> None:
    document = report("all-to-all")
    document["claims"][0]["value"] = "2"
    with pytest.raises(VerificationError, match="its lengths prove at most 1"):
        verify(document)
    document = report("all-to-all")
    document["subject"]["ranks"] = [0, 1, 2]
    with pytest.raises(RouteproofError):
        verify(document)


def test_damaged_flows_are_refused() -> None:
    document = report("closed form")
    document["claims"][0]["evidence"]["routing"] = "valiant"
    with pytest.raises(VerificationError, match="routing valiant reaches 16/15 under uniform traffic"):
        verify(document)
