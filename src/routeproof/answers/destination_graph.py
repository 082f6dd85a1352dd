"""What is true of a destination graph, as claims with evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Evidence, Grade
from ..core.cube.bounds import lower_bounds
from ..core.cube.conditions import Meeting, Verdict, judge_conditions
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..formats.documents.destination_graph import graph_to_document
from ..formats.documents.packed_ints import pack_ints

__all__ = ["bound_claims", "cube_subject", "destination_graph_claims", "destination_graph_subject", "refutation_claim"]

SOURCE = "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes"


def destination_graph_subject(graph: DestinationGraph, document: str) -> dict[str, Any]:
    """``document``: the file's name, for people; the graph itself stands beside it, so that claims can be verified."""
    return {"document": document, "kind": "destination-graph", "graph": graph_to_document(graph)}


def cube_subject(cube: Cube) -> dict[str, Any]:
    """Where there is no graph: the t-nary d-cube alone."""
    return {"kind": "destination-graph", "radix": cube.radix, "dimensions": cube.dimensions}


def destination_graph_claims(graph: DestinationGraph) -> tuple[Claim, ...]:
    """valid_many_one, valid_permutation, minimum_routing, c1_prime, c2_prime and steps.

    The first two follow from a finite table of conflicts by Lemmas 2 and 3: PROVED; a "false" carries the two packets,
    the step and the link, and for permutations a whole permutation.  The others are read off all paths: EXHAUSTED.
    """
    found = judge_conditions(graph)
    return (
        _verdict("valid_many_one", found.many_one, Grade.PROVED, "Lemma 2 (C1)"),
        _verdict("valid_permutation", found.permutation, Grade.PROVED, "Lemma 3 (C2)"),
        _verdict("minimum_routing", found.minimum_routing, Grade.EXHAUSTED, "sec. 1"),
        _verdict("c1_prime", found.c1_prime, Grade.EXHAUSTED, "sec. 2 (C1')"),
        _verdict("c2_prime", found.c2_prime, Grade.EXHAUSTED, "sec. 2 (C2')"),
        _claim("steps", Fraction(graph.steps), Grade.EXHAUSTED, {}, "sec. 2 (l(T))"),
    )


def _verdict(quantity: str, verdict: Verdict, grade: Grade, where: str) -> Claim:
    data: dict[str, Any] = {}
    if not verdict.holds:
        data["witness"] = verdict.reason
        if verdict.meeting is not None:
            data["meeting"] = _meeting_data(verdict.meeting)
        elif verdict.nodes:
            data["nodes"] = list(verdict.nodes)
        if verdict.permutation is not None:
            data["permutation"] = pack_ints(verdict.permutation)
    return _claim(quantity, "true" if verdict.holds else "false", grade, data, where)


def _claim(quantity: str, value: Fraction | str, grade: Grade, data: Mapping[str, Any], where: str) -> Claim:
    return Claim(quantity, "==", value, grade, Evidence("destination-graph", data), source=f"{SOURCE}, {where}")


def _meeting_data(meeting: Meeting) -> Mapping[str, Any]:
    """Two packets as [origin, destination], the step from 1, and the link as [tail, head], by number of node."""
    packets = [list(x) for x in meeting.packets]
    return {"packets": packets, "step": meeting.step, "link": [meeting.tail, meeting.head]}


def bound_claims(radix: int, dimensions: int, kind: str) -> list[Claim]:
    """The best lower bound on the steps of all ``many-one`` or ``permutation`` graphs: PROVED by counting."""
    best = lower_bounds(radix, dimensions, many_one=kind == "many-one")[0]
    evidence = Evidence("counting-bound", {"rule": best.rule, "because": best.because})
    source = SOURCE if best.rule in ("lemma-1", "diameter") else "docs/destination-graphs.md"
    return [Claim("steps", ">=", Fraction(best.steps), Grade.PROVED, evidence, source, {"graphs": kind})]


def refutation_claim(radix: int, dimensions: int, lemmas: Sequence[Sequence[int]]) -> Claim:
    """No permutation graph of d steps exists: the lemmas refute ``core.cube.bounds.tight_clauses``; PROVED."""
    packed = pack_ints([x for lemma in lemmas for x in (*lemma, 0)])
    evidence = Evidence("refutation", {"formula": [radix, dimensions], "lemmas": packed})
    about = {"graphs": "permutation"}
    return Claim("steps", ">=", Fraction(dimensions + 1), Grade.PROVED, evidence, f"{SOURCE}, Theorem 3", about)
