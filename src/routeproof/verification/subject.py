"""The network, the routing or the wiring that a report is about, made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import InputError, VerificationError
from ..core.multistage.wiring import Wiring, check_wiring
from ..core.network import Network
from ..routing.base.routing import Routing
from .called import check_called

__all__ = ["described_network", "network_of", "routing_of", "wiring_of"]


def routing_of(subject: Mapping[str, Any], text: str | None = None) -> Routing:
    """The subject's routing on the subject's network, checked to deliver; ``text`` names another to use in its place.

    Code or files that a report names are never run or read: the routing is one of this package, or written out in full.
    Raises InputError for a subject that makes no sense, VerificationError for one that is not what it is called.
    """
    from ..routing.named.spec import routing_from_spec

    try:
        network = network_of(subject)
        described = None if text is not None else _routing_in(subject, network)
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None
    except VerificationError as error:
        raise VerificationError(f"subject: {str(error).removeprefix('subject: ')}") from None
    if text is not None:
        routing = routing_from_spec(text, network)
        routing.check()
        return routing
    assert described is not None
    try:
        described.check()
    except InputError as error:
        raise VerificationError(f"subject: {error}") from None
    return described


def network_of(subject: Mapping[str, Any]) -> Network:
    """The subject's network, which is what it is called; raises InputError where it makes no sense."""
    network = described_network(subject.get("network"))
    check_called(subject.get("topology"), network, what="its topology")
    return network


def described_network(data: object) -> Network:
    """A network by its spec, or in full: one that bears the name of a family must be what the family makes."""
    from ..formats.documents.network import network_from_document
    from ..topologies.spec import network_from_spec

    if not isinstance(data, Mapping):
        raise InputError("it has no network; {'spec': ...} or a network document was expected")
    if set(data) == {"spec"}:
        if not isinstance(data["spec"], str):
            raise InputError("the network's spec must be a text")
        return network_from_spec(data["spec"])
    network = network_from_document(dict(data), what="its network", name="the report's network")
    check_called(data.get("name"), network, what="its network")
    return network


def wiring_of(subject: Mapping[str, Any]) -> Wiring:
    """The wiring that a report is about, checked, and what it is called."""
    from ..formats.documents.wiring import wiring_from_document
    from ..topologies.spec import wiring_from_spec

    data = subject.get("wiring")
    if not isinstance(data, Mapping):
        raise InputError("the report's subject has no wiring")
    if set(data) == {"spec"} and isinstance(data["spec"], str):
        wiring = wiring_from_spec(data["spec"])
    elif "sha256" in data:
        raise InputError("the report names its wiring by a digest only, because it is large: run it again to verify it")
    else:
        wiring = check_wiring(wiring_from_document(data, what="the report's wiring"))
        check_called(data.get("name"), wiring, what="its wiring")
    check_called(subject.get("topology"), wiring, what="its topology")
    return wiring


def _routing_in(subject: Mapping[str, Any], network: Network) -> Routing:
    from ..routing.named.described import routing_from_description

    data = subject.get("routing")
    if not isinstance(data, Mapping):
        raise InputError("it has no routing; {'spec': ...} or the loads in full were expected")
    return routing_from_description(data, network)
