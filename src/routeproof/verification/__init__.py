"""``routeproof verify``: every claim of a report, checked again without a solver.

Loads are derived afresh from the network and the routing that the report names, and the evidence is held against them
by ``core.check``.  Nothing here searches, and nothing of ``analysis`` is used: what found a number does not judge it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.check import shown
from ..core.claim import Claim
from ..core.errors import InputError, VerificationError
from .context import Context, Progress

__all__ = ["RUN_AGAIN", "verify_claims", "verify_report"]

RUN_AGAIN = frozenset(
    {"call-run", "call-together", "cube-trials", "drawn-failures", "load-run", "random-traffic", "trial-runs"}
)
"""Kinds of evidence for sampled claims whose every trial is run again; of others there is nothing to verify."""


_RESTING = ("derived", "same-class", "worst-case-among")  # kinds of evidence that refer to other claims


def verify_report(path: str, *, routing: str | None = None, progress: Progress | None = None) -> list[Claim]:
    """Check every claim of the report; returns them.

    ``routing``: text of a routing to use in place of the one that the report carries (a user's own function, say).
    Raises VerificationError naming the first claim that does not hold, InputError for a file that is no report.
    """
    from ..formats.report_file import read_report

    subject, claims = read_report(path)
    return verify_claims(subject, claims, routing=routing, progress=progress)


def verify_claims(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    *,
    routing: str | None = None,
    progress: Progress | None = None,
) -> list[Claim]:
    """Check ``claims`` about ``subject`` ({"network", "routing"}); as ``verify_report``."""
    from .statement import check_stated_once
    from .subject import routing_of

    if subject.get("kind") == "destination-graph":
        from .destination_graph import verify_destination_graph

        return verify_destination_graph(subject, claims, routing=routing)
    if "content" in subject:
        from .documents import verify_document

        return verify_document(subject, claims, routing=routing)
    if subject.get("kind") == "load-simulation":
        from .loads_simulated import verify_load_simulation

        return verify_load_simulation(subject, claims, routing=routing, progress=progress)
    if subject.get("kind") == "trials":
        from .wired_trials import verify_trials

        return verify_trials(subject, claims, progress=progress)
    if subject.get("kind") == "sweep":
        from .sweep import verify_sweep

        return verify_sweep(subject, claims, progress=progress)
    if "wiring" in subject or "splitter" in subject:
        from .multistage import verify_multistage

        return verify_multistage(subject, claims)
    if "exchange" in subject:
        from .calls import verify_calls

        return verify_calls(subject, claims, progress=progress)
    if subject.get("kind") == "failures":
        from .failures import verify_failures

        return verify_failures(subject, claims, routing=routing, progress=progress)
    if "routings" in subject:
        from .comparison import verify_comparison

        return verify_comparison(subject, claims, routing=routing, progress=progress)
    if not claims:
        raise VerificationError("the report makes no claims: there is nothing to verify")
    check_stated_once(claims)
    context = Context(routing_of(subject, routing), claims, progress, described_levels=subject.get("service_levels"))
    # What rests on other claims comes last, so that the claim which is wrong is the one that is named.
    for number, claim in sorted(enumerate(claims), key=lambda x: x[1].evidence.kind in _RESTING):
        try:
            _check(context, claim)
        except (VerificationError, InputError) as error:  # malformed evidence is a claim without support
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _check(context: Context, claim: Claim) -> None:
    from .adversary import check_design, is_about_design
    from .average_case import check_average_case
    from .capacity import check_capacity
    from .deadlock import DEADLOCK, check_deadlock
    from .shared_channels import check_among_channels, check_shared_channels
    from .statement import check_statement
    from .traffic import check_path_length, check_traffic
    from .uniform import check_lengths
    from .worst_case import check_channel, check_same_class, check_worst_case

    rules = {
        "worst-case": check_worst_case,
        "worst-case-channel": check_channel,
        "worst-case-channels": check_shared_channels,
        "worst-case-among": check_among_channels,
        "same-class": check_same_class,
        "derived": _check_derived,
        "traffic-loads": check_traffic,
        "capacity": check_capacity,
        "path-length": check_path_length,
    }
    if is_about_design(claim):
        check_design(context, claim)
        return
    if claim.evidence.kind == "random-traffic":
        check_average_case(context, claim)
        return
    if claim.evidence.kind == "lengths":
        check_lengths(context, claim)
        return
    if claim.quantity in DEADLOCK:
        check_deadlock(context.routing, claim, context.levels)
        return
    value = check_statement(claim)
    rules[claim.evidence.kind](context, claim, value, claim.evidence.data)


def _check_derived(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """A number that follows from other claims of the report."""
    sources = data.get("from")
    model = claim.about.get("model")
    if claim.quantity == "worst_case_throughput" and sources == ["worst_case_load"]:
        load = context.other("worst_case_load", model)
        if load <= 0 or value != 1 / load:
            raise VerificationError(
                f"it is {shown(value)}; it should be 1 / worst_case_load, which is stated as {shown(load)}"
            )
    elif claim.quantity == "worst_case_throughput_of_capacity" and sources == ["worst_case_throughput", "capacity"]:
        if model == "hose":
            raise VerificationError("under the hose model throughput is a factor on the rates, no fraction of capacity")
        throughput, capacity = context.other("worst_case_throughput", model), context.other("capacity")
        if not capacity or value != throughput / capacity:
            raise VerificationError(
                f"it is {shown(value)}; it should be {shown(throughput)} over a capacity of {shown(capacity)}"
            )
    else:
        raise VerificationError(f"nothing is known to derive it from {str(sources)[:60]}")
