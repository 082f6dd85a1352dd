"""``routeproof compare``: several routings on one network, side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from ..frame.arguments import JsonReport, Topology, complete_routing
from .worst_case import _Stages

__all__ = ["compare"]


def compare(
    topology: Topology,
    routings: Annotated[
        list[str],
        typer.Argument(
            metavar="ROUTING...", help="Routings as for worst-case --routing.", autocompletion=complete_routing
        ),
    ],
    virtual_channels: Annotated[
        bool,
        typer.Option("--virtual-channels", help="Look for virtual channels that make each routing deadlock-free."),
    ] = False,
    best: Annotated[
        bool | None,
        typer.Option(
            "--best/--no-best",
            help="Rank them, and bound the best oblivious routing by a linear program (default for fabrics).",
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", metavar="SECONDS", help="For the linear program of --best.")
    ] = None,
    service_levels: Annotated[
        list[str] | None,
        typer.Option(
            "--service-levels",
            metavar="[ROUTING=]FILE",
            help="Path records with the service levels of a fabric's tables (saquery -p); may be given for each.",
        ),
    ] = None,
    sl2vl: Annotated[
        list[str] | None,
        typer.Option(
            "--sl2vl",
            metavar="[ROUTING=]FILE",
            help="The tables from service levels to virtual lanes that go with them (opensm-sl2vl.dump).",
        ),
    ] = None,
    json: JsonReport = None,
) -> None:
    """Exact worst case, uniform throughput, path length and deadlock freedom of several routings on one network.

    For example: routeproof compare torus:8x8 dor valiant ival rlb
    """
    from ...answers.compare import answer_compare
    from ...core.errors import InputError
    from ...formats.infiniband.fabric import FabricNetwork
    from ...formats.resolve import resolve_network
    from ...report.terminal.compare import comparison_parts
    from ...routing.named.spec import routing_from_spec
    from ..frame.outcome import check_target, finish
    from ..frame.screen import results_only
    from .levels import levels_given

    check_target(json)
    network = resolve_network(topology)
    with results_only():
        chosen = [routing_from_spec(text, network) for text in routings]
    if time_limit is not None and not time_limit > 0:
        raise InputError(f"--time-limit is {time_limit}; a positive number of seconds was expected")
    rank = isinstance(network, FabricNetwork) if best is None else best
    levels = levels_given(service_levels or [], sl2vl or [], routings, network)
    result = answer_compare(
        chosen, topology=topology, virtual=virtual_channels, best=rank, time_limit=time_limit, stage=_Stages(),
        levels={chosen[k].name: found for k, found in levels.items()},
    )  # fmt: skip
    shown = [] if json == "-" else comparison_parts(result)
    finish(result, json=json, shown=shown)
