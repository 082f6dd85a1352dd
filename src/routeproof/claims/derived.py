"""Claims that follow from others of the same report: throughput from loads, fractions of capacity, lengths relative to
the shortest; as they are made, and as they are checked.

The other claim must be qualified in the same way: what holds within a bound, or under one traffic, says nothing beyond.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import OPPOSITE, Claim, Grade
from ..core.errors import VerificationError
from ..core.rational import shown
from ..core.vocabulary import is_factor
from .kind import ANALYSES, BOUNDS, DESIGN, EXACT, OF_ADAPTIVE, OF_JOBS, PLACES, SPLITTERS, WORST, Kind, States
from .proofs.proof import NotElaborated, each_way
from .reading import check_value
from .shapes import BOUND, OF_LIDS, TEXT, Either, Keys, ListOf, Word

if TYPE_CHECKING:
    from .context import Context
    from .proofs.work import Work

FROM: Mapping[str, list[str]] = {
    "worst_case_throughput": ["worst_case_load"],
    "worst_case_throughput_of_capacity": ["worst_case_throughput", "capacity"],
    "adaptive_throughput": ["adaptive_load"],
    "price_of_obliviousness": ["worst_case_load", "adaptive_load"],
    "average_path_length_of_minimal": ["average_path_length"],
    "expansion": ["least_neighbourhood"],
}
"""Of every quantity that is derived: the quantities that it follows from."""
_THROUGHPUT = {"worst_case_load": "worst_case_throughput", "adaptive_load": "adaptive_throughput"}


def following(quantity: str, relation: str, value: Fraction, about: Mapping[str, Any], source: str = "") -> Claim:
    """A claim that arithmetic makes of those it follows from, which are qualified in the same way."""
    data = {"from": [*FROM[quantity]]}
    return DERIVED.claim(value, data, about, quantity=quantity, relation=relation, source=source)


def throughput_of(load: Claim, source: str = "") -> Claim:
    """By what factor demands may grow before the worst channel is saturated: 1 over the largest load."""
    return following(_THROUGHPUT[load.quantity], OPPOSITE[load.relation], 1 / load.number, load.about, source)


def check_derived(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """The claim's number is what the claims that it names make of it."""
    sources, about, quantity = data["from"], claim.about, claim.quantity
    if sources != FROM[quantity] or quantity == "expansion":
        raise VerificationError(f"nothing is known to derive it from {str(sources)[:60]}")
    number = Fraction(1)
    if quantity in _THROUGHPUT.values():
        over = context.stated(sources[0], OPPOSITE[claim.relation], about)
    elif quantity == "worst_case_throughput_of_capacity":
        if is_factor(about):
            raise VerificationError(
                "where rates are given, throughput is a factor on the rates, not a share of capacity"
            )
        number = context.stated("worst_case_throughput", claim.relation, about)
        over = context.stated("capacity", "==", {})
    elif quantity == "average_path_length_of_minimal":
        number = context.stated("average_path_length", claim.relation, about)
        over = context.shortest
    else:
        from .routings.adaptive import best_oblivious

        number = best_oblivious(context, claim)
        over = _end(context, "adaptive_load", OPPOSITE[claim.relation], about)
        if claim.relation == ">=":
            number = max(number, over)  # no routing is better than one that may know the demand
    if over <= 0:
        raise VerificationError(f"it is derived by a division by {shown(over)}")
    check_value(claim, number / over, f"the report's {' over '.join(sources)} makes it")


def _end(context: Context, quantity: str, relation: str, about: Mapping[str, Any]) -> Fraction:
    """One end of what the report states, as such or as an exact number."""
    found = any((x.quantity, x.relation, dict(x.about)) == (quantity, "==", dict(about)) for x in context.others)
    return context.stated(quantity, "==" if found else relation, about)


_MORE = {"within": TEXT, "paths": TEXT}
_OVER = Keys(OF_JOBS.needed, {**OF_JOBS.optional, **_MORE})
_ABOUT = Either(
    "model",
    Keys(
        {"model": Word("balanced", "unbalanced", "hose")}, {**_MORE, "among": Word("tables", "single-paths"), **OF_LIDS}
    ),
    _OVER,
)


def elaborate_derived(work: Work, claim: Claim) -> None:
    each_way(claim, lambda relation: _one_way(work, claim, relation))


def _one_way(work: Work, claim: Claim, relation: str) -> None:
    quantity, about = claim.quantity, claim.about
    opposite, side = OPPOSITE[relation], {"<=": "at-most", ">=": "at-least"}[relation]
    if quantity == "worst_case_throughput":
        load = _resting(work, claim, "worst_case_load", opposite, about)
        best = "best-" if work.proof.kinds[load].startswith(("best", "tables")) else ""
        work.quotient(claim, relation, f"{best}throughput-{side}", load)
    elif quantity == "worst_case_throughput_of_capacity":
        load = _resting(work, claim, "worst_case_load", opposite, about)
        best = "best-" if work.proof.kinds[load].startswith(("best", "tables")) else ""
        flow = work.stated("capacity", f"flow {relation}", {})
        work.quotient(claim, relation, f"{best}fraction-{side}", load, flow)
    elif quantity == "adaptive_throughput":
        load = work.stated("adaptive_load", opposite, about)
        best = "" if work.proof.kinds[load].startswith("worst-case") else "best-"
        work.quotient(claim, relation, f"{best}throughput-{side}", load)
    elif quantity == "price_of_obliviousness":
        own = _resting(work, claim, "worst_case_load", relation, _over(work, relation, about))
        if "among-paths" in work.proof.kinds[own]:
            raise NotElaborated("a price is about all routings, and not about those with some paths")
        load = work.stated("adaptive_load", opposite, about)
        work.quotient(claim, relation, f"price-of-obliviousness-{side}", load, own)
    elif quantity == "average_path_length_of_minimal":
        from .routings.traffic import minimal

        own = _resting(work, claim, "average_path_length", relation, about)
        bound = "-at-least" if work.proof.kinds[own].startswith("best") else ""
        work.quotient(claim, relation, f"relative-path-length{bound}", minimal(work), own)
    else:
        raise NotElaborated("it follows from claims that are not in the proof")


def _resting(work: Work, claim: Claim, quantity: str, relation: str, about: Mapping[str, Any]) -> int:
    """Where the proof states what the claim rests on: of all routings, if it is itself a bound and no exact number."""
    every = f"all {relation}"
    bound = claim.relation != "==" and work.is_stated(quantity, every, about)
    return work.stated(quantity, every if bound else relation, about)


def _over(work: Work, relation: str, about: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the worst case over the same demands is qualified: permutations go by two names."""
    balanced = {"model": "balanced"}
    demands = work.context.demands
    permutations = demands is not None and demands.is_permutations
    other = permutations and not work.is_stated("worst_case_load", relation, about)
    return balanced if other else about


DERIVED = Kind(
    "derived",
    "Arithmetic on other claims of this report, carried out again.",
    Keys({"from": ListOf(TEXT)}),
    {
        "worst_case_throughput": States(BOUNDS, Grade.PROVED, _ABOUT),
        "worst_case_throughput_of_capacity": States(BOUNDS, Grade.PROVED, _ABOUT),
        "adaptive_throughput": States(BOUNDS, Grade.PROVED, OF_ADAPTIVE),
        "price_of_obliviousness": States(BOUNDS, Grade.PROVED, OF_ADAPTIVE),
        "average_path_length_of_minimal": States(("<=", ">="), Grade.PROVED, Keys({}, {**_MORE, "demands": TEXT})),
        "expansion": States(EXACT, Grade.EXHAUSTED, Keys({"alpha": BOUND}, PLACES)),  # for multistage.expansion
    },
    WORST | DESIGN | SPLITTERS | {"Towles & Dally 2002 (SPAA), sec. 5"},
    check_derived,
    rests=True,
    subjects=ANALYSES | {"adaptive", "expansion", "hashing", "load-simulation"},
    whole_flows=True,
    elaborate=elaborate_derived,
)
