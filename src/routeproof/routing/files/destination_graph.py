"""Destination graph documents as routings of a t-nary d-cube."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.network import Network
from ...formats.format import File, Format
from ..base.routing import Routing
from .table import RoutingFormat

__all__ = ["GRAPH", "routing_of_graph"]


def routing_of_graph(document: Mapping[str, Any], network: Network, *, name: str, what: str) -> Routing:
    """The routing of a destination graph's document."""
    from ...formats.documents.destination_graph import graph_from_document
    from ..cube.destination_graph import DestinationGraphRouting

    return DestinationGraphRouting(network, name, graph_from_document(document, what=what))


def _read(file: File, network: Network) -> Routing:
    return routing_of_graph(file.document, network, name=str(file.path), what=file.what)


GRAPH: RoutingFormat = Format(
    "destination-graph",
    "destination graph document",
    sniff=lambda file: file.says("routeproof/destination-graph"),
    read=_read,
    document=lambda file: ("destination-graph", file.text),
)
