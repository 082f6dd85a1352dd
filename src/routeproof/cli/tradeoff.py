"""``routeproof tradeoff``: what shorter paths cost in guaranteed throughput, exactly."""

from __future__ import annotations

import enum
import time
from typing import Annotated

import typer

__all__ = ["tradeoff"]


class _Against(enum.StrEnum):
    WORST_CASE = "worst-case"


def tradeoff(
    topology: Annotated[
        str, typer.Argument(metavar="TOPOLOGY", help="family:parameters such as torus:8x8, or a network file.")
    ],
    against: Annotated[_Against, typer.Option("--against", help="What path length is traded for.")],
    routing: Annotated[
        list[str] | None,
        typer.Option("--routing", "-r", metavar="ROUTING", help="Show this routing beside the curve; several times."),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep every solved program there; go on where it stopped."),
    ] = None,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - for standard output.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw the curve: .svg, .png or .pdf.")
    ] = None,
) -> None:
    """The exact curve of average path length against worst-case throughput, over all oblivious routings.

    For example: routeproof tradeoff torus:6x6 --against worst-case --routing dor --routing ival --plot curve.svg
    """
    start = time.perf_counter()
    from fractions import Fraction

    from ..analysis.capacity import capacity
    from ..analysis.locality import average_path_length
    from ..analysis.worst_case import worst_case
    from ..design.capacity import capacity_if_possible
    from ..design.highs import check_solver
    from ..design.tradeoff import worst_case_tradeoff
    from ..design.tradeoff_claims import corner_claims, point_claim
    from ..formats.resolve import resolve_network
    from ..report.subject import subject_of
    from ..report.tradeoff import NamedPoint, draw_tradeoff, tradeoff_parts
    from ..routing.spec import routing_from_spec
    from .outcome import check_target, finish
    from .progress import counted
    from .screen import results_only

    for target in (json, plot, checkpoint):
        check_target(target)
    check_solver()
    del against  # there is one so far
    network = resolve_network(topology)
    with results_only():
        chosen = [routing_from_spec(text, network) for text in routing or ()]
    with counted("programs") as progress:
        curve = worst_case_tradeoff(network, checkpoint=checkpoint, progress=progress)
    known = capacity(network) or capacity_if_possible(network)
    share = known.value if known is not None and isinstance(known.value, Fraction) else None
    claims = corner_claims(curve)
    points = []
    for one in chosen:
        worst, length = worst_case(one), average_path_length(one)
        points.append(NamedPoint(one.name, worst.load, length))
        claims.append(point_claim(one, worst, length, curve.minimal))
    if known is not None:
        claims.append(known)
    if plot is not None:
        draw_tradeoff(curve, points, share, plot)
    subject = {**subject_of(curve.points[0].routing, topology=topology), "tradeoff": "worst-case"}
    shown = [] if json == "-" else tradeoff_parts(curve, points, share, seconds=time.perf_counter() - start)
    finish(subject, claims, json=json, shown=shown)
