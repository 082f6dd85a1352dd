"""What draining switches costs: each alone and all together, by the rule of what the fabric does then.

A drained switch is one that failed, on purpose: it carries nothing, and its own hosts are gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import InputError
from ..answer import RoutingAnswer, Setting, Shown

if TYPE_CHECKING:
    from ...core.network import Network
    from ...routing.base.routing import Routing
    from ...topologies.failures import Failure
    from ..failures.claims import Judged

_NAMED = 4


@dataclass(frozen=True, eq=False)
class Drain:
    """``drained``: the switches; ``judged``: what is left by the rule; ``hosts``: terminals that are at them, and
    ``cut_off``: those that no path leads to any more, whatever the rule; ``without``: what is left when these are gone
    as well, where the rule gives no number otherwise."""

    drained: Failure
    judged: Judged
    hosts: Sequence[int]
    cut_off: Sequence[int]
    without: Judged | None = None

    @property
    def known(self) -> Judged | None:
        """The one of both that has a number."""
        return next((x for x in (self.judged, self.without) if x is not None and x.load is not None), None)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DrainAnswer(RoutingAnswer):
    """``drains``: each switch alone, then all together; ``repair``: the rule, ``why`` it was chosen ("" where it was
    asked for); ``whole`` and ``uniform``: the loads of today."""

    shown = Shown("terminal.plan:drain_parts")

    repair: str
    why: str
    whole: Fraction
    uniform: Fraction | None
    drains: Sequence[Drain]


def answer_drains(routing: Routing, drained: Sequence[int], repair: str | None, setting: Setting) -> DrainAnswer:
    """What it costs to drain these nodes.

    Raises InputError where nobody is left to send, for a rule that does not fit, and for sampled loads.
    """
    from ...engine import Engine
    from ...formats.documents.json_text import fraction_from_text
    from ...routing.base.worst_hash import check_followed
    from ...topologies.failures import Failure
    from ..failures.claims import failure_claims
    from ..failures.judging import judging
    from ..failures.rules import chosen_rule

    network = routing.network
    asked = [Failure(nodes=(v,)) for v in dict.fromkeys(drained)]
    notes: list[str] = []
    together = [Failure(nodes=tuple(sorted(set(drained))))] if len(asked) > 1 else []
    asked = _with_rest(network, asked, together, notes)
    check_followed(routing, "repair after a switch is drained")
    chosen = chosen_rule(routing, repair)
    routing.check_room_of_each()
    cut_off = {x: x.cut_off(network) for x in asked}
    some, told = [Failure(), *asked], [chosen.why] if chosen.why else []
    with nullcontext(setting.engine) if setting.engine else Engine(workers=1) as engine, setting.stage("drains") as bar:
        more, judge, _ = judging(routing, chosen, None, engine, told, few=True)
        results = judge(some, bar)
        some, results = _made_again(network, some, results, notes)
        asked = [x for x in some if x != Failure()]
        again = {
            x: smaller
            for x, result in zip(some, results, strict=True)
            if "lost" in result and cut_off.get(x) and (smaller := _without(network, x, cut_off[x])) is not None
        }
        extra = [x for x in dict.fromkeys(again.values()) if x not in some]
        some += extra
        results += judge(extra, None)
    whole, uniform = (fraction_from_text(results[0].get(x, "")) for x in ("load", "uniform"))
    if whole is None:
        raise InputError(f"{routing.name} on {network.name} carries nothing as it is: there is nothing to compare with")
    judged, claims = failure_claims(network, dict.fromkeys(some, 1), results, every=None, classes=None)
    found = {x.failure: x for x in judged}
    drains = [
        Drain(x, found[x], x.terminals(network), cut_off[x], found[again[x]] if x in again else None) for x in asked
    ]
    return DrainAnswer(
        routing=routing, topology=setting.topology, more=more, stated=[*chosen.claims, *claims], notes=notes,
        repair=chosen.repair, why=next(iter(told), ""), whole=whole, uniform=uniform, drains=drains,
    )  # fmt: skip


def drained_text(network: Network, failure: Failure) -> str:
    """``s1``, or ``s1 and s2``; of many the first, and how many there are."""
    names = [network.label(v) for v in failure.nodes]
    if len(names) > _NAMED:
        return f"{', '.join(names[: _NAMED - 1])} and {len(names) - _NAMED + 1} more"
    return " and ".join(names)


def _with_rest(
    network: Network, alone: Sequence[Failure], together: Sequence[Failure], notes: list[str]
) -> list[Failure]:
    """Those after which somebody would still send through the network; ``notes`` gets why the others are left out.

    Raises InputError where there is none.
    """
    asked: list[Failure] = []
    for failure in (*alone, *together):
        try:
            _check_left(network, failure)
        except InputError as error:
            if failure is alone[-1] and not asked:
                raise
            notes.append(f"left out: {error}")
            continue
        asked.append(failure)
    return asked


def _made_again(
    network: Network, some: Sequence[Failure], results: Sequence[dict[str, Any]], notes: list[str]
) -> tuple[list[Failure], list[dict[str, Any]]]:
    """The failures after which the routing can be made again, with what was found; the first of ``some`` is none.

    Raises InputError where it cannot after any of them.
    """
    kept = [(x, result) for x, result in zip(some, results, strict=True) if "refused" not in result]
    for x, result in zip(some, results, strict=True):
        if "refused" in result:
            what = f"without {drained_text(network, x)} the routing cannot be made again: {result['refused']}"
            if len(kept) == 1:
                raise InputError(f"{what}; --repair none says what is lost")
            notes.append(f"left out: {what}; --repair none says what is lost")
    return [x for x, _ in kept], [result for _, result in kept]


def _check_left(network: Network, failure: Failure) -> None:
    """Raise InputError where nobody would send through the network any more."""
    spots = _spots(network, failure.nodes)
    if len(spots) < 2:
        what = f"without {drained_text(network, failure)}"
        if not spots:
            raise InputError(f"{what} no terminal of {network.name} is left")
        raise InputError(f"{what} all terminals that are left are at {network.label(spots.pop())}: no cable is used")


def _spots(network: Network, dead: Sequence[int]) -> set[int]:
    """The nodes at which terminals are left."""
    gone = np.isin(network.source, dead) | np.isin(network.sink, dead)
    return {*network.source[~gone].tolist(), *network.sink[~gone].tolist()}


def _without(network: Network, failure: Failure, cut_off: Sequence[int]) -> Failure | None:
    """The same drain with the nodes at which terminals are cut off; None where too few are left then."""
    dead = {*failure.nodes, *network.source[cut_off].tolist(), *network.sink[cut_off].tolist()}
    smaller = replace(failure, nodes=tuple(sorted(dead)))
    return smaller if len(_spots(network, smaller.nodes)) > 1 else None
