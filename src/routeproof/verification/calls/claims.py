"""Reports about calls: runs done again, blocking states looked at, refutations checked lemma by lemma."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ..context import Progress
from ..kinds import kind_of
from ..work import spend
from .call_run import CallRun
from .counts import caps_of, run_again
from .together import Together

__all__ = ["verify_calls"]

_PER_EDGE = 20  # steps, to make a call graph, whose edges take more memory than time


def verify_calls(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check the claims of a report about calls; raises VerificationError for the first that fails.

    ``progress`` counts trials.
    """
    del routing  # calls look for their paths themselves
    wiring, graph = _exchange(subject)
    first = claims[0]
    if first.evidence.kind != "call-run" or first.quantity != "requests":
        raise VerificationError("claims[0]: the claim about requests, which describes the run, comes first")
    again = [k for k, x in enumerate(claims) if x.quantity in {y.quantity for y in claims[:k]}]
    if again:
        raise VerificationError(
            f"claims[{again[0]}] ({claims[again[0]].quantity[:80]}): one run states each quantity once"
        )
    together = _together(graph, first.evidence.data, claims)
    run: CallRun | None = None
    for number, claim in enumerate(claims):
        try:
            run = run or _run(wiring, graph, first.evidence.data, together, progress)
            check = kind_of(claim.evidence.kind).check
            assert check is not None
            check(run, claim)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _run(
    wiring: Wiring | None,
    graph: CallGraph,
    settings: Mapping[str, Any],
    together: Together | None,
    progress: Progress | None,
) -> CallRun:
    counts = run_again(wiring, graph, settings, together, progress)
    at_once = None if together is None else together.counts
    return CallRun(graph, wiring, settings, counts, at_once, caps_of(wiring, settings))


def _exchange(subject: Mapping[str, Any]) -> tuple[Wiring | None, CallGraph]:
    from ...core.plain_names import plain_name
    from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
    from ..called import check_called, is_family_name
    from ..subject import described_network, wiring_of

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
    """What is to be done after each trial, where the report speaks of requests at once."""
    for number, claim in enumerate(claims):
        if claim.evidence.kind == "call-together" and claim.quantity == "together_calls":
            count, seed = claim.evidence.data.get("count"), settings.get("seed")
            if type(count) is not int or count < 1 or type(seed) is not int or seed < 0 or (graph.split < 0).all():
                raise VerificationError(
                    f"claims[{number}] (together_calls): its requests at once are outside their range"
                )
            return Together(graph, count, seed)
    return None
