"""The command of a question: its options, how they become the question, and how the answer is shown and written."""

from __future__ import annotations

import contextlib
import enum
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from ...core.errors import RouteproofWarning
from ...machine.interrupts import unhurried
from ...questions.question import UNSET, Given, Option, Question, help_of, options_of
from . import inputs, outcome, progress
from .added_options import long_work
from .arguments import declared
from .solving import solving

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...questions.answer import Setting
    from ...report.figures.style import Theme

Verb = Callable[..., None]


def command_of(question: type[Question[Any]], name: str | None = None) -> Verb:
    """The function of the command that asks it, for typer; ``name``: of the verb, where the class's is not the one."""

    def verb(**values: Any) -> None:
        ask(question, {key: str(x) if isinstance(x, enum.Enum) else x for key, x in values.items()})

    parameters = [parameter(x) for x in options_of(question)]
    verb.__name__, verb.__doc__, verb.__module__ = name or question.__name__.lower(), help_of(question), __name__
    verb.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    verb.__annotations__ = {x.name: x.annotation for x in parameters}
    return long_work(verb) if question.long else verb


def parameter(known: Option) -> inspect.Parameter:
    """An option as typer knows it."""
    kind, default = known.kind, known.command_default
    if known.choices:
        members = {x.upper().replace("-", "_"): x for x in known.choices}
        words: Any = enum.StrEnum("Words", members)  # type: ignore[misc]
        kind, default = (words | None, None) if default is None else (words, default)
        if isinstance(default, str):
            default = words(default)
    return inspect.Parameter(
        known.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is UNSET else default,
        annotation=Annotated[kind, declared(known)],
    )


def ask(question: type[Question[Any]], values: Mapping[str, Any]) -> None:
    """Make the question, answer it, and show and write what was found."""
    from ...report import shown

    outcome.check_plot(values.get("plot"))
    asked = question.read(Given(values, inputs))
    with _setting(question, values) as setting:
        answer = asked.answer(setting)
    if values.get("output") is not None:
        asked.write(answer, values["output"], outcome.write_document)
    figure, tables = shown.figure_of(answer, asked), {x: values[x] for x in _TABLES if values.get(x) is not None}
    with unhurried() if getattr(answer, "interrupted", False) else contextlib.nullcontext():
        if values.get("plot") is not None and figure is not None:
            _draw(figure, values, answer.undrawable)
        for form, path in tables.items():
            outcome.write_text(path, shown.table_of(answer, form))
        outcome.finish(
            answer,
            lambda found: shown.parts_of(found, values),
            json=values.get("json"),
            printed="-" in tables.values(),
            routing=getattr(answer, "routing", None) if hasattr(asked, "routing") else None,
            figure=figure if shown.shown(answer).on_page else None,
        )


_TABLES = ("csv", "latex", "markdown")


def _draw(figure: Callable[[Theme], Figure], values: Mapping[str, Any], undrawable: str) -> None:
    if undrawable:
        nothing = f"{undrawable}, so there is nothing to draw into {values['plot']}"
        warnings.warn(nothing, RouteproofWarning, stacklevel=2)
        return
    from ...report.figures.style import theme_named, write_figure

    theme = {"theme": theme_named(values["theme"])} if "theme" in values else {}
    write_figure(values["plot"], figure, **theme)


@contextlib.contextmanager
def _setting(question: type[Question[Any]], values: Mapping[str, Any]) -> Iterator[Setting]:
    topology, stage = values.get("topology"), progress.announced_bars()
    if question.long:
        with inputs.long_work(topology, stage, always=question.long == "always") as setting:
            yield setting
    else:
        yield inputs.setting_here(topology, stage=stage, solving=solving)
