"""Several routings on one network side by side: worst case, uniform traffic, path lengths, deadlock; as claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Interval
from ..core.errors import InputError
from ..core.network import Network
from ..core.traffic import Traffic
from ..demand_sets.demand_set import DemandSet
from ..formats.demands.description import demands_subject
from ..questions.answer import ALONE, PARTS, Answer, Setting, exact_value, network_subject, used_attributes
from ..routing.base.routing import Routing
from ..routing.infiniband.service_levels import ServiceLevels
from ..routing.named.described import describe_routing, report_name
from ..worst.deadlock.channels import deadlock, virtual_channels
from ..worst.deadlock.lanes import lane_deadlock
from .worst_case import answer_average, answer_worst_case


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison(Answer):
    """``by_routing[k]`` are about ``routings[k]``: those of ``answer_worst_case``, and ``deadlock_free``
    (with ``virtual_channels`` where asked for) unless ``unjudged[k]`` says why not.

    ``best``: in words, what is known of the best oblivious routing, where it was asked for; each routing's claims then
    end with ``worst_case_load >=`` that (if it is known).  With it, and over a set of demands, the routings come best
    worst case first; ties go to uniform traffic, then to shorter paths.  ``interrupted``: some were left out.

    ``levels``: the service levels of some of them, by name; their deadlock freedom is judged with these too.
    ``demands``: over which the worst case is, where not over all permutations.
    """

    topology: str | None
    routings: tuple[Routing, ...]
    by_routing: tuple[tuple[Claim, ...], ...]
    unjudged: tuple[str | None, ...]
    best: str | None = None
    levels: Mapping[str, ServiceLevels] = field(default_factory=dict)
    demands: DemandSet | None = None
    interrupted: bool = False

    @property
    def network(self) -> Network:
        return self.routings[0].network

    @property
    def subject(self) -> dict[str, Any]:
        """As ``subject_of``, with ``routings``, by name, in place of ``routing``."""
        routings = {report_name(routing): describe_routing(routing, paths=True) for routing in self.routings}
        network = network_subject(self.network, topology=self.topology, attributes=used_attributes(*self.routings))
        subject = {"kind": "comparison", **network, "routings": routings, **demands_subject(self.demands)}
        if self.levels:
            names = {routing.name: report_name(routing) for routing in self.routings}
            subject["service_levels"] = {names[x]: levels.describe() for x, levels in self.levels.items()}
        return subject


def answer_compare(
    routings: Sequence[Routing],
    *,
    traffics: Sequence[Traffic] = (),
    traffic_model: str | None = None,
    samples: int = 100,
    seed: int = 0,
    virtual: bool = False,
    judge_deadlock: bool = True,
    best: bool = False,
    time_limit: float | None = None,
    levels: Mapping[str, ServiceLevels] | None = None,
    demands: DemandSet | None = None,
    setting: Setting = ALONE,
) -> Comparison:
    """Judge all of ``routings``, which are on one network; ``virtual``: look for virtual channels too;
    ``judge_deadlock``: can they deadlock on one virtual channel?

    ``traffics``: their throughput under these, too; ``traffic_model``: and the mean over the same ``samples`` random
    matrices, as in ``answer_average``.

    ``best``: rank them, and say how far from the best oblivious routing they are; see
    ``design.worst_case.least_load``, also for ``time_limit``.  ``levels``: service levels, by name of a routing.
    ``demands``: the worst case is over this set; its best oblivious routing is not looked for.

    Interrupted (KeyboardInterrupt), it answers with the routings that were judged, if there are any.

    Raises InputError for no routings, two of one name, several networks, or sampled loads, which are no exact numbers;
    and for service levels that fit no routing.
    """
    if not routings:
        raise InputError("no routings to compare; at least one was expected")
    network, names = routings[0].network, [routing.name for routing in routings]
    for k, routing in enumerate(routings):
        if routing.name in names[:k]:
            raise InputError(f"routing {routing.name} is given twice")
        if routing.network is not network:
            raise InputError(
                f"{routing.name} is on another network than {names[0]}: make it once, net = network(...), and all "
                "routings on net"
            )
        if routing.is_sampled:
            raise InputError(f"{routing.name} is sampled; only exact loads can be compared")
    if demands is not None and demands.most_packets is not None:
        raise InputError(f"{demands.text} is one number for every number of packets; sparse:16 or so was expected")
    if demands is not None and best:
        raise InputError(f"the best oblivious routing is known for permutations, not for {demands.text}")
    given = {} if levels is None else levels
    for name in given:
        if name not in names:
            raise InputError(f"service levels are given for {name}, which is not one of the routings")
    if not judge_deadlock and (virtual or given):
        raise InputError("virtual channels and service levels are about deadlock, which is not to be judged")
    found: list[list[Claim]] = []
    unjudged: list[str | None] = []
    interrupted, words = False, None
    try:
        for routing in routings:
            claims = list(answer_worst_case(routing, traffics=traffics, demands=demands, setting=setting).stated)
            if traffic_model is not None:
                average = answer_average(
                    routing, model=traffic_model, samples=samples, seed=seed, known=claims, setting=setting
                )
                claims += average.claims()
            found.append(claims)
            unjudged.append("deadlock is not judged: interrupted" if judge_deadlock else None)
            if judge_deadlock:
                unjudged[-1] = _judge_deadlock(routing, given.get(routing.name), claims, virtual, setting)
        if best:
            from ..optimum.worst_case import least_load

            with setting.stage("best oblivious routing"):
                bound, words = least_load(network, time_limit=time_limit)
            if bound is not None:
                found = [[*claims, bound] for claims in found]
    except KeyboardInterrupt:
        if not found:
            raise
        interrupted = True
    judged = routings[: len(found)]
    ranked = list(range(len(judged)))
    if best or demands is not None:
        ranked.sort(key=lambda k: _rank(found[k]))
    qualified = [replace(x, about={**x.about, "routing": report_name(routings[k])}) for k in ranked for x in found[k]]
    return Comparison(
        stated=qualified,
        topology=setting.topology,
        routings=tuple(routings[k] for k in ranked),
        by_routing=tuple(tuple(found[k]) for k in ranked),
        unjudged=tuple(unjudged[k] for k in ranked),
        best=words,
        levels={name: x for name, x in given.items() if name in {routing.name for routing in judged}},
        demands=demands,
        interrupted=interrupted,
        notes=_left_out(routings[len(found) :]) if interrupted else (),
    )


def _judge_deadlock(
    routing: Routing, levels: ServiceLevels | None, claims: list[Claim], virtual: bool, setting: Setting
) -> str | None:
    """Add what is known of deadlock to ``claims``; says why not where it is not judged."""
    try:
        with setting.stage("channel dependencies") as progress:
            if levels is not None:
                claims.append(lane_deadlock(routing, levels).claim())
            alone = deadlock(routing, progress=progress)
            claims.append(alone.claim())
            if virtual:
                claims.append(virtual_channels(routing, progress=progress, alone=alone).claim())
    except InputError as error:  # too many paths
        return f"deadlock is not judged: {error}"
    return None


def _left_out(routings: Sequence[Routing]) -> tuple[str, ...]:
    if not routings:
        return ("interrupted: the best oblivious routing is not bounded",)
    return (f"interrupted before {' and '.join(x.name for x in routings)} could be judged",)


def _rank(claims: Sequence[Claim]) -> tuple[Fraction, float, Fraction, Fraction]:
    """Least worst-case load first; ties go to the better average case (if asked for), to the higher throughput under
    uniform traffic, then to shorter paths."""
    own = by_column(claims)

    def of(quantity: str) -> Fraction:
        return (exact_value(own[quantity]) if quantity in own else None) or Fraction(0)

    return load_claimed(claims), -_average(claims), -of("throughput"), of("average_path_length")


def by_column(claims: Sequence[Claim]) -> dict[str, Claim]:
    """The claims about one routing as the columns of a table: by quantity, traffic other than uniform, service levels.

    Those about one channel or job, and bounds other than on virtual channels, are in no column.
    """
    found = {}
    for x in claims:
        if not PARTS & set(x.about) and (x.relation == "==" or x.quantity == "virtual_channels"):
            traffic = x.about.get("traffic", "uniform")
            under = "" if traffic == "uniform" else f" under {traffic}"
            found[f"{x.quantity}{under}{' by service level' if 'lanes' in x.about else ''}"] = x
    return found


def _average(claims: Sequence[Claim]) -> float:
    """The best estimate of the average case; 0 where there is none."""
    return next((x.value.best for x in claims if isinstance(x.value, Interval)), 0.0)


def load_claimed(claims: Sequence[Claim], relation: str = "==") -> Fraction:
    """The worst-case load, or the bound on it; 0 where there is none."""
    own = (x for x in claims if x.quantity == "worst_case_load" and x.relation == relation and not PARTS & set(x.about))
    return next(filter(None, map(exact_value, own)), Fraction(0))
