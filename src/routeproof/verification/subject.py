"""The network and the routing that a report is about, made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import InputError
from ..core.network import Network
from ..routing.base import Routing

__all__ = ["routing_of"]


def routing_of(subject: Mapping[str, Any], text: str | None = None) -> Routing:
    """The subject's routing on the subject's network, checked to deliver; ``text`` names another to use in its place.

    Code or files that a report names are never run or read: the routing is one of this package, or written out in full.
    """
    from ..routing.spec import routing_from_description, routing_from_spec

    network = _network_of(subject)
    data = subject.get("routing")
    if text is not None:
        routing = routing_from_spec(text, network)
    elif isinstance(data, Mapping):
        routing = routing_from_description(data, network)
    else:
        raise InputError("the report's subject has no routing; {'spec': ...} or the loads in full were expected")
    routing.check()
    return routing


def _network_of(subject: Mapping[str, Any]) -> Network:
    from ..formats.network_document import network_from_document
    from ..topologies.spec import network_from_spec

    described = subject.get("network")
    if not isinstance(described, Mapping):
        raise InputError("the report's subject has no network; {'spec': ...} or a network document was expected")
    spec = described.get("spec")
    if isinstance(spec, str) and "num_nodes" not in described:
        return network_from_spec(spec)
    name = str(described.get("name", "the report's network"))
    return network_from_document(dict(described), what="the report's network", name=name)
