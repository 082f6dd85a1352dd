"""Reports about candidates, topologies each with a routing: every claim is about the candidate that it names, and is
checked as that one's.  What a candidate takes to build is counted again from its network.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Grade
from ..core.errors import VerificationError
from ..topologies.candidates import parts_of
from .context import Context
from .kind import EXACT, Kind, States, SubjectKind
from .reading import Report, as_fraction, check_value
from .routings.difference import claims_of_parts, verify_part
from .routings.failures import EVERY_FAILURE, FAILURE, FAILURES
from .routings.routing_claims import ANALYSIS
from .shapes import ANY, TEXT, Keys

_AFTER = frozenset({FAILURE.name, EVERY_FAILURE.name})


def candidate_name(topology: str, routing: str) -> str:
    """As reports call a candidate."""
    return f"{routing} on {topology}"


def verify_candidates(report: Report) -> None:
    """Check every claim on its candidate, those about failures by the rule that it names; raises InputError for a
    subject that makes no sense."""
    every = report.subject["candidates"]
    for name, claims in claims_of_parts(report, "candidates", "candidate", "candidate"):
        one, rule = {k: x for k, x in every[name].items() if k != "failures"}, every[name].get("failures")
        after = [x for x in claims if x.evidence.kind in _AFTER]
        if (rule is not None) != bool(after):
            raise VerificationError(f"subject: what failures of {name[:60]!r} do, and claims about it, belong together")
        verify_part(report, one, [x for x in claims if x.evidence.kind not in _AFTER], "candidate", name)
        network, routing = (x.get("spec") if isinstance(x, Mapping) else None for x in (one["network"], one["routing"]))
        if name != candidate_name(str(network), str(routing)):
            raise VerificationError(f"subject: the candidate {name[:60]!r} is another one: {routing} on {network}")
        if isinstance(rule, Mapping):
            verify_part(report, {**rule, **one}, after, "candidate", name, FAILURES)
        elif rule is not None:
            raise VerificationError(f"subject: what failures of {name[:60]!r} do is not an object")


def check_parts(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:  # noqa: ARG001
    switches, cables = parts_of(context.network)
    if claim.quantity != "cost_per_host":
        check_value(claim, Fraction(switches if claim.quantity == "num_switches" else cables), "its network has them")
        return
    prices = [as_fraction(claim.about[x], x) for x in ("switch", "cable")]
    if min(prices) < 0:
        raise VerificationError("a price is below 0")
    total = switches * prices[0] + cables * prices[1]
    check_value(claim, total / context.network.num_terminals, "switches and cables at these prices make it")


PARTS = Kind(
    "parts",
    "Switches and cables, counted again from the network; a link of bandwidth b is as many cables, and every host has "
    "one of its own.",
    Keys({}),
    {
        "num_switches": States(EXACT, Grade.PROVED),
        "num_cables": States(EXACT, Grade.PROVED),
        "cost_per_host": States(EXACT, Grade.PROVED, Keys({"switch": TEXT, "cable": TEXT})),
    },
    frozenset({""}),
    check_parts,
    subjects=frozenset({"candidates"}),
)
CANDIDATES = SubjectKind(
    "candidates", verify_candidates, Keys({"candidates": ANY}), qualifier="candidate", extra=ANALYSIS.extra
)
