"""Routings from files and to files; ``files.table`` has the formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...core.errors import InputError
from ...core.network import Network
from ...formats.format import File, format_to_write, recognised
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.text_files import FilePath
from ..base.routing import Routing
from ..files.table import ROUTING_FILES
from ..function.user_function import short

__all__ = ["is_file", "routing_from_file", "routing_writer"]


def is_file(text: str) -> bool:
    """Is there a regular file of that name?"""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def routing_from_file(text: str, network: Network) -> Routing:
    """The routing in the file ``text``, in any format of ``files.table``; raises InputError for any other."""
    if text.lower().endswith(".py"):
        module = Path(text).stem
        raise InputError(f"'{short(text)}' is a Python file; name its function, as in {short(module)}:function")
    file = File(text, wanted="a routing document")
    entry = recognised(file, ROUTING_FILES.own.values(), by_name=False)
    if entry is None:  # text is of switches where there are switches; JSON says by itself what is wrong with it
        tables = isinstance(network, FabricNetwork) and not file.is_json
        entry = ROUTING_FILES.own["forwarding-tables" if tables else "routing"]
    assert entry.read is not None
    return entry.read(file, network)


def routing_writer(path: FilePath) -> Callable[[Routing], str]:
    """What writes a routing to ``path``, by its extension, and says in a word what it wrote.

    Paths of a routing that is known by its loads are few with the same loads, and the word says so: its packets may
    take others, which wait for other channels.

    Raises InputError for another extension.
    """
    entry = format_to_write(path, ROUTING_FILES.own.values(), "a routing")
    write = entry.write
    assert write is not None
    return lambda routing: write(routing, path) or entry.help
