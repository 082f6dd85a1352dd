"""The table of file formats of routings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...core.display import short
from ...core.errors import InputError
from ...core.network import Network
from ...core.registry import Registry
from ...formats.format import FORMATS, File, Format, format_to_write, recognised
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.text_files import FilePath
from ..base.routing import Routing

RoutingFormat = Format[Routing, Network]
_KIND: type[Format[Routing, Any]] = Format

ROUTING_FILES: Registry[RoutingFormat] = Registry("format", _KIND, rooms=[str(__package__)])
"""Every format by its name; an entry stands in the file of its format."""


def wrote(what: str, routing: Routing) -> str:
    """``what``; where that is so, that its paths are few with the same loads: packets of such a routing may take
    others, which wait for other channels."""
    return what if _all_explicit(routing) else f"{what} (few paths with the same loads)"


def _all_explicit(routing: Routing) -> bool:
    """Are the paths that were written the routing's own, every one?  Grid routings may have too many for that."""
    if routing.has_explicit_paths and not routing.holds_paths:
        try:
            for _ in routing.bundles():
                pass
        except InputError:
            return False
    return routing.has_explicit_paths


def is_file(text: str) -> bool:
    """Is there a regular file of that name?"""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def routing_from_file(text: str, network: Network) -> Routing:
    """The routing in the file ``text``, in any format of ``files.table``; raises InputError for any other."""
    if text.lower().endswith(".py"):
        raise InputError(f"'{short(text)}' is a Python file; name its function, as in {short(text)}:function")
    file = File(text, wanted="a routing document")
    file.check_not_empty()
    file.check_encoding()
    entry = recognised(file, ROUTING_FILES.own.values(), by_name=False)
    if entry is None:  # text is of switches where there are switches; JSON says by itself what is wrong with it
        other = recognised(file, FORMATS.own.values(), by_name=False)
        if other is not None and other.read is not None:
            raise InputError(f"{file.what} holds a network ({other.help}); a routing document was expected")
        tables = isinstance(network, FabricNetwork) and not file.is_json
        entry = ROUTING_FILES.own["forwarding-tables" if tables else "routing"]
    assert entry.read is not None
    return entry.read(file, network)


def routing_writer(path: FilePath, network: Network | None = None) -> Callable[[Routing], str]:
    """What writes a routing to ``path``, by its extension, and says in a word what it wrote.

    Paths of a routing that is known by its loads are few with the same loads, and the word says so: its packets may
    take others, which wait for other channels.

    Raises InputError for another extension, and where no routing on ``network`` can be written so.
    """
    entry = format_to_write(path, ROUTING_FILES.own.values(), "a routing")
    write = entry.write
    assert write is not None
    if network is not None and entry.check_network is not None:
        entry.check_network(network)
    return lambda routing: write(routing, path) or entry.help
