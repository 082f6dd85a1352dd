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

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.graph import lost_pair
from ...core.network import Network
from ...topologies.adding import LABEL_FREE, alike_under, free_ports, most_across, with_all_cables
from ...topologies.cabling import NOW, Deviation, Deviations, deviations, in_unit
from ...topologies.mending import likeness, mendable, mended, mended_name, number_of_sets, sets_to_mend
from ..answer import Answer, Setting, Shown, exact_value
from ..fabrics.cabling import cabling_subject, check_fits, guarantee, matched

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...routing.base.routing import Routing

STEPS = 3
MOST_NEXT = 60  # cables that are tried after the first one is added
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
    made by ``routing``, None where that was asked for.  ``free``: by node, the ports at which cables are added, None
    where they are mended; ``most``: by how many are added, what no routing passes with any so many."""

    shown = Shown("terminal.mend:mend_parts", page="terminal.mend:mend_page")

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
    free: Sequence[int] | None = None
    most: dict[int, Fraction] = field(default_factory=dict)

    @property
    def subject(self) -> dict[str, Any]:
        return cabling_subject(self.fabric, self.intent, self.node, self.days, self.topology)


def answer_mend(
    routing: Routing,
    intended: str | None,
    repair: str | None,
    steps: int | None,
    setting: Setting,
    *,
    ports: Sequence[int] | None = None,
) -> MendAnswer:
    """``intended``: the intent, as the command takes networks; None: the network of the fabric's own text, with the
    links that it removes.  ``steps``: how many are mended one after the other.  ``ports``: of every node, where cables
    are added between those that are free.

    Raises InputError where nothing says what is missing, or nothing is, and where it is not known what the fabric does
    with a mended cable.
    """
    from ...formats.resolve import resolve_network

    fabric = routing.network
    if ports is not None:
        return _added(routing, repair, ports, steps or 1, setting)
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
    return _searched(trial, found, steps, setting, fabric=fabric, by_name=by_name, entries=entries)


def _added(routing: Routing, repair: str | None, ports: Sequence[int], most: int, setting: Setting) -> MendAnswer:
    """Cables added between free ports: mended is what the network with every cable that fits has more."""
    name, entries = _rule(routing, repair)
    plain = routing.network.plain()
    free = free_ports(routing.network, ports)
    intent, node = with_all_cables(plain, free, most), np.arange(plain.num_nodes)
    found = deviations(plain, intent, node)
    trial = _Trial(plain, intent, node, mendable(found, intent, node), name, free=free)
    return _searched(trial, found, most, setting, fabric=routing.network, by_name=True, entries=entries)


def _searched(trial: _Trial, found: Deviations, steps: int | None, setting: Setting, **known: Any) -> MendAnswer:
    """Each mended alone, then several."""
    from ...claims.cabling import cabling_claims

    choices, intent, node = trial.choices, trial.intent, trial.node
    notes: list[str] = []
    today = trial.of(())
    alone: list[Mended] = []
    order: list[Mended] = []
    tried, whole = 0, None
    try:
        with setting.stage("cables mended alone") as bar:
            trial.images = trial.symmetries(())
            alike = trial.alike(trial.images)
            every = [x for x in sets_to_mend(choices, 1, intent, node) if alike[x[0]] == x[0]]
            for k, some in enumerate(every):
                alone.append(trial.of(some))
                if bar is not None:
                    bar(k + 1, len(every))
        tried = 1
        with setting.stage("several cables mended") as bar:
            most = min(STEPS if steps is None else steps, len(choices))
            for size in range(1, most + 1):
                exact = size == tried + 1 and (size == 1 or (trial.free is None and _all_sets(trial, size)))
                tried += exact
                if bar is not None:
                    bar(size, most)
            order = _order(trial, most, tried)
            whole = trial.of(tuple(choices)) if trial.free is None else None
    except KeyboardInterrupt:
        if not alone:
            raise
        notes.append(f"interrupted: {len(alone)} are mended alone, {len(order)} one after the other")
    alone.sort(key=lambda x: x.key, reverse=True)
    bounds = trial.bounds(range(tried + 1, most + 1)) if trial.free is not None else []
    return MendAnswer(
        stated=[*cabling_claims(found), *trial.claims, *trial.best(tried), *bounds], notes=notes, intent=intent,
        node=node, found=found, choices=choices, routing=trial.routing, today=today,
        alone=alone, order=order, tried=tried, whole=whole, days=trial.days, topology=setting.topology,
        free=trial.free, most={x.about["mended"]: x.number for x in bounds}, **known,
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
    free: Sequence[int] | None = None
    images: Sequence[Int64] = ()

    def symmetries(self, some: Sequence[int]) -> list[Int64]:
        """Images of the nodes that leave the fabric as it is, with these added; none where the routing may not."""
        from ...routing.named.described import describe_routing
        from ...symmetry.automorphisms import find_automorphisms

        if self.free is None or NOW not in self.days:
            return []
        if describe_routing(self.days[NOW]).get("spec") not in LABEL_FREE:
            return []
        network = mended(self.fabric, self.intent, self.node, [self.choices[k] for k in some])
        found = find_automorphisms(network)
        images = [] if found is None else [x.node.astype(np.int64) for x in found.generators]
        return [x for x in images if all(self.free[v] == self.free[w] for v, w in enumerate(x.tolist()))]

    def alike(self, images: Sequence[Int64], some: Sequence[int] = ()) -> dict[int, int]:
        network = mended(self.fabric, self.intent, self.node, [self.choices[k] for k in some]) if some else self.fabric
        return alike_under(self.choices, network, self.intent, self.node, images)

    def next_after(self, some: tuple[int, ...]) -> list[int]:
        """What can be mended besides; of cables that are added those whose ports are free, one of each that symmetries
        take to one another, and at most MOST_NEXT."""
        left = [k for k in self.choices if k not in some]
        if self.free is None:
            return left
        used = Counter(v for k in some for v in self._ends(k))
        alike = self.alike(self.symmetries(some), some)
        like = likeness({k: self.choices[k] for k in left}, self.intent, self.node)
        one = {alike[k]: k for k in reversed(left) if all(used[v] < self.free[v] for v in self._ends(k))}
        kept = list({like[k]: k for k in reversed(one.values())}.values())
        single = self.alike(self.images)
        kept.sort(key=lambda k: self.known[self._first(single[k])].key, reverse=True)
        return kept[:MOST_NEXT]

    def _first(self, number: int) -> tuple[int, ...]:
        return (self._alike[number][0],)

    def _ends(self, number: int) -> tuple[int, ...]:
        return tuple({int(self.intent.tail[c]) for x in self.choices[number].intended for c in x})

    def bounds(self, sizes: Sequence[int]) -> list[Claim]:
        """What no routing passes with any so many added, by the best of some cuts."""
        from ...claims.cabling import MENDED
        from ...optimum.simple_bound import halves

        fabric = self.fabric
        cuts = [*np.eye(fabric.num_nodes, dtype=np.bool_), *halves(fabric)]
        cuts += [~x for x in cuts]
        claims = []
        for size in sizes:
            rooms = [(most_across(x, self.choices, size, fabric, self.intent, self.node), x) for x in cuts]
            some = [(room, x) for room, x in rooms if room is not None]
            if some:
                room, x = min(some, key=lambda y: y[0])
                cut = {"cut": x.astype(np.int64)}
                claims.append(MENDED.claim(room, cut, {"mended": size}, relation="<=", source=""))
        return claims

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
            where = network.name if some else f"{network.name} as a graph whose cables change"
            raise InputError(f"{self.routing} has no guarantee on {where}: {why}")
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
            MENDED.claim(
                max(shares),
                self._evidence(size, tried),
                {"mended": size},
                relation="==" if size <= tried else ">=",
                source="",
            )
            for size, shares in sorted(of.items())
        ]

    def _evidence(self, size: int, tried: int) -> dict[str, Any]:
        return {"alike": list(self.images)} if size == 1 == tried and self.images else {}


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
        raise InputError(f"how {routing.name} would use one more cable is not known: {found.why}; {name}")
    if (rule.weight != 1).any() or len(np.unique(rule.bundle)) < len(rule.bundle):
        raise InputError(
            f"the routes of {routing.network.name} have weights or port channels, and those of one more cable are not "
            f"known; {name}"
        )
    if rule.hosts:
        raise InputError(
            f"{routing.network.name} has hosts with several ports, and those that send by all of them are made anew by "
            f"no routing by name: what one more cable gains is not known"
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
        f"nothing to mend: {fabric.name} differs in other things ({known}), and no cable between switches that it has "
        "is missing, one-sided, slow or swapped"
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
    alike = trial.alike(trial.images)
    sets = sets_to_mend(trial.choices, tried, trial.intent, trial.node)
    start = max((trial.of(x) for x in sets if tried > 1 or alike[x[0]] == x[0]), key=lambda x: x.key)
    order = [start]
    while len(order[0].numbers) > 1:
        order.insert(0, max((trial.of(_less(order[0].numbers, k)) for k in order[0].numbers), key=lambda x: x.key))
    while len(order) < most:
        last = order[-1].numbers
        more = trial.next_after(last)
        if not more:  # no two ports are free
            break
        order.append(max((trial.of((*last, k)) for k in more), key=lambda x: x.key))
    return order


def _less(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(k for k in numbers if k != number)
