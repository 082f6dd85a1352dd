"""``routeproof simulate packets``: permutations through a multistage network or a t-nary d-cube, step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from ..verbs.plot_options import Theme, ThemeName
from ..verbs.sampling_options import UntilWidth
from .arguments import Epsilon, FaultFile, JsonFile, Load, Permutations, Sweep, Threshold, WiringText

__all__ = ["packets"]


def packets(
    wiring: WiringText,
    permutation: Permutations = None,
    load: Load = 1,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            help="Multistage: upfal (waves, phases, colours) or greedy with queues. Cubes: destination-graph, e-cube, "
            "valiant-brebner, valiant-brebner-at-once, greedy, borodin-hopcroft, hamiltonian.",
        ),
    ] = None,
    many_one: Annotated[
        str | None,
        typer.Option(
            "--many-one", metavar="FILE", help="Cubes: a destination for every node, not all different; or all-to:0."
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials",
            metavar="N",
            help="Number of runs (200): multistage with the number of each in the place of {trial}, as in "
            "--permutation 'random:seed={trial}'; cubes with a randomized algorithm.",
        ),
    ] = None,
    until_width: UntilWidth = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", min=0, help="Cubes: the random seed.")] = 0,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Packets by level and step (.svg, .png, .pdf); cubes: every step.",
        ),
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option("--trace", metavar="FILE", help="Where every packet is after every step, as CSV (Upfal)."),
    ] = None,
    faults: FaultFile = None,
    epsilon: Epsilon = "1/4",
    threshold: Threshold = None,
    sweep: Sweep = None,
    json: JsonFile = None,
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """How fast permutations go through a multistage network, or a cube (hypercube:6, hyperx:3x3, or GRAPH.json).

    Multistage: Upfal's algorithm, several permutations pipelined, or greedy with queues; with --faults, packets that
    start or end at a switch that does not survive are left out. Cubes: a destination graph, or algorithms to compare
    with.

    For example: routeproof simulate packets multibutterfly:1024,d=2,seed=7 --permutation bit-reversal --load 4
    """
    from ...answers.simulate.wired import answer_packets
    from ...core.errors import InputError
    from ...formats.resolve_cube import resolve_cube
    from ...report.terminal.wired import packets_parts
    from ...simulate.multistage.runs import WiredRequest
    from ..frame.outcome import check_plot, check_target, finish
    from ..frame.progress import counted
    from .repeated import ran_many

    check_target(json)
    cube = None if sweep else resolve_cube(wiring)
    if cube is not None:
        from .cube import cube_packets

        if faults is not None or load != 1 or trace is not None or epsilon != "1/4" or threshold is not None:
            raise InputError(
                "--faults, --epsilon, --threshold, --load and --trace are for multistage networks; a cube has none of "
                "them here"
            )
        cube_packets(
            cube, permutation or [], many_one, algorithm, seed=seed, trials=trials, until_width=until_width, plot=plot,
            json=json,
        )  # fmt: skip
        return
    check_target(trace)
    for option, path in (("--plot", plot), ("--trace", trace)):
        if path is not None and (sweep or algorithm == "greedy"):
            raise InputError(
                f"{option} follows one run of Upfal's algorithm, "
                + ("a sweep is many runs" if sweep else "greedy packets wait in queues, of any length")
            )
    if many_one is not None:
        raise InputError("--many-one is for cubes such as hypercube:6, hyperx:3x3 or a destination graph's file")
    sampled = trials is not None or until_width is not None
    if sampled and (plot is not None or trace is not None):
        raise InputError("--trials and --until-width sample many runs; leave --plot and --trace out")
    check_plot(plot)
    asked = WiredRequest(
        wiring,
        tuple(permutation or ()),
        load=load,
        algorithm=algorithm or "",
        faults=faults,
        epsilon=epsilon,
        threshold=threshold,
    )
    if ran_many("packets", asked, trials=trials, until_width=until_width, sweep=sweep, json=json):
        return
    answer = answer_packets(asked, stage=counted)
    if plot is not None:
        from ...report.figures.packets import packets_run_figure
        from ...report.figures.style import theme_named, write_figure

        write_figure(plot, lambda look: packets_run_figure(answer, look), theme=theme_named(theme.value))
    if trace is not None:
        from ...formats.documents.json_text import write_text_atomic
        from ...report.packet_trace import packet_trace

        done = answer.run
        write_text_atomic(trace, packet_trace(done.wiring, done.images, load=load, alive=done.alive))
    finish(answer, json=json, shown=packets_parts(answer))
