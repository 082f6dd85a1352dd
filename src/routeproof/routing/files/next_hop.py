"""Next-hop documents: tables of channels by node and destination."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ...core.network import Network
from ...formats.documents.json_text import parse_object
from ...formats.format import Facts, File, Format
from ..base.routing import Routing
from .table import RoutingFormat

if TYPE_CHECKING:
    from ..tables.next_hop import NextHopRouting

__all__ = ["NEXT_HOP"]


def _read(file: File, network: Network) -> Routing:
    from ..tables.next_hop_file import routing_of_document

    return routing_of_document(file.document, network, name=str(file.path), what=file.what)


def _judge(text: str, what: str, _name: str) -> Facts[Routing]:
    """Whether all packets arrive."""
    from ...formats.documents.next_hops import next_hops_from_document
    from ..base.mixture import Mixture
    from ..tables.next_hop import NextHopRouting

    network, columns, tables = next_hops_from_document(parse_object(text, what=what), what=what)
    wrong: str | None = None
    parts: list[tuple[Fraction, NextHopRouting]] = []
    try:
        for k, (weight, table) in enumerate(tables):
            parts.append((weight, NextHopRouting(network, f"tables[{k}]", table, columns)))
    except InputError as error:
        wrong = str(error)
    routing = None if wrong is not None else parts[0][1] if len(parts) == 1 else Mixture(parts)
    return Facts({"valid_routing": wrong, "num_terminals": network.num_terminals}, routing)


NEXT_HOP: RoutingFormat = Format(
    "next-hop",
    "next-hop document",
    sniff=lambda file: file.says("routeproof/next-hop"),
    read=_read,
    judge=_judge,
)
