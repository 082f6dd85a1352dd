"""``routeproof deadlock``: can packets wait for one another for ever, and which?"""

from __future__ import annotations

from typing import Annotated

import typer

from ..frame.arguments import JsonReport, RoutingName, Topology

__all__ = ["deadlock"]


def deadlock(
    topology: Topology,
    routing: RoutingName = None,
    service_levels: Annotated[
        str | None,
        typer.Option(
            "--service-levels",
            metavar="FILE",
            help="Path records of a fabric, with service levels (saquery -p, or opensm-path-records.dump).",
        ),
    ] = None,
    sl2vl: Annotated[
        str | None,
        typer.Option(
            "--sl2vl",
            metavar="FILE",
            help="Tables from service levels to virtual lanes (opensm-sl2vl.dump); default: the lane is the level.",
        ),
    ] = None,
    virtual_channels: Annotated[
        bool,
        typer.Option("--virtual-channels", help="Also look for a few virtual channels that make it deadlock-free."),
    ] = False,
    json: JsonReport = None,
) -> None:
    """Can a routing deadlock? A proof that it cannot, or the packets that wait for one another.

    For example: routeproof deadlock torus:5x5 --routing dor --virtual-channels
    """
    from ...answers.deadlock import answer_deadlock
    from ...formats.resolve import resolve_network
    from ...report.terminal.deadlock import deadlock_parts
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from ..frame.screen import results_only
    from .levels import levels_given
    from .worst_case import _routing

    check_target(json)
    network = resolve_network(topology)
    with results_only():
        chosen = _routing(routing, network, samples=None, seed=None)
    files, lanes = ([x] if x is not None else [] for x in (service_levels, sl2vl))
    levels = levels_given(files, lanes, [routing or ""], network).get(0)
    answer = answer_deadlock(chosen, topology=topology, levels=levels, virtual=virtual_channels, stage=counted)
    shown = [] if json == "-" else deadlock_parts(answer)
    finish(answer, json=json, shown=shown, routing=chosen)
