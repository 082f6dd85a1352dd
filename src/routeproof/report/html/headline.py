"""The sentence on top of a page: what its claims mean, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Grade
from ...core.network import Network
from ...core.vocabulary.quantity import OF_RATES
from ...demands.ports import tells_terminals_apart
from ...formats.demands.description import demands_from_description
from ..terminal.numbers import decimal_text
from ..terminal.table import in_quotes
from .scenes import failure_of, failures_in

_SHORT = 9  # characters of a fraction that a sentence can hold
_OTHER = {"==": "==", "<=": ">=", ">=": "<="}


def headline(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    network: Network | None,
    view: Mapping[str, Any] | None,
    quoted: Collection[str],
) -> str:
    """One or two sentences about the result; the empty text where there is none.

    ``view``: what can be explored, as ``view.view_of`` gives it; ``quoted``: names that stand in quotation marks.
    """
    words = _Words(subject, claims, network, view if view and view.get("kind") == "network" else None, quoted)
    if subject.get("kind") == "destination-graph":
        return _schedule(words)
    found = (make(words) for make in (_failures, _comparison, _packets, _adaptive, _worst_case, _deadlock))
    return next(filter(None, found), "")


def _adaptive(words: _Words) -> str:
    """What no adaptive routing can beat, and what being oblivious costs."""
    exact = words.first("adaptive_load")
    low, high = words.first("adaptive_load", ">=") or exact, words.first("adaptive_load", "<=") or exact
    if low is None or high is None or not isinstance(low.value, Fraction) or not isinstance(high.value, Fraction):
        return ""
    kind = f" with paths {in_quotes(low.about['paths'], ())}" if "paths" in low.about else ""
    over = in_quotes(low.about.get("demands", "permutations"), ())
    text = f"No routing{kind}, however adaptive, has a worst-case load over {over} below {words.number(low.value)}"
    ideal = "" if exact else f", and ideal adaptive routing needs at most {words.number(high.value)}"
    exactly = "; ideal adaptive routing needs no more" if exact else ""
    price = words.first("price_of_obliviousness")
    most = price or words.first("price_of_obliviousness", "<=")
    if most is None or not isinstance(most.value, Fraction):
        return f"{text}{ideal}{exactly}."
    if most.value == 1:
        return f"{text}{ideal}{exactly}. Knowing the traffic does not help: the best oblivious routing is as good."
    least, which = "" if price else "at most ", f"oblivious routing{words.alike(1)}"
    return f"{text}{ideal}{exactly}. The best {which} has {least}{words.number(most.value)} times that load."


class _Words:
    """Claims by quantity, and the field's words: hosts and links of a fabric, terminals and channels elsewhere."""

    def __init__(
        self,
        subject: Mapping[str, Any],
        claims: Sequence[Claim],
        network: Network | None,
        view: Mapping[str, Any] | None,
        quoted: Collection[str],
    ) -> None:
        self.claims, self.view, self.quoted = claims, view, quoted
        given = subject.get("demands")
        jobs = given.get("jobs") if isinstance(given, Mapping) else None
        self.job = {i: str(name) for name, job in jobs.items() for i in job} if isinstance(jobs, Mapping) else {}
        fabric = network is not None and network.terminal_labels is not None
        self.host, self.link = ("host", "link") if fabric else ("terminal", "channel")
        # Of a named network, and of a fabric unless asked otherwise, bandwidths are in units of a terminal's rate.
        from_file = network is not None and network.spec is None and set(network.bandwidth) != {Fraction(1)}
        self.gbps = None if network is None or network.host_widths is None else network.gbps
        self.own_unit = from_file and (not fabric or "bandwidth=" in str(subject.get("topology")))

        given = None if network is None or "demands" not in subject else subject["demands"]
        demands = None if network is None or given is None else demands_from_description(given, network.num_terminals)
        self._apart = network is not None and tells_terminals_apart(demands, network)

    def alike(self, count: int) -> str:
        """Which of ``count`` routings a bound on all of them means, where it is not one on all."""
        treat = "treats" if count == 1 else "treat"
        return f" that {treat} the terminals of a node alike" if self._apart else ""

    def first(self, quantity: str, relation: str = "==", **about: str) -> Claim | None:
        fitting = (
            x
            for x in self.claims
            if x.quantity == quantity
            and x.relation == relation
            and "channel" not in x.about
            and all(x.about.get(key) == value for key, value in about.items())
        )
        return next(fitting, None)

    def number(self, value: Fraction) -> str:
        text = str(value)
        return text if len(text) <= _SHORT else f"about {decimal_text(value)}"

    def keeps(self, share: Fraction) -> str:
        """``keeps 1/18 of its link``: what is left of a terminal's rate, never more than all of it.

        Where bandwidths are in a unit of their own, such as Gb/s, it is not known what all of it is.
        """
        if self.own_unit and self.gbps == 1:
            return f"keeps {self.number(share)} Gb/s"
        if self.own_unit:
            return f"keeps {self.number(share)}, in the unit of the bandwidths"
        what = "its link" if self.host == "host" else "its rate"
        rate = "" if self.gbps is None else f" ({decimal_text(min(share, Fraction(1)) * self.gbps)} Gb/s)"
        return f"keeps {self.number(share) if share < 1 else 'all'} of {what}{rate}"

    def pattern(self, routing: str | None = None) -> Mapping[str, Any] | None:
        """The worst traffic that the page shows, of this routing."""
        if self.view is None:
            return None
        for scene in self.view["routings"]:
            if routing in (None, scene["name"]):
                return next((x for x in scene["patterns"] if "channel" in x), None)
        return None

    def channel(self, number: int) -> str:
        """The channel by name."""
        assert self.view is not None
        network = self.view["network"]
        if "channels" in network:
            return str(network["channels"][number])
        from .numbers import unpacked

        ends = (unpacked(network[end])[number] for end in ("tail", "head"))
        return " -> ".join(network["labels"][v] for v in ends)

    def hot(self, pattern: Mapping[str, Any]) -> str:
        """Which channel is hot, and who makes it so."""
        over = pattern["over"]
        text = f"the hot {self.link} is {self.channel(pattern['channel'])}"
        if not over:
            return text
        count = f"{len(over)} {'pair' if len(over) == 1 else 'pairs'} of {self.host}s"
        first = " and ".join(self._pair(i, j) for i, j, _ in over[:2])
        return f"{text}; it takes {count} to get there{': ' if len(over) < 3 else ', for example '}{first}"

    def _pair(self, i: int, j: int) -> str:
        job = f" (job {in_quotes(self.job[i], ())})" if i in self.job and self.job[i] == self.job.get(j) else ""
        return f"{self._ends(i, j)}{job}"

    def _ends(self, i: int, j: int) -> str:
        assert self.view is not None
        network = self.view["network"]
        if "names" in network:
            return f"{network['names'][i]} => {network['names'][j]}"
        if "source" in network or "sink" in network:
            return f"terminal {i} => {j}"
        return f"{network['labels'][i]} => {network['labels'][j]}"


def _worst_case(words: _Words) -> str:
    claim = words.first("worst_case_throughput") or words.first("worst_case_throughput", ">=")
    if claim is None or not isinstance(claim.value, Fraction):
        return ""
    model = claim.about.get("model", "balanced")
    kind = {"balanced": "the worst traffic", "hose": "the worst traffic of the hose model"}
    named = kind.get(model, f"the worst {model} traffic")
    if "demands" in claim.about:
        named = f"the worst traffic of the set {in_quotes(claim.about['demands'], ())}"
    if claim.about.get("demands") == "routable":
        return (
            f"Whatever some routing could carry, this one carries at least {words.number(claim.value)} of it: its "
            f"oblivious ratio is {words.number(1 / claim.value)}."
        )
    if claim.unit == OF_RATES:
        text = f"Under {named} a channel is full when all rates are multiplied by {words.number(claim.value)}"
    elif claim.grade is Grade.SAMPLED:
        text = f"Under {named} every {words.host} {words.keeps(claim.value)}, by sampled loads"
    else:
        least = "at least " if claim.relation == ">=" else ""
        text = f"Under {named} every {words.host} {words.keeps(claim.value).replace('keeps ', f'keeps {least}', 1)}"
    most = words.first("worst_case_throughput", "<=")
    if claim.relation == ">=" and most is not None and isinstance(most.value, Fraction):
        restricted = _restricted(words.first("worst_case_load", ">="))
        other = "routing of its kind" if restricted else "oblivious routing"
        text += f", and no {other}{words.alike(1)} makes it more than {words.number(most.value)}"
    elif (load := words.first("worst_case_load")) is not None and load.evidence.kind == "optimum":
        others = "routings of its kind" if _restricted(load) else "oblivious routings"
        text += f", the most of all {others}{words.alike(2)}"
    pattern = words.pattern()
    return (f"{text}; {words.hot(pattern)}." if pattern is not None else f"{text}.") + _collision(words)


def _collision(words: _Words) -> str:
    """Which jobs hurt each other: what one of them puts on a channel of another, at most."""
    shared = words.first("jobs_share_channels")
    if shared is None:
        return ""
    if shared.value == "false":
        return f" No two jobs share a {words.link}."
    found = [x for x in words.claims if x.quantity == "worst_case_load" and "across" in x.about and "job" in x.about]
    hurting = [(x.value, x.about) for x in found if isinstance(x.value, Fraction)]
    if hurting:
        most, about = max(hurting, key=lambda x: x[0])
        one, other = (in_quotes(about[key], ()) for key in ("job", "across"))
        return (
            f" Jobs collide: {one} can load a {words.link} that {other} uses, too, with {words.number(most)} of its "
            f"bandwidth."
        )
    jobs, channel = shared.evidence.data.get("jobs", ()), shared.evidence.data.get("channel")
    if words.view is None or len(jobs) != 2 or not isinstance(channel, int):
        return " Jobs collide: two of them share a channel."
    one, other = (in_quotes(str(x), ()) for x in jobs)
    return f" Jobs collide: {one} and {other} both use {words.channel(channel)}."


def _restricted(load: Claim | None) -> bool:
    """Does the bound hold for some routings only: those of some paths, or of a path length?"""
    if load is None or "within" in load.about:
        return True
    data = load.evidence.data
    return any({"within", "paths"} & set(x) for x in (data, data.get("adversary", {})))


def _packets(words: _Words) -> str:
    """Of the curve over the number of packets: where it begins, and where it ends."""
    some = [x for x in words.claims if "packets" in x.about and isinstance(x.value, Fraction)]
    if not some:
        return ""
    curve = {int(x.about["packets"]): x.value for x in some if isinstance(x.value, Fraction)}
    top = max(curve.values())
    enough = min(k for k, x in curve.items() if x == top)
    many = "That is" if enough == 1 else f"{enough} packets do"
    one = words.number(curve[min(curve)])
    return (
        f"A single packet loads the worst {words.link} with {one} of its bandwidth. "
        f"{many} the worst that any number of packets can do, {words.number(top)}."
    )


def _comparison(words: _Words) -> str:
    some = [
        x
        for x in words.claims
        if x.quantity == "worst_case_throughput"
        and x.relation == "=="
        and "routing" in x.about
        and isinstance(x.value, Fraction)
    ]
    share = {str(x.about["routing"]): x.value for x in some if isinstance(x.value, Fraction)}
    if not share:
        return ""
    best, worst = max(share.values()), min(share.values())
    names = {value: [in_quotes(k, words.quoted) for k, x in share.items() if x == value] for value in (best, worst)}
    if any(x.unit == OF_RATES for x in some):
        named = in_quotes(str(some[0].about.get("demands", "hose")), ())
        text = f"Under the worst traffic of {named} a channel is full when all rates are multiplied by"
        text = f"{text} {words.number(best)}"
        if best == worst:
            return f"{text}, with {names[best][0] if len(share) == 1 else f'all {len(share)} routings alike'}."
        return f"{text} with {_either(names[best])}, and by {words.number(worst)} with {_either(names[worst])}."
    if len(share) == 1 or best == worst:
        who = f"with {names[best][0]}" if len(share) == 1 else f"with all {len(share)} routings alike"
        return f"Under its worst traffic every {words.host} {words.keeps(best)}, {who}."
    return (
        f"Under its worst traffic every {words.host} {words.keeps(best)} with {_either(names[best])}, and "
        f"{words.number(worst)} with {_either(names[worst])}."
    )


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _failures(words: _Words) -> str:
    some = [x for x in failures_in(words.claims) if failure_of(x).text != "nothing"]
    if not some:
        return ""
    cut = [x for x in some if not isinstance(x.value, Fraction)]
    left = [x for x in some if isinstance(x.value, Fraction)]
    count = sum(int(x.evidence.data.get("like", 1)) for x in cut)
    texts = []
    if cut:
        texts.append(f"{count} of the failures {'separates' if count == 1 else 'separate'} {words.host}s.")
    if left:
        assert isinstance(left[0].value, Fraction)
        name = words.view["routings"][len(cut)]["name"] if words.view and not cut else ""
        every = any(x.evidence.kind == "every-failure" for x in words.claims)
        worst = "the worst failure" if every else "the worst of the failures judged"
        after = f"After {worst}, that of {name}," if name else f"After {worst} that leaves all connected"
        texts.append(f"{after} every {words.host} still {words.keeps(1 / left[0].value)} under the worst traffic.")
    return " ".join(texts)


def _deadlock(words: _Words) -> str:
    by_level = next((x for x in words.claims if x.quantity == "deadlock_free" and "lanes" in x.about), None)
    claim = by_level or words.first("deadlock_free")
    if claim is None:
        return ""
    where = "on the virtual lanes of the service levels given" if by_level is not None else "without virtual channels"
    if claim.value == "true":
        return f"Packets cannot deadlock {where}: no cycle of channels waits for itself."
    count = len(claim.evidence.data.get("cycle", ()))
    text = f"Packets can deadlock {where}: {count} of them can each hold a channel and wait for the next one, for ever."
    lanes = words.first("virtual_channels", "<=")
    if lanes is not None and isinstance(lanes.value, Fraction):
        text += f" {lanes.value} virtual channels make it impossible."
    return text


def _schedule(words: _Words) -> str:
    one, every, steps = (words.first(x) for x in ("valid_many_one", "valid_permutation", "steps"))
    if steps is None or (one is None and every is None):
        return ""
    if every is not None and every.value == "true":
        what = "Under every permutation all packets arrive"
    elif one is not None and one.value == "true":
        what = "When all nodes send to one, all packets arrive"
    else:
        return "This schedule does not work: two packets meet on a channel."
    valid = {"many-one": one, "permutation": every}
    kinds = [k for k, x in valid.items() if x is not None and x.value == "true"]
    least = [k for k in kinds if (x := words.first("steps", ">=", graphs=k)) is not None and x.value == steps.value]
    best = f"; no {least[0]} graph has fewer steps" if least else ""
    return f"{what} after {steps.value} steps, and no two of them ever meet on a channel{best}."
