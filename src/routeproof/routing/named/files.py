"""Routings from files: which form a file has, and the routing in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing
from ..function.user_function import short

__all__ = ["is_file", "routing_from_file", "routing_of_graph"]


def is_file(text: str) -> bool:
    """Is there a regular file of that name?"""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def routing_from_file(text: str, network: Network) -> Routing:
    """The routing in the file ``text``: forwarding tables, or one of our documents; raises InputError for any other."""
    from ...formats.documents.json_text import read_json_object
    from ...formats.documents.routing import paths_on_network
    from ...formats.text_files import shown
    from ..tables.path_table import TableRouting

    if text.lower().endswith(".py"):
        module = Path(text).stem
        raise InputError(f"'{short(text)}' is a Python file; name its function, as in {short(module)}:function")
    from ..infiniband.forwarding_tables import forwarding_in_file

    forwarding = forwarding_in_file(text, network)
    if forwarding is not None:
        return forwarding
    document, what = read_json_object(text, wanted="a routing document"), f"file {shown(text)}"
    if document.get("format") == "routeproof/destination-graph":
        return routing_of_graph(document, network, name=text, what=what)
    if document.get("format") == "routeproof/next-hop":
        from ..tables.next_hop_file import routing_of_document

        return routing_of_document(document, network, name=text, what=what)
    if document.get("format") == "sst-anytopo":
        from ..tables.sst import routing_of_sst

        return routing_of_sst(document, network, name=text, what=what)
    if "classes" in document:
        from ..classes.classes_document import routing_of_classes_document

        return routing_of_classes_document(document, network, name=text, what=what)
    paths = paths_on_network(document, network, what=what)
    try:
        return TableRouting(network, text, paths)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def routing_of_graph(document: Mapping[str, Any], network: Network, *, name: str, what: str) -> Routing:
    """The routing of a destination graph's document."""
    from ...formats.documents.destination_graph import graph_from_document
    from ..cube.destination_graph import DestinationGraphRouting

    return DestinationGraphRouting(network, name, graph_from_document(document, what=what))
