"""Options that verbs get when the application is put together, the same on every verb that has them.

``--html`` and ``--quiet`` go to all verbs at once, so that none can lack them; ``long_work`` puts ``--workers``,
``--cluster``, ``--run`` and ``--memory`` on one.
"""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any

import typer

from ...core.errors import InputError, RouteproofWarning
from ...core.quoted import split_outside
from ...machine.memory import memory_allowed
from .arguments import flag, option
from .engine_options import EngineSettings, with_settings
from .outcome import check_target, page_to_write
from .progress import working

_PANEL = "Long work"
_PAGE = "Write a page to explore in a browser: one file, no network needed."
_HTML = {"html": Annotated[str | None, option("FILE", _PAGE)]}
_QUIET = {"quiet": Annotated[bool, flag("No progress on standard error.", "--quiet", "-q", rich_help_panel=_PANEL)]}
_FIGURE = {
    "title": Annotated[str | None, option("TEXT", "The title of the figure, instead of its own.")],
    "size": Annotated[str | None, option("WxH", "The size of the figure in inches, such as 6x4.")],
}
_HOSTS = {
    "hosts": Annotated[
        str | None, option("PATTERN", "Only these hosts of a file: node*, n[01-16] or a file of names.")
    ],
    "without": Annotated[str | None, option("PATTERN", "Leave out these hosts of a file: 'storage*,gw[1-2]'.")],
}
_LONG = {
    "workers": Annotated[
        int | None,
        option(
            "N",
            "Processes on this machine; without it, one a core where the work is large.",
            min=1,
            rich_help_panel=_PANEL,
        ),
    ],
    "cluster": Annotated[
        str | None,
        option(
            "ADDRESS|slurm|pbs|lsf",
            "A Dask cluster, or --workers N workers of a batch system: slurm,queue=short,listen=ib0.",
            rich_help_panel=_PANEL,
        ),
    ],
    "run": Annotated[
        str | None,
        option(
            "DIR", "Keep finished pieces there; the same command continues where it stopped.", rich_help_panel=_PANEL
        ),
    ],
    "memory": Annotated[
        str | None,
        option("16G", "Memory of all workers here together; each is limited to its share.", rich_help_panel=_PANEL),
    ],
    **_QUIET,
}
# What does not change a result does not make another command.
_OUTPUTS = ("json", "csv", "latex", "markdown", "plot", "trace", "html", "output", "figure", "theme", "title", "size")
# Nor do more samples, which go on where fewer ended; pieces whose content depends on their number are told apart by it.
_COUNTS = ("trials", "samples", "until_width")
# Options that name a file to write.
_WRITTEN = ("json", "csv", "latex", "markdown", "plot", "output", "trace", "state", "checkpoint")

Verb = Callable[..., None]
Around = Callable[[Verb, dict[str, Any], dict[str, Any]], AbstractContextManager[None]]


def commands_of(app: typer.Typer) -> Iterator[Any]:
    """Every verb of ``app``, and of the groups in it, as typer knows it."""
    yield from (x for x in app.registered_commands if x.callback is not None)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from commands_of(group.typer_instance)


def add_html_option(app: typer.Typer) -> None:
    """Give every verb of ``app`` the option ``--html``; its files are looked at before any work is done."""
    for command in commands_of(app):
        command.callback = _with(command.callback, _HTML, _files_checked)


def add_figure_options(app: typer.Typer) -> None:
    """Give every verb of ``app`` that draws the options ``--title`` and ``--size``."""
    for command in commands_of(app):
        if {"plot", "theme"} & set(inspect.signature(command.callback).parameters):
            command.callback = _with(command.callback, _FIGURE, _figure_wished)


def add_host_options(app: typer.Typer) -> None:
    """Give every verb of ``app`` that is about a topology the options ``--hosts`` and ``--without``."""
    for command in commands_of(app):
        if "topology" in inspect.signature(command.callback).parameters:
            command.callback = _with(command.callback, _HOSTS, _hosts_chosen)


def add_quiet_option(app: typer.Typer) -> None:
    """Give every verb of ``app`` the option ``--quiet``."""
    for command in commands_of(app):
        if "quiet" not in inspect.signature(command.callback).parameters:
            command.callback = _with(command.callback, _QUIET, _at_work)


def long_work(verb: Verb) -> Verb:
    """The verb with the options of long work."""
    return _with(verb, _LONG, _at_work)


def _with(verb: Verb, options: Mapping[str, Any], around: Around) -> Verb:
    """The verb with ``options``; a call runs inside ``around(verb, their values, the verb's own arguments)``."""
    signature = inspect.signature(verb, eval_str=True)
    added = [
        inspect.Parameter(x, inspect.Parameter.KEYWORD_ONLY, default=False if x == "quiet" else None, annotation=kind)
        for x, kind in options.items()
    ]
    whole = [*signature.parameters.values(), *added]

    def run_verb(**arguments: Any) -> None:
        chosen = {name: arguments.pop(name) for name in options}
        with around(verb, chosen, arguments):
            verb(**arguments)

    run_verb.__name__, run_verb.__doc__, run_verb.__module__ = verb.__name__, verb.__doc__, verb.__module__
    run_verb.__signature__ = signature.replace(parameters=whole)  # type: ignore[attr-defined]
    run_verb.__annotations__ = {x.name: x.annotation for x in whole}
    return run_verb


@contextlib.contextmanager
def _files_checked(_: Verb, chosen: dict[str, Any], arguments: dict[str, Any]) -> Iterator[None]:
    path = chosen["html"]
    if path == "-":
        raise InputError("--html writes a file, not to standard output; a name such as report.html was expected")
    targets: dict[str, str] = {}
    for name, file in {**{x: arguments.get(x) for x in _WRITTEN}, "html": path}.items():
        if file is None:
            continue
        check_target(file)
        where = file if file == "-" else str(Path(file).resolve())
        if where in targets:
            what = "standard output is" if file == "-" else f"the file {file} is"
            raise InputError(f"{what} to be written twice, for --{targets[where]} and for --{name}; two were expected")
        targets[where] = name
    with page_to_write(path):
        yield


@contextlib.contextmanager
def _hosts_chosen(_: Verb, chosen: dict[str, Any], arguments: dict[str, Any]) -> Iterator[None]:
    """The choice stands in the topology's text, where reports and run directories keep it."""
    for name, text in chosen.items():
        if text is not None:
            pattern = ";".join(split_outside(text, ",", brackets=True))
            arguments["topology"] = f"{arguments['topology']},{name}={pattern}"
    yield


@contextlib.contextmanager
def _figure_wished(_: Verb, chosen: dict[str, Any], arguments: dict[str, Any]) -> Iterator[None]:
    if chosen["title"] is None and chosen["size"] is None:
        yield
        return
    from ...report.figures.style import FORMATS, drawn_as

    target = arguments.get("plot", arguments.get("target"))
    if target is None or ("plot" not in arguments and Path(target).suffix.lower() not in FORMATS):
        which = "--plot FILE" if "plot" in arguments else "a file that ends in .svg, .png or .pdf"
        raise InputError(f"--title and --size are for a figure, and none is drawn; {which} was expected with them")
    with drawn_as(title=chosen["title"], size=_inches(chosen["size"])):
        yield


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
def _at_work(verb: Verb, chosen: dict[str, Any], arguments: dict[str, Any]) -> Iterator[None]:
    plain = {k: _plain(v) for k, v in arguments.items() if k not in (*_OUTPUTS, *_COUNTS)}
    name = verb.__name__.replace("_", "-")
    settings = EngineSettings(**chosen, command={"verb": name, **plain})
    with with_settings(settings), memory_allowed(settings.most_memory()), working(name):
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
