"""``routeproof failures``: the exact worst case after failures of links and switches, ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .worst_case import _routings, _topologies

if TYPE_CHECKING:
    from ..core.network import Network
    from ..routing.base import Routing
    from ..topologies.failures import Failure

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
        str, typer.Option("--routing", "-r", help="As for worst-case --routing.", autocompletion=_routings)
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
        int | None, typer.Option("--samples", metavar="N", min=1, help="Draw so many failures instead of all.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="The seed of --samples.")] = 0,
    repair: Annotated[
        str,
        typer.Option(
            "--repair",
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
    from ..analysis.classes import channel_classes
    from ..analysis.worst_case import worst_case
    from ..core.errors import InputError, did_you_mean
    from ..formats.resolve import resolve_network
    from ..report.failures import alike_failures, failure_parts, failure_report, failure_subject
    from ..report.subject import subject_of
    from ..routing.spec import routing_from_spec
    from ..topologies.failures import all_failures, sampled_failures
    from .outcome import check_target, finish
    from .screen import results_only

    check_target(json)
    if repair not in _REPAIRS:
        raise InputError(f"--repair is '{repair[:40]}'; {did_you_mean(repair, _REPAIRS)}")
    network = resolve_network(topology)
    with results_only():
        chosen = routing_from_spec(routing, network)
    _refuse(chosen, repair)
    counts = {"links": (0 if switches or cables else 1) if links is None else links, "switches": switches}
    counts["cables"] = cables
    classes = None
    every = None
    some: dict[Failure, int]
    if sum(counts.values()) == 1 and samples is None:
        every = next(what for what, count in counts.items() if count)
        classes = channel_classes(chosen) if repair == "reroute" else None
        some = alike_failures(chosen, classes, of=every)
        rest = f"all {sum(some.values())} {every}, one at a time, {len(some)} up to symmetry"
    elif samples is None:
        some = dict.fromkeys(all_failures(network, **counts), 1)
        rest = f"all {len(some)} failures of {_what(counts)}"
    else:
        drawn = sampled_failures(network, **counts, samples=samples, seed=seed)
        some = dict.fromkeys(drawn, 1)
        rest = f"{len(some)} failures of {_what(counts)}, drawn with seed {seed}; others may be worse"
    described = subject_of(chosen, topology=topology)
    results, potentials = _judged(chosen, described, list(some), repair)
    whole = worst_case(chosen).load
    report = failure_report(chosen, some, results, repair=repair, whole=whole, rest=rest, every=every, classes=classes)
    subject = failure_subject(chosen, topology=topology, repair=repair, potentials=potentials)
    shown = [] if json == "-" else failure_parts(report, top=top)
    finish(subject, report.claims, json=json, shown=shown)


def _what(counts: dict[str, int]) -> str:
    one = {"links": "link", "switches": "switch", "cables": "cable"}
    return " and ".join(f"{n} {one[what] if n == 1 else what}" for what, n in counts.items() if n)


def _refuse(routing: Routing, repair: str) -> None:
    from ..analysis.sampled import is_sampled
    from ..core.errors import InputError

    if is_sampled(routing):
        raise InputError(f"the loads of {routing.name} are sampled; failures are judged exactly")
    if repair == "rebuild" and set(routing.describe()) != {"spec"}:
        raise InputError(
            f"--repair rebuild needs a routing by name; {routing.name} is a table: --repair reroute mends it"
        )


def _judged(
    routing: Routing, described: dict[str, Any], some: list[Failure], repair: str
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """The results in the order of ``some``, and the potentials that they rest on."""
    from ..engine import Work
    from .engine_options import engine_here
    from .progress import counted

    network: Network = routing.network
    what = [(list(x.nodes), x.channels(network)) for x in some]
    pieces = {
        f"{at}-{min(at + _CHUNK, len(what)) - 1}": {"failures": what[at : at + _CHUNK]}
        for at in range(0, len(what), _CHUNK)
    }
    shared = {"network": described["network"], "routing": described["routing"]}
    potentials = None
    if repair == "reroute":
        from ..analysis.failures import base_of
        from ..formats.packed_ints import pack_ints

        base = base_of(routing)
        potentials = {"scale": str(base.potentials.scale), "column": pack_ints(base.potentials.column.ravel())}
        work = Work(
            "failures", "routeproof.analysis.failures:judge_failures", pieces, shared,
            "routeproof.analysis.failures:prepare", seconds=0.02 * len(what),
        )  # fmt: skip
    else:
        work = Work("failures", "routeproof.analysis.failures:judge_rebuilt", pieces, shared, seconds=0.2 * len(what))
    with counted("failures") as progress, engine_here() as engine:
        found = engine.run(work, progress=progress)
    return [result for results in found.values() for result in results], potentials
