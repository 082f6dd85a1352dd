"""``routeproof simulate packets`` on a t-nary d-cube: a destination graph, or a reference algorithm to compare with."""

from __future__ import annotations

from ...core.errors import InputError
from ...formats.resolve_cube import NamedCube

__all__ = ["cube_packets"]


def cube_packets(
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
    """Run it, check it, print it; options as on the command line."""
    from ...answers.simulate.cube import CubeQuestion, answer_cube, answer_cube_trials
    from ...core.sampling.stopping import stopping_asked
    from ...formats.resolve_cube import resolve_request
    from ...report.terminal.cubes import cube_parts, cube_trials_parts
    from ..frame.engine_options import engine_if_asked
    from ..frame.outcome import finish
    from ..frame.progress import counted

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
        with engine_if_asked() as engine:
            repeated = answer_cube_trials(
                question, trials=trials, stopping=stopping_asked(until_width, trials), engine=engine, stage=counted
            )
        finish(repeated, json=json, shown=cube_trials_parts(repeated))
        return
    if plot is not None:
        from ...report.drawing.cube_picture import check_cube_picture

        check_cube_picture(plot, named.cube)
    answer = answer_cube(question)
    finish(answer, json=json, shown=cube_parts(answer))
    if plot is not None:
        from ...report.drawing.cube_picture import plot_cube_run

        plot_cube_run(answer.run, plot, title=answer.title)
