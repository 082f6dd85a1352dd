"""The options of verbs as typer knows them: those that a question declares, and those that verbs have beside them.

``--html`` and ``--quiet`` are of every verb, ``LONG`` of long work, ``FIGURE`` of verbs that draw, ``HOSTS`` of verbs
about a topology.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Annotated, Any

import typer

from ...questions.question import UNSET, Option, Verb, options_of

_PANEL = "Long work"
_SHORT = 16  # characters of choices that stay in the column of values


def _text(name: str, value: str, text: str, **more: Any) -> Option:
    return Option(text, value, name, kind=str | None, command_default=None, **more)


HTML = (_text("html", "FILE", "Write a page to explore in a browser: one file, no network needed."),)
QUIET = (
    Option("No progress on standard error.", None, "quiet", ("--quiet", "-q"), bool, command_default=False,
           panel=_PANEL),
)  # fmt: skip
FIGURE = (
    _text("title", "TEXT", "The title of the figure, instead of its own."),
    _text("size", "WxH", "The size of the figure in inches, such as 6x4."),
)
HOSTS = (
    _text("hosts", "PATTERN", "Only these hosts of a file: node*, n[01-16] or a file of names."),
    _text("without", "PATTERN", "Leave out these hosts of a file: 'storage*,gw[1-2]'."),
)
LONG = (
    dataclasses.replace(
        _text("workers", "N", "Processes on this machine (default: one a core, for large work)."),
        kind=int | None, min=1, panel=_PANEL,
    ),
    _text(
        "cluster", "ADDRESS|slurm|pbs|lsf",
        "A Dask cluster, or --workers N workers of a batch system: slurm,queue=short,listen=ib0.", panel=_PANEL,
    ),
    _text(
        "run", "DIR", "Keep finished pieces there; the same command continues where it stopped.", panel=_PANEL
    ),
    _text("memory", "16G", "Memory of all workers here together; each is limited to its share.", panel=_PANEL),
    *QUIET,
)  # fmt: skip


def all_options(verb: type[Verb]) -> list[Option]:
    """Its own, then those that it has beside them, in the order of help."""
    own = list(options_of(verb))
    names = {x.name for x in own}
    figure = FIGURE if {"plot", "theme"} & names else ()
    hosts = HOSTS if "topology" in names else ()
    return [*own, *(LONG if verb.long else ()), *figure, *hosts, *HTML, *(() if verb.long else QUIET)]


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
        annotation=Annotated[kind, _declared(known)],
    )


def _declared(known: Option) -> Any:
    more: dict[str, Any] = {}
    if known.complete is not None:
        more["autocompletion"] = COMPLETIONS[known.complete]
    if known.panel is not None:
        more["rich_help_panel"] = known.panel
    value, text = known.value, known.text
    if known.kind is bool:
        value = ""
    elif value is None and known.choices:
        value = "|".join(known.choices)
        if len(value) > _SHORT:
            value = known.name.replace("_", "-").upper()
            text = f"{text.removesuffix('.')} ({', '.join(known.choices[:-1])} or {known.choices[-1]})."
    if known.argument:
        return argument(value, text, **more)
    return option(value, text, *known.names, min=known.min, **more)


def option(value: str | None, text: str, *names: str, **more: Any) -> Any:
    """An option: what stands for its value in help, what it is for, its names where the parameter's is not the one."""
    return typer.Option(*names, metavar=value, help=escaped(text), **more)


def argument(value: str | None, text: str, **more: Any) -> Any:
    """An argument: what stands for it in help, and what it is."""
    return typer.Argument(metavar=value, help=escaped(text), **more)


def escaped(text: str) -> str:
    """Square brackets stand for themselves."""
    return text.replace("\\[", "[").replace("[", "\\[")


# What Tab completes


def _beginning(helps: Iterable[tuple[str, str]], incomplete: str) -> list[tuple[str, str]]:
    """Those of (name, help) that go on from what is typed."""
    return [(name, text) for name, text in helps if name.startswith(incomplete)]


def complete_topology(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.family import TOPOLOGIES

    return _beginning(((x.usage, x.help) for x in TOPOLOGIES.working()), incomplete)


def _wiring(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.family import TOPOLOGIES

    return _beginning(((x.usage, x.help) for x in TOPOLOGIES.working() if x.wiring is not None), incomplete)


def complete_routing(incomplete: str) -> list[tuple[str, str]]:
    from ...routing.named.names import help_lines

    return help_lines(incomplete)


def _demands(incomplete: str) -> list[tuple[str, str]]:
    from ...demand_sets.demand_set import SETS

    return _beginning(((x.usage, x.help) for x in SETS.own.values()), incomplete)


def _figure(incomplete: str) -> list[tuple[str, str]]:
    from ...report.figures.analysis import FIGURES

    return _of_table(FIGURES.own, incomplete)


def _pattern(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.patterns import PATTERNS

    return _of_table(PATTERNS, incomplete)


def _study(incomplete: str) -> list[tuple[str, str]]:
    from ...studies.registry import STUDIES

    return _of_table(STUDIES, incomplete)


def _of_table(table: Mapping[str, Any], incomplete: str) -> list[tuple[str, str]]:
    return _beginning(((name, x.help) for name, x in table.items()), incomplete)


COMPLETIONS: Mapping[str, Callable[[str], list[tuple[str, str]]]] = {
    "demands": _demands, "figure": _figure, "pattern": _pattern, "routing": complete_routing, "study": _study,
    "topology": complete_topology, "wiring": _wiring,
}  # fmt: skip
"""By the word that an option names."""


def commands_of(app: typer.Typer) -> Iterator[Any]:
    """Every verb of ``app``, and of the groups in it, as typer knows it."""
    yield from (x for x in app.registered_commands if x.callback is not None)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from commands_of(group.typer_instance)


def narrowed(app: typer.Typer, words: Container[str]) -> typer.Typer:
    """``app`` for a command of these ``words``: a verb that none of them names keeps its name and its help, which lists
    of verbs show, and is spared its parameters."""
    few = copy.copy(app)
    few.registered_commands = [
        x if x.name is None or x.name in words else _without_parameters(x) for x in app.registered_commands
    ]
    few.registered_groups = [copy.copy(x) for x in app.registered_groups]
    for group in few.registered_groups:
        if group.typer_instance is not None:
            group.typer_instance = narrowed(group.typer_instance, words)
    return few


def _without_parameters(command: Any) -> Any:
    bare = copy.copy(command)
    bare.callback = lambda: None
    return bare
