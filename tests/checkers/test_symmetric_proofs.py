"""Version 2 of the format: a routing by the loads from few senders, and maps that take them to all others."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from falsified_proofs import falsifications, statement
from proof_judge import Judge, false_claims
from proofs import Proof, checked, proof_of
from symmetric_proofs import ASKED, symmetric_proof

EACH = 12


@pytest.mark.parametrize("name", ASKED)
def test_it_holds_and_is_true(name: str) -> None:
    proof = symmetric_proof(name)
    status, said = checked(proof)
    assert status == 0, said
    assert proof["version"] == 2
    assert proof["routings"][0]["symmetry"]
    assert not proof["not_elaborated"]
    assert false_claims(proof) == []


def in_full(proof: Proof) -> Proof:
    """The same in version 1, with all loads, by the judge, and without claims that rest on symmetry."""
    found = copy.deepcopy({**proof, "version": 1})
    loads = Judge(proof).loads
    for routing, of in zip(found["routings"], loads, strict=True):
        del routing["symmetry"]
        ends: dict[Any, list[list[int]]] = {}
        for c, by_pair in enumerate(of):
            for (i, j), x in by_pair.items():
                pair = (i, j)
                if routing["between"] == "nodes":
                    (s, _), (_, v) = (proof["network"]["terminals"][t] for t in pair)
                    pair = s, v
                amount = [c, round(x * int(routing["scale"]))]
                if amount not in ends.setdefault(pair, []):
                    ends[pair].append(amount)
        routing["loads"] = [[*pair, flow] for pair, flow in sorted(ends.items())]
    found["claims"] = [x for x in found["claims"] if x["kind"] == "worst-case-at-least"]
    return found


@pytest.mark.parametrize("name", ASKED)
def test_written_in_full_it_is_the_same_routing(name: str) -> None:
    """By its name, too, which only the definition gives."""
    proof = symmetric_proof(name)
    status, said = checked(in_full(proof))
    assert status == 0, said
    title, other = (x.splitlines()[1].partition(": by loads")[0] for x in (said, checked(proof)[1]))
    assert title == other


@pytest.mark.parametrize("name", ASKED)
def test_no_falsified_proof_passes(name: str) -> None:
    proof = symmetric_proof(name)
    known = {statement(proof): True}
    refused = 0
    for path, changed in falsifications(proof, EACH, seed=len(name)):
        status, said = checked(changed)
        assert status in (0, 1, 2)
        refused += status != 0
        if status == 0:
            key = statement(changed)
            known.setdefault(key, not false_claims(changed))
            assert known[key], (path, said)
    assert refused > EACH // 2


def swapped(move: list[int], a: int, b: int) -> None:
    move[a], move[b] = move[b], move[a]


def wrong_channels(proof: Proof) -> None:
    swapped(proof["routings"][0]["symmetry"][0][1], 0, 1)


def wrong_terminals(proof: Proof) -> None:
    swapped(proof["routings"][0]["symmetry"][0][2], 0, 1)


def no_permutation(proof: Proof) -> None:
    move = proof["routings"][0]["symmetry"][0][1]
    move[0] = move[1]


def wider_channel(proof: Proof) -> None:
    proof["network"]["channels"][5][2] += 1


def one_flow_changed(proof: Proof) -> None:
    """A pair goes there and back besides, which is still a unit flow, but not the same when reflected."""
    channels = [x[:2] for x in proof["network"]["channels"]]
    back = channels.index(channels[0][::-1])
    flow = next(x for *_, x in proof["routings"][0]["loads"] if {0, back} <= {c for c, _ in x})
    for x in flow:
        x[1] += x[0] in (0, back)


def a_map_that_keeps_the_network_alone(proof: Proof) -> None:
    """The two dimensions change places; packets still take the second one first."""
    network = proof["network"]
    nodes = [v % 4 * 4 + v // 4 for v in range(16)]
    channels = [x[:2] for x in network["channels"]]
    proof["routings"][0]["symmetry"].append([nodes, [channels.index([nodes[a], nodes[b]]) for a, b in channels], nodes])


def one_pair_less(proof: Proof) -> None:
    del proof["routings"][0]["loads"][-1]


def another_sender(proof: Proof) -> None:
    routing = proof["routings"][0]
    nodes, channels, _ = routing["symmetry"][0]
    routing["loads"] = [[nodes[i], nodes[j], [[channels[c], n] for c, n in flow]] for i, j, flow in routing["loads"]]


def of_kind(proof: Proof, kind: str, number: int = 0) -> Any:
    return [x for x in proof["claims"] if x["kind"] == kind][number]


def another_orbit(proof: Proof) -> None:
    of_kind(proof, "alike")["channels"].append(2)


def a_channel_twice(proof: Proof) -> None:
    of_kind(proof, "alike")["channels"] *= 2


def no_evidence_of_an_orbit(proof: Proof) -> None:
    of_kind(proof, "worst-case-at-most")["evidence"].pop()


def evidence_twice(proof: Proof) -> None:
    evidence = of_kind(proof, "worst-case-at-most")["evidence"]
    evidence.append(evidence[0])


def one_row_wider(proof: Proof) -> None:
    """The set is not the same everywhere: evidence of one channel is none for another."""
    proof["demands"][0]["rows"][3] += 1


def pairs_are_listed(proof: Proof) -> None:
    size = len(proof["network"]["terminals"])
    proof["demands"][0]["pairs"] = [[i, j, 0, None] for i in range(size) for j in range(size)]


REFUSED: list[Callable[[Proof], None]] = [
    wrong_channels, wrong_terminals, no_permutation, wider_channel, one_flow_changed,
    a_map_that_keeps_the_network_alone, one_pair_less, another_sender,
    another_orbit, a_channel_twice, no_evidence_of_an_orbit, evidence_twice, one_row_wider, pairs_are_listed,
]  # fmt: skip


def version_1(proof: Proof) -> None:
    proof["version"] = 1


def no_symmetry_stated(proof: Proof) -> None:
    del proof["routings"][0]["symmetry"]


def no_map(proof: Proof) -> None:
    proof["routings"][0]["symmetry"] = []


def of_a_bound(proof: Proof) -> None:
    of_kind(proof, "alike")["of"] = 0


def of_nothing(proof: Proof) -> None:
    of_kind(proof, "alike")["channels"] = []


def of_itself(proof: Proof) -> None:
    claim = of_kind(proof, "alike")
    claim["of"] = proof["claims"].index(claim)


def a_map_without_terminals(proof: Proof) -> None:
    proof["routings"][0]["symmetry"][0].pop()


def about_deadlock(proof: Proof) -> None:
    order = [list(range(len(proof["network"]["channels"])))]
    proof["claims"].append({"kind": "deadlock-free", "routing": 0, "virtual": 1, "order": order})


MALFORMED: list[Callable[[Proof], None]] = [
    version_1, no_symmetry_stated, no_map, of_a_bound, of_nothing, of_itself, a_map_without_terminals, about_deadlock,
]  # fmt: skip


@pytest.mark.parametrize("change", REFUSED + MALFORMED, ids=lambda x: x.__name__)
def test_it_is_refused_with(change: Callable[[Proof], None]) -> None:
    proof = symmetric_proof("two orbits")
    change(proof)
    status, said = checked(proof)
    assert status == (1 if change in REFUSED else 2), said


def test_why_a_flow_that_is_another_one_is_refused() -> None:
    proof = symmetric_proof("two orbits")
    one_flow_changed(proof)
    assert "the symmetry that keeps sender 0 changes the loads of (0, " in checked(proof)[1]


def test_proofs_of_version_1_are_what_they_were() -> None:
    """Unless they say version 2, and of every routing that it has no symmetry."""
    proof = proof_of("worst case")
    assert proof["version"] == 1
    proof["version"] = 2
    assert checked(proof)[0] == 2
    for routing in proof["routings"]:
        routing["symmetry"] = None
    assert checked(proof) == checked(proof_of("worst case"))
