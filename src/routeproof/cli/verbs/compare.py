"""``routeproof compare``: several routings on one network, side by side."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

from ...core.errors import InputError
from ...machine.interrupts import unhurried
from ..frame import inputs, outcome, progress
from ..frame.arguments import (
    Demands,
    JsonReport,
    Theme,
    ThemeName,
    Topology,
    argument,
    flag,
    option,
)
from ..frame.completions import complete_pattern, complete_routing


def compare(
    topology: Topology,
    routings: Annotated[
        list[str] | None,
        argument(
            "[ROUTING...]",
            "Routings as for worst-case --routing; default, of a directory of dumps: its own, and ecmp "
            "(Ethernet) or sssp and updown (InfiniBand).",
            autocompletion=complete_routing,
        ),
    ] = None,
    demands: Demands = None,
    traffic: Annotated[
        list[str] | None,
        option(
            "PATTERN",
            "A column for this traffic, too: a pattern or a file. May be given several times.",
            "--traffic",
            "-t",
            autocompletion=complete_pattern,
        ),
    ] = None,
    traffic_model: Annotated[
        str | None,
        option("MODEL", "A column for the average case, sampled: permutation, shift, ring or as in worst-case."),
    ] = None,
    samples: Annotated[int | None, option("N", "With --traffic-model: number of random matrices (100).")] = None,
    seed: Annotated[int | None, option("S", "With --traffic-model: the seed of the matrices (0).")] = None,
    virtual_channels: Annotated[
        bool, flag("Look for virtual channels that make each routing deadlock-free.", "--virtual-channels")
    ] = False,
    deadlock: Annotated[
        bool,
        flag("Judge whether packets can deadlock on one virtual channel (default).", "--deadlock/--no-deadlock"),
    ] = True,
    best: Annotated[
        bool | None,
        flag(
            "Rank them, and bound the best oblivious routing by a linear program (default for fabrics).",
            "--best/--no-best",
        ),
    ] = None,
    time_limit: Annotated[float | None, option("SECONDS", "For the linear program of --best.")] = None,
    service_levels: Annotated[
        list[str] | None,
        option(
            "[ROUTING=]FILE",
            "Path records with the service levels of a fabric's tables (saquery -p); may be given for each.",
        ),
    ] = None,
    sl2vl: Annotated[
        list[str] | None,
        option(
            "[ROUTING=]FILE", "The tables from service levels to virtual lanes that go with them (opensm-sl2vl.dump)."
        ),
    ] = None,
    json: JsonReport = None,
    csv: Annotated[str | None, option("FILE", "Write the table for programs; - for standard output.")] = None,
    latex: Annotated[str | None, option("FILE", "Write the table for LaTeX; - for standard output.")] = None,
    markdown: Annotated[str | None, option("FILE", "Write the table as Markdown; - for standard output.")] = None,
    plot: Annotated[str | None, option("FILE", "Draw bars of throughput: .svg, .png or .pdf.")] = None,
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """Exact worst case, uniform throughput, path length and deadlock freedom of several routings on one network.

    For example: routeproof compare torus:8x8 dor valiant ival rlb
    """
    from ...answers.compare import answer_compare
    from ...formats.infiniband.fabric import FabricNetwork
    from ...formats.resolve import resolve_network, resolve_traffic
    from ...report.figures.compare import compare_figure
    from ...report.figures.style import theme_named, write_figure
    from ...report.table_files import FORMS
    from ...report.terminal.compare import comparison_numbers, comparison_parts, comparison_table
    from ...topologies.traffic_models import check_model

    outcome.check_plot(plot)

    if traffic_model is not None:
        check_model(traffic_model, 100 if samples is None else samples, seed or 0)
    elif samples is not None or seed is not None:
        raise InputError(f"{'--seed' if samples is None else '--samples'} goes with --traffic-model")
    network = resolve_network(topology)
    if routings:
        chosen = [inputs.routing_given(text, network) for text in routings]
    else:
        routings, chosen = inputs.usual_routings(network)
    inputs.check_seconds(time_limit)
    wanted = inputs.demands_given(demands, network)
    fabric = isinstance(network, FabricNetwork) or network.own_routing is not None
    rank = wanted is None and fabric if best is None else best
    levels = inputs.levels_given(service_levels or [], sl2vl or [], routings, network)
    result = answer_compare(
        chosen, traffics=[resolve_traffic(x, network) for x in traffic or ()], traffic_model=traffic_model,
        samples=100 if samples is None else samples, seed=seed or 0, virtual=virtual_channels, judge_deadlock=deadlock,
        best=rank, time_limit=time_limit, demands=wanted,
        levels={chosen[k].name: found for k, found in levels.items()},
        setting=inputs.setting_here(topology, stage=progress.announced_bars()),
    )  # fmt: skip
    with unhurried() if result.interrupted else nullcontext():
        if plot is not None:
            write_figure(plot, lambda look: compare_figure(result, look), theme=theme_named(theme.value))
        files = {"csv": csv, "latex": latex, "markdown": markdown}
        for form, path in files.items():
            if path is not None:
                table = comparison_numbers(result) if form == "csv" else comparison_table(result)
                outcome.write_text(path, FORMS[form](*table))
        outcome.finish(result, comparison_parts, json=json, printed="-" in files.values())
