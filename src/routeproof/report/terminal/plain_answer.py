"""What an operator came for, in a sentence: what every host keeps, the hot link, the jobs that collide."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...analysis.demand_sets.jobs import JobLoads
from ...answers.worst_case import WorstCaseAnswer
from ...answers.worst_traffic import crossings, worst_traffic
from ...core.claim import Grade
from ...core.network import Network
from ...core.vocabulary import is_factor
from ...core.vocabulary.quantity import OF_RATES
from .escape import printable
from .numbers import decimal_text, fraction_text
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
    text = f"Under {over} {_keeps(network, kept)}"
    whole = _throughput(analysis, {**worst.model.about, "flows": "whole"})
    if whole == kept:
        text += ", also with whole flows, as switches hash them"
    elif whole is not None:
        text += ", if flows split as the routing says. With whole flows, as switches hash them, it is less: "
        text += _keeps(network, whole)
    elif analysis.routing.whole_flows_of is None and analysis.routing.denominators != [1]:
        text += ", if traffic splits as the routing says"
    if network.gbps is None and network.host_widths is None:
        text += " (every host's cable taken as fast as a link between switches)"
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


def _keeps(network: Network, kept: Fraction) -> str:
    """``every host keeps at least 2/3 of its speed (66.6667 of 100 Gb/s)``: as much as is known of its own cable.

    Hosts of unequal speeds all send at one rate, that of the slowest at most.
    """
    most, unit = network.host_bandwidth, network.gbps
    if most is None and unit is not None:
        return f"every host whose own cable allows it can send {decimal_text(kept * unit)} Gb/s"
    if most is None and set(network.bandwidth) != {Fraction(1)}:
        return f"every host can send {fraction_text(kept)}, in the unit of the links' bandwidths"
    share = kept / (most or 1)
    if len(set(network.host_widths or ())) > 1:
        assert most is not None
        of = "the slowest host's speed" if share >= 1 else f"{fraction_text(share)} of the slowest host's speed"
        return f"every host can send at {of}{_rate(unit, share, most)}"
    least = "its full speed" if share >= 1 else f"at least {fraction_text(share)} of its speed"
    return f"every host keeps {least}{_rate(unit, share, most or Fraction(1))}"


def _rate(unit: Fraction | None, share: Fraction, most: Fraction) -> str:
    if unit is None:
        return ""
    whole = decimal_text(most * unit)
    return f" ({whole} Gb/s)" if share >= 1 else f" ({decimal_text(share * most * unit)} of {whole} Gb/s)"


def _collision(jobs: JobLoads) -> str:
    """Which jobs hurt each other most."""
    if jobs.shared is None:
        return "No two jobs share a link."
    some = [(load, a, b) for a, row in enumerate(jobs.hurts) for b, (load, _) in enumerate(row) if a != b and load]
    if not some:  # more jobs than are told apart
        return "Jobs collide: some share a link."
    load, a, b = max(some, key=lambda x: x[0])
    one, other = (printable(jobs.jobs[k], limit=30) for k in (a, b))
    return f"Jobs collide: {one} can put a load of {fraction_text(load)} on a link that {other} uses, too."
