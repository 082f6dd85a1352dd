"""Which cables to mend first: each deviation from the intent mended alone, then several, one after the other.

Small numbers are tried in all sets; otherwise the order is greedy: each step the best next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import InputError
from ...core.graph import lost_pair
from ...core.network import Network
from ...topologies.cabling import Deviation, Deviations, deviations, in_unit
from ...topologies.mending import likeness, mendable, mended, mended_name, number_of_sets, sets_to_mend
from ..answer import Answer, Setting, Shown, exact_value
from ..fabrics.cabling import cabling_subject, check_fits, guarantee, matched

if TYPE_CHECKING:
    from ...core.arrays import Int64
    from ...core.claim import Claim
    from ...routing.base.routing import Routing

STEPS = 3
MOST_SETS = 100  # of several deviations, all of which are tried
_MOST_COUNTED = 100_000
_OF_LINKS = ("dead-links", "dead-channels", "kill-links", "kill-seed")
SAME = "installed-rule"


@dataclass(frozen=True, eq=False)
class Mended:
    """The fabric with the deviations of these numbers mended: what every terminal keeps in the worst case and under
    uniform traffic; None where some are separated."""

    numbers: tuple[int, ...]
    share: Fraction | None
    uniform: Fraction | None

    @property
    def key(self) -> tuple[Fraction, Fraction]:
        """The more the better."""
        return self.share or Fraction(0), self.uniform or Fraction(0)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MendAnswer(Answer):
    """``choices``: what can be mended, by number of ``found.cables`` from 1; ``today``; ``alone``: each mended alone,
    the best first, of several that are alike one; ``order``: one, two, ... mended; ``tried``: up to how many every set
    was tried; ``whole``: everything mended (None where that was interrupted); ``entries``: of the fabric's routes, all
    made by ``routing``, None where that was asked for."""

    shown = Shown("terminal.mend:mend_parts")

    fabric: Network
    intent: Network
    node: Int64
    by_name: bool
    found: Deviations
    choices: dict[int, Deviation]
    routing: str
    entries: int | None
    today: Mended
    alone: Sequence[Mended]
    order: Sequence[Mended]
    tried: int
    whole: Mended | None
    days: dict[str, Routing]
    topology: str | None = None

    @property
    def subject(self) -> dict[str, Any]:
        return cabling_subject(self.fabric, self.intent, self.node, self.days, self.topology)


def answer_mend(
    routing: Routing, intended: str | None, repair: str | None, steps: int | None, setting: Setting
) -> MendAnswer:
    """``intended``: the intent, as the command takes networks; None: the network of the fabric's own text, with the
    links that it removes.  ``steps``: how many are mended one after the other.

    Raises InputError where nothing says what is missing, or nothing is, and where it is not known what the fabric does
    with a mended cable.
    """
    from ...claims.cabling import cabling_claims
    from ...formats.resolve import resolve_network

    fabric = routing.network
    text = intended or _without_removal(setting.topology or fabric.spec or "", fabric)
    name, entries = _rule(routing, repair)
    intent = resolve_network(text)
    for network, which in ((fabric, "fabric"), (intent, "intent")):
        if not network.num_channels:
            raise InputError(f"the {which} {network.name} has no cable: there is nothing to compare")
    with setting.stage("which switch is which"):
        node, by_name = (np.arange(fabric.num_nodes), True) if intended is None else matched(fabric.plain(), intent)
        found = deviations(fabric.plain(), intent, node)
    check_fits(fabric.plain(), intent, text, found)
    choices = mendable(found, intent, node)
    if not choices:
        raise InputError(_nothing(fabric, intent, found))
    trial = _Trial(fabric.plain(), intent, node, choices, name)
    notes: list[str] = []
    today = trial.of(())
    alone: list[Mended] = []
    order: list[Mended] = []
    tried, whole = 0, None
    try:
        with setting.stage("cables mended alone") as bar:
            every = list(sets_to_mend(choices, 1, intent, node))
            for k, some in enumerate(every):
                alone.append(trial.of(some))
                if bar is not None:
                    bar(k + 1, len(every))
        tried = 1
        with setting.stage("several cables mended") as bar:
            most = min(STEPS if steps is None else steps, len(choices))
            for size in range(1, most + 1):
                exact = size == tried + 1 and _all_sets(trial, size)
                tried += exact
                if bar is not None:
                    bar(size, most)
            order = _order(trial, most, tried)
            whole = trial.of(tuple(choices))
    except KeyboardInterrupt:
        if not alone:
            raise
        notes.append(f"interrupted: {len(alone)} are mended alone, {len(order)} one after the other")
    alone.sort(key=lambda x: x.key, reverse=True)
    return MendAnswer(
        stated=[*cabling_claims(found), *trial.claims, *trial.best(tried)], notes=notes, fabric=fabric, intent=intent,
        node=node, by_name=by_name, found=found, choices=choices, routing=name, entries=entries, today=today,
        alone=alone, order=order, tried=tried, whole=whole, days=trial.days, topology=setting.topology,
    )  # fmt: skip


@dataclass(eq=False)
class _Trial:
    """The fabric with some deviations mended, judged once each; ``days`` and ``claims``: for the report."""

    fabric: Network
    intent: Network
    node: Int64
    choices: dict[int, Deviation]
    routing: str
    days: dict[str, Routing] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    known: dict[tuple[int, ...], Mended] = field(default_factory=dict)

    @cached_property
    def _alike(self) -> dict[int, list[int]]:
        like = likeness(self.choices, self.intent, self.node)
        return {k: [x for x in self.choices if like[x] == like[k]] for k in self.choices}

    def of(self, numbers: Sequence[int]) -> Mended:
        """Of what is alike, the first are mended."""
        count = Counter(self._alike[k][0] for k in numbers)
        some = tuple(sorted(k for first, times in count.items() for k in self._alike[first][:times]))
        if some not in self.known:
            self.known[some] = self._judged(some)
        return self.known[some]

    def _judged(self, some: tuple[int, ...]) -> Mended:
        from ...core.traffic import Traffic
        from ...worst.loads import channel_loads_under, traffic_claims

        network = in_unit(self.fabric, self.intent, self.node)
        if some:
            network = mended(self.fabric, self.intent, self.node, [self.choices[k] for k in some])
        if lost_pair(network) is not None:
            return Mended(some, None, None)
        name = mended_name(some)
        share, why = guarantee(network, self.routing, name, self.days, self.claims)
        if share is None:
            raise InputError(f"{self.routing} has no guarantee on {network.name}: {why}")
        everything = Traffic.uniform(network.num_terminals)
        routing = self.days[name]
        told = traffic_claims(routing, everything, channel_loads_under(routing, everything))
        self.claims += [replace(x, about={**x.about, "day": name}) for x in told]
        return Mended(some, share, next((exact_value(x) for x in told if x.quantity == "throughput"), None))

    def best(self, tried: int) -> list[Claim]:
        """The best guarantee of so many mended, of the sets that were judged; up to ``tried`` these are all."""
        from ...claims.cabling import MENDED

        of: dict[int, list[Fraction]] = {}
        for some, x in self.known.items():
            if some and x.share is not None:
                of.setdefault(len(some), []).append(x.share)
        return [
            MENDED.claim(max(shares), {}, {"mended": size}, relation="==" if size <= tried else ">=", source="")
            for size, shares in sorted(of.items())
        ]


def _rule(routing: Routing, repair: str | None) -> tuple[str, int | None]:
    """The routing by name that the mended fabric has, and how many entries of today's it was found by."""
    from ...routing.fabrics.installed_rule import rule_of
    from ...routing.named.described import describe_routing

    if repair not in (None, SAME, "rebuild"):
        raise InputError(f"--repair {repair[:40]} is a rule of failures; --mend takes installed-rule or rebuild")
    described = describe_routing(routing)
    if set(described) == {"spec"} and repair != SAME:
        return str(described["spec"]), None
    found = rule_of(routing)
    rule = found.rule
    name = "--routing ecmp:choice=per-hop, or another name of docs/routings.md, says what is made anew"
    if rule is None:
        raise InputError(f"what {routing.name} do with a mended cable is not known: {found.why}; {name}")
    if (rule.weight != 1).any() or len(np.unique(rule.bundle)) < len(rule.bundle):
        raise InputError(
            f"the routes of {routing.network.name} have weights or port channels, and those of a mended cable are not "
            f"known; {name}"
        )
    return "ecmp:choice=per-hop", found.entries


def _without_removal(text: str, fabric: Network) -> str:
    """The text of a network without the options that remove links; raises InputError where there are none."""
    from ...core.quoted import split_outside

    parts = split_outside(text, ",")
    left = [x for x in parts if x.partition("=")[0].strip() not in _OF_LINKS]
    if len(left) == len(parts):
        raise InputError(
            f"nothing says which cables of {fabric.name} are missing; --intent TOPOLOGY was expected, the network that "
            "it is meant to be, such as --intent fat-tree:32,levels=3, or a file"
        )
    return ",".join(left)


def _nothing(fabric: Network, intent: Network, found: Deviations) -> str:
    known = ", ".join(f"{k.replace('_', ' ')}: {x}" for k, x in found.counts().items() if x)
    if not known:
        return f"nothing to mend: every cable of {fabric.name} is as {intent.name} has it"
    return (
        f"nothing to mend: what {fabric.name} differs in ({known}) is no missing, one-sided, slow or swapped cable "
        "between switches that it has"
    )


def _all_sets(trial: _Trial, size: int) -> bool:
    """Judge every set of so many, if they are few; were they?"""
    if number_of_sets(trial.choices, size) > _MOST_COUNTED:
        return False
    every = list(sets_to_mend(trial.choices, size, trial.intent, trial.node))
    if len(every) > MOST_SETS:
        return False
    for some in every:
        trial.of(some)
    return True


def _order(trial: _Trial, most: int, tried: int) -> list[Mended]:
    """One, two, ... mended: the best set of ``tried``, with the best of each of its own before it; then greedy."""
    start = max(
        (trial.of(x) for x in sets_to_mend(trial.choices, tried, trial.intent, trial.node)), key=lambda x: x.key
    )
    order = [start]
    while len(order[0].numbers) > 1:
        order.insert(0, max((trial.of(_less(order[0].numbers, k)) for k in order[0].numbers), key=lambda x: x.key))
    while len(order) < most:
        last = order[-1].numbers
        order.append(max((trial.of((*last, k)) for k in trial.choices if k not in last), key=lambda x: x.key))
    return order


def _less(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(k for k in numbers if k != number)
