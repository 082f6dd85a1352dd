"""A routing document whose pairs are given by classes: for routings with too many paths for a table.

``{"format": "routeproof/routing", "network": {...}, "classes": {"symmetry": ..., "scale": ..., "classes": [...]}}``,
where ``classes`` is what ``SymmetricRouting.written_in_full`` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError, RouteproofError
from ...core.network import Network
from ...formats.documents.network import first_difference
from ...formats.documents.routing import network_of_routing
from ..base.routing import Routing
from .symmetric import read_symmetric

__all__ = ["routing_of_classes_document"]


def routing_of_classes_document(document: Mapping[str, Any], network: Network, *, name: str, what: str) -> Routing:
    """The routing in such a document, checked to deliver every pair.

    Raises InputError, naming what is wrong, for a document that is none or is about another network.
    """
    if document.get("format") != "routeproof/routing" or not isinstance(document["classes"], Mapping):
        raise InputError(f"{what}: 'classes' goes with the format routeproof/routing, and is an object")
    other = [key for key in document if key not in ("format", "network", "classes")]
    if other or not isinstance(document.get("network"), Mapping):
        raise InputError(f"{what} must have the keys 'format', 'network' and 'classes', and no others")
    difference = first_difference(network_of_routing(document["network"], what), network)
    if difference:
        raise InputError(f"{what} is a routing of another network than {network.name}: {difference}")
    unknown = sorted(str(key) for key in set(document["classes"]) - {"symmetry", "scale", "classes"})
    if unknown:
        raise InputError(f"{what}: classes has an unknown key {unknown[0][:40]!r}; symmetry, scale, classes are known")
    try:
        routing = read_symmetric(network, {**document["classes"], "spec": name})
        routing.check()
    except RouteproofError as error:
        raise InputError(f"{what}: {error}") from None
    return routing
