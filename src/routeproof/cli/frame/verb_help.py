"""The help of a verb: what stands in tables, and what installed packages add, is looked up when it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperOption

from ...core.errors import InputError

__all__ = ["Verb"]


class Verb(TyperCommand):
    """In the help of arguments and options, ``{figures}`` are the figures of an analysis, ``{networks}`` the formats in
    which networks are read, ``{network_files}`` and ``{routing_files}`` the names of files that are written; arguments
    that name a topology or a routing end with those of other packages."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # click's own types, or those that typer brings along
        for parameter in self.params:
            if isinstance(parameter, (TyperArgument, TyperOption)) and parameter.help:
                parameter.help = _filled(parameter.help, parameter.metavar)
        super().format_help(ctx, formatter)


def _filled(text: str, metavar: str | None) -> str:
    for name, words in _WORDS.items():
        if "{" + name + "}" in text:
            text = text.replace("{" + name + "}", words())
    added = " ".join(_added()) if metavar in _TOPOLOGIES else " ".join(_routings()) if metavar in _ROUTINGS else ""
    return text if not added or added in text else f"{text} {added}".replace("\\[", "[").replace("[", "\\[")


_TOPOLOGIES = ("TOPOLOGY", "IN")
_ROUTINGS = ("ROUTING", "ROUTING...")


def _networks() -> str:
    from ...formats.table import FORMATS

    return ", ".join(dict.fromkeys(x.help for x in FORMATS.working() if x.read is not None))


def _network_files() -> str:
    from ...formats.format import listed
    from ...formats.table import FORMATS

    return listed(x for x in FORMATS.working() if x.write is not None)


def _routing_files() -> str:
    from ...formats.format import listed
    from ...routing.files.table import ROUTING_FILES

    return listed(x for x in ROUTING_FILES.own.values() if x.write is not None)


def _figures() -> str:
    from ...report.figures.worst_case import FIGURES

    return ", ".join(FIGURES.own)


_WORDS = {"figures": _figures, "networks": _networks, "network_files": _network_files, "routing_files": _routing_files}


def _added() -> Iterator[str]:
    """Sentences on the topologies and formats of other packages, and on those that are broken."""
    from ...formats.table import FORMATS
    from ...topologies.table import TOPOLOGIES

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
