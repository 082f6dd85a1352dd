"""The sentences on top of a page: what its claims mean, in plain words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from ...claims import sentences
from ...claims.average_words import average_cases
from ...claims.choice import Choice
from ...claims.collectives import sentences as of_collectives
from ...claims.routings.deadlock_rules import rule_sentences
from ...claims.words import in_quotes, name_text
from ...core.claim import Claim, Interval
from ...core.display import decimal_text, outward_text, percent_text
from ...core.network import Network
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.ports import tells_terminals_apart
from ...formats.demands.description import demands_from_description
from ...topologies.failures import Failure
from ..terminal.parts import kept_text
from .network import shown_name
from .numbers import unpacked
from .scenes import failed_text, pattern_name

_SHORT = 9  # characters of a fraction that a sentence can hold
_MOST = 4  # sentences of one kind


def headline(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    network: Network | None,
    view: Mapping[str, Any] | None,
    quoted: Collection[str],
) -> str:
    """A few sentences about the result; the empty text where there is none.

    ``view``: what can be explored, as ``view.view_of`` gives it; ``quoted``: names that stand in quotation marks.
    """
    choice = Choice(claims)
    if subject.get("kind") == "destination-graph":
        return " ".join(sentences.schedule(choice)) or " ".join(_delivered(choice))
    if subject.get("kind") == "schedule":
        return " ".join(of_collectives.executions(choice))
    words = _Words(subject, network, view if view and view.get("kind") == "network" else None, quoted)
    found: Sequence[Iterator[str]] = (
        sentences.failures(choice, words, subject, words.failed) if network is not None else iter(()),
        sentences.comparison(choice, words),
        sentences.packets(choice, words, words.most_packets),
        sentences.adaptive(choice, words),
        sentences.simulated(choice, words.quoted),
        chain(sentences.worst_cases(choice, words), average_cases(choice)),
        chain(sentences.deadlock(choice), rule_sentences(choice.claims)),
        _curve(choice, words) if subject.get("tradeoff") == "worst-case" else iter(()),
        of_collectives.times(choice, words),
        of_collectives.jobs(choice, words),
        of_collectives.rates(choice, words),
        _hashed(choice, words),
        _delivered(choice),
    )
    some = next(filter(None, map(list, found)), [])
    more = [f"{len(some) - _MOST} more statements stand below."] if len(some) > _MOST else []
    return " ".join([*some[:_MOST], *more])


_WITHIN = re.compile(r"worst_case_load <= (\d+(?:/\d+)?)")


def _curve(choice: Choice, words: _Words) -> Iterator[str]:
    """The two ends of the curve of path length against worst-case load, both exact."""
    ends: dict[Fraction, Fraction] = {}
    for about in choice.abouts("average_path_length", (), ("==",), ("within",)):
        load, least = _WITHIN.fullmatch(str(about["within"])), choice.number("average_path_length", about=about)
        if load is not None and least is not None:
            ends[Fraction(load[1])] = least
    if len(ends) > 1:
        low, high = min(ends), max(ends)
        yield (
            f"Of all oblivious routings with a worst-case load of at most {words.number(low)}, the shortest takes "
            f"{words.number(ends[low])} hops on average; with a load of at most {words.number(high)}, "
            f"{words.number(ends[high])} hops."
        )


def _hashed(choice: Choice, words: _Words) -> Iterator[str]:
    """What whole flows do that a hash sends: the mean of the largest load, and how probable the least load is of which
    that is not certain."""
    for about in choice.abouts("largest_hashed_load", (), ("==",), must=("traffic",)):
        mean = choice.just("largest_hashed_load", "==", about)
        if mean is None:
            continue
        x, flows = mean.value, f"every flow of {in_quotes(str(about['traffic']), words.quoted)} traffic"
        value = words.number(x) if isinstance(x, Fraction) else ""
        if isinstance(x, Interval):
            value = f"{outward_text(x.low, x.high)} ({percent_text(x.confidence)} interval, sampled)"
        busiest = f"the busiest {words.link} carries {value} {mean.unit} on average"
        yield f"With {flows} on one path that a hash picks, {busiest}."
    ends: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for about in choice.abouts("overload_probability", (), ("==", "<="), must=("traffic", "at_least")):
        exact = choice.number("overload_probability", "==", about)
        low, high = (choice.number("overload_probability", way, about) for way in (">=", "<="))
        low, high = (low, high) if exact is None else (exact, exact)
        if low is not None and high is not None and high < 1:
            ends[Fraction(about["at_least"])] = low, high
    if ends:
        low, high = ends[min(ends)]
        chance = words.number(low) if low == high else f"{outward_text(float(low), float(high))} (proved bounds)"
        least = words.number(min(ends))
        yield f"That some {words.link} carries a load of {least} or more has a probability of {chance}."


_BLOCKS = {
    "true": "Whatever calls are in progress, a free path joins every idle input to every idle output.",
    "false": "Calls can be routed so that no free path joins an idle input to an idle output.",
}


def _delivered(choice: Choice) -> Iterator[str]:
    """How a run of packets or circuits ended, what survives faults, and how often a call is blocked."""
    done, steps = (choice.just(x) for x in ("delivered", "steps"))
    if done is not None and steps is not None:
        how = "connected" if done.unit == "circuits" else "delivered"
        yield f"In this run, {_counted(done)} {'was' if done.value == 1 else 'were'} {how} within {_counted(steps)}."
    faults, inputs, outputs = (choice.just(x) for x in ("faults", "surviving_inputs", "surviving_outputs"))
    if faults is not None and inputs is not None and outputs is not None:
        many = "fault" if faults.value == 1 else "faults"
        yield f"After {faults.value} {many} {_counted(inputs)} and {_counted(outputs)} survive."
    blocks = choice.just("strictly_nonblocking")
    if blocks is not None:
        yield _BLOCKS[str(blocks.value)]
    blocked = choice.just("blocking_probability")
    if blocked is not None and isinstance(x := blocked.value, Interval):
        between = f"{outward_text(x.low, x.high)} ({percent_text(x.confidence)} interval, sampled)"
        yield f"The last request of a trial is blocked with a probability of {between}."


def _counted(claim: Claim) -> str:
    return f"{claim.value} {claim.unit.removesuffix('s') if claim.value == 1 else claim.unit}"


class _Words(sentences.Field):
    """The field's words: hosts and links of a fabric, terminals and channels elsewhere; and what the page shows."""

    def __init__(
        self,
        subject: Mapping[str, Any],
        network: Network | None,
        view: Mapping[str, Any] | None,
        quoted: Collection[str],
    ) -> None:
        self.view, self.quoted = view, frozenset(quoted)
        given = subject.get("demands")
        jobs = given.get("jobs") if isinstance(given, Mapping) else None
        self.job = {i: str(name) for name, job in jobs.items() for i in job} if isinstance(jobs, Mapping) else {}
        if network is not None and network.terminal_labels is not None:
            self.host, self.link = "host", "link"
        self._network = network
        demands: DemandSet | None = None
        if network is not None and given is not None:
            demands = demands_from_description(given, network.num_terminals)
        self._apart = network is not None and tells_terminals_apart(demands, network)
        self.most_packets = None if demands is None else demands.most_packets

    def alike(self, count: int) -> str:
        """Which of ``count`` routings a bound on all of them means, where it is not one on all."""
        treat = "treats" if count == 1 else "treat"
        return f" that {treat} the terminals of a node alike" if self._apart else ""

    def number(self, value: Fraction) -> str:
        text = str(value)
        return text if len(text) <= _SHORT else f"about {decimal_text(value)}"

    def keeps(self, share: Fraction, least: str = "") -> str:
        """``keeps 1/18 of its rate``: what is left of a terminal's rate, as far as that is known."""
        if self._network is None:
            return f"keeps {least}{self.number(share)}"
        return kept_text(self._network, share, self.number(share), least=least)

    def hot(self, claim: Claim) -> str:
        """Which channel the worst traffic of this claim makes hot, and who crosses it; "" where no picture shows it."""
        wanted = pattern_name(claim)
        if self.view is None or wanted is None:
            return ""
        shown = self.view["routings"][0]["patterns"]
        pattern = next((x for x in shown if "channel" in x and x["name"] == shown_name(wanted, self.quoted)), None)
        if pattern is None:
            return ""
        over = pattern["over"]
        return self.crossed(self.channel(pattern["channel"]), len(over), [self._pair(i, j) for i, j, _ in over[:2]])

    def channel(self, number: int) -> str:
        """The channel by name."""
        assert self.view is not None
        network = self.view["network"]
        if "channels" in network:
            return str(network["channels"][number])
        ends = (unpacked(network[end])[number] for end in ("tail", "head"))
        return " -> ".join(network["labels"][v] for v in ends)

    def failed(self, failure: Failure) -> tuple[str, int]:
        """(what failed, by name; how many terminals go with it)."""
        assert self._network is not None
        return failed_text(self._network, failure), len(failure.terminals(self._network))

    def _pair(self, i: int, j: int) -> str:
        job = (
            f" (job {name_text(self.job[i], self.quoted)})" if i in self.job and self.job[i] == self.job.get(j) else ""
        )
        return f"{self._ends(i, j)}{job}"

    def _ends(self, i: int, j: int) -> str:
        assert self.view is not None
        network = self.view["network"]
        if "names" in network:
            return f"{network['names'][i]} => {network['names'][j]}"
        if "source" in network or "sink" in network:
            return f"terminal {i} => {j}"
        return f"{network['labels'][i]} => {network['labels'][j]}"
