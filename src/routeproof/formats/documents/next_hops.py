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

from ...core.errors import InputError
from ...core.network import Network
from ..text_files import FilePath, brief, parse_number
from .json_text import format_json, write_text_atomic
from .network import check_heading, first_difference, number_text, tell_format
from .packed_ints import pack_ints, unpack_ints
from .routing import network_entry, network_of_routing

__all__ = ["next_hop_entry", "next_hops_from_document", "next_hops_to_document", "read_entry", "write_next_hops"]

Int32 = npt.NDArray[np.int32]
Columns = Literal["node", "terminal"]
Tables = Sequence[tuple[Fraction, Int32]]


def next_hop_entry(channel: Int32, columns: Columns, *, packed: bool) -> dict[str, Any]:
    """``{"columns", "channel"}``: the table (int32, shape (N, D)) as one packed text, or as a list of rows."""
    return {"columns": columns, "channel": pack_ints(channel.ravel()) if packed else channel.tolist()}


def read_entry(data: Mapping[str, Any], network: Network, *, what: str) -> tuple[Int32, Columns]:
    """What ``next_hop_entry`` wrote; raises InputError unless it fits ``network``."""
    columns = data.get("columns")
    if columns not in ("node", "terminal"):
        raise InputError(f"{what}: columns is {brief(columns)}; 'node' or 'terminal' was expected")
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
        raise InputError(
            f"{what}: channel[{v}][{d}] is {int(table[v, d])}; -1 to {network.num_channels - 1} was expected"
        )
    return table.astype(np.int32), columns


def _rows(found: object, height: int, width: int, columns: str, what: str) -> npt.NDArray[np.int64]:
    if not isinstance(found, list) or len(found) != height:
        raise InputError(f"{what} is {brief(found)}; a list of {height} rows, one for every node, was expected")
    for v, row in enumerate(found):
        if not isinstance(row, list) or len(row) != width:
            raise InputError(f"{what}[{v}] is {brief(row)}; {width} numbers, one for every {columns}, were expected")
        for d, x in enumerate(row):
            if type(x) is not int or not -(2**31) <= x < 2**31:
                raise InputError(f"{what}[{v}][{d}] is {brief(x)}; a channel's number, or -1, was expected")
    return np.array(found, dtype=np.int64).reshape(height, width)


def next_hops_from_document(
    document: Mapping[str, Any], *, what: str, network: Network | None = None
) -> tuple[Network, Columns, Tables]:
    """The network, what columns are, and the weighted tables that a parsed document describes.

    ``network``: the one that it must be about.  Raises InputError for any other, and for entries that are no channels
    and weights that do not sum to 1; whether packets arrive is not judged here.
    """
    tell_format(document, "next-hop", what=what)
    unknown = set(document) - {"format", "version", "name", "comment", "network", "columns", "tables"}
    if unknown:
        raise InputError(f"{what} has the unknown key {brief(min(unknown))}")
    check_heading(document, what=what)
    inner = document.get("network")
    if not isinstance(inner, Mapping):
        raise InputError(f"{what}: network is {brief(inner)}; a network document or a spec was expected")
    found = network_of_routing(inner, what)
    if network is not None:
        difference = first_difference(found, network)
        if difference:
            raise InputError(f"{what} is a table of another network than {network.name}: {difference}")
        found = network
    entries = document.get("tables")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{what}: tables is {brief(entries)}; a list of at least one table was expected")
    tables: list[tuple[Fraction, Int32]] = []
    columns: Columns = "node"
    for k, entry in enumerate(entries):
        place = f"{what}: tables[{k}]"
        if not isinstance(entry, Mapping) or not set(entry) <= {"weight", "channel"}:
            raise InputError(f"{place} is {brief(entry)}; an object of weight and channel was expected")
        weight = parse_number(entry.get("weight", 1), what=f"{place}.weight")
        if weight <= 0:
            raise InputError(f"{place}.weight is {brief(weight)}; a positive number was expected")
        data = {"columns": document.get("columns"), "channel": entry.get("channel")}
        table, columns = read_entry(data, found, what=place)
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


def write_next_hops(network: Network, columns: Columns, tables: Tables, path: FilePath) -> None:
    """Write a next-hop document, whole or not at all."""
    write_text_atomic(path, format_json(next_hops_to_document(network, columns, tables)))
