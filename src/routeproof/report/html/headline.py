"""The sentences on top of a page: what its claims mean, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...claims import sentences
from ...claims.choice import Choice
from ...claims.words import name_text
from ...core.claim import Claim
from ...core.display import decimal_text
from ...core.network import Network
from ...core.vocabulary import is_factor
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.ports import tells_terminals_apart
from ...formats.demands.description import demands_from_description
from ...topologies.failures import Failure
from ..terminal.kept import kept_text
from .network import shown_name
from .scenes import failed_text, failure_of, failures_in, pattern_name

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
        return " ".join(sentences.schedule(choice))
    words = _Words(subject, network, view if view and view.get("kind") == "network" else None, quoted)
    found: Sequence[Iterator[str]] = (
        _failures(words, claims, network),
        sentences.comparison(choice, words),
        sentences.packets(choice, words, words.most_packets),
        sentences.adaptive(choice, words),
        sentences.simulated(choice, words.quoted),
        sentences.worst_cases(choice, words),
        sentences.deadlock(choice),
    )
    some = next(filter(None, map(list, found)), [])
    more = [f"{len(some) - _MOST} more statements stand below."] if len(some) > _MOST else []
    return " ".join([*some[:_MOST], *more])


class _Words:
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
        fabric = network is not None and network.terminal_labels is not None
        self.host, self.link = ("host", "link") if fabric else ("terminal", "channel")
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
        return "" if pattern is None else self._crossed(pattern)

    def channel(self, number: int) -> str:
        """The channel by name."""
        assert self.view is not None
        network = self.view["network"]
        if "channels" in network:
            return str(network["channels"][number])
        from .numbers import unpacked

        ends = (unpacked(network[end])[number] for end in ("tail", "head"))
        return " -> ".join(network["labels"][v] for v in ends)

    def _crossed(self, pattern: Mapping[str, Any]) -> str:
        """Which channel is hot, and who makes it so."""
        over = pattern["over"]
        text = f"the hot {self.link} is {self.channel(pattern['channel'])}"
        if not over:
            return text
        count = f"{len(over)} {'pair' if len(over) == 1 else 'pairs'} of {self.host}s"
        first = " and ".join(self._pair(i, j) for i, j, _ in over[:2])
        return f"{text}; it takes {count} to get there{': ' if len(over) < 3 else ', for example '}{first}"

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


def _failures(words: _Words, claims: Sequence[Claim], network: Network | None) -> Iterator[str]:
    """What failures do: over which set of demands, to whom, and which ones were looked at."""
    if network is None:
        return
    cut: dict[Failure, Claim] = {}
    left: dict[str, dict[Failure, Claim]] = {}  # by traffic
    for claim in failures_in(claims):
        failure = failure_of(claim)
        if failure == Failure() or claim.value == 0:
            continue
        if isinstance(claim.value, Fraction):
            left.setdefault(_traffic(claim, words), {})[failure] = claim
        elif set(claim.about) == {"failed"}:
            cut[failure] = claim
    if cut:
        count = sum(int(x.evidence.data.get("like", 1)) for x in cut.values())
        yield f"{count} of the failures {'separates' if count == 1 else 'separate'} {words.host}s."
    every: dict[str, set[str]] = {}
    for claim in claims:
        if claim.evidence.kind == "every-failure":
            every.setdefault(_traffic(claim, words), set()).add(str(claim.evidence.data["of"]))
    for traffic in sorted(left):
        kinds = sorted(every.get(traffic, ()))
        judged = "the worst of the failures judged"
        if kinds and all(_of_kind(x, kinds) for x in (*left[traffic], *cut)):
            judged = f"the worst failure of one of the {' or '.join(kinds)}"
        yield _after(
            words, network, judged + (f" that leaves all {words.host}s connected" if cut else ""), left[traffic]
        )


def _traffic(claim: Claim, words: _Words) -> str:
    return sentences.under({key: x for key, x in claim.about.items() if key != "failed"}, words.quoted)


def _after(words: _Words, network: Network, judged: str, of: Mapping[Failure, Claim]) -> str:
    """What the worst of these failures leaves, and to whom."""
    failure, worst = max(of.items(), key=lambda x: (x[1].value, x[0]))
    assert isinstance(worst.value, Fraction)
    lost, traffic = len(failure.terminals(network)), _traffic(worst, words)
    gone = f", which takes {lost} {words.host}{'' if lost == 1 else 's'} with it" if lost else ""
    text = f"After {judged}, that of {failed_text(network, failure)}{gone},"
    if is_factor(worst.about):
        factor = words.number(1 / worst.value)
        return f"{text} a channel is full under {traffic} when all rates are multiplied by {factor}."
    who = f"every {words.host} that is left" if lost else f"every {words.host}"
    return f"{text} {who} still {words.keeps(1 / worst.value)} under {traffic}."


def _of_kind(failure: Failure, every: Sequence[str]) -> bool:
    """Is it a single failure of one of these kinds?"""
    counts = {"switches": len(failure.nodes), "links": len(failure.links), "cables": len(failure.cables)}
    return sum(counts.values()) == 1 and any(counts[x] == 1 for x in every)
