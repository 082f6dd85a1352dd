"""``routeproof failures``: the exact worst case after failures of links and switches, ranked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .sampling_options import UntilWidth
from .worst_case import _routings, _topologies

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...core.claim import Interval
    from ...core.network import Network
    from ...engine import Work
    from ...routing.base.routing import Routing
    from ...topologies.failures import Failure

__all__ = ["failures"]

_CHUNK = 16
_REPAIRS = ("reroute", "rebuild")


def failures(
    topology: Annotated[
        str,
        typer.Argument(
            metavar="TOPOLOGY", help="As for worst-case: family:parameters, or a file.", autocompletion=_topologies
        ),
    ],
    routing: Annotated[
        str,
        typer.Option(
            "--routing", "-r", metavar="ROUTING", help="As for worst-case --routing.", autocompletion=_routings
        ),
    ],
    links: Annotated[
        int | None,
        typer.Option("--links", metavar="N", min=0, help="How many links fail at once, with all their cables (1)."),
    ] = None,
    cables: Annotated[
        int, typer.Option("--cables", metavar="N", min=0, help="How many single cables fail at once.")
    ] = 0,
    switches: Annotated[
        int, typer.Option("--switches", metavar="N", min=0, help="How many switches fail at once.")
    ] = 0,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples",
            metavar="N",
            min=1,
            help="Draw so many failures instead of all (with --until-width at most; 100000).",
        ),
    ] = None,
    until_width: UntilWidth = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", min=0, help="The seed of --samples.")] = 0,
    repair: Annotated[
        str,
        typer.Option(
            "--repair",
            metavar="WAY",
            help="reroute: only pairs that crossed what failed, by shortest paths; rebuild: the routing made anew.",
        ),
    ] = "reroute",
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many failures to show.")] = 10,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - for standard output.")
    ] = None,
) -> None:
    """The exact worst case after every failure of links, single cables or switches, the worst first.

    For example: routeproof failures torus:8x8 --routing dor --links 1
    """
    from rich.text import Text

    from ...analysis.worst_case.channel_classes import channel_classes
    from ...analysis.worst_case.exact import worst_case
    from ...answers.failures import alike_failures, failure_report, failure_subject
    from ...answers.failures_sampled import sampled_failure_claims, sampled_failure_intervals
    from ...answers.subject import subject_of
    from ...core.errors import InputError, did_you_mean
    from ...formats.documents.long_fractions import fraction_from_text
    from ...formats.resolve import resolve_network
    from ...report.terminal.failures import failure_parts
    from ...report.terminal.table import claims_table
    from ...routing.named.spec import routing_from_spec
    from ...topologies.failures import (
        MOST_FAILURES,
        Failure,
        all_failures,
        drawn_failures,
        number_of_failures,
    )
    from ..frame.engine_options import engine_here
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from ..frame.screen import results_only
    from .sampling_options import stopping_asked

    check_target(json)
    if repair not in _REPAIRS:
        raise InputError(f"--repair is '{repair[:40]}'; {did_you_mean(repair, _REPAIRS)}")
    network = resolve_network(topology)
    with results_only():
        chosen = routing_from_spec(routing, network)
    _refuse(chosen, repair)
    chosen.check_room_of_each()
    counts = {"links": (0 if switches or cables else 1) if links is None else links, "switches": switches}
    counts["cables"] = cables
    stopping = stopping_asked(until_width, samples)
    least = samples if stopping is None else min(stopping.first, stopping.limit)
    classes = None
    every = None
    some: dict[Failure, int]
    spans: list[tuple[int, int]] = []
    if sum(counts.values()) == 1 and least is None:
        every = next(what for what, count in counts.items() if count)
        classes = channel_classes(chosen) if repair == "reroute" else None
        some = alike_failures(chosen, classes, of=every)
        rest = f"all {sum(some.values())} {every}, one at a time, {len(some)} up to symmetry"
    elif least is None or number_of_failures(network, **counts) <= least:
        some = dict.fromkeys(all_failures(network, **counts), 1)
        rest = f"all {len(some)} failures of {_what(counts)}"
    else:
        if not 1 <= least <= (stopping.limit if stopping else least) <= MOST_FAILURES:
            raise InputError(f"samples is {samples}; 1 to {MOST_FAILURES:,} was expected")
        spans = [(0, least)] if stopping is None else list(stopping.spans())
        some = {Failure(): 1}  # the whole network, with which the others are compared
    described = subject_of(chosen, topology=topology)
    whole = worst_case(chosen).load
    intervals: list[Interval] = []
    notes: list[str] = []
    potentials, work_for = _works(chosen, described, repair)
    results: list[dict[str, Any]] = []
    with counted("failures") as progress, engine_here() as engine:

        def judge(wanted: list[Failure]) -> list[dict[str, Any]]:
            found = engine.run(work_for(wanted), progress=progress) if wanted else {}
            return [result for part in found.values() for result in part]

        results = judge(list(some))
        drawn: list[Failure] = []
        for start, stop in spans:
            drawn += drawn_failures(network, counts, start=start, stop=stop, seed=seed)
            new = [x for x in dict.fromkeys(drawn) if x not in some]
            results += judge(new)
            some |= dict.fromkeys(new, 1)
            loads = dict(zip(some, (fraction_from_text(x.get("load", "")) for x in results), strict=True))
            intervals = sampled_failure_intervals([loads[x] for x in drawn], whole, seed, stopping)
            if stopping is not None and stopping.enough(intervals):
                break
    if spans:
        some = {Failure(): 1, **Counter(drawn)}
        notes = [] if stopping is None else stopping.told(intervals)
        rest = f"{len(drawn)} failures of {_what(counts)}, drawn with seed {seed}; others may be worse"
    report = failure_report(chosen, some, results, repair=repair, whole=whole, rest=rest, every=every, classes=classes)
    more = sampled_failure_claims(network, counts, intervals, _what(counts), stopping) if spans else []
    subject = failure_subject(chosen, topology=topology, repair=repair, potentials=potentials)
    shown = [] if json == "-" else failure_parts(report, top=top)
    if shown and more:
        shown += [Text(), claims_table(more), *map(Text, notes)]
    finish(subject, [*report.claims, *more], json=json, shown=shown)


def _what(counts: dict[str, int]) -> str:
    one = {"links": "link", "switches": "switch", "cables": "cable"}
    return " and ".join(f"{n} {one[what] if n == 1 else what}" for what, n in counts.items() if n)


def _refuse(routing: Routing, repair: str) -> None:
    from ...analysis.worst_case.sampled import is_sampled
    from ...core.errors import InputError

    if is_sampled(routing):
        raise InputError(f"the loads of {routing.name} are sampled; failures are judged exactly")
    if repair == "rebuild" and set(routing.describe()) != {"spec"}:
        raise InputError(
            f"--repair rebuild needs a routing by name; {routing.name} is a table: --repair reroute mends it"
        )


def _works(
    routing: Routing, described: dict[str, Any], repair: str
) -> tuple[dict[str, Any] | None, Callable[[list[Failure]], Work]]:
    """The potentials that results rest on, and the work of judging some failures."""
    from ...engine import Work

    network: Network = routing.network
    shared = {"network": described["network"], "routing": described["routing"]}
    potentials = None
    if repair == "reroute":
        from ...analysis.failures import base_of
        from ...formats.documents.packed_ints import pack_ints

        base = base_of(routing)
        potentials = {"scale": str(base.potentials.scale), "column": pack_ints(base.potentials.column.ravel())}

    def work_for(some: list[Failure]) -> Work:
        what = [(list(x.nodes), x.channels(network)) for x in some]
        pieces = {
            f"{at}-{min(at + _CHUNK, len(what)) - 1}": {"failures": what[at : at + _CHUNK]}
            for at in range(0, len(what), _CHUNK)
        }
        if repair == "reroute":
            return Work(
                "failures", "routeproof.analysis.failures:judge_failures", pieces, shared,
                "routeproof.analysis.failures:prepare", seconds=0.02 * len(what),
            )  # fmt: skip
        return Work("failures", "routeproof.analysis.failures:judge_rebuilt", pieces, shared, seconds=0.2 * len(what))

    return potentials, work_for
