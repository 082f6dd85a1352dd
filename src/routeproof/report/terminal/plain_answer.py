"""What an operator came for, in a sentence: what every host keeps, or how far a matrix may grow; the hot link; the jobs
that collide."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ...claims.choice import Choice
from ...claims.sentences import Field, worst_cases
from ...core.claim import Claim
from ...core.display import fraction_text
from ...core.escape import printable
from ...core.vocabulary import is_factor
from ...questions.worst_case import WorstCaseAnswer
from ...worst.worst_traffic import crossings, worst_traffic
from .parts import kept_text, pair_text


def plain_answer(analysis: WorstCaseAnswer) -> str:
    """The sentences, for a fabric from files, and for sets of given rates; empty for others."""
    worst, demands = analysis.worst_case, analysis.worst_case.model.demands
    fabric = analysis.network.terminal_labels is not None and (demands is not None or worst.model.name == "balanced")
    if analysis.curve is not None or not (fabric or is_factor(worst.model.about)):
        return ""
    stated = analysis.stated
    if analysis.routing.whole_flows_of is not None:  # the same is stated of whole flows on the routing that it bounds
        stated = [replace(x, about={**x.about, "flows": "whole"}) for x in stated]
    return " ".join(worst_cases(Choice(stated), _Words(analysis)))


class _Words(Field):
    def __init__(self, analysis: WorstCaseAnswer) -> None:
        self._analysis, self._network = analysis, analysis.network
        if self._network.terminal_labels is not None:
            self.host, self.link = "host", "link"
        self.splits = analysis.routing.whole_flows_of is None and analysis.routing.denominators != [1]

    def number(self, value: Fraction) -> str:
        return fraction_text(value)

    def keeps(self, share: Fraction, least: str = "") -> str:
        return kept_text(self._network, share, self.number(share), least=least)

    def hot(self, claim: Claim) -> str:
        found = self._analysis.whole_flows if claim.about.get("flows") == "whole" else None
        at, most = found or self._analysis.worst_case, self._network.host_bandwidth or Fraction(1)
        link = printable(self._network.channel_label(at.channel))
        if at.throughput >= most and (self._network.gbps is None or self._network.host_bandwidth is not None):
            return f"the busiest {self.link} is {link}"
        pairs = crossings(at.routing, at.channel, worst_traffic(at))
        first = [pair_text(self._network, x.source, x.destination) for x in pairs[:2]]
        return self.crossed(link, len(pairs), first)
