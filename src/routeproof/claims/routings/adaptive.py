"""Claims of the kind ``adaptive``: the congestion of ideal adaptive routing over a set of demands.

From below: one demand of the set with whole lengths of channels (``kernel.theorem``).  A demand of a list
of matrices is one of them, by name; a ``routable`` one shows a flow that carries it.  From above, as ``upper`` says:

- ``oblivious``: the report's routing, whose worst case over the set another claim states;
- ``flows``: for every extreme demand of the set (``demands.extreme``) a flow that carries it, or carries one that is
  equivalent to it by symmetry, which is checked; congestion is convex, so no other demand needs more;
- ``definition``: over ``routable`` every demand is one that a flow carries within all bandwidths.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.rational import shown
from ...core.symmetry import check_automorphism, orbit_labels
from ...demand_sets.demand_set import Demand, DemandSet
from ...demand_sets.extreme import BetweenNodes, Key, between_nodes, extreme_demands, images_of, key_of
from ...demand_sets.hull import Routable
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.gauges import proved_load
from ..context import Context
from ..kind import BOUNDS, OF_ADAPTIVE, Kind, States
from ..proofs.proof import NotElaborated, each_way, number, numbers
from ..proofs.work import Work
from ..proofs.written import WRITTEN_ROUTABLE, common, demand, distances_from, senders, written_distances, written_set
from ..reading import as_fraction, as_numbers
from ..shapes import ANY, NUMBERS, TEXT, Keys, ListOf, Word, brief
from ..work import spend
from .routable import flow_of
from .terminal_rates import demand_in, named_set, read_flow
from .worst_case import SYMMETRY

_BELOW = {"demand", "matrix", "lengths", "flow"}
_ABOVE = {"upper", "flows", "symmetry"}
_OF_ROUTING = ("worst-case", "matrices", "box", "routable", "reached")
"""Evidence of claims that state what the report's routing does over the set."""
_OF_THE_BEST = ("adversary", "optimum")
"""Evidence of claims about all oblivious routings; an optimum is reached by the report's."""
_COMPARED = 64  # flows that are compared with every extreme demand, not only with an equal one


def check_adaptive(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Ideal adaptive routing over the claim's set has a congestion of at least, at most or just ``value``."""
    demands = _set(context, claim)
    unused = (_BELOW if claim.relation == "<=" else set()) | (_ABOVE if claim.relation == ">=" else set())
    for key in unused & set(data):
        raise VerificationError(f"it says {claim.relation}, for which its evidence needs no '{key}'")
    if claim.relation != "<=":
        _check_below(context, claim, demands, value, data)
    if claim.relation != ">=":
        _check_above(context, claim, demands, value, data)


def _set(context: Context, claim: Claim) -> DemandSet:
    if context.demands is None and claim.about["demands"] == "routable":
        return Routable(context.network.num_terminals)
    return named_set(context, claim)


def _check_below(
    context: Context, claim: Claim, demands: DemandSet, value: Fraction, data: Mapping[str, Any]
) -> None:  # fmt: skip
    """No flow of one demand of the set is below ``value``."""
    network = context.network
    if "lengths" not in data or ("matrix" in data) == ("demand" in data):
        raise VerificationError("its evidence has no lengths with one demand, or with one matrix")
    if ("flow" in data) != demands.shown_by_flow or ("matrix" in data) != (demands.listed is not None):
        raise VerificationError(f"its demand is not given as one of {brief(demands.text)} must be")
    if demands.listed is not None:
        if data["matrix"] not in demands.listed:
            raise VerificationError(f"its matrix is {brief(data['matrix'])}, which the set of demands does not have")
        demand = dict(demands.listed[data["matrix"]])
    else:
        demand = demand_in(network, data["demand"])
    if demands.shown_by_flow:
        _check_routable(context, demand, data["flow"])
    else:
        demands.check_admits(demand)
    spend(network.num_nodes * network.num_channels / 20, "shortest distances under lengths")
    length = as_numbers(data["lengths"], "lengths", network.num_channels)
    paths = claim.about.get("paths")
    proved = proved_load(network, demand, length, None if paths is None else context.path_set(paths).distance)
    if proved < value:
        raise VerificationError(f"it is at least {shown(value)}; its demand and lengths prove {shown(proved)}")


def _check_routable(context: Context, demand: Mapping[tuple[int, int], Fraction], flow: list[Any]) -> None:
    carried, congestion = _flow(context.network, flow, "flow")
    if congestion > 1:
        raise VerificationError(f"the flow of its demand puts {shown(congestion)} on a unit of bandwidth; at most 1 is")
    for key, x in between_nodes(context.network, demand).items():
        if carried.get(key, Fraction(0)) < x:
            raise VerificationError(f"its flow carries less than its demand from node {key[0]} to node {key[1]}")


def _check_above(
    context: Context, claim: Claim, demands: DemandSet, value: Fraction, data: Mapping[str, Any]
) -> None:  # fmt: skip
    """Some routing, which may know the demand, congests no channel more than ``value``, whatever the demand."""
    upper = data.get("upper")
    if "paths" in claim.about and upper != "oblivious":
        raise VerificationError("within a set of paths, only an oblivious routing bounds it from above")
    if ("flows" in data or "symmetry" in data) and upper != "flows":
        raise VerificationError("its evidence has flows, which its upper end does not rest on")
    if upper == "oblivious":
        _check_oblivious(context, claim, demands, value)
    elif upper == "definition":
        if demands.adaptive_load is None or value < demands.adaptive_load:
            raise VerificationError("only over routable is it at most 1 by definition")
    elif upper == "flows":
        _check_flows(context, demands, value, data)
    else:
        raise VerificationError("its evidence does not say what its upper end rests on")


def _check_oblivious(context: Context, claim: Claim, demands: DemandSet, value: Fraction) -> None:
    """Another claim, checked in its own turn, says that the report's routing stays at or below ``value``."""
    known = _worst_cases(context, claim, demands, "<=", (*_OF_ROUTING, *_OF_THE_BEST))
    if known and min(known) <= value:
        return
    raise VerificationError(f"no claim of the report says that its routing's worst case is at most {shown(value)}")


def _worst_cases(
    context: Context, claim: Claim, demands: DemandSet, relation: str, kinds: Collection[str]
) -> list[Fraction]:
    """What claims with evidence of these kinds state of the worst case over the set, exactly or with ``relation``.

    They are checked in their own turn: also that the report's routing keeps to the paths of the set which an optimum
    names (``routing_claims``).
    """
    about = {key: x for key, x in claim.about.items() if key != "paths"}
    wanted, paths = [about], claim.about.get("paths")
    if demands.is_permutations:
        wanted.append({"model": "balanced"})
    found = []
    for x in context.others:
        bound = x.evidence.data.get("adversary", x.evidence.data)
        stated = x.quantity == "worst_case_load" and x.relation in ("==", relation) and dict(x.about) in wanted
        stated = stated and x.evidence.kind in kinds and "routing" not in x.evidence.data and "within" not in bound
        if stated and bound.get("paths") == paths and isinstance(x.value, Fraction):
            found.append(x.value)
    return found


def best_oblivious(context: Context, claim: Claim) -> Fraction:
    """The worst case of the best oblivious routing over the claim's set, at least, at most or just so much as its
    relation asks for, by other claims of the report.

    What one routing does bounds the best one from above; only adversaries of all routings bound it from below.
    """
    kinds = (*_OF_ROUTING, *_OF_THE_BEST) if claim.relation == "<=" else _OF_THE_BEST
    known = _worst_cases(context, claim, _set(context, claim), claim.relation, kinds)
    if not known:
        raise VerificationError("the report does not state the worst case of the best oblivious routing")
    return min(known) if claim.relation == "<=" else max(known)


def _check_flows(context: Context, demands: DemandSet, value: Fraction, data: Mapping[str, Any]) -> None:
    """Every extreme demand is carried by one of the flows, up to symmetry, and none of them congests more."""
    network = context.network
    if "flows" not in data:
        raise VerificationError("its evidence has no flows")
    carried: list[BetweenNodes] = []
    for k, item in enumerate(data["flows"]):
        one, congestion = _flow(network, item, f"flows[{k}]")
        if congestion > value:
            raise VerificationError(f"flows[{k}] puts {shown(congestion)} on a unit of bandwidth, not {shown(value)}")
        carried.append(one)
    extreme = extreme_demands(network, demands, spend=lambda count: spend(20.0 * count, "extreme demands"))
    exact = {key_of(one) for one in carried}
    reached = np.array([key in exact or any(_covers(one, key) for one in carried[:_COMPARED]) for key in extreme])
    generators = context.generators(data["symmetry"]) if "symmetry" in data else []
    if "symmetry" in data and data["symmetry"].get("reversal"):
        raise VerificationError("reversal of paths is not used for flows")
    images = []
    for g in generators:
        check_automorphism(network, g)
        images.append(images_of(g, extreme))
    label = orbit_labels(len(extreme), images) if images else np.arange(len(extreme))
    missing = np.setdiff1d(label, label[reached])
    if len(missing):
        some = ", ".join(f"{x} from node {u} to node {v}" for u, v, x in list(extreme)[int(missing[0])][:4])
        raise VerificationError(f"no flow carries this extreme demand: {some}, ...")


def _covers(one: BetweenNodes, key: Key) -> bool:
    return all(one.get((u, v), Fraction(0)) >= x for u, v, x in key)


def _flow(network: Network, items: Any, what: str) -> tuple[BetweenNodes, Fraction]:
    """(what the flow carries between nodes, its largest load per bandwidth)."""
    paths, used = read_flow(network, items, what)
    carried: BetweenNodes = {}
    for i, j, amount in paths:
        key = int(network.source[i]), int(network.sink[j])
        carried[key] = carried.get(key, Fraction(0)) + amount
    return carried, max((x / b for x, b in zip(used, network.bandwidth, strict=True)), default=Fraction(0))


def elaborate_adaptive(work: Work, claim: Claim) -> None:
    if "paths" in claim.about:
        raise NotElaborated(f"it is about the paths of {claim.about['paths']} alone, which the format does not know")

    def one_way(relation: str) -> None:
        work.states(claim, relation, (_written_below if relation == ">=" else _written_above)(work, claim))

    each_way(claim, one_way)


def _position(work: Work) -> int:
    demands = work.context.demands
    return work.proof.set_of(WRITTEN_ROUTABLE if demands is None else written_set(demands))


def _written_below(work: Work, claim: Claim) -> int:
    data, network, demands = claim.evidence.data, work.network, work.context.demands
    if "flow" in data:  # what the flow carries, which may be more than the report's demand
        found = flow_of(data)
    elif demands is not None and demands.listed is not None:
        found = demand(demands.listed[data["matrix"]])
        found["because"] = [found["weight"] if name == data["matrix"] else 0 for name in demands.listed]
    else:
        found = demand(demand_in(network, data["demand"]))
    length = unpack_ints(data["lengths"], what="lengths", max_items=network.num_channels).tolist()
    return work.claim(
        "flow-at-least", claim.number, demands=_position(work), demand=found, lengths=numbers(length),
        distances=written_distances(distances_from(network, senders(network), length)),
    )  # fmt: skip


def _written_above(work: Work, claim: Claim) -> int:
    data, demands = claim.evidence.data, work.context.demands
    if data["upper"] == "oblivious":
        about = claim.about
        if demands is not None and demands.is_permutations:
            about = about if work.is_stated("worst_case_load", "<=", about) else {"model": "balanced"}
        return work.stated("worst_case_load", "<=", about)
    scale, flows = 1, list[Any]()
    if data["upper"] == "flows":
        if demands is None or demands.listed is None:
            raise NotElaborated("its upper end is a flow for each extreme demand of the set, which only lists have")
        scale, flows = _written_flows(work, demands.listed.values(), data)
    return work.claim("flow-at-most", claim.number, demands=_position(work), scale=number(scale), flows=flows)


def _written_flows(work: Work, matrices: Collection[Demand], data: Mapping[str, Any]) -> tuple[int, list[Any]]:
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


ADAPTIVE = Kind(
    "adaptive",
    "From below one admitted demand, and lengths of channels under which none of its flows congests less;"
    " from above the report's routing, or a flow for every extreme demand.",
    Keys(
        {},
        {
            "demand": ListOf(ANY),
            "matrix": TEXT,
            "lengths": NUMBERS,
            "flow": ListOf(ANY),
            "upper": Word("oblivious", "flows", "definition"),
            "flows": ListOf(ANY),
            "symmetry": SYMMETRY,
        },
    ),
    {"adaptive_load": States(BOUNDS, Grade.PROVED, OF_ADAPTIVE)},
    frozenset({"Shahrokhi & Matula 1990 (J. ACM 37)"}),
    check_adaptive,
    rests=True,
    subjects=frozenset({"adaptive"}),
    elaborate=elaborate_adaptive,
)
