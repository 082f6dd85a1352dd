"""``routeproof adaptive``: the worst case of routing that may know the whole demand, and what being oblivious costs."""

from __future__ import annotations

from typing import Annotated

from ..frame import arguments, inputs, outcome, progress
from ..frame.arguments import option
from ..frame.solving import solving


def adaptive(
    topology: arguments.Topology,
    demands: arguments.Demands = None,
    paths: Annotated[
        str,
        option(
            "all|minimal|ROUTING",
            "The paths that flows may use: all; minimal, all shortest; ksp:K, the K shortest; those of a routing.",
        ),
    ] = "all",
    time_limit: Annotated[
        float | None, option("SECONDS", "Stop searching then, with the interval reached so far.")
    ] = None,
    json: arguments.JsonReport = None,
) -> None:
    """How well ideal adaptive routing does in the worst case: an interval, exact where its ends meet.

    Every demand of the set has the best flow of its own: rates may depend on the whole demand, and there are no queues,
    so no adaptive routing does better. The upper end is an oblivious routing, or flows for every extreme demand of a
    small set; the lower end is one demand of the set, with lengths of channels that prove it. Also the price of
    obliviousness: best oblivious over ideal adaptive.

    For example: routeproof adaptive petersen
    """
    from ...answers.adaptive import answer_adaptive
    from ...formats.resolve import resolve_network
    from ...report.terminal.adaptive import adaptive_parts

    inputs.check_seconds(time_limit)
    network = resolve_network(topology)
    wanted = inputs.demands_given(demands, network)
    allowed = None if paths == "all" else inputs.paths_given(paths, network)
    setting = inputs.setting_here(topology, stage=progress.announced_bars())
    answer = answer_adaptive(network, wanted, paths=allowed, time_limit=time_limit, solving=solving, setting=setting)
    outcome.finish(answer, adaptive_parts, json=json)
