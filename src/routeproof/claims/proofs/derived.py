"""What all routings have in common (capacity, path lengths), and what follows from other claims."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...core.network import Network
from ..context import Context
from ..reading import as_numbers
from ..routings.capacity import lengths_of
from ..subject import made_routing
from .proof import NotElaborated, number, numbers
from .work import Work, each_way
from .written import common, demand, distances_from, matrices, senders, uniform, written_distances


def elaborate_capacity(work: Work, claim: Claim) -> None:
    """The least load under uniform traffic: lengths below, a flow above; capacity is 1 over it."""
    network, data = work.network, claim.evidence.data
    assert isinstance(claim.value, Fraction)
    rates = uniform(network)
    position = work.proof.set_of(matrices("uniform", {"uniform": rates}))
    load = 1 / claim.value
    if claim.relation != ">=":
        lengths = [int(x) for x in lengths_of(network, data["lengths"])]
        found = demand(rates)
        least = work.claim(
            "flow-at-least", load, demands=position, demand={**found, "because": [found["weight"]]},
            lengths=numbers(lengths), distances=written_distances(distances_from(network, senders(network), lengths)),
        )  # fmt: skip
        work.quotient(claim, "<=", "best-throughput-at-most", least)
        work.states(Claim("capacity", ">=", load, claim.grade, claim.evidence), "flow >=", least)
    if claim.relation != "<=":
        scale, flows = _given(network, data["flows"]) if "flows" in data else _of_routing(work, data["routing"])
        most = work.claim("flow-at-most", load, demands=position, scale=number(scale), flows=[flows])
        work.quotient(claim, ">=", "best-throughput-at-least", most)
        work.states(Claim("capacity", "<=", load, claim.grade, claim.evidence), "flow <=", most)


def _given(network: Network, data: Mapping[str, Any]) -> tuple[int, list[Any]]:
    """The report's flows are of one unit to each terminal: T times those of uniform traffic."""
    flow = as_numbers(data["flow"], "flow", network.num_nodes * network.num_channels)
    found = []
    for s, amounts in enumerate(flow.reshape(network.num_nodes, network.num_channels)):
        used = np.nonzero(amounts)[0].tolist()
        if used and network.supply[s] and network.num_terminals > network.demand[s]:  # s sends to other nodes
            found.append([s, [[c, number(int(amounts[c]))] for c in used]])
    return int(data["scale"]) * network.num_terminals, found


def _of_routing(work: Work, name: str) -> tuple[int, list[Any]]:
    """What a routing puts on the channels under uniform traffic, by the node that sends."""
    network = work.network
    if name != work.context.routing.name:
        work = Work(work.proof, Context(made_routing({"spec": name}, network), ()))
    routing, table = work.context.routing, work.table
    scale = common([Fraction(1, x) for x in table.denominators])
    rows, columns = (
        np.bincount(of, minlength=n)
        for of, n in ((routing.row_of, table.num_rows), (routing.column_of, table.num_columns))
    )
    weight = (
        table.load.scaled(scale).astype(object) * rows[table.row].astype(object) * columns[table.column].astype(object)
    )
    node = routing.row_node[table.row].astype(np.int64)
    sums: dict[tuple[int, int], int] = {}
    for s, c, n in zip(node.tolist(), table.channel.tolist(), weight.tolist(), strict=True):
        if n:
            sums[s, c] = sums.get((s, c), 0) + n
    found: dict[int, list[Any]] = {}
    for (s, c), n in sums.items():
        found.setdefault(s, []).append([c, number(n)])
    return scale * network.num_terminals, [[s, flow] for s, flow in found.items()]


def path_length(work: Work, claim: Claim) -> None:
    """The average path length of the routing, or how many times the minimal one it is."""
    own = work.context.crossings / work.network.num_terminals**2
    found = work.once("path-length", own, routing=work.routing)
    if claim.quantity == "average_path_length":
        for relation in ("<=", ">="):
            work.states(claim, relation, found)
    else:
        work.quotient(claim, "==", "relative-path-length", minimal(work), found)


def minimal(work: Work) -> int:
    return work.once("minimal-path-length", work.context.shortest, distances=work.hop_distances())


def elaborate_derived(work: Work, claim: Claim) -> None:
    each_way(claim, lambda relation: _one_way(work, claim, relation))


def _one_way(work: Work, claim: Claim, relation: str) -> None:
    quantity, about = claim.quantity, claim.about
    opposite, side = {"<=": ">=", ">=": "<="}[relation], {"<=": "at-most", ">=": "at-least"}[relation]
    if quantity == "worst_case_throughput":
        load = work.stated("worst_case_load", opposite, about)
        best = "best-" if work.proof.kinds[load].startswith("best") else ""
        work.quotient(claim, relation, f"{best}throughput-{side}", load)
    elif quantity == "worst_case_throughput_of_capacity":
        load = work.stated("worst_case_load", opposite, about)
        best = "best-" if work.proof.kinds[load].startswith("best") else ""
        flow = work.stated("capacity", f"flow {relation}", {})
        work.quotient(claim, relation, f"{best}fraction-{side}", load, flow)
    elif quantity == "adaptive_throughput":
        load = work.stated("adaptive_load", opposite, about)
        best = "" if work.proof.kinds[load].startswith("worst-case") else "best-"
        work.quotient(claim, relation, f"{best}throughput-{side}", load)
    elif quantity == "price_of_obliviousness":
        own = work.stated("worst_case_load", relation, _over(work, relation, about))
        load = work.stated("adaptive_load", opposite, about)
        work.quotient(claim, relation, f"price-of-obliviousness-{side}", load, own)
    elif quantity == "average_path_length_of_minimal":
        own = work.stated("average_path_length", relation, about)
        bound = "-at-least" if work.proof.kinds[own].startswith("best") else ""
        work.quotient(claim, relation, f"relative-path-length{bound}", minimal(work), own)
    else:
        raise NotElaborated("it follows from claims that are not in the proof")


def _over(work: Work, relation: str, about: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the worst case over the same demands is qualified: permutations go by two names."""
    balanced = {"model": "balanced"}
    demands = work.context.demands
    permutations = demands is not None and demands.is_permutations
    other = permutations and not work.is_stated("worst_case_load", relation, about)
    return balanced if other else about


ELABORATED = {
    "capacity": elaborate_capacity,
    "path-length": path_length,
    "derived": elaborate_derived,
}
