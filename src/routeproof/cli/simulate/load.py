"""``routeproof simulate load``: packets under ideal flow control, just below and just above the proved throughput."""

from __future__ import annotations

import enum
from typing import Annotated

from ..frame import inputs, outcome
from ..frame.arguments import JsonReport, Topology, option

_Order = enum.StrEnum("_Order", {"FIFO": "fifo", "FARTHEST": "farthest-first"})


def load(
    topology: Topology,
    routing: Annotated[
        str | None,
        option("ROUTING", "Any routing, or minimal-adaptive or goal (adaptive, on grids).", "--routing", "-r"),
    ] = None,
    traffic: Annotated[
        str | None,
        option(
            "PATTERN",
            "A pattern, a file, or worst: the routing's worst permutation (the default; adaptive: uniform).",
            "--traffic",
            "-t",
        ),
    ] = None,
    rate: Annotated[
        list[str] | None,
        option(
            "RATE",
            "Packets per cycle and terminal; may be given several times (default: around the proved throughput).",
        ),
    ] = None,
    order: Annotated[_Order, option(None, "Which packet of a queue goes first.")] = _Order.FIFO,
    cycles: Annotated[int, option("N", "Cycles that are measured.")] = 8000,
    warm_up: Annotated[int, option("N", "Cycles before that.")] = 2000,
    seed: Annotated[int, option("S", "The random seed.")] = 0,
    json: JsonReport = None,
    plot: Annotated[str | None, option("FILE", "Accepted against offered: .svg, .png or .pdf.")] = None,
) -> None:
    """Simulate packets with unbounded output queues, at rates around the proved throughput.

    Below it queues stay short; above it they grow without bound.  The throughput is proved, all else is sampled.

    For example: routeproof simulate load torus:8x8 --routing dor --traffic tornado --plot load.svg
    """
    from ...core.errors import InputError
    from ...formats.resolve import resolve_network, resolve_traffic
    from ...questions.simulate.load import LoadSettings, answer_adaptive_load, answer_load, check_rate
    from ...report.figures.load import load_figure
    from ...report.figures.style import write_figure
    from ...report.terminal.simulated import load_parts
    from ...simulate.load.queueing import ADAPTIVE

    outcome.check_plot(plot)
    if routing is None:
        raise InputError("no routing is given; --routing dor, say, or minimal-adaptive or goal, was expected")
    network = resolve_network(topology)
    rates = [check_rate(text) for text in rate or ()]
    settings = LoadSettings(order.value, cycles, warm_up, seed)
    with inputs.long_work(topology) as setting:
        if routing in ADAPTIVE:
            if traffic == "worst":
                raise InputError(f"{routing} is adaptive: its worst permutation is not known; name a pattern or a file")
            given = resolve_traffic(traffic or "uniform", network)
            answer = answer_adaptive_load(network, routing, given, rates=rates, settings=settings, setting=setting)
        else:
            chosen = inputs.routing_given(routing, network)
            named = None if traffic in (None, "worst") else resolve_traffic(traffic or "", network)
            answer = answer_load(chosen, named, rates=rates, settings=settings, setting=setting)
    if plot is not None:
        write_figure(plot, lambda look: load_figure(answer, look))
    outcome.finish(answer, load_parts, json=json, figure=lambda look: load_figure(answer, look))
