"""What a design claims, with the evidence that ``verification.routings.adversary`` checks."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..analysis.worst_case.evidence import worst_case_claims
from ..core.claim import Claim, Evidence, Grade
from ..formats.documents.long_fractions import fraction_to_text

if TYPE_CHECKING:
    from .result import Design

__all__ = ["design_claims"]

_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 8 and 10"
_BALANCED = {"model": "balanced"}


def design_claims(design: Design, capacity: Claim | None) -> list[Claim]:
    """Worst-case load and throughput of the best routing, and its path length: each an equation where the routing and
    the adversaries meet, else an interval of two claims.

    ``capacity``: a claim about the network's capacity; with it throughput is also stated as a fraction of it.
    """
    within = {} if design.most_length is None else {"average_path_length": fraction_to_text(design.most_length)}
    reached = {"worst-case": worst_case_claims(design.worst)[0].evidence.data}
    bound = {**design.load_adversary.data(), **({"within": within} if within else {})}
    claims = _sides("worst_case_load", _BALANCED, design.least_load, design.load, reached, bound, within)
    known = capacity.value if capacity is not None and isinstance(capacity.value, Fraction) else None
    for claim in list(claims):
        assert isinstance(claim.value, Fraction)
        if not claim.value:
            continue
        throughput = 1 / claim.value
        relation = {"==": "==", "<=": ">=", ">=": "<="}[claim.relation]
        claims.append(_derived("worst_case_throughput", relation, throughput, claim, ["worst_case_load"]))
        if known:
            sources = ["worst_case_throughput", "capacity"]
            name = "worst_case_throughput_of_capacity"
            claims.append(_derived(name, relation, throughput / known, claim, sources))
    claims.sort(key=lambda x: x.quantity)
    if capacity is not None:
        claims.append(capacity)
    return claims + _length_claims(design)


def _length_claims(design: Design) -> list[Claim]:
    own = {"average": fraction_to_text(design.length), "minimal": fraction_to_text(design.minimal)}
    if design.length_adversary is None or design.least_length is None or design.most_load is None:
        claims = [Claim("average_path_length", "==", design.length, Grade.PROVED, Evidence("path-length", own),
                        "Towles, Dally & Boyd 2003 (SPAA), eq. 5")]  # fmt: skip
    else:
        within = {"worst_case_load": fraction_to_text(design.most_load)}
        bound = {**design.length_adversary.data(), "within": within}
        claims = _sides(
            "average_path_length", {}, design.least_length, design.length, {"path-length": own}, bound, within
        )
    result = list(claims)
    for claim in claims:
        assert isinstance(claim.value, Fraction)
        ratio = claim.value / design.minimal
        if claim.relation == "==":
            result.append(
                Claim(
                    "average_path_length_of_minimal",
                    "==",
                    ratio,
                    Grade.PROVED,
                    Evidence("path-length", own),
                    "Towles, Dally & Boyd 2003 (SPAA), sec. 2.3",
                )
            )
        else:
            name = "average_path_length_of_minimal"
            result.append(_derived(name, claim.relation, ratio, claim, ["average_path_length"]))
    return result


def _sides(
    quantity: str,
    about: Mapping[str, Any],
    least: Fraction,
    value: Fraction,
    reached: Mapping[str, Any],
    bound: Mapping[str, Any],
    within: Mapping[str, str],
) -> list[Claim]:
    if least == value:
        data = {"reached": dict(reached), "adversary": dict(bound)}
        return [Claim(quantity, "==", value, Grade.PROVED, Evidence("optimum", data), _SOURCE, dict(about))]
    qualified = dict(about)
    for name, most in within.items():
        qualified["within"] = f"{name} <= {most}"
    upper = {**reached, **({"within": dict(within)} if within else {})}
    return [
        Claim(quantity, "<=", value, Grade.PROVED, Evidence("reached", upper), _SOURCE, qualified),
        Claim(quantity, ">=", least, Grade.PROVED, Evidence("adversary", dict(bound)), _SOURCE, qualified),
    ]


def _derived(quantity: str, relation: str, value: Fraction, base: Claim, sources: list[str]) -> Claim:
    evidence = Evidence("derived", {"from": sources})
    about = dict(base.about)
    return Claim(quantity, relation, value, Grade.PROVED, evidence, _SOURCE, about)
