"""``routeproof compare``: several routings on one network, side by side."""

from __future__ import annotations

from typing import Annotated

from ..frame import inputs, outcome, progress
from ..frame.arguments import JsonReport, Topology, argument, complete_routing, flag, option


def compare(
    topology: Topology,
    routings: Annotated[
        list[str], argument("ROUTING...", "Routings as for worst-case --routing.", autocompletion=complete_routing)
    ],
    virtual_channels: Annotated[
        bool, flag("Look for virtual channels that make each routing deadlock-free.", "--virtual-channels")
    ] = False,
    best: Annotated[
        bool | None,
        flag(
            "Rank them, and bound the best oblivious routing by a linear program (default for fabrics).",
            "--best/--no-best",
        ),
    ] = None,
    time_limit: Annotated[float | None, option("SECONDS", "For the linear program of --best.")] = None,
    service_levels: Annotated[
        list[str] | None,
        option(
            "[ROUTING=]FILE",
            "Path records with the service levels of a fabric's tables (saquery -p); may be given for each.",
        ),
    ] = None,
    sl2vl: Annotated[
        list[str] | None,
        option(
            "[ROUTING=]FILE", "The tables from service levels to virtual lanes that go with them (opensm-sl2vl.dump)."
        ),
    ] = None,
    json: JsonReport = None,
) -> None:
    """Exact worst case, uniform throughput, path length and deadlock freedom of several routings on one network.

    For example: routeproof compare torus:8x8 dor valiant ival rlb
    """
    from ...answers.compare import answer_compare
    from ...formats.infiniband.fabric import FabricNetwork
    from ...formats.resolve import resolve_network
    from ...report.terminal.compare import comparison_parts

    network = resolve_network(topology)
    chosen = [inputs.routing_given(text, network) for text in routings]
    inputs.check_seconds(time_limit)
    rank = isinstance(network, FabricNetwork) if best is None else best
    levels = inputs.levels_given(service_levels or [], sl2vl or [], routings, network)
    result = answer_compare(
        chosen, virtual=virtual_channels, best=rank, time_limit=time_limit,
        levels={chosen[k].name: found for k, found in levels.items()},
        setting=inputs.setting_here(topology, stage=progress.announced_bars()),
    )  # fmt: skip
    outcome.finish(result, comparison_parts, json=json)
