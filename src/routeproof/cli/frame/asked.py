"""The command of a verb: how its options become a question, and how the answer is shown and written.

Results go to standard output, or to a file, whole or not at all.
"""

from __future__ import annotations

import contextlib
import enum
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ...core.errors import InputError, RouteproofWarning
from ...core.quoted import split_outside
from ...machine.interrupts import unhurried
from ...machine.memory import memory_allowed
from ...questions.answer import Answer, Setting
from ...questions.given import Given
from ...questions.question import Verb, help_of
from . import progress, screen
from .engine_options import EngineSettings, engine_here, with_settings
from .options import FIGURE, HOSTS, LONG, all_options, parameter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...report.figures.style import Theme

# Options that name a file to write; what does not change a result does not make another command.
_WRITTEN = (
    "json", "csv", "latex", "markdown", "plot", "output", "trace", "state", "checkpoint", "elaborate", "target", "html"
)  # fmt: skip
_OUTPUTS = ("json", "csv", "latex", "markdown", "plot", "trace", "html", "output", "figure", "theme")
# Nor do more samples, which go on where fewer ended; pieces whose content depends on their number are told apart by it.
_COUNTS = ("trials", "samples", "until_width")
_TABLES = ("csv", "latex", "markdown")
_BESIDE = tuple(x.name for x in (*LONG, *FIGURE, *HOSTS))


def command_of(verb: type[Verb]) -> Callable[..., None]:
    """The function of the command that asks it, for typer."""
    return _Command(verb)


class _Command:
    """A function whose parameters are made when they are looked at: of the verbs that there are, one is asked."""

    def __init__(self, verb: type[Verb]) -> None:
        self.verb, self.__name__, self.__doc__ = verb, verb.verb.replace("-", "_"), help_of(verb)

    @cached_property
    def __signature__(self) -> inspect.Signature:
        return inspect.Signature([parameter(x) for x in all_options(self.verb)])

    @cached_property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]
        return {x.name: x.annotation for x in self.__signature__.parameters.values()}

    def __call__(self, **given: Any) -> None:
        values = {key: str(x) if isinstance(x, enum.Enum) else x for key, x in given.items()}
        _check_files(values)
        _choose_hosts(values)
        with _figure_wished(values), _at_work(self.verb, values):
            ask(self.verb, values)


def _check_files(values: Mapping[str, Any]) -> None:
    """Raise InputError, before any work is done, for files that cannot be written, or would be written twice."""
    from ...report.files import check_writable

    if values["html"] == "-":
        raise InputError("--html writes a file, not to standard output; a name such as report.html was expected")
    targets: dict[str, str] = {}
    for name in _WRITTEN:
        file = values.get(name)
        if file is None:
            continue
        if file != "-":
            check_writable(file)
        where, option = file if file == "-" else str(Path(file).resolve()), "OUT" if name == "target" else f"--{name}"
        if where in targets:
            what = "standard output is" if file == "-" else f"the file {file} is"
            raise InputError(f"{what} to be written twice, for {targets[where]} and for {option}; two were expected")
        targets[where] = option
    for text in _read(values):
        over = targets.get(str(Path(text).resolve())) if text else None
        if over and Path(text).is_file():
            raise InputError(f"the file {text} is read, and {over} would write over it; another name was expected")


def _read(values: Mapping[str, Any]) -> Iterator[str]:
    """What may be the name of a file to read; ``--start`` may name the tables that are written better."""
    for name, value in values.items():
        if name not in (*_WRITTEN, "start_from", "run"):
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and "\0" not in text:
                    yield from {text, text.partition(",")[0], text.partition(":")[2].partition(",")[0]}


def _choose_hosts(values: dict[str, Any]) -> None:
    """The choice stands in the topology's text, where reports and run directories keep it."""
    for name in ("hosts", "without"):
        if values.get(name) is not None and values.get("topology") is not None:
            pattern = ";".join(split_outside(values[name], ",", brackets=True))
            values["topology"] = f"{values['topology']},{name}={pattern}"


def _figure_wished(values: Mapping[str, Any]) -> AbstractContextManager[None]:
    if values.get("figure") is not None and values.get("plot") is None and values["html"] is None:
        raise InputError("--figure says what --plot and --html draw; --plot FILE was expected with it")
    title, size = values.get("title"), values.get("size")
    if title is None and size is None:
        return contextlib.nullcontext()
    from ...report.figures.style import FORMATS, drawn_as

    target = values.get("plot", values.get("target"))
    if target is None or ("plot" not in values and Path(target).suffix.lower() not in FORMATS):
        which = "--plot FILE" if "plot" in values else "a file that ends in .svg, .png or .pdf"
        raise InputError(f"--title and --size are for a figure, and none is drawn; {which} was expected with them")
    return drawn_as(title=title, size=_inches(size))


def _inches(text: str | None) -> tuple[float, float] | None:
    """``6x4`` as (6.0, 4.0)."""
    if text is None:
        return None
    try:
        wide, high = (float(x) for x in text.lower().split("x"))
    except ValueError:
        raise InputError(
            f"--size is '{text[:40]}'; WIDTHxHEIGHT in inches was expected, such as 6x4 or 3.5x2.5"
        ) from None
    return wide, high


@contextlib.contextmanager
def _at_work(verb: type[Verb], values: Mapping[str, Any]) -> Iterator[None]:
    plain = {k: _plain(v) for k, v in values.items() if k not in (*_BESIDE, *_OUTPUTS, *_COUNTS)}
    name = verb.verb.rpartition(" ")[2]
    long = {x.name: values[x.name] for x in LONG if x.name in values}
    settings = EngineSettings(**long, command={"verb": name, **plain})
    with with_settings(settings), memory_allowed(settings.most_memory()), progress.working(name):
        yield
    if settings.asked and not any(settings.spread):
        warnings.warn(
            "there was nothing to spread or to keep: this work has no independent pieces, or is too small for them",
            RouteproofWarning,
            stacklevel=2,
        )


def _plain(value: Any) -> Any:
    """An argument as it stands in a run directory."""
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def ask(verb: type[Verb], values: Mapping[str, Any]) -> None:
    """Make the question, answer it, and show and write what was found."""
    from ...report import shown

    _check_ending(verb, values.get("plot"))
    asked = verb.read(Given(values))
    if values.get("plot") is not None or values.get("figure") is not None:
        shown.function(asked.plot_check)(asked, values.get("plot"))
    with _setting(asked.engine, values.get("topology")) as setting:
        answer = asked.answer(setting)
    if not answer.settled:
        screen.note(shown.function(answer.shown.unsettled or "")(answer))
        raise typer.Exit(1)
    if values.get("output") is not None:
        asked.write(answer, values["output"], write_document)
    figure = shown.figure_of(answer, asked)
    with unhurried() if getattr(answer, "interrupted", False) else contextlib.nullcontext():
        _draw(answer, figure, values)
        for form in _TABLES:
            if values.get(form) is not None:
                write_text(values[form], shown.table_of(answer, form))
        routing = shown.routing_of(asked, answer)
        _finish(answer, values, routing=routing, figure=figure if answer.shown.on_page else None)
    if answer.failed:
        raise typer.Exit(1)


def _check_ending(verb: type[Verb], plot: str | None) -> None:
    """Raise InputError for a figure's file that ends in no known way: before networks and routings are made."""
    from ...report.figures.style import check_figure

    if plot is not None and Path(plot).suffix.lower() not in verb.drawn_also:
        check_figure(plot)


def _draw(answer: Answer, figure: Callable[[Theme], Figure] | None, values: Mapping[str, Any]) -> None:
    from ...report import shown
    from ...report.figures.style import theme_named, write_figure

    path = values.get("plot", values.get("target"))
    if path is None:
        return
    if answer.undrawable:
        warnings.warn(f"{answer.undrawable}, so there is nothing to draw into {path}", RouteproofWarning, stacklevel=2)
        return
    theme = theme_named(values.get("theme", "light"))
    if answer.shown.plot is not None:
        shown.function(answer.shown.plot)(answer, path, theme)
    elif figure is not None:
        write_figure(path, figure, theme=theme)


def _finish(answer: Answer, values: Mapping[str, Any], **page: Any) -> None:
    """Write report and page where they are wanted; print what was found unless standard output is taken."""
    from ...report import shown

    json, html = values.get("json"), values["html"]
    silent = json == "-" or any(values.get(x) == "-" for x in _TABLES)
    parts = shown.parts_of(answer, values) if not silent or html is not None else ()
    if json is not None:
        write_document(json, answer.document())
    if html is not None:
        from ...report.html.page import Page, page_html
        from ...verification.elaborate import proof_for_page

        own = shown.page_of(answer)
        subject = own.pop("subject", None) or answer.subject
        page |= {"network": answer.network, "parts": parts, "typed": values.get("routing") or "", **own}
        proof = proof_for_page(subject, answer.claims())
        write_text(html, page_html(Page(subject, answer.claims(), proof=proof, **page)))
    if not silent:
        screen.show(*parts)


def write_document(path: str, document: Any) -> None:
    """A JSON document into a file, or to standard output for "-"."""
    from ...formats.documents.json_text import format_json

    write_text(path, format_json(document))


def write_text(path: str, text: str) -> None:
    """A text into a file, or to standard output for "-"."""
    from ...formats.text_files import write_text_atomic

    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_text_atomic(path, text)


@contextlib.contextmanager
def _setting(long: str, topology: str | None) -> Iterator[Setting]:
    from ...questions.answer import Setting

    with engine_here(always=long == "always") if long else contextlib.nullcontext() as engine:
        yield Setting(
            topology, engine, progress.announced_bars(), progress.solving, progress.status_line,
            lambda message: screen.note(f"warning: {message}"),
        )  # fmt: skip
