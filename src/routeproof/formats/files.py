"""Files by name: which format a file is in, and reading and writing it.

| extension | format |
|---|---|
| ``.json`` | our documents, SST AnyTopo tables |
| ``.graphml``, ``.xml`` | GraphML |
| ``.gml`` | GML |
| ``.anynet`` | BookSim |
| ``.dot``, ``.gv`` | Graphviz (written only) |
| ``.caminos`` | adjacency lists for CAMINOS (written only) |
| ``.topo``, ``.topology``, or any, by its content | ``ibnetdiscover`` (read only) |
"""

from __future__ import annotations

import os.path
from fractions import Fraction

from ..core.errors import InputError
from ..core.multistage.wiring import check_wiring
from ..core.network import Network
from .documents.json_text import format_json, read_json_object, write_text_atomic
from .documents.network import network_from_document, network_to_document
from .documents.routing import read_routing, read_routing_document, write_routing
from .documents.traffic import read_permutation, read_traffic
from .graphs.dot import write_dot
from .graphs.foreign_graph import network_of
from .graphs.gml import read_gml, write_gml
from .graphs.graphml import read_graphml, write_graphml
from .infiniband.ibnetdiscover import has_fabric, read_ibnetdiscover
from .simulators.anynet import read_anynet, write_anynet
from .simulators.caminos import write_caminos
from .simulators.sst import sst_to_network
from .text_files import (
    FilePath,
    brief,
    shown,
    stem,
)

__all__ = [
    "network_format",
    "read_network",
    "read_permutation",
    "read_routing",
    "read_routing_document",
    "read_traffic",
    "write_network",
    "write_routing",
]

_FORMATS = {".json": "json", ".graphml": "graphml", ".xml": "graphml", ".gml": "gml", ".anynet": "anynet"}
_WRITTEN = {".dot": "dot", ".gv": "dot", ".caminos": "caminos"}
_KNOWN = (
    ".json (network document), .graphml or .xml (GraphML), .gml (GML), .anynet (BookSim), the output of ibnetdiscover"
)


def network_format(path: FilePath, *, to_write: bool = False) -> str:
    """``json``, ``graphml``, ``gml``, ``anynet``, by the file's extension; raises InputError for any other.

    ``to_write``: also the formats that are only written, ``dot`` and ``caminos``.
    """
    extension = os.path.splitext(os.fspath(path))[1].lower()
    if extension in (".topo", ".topology"):
        raise InputError(f"file {shown(path)} does not look like the output of ibnetdiscover, which is read only")
    if extension in _WRITTEN:
        if to_write:
            return _WRITTEN[extension]
        raise InputError(f"file {shown(path)}: the format {extension} is written only; known formats: {_KNOWN}")
    if extension not in _FORMATS:
        found = f"the extension {brief(extension)}" if extension else "no extension"
        raise InputError(f"file {shown(path)} has {found}; known formats: {_KNOWN}")
    return _FORMATS[extension]


def read_network(path: FilePath, *, bandwidth: str | Fraction | int | None = None) -> Network:
    """The network in a file: our network or wiring document, GraphML, GML, an SST table, BookSim's anynet, or
    the output of ibnetdiscover.

    The latter is known by what it says, whatever the file is called.

    ``bandwidth``: GraphML and GML: the edge attribute to use (every edge must have it), or one number for all channels;
    by default the attribute ``bandwidth``, or 1 where no edge has it.  Fabrics: see ``read_ibnetdiscover``.

    Raises InputError, in one line that names the file and the place.  Warns (RouteproofWarning) of self-loops dropped,
    of what edges and nodes state that is not used, of cables with two rates, and of hosts of unlike rates.
    """
    if has_fabric(path):
        return read_ibnetdiscover(path, bandwidth=bandwidth)
    kind = network_format(path)
    if kind == "graphml":
        return network_of(read_graphml(path), bandwidth=bandwidth)
    if kind == "gml":
        return network_of(read_gml(path), bandwidth=bandwidth)
    if bandwidth is not None:
        raise InputError(f"file {shown(path)}: bandwidth= is for GraphML, GML and the output of ibnetdiscover")
    if kind == "anynet":
        return read_anynet(path)
    document = read_json_object(path, wanted="a network document")
    if document.get("format") == "sst-anytopo":
        return sst_to_network(document, what=f"file {shown(path)}", name=stem(path))
    if document.get("format") == "routeproof/wiring":
        from ..topologies.multistage.network import network_of_wiring
        from .documents.wiring import wiring_from_document

        wiring = wiring_from_document(document, what=f"file {shown(path)}", name=stem(path))
        return network_of_wiring(check_wiring(wiring))
    return network_from_document(document, what=f"file {shown(path)}", name=stem(path))


def write_network(network: Network, path: FilePath) -> None:
    """Write a network in the format that the file's extension names; whole or not at all."""
    kind = network_format(path, to_write=True)
    writers = {"graphml": write_graphml, "gml": write_gml, "anynet": write_anynet, "dot": write_dot}
    writers["caminos"] = write_caminos
    if kind in writers:
        writers[kind](network, path)
    else:
        write_text_atomic(path, format_json(network_to_document(network)))
