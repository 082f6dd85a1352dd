"""``routeproof failures``: the exact worst case after failures of links and switches, ranked."""

from __future__ import annotations

from typing import Annotated

from ..frame import inputs, outcome
from ..frame.arguments import Demands, JsonReport, RoutingName, Topology, UntilWidth, option


def failures(
    topology: Topology,
    routing: RoutingName = None,
    demands: Demands = None,
    links: Annotated[int | None, option("N", "How many links fail at once, with all their cables (1).", min=0)] = None,
    cables: Annotated[int, option("N", "How many single cables fail at once.", min=0)] = 0,
    switches: Annotated[int, option("N", "How many switches fail at once.", min=0)] = 0,
    samples: Annotated[
        int | None,
        option("N", "Sample this many failures instead of all (with --until-width: at most; 100000).", min=1),
    ] = None,
    until_width: UntilWidth = None,
    seed: Annotated[int, option("S", "The seed of --samples.", min=0)] = 0,
    repair: Annotated[
        str,
        option(
            "WAY", "reroute: only pairs that used failed channels, by shortest paths; rebuild: the routing built again."
        ),
    ] = "reroute",
    top: Annotated[int, option("N", "How many failures to show.", min=1)] = 10,
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

    network = resolve_network(topology)
    chosen = inputs.routing_given(routing or inputs.own_routing(network), network)
    with inputs.long_work(topology, always=True) as setting:
        answer = answer_failures(
            chosen, links=links, cables=cables, switches=switches, repair=repair,
            samples=samples, stopping=stopping_asked(until_width, samples), seed=seed,
            demands=inputs.demands_given(demands, network), setting=setting,
        )  # fmt: skip
    more = [Text(), claims_table(answer.sampled), *map(Text, answer.notes)] if answer.sampled else []
    outcome.finish(answer, lambda found: [*failure_parts(found, top=top), *more], json=json, routing=chosen)
