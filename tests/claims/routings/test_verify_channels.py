"""The worst case of single channels: those that share their evidence have the values of those with their own, and
nothing false passes."""

from __future__ import annotations

import copy
from collections import defaultdict
from fractions import Fraction
from itertools import permutations
from typing import Any
from unittest import mock

import numpy as np
import pytest

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, once_more, refusal, without
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.graphs.transport import Weights
from true_reports import Document, hosts_network, report, report_on, sealed, shared_report, table, verify

pytestmark = pytest.mark.filterwarnings("ignore:updown has one root")

CASES = [
    ("fat-tree:4", "dmodk"),
    ("fat-tree:4", "minimal"),  # equal splits: halves and quarters
    ("fat-tree:4,dead-links=0-8", "smodk"),
    ("xgft:3x4,w=1x2", "updown:paths=one"),
    ("hyperx:3x3,bandwidth=3/2", "dor"),
    ("torus:4x3,bandwidth=2x1", "dor"),
    ("random-regular:10,degree=3,seed=2", "sssp"),
    ("mesh:3x3", "o1turn"),
]


def of_channels(document: Document) -> list[dict[str, Any]]:
    return [x for x in document["claims"] if "channel" in x]


@pytest.mark.parametrize(("topology", "name"), CASES)
@pytest.mark.parametrize("symmetry", ["auto", "none"])
def test_the_same_values_as_one_by_one(topology: str, name: str, symmetry: str) -> None:
    shared = shared_report(topology, name, symmetry=symmetry)
    alone = report_on(topology, name, all_channels=True, symmetry=symmetry)
    assert [x["value"] for x in of_channels(shared)] == [x["value"] for x in of_channels(alone)]
    kinds = {x["evidence"]["kind"] for x in of_channels(shared)}
    assert "worst-case-channels" in kinds
    assert "worst-case-channel" not in kinds
    assert verify(shared) == verify(alone)


def test_against_all_permutations() -> None:
    """Parallel channels of unequal bandwidth, terminals apart, several paths a pair."""
    routing = table(hosts_network())
    network, size = routing.network, routing.network.num_terminals
    load: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for i, j in np.argwhere(network.source[:, None] != network.sink[None, :]).tolist():
        for weight, path in routing.paths(int(routing.row_of[i]), int(routing.column_of[j])):
            for c in path:
                load[c, i, j] += weight
    with mock.patch("routeproof.questions.worst_case.FEW_NUMBERS", -1):
        document = report(routing, all_channels=True)
    claims = of_channels(document)
    assert {x["evidence"]["kind"] for x in claims} == {"worst-case-channels", "worst-case-among"}
    for claim in claims:
        c = claim["channel"]
        worst = max(sum(load[c, i, j] for i, j in enumerate(image)) for image in permutations(range(size)))
        assert Fraction(claim["value"]) == worst / network.bandwidth[c]
    verify(document)


def test_what_cannot_share_has_its_own() -> None:
    for topology, name in (("ring:4", "valiant"), ("torus:4x3,dead-links=0-1", "minimal:choice=per-hop")):
        document = shared_report(topology, name)
        verify(document)
        if name == "valiant":
            assert {x["evidence"]["kind"] for x in of_channels(document)} <= {"worst-case-channel", "same-class"}


def test_long_denominators_are_proved_by_tight_pairs() -> None:
    """No potential is written out: each follows from the loads of pairs; a changed pair, start or permutation fails."""
    fixed = Weights(1 << 40, False, 4 * 20)  # as where the common denominator is too long
    with mock.patch("routeproof.worst.scan.scan.choose_scale", return_value=fixed):
        document = report_on("torus:5x4,dead-links=0-1;7-11", "minimal", all_channels=True)
    assert verify(document) == verify(report_on("torus:5x4,dead-links=0-1;7-11", "minimal", all_channels=True))
    claims = [x for x in of_channels(document) if "row_after" in x["evidence"]]
    assert len(claims) > 0.9 * len([x for x in of_channels(document) if x["evidence"]["kind"] == "worst-case-channel"])
    for number, name in enumerate(("row_after", "column_after", "row_start", "column_start", "permutation")):
        changed = copy.deepcopy(document)
        claim = [x for x in of_channels(changed) if "row_after" in x["evidence"]][number]
        values = unpack_ints(claim["evidence"][name], what=name, max_items=100)
        k = int(values.argmax())
        values[k] = (
            values[k - 1] if name == "permutation" else values[k] ^ 1 if "after" in name else values[k] + (1 << 40)
        )
        claim["evidence"][name] = pack_ints(values)
        with pytest.raises(VerificationError, match=r"potential|image|permutation"):
            verify(sealed(changed))
    short = copy.deepcopy(document)
    evidence = next(x["evidence"] for x in of_channels(short) if "row_after" in x["evidence"])
    evidence["row_start"] = pack_ints([0])
    with pytest.raises(VerificationError, match="does not match its rows and columns"):
        verify(sealed(short))


@pytest.fixture(scope="module")
def document() -> Document:
    return shared_report("fat-tree:4", "dmodk")


def refused(document: Document, **changed: Any) -> str:
    """Why the report is refused with these entries of the first group's evidence, sealed again."""
    other = copy.deepcopy(document)
    first = next(x for x in other["claims"] if x["evidence"]["kind"] == "worst-case-channels")
    for key, change in changed.items():
        old = first["evidence"][key]
        if callable(change):
            first["evidence"][key] = pack_ints(change(unpack_ints(old, what=key, max_items=1 << 20)))
        else:
            first["evidence"][key] = change
    with pytest.raises((VerificationError, InputError)) as caught:
        verify(sealed(other))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def one_more(numbers: Any) -> Any:
    return np.append(numbers, numbers[-1])


def once(count: Any) -> Any:
    """As many lots in all, but at most two of them for any channel."""
    spread = np.full(len(count), int(count.sum()) // len(count))
    spread[: int(count.sum()) - int(spread.sum())] += 1
    return spread


def raised(numbers: Any) -> Any:
    return numbers + (np.arange(len(numbers)) == len(numbers) // 2)


def test_every_changed_list_is_refused(document: Document) -> None:
    assert "its potentials prove" in refused(document, load=lambda x: x - (np.arange(len(x)) == 3))
    assert "its packets load it with" in refused(document, load=raised)
    assert "more than its 1 terminals" in refused(document, column=lambda x: x * 0)
    assert "its packets load it with" in refused(document, row=lambda x: x * 0, amount=lambda x: x * 0 + 1, count=once)
    assert "more than its" in refused(document, amount=lambda x: x + 1)
    assert "packets at least 1" in refused(document, amount=lambda x: x * 0)
    assert "rows are 0 to" in refused(document, row=lambda x: x + 1000)
    assert "columns 0 to" in refused(document, column=lambda x: -1 - x)
    assert "its potentials prove" in refused(document, quantum=lambda x: x * 0 + 1)
    assert "potentials" in refused(document, quantum=one_more)
    assert "potential is negative" in refused(document, quantum=lambda x: x * 0 - 1)
    assert "ascending order" in refused(document, channel=lambda x: x[::-1])
    assert "ascending order" in refused(document, channel=lambda x: x + 10**6)
    assert "no channel" in refused(document, channel=pack_ints(np.zeros(0, dtype=np.int64)))
    assert "load has" in refused(document, load=lambda x: x[:-1])
    assert "column has" in refused(document, column=lambda x: x[:-1])
    assert "it holds" in refused(document, row=one_more)
    assert "count holds" in refused(document, count=lambda x: x - 10**6)
    assert "count holds" in refused(document, count=lambda x: x + 10**12)
    assert "scale" in refused(document, scale="1/2")
    assert "scale" in refused(document, scale=str(1 << 61))
    assert "not a packed list" in refused(document, row="i8:99999999999:AAAA")
    assert "not a packed list" in refused(document, row=[[1, 2]])
    assert "fit 64 bits" in refused(document, quantum=lambda x: x * 0 + (1 << 60))
    assert "its potentials prove" in refused(document, scale="2")


def test_no_claim_leans_on_what_is_not_there(document: Document) -> None:
    other = copy.deepcopy(document)
    place = next(k for k, x in enumerate(other["claims"]) if x["evidence"]["kind"] == "worst-case-among")
    among = other["claims"][place]
    for key, wrong, why in (
        ("with", among["channel"], "no evidence in the claim"),
        ("with", 10**9, "a whole number from 0 to"),
        ("with", "0", "a whole number was expected"),
        ("channel", among["channel"] + 1, "its evidence about channel"),
    ):
        changed = copy.deepcopy(other)
        changed["claims"][place]["evidence"][key] = wrong
        with pytest.raises(VerificationError, match=why):
            verify(sealed(changed))
    changed = copy.deepcopy(other)
    changed["claims"][place]["value"] = "1000"
    with pytest.raises(VerificationError, match="the evidence proves"):
        verify(sealed(changed))
    changed = copy.deepcopy(other)
    changed["claims"] = [x for x in changed["claims"] if x["evidence"]["kind"] != "worst-case-channels"]
    with pytest.raises(VerificationError, match="no evidence in the claim about channel"):
        verify(sealed(changed))


FORGERIES: list[Forgery] = [
    ("every channel", at(c4_value="1"), "channel 0, which symmetry maps it to, has another value"),
    ("every channel", without("c3"), "no claim with evidence for channel 0, which it refers to"),
    ("every channel", once_more(10, value="1"), "claims[10] states another value for the same quantity"),
    ("every channel", at(c3_evidence__channel=1), "it is about channel 0, its evidence about channel 1"),
    ("every channel", at(c4_evidence__channel=2), "it is about channel 1, its evidence about channel 2"),
]


@honest("every channel")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
