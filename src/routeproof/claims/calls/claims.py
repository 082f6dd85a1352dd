"""Reports about calls: runs done again, blocking states checked, refutations checked lemma by lemma."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ..kind import NAMED, SubjectKind
from ..kinds import checker_of
from ..reading import Report, as_whole, errors_at, name_of
from ..shapes import ANY, WHOLE, Either, Keys
from ..work import spend
from .counts import run_again
from .replays import Together

_PER_EDGE = 20  # steps, to make a call graph, whose edges take more memory than time


def verify_calls(report: Report) -> None:
    """Check the claims of a report about calls; its ``progress`` counts trials."""
    wiring, graph = _exchange(report.subject)
    claims, first = report.claims, report.claims[0]
    if first.evidence.kind != "call-run" or first.quantity != "requests":
        raise VerificationError("claims[0]: the claim about requests, which describes the run, comes first")
    quantities = [x.quantity for x in claims]
    for number, claim in enumerate(claims):
        if claim.quantity in quantities[:number]:
            raise VerificationError(f"{name_of(number, claim)}: one run states each quantity once")
    together = _together(graph, first.evidence.data, claims)
    with errors_at(name_of(0, first)):
        run = run_again(wiring, graph, first.evidence.data, together, report.progress)
    report.check_each(lambda claim: checker_of(claim)(run, claim))


def _exchange(subject: Mapping[str, Any]) -> tuple[Wiring | None, CallGraph]:
    from ...core.plain_names import plain_name
    from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
    from ..subject import check_called, described_network, is_family_name, wiring_of

    data = subject["exchange"]
    if "wiring" in data:
        wiring = wiring_of({**data, "topology": subject.get("topology")})
        spend(_PER_EDGE * wiring.wire.size, "joining its switches")
        return wiring, call_graph_of_wiring(wiring, load=data["load"])
    described = data["network"]
    network = described_network({"spec": described} if isinstance(described, str) else described)
    topology = str(subject.get("topology", ""))
    check_called(subject.get("topology"), network, what="its topology")
    if network.spec is None and is_family_name(topology) and plain_name(topology).startswith("cantor"):
        raise VerificationError(
            f"subject: its topology is called {topology[:60]!r}, whose switches hold one call each; in a network given "
            f"in full, channels do"
        )
    into, out = (
        np.bincount(ends, minlength=network.num_nodes) + terminals
        for ends, terminals in ((network.head, network.supply), (network.tail, network.demand))
    )
    spend(_PER_EDGE * int(into @ out), "joining its channels")
    return None, call_graph_of_network(network)


def _together(graph: CallGraph, settings: Mapping[str, Any], claims: Sequence[Claim]) -> Together | None:
    """What is to be done after each trial, where the report has claims about requests at once."""
    for number, claim in enumerate(claims):
        if claim.evidence.kind == "call-together" and claim.quantity == "together_calls":
            with errors_at(name_of(number, claim)):
                count = as_whole(claim.evidence.data["count"], "its number of requests at once", 1)
                seed = as_whole(settings["seed"], "its seed", 0)
                if (graph.split < 0).all():
                    raise VerificationError("requests at once are for multi-Benes networks")
            return Together(graph, count, seed)
    return None


CALLS = SubjectKind(
    "calls",
    verify_calls,
    Keys({"exchange": Either("wiring", Keys({"wiring": ANY, "load": WHOLE}), Keys({"network": ANY}))}, NAMED),
)
