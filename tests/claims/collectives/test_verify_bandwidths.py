"""Algorithm and bus bandwidth, as nccl-tests defines them."""

from __future__ import annotations

import pytest

from answered_reports import verify
from collective_reports import CASES, F, report
from routeproof.core.errors import VerificationError


def test_bandwidths_as_nccl_prints_them() -> None:
    """nccl-tests, PERFORMANCE.md: size over time, and the factor of each operation."""
    found = {name: {x.quantity: x.value for x in CASES[name].answer().claims() if x.about["operation"] == name}
             for name in ("all-gather", "reduce-scatter", "broadcast", "all-to-all")}  # fmt: skip
    both = [(x["algorithm_bandwidth"], x["bus_bandwidth"]) for x in found.values()]
    assert both == [(2, F(3, 2)), (2, F(3, 2)), (1, 1), (1, F(3, 4))]
    claims = CASES["all-reduce"].answer().claims()
    assert [x.value for x in claims if "bandwidth" in x.quantity] == [F(9, 4), 4]


def test_other_bandwidths_are_refused() -> None:
    for number, value in ((1, "2"), (2, "5/2")):
        document = report("all-to-all")
        document["claims"][number]["value"] = value
        with pytest.raises(VerificationError, match="the report's rate makes it"):
            verify(document)
