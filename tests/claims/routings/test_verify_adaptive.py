"""Ideal adaptive routing as claims: verified, and refused wherever the evidence is damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from answered_reports import reports_of, verify
from routeproof.core.errors import VerificationError
from routeproof.core.network import Network
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.demand_sets.hull import Hull, Routable
from routeproof.demand_sets.sparse import sparse
from routeproof.formats.demands.rates import hose
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.questions.adaptive import Adaptive
from routeproof.routing.path_sets.names import path_set
from routeproof.topologies.grid.lattice import mesh

F = Fraction
EDGES = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 4)]
BULL = Network.of("bull", 5, [x for a, b in EDGES for x in ((a, b), (b, a))])
SETS: dict[str, DemandSet | None] = {
    "permutations": None,
    "sparse": sparse(5, 2),
    "hose": hose([F(1), F(2), F(1), F(1, 2), F(1)], [F(1)] * 5),
    "matrices": Hull(5, "matrix:x", ({(0, 3): F(1), (3, 4): F(1, 3)}, {(1, 2): F(3)}), ("a", "b")),
    "routable": Routable(5),
}


report = reports_of(lambda name: Adaptive(BULL, demands=SETS[name]).answer())


def claim(document: dict[str, Any], quantity: str, relation: str | None = None) -> dict[str, Any]:
    return next(
        x for x in document["claims"] if x["quantity"] == quantity and relation in (None, x["relation"])
    )  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_reports_verify(name: str) -> None:
    verify(report(name))


def _no_flow(document: dict[str, Any]) -> None:
    claim(document, "adaptive_load")["evidence"]["flows"].pop(3)


def _overloaded(document: dict[str, Any]) -> None:
    flows = claim(document, "adaptive_load")["evidence"]["flows"]
    flows[0] = flows[0] + flows[0]


def _broken(document: dict[str, Any]) -> None:
    claim(document, "adaptive_load")["evidence"]["flows"][0][0][3] = [0, 0]


def _false_symmetry(document: dict[str, Any]) -> None:
    claim(document, "adaptive_load")["evidence"]["symmetry"] = {"found": [pack_ints([1, 2, 0, 3, 4])]}


def _lower_load(document: dict[str, Any]) -> None:
    claim(document, "adaptive_load")["value"] = "1/2"
    claim(document, "adaptive_throughput")["value"] = "2"


def _other_demand(document: dict[str, Any]) -> None:
    claim(document, "adaptive_load")["evidence"]["demand"].append([0, 2, "1"])


def _smaller_demand(document: dict[str, Any]) -> None:
    claim(document, "adaptive_load")["evidence"]["demand"][0][2] = "1/2"


def _no_lengths(document: dict[str, Any]) -> None:
    claim(document, "adaptive_load")["evidence"]["lengths"] = pack_ints([0] * 10)


def _oblivious_end(document: dict[str, Any]) -> None:
    evidence = claim(document, "adaptive_load")["evidence"]
    evidence["upper"] = "oblivious"


def _by_definition(document: dict[str, Any]) -> None:
    evidence = claim(document, "adaptive_load")["evidence"]
    evidence["upper"] = "definition"
    for key in ("flows", "symmetry"):
        evidence.pop(key, None)


def _higher_price(document: dict[str, Any]) -> None:
    claim(document, "price_of_obliviousness")["value"] = "9/7"


def _other_throughput(document: dict[str, Any]) -> None:
    claim(document, "adaptive_throughput")["value"] = "2"


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("permutations", _no_flow, "no flow carries this extreme demand"),
        ("permutations", _overloaded, "on a unit of bandwidth"),
        ("permutations", _broken, "does not begin where the path is"),
        ("permutations", _false_symmetry, "automorphism"),
        ("permutations", _lower_load, "on a unit of bandwidth"),
        ("permutations", _other_demand, "at most 1 was expected"),
        ("permutations", _smaller_demand, "its demand and lengths prove"),
        ("permutations", _no_lengths, "0 everywhere"),
        ("permutations", _oblivious_end, "does not rest on"),
        ("permutations", _by_definition, "only over routable"),
        ("permutations", _higher_price, "it is 9/7"),
        ("permutations", _other_throughput, "it is 2"),
        ("sparse", _other_demand, "at most"),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)  # fmt: skip
def test_damaged_reports_are_refused(name: str, change: Callable[[dict[str, Any]], None], reason: str) -> None:
    document = report(name)
    change(document)
    with pytest.raises(VerificationError, match=reason):
        verify(document)


def test_a_matrix_that_the_set_does_not_have_is_refused() -> None:
    document = report("matrices")
    claim(document, "adaptive_load")["evidence"]["matrix"] = "c"
    with pytest.raises(VerificationError, match="which the set of demands does not have"):
        verify(document)


def test_a_demand_that_no_flow_carries_is_not_routable() -> None:
    document = report("routable")
    evidence = claim(document, "adaptive_load")["evidence"]
    evidence["demand"][0][2] = str(2 * Fraction(evidence["demand"][0][2]))
    with pytest.raises(VerificationError, match="carries less than its demand"):
        verify(document)
    for item in evidence["flow"]:
        item[2] = str(2 * Fraction(item[2]))
    with pytest.raises(VerificationError, match="on a unit of bandwidth"):
        verify(document)


def test_one_routing_is_not_the_best_one() -> None:
    """What one routing does bounds the price from above; it says nothing of what all oblivious routings do."""
    document = report("permutations")
    load = claim(document, "worst_case_load")
    load["evidence"] = {"kind": "worst-case", **load["evidence"]["reached"]["worst-case"]}
    load["source"] = ""
    with pytest.raises(VerificationError, match="does not state the worst case of the best oblivious routing"):
        verify(document)
    price = claim(document, "price_of_obliviousness")
    price["relation"] = "<="
    verify(document)


def within(paths: str) -> dict[str, Any]:
    network = mesh(3, 3)
    answer = Adaptive(network, paths=path_set(paths, network), time_limit=5).answer()
    found: dict[str, Any] = json.loads(json.dumps(answer.document()))
    return found


@pytest.mark.parametrize("paths", ["minimal", "2turn"])
def test_what_holds_within_some_paths_is_not_said_of_all(paths: str) -> None:
    document = within(paths)
    verify(document)
    for change in (None, "ksp:9"):
        other = json.loads(json.dumps(document))
        for x in other["claims"]:
            if "paths" in x:
                x.pop("paths") if change is None else x.update(paths=change)
        with pytest.raises(VerificationError):
            verify(other)
    del document["subject"]["design"]
    with pytest.raises(VerificationError, match="one among some paths"):
        verify(document)
