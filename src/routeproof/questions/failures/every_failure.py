"""The exact worst case after failures of links, cables or switches: all of them, or a sample, ranked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ..answer import ALONE, RoutingAnswer, Setting, Shown
from ..question import Question, option, parameter, question, spelled
from ..shared import DEMANDS, JSON_REPORT, ROUTING, TOPOLOGY, UNTIL_WIDTH
from .rules import REPAIRS, Chosen, chosen_rule

if TYPE_CHECKING:
    from fractions import Fraction

    from ...core.claim import Claim, Interval
    from ...demand_sets.demand_set import DemandSet
    from ...engine import Engine
    from ...routing.base.routing import Routing
    from ...symmetry.channel_classes import ChannelClasses
    from ...topologies.failures import Failure
    from ..given_demands import GivenDemands
    from .claims import Judged, PairsJudged

_MOST_HOURS = 2
_POTENTIALS_AN_HOUR = 7 * 10**12  # D-mod-K of 65,536 hosts: 18.5 thousand million of them in 10 s


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FailuresAnswer(RoutingAnswer):
    """``judged``: the failures with the load after each, the worst first.

    ``repair``: the rule of what a failure does, and ``why`` it was chosen ("" where it was asked for); ``whole``: the
    load without a failure; ``rest``: what the failures are ("all 32 links", ...); ``sampled``: what a
    sample of failures says of all of them; ``pairs``: where bounds rule out those that were not judged.  ``more``: the
    repair rule, and the potentials of the whole network.
    """

    shown = Shown("terminal.failures:failure_parts", display=("top",))

    repair: str
    why: str
    whole: Fraction
    rest: str
    judged: Sequence[Judged]
    sampled: Sequence[Claim]
    pairs: PairsJudged | None = None


@question
class Failures(Question[FailuresAnswer]):
    """The exact worst case after every failure of links, single cables or switches, the worst first.

    For example: routeproof failures torus:8x8 --routing dor --links 1

    Raises InputError for an unknown rule, sampled loads, a routing that cannot be made anew, and too many failures.
    """

    verb, place, function = "failures", 40, "failures"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(ROUTING)
    _: KW_ONLY
    demands: GivenDemands = spelled(DEMANDS, default=None)
    links: int | None = option("N", "How many links fail at once, with all their cables (1).", default=None, min=0)
    cables: int = option("N", "How many single cables fail at once.", default=0, min=0)
    switches: int = option("N", "How many switches fail at once.", default=0, min=0)
    samples: int | None = option(
        "N", "Sample this many failures instead of all (with --until-width: at most; 100000).", default=None, min=1
    )
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    seed: int = option("S", "The seed of --samples.", default=0, min=0)
    repair: str | None = option(
        "RULE",
        "What a failure does. none: packets that meet what failed are lost; installed-rule: the rule that made a "
        "fabric's routes, where it makes every one of them; rebuild: the routing by name, built again; opensm:ENGINE: "
        "what the real OpenSM installs in ibsim; split: all shortest paths alike (a hypothesis). By default what the "
        "fabric is known to do.",
        default=None,
        words=REPAIRS,
    )
    top: int = option("N", "How many failures to show.", default=10, init=False, min=1)
    json: str | None = spelled(JSON_REPORT, init=False)
    workers: int = parameter("Processes on this machine.", default=1)

    long = "always"

    @property
    def title(self) -> str:
        return f"{super().title}, after failures"

    def answer(self, setting: Setting = ALONE) -> FailuresAnswer:
        from ...engine import Engine

        with nullcontext(setting.engine) if setting.engine else Engine(workers=self.workers) as engine:
            return self._answer(setting, engine)

    def _answer(self, setting: Setting, engine: Engine) -> FailuresAnswer:
        from ...claims.routings.failures import counted
        from ...core.sampling.stopping import stopping_asked
        from ...formats.documents.json_text import fraction_from_text
        from ...routing.base.worst_hash import check_followed
        from ...topologies.failures import MOST_FAILURES, Failure, all_failures, drawn_failures, number_of_failures
        from ...worst.over import worst_over
        from ..given_demands import bound_to
        from .claims import failure_claims, failure_representatives, sampled_failure_claims, sampled_failure_intervals
        from .judging import judging
        from .two_at_once import judge_pairs, pairs_asked

        routing, samples, seed = self.routing, self.samples, self.seed
        links, cables, switches = self.links, self.cables, self.switches
        demands, stopping = bound_to(routing.network, self.demands), stopping_asked(self.until_width, samples)
        check_followed(routing, "repair after a failure")
        chosen = chosen_rule(routing, self.repair)
        repair = chosen.repair
        if demands is not None:
            _check_over(demands, repair, sampled=samples is not None or stopping is not None)
        network = routing.network
        counts = {"links": (0 if switches or cables else 1) if links is None else links, "switches": switches}
        counts["cables"] = cables
        least = samples if stopping is None else min(stopping.first, stopping.limit)
        classes = None
        every = None
        some: dict[Failure, int]
        spans: list[tuple[int, int]] = []
        if sum(counts.values()) == 1 and least is None:
            every = next(what for what, count in counts.items() if count)
            alike = demands is None or demands.is_symmetric
            classes = _classes(routing, chosen) if alike else None
            some = failure_representatives(routing, classes, of=every, same=routing.same_after(repair == "rebuild"))
            rest = f"all {sum(some.values())} {every}, one at a time, {len(some)} up to symmetry"
        elif least is None or number_of_failures(network, **counts) <= least:
            bounded = least is None and pairs_asked(routing, chosen, demands, counts)
            some = {} if bounded else dict.fromkeys(all_failures(network, **counts), 1)
            rest = f"all {number_of_failures(network, **counts)} failures of {counted(counts)}"
        else:
            if not 1 <= least <= (stopping.limit if stopping else least) <= MOST_FAILURES:
                raise InputError(f"--samples is {samples}; 1 to {MOST_FAILURES:,} was expected")
            spans = [(0, least)] if stopping is None else list(stopping.spans())
            some = {Failure(): 1}  # the whole network, with which the others are compared
        if engine.store is None:
            _check_time(routing, repair, len(some) if not spans else least or 0)
        routing.check_room_of_each()
        whole = worst_over(routing, demands).load
        intervals: list[Interval] = []
        unknown = 0
        told: list[str] = [chosen.why] if chosen.why else []
        more, judge, base = judging(routing, chosen, demands, engine, told, switches=switches > 0)
        pairs = None
        with setting.stage("failures") as progress:
            if not some and base is not None:
                of_single = chosen.repair == "rebuild" and routing.same_after(True) is not None  # maps, not of pairs
                classes = None if of_single else _classes(routing, chosen)
                pairs = judge_pairs(routing, base, classes, judge, progress, of="cables" if cables else "links")
                some = dict.fromkeys(all_failures(network, **counts) if pairs is None else pairs.results, 1)
            if pairs is not None:
                every, rest = pairs.of, pairs.text
            results = judge(list(some), progress) if pairs is None else [*pairs.results.values()]
            drawn: list[Failure] = []
            for start, stop in spans:
                drawn += drawn_failures(network, counts, start=start, stop=stop, seed=seed)
                new = [x for x in dict.fromkeys(drawn) if x not in some]
                results += judge(new, progress)
                some |= dict.fromkeys(new, 1)
                unknown = sum("undecided" in x or "nothing" in x for x in results)
                if unknown:
                    intervals = []
                    break  # of all failures nothing is said then, only of each one that was drawn
                kept = ("" if "cut" in x else x.get("load", "") for x in results)
                loads = dict(zip(some, map(fraction_from_text, kept), strict=True))
                intervals = sampled_failure_intervals([loads[x] for x in drawn], whole, seed, stopping)
                if stopping is not None and stopping.enough(intervals):
                    break
        if spans:
            some = {Failure(): 1, **(dict.fromkeys(drawn, 1) if unknown else Counter(drawn))}
            rest = f"{len(drawn)} failures of {counted(counts)}, drawn with seed {seed}; others may be worse"
        judged, claims = failure_claims(
            network, some, results, every=every, classes=classes, demands=None if demands is None else demands.text,
            pairs=pairs,
        )  # fmt: skip
        claims = [*chosen.claims, *claims]
        sampled = sampled_failure_claims(network, counts, intervals, counted(counts), stopping) if intervals else []
        notes = stopping.notes(intervals) if intervals and stopping else ()
        return FailuresAnswer(
            routing=routing, topology=setting.topology, more=more, stated=[*claims, *sampled], repair=repair,
            why=next(iter(told), ""), whole=whole, rest=rest, judged=judged, sampled=sampled, notes=notes, pairs=pairs,
        )  # fmt: skip


def _check_over(demands: DemandSet, repair: str, *, sampled: bool) -> None:
    if demands.is_family:
        raise InputError(f"failures are not judged over {demands.text}: {demands.is_family}")
    if repair == "opensm" or sampled:
        raise InputError(f"over {demands.text} failures are judged one by one, by another rule than opensm:ENGINE")


def _check_time(routing: Routing, repair: str, count: int) -> None:
    """Raise InputError where each of ``count`` failures is judged by itself, and all of them would take too long."""
    from ...kernel.reused_bounds import MAX_POTENTIALS
    from ...worst.failures import num_potentials

    potentials = num_potentials(routing)
    hours = count * potentials / _POTENTIALS_AN_HOUR
    if repair == "rebuild" and potentials > MAX_POTENTIALS and hours > _MOST_HOURS:
        raise InputError(
            f"{count:,} failures of {routing.network.name}, each judged by itself, would take about {hours:,.1f} hours "
            f"of processor time; at most {_MOST_HOURS} are spent: --samples N draws fewer, and with --run DIR what is "
            f"finished is kept"
        )


def _classes(routing: Routing, chosen: Chosen) -> ChannelClasses | None:
    """The symmetry under which failures that are mapped to one another do the same, all of them or those for which the
    routing is ``alike_after``."""
    import numpy as np

    from ...symmetry.channel_classes import ChannelClasses, channel_classes

    anew = chosen.repair == "rebuild"
    asked = chosen.repair != "opensm" and chosen.rule is None and routing.same_after(anew) is not None
    maps = tuple(routing.maps_after(anew)) if asked else ()
    if maps:
        every = np.arange(routing.network.num_channels, dtype=np.int32)
        return ChannelClasses(every, maps, reversal=False, found=True)
    if chosen.repair == "opensm" or (anew and not routing.same_anew):
        return None
    classes = channel_classes(routing, reversal=chosen.repair in ("none", "split"))
    kept = chosen.rule is None or all(chosen.rule.kept_by(g.channel) for g in classes.generators)
    return classes if kept else None
