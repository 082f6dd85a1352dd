"""``routeproof tradeoff``: what shorter paths cost in guaranteed throughput, exactly, or in average throughput."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from ...core.errors import InputError
from ..frame import engine_options, inputs, outcome
from ..frame.arguments import Demands, JsonReport, Topology, flag, option

if TYPE_CHECKING:
    from ...core.network import Network
    from ...routing.base.routing import Routing

_LITERATURE = ("dor", "valiant", "romm", "o1turn", "rlb", "rlbth", "ival", "u2turn", "w2turn", "wrd", "2turn")


_Against = enum.StrEnum("_Against", {"WORST_CASE": "worst-case", "AVERAGE_CASE": "average-case"})


def tradeoff(
    topology: Topology,
    against: Annotated[_Against, option(None, "What path length is traded for.")],
    demands: Demands = None,
    routing: Annotated[
        list[str] | None, option("ROUTING", "Show this routing beside the curve; several times.", "--routing", "-r")
    ] = None,
    named: Annotated[bool, flag("Show the algorithms of the literature that the network has.", "--named")] = False,
    between: Annotated[
        list[str] | None,
        option(
            "A..B", "Show the interpolations of two routings, such as dor..ival, in steps of an eighth; several times."
        ),
    ] = None,
    checkpoint: Annotated[
        str | None, option("FILE", "Keep every solved program there; continue where it stopped.")
    ] = None,
    traffic_model: Annotated[str | None, option("MODEL", "Average case: as in design.")] = None,
    samples: Annotated[int | None, option("N", "Average case: how many random matrices (100).")] = None,
    seed: Annotated[int | None, option("S", "Average case: the seed of the sample (0).")] = None,
    points: Annotated[int | None, option("N", "Average case: how many points of the curve (9).")] = None,
    json: JsonReport = None,
    plot: Annotated[str | None, option("FILE", "Draw the curve: .svg, .png or .pdf.")] = None,
) -> None:
    """The curve of average path length against throughput over all oblivious routings: exact in the worst case.

    For example: routeproof tradeoff torus:6x6 --against worst-case --routing dor --routing ival --plot curve.svg
    or, for few flows at a time: routeproof tradeoff torus:6x6 --against worst-case --demands sparse:6
    """
    from ...answers.tradeoff import answer_average_tradeoff, answer_tradeoff
    from ...formats.resolve import resolve_network
    from ...report.figures.style import write_figure
    from ...report.figures.tradeoff import tradeoff_figure
    from ...report.terminal.tradeoff import average_tradeoff_parts, tradeoff_parts

    exact = against is _Against.WORST_CASE
    if demands and not exact:
        raise InputError("--demands is for --against worst-case; --traffic-model says what the average case draws")
    sampling = {"--traffic-model": traffic_model, "--samples": samples, "--seed": seed, "--points": points}
    _check_options(exact, sampling, checkpoint)
    network = resolve_network(topology)
    lines = [_interpolations(network, text) for text in between or ()]
    chosen = _chosen(network, routing or [], named=named)
    answer: Any
    with inputs.long_work(topology) as setting:
        if exact:
            over = inputs.demands_given(demands, network)
            answer = answer_tradeoff(network, chosen, lines=lines, checkpoint=checkpoint, demands=over, setting=setting)
        else:
            answer = answer_average_tradeoff(
                network, chosen, model=traffic_model or "permutation", samples=100 if samples is None else samples,
                seed=seed or 0, num_points=9 if points is None else points, lines=lines, setting=setting,
            )  # fmt: skip
    if plot is not None:
        write_figure(plot, lambda look: tradeoff_figure(answer, look))
    parts = tradeoff_parts if exact else average_tradeoff_parts
    outcome.finish(answer, parts, json=json, figure=lambda look: tradeoff_figure(answer, look))


def _check_options(exact: bool, sampling: Mapping[str, object], checkpoint: str | None) -> None:

    for name, value in sampling.items():
        if exact and value is not None:
            raise InputError(f"{name} is for --against average-case; the curve of the worst case is exact")
    if checkpoint is not None and not exact:
        raise InputError(
            "--checkpoint is for --against worst-case; --run DIRECTORY keeps the points of the average case"
        )
    if checkpoint is not None and engine_options.settings_here().asked:
        raise InputError("--checkpoint is for one process; --run DIRECTORY keeps the work of several")


def _interpolations(network: Network, text: str) -> list[Routing]:
    """Those of the routings of ``A..B``."""
    from ...answers.tradeoff import interpolations

    first, dots, last = text.partition("..")
    if not dots or not first.strip() or not last.strip():
        raise InputError(f"--between is '{text[:40]}'; two routings were expected, as in dor..ival")
    return interpolations(inputs.routing_given(first, network), inputs.routing_given(last, network))


def _chosen(network: Network, texts: list[str], *, named: bool) -> list[Routing]:

    found = [inputs.routing_given(text, network) for text in texts]
    for name in _LITERATURE if named else ():
        if name not in texts:
            with contextlib.suppress(InputError):  # it is for other networks
                found.append(inputs.routing_given(name, network))
    return found
