"""Our routing document: an explicit table of weighted paths between terminals of a network, as JSON.

``{"format": "routeproof/routing", "network": {...}, "pairs": [{"source": i, "destination": j,
"paths": [{"weight": "1/2", "channels": [...]}, ...]}, ...]}``

A path may have ``"virtual_channels": [...]``, one for every channel of it; then all paths have them.

``network`` is a network document, or ``{"spec": "torus:3x3"}``.  ``i`` and ``j`` are terminals; a pair on one node
may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.paths import MOST_VIRTUAL, Paths
from ..text_files import unexpected
from .network import (
    check_same,
    first_difference,
    integer_list,
    network_from_document,
    network_to_document,
    number_text,
    positive_number,
)


def network_of_routing(data: Mapping[str, Any], what: str) -> Network:
    """The network that a document about a routing names or holds under its key ``network``."""
    inner = f"{what}: network"
    if "spec" not in data:
        return network_from_document(data, what=inner)
    spec = data["spec"]
    if not isinstance(spec, str) or len(data) != 1:
        raise InputError(f'{inner} has a key \'spec\'; it must be a string alone, as in {{"spec": "torus:3x3"}}')
    from ...topologies.spec import network_from_spec

    try:
        return network_from_spec(spec)
    except InputError as error:
        raise InputError(f"{inner}: {error}") from None


def paths_from_document(document: Mapping[str, Any], *, what: str) -> tuple[Network, Paths]:
    """The network and the paths that a parsed routing document describes.

    Raises InputError unless every entry names terminals and channels of the network, every weight is positive and
    no pair comes twice.  Whether the paths arrive and their weights sum to 1 is not judged here.
    """
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
    """The paths in a parsed routing document that must be about ``network``.

    Raises InputError, naming the first difference, if the document's channels, bandwidths or terminals are others.
    """
    found, paths = paths_from_document(document, what=what)
    check_same(found, network, f"{what} is a routing")
    return paths


def network_entry(network: Network) -> dict[str, Any]:
    """``{"spec": ...}`` for networks on a grid, whose spec says more than a list of channels; else the document."""
    if network.spec is not None and network.grid is not None:
        from ...topologies.spec import network_from_spec

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
