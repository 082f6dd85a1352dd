"""Next-hop tables as JSON: at this node, towards that destination, leave by this channel.

``{"format": "routeproof/next-hop", "network": {...}, "columns": "terminal", "tables": [{"weight": "1/2",
"channel": [[...], ...]}, ...]}``

``network`` is a network document or ``{"spec": "torus:3x3"}``; ``columns`` says whether destinations are terminals or
nodes; ``channel[v][d]`` is the number of the channel by which a packet at node v for destination d leaves, -1 where
there is none.  Weights are positive and sum to 1: every packet takes one of the tables (as with several lids a port in
InfiniBand).  In reports a table is one text, see ``packed_ints``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, read_only
from ...core.errors import InputError
from ...core.network import Network
from ..text_files import brief, unexpected
from .network import check_same, number_text, positive_number
from .packed_ints import pack_ints, unpack_ints
from .routing import network_entry, network_of_routing

Columns = Literal["node", "terminal"]
Tables = Sequence[tuple[Fraction, Int32]]


def next_hop_entry(channel: Int32, columns: Columns, *, packed: bool) -> dict[str, Any]:
    """``{"columns", "channel"}``: the table (int32, shape (N, D)) as one packed text, or as a list of rows."""
    return {"columns": columns, "channel": pack_ints(channel.ravel()) if packed else channel.tolist()}


def read_entry(data: Mapping[str, Any], network: Network, *, what: str) -> tuple[Int32, Columns]:
    """What ``next_hop_entry`` wrote; raises InputError unless it fits ``network``."""
    columns = data.get("columns")
    if columns not in ("node", "terminal"):
        raise unexpected(f"{what}: columns", columns, "'node' or 'terminal'")
    width = network.num_nodes if columns == "node" else network.num_terminals
    found = data.get("channel")
    if isinstance(found, str):
        size = network.num_nodes * width
        flat = unpack_ints(found, what=f"{what}: channel", max_items=size)
        if len(flat) != size:
            raise InputError(f"{what}: channel holds {len(flat)} numbers; {network.num_nodes} x {width} were expected")
        table = flat.reshape(network.num_nodes, width)
    else:
        table = _rows(found, network.num_nodes, width, columns, f"{what}: channel")
    wrong = np.argwhere((table < -1) | (table >= network.num_channels))
    if len(wrong):
        v, d = (int(x) for x in wrong[0])
        raise unexpected(f"{what}: channel[{v}][{d}]", int(table[v, d]), f"-1 to {network.num_channels - 1}")
    return read_only(table.astype(np.int32)), columns


def _rows(found: object, height: int, width: int, columns: str, what: str) -> npt.NDArray[np.int64]:
    if not isinstance(found, list) or len(found) != height:
        raise unexpected(what, found, f"a list of {height} rows, one for every node,")
    for v, row in enumerate(found):
        if not isinstance(row, list) or len(row) != width:
            raise InputError(f"{what}[{v}] is {brief(row)}; {width} numbers, one for every {columns}, were expected")
        for d, x in enumerate(row):
            if type(x) is not int or not -(2**31) <= x < 2**31:
                raise unexpected(f"{what}[{v}][{d}]", x, "a channel's number, or -1,")
    return np.array(found, dtype=np.int64).reshape(height, width)


def next_hops_from_document(
    document: Mapping[str, Any], *, what: str, network: Network | None = None
) -> tuple[Network, Columns, Tables]:
    """The network, what columns are, and the weighted tables that a parsed document describes.

    ``network``: the one that it must be about.  Raises InputError for any other, and for entries that are no channels
    and weights that do not sum to 1; whether packets arrive is not judged here.
    """
    from ..structure import NextHopDocument, TableEntry, document_of, validated

    data = document_of(NextHopDocument, document, what=what)
    found = network_of_routing(data.network, what)
    if network is not None:
        check_same(found, network, f"{what} is a table")
        found = network
    if not data.tables:
        raise InputError(f"{what}: tables is empty; a list of at least one table was expected")
    tables: list[tuple[Fraction, Int32]] = []
    columns: Columns = "node"
    for k, raw in enumerate(data.tables):
        place = f"{what}: tables[{k}]"
        entry = validated(TableEntry, raw, what=place)
        weight = positive_number(entry.weight, what=f"{place}.weight")
        table, columns = read_entry({"columns": data.columns, "channel": entry.channel}, found, what=place)
        tables.append((weight, table))
    total = sum((w for w, _ in tables), Fraction(0))
    if total != 1:
        raise InputError(f"{what}: the weights of its tables sum to {brief(total)}; exactly 1 was expected")
    return found, columns, tables


def next_hops_to_document(network: Network, columns: Columns, tables: Tables) -> dict[str, Any]:
    """The document of weighted tables on ``network``."""
    return {
        "format": "routeproof/next-hop",
        "network": network_entry(network),
        "columns": columns,
        "tables": [{"weight": number_text(w), "channel": table.tolist()} for w, table in tables],
    }
