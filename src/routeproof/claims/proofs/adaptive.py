"""Ideal adaptive routing: one demand with lengths from below; an oblivious routing, or flows, from above."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from ...core.claim import Claim
from ...demand_sets.demand_set import Demand
from ...formats.documents.packed_ints import unpack_ints
from ..reading import as_fraction
from ..routings.worst_case import demand_in
from .proof import NotElaborated, number, numbers
from .routable import flow_of
from .work import Work, each_way
from .written import ROUTABLE, common, demand, distances_from, senders, written_distances, written_set


def elaborate_adaptive(work: Work, claim: Claim) -> None:
    if "paths" in claim.about:
        raise NotElaborated(f"it is about the paths of {claim.about['paths']} alone, which the format does not know")

    def one_way(relation: str) -> None:
        work.states(claim, relation, (_below if relation == ">=" else _above)(work, claim))

    each_way(claim, one_way)


def _set(work: Work) -> int:
    demands = work.context.demands
    return work.proof.set_of(ROUTABLE if demands is None else written_set(demands))


def _below(work: Work, claim: Claim) -> int:
    data, network, demands = claim.evidence.data, work.network, work.context.demands
    assert isinstance(claim.value, Fraction)
    if "flow" in data:  # what the flow carries, which may be more than the report's demand
        found = flow_of(data)
    elif demands is not None and demands.listed is not None:
        found = demand(demands.listed[data["matrix"]])
        found["because"] = [found["weight"] if name == data["matrix"] else 0 for name in demands.listed]
    else:
        found = demand(demand_in(network, data["demand"]))
    length = unpack_ints(data["lengths"], what="lengths", max_items=network.num_channels).tolist()
    return work.claim(
        "flow-at-least", claim.value, demands=_set(work), demand=found, lengths=numbers(length),
        distances=written_distances(distances_from(network, senders(network), length)),
    )  # fmt: skip


def _above(work: Work, claim: Claim) -> int:
    data, demands = claim.evidence.data, work.context.demands
    assert isinstance(claim.value, Fraction)
    if data["upper"] == "oblivious":
        about = claim.about
        if demands is not None and demands.is_permutations:
            about = about if work.is_stated("worst_case_load", "<=", about) else {"model": "balanced"}
        return work.stated("worst_case_load", "<=", about)
    scale, flows = 1, list[Any]()
    if data["upper"] == "flows":
        if demands is None or demands.listed is None:
            raise NotElaborated("its upper end is a flow for each extreme demand of the set, which only lists have")
        scale, flows = _flows(work, demands.listed.values(), data)
    return work.claim("flow-at-most", claim.value, demands=_set(work), scale=number(scale), flows=flows)


def _flows(work: Work, matrices: Collection[Demand], data: Mapping[str, Any]) -> tuple[int, list[Any]]:
    """(a scale, for each matrix a flow that carries just that)."""
    source, sink = work.network.source.tolist(), work.network.sink.tolist()
    carried = []
    for items in data["flows"]:
        by_node: dict[tuple[int, int], Fraction] = {}
        amounts: dict[int, dict[int, Fraction]] = {}
        for i, j, x, path in items:
            amount, ends = as_fraction(x, "amount"), (source[i], sink[j])
            if ends[0] != ends[1]:
                by_node[ends] = by_node.get(ends, Fraction(0)) + amount
                of = amounts.setdefault(ends[0], {})
                for c in path:
                    of[c] = of.get(c, Fraction(0)) + amount
        carried.append(({ends: x for ends, x in by_node.items() if x}, amounts))
    scale = common(x for _, amounts in carried for of in amounts.values() for x in of.values())
    found = []
    for matrix in matrices:
        wanted: dict[tuple[int, int], Fraction] = {}
        for (i, j), x in matrix.items():
            if source[i] != sink[j] and x:
                wanted[source[i], sink[j]] = wanted.get((source[i], sink[j]), Fraction(0)) + x
        flow = next((amounts for by_node, amounts in carried if by_node == wanted), None)
        if flow is None:
            raise NotElaborated("a flow of its upper end carries more than the matrix that it is for")
        used = {s: {c: x for c, x in of.items() if x} for s, of in flow.items()}
        found.append([[s, [[c, number(int(x * scale))] for c, x in of.items()]] for s, of in used.items() if of])
    return scale, found


ELABORATED = {"adaptive": elaborate_adaptive}
