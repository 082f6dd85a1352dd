"""What an operator came for, in a sentence: what every host keeps, the hot link, the jobs that collide."""

from __future__ import annotations

from fractions import Fraction

from ...core.display import fraction_text
from ...core.escape import printable
from ...core.vocabulary import is_factor
from ...questions.worst_case import WorstCaseAnswer
from ...worst.worst_traffic import crossings, worst_traffic
from .parts import kept_text, pair_text


def plain_answer(analysis: WorstCaseAnswer) -> str:
    """The sentence, for a fabric from files; empty for other networks, and where hosts have rates of their own.

    It says nothing that the claims below it do not state.
    """
    network, worst, demands = analysis.network, analysis.worst_case, analysis.worst_case.model.demands
    apart = analysis.curve is not None or is_factor(worst.model.about)
    if network.terminal_labels is None or apart or (demands is None and worst.model.name != "balanced"):
        return ""
    from ...claims.choice import Choice
    from ...claims.sentences import collision

    choice = Choice(analysis.stated)
    kept = choice.number("worst_case_throughput", "==", worst.model.about)
    if kept is None:
        return ""
    over = "any permutation of the hosts" if demands is None else f"any traffic of {printable(demands.text)}"
    if analysis.routing.whole_flows_of is not None:
        over += " and any hashes"

    def keeps(share: Fraction) -> str:
        return kept_text(network, share, fraction_text(share), least="at least ")

    text = f"Under {over} every host {keeps(kept)}"
    whole = choice.number("worst_case_throughput", "==", {**worst.model.about, "flows": "whole"})
    if whole == kept:
        text += ", also with whole flows, as switches hash them"
    elif whole is not None:
        text += ", if flows split as the routing says. With whole flows, as switches hash them, it is less: "
        text += f"every host {keeps(whole)}"
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
    return " ".join([text, *collision(choice, worst.model.about, "link", fraction_text)])
