"""``routeproof study``: a published table or figure, computed again beside what was printed."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from ..frame import engine_options, outcome, progress, screen
from ..frame.arguments import PlotFile, Theme, ThemeName, argument, option
from ..frame.completions import completions


def _names(incomplete: str) -> list[tuple[str, str]]:
    from ...studies.registry import STUDIES

    return completions(((name, entry.help) for name, entry in STUDIES.items()), incomplete)


def study(
    name: Annotated[
        str | None, argument("NAME", "The study to run; without a name, or list: what there is.", autocompletion=_names)
    ] = None,
    plot: PlotFile = None,
    theme: Theme = ThemeName.LIGHT,
    json: Annotated[str | None, option("FILE", "Write the result as JSON; - for standard output.")] = None,
) -> None:
    """Reproduce a published table or figure: computed beside published values, differences with their reason.

    For example: routeproof study towles-dally-2002-table-1
    """
    from ...core.errors import InputError
    from ...report.figures.study import study_figure
    from ...report.terminal.study import studies_table, study_document, study_parts
    from ...studies.registry import STUDIES, run_study

    if name is None or name == "list":
        for option_name, path in (("--json", json), ("--plot", plot)):
            if path is not None:
                raise InputError(
                    f"{option_name} writes the result of a study; routeproof study NAME {option_name} was expected"
                )
        screen.show(studies_table(STUDIES))
        return
    if plot is not None and name in STUDIES and not STUDIES[name].drawn:
        drawn = ", ".join(x for x, entry in STUDIES.items() if entry.drawn)
        raise InputError(f"study {name} is a table and has no figure; these have one: {drawn}")
    outcome.check_plot(plot)
    with progress.status_line() as tell, engine_options.engine_here() as engine:
        result = run_study(name, progress=tell, engine=engine)
    if plot is not None:
        from ...report.figures.style import theme_named, write_figure

        write_figure(plot, partial(study_figure, result), theme=theme_named(theme.value))
    document, shown = study_document(result), study_parts(result)
    if json is not None:
        outcome.write_document(json, document)
    figure = partial(study_figure, result) if STUDIES[name].drawn else None
    outcome.put_on_page({}, [], title=result.title, parts=shown, document=document, figure=figure)
    if json != "-":
        screen.show(*shown)
