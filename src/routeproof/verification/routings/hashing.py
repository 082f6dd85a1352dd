"""Reports of ``hashing``: the flows of the subject, and every claim about them and about their traffic."""

from __future__ import annotations

from dataclasses import replace

from ...core.errors import VerificationError
from ...routing.hashing.flows import Flows
from ..reading import Report, as_permutation, as_whole, errors_at, name_of
from ..subject import routing_of
from .hashed_flows import KINDS, HashedFlows
from .routing_claims import verify_routing
from .traffic import WORST, traffic_of


def verify_hashing(report: Report) -> None:
    """Check every claim of a report about hashed flows.  Their form is checked already."""
    proved = [x for x in report.claims if x.evidence.kind not in KINDS]
    if len(proved) == len(report.claims):
        raise VerificationError("the report makes no claims about hashed flows: there is nothing to verify")
    if proved:
        verify_routing(replace(report, claims=proved))
    routing = routing_of(report.subject, report.routing)
    given = report.subject["flows"]
    with errors_at("subject"):
        traffic = traffic_of(routing.network, {k: given[k] for k in ("traffic", "permutation")})
        assert traffic.permutation is not None
        size = routing.network.num_terminals
        same = [x for x in proved if x.quantity == "throughput" and x.about["traffic"] == traffic.name]
        if any(as_permutation(x.evidence.data.get("permutation"), size) != traffic.permutation for x in same):
            raise VerificationError("its flows are of another permutation than a claim about the same traffic")
        if traffic.name == WORST and not same:
            raise VerificationError("its permutation is called the worst, and no proved claim is about it")
        flows = Flows(routing, traffic.permutation, as_whole(given["each"], "its flows of a pair", 1))
    known = HashedFlows(flows, traffic.name)
    for number, claim in enumerate(report.claims):
        if claim.evidence.kind in KINDS:
            with errors_at(name_of(number, claim)):
                known.check(claim)
        if report.progress is not None:
            report.progress(number + 1, len(report.claims))
