"""``routeproof tradeoff``: what shorter paths cost in guaranteed throughput, exactly, or in average throughput."""

from __future__ import annotations

import contextlib
import enum
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ...core.errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.claim import Claim
    from ...core.network import Network
    from ...design.average_tradeoff import AverageCurve, CurvePoint
    from ...design.tradeoff import Tradeoff
    from ...engine import Engine
    from ...report.terminal.tradeoff import NamedPoint
    from ...routing.base.routing import Routing

__all__ = ["tradeoff"]

_Item = TypeVar("_Item")


class _Against(enum.StrEnum):
    WORST_CASE = "worst-case"
    AVERAGE_CASE = "average-case"


def tradeoff(
    topology: Annotated[
        str, typer.Argument(metavar="TOPOLOGY", help="family:parameters such as torus:8x8, or a network file.")
    ],
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
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - for standard output.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw the curve: .svg, .png or .pdf.")
    ] = None,
) -> None:
    """The curve of average path length against throughput over all oblivious routings: exact in the worst case.

    For example: routeproof tradeoff torus:6x6 --against worst-case --routing dor --routing ival --plot curve.svg
    """
    start = time.perf_counter()
    from ...analysis.capacity import capacity
    from ...answers.answer import PlainAnswer
    from ...answers.subject import subject_of
    from ...design.capacity import capacity_if_possible
    from ...design.program.highs import check_solver
    from ...formats.resolve import resolve_network
    from ..frame.engine_options import engine_if_asked, settings_here
    from ..frame.outcome import check_target, finish

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
    every = [*chosen, *(x for line in lines for x in line)]
    known = capacity(network) or capacity_if_possible(network)
    share = known.value if known is not None and isinstance(known.value, Fraction) else None
    parts: list[RenderableType] = []
    with engine_if_asked() as engine:
        if against is _Against.WORST_CASE:
            curve, marks, claims = _worst_case(network, every, checkpoint, engine)
            first: Routing = curve.points[0].routing
        else:
            sample = {"model": traffic_model or "permutation", "count": 100 if samples is None else samples}
            found, beside, claims = _average_case(
                network, every, engine, {**sample, "seed": seed or 0, "num_points": 9 if points is None else points},
                known,
            )  # fmt: skip
            first = found.points[0].routing
    seconds = time.perf_counter() - start
    if against is _Against.WORST_CASE:
        from ...report.terminal.tradeoff import draw_tradeoff, tradeoff_parts

        claims += [] if known is None else [known]
        if plot is not None:
            draw_tradeoff(curve, marks[: len(chosen)], share, plot, lines=_split(marks[len(chosen) :]))
        parts = tradeoff_parts(curve, marks, share, seconds=seconds)
    else:
        from ...report.terminal.tradeoff import average_tradeoff_parts, draw_average_tradeoff

        if plot is not None:
            draw_average_tradeoff(found, beside[: len(chosen)], share, plot, lines=_split(beside[len(chosen) :]))
        parts = average_tradeoff_parts(found, beside, share, seconds=seconds)
    subject = {**subject_of(first, topology=topology), "kind": "tradeoff", "tradeoff": against.value}
    finish(PlainAnswer(subject, claims), json=json, shown=[] if json == "-" else parts)


_EIGHTHS = 8


def _interpolations(network: Network, text: str) -> list[Routing]:
    """The two routings of ``A..B`` and their mixtures (eq. 11), from the one to the other."""
    from ...routing.base.mixture import Mixture
    from ...routing.named.spec import routing_from_spec
    from ..frame.screen import results_only

    first, dots, last = text.partition("..")
    if not dots or not first.strip() or not last.strip():
        raise InputError(f"--between is '{text[:40]}'; two routings were expected, as in dor..ival")
    with results_only():
        a, b = routing_from_spec(first, network), routing_from_spec(last, network)
    shares = [Fraction(k, _EIGHTHS) for k in range(1, _EIGHTHS)]
    return [a, *(Mixture([(1 - x, a), (x, b)]) for x in shares), b]


def _split(items: list[_Item]) -> list[list[_Item]]:
    """One list for each interpolation."""
    size = _EIGHTHS + 1
    return [items[at : at + size] for at in range(0, len(items), size)]


_LITERATURE = ("dor", "valiant", "romm", "o1turn", "rlb", "rlbth", "ival", "u2turn", "w2turn", "wrd", "2turn")


def _chosen(network: Network, texts: list[str], *, named: bool) -> list[Routing]:
    from ...routing.named.names import DESIGNED, ROUTINGS
    from ...routing.named.spec import routing_from_spec
    from ..frame.screen import results_only

    with results_only():
        found = [routing_from_spec(text, network) for text in texts]
    if named:
        for name in _LITERATURE:
            if (name in ROUTINGS or name in DESIGNED) and name not in texts:
                with contextlib.suppress(InputError):  # it is for other networks
                    found.append(routing_from_spec(name, network))
    return found


def _worst_case(
    network: Network, chosen: list[Routing], checkpoint: str | None, engine: Engine | None
) -> tuple[Tradeoff, list[NamedPoint], list[Claim]]:
    from ...analysis.locality import average_path_length
    from ...analysis.worst_case.exact import worst_case
    from ...design.tradeoff import worst_case_tradeoff
    from ...design.tradeoff_claims import corner_claims, point_claim
    from ...report.terminal.tradeoff import NamedPoint
    from ..frame.progress import counted

    with counted("programs and corners") as progress:
        curve = worst_case_tradeoff(network, checkpoint=checkpoint, engine=engine, progress=progress)
    claims = corner_claims(curve)
    points = []
    for one in chosen:
        worst, length = worst_case(one), average_path_length(one)
        points.append(NamedPoint(one.name, worst.load, length))
        claims.append(point_claim(one, worst, length, curve.minimal))
    return curve, points, claims


def _average_case(
    network: Network, chosen: list[Routing], engine: Engine | None, options: dict[str, Any], known: Claim | None
) -> tuple[AverageCurve, list[CurvePoint], list[Claim]]:
    from ...design.average_tradeoff import average_case_tradeoff
    from ...design.average_tradeoff_claims import average_curve_claims, judge_average
    from ..frame.progress import counted

    with counted("points") as progress:
        curve = average_case_tradeoff(network, engine=engine, progress=progress, **options)
    points = judge_average(curve, chosen)
    return curve, points, average_curve_claims(curve, points, known)
