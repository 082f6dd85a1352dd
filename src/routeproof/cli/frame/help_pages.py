"""Help that stays readable on 80 columns: paragraphs flow, types are not named.

What stands in tables, and what installed packages add, is looked up when help is shown.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from ...core.errors import InputError
from .options import commands_of, escaped


def make_help_readable(app: typer.Typer) -> None:
    """Of every verb of ``app``, and of the groups in it: the lines of a docstring's paragraph are joined, since
    terminals break them again."""
    for command in commands_of(app):
        command.cls = Verb
        paragraphs = inspect.cleandoc(command.callback.__doc__ or "").split("\n\n")
        command.help = "\n\n".join(" ".join(text.split()) for text in paragraphs)


class Verb(TyperCommand):
    """In the help of arguments and options, ``{figures}`` are the figures of an analysis, ``{network_files}`` and
    ``{routing_files}`` the names of files that are written, ``{demands}`` the sets of demands; arguments that name a
    topology or a routing end with those of other packages."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # click's own types, or those that typer brings along
        for parameter in self.params:
            if isinstance(parameter, (TyperArgument, TyperOption)) and parameter.help:
                parameter.help = filled(parameter.help, parameter.metavar)
        _hide_types(self.get_params(ctx))
        super().format_help(ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002  # click's method
        return ["[OPTIONS]", *(str(x.metavar) for x in self.params if isinstance(x, TyperArgument))]


class Verbs(TyperGroup):
    """The list of verbs."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _hide_types(self.get_params(ctx))
        super().format_help(ctx, formatter)


def _hide_types(parameters: Iterable[Any]) -> None:
    """``<str>`` and ``<bool>`` say less than the words beside them."""
    for one in parameters:
        if isinstance(one, TyperArgument):
            vars(one)["display_type_rich"] = lambda ctx: None  # noqa: ARG005
        elif one.metavar is None:
            one.metavar = ""


def filled(text: str, metavar: str | None) -> str:
    """The help of a parameter, with the words that are looked up."""
    text = re.sub(r"{(figures|network_files|routing_files|demands)}", lambda found: _words(found[1]), text)
    added = " ".join(_added()) if metavar in _TOPOLOGIES else " ".join(_routings()) if metavar in _ROUTINGS else ""
    return text if not added or added in text else escaped(f"{text} {added}")


_TOPOLOGIES = ("TOPOLOGY", "IN")
_ROUTINGS = ("ROUTING", "ROUTING...")


def _words(name: str) -> str:
    from ...formats.format import FORMATS, listed

    if name == "network_files":
        return listed(x for x in FORMATS.working() if x.write is not None)
    if name == "routing_files":
        from ...routing.files.table import ROUTING_FILES

        return listed(x for x in ROUTING_FILES.own.values() if x.write is not None)
    if name == "demands":
        from ...demand_sets.demand_set import SETS

        return ", ".join(x.usage for x in SETS.own.values())
    from ...report.figures.analysis import FIGURES

    return ", ".join(FIGURES.own)


def _added() -> Iterator[str]:
    """Sentences on the topologies and formats of other packages, and on those that are broken."""
    from ...formats.format import FORMATS
    from ...topologies.family import TOPOLOGIES

    for name, family in TOPOLOGIES.added():
        yield f"Broken: {family}." if isinstance(family, InputError) else f"{family.usage}: {family.help} ({name})."
    for _, entry in FORMATS.added():
        if isinstance(entry, InputError):
            yield f"Broken: {entry}."


def _routings() -> Iterator[str]:
    """Sentences on the routings of other packages, and on those that are broken."""
    from ...routing.named.names import ROUTINGS

    for name, entry in ROUTINGS.added():
        yield f"Broken: {entry}." if isinstance(entry, InputError) else f"{entry.name}: {entry.help} ({name})."
