"""Next-hop documents and their entries in reports as routings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...formats.documents.next_hops import next_hops_from_document, read_entry
from ..base.mixture import Mixture
from ..base.routing import Routing
from .next_hop import NextHopRouting

__all__ = ["read_next_hop", "routing_of_document"]


def routing_of_document(document: Mapping[str, Any], network: Network, *, name: str, what: str) -> Routing:
    """The routing in a parsed next-hop document about ``network``; a mixture where it holds several tables.

    Raises InputError as the document's reader does, and, naming node and destination, for loops and dead ends.
    """
    network, columns, tables = next_hops_from_document(document, what=what, network=network)
    try:
        if len(tables) == 1:
            return NextHopRouting(network, name, tables[0][1], columns)
        parts = [NextHopRouting(network, f"{name}#{k}", table, columns) for k, (_, table) in enumerate(tables)]
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    return Mixture([(weight, part) for (weight, _), part in zip(tables, parts, strict=True)], name=name)


def read_next_hop(network: Network, data: Mapping[str, Any]) -> NextHopRouting:
    """The routing that ``NextHopRouting.written_in_full`` wrote; raises InputError unless it delivers every packet."""
    name, entry = data["spec"], data["next_hop"]
    if not isinstance(entry, Mapping) or set(entry) != {"columns", "channel"}:
        raise InputError("'next_hop' of a routing must be an object with 'columns' and 'channel'")
    table, columns = read_entry(entry, network, what="the routing's next_hop")
    return NextHopRouting(network, name, table, columns)
