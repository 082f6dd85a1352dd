"""Claims about the best routing of a network: what one routing reaches, and what adversaries keep all from passing.

Kinds of evidence:

- ``reached`` (relation <=): the subject's routing does it: {"worst-case": {...}} or {"path-length": {...}}, as in
  claims about one routing;
- ``adversary`` (>=): no routing does better: {"symmetry", "hops", "pairs", "within"?}, see ``core.checks.adversary``;
  ``within`` names the routings that are meant: {"worst_case_load": ...} or {"average_path_length": ...}, at most that;
  ``paths``, where given, restricts them to the paths of a set (``routing.turns.path_sets``), and then goes with
  ``optimum``;
- ``optimum`` (==): both, {"reached": {...}, "adversary": {...}}, and they meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.checks.adversary import Distance, supporting_line
from ...core.checks.multipliers import shown
from ...core.checks.supporting_line import AdversaryPair, SupportingLine
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.symmetry import Automorphism
from ...formats.documents.packed_ints import unpack_ints
from ...routing.turns.path_sets import PATH_SETS, path_set
from ..context import Context
from ..kind import Kind, States
from ..reading import as_fraction, as_list, as_mapping
from ..shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape
from ..sources import DESIGN
from .traffic import PATH_LENGTH, check_path_length
from .worst_case import check_worst_case
from .worst_case_shapes import BALANCED, SYMMETRY, WORST_CASE

__all__ = ["KINDS", "check_design"]

_REACHED = ("reached", "optimum")


def check_design(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Check one claim of the kinds above; raises VerificationError where it does not hold."""
    kind = claim.evidence.kind
    if "routing" in data:
        _check_corner(context, claim, value, data)
        return
    bound = as_mapping(data, "adversary") if kind == "optimum" else data
    within = _within(bound) if kind != "reached" else data.get("within")
    _check_about(claim, within if isinstance(within, Mapping) and kind != "optimum" else None)
    if kind in _REACHED:
        reached = as_mapping(data, "reached") if kind == "optimum" else data
        if kind == "optimum" and "within" in reached:
            raise VerificationError("an optimum says in its adversary within which bound it holds")
        _check_reached(context, claim, value, reached)
        if isinstance(within, Mapping):
            _check_admitted(context, within)
    if kind == "adversary" and "paths" in data:
        raise VerificationError("a bound on the routings with some paths only cannot stand for all routings")
    if kind != "reached":
        _check_bound(context, claim, value, bound)


def _check_corner(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """A routing of the claim's own has the average path length ``value`` and the worst-case load that ``within`` names;
    for an optimum, adversaries keep every routing with that load from shorter paths."""
    from ...routing.named.described import routing_from_description

    routing = routing_from_description(as_mapping(data, "routing"), context.network)
    routing.check()
    reached = as_mapping(data, "reached")
    within = as_mapping(data, "within")
    if set(within) != {"worst_case_load"}:
        raise VerificationError("'within' must name the worst-case load")
    load = as_fraction(within["worst_case_load"], "within.worst_case_load")
    _check_about(claim, within)
    own = Context(routing, ())
    same = Claim("worst_case_load", "==", load, claim.grade, claim.evidence, "", {"model": "balanced"})
    check_worst_case(own, same, load, as_mapping(reached, "worst-case"))
    length = Claim(claim.quantity, "==", value, claim.grade, claim.evidence)
    check_path_length(own, length, value, as_mapping(reached, "path-length"))
    if claim.evidence.kind == "optimum":
        bound = as_mapping(data, "adversary")
        if bound.get("within") != within:
            raise VerificationError("its adversaries assume another load than it states")
        _check_bound(context, claim, value, bound)


def _check_about(claim: Claim, within: Mapping[str, Any] | None) -> None:
    wanted: dict[str, str] = {"model": "balanced"} if claim.quantity.startswith("worst_case") else {}
    for quantity, most in (within or {}).items():
        wanted["within"] = f"{quantity} <= {most}"
    if dict(claim.about) != wanted:
        raise VerificationError(f"it is qualified by {str(dict(claim.about))[:80]}; {wanted} was expected")


def _within(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    within = data.get("within")
    if within is None:
        return None
    if not isinstance(within, Mapping) or len(within) != 1:
        raise VerificationError("'within' must name one quantity and the most that it may be")
    if set(within) - {"worst_case_load", "average_path_length"}:
        raise VerificationError(f"'within' names {str(next(iter(within)))[:40]!r}, which bounds nothing here")
    return within


def _check_reached(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The subject's routing reaches ``value``."""
    same = Claim(claim.quantity, "==", value, claim.grade, claim.evidence, claim.source, {"model": "balanced"})
    if claim.quantity == "worst_case_load":
        check_worst_case(context, same, value, as_mapping(data, "worst-case"))
    else:
        check_path_length(context, same, value, as_mapping(data, "path-length"))


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
    line = _line(context, data)
    within = _within(data) or {}
    limits = {key: as_fraction(x, f"within.{key}") for key, x in within.items()}
    if claim.quantity == "worst_case_load":
        proved = line.least_load(limits.get("average_path_length"))
        if "worst_case_load" in limits:
            raise VerificationError("a bound on the load cannot assume one")
    else:
        proved = line.least_path_length(limits.get("worst_case_load"))
        if "average_path_length" in limits:
            raise VerificationError("a bound on the length cannot assume one")
    if proved is None or proved < value:
        found = "nothing" if proved is None else f"at least {shown(proved)}"
        raise VerificationError(f"it is at least {shown(value)}; the adversaries prove {found}")


def _line(context: Context, data: Mapping[str, Any]) -> SupportingLine:
    network = context.network
    symmetry = as_mapping(data, "symmetry")
    hops = data.get("hops")
    if isinstance(hops, bool) or not isinstance(hops, int) or not 0 <= hops < 1 << 127:
        raise VerificationError("'hops' must be a whole number of at most 127 bits")
    pairs = []
    for number, item in enumerate(as_list(data, "pairs")):
        if not isinstance(item, Mapping):
            raise VerificationError(f"pairs[{number}] must be an object")
        ends = [item.get("source"), item.get("destination")]
        if any(isinstance(x, bool) or not isinstance(x, int) or not 0 <= x < network.num_nodes for x in ends):
            raise VerificationError(f"pairs[{number}] names no two nodes of the network")
        what = f"pairs[{number}].traffic"
        traffic = unpack_ints(item.get("traffic"), what=what, max_items=network.num_channels, wide=True)
        pairs.append(AdversaryPair(int(ends[0] or 0), int(ends[1] or 0), traffic))
    reversal = symmetry.get("reversal")
    if reversal not in (None, False, True):
        raise VerificationError("'reversal' must be true or false")
    generators = context.generators(symmetry)
    distance = None
    if "paths" in data:
        distance = _restricted(context, data["paths"], generators)
    return supporting_line(
        network, pairs, hops=hops, generators=generators, reversal=reversal is True, distance=distance
    )


def _restricted(context: Context, name: object, generators: list[Automorphism]) -> Distance:
    """Distances by the paths of a set, which the symmetry keeps."""
    if not isinstance(name, str) or name not in PATH_SETS:
        raise VerificationError(f"no set of paths is called {str(name)[:40]!r}")
    allowed = path_set(name, context.network)
    for g in generators:
        if not allowed.is_kept_by(g):
            raise VerificationError(f"the symmetry '{g.name}' takes paths out of the set {name}")
    return allowed.distance


_WITHIN = Either("worst_case_load", Keys({"worst_case_load": BOUND}), Keys({"average_path_length": BOUND}))
_OWN = {  # what the subject's own routing reaches, by quantity
    "worst_case_load": Keys({"worst-case": WORST_CASE}, {"within": _WITHIN}),
    "average_path_length": Keys({"path-length": PATH_LENGTH}, {"within": _WITHIN}),
}
_PAIR = Keys({"source": WHOLE, "destination": WHOLE, "traffic": NUMBERS})
_AGAINST: Mapping[str, Shape] = {"symmetry": SYMMETRY, "hops": WHOLE, "pairs": ListOf(_PAIR)}
_ADVERSARY = Keys(_AGAINST, {"within": _WITHIN})
_OF_OPTIMUM = Keys(_AGAINST, {"within": _WITHIN, "paths": TEXT})
_CORNER: Mapping[str, Shape] = {
    "routing": ANY, "within": _WITHIN, "reached": Keys({"worst-case": WORST_CASE, "path-length": PATH_LENGTH}),
}  # fmt: skip
_ABOUT: Mapping[str, Mapping[str, Shape]] = {"worst_case_load": {"model": BALANCED}, "average_path_length": {}}


def _designed(relation: str, load: Shape, length: Shape) -> Kind:
    evidence = {"worst_case_load": load, "average_path_length": length}
    return Kind(
        ANY,
        {
            name: States((relation,), Grade.PROVED, Keys(_ABOUT[name], {"within": TEXT}), shape)
            for name, shape in evidence.items()
        },
        DESIGN,
        check_design,
    )


KINDS: Mapping[str, Kind] = {
    "reached": _designed("<=", _OWN["worst_case_load"], Either("routing", Keys(_CORNER), _OWN["average_path_length"])),
    "adversary": _designed(">=", _ADVERSARY, _ADVERSARY),
    "optimum": _designed(
        "==",
        Keys({"reached": _OWN["worst_case_load"], "adversary": _OF_OPTIMUM}),
        Either(
            "routing",
            Keys({**_CORNER, "adversary": _ADVERSARY}),
            Keys({"reached": _OWN["average_path_length"], "adversary": _OF_OPTIMUM}),
        ),
    ),
}
