"""``routeproof failures``: the exact worst case after failures of links and switches, ranked."""

from __future__ import annotations

from typing import Annotated

import typer

from ..frame.arguments import JsonReport, Topology, complete_routing
from .sampling_options import UntilWidth

__all__ = ["failures"]


def failures(
    topology: Topology,
    routing: Annotated[
        str,
        typer.Option(
            "--routing", "-r", metavar="ROUTING", help="As for worst-case --routing.", autocompletion=complete_routing
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
            help="Sample this many failures instead of all (with --until-width: at most; 100000).",
        ),
    ] = None,
    until_width: UntilWidth = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", min=0, help="The seed of --samples.")] = 0,
    repair: Annotated[
        str,
        typer.Option(
            "--repair",
            metavar="WAY",
            help="reroute: only pairs that used failed channels, by shortest paths; rebuild: the routing built again.",
        ),
    ] = "reroute",
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many failures to show.")] = 10,
    json: JsonReport = None,
) -> None:
    """The exact worst case after every failure of links, single cables or switches, the worst first.

    For example: routeproof failures torus:8x8 --routing dor --links 1
    """
    from rich.text import Text

    from ...answers.failures import answer_failures
    from ...core.sampling.stopping import stopping_asked
    from ...formats.resolve import resolve_network
    from ...report.terminal.failures import failure_parts
    from ...report.terminal.table import claims_table
    from ...routing.named.spec import routing_from_spec
    from ..frame.engine_options import engine_here
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from ..frame.screen import results_only

    check_target(json)
    network = resolve_network(topology)
    with results_only():
        chosen = routing_from_spec(routing, network)
    with engine_here() as engine:
        answer = answer_failures(
            chosen, engine=engine, topology=topology, links=links, cables=cables, switches=switches, repair=repair,
            samples=samples, stopping=stopping_asked(until_width, samples), seed=seed, stage=counted,
        )  # fmt: skip
    shown = [] if json == "-" else failure_parts(answer, top=top)
    if shown and answer.sampled:
        shown += [Text(), claims_table(answer.sampled), *map(Text, answer.notes)]
    finish(answer, json=json, shown=shown)
