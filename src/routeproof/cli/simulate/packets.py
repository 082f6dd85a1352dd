"""``routeproof simulate packets``: permutations through a multistage network or a t-nary d-cube, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ...core.errors import InputError
from ..frame import arguments, inputs, outcome
from ..frame.arguments import option

if TYPE_CHECKING:
    from ...formats.resolve import NamedCube


def packets(
    wiring: arguments.Wiring,
    permutation: arguments.Permutations = None,
    load: arguments.Load = 1,
    algorithm: Annotated[
        str | None,
        option(
            "NAME",
            "Multistage: upfal (waves, phases, colours) or greedy with queues. Cubes: destination-graph, e-cube, "
            "valiant-brebner, valiant-brebner-at-once, greedy, borodin-hopcroft, hamiltonian.",
        ),
    ] = None,
    many_one: Annotated[
        str | None, option("FILE", "Cubes: a destination for every node, not all different; or all-to:0.")
    ] = None,
    trials: Annotated[
        int | None,
        option(
            "N",
            "Number of runs (200): multistage with the number of each in the place of {trial}, as in "
            "--permutation 'random:seed={trial}'; cubes with a randomized algorithm.",
        ),
    ] = None,
    until_width: arguments.UntilWidth = None,
    seed: Annotated[int, option("S", "Cubes: the random seed.", min=0)] = 0,
    plot: Annotated[
        str | None, option("FILE", "Packets by level and step (.svg, .png, .pdf); cubes: every step.")
    ] = None,
    trace: Annotated[str | None, option("FILE", "Where every packet is after every step, as CSV (Upfal).")] = None,
    faults: arguments.FaultFile = None,
    epsilon: arguments.Epsilon = "1/4",
    threshold: arguments.Threshold = None,
    sweep: arguments.Sweep = None,
    json: arguments.JsonClaims = None,
    theme: arguments.Theme = arguments.ThemeName.LIGHT,
) -> None:
    """How fast permutations go through a multistage network, or a cube (hypercube:6, hyperx:3x3, or GRAPH.json).

    Multistage: Upfal's algorithm, several permutations pipelined, or greedy with queues; with --faults, packets that
    start or end at a switch that does not survive are left out. Cubes: a destination graph, or algorithms to compare
    with.

    For example: routeproof simulate packets multibutterfly:1024,d=2,seed=7 --permutation bit-reversal --load 4
    """
    from ...formats.resolve import resolve_cube
    from ...questions.simulate.wired import answer_packets
    from ...report.terminal.wired import packets_parts
    from ...simulate.multistage.runs import WiredRequest
    from .repeated import draw_run, ran_many

    cube = None if sweep else resolve_cube(wiring)
    if cube is not None:
        if faults is not None or load != 1 or trace is not None or epsilon != "1/4" or threshold is not None:
            raise InputError(
                "--faults, --epsilon, --threshold, --load and --trace are for multistage networks; a cube has none of "
                "them here"
            )
        _cube_packets(
            cube, permutation or [], many_one, algorithm, seed=seed, trials=trials, until_width=until_width, plot=plot,
            json=json,
        )  # fmt: skip
        return
    for name, path in (("--plot", plot), ("--trace", trace)):
        if path is not None and (sweep or algorithm == "greedy"):
            raise InputError(
                f"{name} follows one run of Upfal's algorithm, "
                + ("a sweep is many runs" if sweep else "greedy packets wait in queues, of any length")
            )
    if many_one is not None:
        raise InputError("--many-one is for cubes such as hypercube:6, hyperx:3x3 or a destination graph's file")
    if (trials is not None or until_width is not None) and (plot is not None or trace is not None):
        raise InputError("--trials and --until-width sample many runs; leave --plot and --trace out")
    outcome.check_plot(plot)
    asked = WiredRequest(
        wiring, tuple(permutation or ()), load, algorithm or "", faults=faults, epsilon=epsilon, threshold=threshold
    )
    if ran_many("packets", asked, trials=trials, until_width=until_width, sweep=sweep, json=json):
        return
    answer = answer_packets(asked, setting=inputs.setting_here())
    if plot is not None:
        from ...report.figures.packets import packets_run_figure

        draw_run(plot, packets_run_figure, answer, theme)
    if trace is not None:
        from ...formats.text_files import write_text_atomic
        from ...report.packet_trace import packet_trace

        done = answer.run
        write_text_atomic(trace, packet_trace(done.wiring, done.images, load=load, alive=done.alive))
    outcome.finish(answer, packets_parts, json=json)


def _cube_packets(
    named: NamedCube,
    permutation: list[str],
    many_one: str | None,
    algorithm: str | None,
    *,
    seed: int,
    trials: int | None,
    until_width: str | None,
    plot: str | None,
    json: str | None,
) -> None:
    """On a t-nary d-cube: a destination graph, or a reference algorithm to compare with."""
    from ...core.sampling.stopping import stopping_asked
    from ...formats.resolve import resolve_request
    from ...questions.simulate.cube import CubeQuestion, answer_cube, answer_cube_trials
    from ...report.drawing.cube_picture import check_cube_picture, plot_cube_run
    from ...report.terminal.cubes import cube_parts, cube_trials_parts

    wanted = [*permutation, *([] if many_one is None else [many_one])]
    if len(wanted) != 1:
        raise InputError(
            f"{len(wanted)} requests are given; one --permutation such as bit-reversal, or one --many-one FILE, was "
            "expected"
        )
    destination = resolve_request(wanted[0], named.cube, many_one=many_one is not None)
    question = CubeQuestion(named, destination, many_one is not None, algorithm, seed)
    if trials is not None or until_width is not None:
        if plot is not None:
            raise InputError("--plot draws one run; leave --trials out")
        stopping = stopping_asked(until_width, trials)
        with inputs.long_work() as setting:
            repeated = answer_cube_trials(question, trials=trials, stopping=stopping, setting=setting)
        outcome.finish(repeated, cube_trials_parts, json=json)
        return
    if plot is not None:
        check_cube_picture(plot, named.cube)
    answer = answer_cube(question)
    outcome.finish(answer, cube_parts, json=json)
    if plot is not None:
        plot_cube_run(answer.run, plot, title=answer.title)
