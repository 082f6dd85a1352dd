"""The shortest paths on the optimal face, against the program over all routings, which knows nothing of faces."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof import network
from routeproof.cli.main import main
from routeproof.core.spread import silent
from routeproof.machine.deadlines import Deadline
from routeproof.optimum.design import Design, designed
from routeproof.optimum.half_flows.design import half_of_capacity
from routeproof.optimum.optimal_face import design as face_design
from routeproof.optimum.optimal_face.design import ShortestOnFace, has_face
from routeproof.optimum.optimal_face.program import OptimalFace
from routeproof.optimum.program.flow_program import hop_cost
from routeproof.optimum.worst_case import design_worst_case
from routeproof.symmetry.pair_classes import reduce
from routeproof.worst.locality import average_path_length
from routeproof.worst.scan.exact import worst_case

NAMES = ("torus:4x4", "torus:5x5", "torus:7", "torus:3x3x3", "hypercube:4", "hyperx:4x4", "petersen", "complete:5")


def on_face(name: str, seconds: float | None = None) -> Design:
    there = network(name)
    known = half_of_capacity(there)
    reduction = reduce(there)
    assert has_face(known, reduction)
    return designed(ShortestOnFace(reduction, known, Deadline(seconds)), shortest=True, stage=silent, optimum=known)


@pytest.mark.parametrize("name", NAMES)
def test_no_routing_with_the_best_worst_case_has_shorter_paths(name: str) -> None:
    found, every = on_face(name), design_worst_case(network(name), shortest=True, solver="simplex")
    assert (found.load, found.length) == (every.load, every.length)
    assert found.least_load == found.load
    assert found.least_length == found.length


@pytest.mark.parametrize("name", [x for x in NAMES if x != "complete:5"])
def test_the_interior_point_ends_at_the_same_paths(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = on_face(name)
    monkeypatch.setattr(face_design, "_VERTEX_FLOWS", -1)
    near = on_face(name)
    assert near.complete
    assert near.least_length is not None
    assert near.least_length <= exact.length
    assert near.load <= exact.load * (1 + Fraction(1, 10**9))
    assert near.length_gap is not None
    assert near.length_gap < 1e-8
    assert abs(near.length - exact.length) < 1e-8


def test_one_that_is_stopped_at_once_has_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(face_design, "_VERTEX_FLOWS", -1)
    found = on_face("torus:6x6", seconds=0.0)
    assert not found.complete
    assert found.least_length is not None
    assert found.minimal <= found.least_length <= Fraction(545, 126)
    assert found.load >= found.least_load == Fraction(3, 2)
    assert found.load == worst_case(found.routing).load
    assert found.length == average_path_length(found.routing)


def test_flows_of_the_face_are_those_of_every_best_routing() -> None:
    """The exact optimum of the whole program, found without the face, uses no channel that the face leaves out."""
    there = network("torus:6x6")
    known, reduction = half_of_capacity(there), reduce(there)
    assert has_face(known, reduction)
    face, best = OptimalFace(reduction, known), design_worst_case(there, shortest=True, solver="simplex").routing
    for one in face.pairs:
        loads = dict[int, Fraction]()
        for weight, path in best.decomposition(one.pair.source, one.pair.destination):
            for c in path:
                loads[c] = loads.get(c, Fraction(0)) + weight
        allowed = (one.first >= 0) | (one.second >= 0)
        assert all(allowed[c] for c in loads)


def test_hops_are_counted_as_in_the_whole_program() -> None:
    there = network("torus:5x5")
    known, reduction = half_of_capacity(there), reduce(there)
    assert has_face(known, reduction)
    face = OptimalFace(reduction, known)
    every = [one.index + 100 * k for k, one in enumerate(face.pairs)]
    cost = hop_cost(reduction, every, 100 * (len(every) + 1))
    for k, one in enumerate(face.pairs):
        some = one.column >= 0
        assert (face.hops[one.column[some]] == cost[every[k]][some]).all()


@pytest.mark.parametrize(
    ("name", "load", "length"),
    [
        ("torus:6x6x6", "3/2", "797609/114480"),
        ("torus:12x12", "3", "177307/19548"),
        ("torus:13x13", "42/13", "2018482/199927"),
        ("hypercube:7", "1", None),
    ],
)
def test_exact_and_verified_where_all_pairs_are_many(tmp_path: Path, name: str, load: str, length: str | None) -> None:
    path = tmp_path / "r.json"
    assert main(["design", name, "--objective", "worst-case", "--then", "path-length", "--json", str(path)]) == 0
    claims = {(x["quantity"], x["relation"]): x["value"] for x in json.loads(path.read_text())["claims"]}
    assert claims["worst_case_load", "=="] == load
    assert claims["average_path_length", "=="] == claims["average_path_length", ">="]
    assert length is None or claims["average_path_length", "=="] == length
    assert main(["verify", str(path)]) == 0


@pytest.mark.parametrize("name", ["torus:4x6", "mesh:3x3", "fat-tree:4"])
def test_no_face_where_channels_differ(name: str) -> None:
    there = network(name)
    assert not has_face(half_of_capacity(there), reduce(there))
