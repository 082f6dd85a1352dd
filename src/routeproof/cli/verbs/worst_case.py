"""``routeproof worst-case``: which traffic hurts a routing most, on which channel, and what throughput is left."""

from __future__ import annotations

import enum
import time
import warnings
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...core.errors import InputError
from ...formats import RouteproofWarning
from ..frame.arguments import JsonReport, RoutingName, Topology, complete_figure, complete_pattern
from .plot_options import Theme, ThemeName
from .sampling_options import UntilWidth

if TYPE_CHECKING:
    from ...core.network import Network
    from ...routing.base.routing import Routing

__all__ = ["worst_case"]


class _Model(enum.StrEnum):
    BALANCED = "balanced"
    UNBALANCED = "unbalanced"
    HOSE = "hose"


def worst_case(
    topology: Topology,
    routing: RoutingName = None,
    traffic: Annotated[
        list[str] | None,
        typer.Option(
            "--traffic",
            "-t",
            metavar="PATTERN",
            help="Also analyse this traffic: a pattern such as tornado, or a file. May be given several times.",
            autocompletion=complete_pattern,
        ),
    ] = None,
    model: Annotated[
        _Model, typer.Option("--model", help="What terminals may send and receive; hose needs --rates.")
    ] = _Model.BALANCED,
    rates: Annotated[
        str | None,
        typer.Option("--rates", metavar="FILE", help="What each terminal sends and receives, for --model hose."),
    ] = None,
    all_channels: Annotated[
        bool, typer.Option("--all-channels", help="The exact worst case of every channel, not only the worst.")
    ] = False,
    no_symmetry: Annotated[
        bool, typer.Option("--no-symmetry", help="Analyse every channel, even those that are equivalent by symmetry.")
    ] = False,
    traffic_model: Annotated[
        str | None,
        typer.Option(
            "--traffic-model",
            metavar="MODEL",
            help="Also the average case, sampled: permutation, two-permutations, three-permutations or sinkhorn.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples",
            metavar="N",
            help="Estimate the loads of a routing function from N packets a pair; with --traffic-model: number of "
            "random matrices (100; with --until-width at most 100000).",
        ),
    ] = None,
    until_width: UntilWidth = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="The seed of --samples (default: 0).")] = None,
    json: JsonReport = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw the worst case: .svg, .png or .pdf.")
    ] = None,
    figure: Annotated[
        str,
        typer.Option(
            "--figure", metavar="FIGURE", help="What --plot draws: {figures}.", autocompletion=complete_figure
        ),
    ] = "flows",
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """The exact worst case of a routing on a network, with its proof.

    For example: routeproof worst-case torus:9x9 --routing romm --traffic tornado --plot romm.svg
    """
    start = time.perf_counter()
    from dataclasses import replace

    from rich.text import Text

    from ...answers.worst_case import answer_worst_case
    from ...core.claim import Interval
    from ...core.sampling.stopping import stopping_asked
    from ...formats.resolve import resolve_network, resolve_traffic
    from ..frame.engine_options import engine_if_asked
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from ..frame.screen import results_only

    check_target(json)
    check_target(plot)
    if plot is not None and json is not None and Path(json).resolve() == Path(plot).resolve():
        raise InputError(f"--json and --plot both name the file {plot}; two files were expected")
    if traffic_model is not None:
        from ...routing.made_for import check_not_made_for
        from ...topologies.traffic_models import check_model

        check_model(traffic_model, 1 if samples is None else samples, seed or 0)
        check_not_made_for(routing or "", traffic=traffic_model, seed=seed or 0)
        if model is not _Model.BALANCED:
            raise InputError(f"--traffic-model goes with --model balanced, what random traffic is; found {model.value}")
    network = resolve_network(topology)
    looks = [None if traffic_model is not None else samples]  # packets of a pair, for routing functions
    stopping = None
    if until_width is not None and traffic_model is None:
        stopping = stopping_asked(until_width, samples)
        assert stopping is not None
        looks = [stop for _, stop in stopping.spans()]
    with results_only():
        chosen = _routing(routing, network, samples=looks[0], seed=None if traffic_model is not None else seed)
    traffics = [resolve_traffic(text, network) for text in traffic or ()]
    if plot is not None or figure != "flows":
        from ...report.drawing.plot import check_picture
        from ...report.figures.worst_case import figure_named

        figure_named(figure)
        if plot is not None:
            check_picture(plot, network)
    given_rates = _rates(rates, network, hose=model is _Model.HOSE)
    notes: list[str] = []
    average = None
    with engine_if_asked() as engine:
        for packets in looks:
            if packets != looks[0]:
                with results_only():
                    chosen = _routing(routing, network, samples=packets, seed=seed)
            analysis = answer_worst_case(
                chosen,
                topology=topology,
                traffics=traffics,
                model=model.value,
                rates=given_rates,
                symmetry="none" if no_symmetry else "auto",
                all_channels=all_channels,
                stage=_Stages(),
                spread=None if engine is None else engine.spread,
                stopping=stopping,
            )
            sampled = [x.value for x in analysis.stated if isinstance(x.value, Interval)]
            if stopping is not None and stopping.enough(sampled):
                break
        notes += [] if stopping is None else stopping.told(sampled)
        if traffic_model is not None:
            from ...answers.average import answer_average

            average = answer_average(
                chosen,
                model=traffic_model,
                samples=100 if samples is None else samples,
                seed=seed or 0,
                stopping=stopping_asked(until_width, samples),
                known=analysis.stated,
                topology=topology,
                engine=engine,
                stage=counted,
            )
            notes = [*average.notes]
    if plot is not None:
        _plot(analysis, plot, topology, figure=figure, theme=theme.value)
    shown = []
    if json != "-":
        from ...report.terminal.summary import average_parts, summary

        shown = summary(analysis, seconds=time.perf_counter() - start)
        if average is not None:
            shown += average_parts(average)
        shown += [Text(x) for x in notes]
    if average is not None:
        analysis = replace(analysis, stated=[*analysis.stated, *average.claims()])
    finish(analysis, json=json, shown=shown, routing=chosen)


def _routing(text: str | None, network: Network, *, samples: int | None, seed: int | None) -> Routing:
    from ...routing.named.names import ROUTINGS
    from ...routing.named.spec import routing_from_spec

    if text is None:
        names = ", ".join(ROUTINGS.names())
        raise InputError(
            f"no routing is given; --routing is needed: one of {names}, mix:..., a routing file, or module:function"
        )
    if samples is not None:
        from ...routing.function.user_function import is_function_name

        if not is_function_name(text.partition(",")[0]) or text.partition(":")[0] in ROUTINGS.own:
            raise InputError(
                f"--samples and --until-width are for routing functions (module:function) and for --traffic-model; the "
                f"loads of '{text[:60]}' are exact without them"
            )
        text = f"{text},samples={samples},seed={seed or 0}"
    elif seed is not None:
        raise InputError("--seed goes with --samples; without it nothing is random")
    return routing_from_spec(text, network)


def _rates(path: str | None, network: Network, *, hose: bool) -> Any:
    if path is None:
        if hose:
            raise InputError("the hose model needs --rates FILE: what each terminal sends and receives")
        return None
    if not hose:
        raise InputError("--rates goes with --model hose; the other models have their own rates")
    from .rates import read_rates

    return read_rates(path, network.num_terminals)


class _Stages:
    """A bar for every stage of the work.  The very first run compiles for some seconds: it says so, but not before the
    work begins, when all input has been judged."""

    def __init__(self) -> None:
        self._begun = False

    def __call__(self, name: str) -> AbstractContextManager[Any]:
        from ..frame.progress import counted

        if not self._begun:
            _announce_compilation()
        self._begun = True
        return counted(name)


def _announce_compilation() -> None:
    from ...analysis.worst_case.transport import will_compile
    from ..frame.settings import settings_here

    if not settings_here().quiet and will_compile():
        from ..frame.screen import note

        note("compiling kernels (first run only)")


def _plot(analysis: Any, path: str, topology: str, *, figure: str, theme: str) -> None:
    if analysis.worst_case.permutation is None and not analysis.worst_case.traffic:
        warnings.warn(
            f"no traffic of this model saturates a channel, so there is nothing to draw into {path}",
            RouteproofWarning,
            stacklevel=2,
        )
        return
    from ...report.drawing.geography import positions_in_file
    from ...report.figures.style import theme_named
    from ...report.figures.worst_case import draw_analysis

    positions = positions_in_file(topology, num_nodes=analysis.network.num_nodes)
    draw_analysis(analysis, path, figure=figure, theme=theme_named(theme), positions=positions)
