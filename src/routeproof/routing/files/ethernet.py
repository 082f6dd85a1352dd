"""A directory of Ethernet devices judged as a routing: its routes, on the network of its cables."""

from __future__ import annotations

import json

from ...formats.ethernet.directory import ethernet_dumps, read_ethernet
from ...formats.format import File, Format
from ..ethernet.routes import routing_of_routes
from .table import RoutingFormat


def _document(file: File) -> tuple[str, str]:
    return "routing", json.dumps(routing_of_routes(read_ethernet(file)).document())


ETHERNET_ROUTES: RoutingFormat = Format(
    "ethernet-routes",
    "a directory with routes of Ethernet devices",
    directory=ethernet_dumps,
    document=_document,
)
