"""What an operator came for, in a sentence: what every host keeps, the hot link, the jobs that collide."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.claim import Grade
from ...core.display import fraction_text
from ...core.escape import printable
from ...core.vocabulary import is_factor
from ...core.vocabulary.quantity import OF_RATES
from ...questions.worst_case import WorstCaseAnswer
from ...worst.demand_sets.jobs import JobLoads
from ...worst.worst_traffic import crossings, worst_traffic
from .kept import kept_text
from .parts import pair_text


def plain_answer(analysis: WorstCaseAnswer) -> str:
    """The sentence, for a fabric from files; empty for other networks, and where hosts have rates of their own.

    It says nothing that the claims below it do not state.
    """
    network, worst, demands = analysis.network, analysis.worst_case, analysis.worst_case.model.demands
    apart = analysis.curve is not None or is_factor(worst.model.about)
    if network.terminal_labels is None or apart or (demands is None and worst.model.name != "balanced"):
        return ""
    kept = _throughput(analysis, worst.model.about)
    if kept is None:
        return ""
    over = "any permutation of the hosts" if demands is None else f"any traffic of {printable(demands.text)}"
    if analysis.routing.whole_flows_of is not None:
        over += " and any hashes"

    def _keeps(share: Fraction) -> str:
        return kept_text(network, share, fraction_text(share), least="at least ")

    text = f"Under {over} every host {_keeps(kept)}"
    whole = _throughput(analysis, {**worst.model.about, "flows": "whole"})
    if whole == kept:
        text += ", also with whole flows, as switches hash them"
    elif whole is not None:
        text += ", if flows split as the routing says. With whole flows, as switches hash them, it is less: "
        text += f"every host {_keeps(whole)}"
    elif analysis.routing.whole_flows_of is None and analysis.routing.denominators != [1]:
        text += ", if traffic splits as the routing says"
    at, most = analysis.whole_flows or worst, network.host_bandwidth or Fraction(1)
    link = printable(network.channel_label(at.channel))
    if at.throughput >= most and (network.gbps is None or network.host_bandwidth is not None):
        text += f". The busiest link is {link}."
    else:
        pairs = crossings(at.routing, at.channel, worst_traffic(at))
        names = " and ".join(pair_text(network, x.source, x.destination) for x in pairs[:2])
        meet = names if len(pairs) < 3 else f"{len(pairs)} pairs of hosts, such as {names}"
        text += f". The hot link is {link}, crossed by {meet}."
    return text if analysis.jobs is None else f"{text} {_collision(analysis.jobs)}"


def _throughput(analysis: WorstCaseAnswer, about: Mapping[str, Any]) -> Fraction | None:
    """The worst-case throughput that is claimed of this, where it is known exactly."""
    for claim in analysis.stated:
        exact = claim.quantity == "worst_case_throughput" and claim.relation == "==" and claim.grade is Grade.PROVED
        if exact and claim.about == about and claim.unit != OF_RATES:
            assert isinstance(claim.value, Fraction)
            return claim.value
    return None


def _collision(jobs: JobLoads) -> str:
    """Which jobs hurt each other most."""
    if jobs.shared is None:
        return "No two jobs share a link."
    some = [(load, a, b) for a, row in enumerate(jobs.hurts) for b, (load, _) in enumerate(row) if a != b and load]
    if not some:  # more jobs than are told apart
        return "Jobs collide: some share a link."
    load, a, b = max(some, key=lambda x: x[0])
    one, other = (printable(jobs.jobs[k]) for k in (a, b))
    return f"Jobs collide: {one} can put a load of {fraction_text(load)} on a link that {other} uses, too."
