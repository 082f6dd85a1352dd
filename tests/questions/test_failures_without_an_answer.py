"""Failures that have no number: where terminals are separated, and where the rule does not say what happens."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import routeproof as rp
from places import ETHERNET
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.questions.failures.claims import failure_claims
from routeproof.routing.base import pair_table
from routeproof.topologies.failures import Failure
from routeproof.worst import failures
from true_reports import sealed, verify


@pytest.mark.parametrize("repair", ["none", "split", "rebuild"])
def test_no_bound_is_stated_where_no_routing_carries_all(repair: str, tmp_path: Path) -> None:
    """A path of three nodes: every link separates terminals, and 'at least 2' would say that something is kept."""
    found = rp.failures(rp.named_routing("minimal", rp.mesh(3)), repair=repair)
    assert all(x.bound is None for x in found.answer.judged)
    assert not any(x.quantity == "adaptive_load" for x in found.answer.stated)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")


def test_a_failure_that_the_rule_does_not_decide_leaves_the_others_of_a_sample(tmp_path: Path) -> None:
    network = rp.network(str(ETHERNET / "three-tiers-agg11-swp4"))
    routing = rp.named_routing(network.own_routing, network)
    found = rp.failures(routing, links=0, cables=2, samples=6, repair="installed-rule")
    judged = found.answer.judged
    assert sum(not x.is_answered for x in judged) == 1
    assert sum(x.load is not None for x in judged) == len(judged) - 1 > 2
    assert not any(x.quantity in ("retained_throughput", "connected_probability") for x in found.answer.stated)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")


def test_failures_of_small_networks_need_no_scipy() -> None:
    script = (
        "import sys, routeproof as rp; rp.failures(rp.named_routing('dor', rp.mesh(3, 3)), repair='none');"
        "print([x for x in sys.modules if x.startswith('scipy')])"
    )
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("repair", ["none", "split", "rebuild"])
def test_a_failure_that_leaves_no_pair_is_one_of_the_list(repair: str, tmp_path: Path) -> None:
    """Two leaves and two spines: without one leaf the terminals of the other send to one another alone."""
    found = rp.failures(rp.named_routing("ecmp", rp.network("leaf-spine:2,2,2")), switches=1, repair=repair)
    assert sorted((x.nothing, x.like) for x in found.answer.judged) == [(False, 2), (True, 2)]
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    assert "no pair that takes a link is left" in found.page().html
    document = json.loads((tmp_path / "f.json").read_text())
    at = next(k for k, x in enumerate(document["claims"]) if x["value"] == "0" and x["quantity"] == "worst_case_load")
    other = next(x for x in document["claims"] if x["evidence"]["kind"] == "failure" and x["evidence"]["nodes"][0] > 1)
    for change in (
        {"value": "1"},
        {"evidence": {**document["claims"][at]["evidence"], "witness": {"channel": 0, "permutation": [0, 1, 2, 3]}}},
        {"failed": other["failed"], "evidence": {**document["claims"][at]["evidence"], "nodes": [2]}},
        {"pairs": "those that lose no packets"},
    ):
        forged = copy.deepcopy(document)
        forged["claims"][at] |= change
        with pytest.raises((VerificationError, InputError)):
            verify(sealed(forged))


@pytest.mark.parametrize("repair", ["split", "rebuild"])
@pytest.mark.parametrize("demands", [None, rp.demands.pairs([(0, 3)])], ids=["all", "one pair"])
def test_terminals_that_are_separated_are_not_nothing_to_judge(
    repair: str, demands: rp.Demands | None, tmp_path: Path
) -> None:
    """Without its two spines no terminal reaches the other leaf: no channel is loaded, and a load of 0 is false."""
    routing = rp.named_routing("ecmp", rp.network("leaf-spine:2,2,2"))
    rp.failures(routing, switches=2, repair=repair, demands=demands).write(tmp_path / "f.json")
    document = json.loads((tmp_path / "f.json").read_text())
    zero = next(x for x in document["claims"] if x["value"] == "0")
    apart = next(x for x in document["claims"] if x["quantity"] == "connected")
    del apart["evidence"]["lost"]
    apart |= {**zero, "failed": apart["failed"], "evidence": apart["evidence"]}
    with pytest.raises(VerificationError, match="no path is left from node 0 to node 1"):
        verify(sealed(document))


def test_where_nothing_is_stated_of_all_a_failure_stands_for_itself() -> None:
    failures, results = {Failure(nodes=(0,)): 2, Failure(nodes=(1,)): 1}, [{"nothing": True}, {"lost": [0, 2]}]
    judged, claims = failure_claims(rp.ring(3), failures, results, every="switches", classes=None)
    assert [x.like for x in judged] == [1, 2]
    assert [x.evidence.data["like"] for x in claims] == [1, 1]


def test_a_sample_with_a_failure_that_leaves_no_pair_says_nothing_of_all() -> None:
    found = rp.failures(rp.named_routing("ecmp", rp.network("leaf-spine:2,2,2")), switches=2, links=0, samples=4)
    assert any(x.nothing for x in found.answer.judged)
    assert not any(x.quantity in ("retained_throughput", "connected_probability") for x in found.answer.stated)


def test_pairs_that_are_judged_are_named_in_the_headline() -> None:
    found = rp.failures(rp.named_routing("dmodk", rp.network("fat-tree:4")), repair="none")
    assert (
        "As long as nobody reroutes, after the worst failure of one of the links, that of L2.0 - L3.0, every terminal "
        "still keeps 1/3 of its rate under the worst traffic of the pairs that lose no packets."
    ) in found.page().html


@pytest.mark.parametrize(
    "spec", ["fat-tree:4,dead-links=0-8", "torus:3x3,dead-links=0-1", "fat-tree:4,levels=2,bandwidth=2,cables=1"]
)
def test_routings_with_too_many_loads_for_a_table_are_made_anew_after_every_failure(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same as from the table, but for uniform traffic; ``split`` does need the table."""
    routing = rp.named_routing("minimal:choice=per-hop", rp.network(spec))
    known = rp.failures(routing, cables=1).answer
    monkeypatch.setattr(pair_table, "MAX_ENTRIES", 10)
    found = rp.failures(routing, cables=1)
    assert "potentials" in known.more
    assert "potentials" not in found.answer.more
    judged = [{x.failure: (x.like, x.load, x.bound) for x in answer.judged} for answer in (known, found.answer)]
    assert judged[0] == judged[1]
    assert all(x.uniform is None for x in found.answer.judged)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    with pytest.raises(InputError, match="too many for a table"):
        rp.failures(routing, cables=1, repair="split")


def test_draining_needs_no_table_of_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    routing = rp.named_routing("ecmp", rp.network("fat-tree:4"))
    monkeypatch.setattr(pair_table, "MAX_ENTRIES", 10)
    found = rp.plan(routing, drain=[16]).answer
    assert (found.whole, found.uniform) == (1, None)
    assert [(x.judged.load, x.judged.uniform) for x in found.drains] == [(2, None)]


@pytest.mark.parametrize(
    ("folder", "counts"),
    [
        ("three-tiers-agg11-swp4", {"cables": 1}),
        ("three-tiers-agg11-swp4", {"cables": 2, "links": 0, "samples": 6}),
        ("three-tiers", {"switches": 1}),
    ],
)
def test_a_plain_rule_of_a_large_fabric_is_judged_anew(
    folder: str, counts: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by the table; where pairs are cut, which the table counts, the terminals are said to be separated."""
    network = rp.network(str(ETHERNET / folder))
    routing = rp.named_routing(network.own_routing, network)
    known = {x.failure: x for x in rp.failures(routing, **counts, repair="installed-rule").answer.judged}
    monkeypatch.setattr(failures, "MAX_POTENTIALS", 10)
    found = rp.failures(routing, **counts, repair="installed-rule")
    assert "potentials" not in found.answer.more
    assert len(found.answer.judged) == len(known)
    for x in found.answer.judged:
        own = known[x.failure]
        assert (x.like, x.bound, x.undecided is None) == (own.like, own.bound, own.undecided is None)
        assert (x.load, x.lost) == (own.load, None) if not own.cut else x.lost
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    assert found.page().html
    document = json.loads((tmp_path / "f.json").read_text())
    document["subject"]["rule"]["weight"] = pack_ints(np.full(network.num_channels, 2))
    with pytest.raises(VerificationError, match="no potentials of the whole network, and its rule has weights"):
        verify(sealed(document))
