"""``routeproof tradeoff``: what shorter paths cost in guaranteed throughput, exactly, or in average throughput."""

from __future__ import annotations

import contextlib
import enum
from typing import TYPE_CHECKING, Annotated

import typer

from ...core.errors import InputError
from ..frame.arguments import JsonReport, Topology

if TYPE_CHECKING:
    from ...answers.answer import Answer
    from ...core.network import Network
    from ...routing.base.routing import Routing

__all__ = ["tradeoff"]


class _Against(enum.StrEnum):
    WORST_CASE = "worst-case"
    AVERAGE_CASE = "average-case"


def tradeoff(
    topology: Topology,
    against: Annotated[_Against, typer.Option("--against", help="What path length is traded for.")],
    routing: Annotated[
        list[str] | None,
        typer.Option("--routing", "-r", metavar="ROUTING", help="Show this routing beside the curve; several times."),
    ] = None,
    named: Annotated[
        bool, typer.Option("--named", help="Show the algorithms of the literature that the network has.")
    ] = False,
    between: Annotated[
        list[str] | None,
        typer.Option(
            "--between",
            metavar="A..B",
            help="Show the interpolations of two routings, such as dor..ival, in steps of an eighth; several times.",
        ),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint", metavar="FILE", help="Keep every solved program there; continue where it stopped."
        ),
    ] = None,
    traffic_model: Annotated[
        str | None, typer.Option("--traffic-model", metavar="MODEL", help="Average case: as in design.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", metavar="N", help="Average case: how many random matrices (100).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Average case: the seed of the sample (0).")
    ] = None,
    points: Annotated[
        int | None, typer.Option("--points", metavar="N", help="Average case: how many points of the curve (9).")
    ] = None,
    json: JsonReport = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw the curve: .svg, .png or .pdf.")
    ] = None,
) -> None:
    """The curve of average path length against throughput over all oblivious routings: exact in the worst case.

    For example: routeproof tradeoff torus:6x6 --against worst-case --routing dor --routing ival --plot curve.svg
    """

    from ...answers.tradeoff import answer_average_tradeoff, answer_tradeoff
    from ...design.program.highs import check_solver
    from ...formats.resolve import resolve_network
    from ...report.figures.tradeoff import draw_average_tradeoff, draw_tradeoff
    from ...report.terminal.tradeoff import average_tradeoff_parts, tradeoff_parts
    from ..frame.engine_options import engine_if_asked
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from ..frame.settings import settings_here

    for target in (json, plot, checkpoint):
        check_target(target)
    sampling = {"--traffic-model": traffic_model, "--samples": samples, "--seed": seed, "--points": points}
    if against is _Against.WORST_CASE:
        for name, value in sampling.items():
            if value is not None:
                raise InputError(f"{name} is for --against average-case; the curve of the worst case is exact")
    elif checkpoint is not None:
        raise InputError(
            "--checkpoint is for --against worst-case; --run DIRECTORY keeps the points of the average case"
        )
    if checkpoint is not None and settings_here().asked:
        raise InputError("--checkpoint is for one process; --run DIRECTORY keeps the work of several")
    check_solver()
    network = resolve_network(topology)
    chosen = _chosen(network, routing or [], named=named)
    lines = [_interpolations(network, text) for text in between or ()]
    answer: Answer
    with engine_if_asked() as engine:
        if against is _Against.WORST_CASE:
            answer = exact = answer_tradeoff(
                network, chosen, lines=lines, topology=topology, checkpoint=checkpoint, engine=engine, stage=counted
            )
        else:
            answer = average = answer_average_tradeoff(
                network, chosen, lines=lines, topology=topology, engine=engine, stage=counted,
                model=traffic_model or "permutation", samples=100 if samples is None else samples, seed=seed or 0,
                num_points=9 if points is None else points,
            )  # fmt: skip
    if against is _Against.WORST_CASE:
        if plot is not None:
            draw_tradeoff(exact, plot)
        parts = tradeoff_parts(exact)
    else:
        if plot is not None:
            draw_average_tradeoff(average, plot)
        parts = average_tradeoff_parts(average)
    finish(answer, json=json, shown=[] if json == "-" else parts)


def _interpolations(network: Network, text: str) -> list[Routing]:
    """Those of the routings of ``A..B``."""
    from ...answers.tradeoff import interpolations
    from ...routing.named.spec import routing_from_spec
    from ..frame.screen import results_only

    first, dots, last = text.partition("..")
    if not dots or not first.strip() or not last.strip():
        raise InputError(f"--between is '{text[:40]}'; two routings were expected, as in dor..ival")
    with results_only():
        return interpolations(routing_from_spec(first, network), routing_from_spec(last, network))


_LITERATURE = ("dor", "valiant", "romm", "o1turn", "rlb", "rlbth", "ival", "u2turn", "w2turn", "wrd", "2turn")


def _chosen(network: Network, texts: list[str], *, named: bool) -> list[Routing]:
    from ...routing.named.spec import routing_from_spec
    from ..frame.screen import results_only

    with results_only():
        found = [routing_from_spec(text, network) for text in texts]
    if named:
        for name in _LITERATURE:
            if name not in texts:
                with contextlib.suppress(InputError):  # it is for other networks
                    found.append(routing_from_spec(name, network))
    return found
