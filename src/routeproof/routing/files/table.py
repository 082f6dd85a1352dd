"""The table of file formats of routings, and what is true of a document in whatever format it is.

``routeproof check`` asks here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...core.display import short
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...core.registry import Registry
from ...formats.documents.network import network_to_document
from ...formats.format import FORMATS, Facts, File, Format, by_extension, directory_format, format_to_write, recognised
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.text_files import FilePath, brief
from ..base.routing import Routing

RoutingFormat = Format[Routing, Network]
_KIND: type[Format[Routing, Any]] = Format

ROUTING_FILES: Registry[RoutingFormat] = Registry(
    "format", _KIND, rooms=[str(__package__), "routeproof.routing.fabrics"]
)
"""Every format by its name; an entry stands beside the code of its format."""


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
    """Is there a regular file of that name, or a folder in a format of routings?"""
    try:
        return Path(text).is_file() or _folder_format(text) is not None
    except (OSError, ValueError):  # too long, or with a null character
        return False


def _folder_format(text: str) -> RoutingFormat | None:
    """The format of a folder that holds a routing on a network that is elsewhere."""
    reading = (x for x in ROUTING_FILES.own.values() if x.read is not None)
    return directory_format(text, reading) if os.path.isdir(text) else None


def routing_from_file(text: str, network: Network) -> Routing:
    """The routing in the file ``text``, in any format of ``files.table``; raises InputError for any other."""
    folder = _folder_format(text)
    if folder is not None and folder.read is not None:
        return folder.read(File(text), network)
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
        named = by_extension(file, ROUTING_FILES.own.values())
        if named is not None and named.read is None and not file.is_json:
            raise InputError(
                f"{file.what} is called like a {named.help}, which is written but not read; a routing document "
                f"(.json), as convert writes it, was expected"
            )
        entry = ROUTING_FILES.own["forwarding-tables" if tables else "routing"]
    assert entry.read is not None
    return entry.read(file, network)


def routing_writer(
    path: FilePath, network: Network | None = None, *, by_terminal: bool = False
) -> Callable[[Routing], str]:
    """What writes a routing to ``path``, by its extension, and says in a word what it wrote; ``by_terminal``: one that
    may tell the terminals of a node apart.

    Paths of a routing that is known by its loads are few with the same loads, and the word says so: its packets may
    take others, which wait for other channels.

    Raises InputError for another extension, and where no routing on ``network`` can be written so.
    """
    entry = format_to_write(path, ROUTING_FILES.own.values(), "a routing")
    write = entry.write
    assert write is not None
    if network is not None and entry.check_network is not None:
        entry.check_network(network)
    if network is not None and by_terminal and entry.by_node and int(network.supply.max(initial=0)) > 1:
        raise InputError(
            f"{entry.help} holds one row of paths for each node, and {network.name} has nodes with several terminals, "
            f"whose paths may differ: write a {ROUTING_FILES.own['routing'].help} (.json)"
        )
    return lambda routing: write(routing, path) or entry.help


_WANTED = "a network, a routing, a destination graph, a wiring or a permutation"


def facts_of(kind: str, text: str, *, what: str, name: str) -> Facts[Routing]:
    """The facts of a document, written in ``text``, of a format that has ``judge``, called ``kind``.

    ``what`` names it in sentences about what is wrong, ``name`` is that of its routing.

    Raises InputError for a document that cannot be understood, and for an unknown kind.
    """
    judges = {x.name: x.judge for x in _all_own() if x.judge is not None}
    if kind not in judges:
        raise InputError(f"a document of the kind {kind[:40]!r}; {', '.join(judges)} are known")
    facts: Facts[Routing] = judges[kind](text, what, name)
    return facts


def document_in(path: str) -> tuple[str, str, Network | None]:
    """What a file is, as a kind for ``facts_of`` (or "destination-graph"), and its text, or a document of ours that
    says the same; the network that it was made of, where it was read.

    Raises InputError for a file in no format that is judged, with what to do instead.
    """
    file = File(path, wanted=_WANTED)
    entry = _entry_of(file)
    if entry is not None:
        return *_as_document(file, entry), file.network
    words = [x for line in file.text.splitlines() for x in line.partition("#")[0].replace(",", " ").split()]
    if words and words[0][0] not in "0123456789+-.":
        raise InputError(f"{file.what} begins with {brief(words[0])}; {_WANTED} was expected")
    return "permutation", file.text, None


def foreign_format(path: str) -> str | None:
    """What people call the format of a file that another tool wrote; None for our own documents and plain lists."""
    file = File(path, wanted=_WANTED)
    entry = _entry_of(file)
    ours = file.is_json and isinstance(file.value, dict) and str(file.value.get("format")).startswith("routeproof/")
    return None if entry is None or ours else entry.help


def _entry_of(file: File) -> Format[Any, Any] | None:
    folder: Format[Any, Any] | None = directory_format(file.path, ROUTING_FILES.own.values())
    folder = folder or directory_format(file.path, FORMATS.own.values())
    if folder is not None:
        return folder
    if not file.start:
        _ = file.text  # raises for a file that is not there
    file.check_not_empty()
    found = recognised(file, _all_own(), by_name=False) or recognised(file, FORMATS.working(), by_name=False)
    if found is None and file.is_json:
        raise _no_document(file)
    return found or recognised(file, FORMATS.working())


def _all_own() -> list[Format[Any, Any]]:
    """The formats of routings come first: a file with a routing and its network is judged as a routing."""
    return [*ROUTING_FILES.own.values(), *FORMATS.own.values()]


def _as_document(file: File, entry: Format[Any, Any]) -> tuple[str, str]:
    if entry.judge is not None:
        return entry.name, file.text
    if entry.document is not None:
        return entry.document(file)
    if entry.read is not None and entry.name not in ROUTING_FILES.own:
        file.network = entry.read(file, None)
        return "network", json.dumps(network_to_document(file.network))
    raise InputError(
        f"{file.what} holds {entry.help}; {entry.instead or 'files of this format are written but not read'}"
    )


def _no_document(file: File) -> InputError:
    if not isinstance(file.value, dict):
        return InputError(f"{file.what} holds {brief(file.value)}; {_WANTED} was expected")
    judged = [f"routeproof/{x}" for x in ("network", "routing", "next-hop", "destination-graph", "wiring")]
    kind = file.value.get("format")
    if kind is None:
        return InputError(f"{file.what} has no key 'format'; known formats: {', '.join(judged)}")
    hint = did_you_mean(kind, judged) if isinstance(kind, str) else f"known: {', '.join(judged)}"
    return InputError(f"{file.what} has the format {brief(kind)}, which is not judged here; {hint}")
