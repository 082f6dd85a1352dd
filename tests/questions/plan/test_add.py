"""Where new cables help: every pair of switches by brute force, forged reports, ports."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from places import ETHERNET
from routeproof import plan, verify
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.format import read_network
from routeproof.questions.plan.mend import MendAnswer
from routeproof.report.terminal.mend import mend_parts
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import worst_case
from true_reports import sealed

ECMP = "ecmp:choice=per-hop"


def added(topology: str, count: int, radix: int, routing: str = ECMP) -> MendAnswer:
    made = routing_from_spec(routing, network_from_spec(topology))
    return plan(made, add_cables=count, radix=radix).answer  # type: ignore[no-any-return]


def verified(document: Any, folder: Path) -> int:
    path = folder / "report.json"
    path.write_text(json.dumps(document))
    return len(verify(path))


def with_cable(network: Network, ends: tuple[int, int]) -> Fraction:
    all_ends = [*zip(network.tail.tolist(), network.head.tolist(), strict=True), ends, ends[::-1]]
    more = Network.of("more", network.num_nodes, all_ends, source=network.source, sink=network.sink)
    return worst_case(routing_from_spec(ECMP, more)).throughput


@pytest.mark.parametrize("topology", ["mesh:2x3", "ring:6"])
def test_the_best_cable_by_brute_force(topology: str, tmp_path: Path) -> None:
    network = network_from_spec(topology)
    every = {x: with_cable(network, x) for x in itertools.combinations(range(network.num_nodes), 2)}
    answer = added(topology, 1, 9)
    best = next(x for x in answer.stated if x.quantity == "best_throughput_mended")
    assert (best.relation, best.value) == ("==", max(every.values()))
    assert len(answer.alone) < len(every)  # one of those that are alike
    assert verified(answer.document(), tmp_path) == len(answer.stated)


def test_several_are_greedy_and_below_their_bound(tmp_path: Path) -> None:
    answer = added("ring:6", 3, 4)
    assert [len(x.numbers) for x in answer.order] == [1, 2, 3]
    ends = [int(v) for k in answer.order[-1].numbers for v in answer.intent.tail[list(answer.choices[k].intended[0])]]
    assert all(ends.count(v) <= 1 for v in ends)  # one port of each is free
    found = {(x.about["mended"], x.relation): x.value for x in answer.stated if "mended" in x.about}
    assert found[3, ">="] <= found[3, "<="] == Fraction(5, 3)  # type: ignore[operator]
    assert "greedy" in "".join(map(str, mend_parts(answer)))
    assert verified(answer.document(), tmp_path) == len(answer.stated)


@pytest.mark.parametrize(
    ("what", "words"),
    [("cut", "across its cut there is room for"), ("no symmetry", "not an automorphism"), ("none", "no guarantee of")],
)
def test_forged_reports_do_not_verify(what: str, words: str, tmp_path: Path) -> None:
    document = json.loads(json.dumps(added("mesh:2x3", 2, 4).document()))
    best = {x["relation"]: x for x in document["claims"] if x["quantity"] == "best_throughput_mended"}
    if what == "cut":
        best["<="]["evidence"]["cut"] = pack_ints(np.array([1, 0, 0, 0, 0, 0]))
    elif what == "no symmetry":
        best["=="]["evidence"]["alike"] = [pack_ints(np.array([1, 0, 2, 3, 4, 5]))]
    else:
        del best["=="]["evidence"]["alike"]
    with pytest.raises((VerificationError, InputError), match=words):
        verified(sealed(document), tmp_path)


def test_a_routing_that_goes_by_labels_has_no_twins() -> None:
    answer = added("complete:3", 1, 9, "updown")
    assert len(answer.alone) == 3


def test_ports_that_are_not_known_or_not_enough() -> None:
    network = read_network(ETHERNET / "three-tiers")
    assert network.own_routing is not None
    with pytest.raises(InputError, match=r"^\(0,0\) has 5 cables and hosts, and a switch of torus:3x3 2 ports"):
        added("torus:3x3", 1, 2)
    with pytest.raises(InputError, match="on torus:3x3 as a graph whose cables change: dor needs a torus"):
        added("torus:3x3", 1, 6, "dor")
    with pytest.raises(InputError, match="is not known; radix=K was expected"):
        plan(routing_from_spec(network.own_routing, network), add_cables=1)
    with pytest.raises(InputError, match="at least 3 were expected"):
        added("ring:6", 1, 2)
    with pytest.raises(InputError, match="no cable fits"):
        added("ring:6", 1, 3)


def test_cables_that_only_harm_are_said_to_lower_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Only leaves have free ports; minimal routing sends all traffic of two leaves over the cable between them."""
    what = ["leaf-spine:3,4,2,bandwidth=2,cables=1", "-r", "ecmp", "--radix", "8", "--add-cables", "2"]
    assert main(["plan", *what]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Every single cable lowers the worst case." in said
    assert "every terminal keeps 1/3, less than without them" in said


def test_the_page_says_what_is_gained(tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    asked = ["plan", "mesh:3x2", "--routing", ECMP, "--add-cables", "1", "--radix", "4", "--html", str(page), "-q"]
    assert main(asked) == 0
    top = page.read_text().split('id="claims-title"')[0]
    assert "mesh:3x2: what more cables gain" in top
    assert "One more cable (0,0) - (2,1): every terminal keeps 4/5; no other single cable gives more." in top
    assert "added alone" in top
