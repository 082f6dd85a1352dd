"""Butterflies and their randomly wired relatives: degrees, logical paths, seeds, documents, the main job on them."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import named_routing
from routeproof.core.errors import InputError
from routeproof.core.multistage.wiring import Wiring, find_flaw
from routeproof.core.symmetry import check_automorphism
from routeproof.formats.documents.wiring import read_wiring, wiring_to_document, write_wiring
from routeproof.formats.resolve import resolve_network, resolve_wiring
from routeproof.topologies.family import TOPOLOGIES, wired_names
from routeproof.topologies.multistage.banyan import multibutterfly
from routeproof.topologies.multistage.network import network_of_wiring
from routeproof.worst.scan.exact import worst_case

SMALL = [
    "butterfly:1", "butterfly:4", "dilated-butterfly:3,d=3", "multibutterfly:2,d=2,seed=0",
    "multibutterfly:16,d=1,seed=3", "multibutterfly:32,d=3,seed=5", "multibutterfly:32,d=2,seed=5,shared", "benes:3",
    "multi-benes:16,d=2,seed=4", "multi-benes:8,d=3,seed=4,shared",
]  # fmt: skip


def logical_paths(wiring: Wiring) -> None:
    """From every input, follow the bits of every output along every choice of edges: only that output is reached."""
    n, d, start = wiring.log_inputs, wiring.multiplicity, wiring.reversed_levels
    for source, target in product(range(wiring.inputs), repeat=2):
        here = {source}
        for level in range(n):
            there = set()
            for r in here:
                heads = [int(wiring.wire[start + level, c, r]) for c in range(2 * d)]
                right = [h for h in heads if (h ^ target) >> (n - 1 - level) == 0]
                assert len(right) == d
                there.update(right)
            here = there
        assert here == {target}


@pytest.mark.parametrize("text", SMALL)
def test_every_family_is_a_multistage_network(text: str) -> None:
    wiring = resolve_wiring(text)
    assert wiring.spec == text
    assert find_flaw(wiring) is None
    logical_paths(wiring)
    for level, colours in enumerate(wiring.wire):
        for image in colours:
            assert sorted(image.tolist()) == list(range(wiring.inputs)), level


def test_the_eight_input_butterfly_of_figure_1() -> None:
    wiring = resolve_wiring("butterfly:3")
    assert wiring.wire[:, 0].tolist() == [list(range(8))] * 3
    assert wiring.wire[:, 1].tolist() == [[4, 5, 6, 7, 0, 1, 2, 3], [2, 3, 0, 1, 6, 7, 4, 5], [1, 0, 3, 2, 5, 4, 7, 6]]
    assert (wiring.multiplicity, wiring.inputs, wiring.num_edge_levels) == (1, 8, 3)


FIRST_LEVEL = [[4, 2, 0, 1, 6, 7, 5, 3], [0, 6, 4, 7, 2, 1, 3, 5]]


def test_a_seed_gives_the_wiring_always_the_same() -> None:
    """These rows must never change: reports name wirings by their seeds."""
    wiring = multibutterfly(8, d=2, seed=7)
    assert np.array_equal(wiring.wire, multibutterfly(8, d=2, seed=7).wire)
    assert wiring.wire[:, 0].tolist() == [list(range(8))] * 3, "copy 0 is the plain butterfly"
    assert wiring.wire[0, 2:].tolist() == FIRST_LEVEL
    assert not np.array_equal(wiring.wire, multibutterfly(8, d=2, seed=8).wire)


def test_merged_copies_are_butterflies() -> None:
    """In each copy the straight and the cross wires of a level lead to both halves of a block, paired."""
    wiring = multibutterfly(32, d=3, seed=11)
    for k in range(3):
        for level in range(5):
            straight, cross = wiring.wire[level, 2 * k], wiring.wire[level, 2 * k + 1]
            partner = np.empty(32, dtype=int)
            partner[straight] = cross
            assert np.array_equal(partner[partner], np.arange(32))
            assert np.all((partner ^ np.arange(32)) >> (4 - level) == 1)


def test_shared_permutations_repeat_from_block_to_block() -> None:
    wiring = multibutterfly(64, d=2, seed=1, shared=True)
    for level in range(1, 6):
        size = 64 >> level
        for image in wiring.wire[level]:
            offsets = (image - np.arange(64) // size * size).reshape(-1, size)
            assert np.all(offsets == offsets[0])
    own = multibutterfly(64, d=2, seed=1)
    assert not np.array_equal(own.wire[1], wiring.wire[1])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("multibutterfly:48,d=2,seed=1", "power of two"),
        ("multibutterfly:1,d=2,seed=1", "at least 2"),
        ("multibutterfly:64,seed=1", "needs d="),
        ("multibutterfly:64,d=2", "needs seed="),
        ("multibutterfly:64,d=0,seed=1", "at least 1"),
        ("multibutterfly:1073741824,d=4,seed=1", "wires"),
        ("butterfly:0", "at least 1"),
        ("butterfly:99", "wires"),
        ("butterfly:3,sed=1", "unknown option"),
        ("torus:4x4", "levels and wires"),
        ("nowhere.json", "there is no such file"),
    ],
)
def test_bad_texts_are_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        resolve_wiring(text)
    assert "\n" not in str(caught.value)


def test_documents_come_back(tmp_path: Path) -> None:
    for text in ("multibutterfly:16,d=2,seed=3", "multi-benes:8,d=2,seed=3"):
        wiring = resolve_wiring(text)
        write_wiring(wiring, tmp_path / "w.json")
        again = read_wiring(tmp_path / "w.json")
        assert np.array_equal(again.wire, wiring.wire)
        assert again.name == text
        net = resolve_network(str(tmp_path / "w.json"))
        assert np.array_equal(net.head, network_of_wiring(wiring).head)


def broken(**changes: Any) -> dict[str, Any]:
    document = wiring_to_document(multibutterfly(8, d=2, seed=1))
    document.update(changes)
    return document


def _two_to_one(document: dict[str, Any]) -> None:
    document["wire"][1][2][3] = document["wire"][1][2][2]


def _outside(document: dict[str, Any]) -> None:
    document["wire"][1][2][3] = 8


def _short(document: dict[str, Any]) -> None:
    document["wire"][1][2].pop()


def _no_level(document: dict[str, Any]) -> None:
    document["wire"].pop()


def _no_colour(document: dict[str, Any]) -> None:
    document["wire"][2].pop()


def _text(document: dict[str, Any]) -> None:
    document["wire"][0][0][0] = "0"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_two_to_one, "not a permutation"),
        (_outside, "row from 0 to 7"),
        (_short, "7 rows"),
        (_no_level, "2 levels"),
        (_no_colour, "3 colours"),
        (_text, "row from 0 to 7"),
        (lambda x: x.update(inputs=6), "power of two"),
        (lambda x: x.update(multiplicity=3), "6, two for each"),
        (lambda x: x.pop("wire"), "no key 'wire'"),
        (lambda x: x.update(wires=1), "did you mean 'wire'"),
    ],
)
def test_malformed_documents_are_refused_in_one_line(spoil: Any, words: str, tmp_path: Path) -> None:
    document = broken()
    spoil(document)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=words) as caught:
        read_wiring(path)
    assert "\n" not in str(caught.value)


def test_flaws_are_found_and_named() -> None:
    wire = multibutterfly(8, d=2, seed=1).wire.copy()
    wire[1, 0] = np.roll(np.arange(8), 1)
    flaw = find_flaw(Wiring("x", wire))
    assert flaw is not None
    assert flaw[0] == "logical_path"
    wire = multibutterfly(8, d=2, seed=1).wire.copy()
    wire[0, 0] = wire[0, 1]
    flaw = find_flaw(Wiring("x", wire))
    assert flaw is not None
    assert flaw[0] == "degrees"


@pytest.mark.parametrize(
    ("text", "load"),
    [
        ("butterfly:3", 2),
        ("butterfly:4", 2),
        ("butterfly:6", 4),
        ("dilated-butterfly:4,d=2", 1),
        ("benes:2", Fraction(1, 2)),
        ("clos:3,2,4", Fraction(2, 3)),
        ("clos:2,3,2", Fraction(3, 2)),
    ],
)
def test_worst_permutations_of_random_minimal_routing(text: str, load: Fraction | int) -> None:
    """Butterflies: min(2^l, 2^(n-1-l)) pairs meet on an edge of level l; dilation divides, Clos spreads n over m."""
    network = resolve_network(text)
    result = worst_case(named_routing("minimal:choice=per-path", network))
    assert result.load == load


def test_declared_symmetry_holds_and_leaves_a_channel_a_level() -> None:
    for text in ("butterfly:4", "dilated-butterfly:4,d=3", "benes:3"):
        network = resolve_network(text)
        assert network.symmetry is not None
        for g in network.symmetry.generators:
            check_automorphism(network, g)
        result = worst_case(named_routing("minimal:choice=per-path", network))
        plain = worst_case(named_routing("minimal:choice=per-path", network), symmetry="none")
        assert result.load == plain.load
        levels = resolve_wiring(text).num_edge_levels
        assert len(set(result.classes.label.tolist())) == levels


def test_cantor_is_as_many_benes_networks_as_bits() -> None:
    network = resolve_network("cantor:3")
    degrees = Counter(network.tail.tolist())
    assert {degrees[i] for i in range(8)} == {3}
    assert network.num_nodes == 16 + 3 * 7 * 8


def test_every_wired_usage_works() -> None:
    for name in wired_names():
        usage = TOPOLOGIES.own[name].usage
        assert resolve_wiring(usage).spec == usage
    assert len(wired_names()) >= 6
