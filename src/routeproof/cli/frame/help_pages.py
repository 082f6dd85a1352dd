"""Help that stays readable on 80 columns: paragraphs flow, and long lists of choices stand among the words.

What stands in tables, and what installed packages add, is looked up when help is shown.
"""

from __future__ import annotations

import enum
import inspect
import re
import types
from collections.abc import Iterator
from typing import Any, Union, get_args, get_origin

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption
from typer.models import OptionInfo, ParameterInfo

from ...core.errors import InputError
from .options import commands_of

_SHORT = 16  # characters of choices that stay in the column of values


def make_help_readable(app: typer.Typer) -> None:
    """Of every verb of ``app``, and of the groups in it; to be called when all their options are there.

    The lines of a docstring's paragraph are joined, since terminals break them again; an option with many choices
    names them in its description; a flag has no value to name; square brackets stand for themselves.
    """
    for command in commands_of(app):
        command.cls = Verb
        paragraphs = inspect.cleandoc(command.callback.__doc__ or "").split("\n\n")
        command.help = "\n\n".join(" ".join(text.split()) for text in paragraphs)
        for parameter in inspect.signature(command.callback).parameters.values():
            for option in getattr(parameter.annotation, "__metadata__", ()):
                if isinstance(option, ParameterInfo):
                    _list_choices(option, parameter)
                    option.help = (option.help or "").replace("\\[", "[").replace("[", "\\[") or None


def _list_choices(option: ParameterInfo, parameter: inspect.Parameter) -> None:
    kind = get_args(parameter.annotation)[0]
    kinds = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    names = [x.value for k in kinds if isinstance(k, type) and issubclass(k, enum.Enum) for x in k]
    if bool in kinds:
        option.metavar = ""  # some versions of typer would say <bool>
    elif isinstance(option, OptionInfo) and option.metavar is None and len("|".join(names)) > _SHORT:
        option.metavar = parameter.name.replace("_", "-").upper()
        option.help = f"{(option.help or '').removesuffix('.')} ({', '.join(names[:-1])} or {names[-1]})."


class Verb(TyperCommand):
    """In the help of arguments and options, ``{figures}`` are the figures of an analysis, ``{networks}`` the formats in
    which networks are read, ``{network_files}`` and ``{routing_files}`` the names of files that are written; arguments
    that name a topology or a routing end with those of other packages."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # click's own types, or those that typer brings along
        for parameter in self.params:
            if isinstance(parameter, (TyperArgument, TyperOption)) and parameter.help:
                parameter.help = filled(parameter.help, parameter.metavar)
        super().format_help(ctx, formatter)


def filled(text: str, metavar: str | None) -> str:
    """The help of a parameter, with the words that are looked up."""
    text = re.sub(r"{(figures|networks|network_files|routing_files)}", lambda found: _words(found[1]), text)
    added = " ".join(_added()) if metavar in _TOPOLOGIES else " ".join(_routings()) if metavar in _ROUTINGS else ""
    return text if not added or added in text else f"{text} {added}".replace("\\[", "[").replace("[", "\\[")


_TOPOLOGIES = ("TOPOLOGY", "IN")
_ROUTINGS = ("ROUTING", "ROUTING...")


def _words(name: str) -> str:
    from ...formats.format import FORMATS, listed

    if name == "networks":
        return ", ".join(dict.fromkeys(x.help for x in FORMATS.working() if x.read is not None))
    if name == "network_files":
        return listed(x for x in FORMATS.working() if x.write is not None)
    if name == "routing_files":
        from ...routing.files.table import ROUTING_FILES

        return listed(x for x in ROUTING_FILES.own.values() if x.write is not None)
    from ...report.figures.worst_case import FIGURES

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
