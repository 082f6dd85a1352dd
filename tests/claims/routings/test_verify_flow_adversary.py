"""Adversaries that are flows, over all that is routable.  Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commanded_reports import Change, Forgery, at, check_forgery, forged, honest, made, refusal
from routeproof import ring
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.core.symmetry import Automorphism
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.kernel.gauges import gauge_of_flows
from routeproof.kernel.theorem import SupportingLine, supporting_line
from true_reports import Document

NAME = "routable design"


def adversary(document: Document) -> Any:
    return document["claims"][0]["evidence"]["adversary"]


def flow(change: Any) -> Change:
    """The first flow, (4 nodes, 8 channels), changed in place."""

    def changed(document: Document) -> None:
        item = adversary(document)["flows"][0]
        numbers = unpack_ints(item["flow"], what="flow", max_items=1000).reshape(4, 8)
        change(numbers)
        item["flow"] = pack_ints(numbers.ravel())

    return changed


def more_everywhere(numbers: Any) -> None:
    numbers[:, 0] += 1


def one_more(numbers: Any) -> None:
    """More than the bandwidths on a used channel: its share is larger, and the bound smaller."""
    i, e = (int(x) for x in np.argwhere(numbers > 0)[0])
    numbers[i, e] += 1


def less(numbers: Any) -> None:
    numbers[np.nonzero(numbers)] -= 2 * int(numbers.max())


def twice(document: Document) -> None:
    adversary(document)["flows"].append(dict(adversary(document)["flows"][0]))


def image(document: Document) -> None:
    item = adversary(document)["flows"][0]
    adversary(document)["flows"].append({**item, "channel": item["channel"] + 1})


def pairs(document: Document) -> None:
    adversary(document)["pairs"] = adversary(document).pop("flows")


def permutations(document: Document) -> None:
    claims = document["claims"]
    document["claims"] = [{**claims[0], "model": "balanced"}, *claims[2:]]
    del document["claims"][0]["demands"]


FORGERIES: list[Forgery] = [
    (NAME, flow(more_everywhere), "takes more away from node"),
    (NAME, flow(one_more), "it is at least 3/2; the adversaries prove at least 1"),
    (NAME, flow(less), "needs one number >= 0"),
    (NAME, twice, "is against channel 0, as another one is"),
    (NAME, image, "is that of a channel which symmetry takes it to"),
    (NAME, pairs, "its evidence.adversary.pairs[0] has no 'source'"),
    (NAME, permutations, "evidence of the kind 'routable' says nothing of its set of demands"),
    (NAME, at(c0_value="1"), "the lengths do not bound what row 0 sends to column 1"),
    (NAME, at(c0_value="2"), "it is at least 2; the adversaries prove at least 3/2"),
    (NAME, at(c0_evidence__adversary__flows__0__channel=99), "99"),
    (NAME, at(c0_evidence__adversary__flows__0__flow=pack_ints([1, 2])), "has 2 numbers; 32 were expected"),
    (NAME, at(c0_evidence__adversary__symmetry={"reversal": True, "declared": ["no such"]}), "no such"),
]


@honest(NAME, "routable designs in parts")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)


def flow_line(network: Network, flows: dict[int, np.ndarray[Any, Any]], **symmetry: Any) -> SupportingLine:
    return supporting_line(network, gauge_of_flows(network, flows, **symmetry))


def one_way(size: int, *channels: int) -> np.ndarray[Any, Any]:
    numbers = np.zeros((size, size), dtype=np.int64)
    numbers[0, list(channels)] = 1
    return numbers


def test_a_flow_above_the_bandwidth_only_counts_for_less() -> None:
    """phi is its largest share of a bandwidth: doubled, it proves no more."""
    network = ring(4, oneway=True)
    once = flow_line(network, {0: one_way(4, 0)})
    again = flow_line(network, {0: 2 * one_way(4, 0)})
    assert once.least_load() == again.least_load() == 1
    narrow = Network.of("narrow", 4, np.stack([network.tail, network.head], axis=1), bandwidth=["1/2", 1, 1, 1])
    assert flow_line(narrow, {0: one_way(4, 0)}).least_load() == 1


def test_a_flow_that_reaches_nobody_proves_nothing() -> None:
    network = ring(4, oneway=True)
    assert flow_line(network, {0: one_way(4, 0, 1, 2, 3)}).least_load() == 0


def test_a_flow_that_begins_nowhere_is_refused() -> None:
    with pytest.raises(VerificationError, match="takes more away from node 1 than arrives there"):
        flow_line(ring(4, oneway=True), {1: one_way(4, 1)})


def test_terminals_are_needed_at_both_ends() -> None:
    ends = [(0, 1), (1, 2), (2, 0)]
    idle = Network.of("idle", 3, ends, source=[1, 2], sink=[1, 2])
    with pytest.raises(VerificationError, match="sends from node 0, which has no terminal"):
        flow_line(idle, {0: one_way(3, 0)})
    idle = Network.of("idle", 3, ends, source=[0, 2], sink=[0, 2])
    with pytest.raises(VerificationError, match="delivers to node 1, which has no terminal"):
        flow_line(idle, {0: one_way(3, 0)})


def test_symmetry_is_checked() -> None:
    network = ring(4, oneway=True)
    wrong = Automorphism("swap", np.array([1, 0, 2, 3], dtype=np.int32), np.arange(4, dtype=np.int32))
    with pytest.raises(InputError, match="is not an automorphism"):
        flow_line(network, {0: one_way(4, 0)}, generators=[wrong])
    with pytest.raises(VerificationError, match="reversal of paths was used"):
        flow_line(network, {0: one_way(4, 0)}, reversal=True)
