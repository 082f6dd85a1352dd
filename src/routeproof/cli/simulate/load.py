"""``routeproof simulate load``: packets under ideal flow control, just below and just above the proved throughput."""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...core.network import Network
    from ...core.traffic import Traffic
    from ...routing.base.routing import Routing

__all__ = ["load"]

_AROUND = (Fraction(1, 2), Fraction(4, 5), Fraction(19, 20), Fraction(21, 20), Fraction(5, 4))
_ADAPTIVE_RATES = tuple(Fraction(k, 10) for k in (1, 3, 5, 7, 9))


class _Order(enum.StrEnum):
    FIFO = "fifo"
    FARTHEST = "farthest-first"


def load(
    topology: Annotated[
        str, typer.Argument(metavar="TOPOLOGY", help="family:parameters such as torus:8x8, or a network file.")
    ],
    routing: Annotated[
        str | None,
        typer.Option(
            "--routing", "-r", metavar="ROUTING", help="Any routing, or minimal-adaptive or goal (adaptive, on grids)."
        ),
    ] = None,
    traffic: Annotated[
        str | None,
        typer.Option(
            "--traffic",
            "-t",
            metavar="PATTERN",
            help="A pattern, a file, or worst: the routing's worst permutation (the default; adaptive: uniform).",
        ),
    ] = None,
    rate: Annotated[
        list[str] | None,
        typer.Option(
            "--rate",
            metavar="RATE",
            help="Packets per cycle and terminal; may be given several times (default: around the proved throughput).",
        ),
    ] = None,
    order: Annotated[_Order, typer.Option("--order", help="Which packet of a queue goes first.")] = _Order.FIFO,
    cycles: Annotated[int, typer.Option("--cycles", metavar="N", help="Cycles that are measured.")] = 8000,
    warm_up: Annotated[int, typer.Option("--warm-up", metavar="N", help="Cycles before that.")] = 2000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The random seed.")] = 0,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - for standard output.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Accepted against offered: .svg, .png or .pdf.")
    ] = None,
) -> None:
    """Simulate packets with unbounded output queues, at rates around the proved throughput.

    Below it queues stay short; above it they grow without bound.  The throughput is proved, all else is sampled.

    For example: routeproof simulate load torus:8x8 --routing dor --traffic tornado --plot load.svg
    """
    from ...answers.answer import PlainAnswer
    from ...core.errors import InputError
    from ...formats.resolve import resolve_network
    from ...report.figures.load import draw_load
    from ...report.terminal.load import load_shown
    from ...simulate.load.queueing import ADAPTIVE
    from ...simulate.load.study import adaptive_runs, oblivious_runs
    from ..frame.engine_options import engine_if_asked
    from ..frame.outcome import check_plot, check_target, finish
    from ..frame.progress import counted
    from ..frame.screen import results_only

    check_target(json)
    check_plot(plot)
    if routing is None:
        raise InputError("no routing is given; --routing dor, say, or minimal-adaptive or goal, was expected")
    network = resolve_network(topology)
    rates = [_rate(text) for text in rate or ()]
    settings: dict[str, Any] = {"order": order.value, "cycles": cycles, "warm_up": warm_up, "seed": seed}
    subject: dict[str, Any]
    if routing in ADAPTIVE:
        from ...answers.subject import network_subject

        if traffic == "worst":
            raise InputError(f"{routing} is adaptive: its worst permutation is not known; name a pattern or a file")
        given, _ = _traffic(traffic or "uniform", network, None)
        subject = {"topology": topology, "network": network_subject(network), "routing": {"adaptive": routing}}
        with counted("cycles") as progress, engine_if_asked() as engine:
            claims = adaptive_runs(
                network, routing, given, rates or _ADAPTIVE_RATES, progress=progress, engine=engine, **settings
            )
        proved: list[Claim] = []
    else:
        from ...answers.subject import subject_of
        from ...routing.named.spec import routing_from_spec

        with results_only():
            chosen = routing_from_spec(routing, network)
        given, worst = _traffic(traffic or "worst", network, chosen)
        subject = subject_of(chosen, topology=topology)
        with counted("cycles") as progress, engine_if_asked() as engine:
            proved, claims = oblivious_runs(
                chosen, given, rates=rates, around=_AROUND, progress=progress, engine=engine, **settings
            )
        proved += worst
    subject["kind"] = "load-simulation"
    title = f"{network.name}, {routing}, {given.name} traffic, {order.value}"
    if plot is not None:
        draw_load(plot, title, proved, claims)
    finish(PlainAnswer(subject, [*proved, *claims]), json=json, shown=load_shown(title, proved, claims))


def _rate(text: str) -> Fraction:
    from ...core.errors import InputError
    from ...core.rational import parse_fraction

    rate = parse_fraction(text, what="the rate")
    if not 0 < rate <= 1:
        raise InputError(f"the rate is {text[:60]}; more than 0 and at most 1 packet per cycle was expected")
    return rate


def _traffic(text: str, network: Network, routing: Routing | None) -> tuple[Traffic, list[Claim]]:
    """The traffic, and, where it is the worst for the routing, the claims that it is."""
    from ...formats.resolve import resolve_traffic

    if text != "worst" or routing is None:
        return resolve_traffic(text, network), []
    from ...analysis.worst_case.exact import worst_case
    from ...core.errors import InputError
    from ...core.traffic import Traffic
    from ..frame.progress import counted

    with counted("worst case") as progress:
        found = worst_case(routing, progress=progress)
    if found.permutation is None:
        raise InputError(f"{routing.name} has no worst permutation on {network.name}; name a pattern or a file")
    return Traffic.of_permutation(found.permutation, name="worst"), found.claims()
