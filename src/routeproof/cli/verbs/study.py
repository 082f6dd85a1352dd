"""``routeproof study``: a published table or figure, computed again beside what was printed."""

from __future__ import annotations

from typing import Annotated

import typer

from .plot_options import PlotFile, Theme, ThemeName

__all__ = ["study"]


def _names(incomplete: str) -> list[tuple[str, str]]:
    from ...studies.registry import STUDIES

    return [(name, entry.help) for name, entry in STUDIES.items() if name.startswith(incomplete)]


def study(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="The study to run; without a name, or list: what there is.", autocompletion=_names
        ),
    ] = None,
    plot: PlotFile = None,
    theme: Theme = ThemeName.LIGHT,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
    ] = None,
) -> None:
    """Reproduce a published table or figure: computed beside published values, differences with their reason.

    For example: routeproof study towles-dally-2002-table-1
    """
    from ...core.errors import InputError
    from ...report.terminal.study import studies_table, study_document, study_parts
    from ...studies.registry import STUDIES, run_study
    from ..frame.engine_options import engine_if_asked
    from ..frame.html_option import put_on_page
    from ..frame.outcome import check_target, write_document
    from ..frame.progress import told
    from ..frame.screen import show

    check_target(json)
    check_target(plot)
    if name is None or name == "list":
        for option, path in (("--json", json), ("--plot", plot)):
            if path is not None:
                raise InputError(f"{option} writes the result of a study; routeproof study NAME {option} was expected")
        show(studies_table(STUDIES))
        return
    if plot is not None:
        from ...report.figures.style import check_figure

        if name in STUDIES and not STUDIES[name].drawn:
            drawn = ", ".join(x for x, entry in STUDIES.items() if entry.drawn)
            raise InputError(f"study {name} is a table and has no figure; these have one: {drawn}")
        check_figure(plot)
    with told() as tell, engine_if_asked() as engine:
        result = run_study(name, progress=tell, engine=engine)
    if plot is not None:
        from ...report.figures.study import plot_study
        from ...report.figures.style import theme_named

        plot_study(result, plot, theme=theme_named(theme.value))
    if json is not None:
        write_document(json, study_document(result))
    put_on_page({}, [], title=result.title, shown=study_parts(result), document=study_document(result))
    if json != "-":
        show(*study_parts(result))
