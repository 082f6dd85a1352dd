"""Claims about the best routing of a network: what one routing reaches, and what adversaries keep all from passing.

Kinds of evidence:

- ``reached`` (relation <=): the subject's routing does it: {"worst-case": {...}} or {"path-length": {...}}, as in
  claims about one routing; over a set of demands, the evidence of the set's worst case by its kind ({"box": {...}});
- ``adversary`` (>=): no routing does better: {"symmetry", "hops", "pairs", "within"?}, see ``kernel.theorem``;
  ``within`` names the routings that are meant: {"worst_case_load": ...} or {"average_path_length": ...}, at most that;
  ``paths``, where given, restricts them to the paths of a set (``routing.path_sets``), which a claim
  ``>=`` then names.  Over a transport set of demands, the pairs are of terminals, which stand for their ports, and
  ``weights`` are the gauges of all channels where the set has least demands (``kernel.port_gauge``).  Over given
  matrices: {"hops", "lengths", ...}, a list of lengths for each; over all that is routable, ``flows`` stand for the
  pairs (``kernel.gauges``);
- ``optimum`` (==): both, {"reached": {...}, "adversary": {...}}, and they meet; it is qualified as its adversary is.

A set of demands is that of the report's subject.  Claims about the worst case name it; a bound on path lengths within a
worst case means the worst case over it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy.typing as npt

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.rational import shown
from ...demand_sets.demand_set import DemandSet, GivenDemands, PairDemand
from ...demand_sets.hull import Routable
from ...demand_sets.permutations import permutations
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.potentials import line_of_potentials
from ...kernel.theorem import SupportingLine, supporting_line
from ...machine.memory import check_memory
from ..context import Context
from ..kind import ANALYSES, DESIGN, DESIGNS, Kind, States
from ..reading import as_channel, as_fraction, as_whole
from ..shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape, by_key
from ..subject import made_routing
from ..work import spend
from .averaged_adversaries import elaborate_design
from .box import BOX, check_box
from .matrices import MATRICES, check_matrices
from .routable import ROUTABLE, check_routable
from .traffic import PATH_LENGTH, check_path_length
from .worst_case import BALANCED, SYMMETRY, WORST_CASE, check_worst_case

_REACHED = ("reached", "optimum")
_ASSUMES = {"worst_case_load": "average_path_length", "average_path_length": "worst_case_load"}
"""What a bound on one quantity may assume to be limited."""


def check_design(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Check one claim of the kinds above; raises VerificationError where it does not hold."""
    kind = claim.evidence.kind
    if "routing" in data:
        _check_corner(context, claim, value, data)
        return
    bound = data["adversary"] if kind == "optimum" else data
    if kind == "optimum" and "within" not in claim.about and not tells_nothing_of(claim):
        bound = {key: x for key, x in bound.items() if key != "within"}  # then it must hold of all routings
    within = bound.get("within", {})
    if not (kind == "optimum" and tells_nothing_of(claim)):  # of an earlier version: ``_check_requested`` looks at it
        _check_about(context, claim, within, data.get("paths"))
    if kind in _REACHED:
        _check_own(context, claim, claim.quantity, value, data["reached"] if kind == "optimum" else data)
        _check_admitted(context, claim, within)
    if kind != "reached":
        _check_bound(context, claim, value, bound)


def tells_nothing_of(claim: Claim) -> bool:
    """Is it a path length of a design as earlier versions stated it, whose adversaries assume a worst case that the
    design names (``--then path-length``) and the claim does not?"""
    return claim.quantity == "average_path_length" and not claim.about and "routing" not in claim.evidence.data


def _check_corner(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """A routing of the claim's own has the average path length ``value`` and the worst-case load that ``within`` names;
    for an optimum, adversaries keep every routing with that load from shorter paths."""
    routing = made_routing(data["routing"], context.network)
    load = as_fraction(data["within"]["worst_case_load"], "within.worst_case_load")
    _check_about(context, claim, data["within"])
    own = Context(routing, (), demands=context.demands)
    _check_own(own, claim, "worst_case_load", load, data["reached"])
    _check_own(own, claim, claim.quantity, value, data["reached"])
    if claim.evidence.kind == "optimum":
        if data["adversary"].get("within") != data["within"]:
            raise VerificationError("its adversaries assume another load than it states")
        _check_bound(context, claim, value, data["adversary"])


def _demands(context: Context, claim: Claim) -> DemandSet | None:
    """The set of demands that the claim, or its bound, is about: all that is routable, which no subject describes, or
    the subject's, unless it names a model; None for permutations."""
    if claim.about.get("demands") == Routable.text:
        return Routable(context.network.num_terminals)
    return None if "model" in claim.about else context.demands


def _qualifier(context: Context, claim: Claim) -> dict[str, str]:
    """What a statement about its worst case is qualified by."""
    demands = _demands(context, claim)
    return {"model": "balanced"} if demands is None else {"demands": demands.text}


def _check_about(context: Context, claim: Claim, within: Mapping[str, Any], paths: str | None = None) -> None:
    wanted: dict[str, str] = {} if paths is None else {"paths": paths}
    if claim.quantity.startswith("worst_case") or (within and context.demands is not None):
        wanted |= _qualifier(context, claim)
    for quantity, most in within.items():
        wanted["within"] = f"{quantity} <= {most}"
    if dict(claim.about) != wanted:
        raise VerificationError(f"it is qualified by {str(dict(claim.about))[:80]}; {wanted} was expected")


def _check_own(context: Context, claim: Claim, quantity: str, value: Fraction, data: Mapping[str, Any]) -> None:
    """The context's routing has exactly this worst-case load, or average path length; an oblivious ratio of at most
    this."""
    about = _qualifier(context, claim) if quantity == "worst_case_load" else {}
    same = Claim(quantity, "==", value, claim.grade, claim.evidence, "", about)
    if quantity != "worst_case_load":
        check_path_length(context, same, value, data["path-length"])
        return
    for kind, check in _JUDGES.items():
        if kind in data:
            routable = claim.about.get("demands") == Routable.text
            if routable != (kind == "routable"):
                raise VerificationError(f"evidence of the kind '{kind}' says nothing of its set of demands")
            check(context, replace(same, relation="<=") if routable else same, value, data[kind])
            return
    raise VerificationError("nothing says how its worst case was judged")


def _check_admitted(context: Context, claim: Claim, within: Mapping[str, Any]) -> None:
    """The subject's routing is itself within the bound: a claim about it, and not about a corner's own, says so."""
    for quantity, most in within.items():
        limit = as_fraction(most, f"within.{quantity}")
        about = _qualifier(context, claim) if quantity == "worst_case_load" else {}
        for other in context.others:
            its_own = other.evidence.kind in (*_JUDGES, "path-length", *_REACHED)
            its_own = its_own and "routing" not in other.evidence.data and other.relation in ("==", "<=")
            same = {key: x for key, x in other.about.items() if key != "within"}
            if quantity != "worst_case_load" and "within" in other.about:
                same.pop("demands", None)
            fits = its_own and same == about and other.quantity == quantity
            if fits and isinstance(other.value, Fraction) and other.value <= limit:
                return
        raise VerificationError(f"no claim of the report says that the routing's {quantity} is at most {shown(limit)}")


def _check_bound(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The adversaries keep every routing (within the bound) from less than ``value``."""
    line, within, other = _line(context, claim, data), data.get("within", {}), _ASSUMES[claim.quantity]
    if not set(within) <= {other}:
        raise VerificationError(
            f"a bound on {claim.quantity} can assume {other}; found {', '.join(sorted(within))[:60]}"
        )
    limit = as_fraction(within[other], f"within.{other}") if within else None
    proved = line.least_load(limit) if claim.quantity == "worst_case_load" else line.least_path_length(limit)
    if proved is None or proved < value:
        found = "nothing" if proved is None else f"at least {shown(proved)}"
        assumed = claim.evidence.data.get("adversary", {}).get("within")
        found += " without the limit that it does not name" if assumed and not within else ""
        raise VerificationError(f"it is at least {shown(value)}; the adversaries prove {found}")


def _line(context: Context, claim: Claim, data: Mapping[str, Any]) -> SupportingLine:
    """The line that the adversaries prove by the theorem, once the gauge of their set has judged them."""
    network, demands = context.network, _demands(context, claim)
    if demands is None:
        demands = permutations(network.num_terminals)
    if "potentials" in data:
        if not demands.is_permutations:
            raise VerificationError("its potentials are of permutations, which its set of demands is not")
        return line_of_potentials(network, _potentials(network, data))
    form = next(x for x in _READ if x in data)
    if form != demands.gauged_by:
        raise VerificationError(f"its {form} are of {_OVER[form]}, which its set of demands is not")
    hops = as_whole(data["hops"], "hops", 0, (1 << 127) - 1)
    distance = context.path_set(data["paths"]).distance if "paths" in data else None
    return supporting_line(network, demands.gauge(network, _READ[form](context, data)), hops=hops, distance=distance)


def _symmetry(context: Context, data: Mapping[str, Any]) -> dict[str, Any]:
    """Generators, and whether paths may be reversed, which keep to the paths that are meant."""
    symmetry = data["symmetry"]
    generators, reversal = context.generators(symmetry), symmetry.get("reversal", False)
    if "paths" in data:
        allowed = context.path_set(data["paths"])
        for g in generators:
            if not allowed.is_kept_by(g):
                raise VerificationError(f"the symmetry '{g.name}' takes paths out of the set {allowed.name}")
        if reversal and not allowed.reversible:
            raise VerificationError(f"reversal of paths takes paths out of the set {allowed.name}")
    return {"generators": generators, "reversal": reversal}


def _pairs(context: Context, data: Mapping[str, Any]) -> GivenDemands:
    """Pairs of nodes over permutations; else of terminals, which stand for their ports, perhaps with weights."""
    count = context.network.num_channels
    found, read = [], dict[str, npt.NDArray[Any]]()  # equal lengths share the object
    for number, item in enumerate(data["pairs"]):
        what, of_terminals = f"pairs[{number}]", "from" in item
        text = item["traffic"]
        if text not in read:
            read[text] = unpack_ints(text, what=f"{what}.traffic", max_items=count, wide=True)
        ends = (item["from"], item["to"]) if of_terminals else (item["source"], item["destination"])
        found.append(PairDemand(*ends, read[text], of_terminals, what))
    more = _symmetry(context, data)
    if "weights" in data:
        more["weight"] = unpack_ints(data["weights"], what="weights", max_items=count, wide=True)
    return GivenDemands(found, **more)


def _flows(context: Context, data: Mapping[str, Any]) -> GivenDemands:
    """By channel: what flows from every node over every channel, (N, C)."""
    network, items = context.network, data["flows"]
    nodes, count = network.num_nodes, network.num_channels
    more = _symmetry(context, data)
    spend((nodes**2 * count + len(items) * nodes * count) / 20, "shortest distances against flows")
    check_memory(8 * len(items) * nodes * (nodes + count), f"the flows of {len(items):,} adversaries on {network.name}")
    flows: dict[int, npt.NDArray[Any]] = {}
    for number, item in enumerate(items):
        c = as_channel(network, item["channel"])
        if c in flows:
            raise VerificationError(f"flows[{number}] is against channel {c}, as another one is")
        flow = unpack_ints(item["flow"], what=f"flows[{number}].flow", max_items=nodes * count, wide=True)
        if len(flow) != nodes * count:
            raise VerificationError(f"flows[{number}] has {len(flow)} numbers; {nodes * count} were expected")
        flows[c] = flow.reshape(nodes, count)
    return GivenDemands(flows, **more)


def _lengths(context: Context, data: Mapping[str, Any]) -> GivenDemands:
    """Lengths of channels for each of a list of matrices."""
    network, demands = context.network, context.demands
    lengths = [
        unpack_ints(x, what=f"lengths[{k}]", max_items=network.num_channels, wide=True)
        for k, x in enumerate(data["lengths"])
    ]
    several = sum(bool(x.any()) for x in lengths) > 1 or data["hops"]
    every = demands.listed.values() if several and demands is not None and demands.listed is not None else ()
    pairs = len(set[tuple[int, int]]().union(*every))
    spend((network.num_nodes + pairs) * network.num_channels, "shortest distances under lengths")
    return GivenDemands(lengths)


def _potentials(network: Network, data: Mapping[str, Any]) -> npt.NDArray[Any]:
    """A row of numbers of all nodes for each node with terminals."""
    rows = int((network.supply > 0).sum())
    spend(rows * network.num_channels, "differences of potentials")
    count = rows * network.num_nodes
    found = unpack_ints(data["potentials"], what="potentials", max_items=count, wide=True)
    if len(found) != count:
        raise VerificationError(f"it has {len(found)} potentials; {count} were expected")
    return found.reshape(rows, -1)


_READ: Mapping[str, Callable[[Context, Mapping[str, Any]], GivenDemands]] = {
    "lengths": _lengths, "flows": _flows, "pairs": _pairs,
}  # fmt: skip
"""By the form in which adversaries are given, which their set of demands says (``gauged_by``)."""
_OVER = {
    "lengths": "a list of matrices",
    "flows": "all that is routable",
    "pairs": "a set that is limited by terminals or pairs",
}
_OF_LOAD = Keys({"worst_case_load": BOUND})
_WITHIN = Either("worst_case_load", _OF_LOAD, Keys({"average_path_length": BOUND}))
_PAIR = Either(
    "from",
    Keys({"from": WHOLE, "to": WHOLE, "traffic": NUMBERS}),
    Keys({"source": WHOLE, "destination": WHOLE, "traffic": NUMBERS}),
)
_AGAINST: Mapping[str, Shape] = {"symmetry": SYMMETRY, "hops": WHOLE, "pairs": ListOf(_PAIR)}
_OF_MATRICES: Mapping[str, Shape] = {"hops": WHOLE, "lengths": ListOf(NUMBERS)}
_FLOW = Keys({"channel": WHOLE, "flow": NUMBERS})
_FLOWS = Keys({"symmetry": SYMMETRY, "hops": WHOLE, "flows": ListOf(_FLOW)}, {"paths": TEXT})


def _against(optional: Mapping[str, Shape]) -> Shape:
    pairs = Keys(_AGAINST, {"weights": NUMBERS, **optional})
    return Either(
        "potentials", Keys({"potentials": NUMBERS}, optional), Either("lengths", Keys(_OF_MATRICES, optional), pairs)
    )


_ADVERSARY = _against({"within": _WITHIN})
_PROVED = _against({"within": _WITHIN, "paths": TEXT})
_JUDGES: Mapping[str, Callable[..., None]] = {
    "worst-case": check_worst_case, "box": check_box, "matrices": check_matrices, "routable": check_routable,
}  # fmt: skip
"""By kind of evidence, what checks the worst case of the designed routing."""
_LOADS: Mapping[str, Shape] = {x.name: x.evidence for x in (WORST_CASE, BOX, MATRICES, ROUTABLE)}
_LENGTH: Mapping[str, Shape] = {"path-length": PATH_LENGTH.evidence}
_MAY_BE: Mapping[str, Shape] = {"within": _WITHIN}


def _load_and(more: Mapping[str, Shape], optional: Mapping[str, Shape]) -> Shape:
    """The evidence of a worst case, of one of its kinds, and ``more``."""
    by_kind = {kind: Keys({kind: shape, **more}, optional) for kind, shape in _LOADS.items()}
    return by_key(by_kind, by_kind["worst-case"])


_CORNER: Mapping[str, Shape] = {"routing": ANY, "within": _OF_LOAD, "reached": _load_and(_LENGTH, {})}


def _designed(name: str, sentence: str, relation: str, load: Shape, length: Shape, **declared: Any) -> Kind:
    more: Mapping[str, Shape] = {"within": TEXT, **({"paths": TEXT} if relation == ">=" else {})}
    over = Either("demands", Keys({"demands": TEXT}, more), Keys({"model": BALANCED}, more))
    states = {
        "worst_case_load": States((relation,), Grade.PROVED, over, load),
        "average_path_length": States((relation,), Grade.PROVED, Keys({}, {**more, "demands": TEXT}), length),
    }
    return Kind(name, sentence, ANY, states, DESIGN, check_design, elaborate=elaborate_design, **declared)


REACHED = _designed(
    "reached",
    "The routing itself: its worst case is proved as that of any routing, and its path lengths are summed again.",
    "<=",
    _load_and({}, _MAY_BE),
    Either("routing", Keys(_CORNER), Keys(_LENGTH, _MAY_BE)),
    subjects=DESIGNS,
)
ADVERSARY = _designed(
    "adversary",
    "A weighted set of channels with traffic for each, or potentials of nodes that stand for it: by weak duality, what "
    "paths cost against it bounds every oblivious routing that is meant (where the demands tell the terminals of one "
    "node apart: all that treat those alike).",
    ">=",
    Either("flows", _FLOWS, _PROVED),
    _PROVED,
    subjects=ANALYSES | {"adaptive"},
    whole_flows=True,
)
OPTIMUM = _designed(
    "optimum",
    "A routing that reaches the number, and an adversary that proves that no oblivious routing that is "
    "meant does better (where the demands tell the terminals of one node apart: none that treats those "
    "alike).",
    "==",
    Keys({"reached": _load_and({}, {}), "adversary": Either("flows", _FLOWS, _PROVED)}),
    Either(
        "routing",
        Keys({**_CORNER, "adversary": _ADVERSARY}),
        Keys({"reached": Keys(_LENGTH), "adversary": _PROVED}),
    ),
    subjects=DESIGNS,
)
