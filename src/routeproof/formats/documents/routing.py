"""Our documents of routings, as JSON: weighted paths between terminals of a network, and next-hop tables.

``{"format": "routeproof/routing", "network": {...}, "pairs": [{"source": i, "destination": j,
"paths": [{"weight": "1/2", "channels": [...]}, ...]}, ...]}``

A path may have ``"virtual_channels": [...]``, one for every channel of it; then all paths have them.  ``i`` and ``j``
are terminals; a pair on one node may be left out.

``{"format": "routeproof/next-hop", "network": {...}, "columns": "terminal", "tables": [{"weight": "1/2",
"channel": [[...], ...]}, ...]}``

At this node, towards that destination, leave by this channel: ``columns`` says whether destinations are terminals or
nodes; ``channel[v][d]`` is the number of the channel by which a packet at node v for destination d leaves, -1 where
there is none.  Weights are positive and sum to 1: every packet takes one of the tables (as with several lids a port in
InfiniBand).  In reports a table is one text, see ``packed_ints``.

``network`` is a network document, or ``{"spec": "torus:3x3"}``.
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
from ...core.paths import MOST_VIRTUAL, Paths
from ..text_files import brief, positive_number, unexpected
from .network import check_same, first_difference, integer_list, network_from_document, network_to_document, number_text
from .packed_ints import pack_ints, unpack_ints


def network_of_routing(data: Mapping[str, Any], what: str) -> Network:
    """The network that a document about a routing names or holds under its key ``network``."""
    inner = f"{what}: network"
    if "spec" not in data:
        return network_from_document(data, what=inner)
    spec = data["spec"]
    if not isinstance(spec, str) or len(data) != 1:
        raise InputError(f'{inner} has a key \'spec\'; it must be a string alone, as in {{"spec": "torus:3x3"}}')
    from ...topologies.family import network_from_spec

    try:
        return network_from_spec(spec)
    except InputError as error:
        raise InputError(f"{inner}: {error}") from None


def paths_from_document(document: Mapping[str, Any], *, what: str) -> tuple[Network, Paths]:
    """The network and the paths that a parsed routing document describes, each pair once, weights positive. Whether the
    paths arrive and their weights sum to 1 is not judged here."""
    from ..structure import PairEntry, RoutingDocument, document_of, validated

    data = document_of(RoutingDocument, document, what=what)
    network = network_of_routing(data.network, what)
    items: list[tuple[int, int, Fraction, list[int]]] = []
    virtual: list[list[int] | None] = []
    first_place: dict[tuple[int, int], int] = {}
    for k, raw in enumerate(data.pairs):
        place = f"{what}: pairs[{k}]"
        entry = validated(PairEntry, raw, what=place)
        pair = (entry.source, entry.destination)
        for side, terminal in zip(("source", "destination"), pair, strict=True):
            if not 0 <= terminal < network.num_terminals:
                raise unexpected(f"{place}.{side}", terminal, f"a terminal from 0 to {network.num_terminals - 1}")
        if first_place.setdefault(pair, k) != k:
            raise InputError(f"{place} is about terminals {pair[0]} and {pair[1]} again, as pairs[{first_place[pair]}]")
        for n, path in enumerate(entry.paths):
            where = f"{place}.paths[{n}]"
            weight = positive_number(path.weight, what=f"{where}.weight")
            integer_list(path.channels, what=f"{where}.channels", below=network.num_channels, thing="a channel")
            items.append((*pair, weight, path.channels))
            virtual.append(_virtual(path.virtual_channels, len(path.channels), f"{where}.virtual_channels"))
    stated = [x for x in virtual if x is not None]
    if stated and len(stated) < len(virtual):
        raise InputError(f"{what}: {len(stated)} of {len(virtual)} paths have virtual_channels; all or none should")
    return network, Paths.of(items, virtual=[v for x in stated for v in x] if stated else None)


def _virtual(values: list[Any] | None, hops: int, what: str) -> list[int] | None:
    if values is None:
        return None
    found = integer_list(values, what=what, below=MOST_VIRTUAL, thing="a virtual channel")
    if len(found) != hops:
        raise InputError(f"{what} has {len(found)} entries for {hops} channels; one each was expected")
    return found


def paths_on_network(document: Mapping[str, Any], network: Network, *, what: str) -> Paths:
    found, paths = paths_from_document(document, what=what)
    check_same(found, network, f"{what} is a routing")
    return paths


def network_entry(network: Network) -> dict[str, Any]:
    """``{"spec": ...}`` for networks on a grid, whose spec says more than a list of channels; else the document."""
    if network.spec is not None and network.grid is not None:
        from ...topologies.family import network_from_spec

        try:
            same = network_from_spec(network.spec)
        except InputError:
            return network_to_document(network, attributes=())
        if same.grid is not None and first_difference(same, network) is None:
            return {"spec": network.spec}
    return network_to_document(network, attributes=())


def paths_to_document(paths: Paths, network: Network) -> dict[str, Any]:
    """The routing document of ``paths`` in ``network``; pairs in order of source, then destination."""
    pairs: dict[tuple[int, int], list[dict[str, Any]]] = {}
    ends = zip(paths.source.tolist(), paths.sink.tolist(), paths.weight.fractions(), strict=True)
    for k, (i, j, weight) in enumerate(ends):
        path: dict[str, Any] = {"weight": number_text(weight), "channels": paths.path(k)}
        if paths.virtual is not None:
            path["virtual_channels"] = paths.path_virtual(k)
        pairs.setdefault((i, j), []).append(path)
    return {
        "format": "routeproof/routing",
        "network": network_entry(network),
        "pairs": [{"source": i, "destination": j, "paths": pairs[i, j]} for i, j in sorted(pairs)],
    }


Columns = Literal["node", "terminal"]
Tables = Sequence[tuple[Fraction, Int32]]


def next_hop_entry(channel: Int32, columns: Columns) -> dict[str, Any]:
    """``{"columns", "channel"}``: the table (int32, shape (N, D)) as one packed text."""
    return {"columns": columns, "channel": pack_ints(channel.ravel())}


def read_entry(data: Mapping[str, Any], network: Network, *, what: str) -> tuple[Int32, Columns]:
    """What ``next_hop_entry`` wrote, or the same as a list of rows; raises InputError unless it fits ``network``."""
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
    """The network (which must be ``network``, where that is given), what columns are, and the weighted tables that a
    parsed document describes. Whether packets arrive is not judged here."""
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
    return {
        "format": "routeproof/next-hop",
        "network": network_entry(network),
        "columns": columns,
        "tables": [{"weight": number_text(w), "channel": table.tolist()} for w, table in tables],
    }
