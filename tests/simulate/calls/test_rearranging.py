"""All calls at once: looping and Paull's exchanges against what must hold of any realised permutation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.claims.calls.claims import CallRun
from routeproof.claims.calls.rearrangements import check_cut, check_permutations, check_realised
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.core.errors import InputError, VerificationError
from routeproof.simulate.calls.rearranging import (
    Rearranger,
    looping,
    middles,
    realised_claim,
    rearrangeable_claim,
    rearranger,
)
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.multistage.banyan import benes, multi_benes, multibutterfly
from routeproof.topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring


def of_clos(m: int, n: int, r: int) -> Rearranger:
    network = network_from_spec(f"clos:{m},{n},{r}")
    return rearranger(call_graph_of_network(network), None, network)


@settings(max_examples=50)
@given(n=st.integers(1, 7), seed=st.integers(0, 999))
def test_looping_realises_any_permutation(n: int, seed: int) -> None:
    image = np.random.default_rng(seed).permutation(1 << n)
    rows = looping(image)
    wire = benes(n).wire
    assert np.array_equal(rows[0], np.arange(1 << n))
    assert np.array_equal(rows[-1], image)
    for level in range(2 * n + 1):
        assert len(set(rows[level].tolist())) == 1 << n
    for level in range(2 * n):
        there = wire[level][:, rows[level]]
        assert ((there == rows[level + 1]).any(axis=0)).all()


@settings(max_examples=50)
@given(n=st.integers(1, 5), r=st.integers(1, 5), extra=st.integers(0, 2), seed=st.integers(0, 999))
def test_exchanges_realise_any_permutation(n: int, r: int, extra: int, seed: int) -> None:
    image = np.random.default_rng(seed).permutation(n * r)
    chosen = middles(image, n, n + extra)
    assert set(chosen) <= set(range(n + extra))
    assert len({(t // n, k) for t, k in enumerate(chosen)}) == n * r
    assert len({(int(image[t]) // n, k) for t, k in enumerate(chosen)}) == n * r


def test_all_permutations_of_small_networks() -> None:
    """Benes with 4 terminals, Clos with m = n: rearrangeable, though both block (see test_calls)."""
    small = benes(2)
    how = rearranger(call_graph_of_wiring(small), small, None)
    claim = rearrangeable_claim(how)
    assert (claim.value, claim.grade) == ("true", Grade.EXHAUSTED)
    check_permutations(CallRun(how.graph, small), claim)
    for sizes in ((2, 2, 2), (3, 3, 2), (2, 2, 3)):
        how = of_clos(*sizes)
        claim = rearrangeable_claim(how)
        assert claim.value == "true"
        check_permutations(CallRun(how.graph), claim)
        wrong = Claim("rearrangeable", "==", "true", Grade.EXHAUSTED, Evidence("all-permutations", {"permutations": 7}))
        with pytest.raises(VerificationError, match="permutations"):
            check_permutations(CallRun(how.graph), wrong)


def test_too_few_middle_switches() -> None:
    """m < n: some permutation is not realised, by counting, and indeed not by trying all choices."""
    how = of_clos(2, 3, 2)
    claim = rearrangeable_claim(how)
    assert (claim.value, claim.grade) == ("false", Grade.PROVED)
    check_cut(CallRun(how.graph), claim)
    assert not any(len(set(k)) == 3 for k in itertools.product(range(2), repeat=3))
    for cut, words in (([6], "around it"), ([6, 7, 8], "as many places")):
        data = {"inputs": [0, 1, 2], "cut": cut}
        wrong = Claim("rearrangeable", "==", "false", Grade.PROVED, Evidence("call-cut", data))
        with pytest.raises(VerificationError, match=words):
            check_cut(CallRun(how.graph), wrong)
    with pytest.raises(InputError, match="fewer middle"):
        realised_claim(how, np.arange(6, dtype=np.int32))


@pytest.mark.parametrize("name", ["benes:4", "multi-benes:16,d=2,seed=3", "clos:4,4,4"])
def test_partial_permutations_are_said_to_be_partial(name: str) -> None:
    if name.startswith("clos"):
        how = of_clos(4, 4, 4)
    else:
        wiring = benes(4) if name == "benes:4" else multi_benes(16, d=2, seed=3)
        how = rearranger(call_graph_of_wiring(wiring), wiring, None)
    image = np.random.default_rng(1).permutation(16).astype(np.int32)
    image[3:7] = -1
    claim = realised_claim(how, image)
    assert (claim.evidence.data["calls"], claim.evidence.data["partial"]) == (12, True)
    check_realised(CallRun(how.graph), claim)
    data = dict(claim.evidence.data)
    other = realised_claim(how, np.roll(image, 1))
    wrong = Claim(
        "realised",
        "==",
        "true",
        Grade.PROVED,
        Evidence("call-paths", {**data, "images": other.evidence.data["images"]}),
    )
    with pytest.raises(VerificationError, match="does not lead"):
        check_realised(CallRun(how.graph), wrong)


def test_what_cannot_be_rearranged_here() -> None:
    wiring = multibutterfly(16, d=2, seed=1)
    with pytest.raises(InputError, match="Benes networks"):
        rearranger(call_graph_of_wiring(wiring), wiring, None)
    big = benes(4)
    with pytest.raises(InputError, match="16 terminals"):
        rearrangeable_claim(rearranger(call_graph_of_wiring(big), big, None))
