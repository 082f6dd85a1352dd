"""Weighted cuts with potentials; damaged, they are refused."""

from __future__ import annotations

import pytest

from answered_reports import verify
from collective_reports import evidence, report
from routeproof.core.errors import VerificationError
from routeproof.formats.documents.packed_ints import pack_ints


def test_damaged_weighted_cuts_are_refused() -> None:
    assert evidence(report("fork"))["kind"] == "weighted-cuts"
    document = report("fork")
    document["claims"][0]["value"] = "1/3"
    with pytest.raises(VerificationError, match="it is at most 1/3; its cuts prove 1/2"):
        verify(document)
    document = report("fork")
    evidence(document)["potentials"] = pack_ints([0, 0, 0, 0])
    with pytest.raises(VerificationError, match="it is at most 1/2; its cuts prove"):
        verify(document)
    document = report("fork")
    evidence(document)["potentials"] = pack_ints([0, 1, 0, 0])
    with pytest.raises(VerificationError, match="holds a rank has a potential"):
        verify(document)
    document = report("fork")
    evidence(document)["cuts"][0]["weight"] = -1
    with pytest.raises(VerificationError, match="negative weight"):
        verify(document)
    document = report("fork")
    del evidence(document)["trees"][0]
    with pytest.raises(VerificationError, match=r"its trees carry|it has no trees"):
        verify(document)
    document = report("fork")
    for claim in document["claims"]:
        claim["switches"] = "multicast"
    with pytest.raises(VerificationError, match="switches"):
        verify(document)


def test_cuts_that_prove_nothing_are_refused() -> None:
    document = report("fork")
    for cut in evidence(document)["cuts"]:
        cut["weight"] = 0
    with pytest.raises(VerificationError, match="its sets of nodes have no weight"):
        verify(document)
    document = report("fork")
    evidence(document)["cuts"][0]["inside"] = pack_ints([1, 1, 1, 1])
    with pytest.raises(VerificationError, match="its cut misses no node that must receive"):
        verify(document)
