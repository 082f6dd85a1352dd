"""Claims about the best routing of a network: what one routing reaches, and what adversaries keep all from passing.

Kinds of evidence:

- ``reached`` (relation <=): the subject's routing does it: {"worst-case": {...}} or {"path-length": {...}}, as in
  claims about one routing;
- ``adversary`` (>=): no routing does better: {"symmetry", "hops", "pairs", "within"?}, see ``core.checks.adversary``;
  ``within`` names the routings that are meant: {"worst_case_load": ...} or {"average_path_length": ...}, at most that;
  ``paths``, where given, restricts them to the paths of a set (``routing.path_sets``), and then goes with
  ``optimum``;
- ``optimum`` (==): both, {"reached": {...}, "adversary": {...}}, and they meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.checks.adversary import supporting_line
from ...core.checks.multipliers import shown
from ...core.checks.supporting_line import AdversaryPair, SupportingLine
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...formats.documents.packed_ints import unpack_ints
from ..context import Context
from ..kind import DESIGN, Kind, States
from ..reading import as_fraction, as_whole
from ..shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape
from ..subject import made_routing
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
    within = bound.get("within", {})
    _check_about(claim, within if kind != "optimum" else {})
    if kind in _REACHED:
        _check_own(context, claim, claim.quantity, value, data["reached"] if kind == "optimum" else data)
        _check_admitted(context, within)
    if kind != "reached":
        _check_bound(context, claim, value, bound)


def _check_corner(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """A routing of the claim's own has the average path length ``value`` and the worst-case load that ``within`` names;
    for an optimum, adversaries keep every routing with that load from shorter paths."""
    routing = made_routing(data["routing"], context.network)
    load = as_fraction(data["within"]["worst_case_load"], "within.worst_case_load")
    _check_about(claim, data["within"])
    own = Context(routing, ())
    _check_own(own, claim, "worst_case_load", load, data["reached"])
    _check_own(own, claim, claim.quantity, value, data["reached"])
    if claim.evidence.kind == "optimum":
        if data["adversary"].get("within") != data["within"]:
            raise VerificationError("its adversaries assume another load than it states")
        _check_bound(context, claim, value, data["adversary"])


def _check_about(claim: Claim, within: Mapping[str, Any]) -> None:
    wanted: dict[str, str] = {"model": "balanced"} if claim.quantity.startswith("worst_case") else {}
    for quantity, most in within.items():
        wanted["within"] = f"{quantity} <= {most}"
    if dict(claim.about) != wanted:
        raise VerificationError(f"it is qualified by {str(dict(claim.about))[:80]}; {wanted} was expected")


def _check_own(context: Context, claim: Claim, quantity: str, value: Fraction, data: Mapping[str, Any]) -> None:
    """The context's routing has exactly this worst-case load, or average path length."""
    same = Claim(quantity, "==", value, claim.grade, claim.evidence, "", {"model": "balanced"})
    if quantity == "worst_case_load":
        check_worst_case(context, same, value, data["worst-case"])
    else:
        check_path_length(context, same, value, data["path-length"])


def _check_admitted(context: Context, within: Mapping[str, Any]) -> None:
    """The subject's routing is itself within the bound: a claim about it, and not about a corner's own, says so."""
    for quantity, most in within.items():
        limit = as_fraction(most, f"within.{quantity}")
        about = {"model": "balanced"} if quantity == "worst_case_load" else {}
        for claim in context.others:
            its_own = claim.evidence.kind in ("worst-case", "path-length", *_REACHED)
            its_own = its_own and "routing" not in claim.evidence.data and claim.relation in ("==", "<=")
            same = {key: x for key, x in claim.about.items() if key != "within"} == about
            fits = its_own and same and claim.quantity == quantity
            if fits and isinstance(claim.value, Fraction) and claim.value <= limit:
                return
        raise VerificationError(f"no claim of the report says that the routing's {quantity} is at most {shown(limit)}")


def _check_bound(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The adversaries keep every routing (within the bound) from less than ``value``."""
    line, within, other = _line(context, data), data.get("within", {}), _ASSUMES[claim.quantity]
    if not set(within) <= {other}:
        raise VerificationError(
            f"a bound on {claim.quantity} can assume {other}; found {', '.join(sorted(within))[:60]}"
        )
    limit = as_fraction(within[other], f"within.{other}") if within else None
    proved = line.least_load(limit) if claim.quantity == "worst_case_load" else line.least_path_length(limit)
    if proved is None or proved < value:
        found = "nothing" if proved is None else f"at least {shown(proved)}"
        raise VerificationError(f"it is at least {shown(value)}; the adversaries prove {found}")


def _line(context: Context, data: Mapping[str, Any]) -> SupportingLine:
    network, symmetry = context.network, data["symmetry"]
    hops = as_whole(data["hops"], "hops", 0, (1 << 127) - 1)
    pairs = []
    for number, item in enumerate(data["pairs"]):
        ends = item["source"], item["destination"]
        if not all(0 <= x < network.num_nodes for x in ends):
            raise VerificationError(f"pairs[{number}] names no two nodes of the network")
        what = f"pairs[{number}].traffic"
        pairs.append(
            AdversaryPair(*ends, unpack_ints(item["traffic"], what=what, max_items=network.num_channels, wide=True))
        )
    generators = context.generators(symmetry)
    distance, reversal = None, symmetry.get("reversal", False)
    if "paths" in data:
        allowed = context.path_set(data["paths"])
        for g in generators:
            if not allowed.is_kept_by(g):
                raise VerificationError(f"the symmetry '{g.name}' takes paths out of the set {allowed.name}")
        if reversal and not allowed.reversible:
            raise VerificationError(f"reversal of paths takes paths out of the set {allowed.name}")
        distance = allowed.distance
    return supporting_line(network, pairs, hops=hops, generators=generators, reversal=reversal, distance=distance)


_OF_LOAD = Keys({"worst_case_load": BOUND})
_WITHIN = Either("worst_case_load", _OF_LOAD, Keys({"average_path_length": BOUND}))
_PAIR = Keys({"source": WHOLE, "destination": WHOLE, "traffic": NUMBERS})
_AGAINST: Mapping[str, Shape] = {"symmetry": SYMMETRY, "hops": WHOLE, "pairs": ListOf(_PAIR)}
_ADVERSARY = Keys(_AGAINST, {"within": _WITHIN})
_PROVED = Keys(_AGAINST, {"within": _WITHIN, "paths": TEXT})
_LOAD: Mapping[str, Shape] = {"worst-case": WORST_CASE}
_LENGTH: Mapping[str, Shape] = {"path-length": PATH_LENGTH}
_MAY_BE: Mapping[str, Shape] = {"within": _WITHIN}
_CORNER: Mapping[str, Shape] = {"routing": ANY, "within": _OF_LOAD, "reached": Keys({**_LOAD, **_LENGTH})}


def _designed(relation: str, load: Shape, length: Shape) -> Kind:
    states = {
        "worst_case_load": States((relation,), Grade.PROVED, Keys({"model": BALANCED}, {"within": TEXT}), load),
        "average_path_length": States((relation,), Grade.PROVED, Keys({}, {"within": TEXT}), length),
    }
    return Kind(ANY, states, DESIGN, check_design)


KINDS: Mapping[str, Kind] = {
    "reached": _designed("<=", Keys(_LOAD, _MAY_BE), Either("routing", Keys(_CORNER), Keys(_LENGTH, _MAY_BE))),
    "adversary": _designed(">=", _ADVERSARY, _ADVERSARY),
    "optimum": _designed(
        "==",
        Keys({"reached": Keys(_LOAD), "adversary": _PROVED}),
        Either(
            "routing",
            Keys({**_CORNER, "adversary": _ADVERSARY}),
            Keys({"reached": Keys(_LENGTH), "adversary": _PROVED}),
        ),
    ),
}
