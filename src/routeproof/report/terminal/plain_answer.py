"""What an operator came for, in a sentence: what every host keeps, the hot link, the jobs that collide."""

from __future__ import annotations

from fractions import Fraction

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
    network, worst = analysis.network, analysis.worst_case
    share = None if is_factor(worst.model.about) or analysis.curve is not None else _share(analysis)
    if network.terminal_labels is None or share is None:
        return ""
    named = "any permutation of the hosts" if worst.model.demands is None else "any traffic of this set"
    if analysis.routing.whole_flows_of is not None:
        named += " and any hashes"
    link = printable(network.channel_label(worst.channel), limit=80)
    if share >= 1:
        text = f"Under {named} every host keeps its full speed{_rate(network, share)}; the busiest link is {link}."
    else:
        pairs = crossings(analysis.routing, worst.channel, worst_traffic(worst))
        names = " and ".join(pair_text(network, x.source, x.destination) for x in pairs[:2])
        meet = names if len(pairs) < 3 else f"{len(pairs)} pairs of hosts, such as {names}"
        text = (
            f"Under {named} every host keeps at least {fraction_text(share)} of its speed{_rate(network, share)}; the "
            f"hot link is {link}, crossed by {meet}."
        )
    return text if analysis.jobs is None else f"{text} {_collision(analysis.jobs)}"


def _share(analysis: WorstCaseAnswer) -> Fraction | None:
    """The worst-case throughput as a share of the slowest host's cable; None where that is not known exactly."""
    network, model = analysis.network, analysis.worst_case.model
    if model.demands is None and model.name != "balanced":
        return None
    unit = network.host_bandwidth
    if unit is None:
        if set(network.bandwidth) != {Fraction(1)}:
            return None
        unit = Fraction(1)
    for claim in analysis.stated:
        exact = claim.quantity == "worst_case_throughput" and claim.relation == "==" and claim.grade is Grade.PROVED
        if exact and not {"job", "channel"} & set(claim.about) and claim.unit != OF_RATES:
            assert isinstance(claim.value, Fraction)
            return claim.value / unit
    return None


def _rate(network: Network, share: Fraction) -> str:
    unit = network.host_bandwidth
    if unit is None or network.gbps is None:
        return ""
    most = unit * network.gbps
    slowest = "" if len(set(network.host_widths or ())) <= 1 else ", the slowest host's cable"
    kept = decimal_text(most) if share >= 1 else f"{decimal_text(share * most)} of {decimal_text(most)}"
    return f" ({kept} Gb/s{slowest})"


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
