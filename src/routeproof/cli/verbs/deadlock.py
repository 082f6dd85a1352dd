"""``routeproof deadlock``: can a routing deadlock, and which packets would wait for one another?"""

from __future__ import annotations

from typing import Annotated

from ..frame import inputs, outcome
from ..frame.arguments import JsonReport, RoutingName, Topology, flag, option


def deadlock(
    topology: Topology,
    routing: RoutingName = None,
    service_levels: Annotated[
        str | None,
        option("FILE", "Path records of a fabric, with service levels (saquery -p, or opensm-path-records.dump)."),
    ] = None,
    sl2vl: Annotated[
        str | None,
        option(
            "FILE", "Tables from service levels to virtual lanes (opensm-sl2vl.dump); default: the lane is the level."
        ),
    ] = None,
    virtual_channels: Annotated[
        bool, flag("Also look for a few virtual channels that make it deadlock-free.", "--virtual-channels")
    ] = False,
    json: JsonReport = None,
) -> None:
    """Can a routing deadlock? A proof that it cannot, or the packets that wait for one another.

    For example: routeproof deadlock torus:5x5 --routing dor --virtual-channels
    """
    from ...answers.deadlock import answer_deadlock
    from ...formats.resolve import resolve_network
    from ...report.terminal.deadlock import deadlock_parts

    network = resolve_network(topology)
    chosen = inputs.sampled_routing(routing, network, samples=None, seed=None)
    files, lanes = ([x] if x is not None else [] for x in (service_levels, sl2vl))
    levels = inputs.levels_given(files, lanes, [routing or ""], network).get(0)
    answer = answer_deadlock(chosen, levels=levels, virtual=virtual_channels, setting=inputs.setting_here(topology))
    outcome.finish(answer, deadlock_parts, json=json, routing=chosen)
