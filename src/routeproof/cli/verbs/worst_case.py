"""``routeproof worst-case``: which traffic hurts a routing most, on which channel, and what throughput is left."""

from __future__ import annotations

import enum
import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from ...core.errors import InputError, RouteproofWarning
from ..frame import arguments, completions, inputs, outcome, progress
from ..frame.arguments import flag, option

if TYPE_CHECKING:
    from ...core.network import Network
    from ...demand_sets.demand_set import DemandSet
    from ...questions.worst_case import WorstCaseAnswer

_Model = enum.StrEnum("_Model", {"BALANCED": "balanced", "UNBALANCED": "unbalanced", "HOSE": "hose"})


def worst_case(
    topology: arguments.Topology,
    routing: arguments.RoutingName = None,
    traffic: Annotated[
        list[str] | None,
        option(
            "PATTERN",
            "Also analyse this traffic: a pattern such as tornado, or a file. May be given several times.",
            "--traffic",
            "-t",
            autocompletion=completions.complete_pattern,
        ),
    ] = None,
    demands: arguments.Demands = None,
    model: Annotated[
        _Model, option(None, "What terminals may send and receive; hose needs --rates.")
    ] = _Model.BALANCED,
    rates: Annotated[str | None, option("FILE", "What each terminal sends and receives, for --model hose.")] = None,
    all_channels: Annotated[
        bool, flag("The exact worst case of every channel, not only the worst.", "--all-channels")
    ] = False,
    top: Annotated[
        int | None, option("N", "With --all-channels: name so many channels with the highest load (20).", min=1)
    ] = None,
    no_symmetry: Annotated[
        bool, flag("Analyse every channel, even those that are equivalent by symmetry.", "--no-symmetry")
    ] = False,
    traffic_model: Annotated[
        str | None,
        option(
            "MODEL",
            "Also the average case, sampled: permutation, shift, ring, two-permutations, three-permutations, sinkhorn.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        option(
            "N",
            "Estimate the loads of a routing function from N packets a pair; with --traffic-model: number of "
            "random matrices (100; with --until-width at most 100000).",
        ),
    ] = None,
    until_width: arguments.UntilWidth = None,
    seed: Annotated[int | None, option("S", "The seed of --samples (default: 0).")] = None,
    json: arguments.JsonReport = None,
    plot: Annotated[str | None, option("FILE", "Draw the worst case: .svg, .png or .pdf.")] = None,
    figure: Annotated[
        str | None,
        option(
            "FIGURE",
            "What --plot draws: {figures}. Default: flows; packets of sparse:all, jobs of jobs.",
            autocompletion=completions.complete_figure,
        ),
    ] = None,
    theme: arguments.Theme = arguments.ThemeName.LIGHT,
) -> None:
    """The exact worst case of a routing on a network, with its proof.

    For example: routeproof worst-case torus:9x9 --routing romm --traffic tornado --plot romm.svg
    """
    start = time.perf_counter()
    from functools import partial

    from rich.text import Text

    from ...core.claim import Interval
    from ...core.sampling.stopping import stopping_asked
    from ...formats.resolve import resolve_network, resolve_traffic
    from ...questions.worst_case import answer_average, answer_worst_case
    from ...report.terminal.summary import average_parts, summary

    if top is not None and not all_channels:
        raise InputError("--top goes with --all-channels, which finds the worst case of every channel")
    average_case = traffic_model is not None  # then matrices are sampled, and no packets
    if traffic_model is not None:
        _check_average(traffic_model, routing, model, samples=samples, seed=seed)
    network = resolve_network(topology)
    wanted = inputs.demands_given(demands, network)
    if wanted is not None and (model is not _Model.BALANCED or rates is not None):
        raise InputError("--demands says what terminals may send, as --model and --rates do: one of them was expected")
    stopping = stopping_asked(until_width, samples)
    packets = [None if average_case else samples]  # of a pair, for routing functions
    if stopping is not None and not average_case:
        packets = [stop for _, stop in stopping.spans()]
    sample = partial(inputs.sampled_routing, routing, network, seed=None if average_case else seed)
    chosen = sample(samples=packets[0])
    traffics = [resolve_traffic(text, network) for text in traffic or ()]
    figure = figure or _usual_figure(wanted)
    _check_figure(plot, figure, network)
    given = _rates(rates, network, hose=model is _Model.HOSE)
    with inputs.long_work(topology, progress.announced_bars()) as setting:
        for count in packets:
            chosen = chosen if count == packets[0] else sample(samples=count)
            analysis = answer_worst_case(
                chosen, traffics=traffics, model=model.value, rates=given, demands=wanted, all_channels=all_channels,
                symmetry="none" if no_symmetry else "auto", stopping=None if average_case else stopping,
                whole_flows=True, setting=setting,
            )  # fmt: skip
            sampled = [x.value for x in analysis.stated if isinstance(x.value, Interval)]
            if stopping is not None and not average_case and stopping.enough(sampled):
                break
        notes = [*analysis.notes]
        if stopping is not None and not average_case:
            notes += stopping.notes(sampled)
        average = None
        if traffic_model is not None:
            average = answer_average(
                chosen, model=traffic_model, samples=100 if samples is None else samples, seed=seed or 0,
                stopping=stopping, known=analysis.stated, setting=setting,
            )  # fmt: skip
            notes += average.notes
    if plot is not None:
        _plot(analysis, plot, topology, figure=figure, theme=theme.value)
    parts = summary(analysis, seconds=time.perf_counter() - start, top=20 if top is None else top)
    if average is not None:
        parts += average_parts(average)
        analysis = replace(analysis, stated=[*analysis.stated, *average.claims()])
    outcome.finish(analysis, lambda _: [*parts, *map(Text, notes)], json=json, routing=chosen)


def _check_average(
    traffic_model: str, routing: str | None, model: _Model, *, samples: int | None, seed: int | None
) -> None:
    from ...routing.turns.two_turn_paths import check_not_made_for
    from ...topologies.traffic_models import check_model

    check_model(traffic_model, 1 if samples is None else samples, seed or 0)
    check_not_made_for(routing or "", traffic=traffic_model, seed=seed or 0)
    if model is not _Model.BALANCED:
        raise InputError(f"--traffic-model goes with --model balanced, what random traffic is; found {model.value}")


def _check_figure(plot: str | None, figure: str, network: Network) -> None:
    if plot is None and figure == "flows":
        return
    from ...report.drawing.plot import check_picture
    from ...report.figures.worst_case import figure_named

    figure_named(figure)
    if figure == "packets":
        outcome.check_plot(plot)
    elif plot is not None:
        check_picture(plot, network)


def _usual_figure(demands: DemandSet | None) -> str:
    """What --plot draws where --figure does not say it."""
    if demands is None or demands.most_packets is None:
        return "jobs" if demands is not None and demands.several_jobs else "flows"
    return "packets"


def _rates(path: str | None, network: Network, *, hose: bool) -> Any:

    if path is None and hose:
        raise InputError("the hose model needs --rates FILE: what each terminal sends and receives")
    if path is not None and not hose:
        raise InputError("--rates goes with --model hose; the other models have their own rates")
    return None if path is None else inputs.read_rates(path, network.num_terminals)


def _plot(analysis: WorstCaseAnswer, path: str, topology: str, *, figure: str, theme: str) -> None:
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
