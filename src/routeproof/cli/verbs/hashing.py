"""``routeproof hashing``: flows do not split, hashes pick: how many meet on one channel, with which probability."""

from __future__ import annotations

from typing import Annotated

from ..frame import arguments, completions, inputs, outcome, progress
from ..frame.arguments import option


def hashing(
    topology: arguments.Topology,
    routing: arguments.RoutingName = None,
    traffic: Annotated[
        str | None,
        option(
            "PATTERN",
            "Who sends to whom: a permutation such as shift:by=4, a file, or worst (of an ideal split).",
            "--traffic",
            "-t",
            autocompletion=completions.complete_pattern,
        ),
    ] = None,
    flows: Annotated[int, option("N", "So many equal flows of every pair.", min=1)] = 1,
    at_least: Annotated[
        list[str] | None,
        option("LOAD", "The probability of so much load per bandwidth; may be given several times."),
    ] = None,
    pair: Annotated[
        str | None,
        option("I,J", "Also what the second tier chooses once the first has chosen, from terminal I to terminal J."),
    ] = None,
    samples: Annotated[
        int, option("N", "Draws of all paths for the mean of the largest load, where it is not found exactly.")
    ] = 1000,
    seed: Annotated[int, option("S", "The random seed of the draws.")] = 0,
    json: arguments.JsonReport = None,
) -> None:
    """How flows of a permutation meet when every flow takes one path, picked by a hash.

    The distribution of the load of a channel is exact, and so is that of every stage of a Clos network; what is said of
    all channels together is exact or lies between proved bounds. --routing ecmp:hash=same is a fabric whose
    switches all compute the same hash (polarisation); --routing worst-hash:ROUTING of worst-case is the worst hash.

    For example: routeproof hashing fat-tree:4 --routing ecmp --traffic shift:by=4
    """
    from ...answers.hashing import answer_hashing
    from ...core.errors import InputError
    from ...formats.resolve import resolve_network, resolve_traffic
    from ...report.terminal.hashing import hashing_parts

    network = resolve_network(topology)
    chosen = inputs.routing_given(routing or inputs.own_routing(network), network)
    if traffic is None:
        raise InputError(
            "no traffic is given; --traffic shift:by=4, say, a file of a permutation, or worst was expected"
        )
    given = None if traffic == "worst" else resolve_traffic(traffic, network)
    ends = None if pair is None else inputs.pair_given(pair, network)
    setting = inputs.setting_here(topology, stage=progress.announced_bars())
    answer = answer_hashing(
        chosen, given, each=flows, at_least=at_least or (), samples=samples, seed=seed, pair=ends, setting=setting
    )
    outcome.finish(answer, hashing_parts, json=json, routing=chosen)
