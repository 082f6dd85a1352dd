"""Failures over a set of demands: each one against a network on which what failed is left out by hand."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.faults import Faults
from routeproof.routing.base.repair import Rerouting
from true_reports import sealed, verify

JOBS = {"a": [0, 1, 4], "b": [2, 3, 5]}


@pytest.mark.parametrize("demands", ["sparse:2", "within", "permutations"])
@pytest.mark.parametrize("what", ["links", "switches"])
def test_every_failure_is_judged_over_the_set(demands: str, what: str, tmp_path: Path) -> None:
    network = rp.mesh(3, 2)
    given = rp.named_routing("minimal", network)
    wanted = rp.demands.within(JOBS) if demands == "within" else rp.demands.given(demands)
    found = rp.failures(given, **{what: 1}, demands=wanted, repair="split")
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    every = rp.failures(given, **{what: 1}, repair="split")
    loads = {x.failure.text: x.load for x in found.answer.judged}
    worst = {x.failure.text: x.load for x in every.answer.judged}
    if demands == "permutations":
        assert {x: worst[x] for x in loads} == loads
    for text, load in loads.items():
        assert load is None or text not in worst or load <= worst[text]


@pytest.mark.parametrize("what", ["links", "switches"])
def test_what_the_whole_network_could_carry_is_asked_of_what_is_left(what: str, tmp_path: Path) -> None:
    """On a ring of four a failure leaves one path: a pair beside the gap could have sent 2, and all three links carry
    it all; so could the two others."""
    found = rp.failures(
        rp.named_routing("minimal", rp.ring(4)), **{what: 1}, demands=rp.demands.routable(), repair="split"
    )
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    whole = rp.worst_case(rp.named_routing("minimal", rp.ring(4)), demands=rp.demands.routable())
    assert {x.load for x in found.answer.judged} == {Fraction(2)} == {whole.load}


def test_a_link_that_fails_sends_its_packets_another_way() -> None:
    """On a ring of four, without one link, nodes 0 and 1 are three hops apart: their packets load the other links."""
    network = rp.ring(4)
    given = rp.named_routing("minimal", network)
    found = rp.failures(given, demands=rp.demands.pairs([(0, 1)]), repair="split")
    loads = {x.failure.text: x.load for x in found.answer.judged}
    assert set(loads.values()) == {Fraction(1)}


RATES = {(0, 4): 2, (5, 1): "1/2", (3, 2): 1}
MATRICES = [
    rp.demands.matrix(RATES), rp.demands.matrix(RATES, {(0, 1): 5}), rp.demands.box(RATES, margin=2),
    rp.demands.box(RATES, margin=2) & rp.demands.hose([3] * 6),
]  # fmt: skip


@pytest.mark.parametrize("demands", MATRICES, ids=["one", "two", "box", "box and rows"])
@pytest.mark.parametrize("what", ["links", "switches"])
def test_matrices_and_boxes_after_every_failure(demands: rp.Demands, what: str, tmp_path: Path) -> None:
    network = rp.mesh(3, 2)
    found = rp.failures(rp.named_routing("minimal", network), **{what: 1}, demands=demands, repair="split")
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    assert "picture is left out" not in found.page().html
    given = rp.named_routing("minimal", network)
    repair = Rerouting(given)
    for judged in found.answer.judged:
        if judged.load is None:
            continue
        gone = judged.failure.nodes
        patched = repair.patched(repair.after(gone, judged.failure.channels(network)))
        bounded = demands.on(network)
        matrices = [{pair: high for pair, (_, high) in bounded.box.items()}] if "box" in bounded.text else (
            bounded.matrices
        )  # fmt: skip
        worst = Fraction(0)
        for rates in matrices:
            load: dict[int, Fraction] = {}
            for (i, j), x in rates.items():
                if i not in gone and j not in gone:
                    for c, w in patched.pair_loads([i], [j]).as_dict(0).items():
                        load[c] = load.get(c, Fraction(0)) + w * x
            worst = max([worst, *load.values()])
        limited = "hose" in bounded.text
        assert judged.load <= worst if limited else judged.load == worst


@pytest.mark.parametrize("routing", ["ecmp:choice=per-hop", "updown", "sssp"])
@pytest.mark.parametrize("what", ["links", "switches"])
def test_the_routing_made_anew_over_matrices(routing: str, what: str, tmp_path: Path) -> None:
    """Against the routing made by hand on what is left, with the rates of the terminals that are left."""
    network = rp.mesh(3, 2)
    given = rp.named_routing(routing, network)
    found = rp.failures(given, **{what: 1}, demands=MATRICES[1], repair="rebuild")
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    known = 0
    for judged in found.answer.judged:
        failure = judged.failure
        left = Faults(failure.nodes, failure.channels(network)).survivors(network)
        number = {int(t): k for k, t in enumerate(left.terminal)}
        if judged.load is None:
            assert judged.lost is not None
            continue
        made = rp.named_routing(routing, left.network)
        worst = Fraction(0)
        for rates in MATRICES[1].on(network).matrices:
            pairs = {(number[i], number[j]): x for (i, j), x in rates.items() if i in number and j in number}
            load: dict[int, Fraction] = {}
            for (i, j), x in pairs.items():
                block = made.pair_loads([made.row_of[i]], [made.column_of[j]])
                for c, w in block.as_dict(0).items():
                    load[c] = load.get(c, Fraction(0)) + w * x
            worst = max([worst, *load.values()])
        assert judged.load == worst
        known += 1
    assert known > 3
    if what == "links":
        document = json.loads((tmp_path / "f.json").read_text())
        document["claims"][1]["evidence"]["matrices"]["channel"] += 1
        with pytest.raises(VerificationError):
            verify(sealed(document))


def test_forged_failures_of_matrices_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    rp.failures(rp.named_routing("minimal", rp.mesh(3, 2)), demands=MATRICES[0], repair="split").write(path)
    document = json.loads(path.read_text())
    for key, value in (("value", "1/7"), ("demands", "permutations")):
        forged = copy.deepcopy(document)
        forged["claims"][1][key] = value
        with pytest.raises((VerificationError, InputError)):
            verify(sealed(forged))
    forged = copy.deepcopy(document)
    forged["claims"][1]["evidence"]["matrices"]["channel"] += 1
    with pytest.raises(VerificationError):
        verify(sealed(forged))


def test_what_is_wrong_is_said() -> None:
    given = rp.named_routing("minimal", rp.ring(4))
    for demands in (rp.demands.sparse("all"), rp.demands.unbalanced()):
        with pytest.raises(InputError, match="failures are not judged over"):
            rp.failures(given, demands=demands, repair="split")
    with pytest.raises(InputError, match="one by one"):
        rp.failures(given, demands="sparse:2", samples=3)
    with pytest.raises(InputError, match="cannot be made again"):
        rp.failures(rp.named_routing("dor", rp.mesh(2, 3)), demands="sparse:2", repair="rebuild")


@pytest.mark.parametrize("repair", ["split", "none", "rebuild"])
def test_a_failure_after_which_nobody_may_send_is_one_of_the_list(repair: str, tmp_path: Path) -> None:
    given = rp.named_routing("minimal:choice=per-path", rp.ring(4))
    found = rp.failures(given, switches=1, demands=rp.demands.pairs([(0, 1)]), repair=repair)
    gone = repair != "none"  # else other pairs lose packets, which is what is said
    assert {x.failure.nodes[0]: (x.nothing, x.load) for x in found.answer.judged} == {
        0: (gone, None), 1: (gone, None), 2: (False, 1), 3: (False, 1)
    }  # fmt: skip
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    assert ("no pair that may send and takes a link is left" in found.page().html) is gone


def test_a_failure_that_cuts_every_pair_of_the_set_is_one_of_the_list(tmp_path: Path) -> None:
    """One pair, three links on its only path: after these nothing is left to judge; after the others, its load is 1."""
    found = rp.failures(rp.named_routing("dor", rp.mesh(3, 3)), demands=rp.demands.pairs([(0, 5)]), repair="none")
    loads = [x.load for x in found.answer.judged]
    assert (loads.count(None), loads.count(Fraction(1)), len(loads)) == (3, 9, 12)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    assert "every pair that may send and takes a link loses packets" in found.page().html
    document = json.loads((tmp_path / "f.json").read_text())
    text = next(x.failure.text for x in found.answer.judged if x.load)
    lie = [x for x in document["claims"] if (x["quantity"], x.get("failed")) != ("worst_case_load", text)]
    with pytest.raises(VerificationError, match=r"nothing is stated about"):
        verify(sealed({**document, "claims": lie}))


IDLE = rp.demands.hose([1, 1, 1, 0]) & rp.demands.pairs([(0, 1), (2, 3)])
NOBODY = [rp.demands.hose([1, 1, 0, 0]), IDLE, rp.demands.routable()]


@pytest.mark.parametrize("demands", NOBODY, ids=["hose", "hose and pairs", "routable"])
@pytest.mark.parametrize("repair", ["none", "split", "rebuild"])
@pytest.mark.parametrize("what", ["links", "switches"])
def test_a_failure_that_stops_all_who_may_send_anything(
    demands: rp.Demands, repair: str, what: str, tmp_path: Path
) -> None:
    """Who may send a rate of 0 sends nothing; where every pair is cut there is no worst case, over any set."""
    network = rp.ring(4) if "hose" in demands.on(rp.ring(4)).text else rp.network("leaf-spine:2,2,2")
    found = rp.failures(rp.named_routing("ecmp", network), **{what: 1}, demands=demands, repair=repair)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    assert any(x.nothing or x.cut for x in found.answer.judged) == (repair == "none" or what == "switches")
