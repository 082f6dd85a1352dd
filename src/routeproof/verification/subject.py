"""The network, the routing or the wiring that a report is about, made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import InputError, VerificationError
from ..core.network import Network
from ..core.wiring import Wiring, check_wiring
from ..routing.base import Routing

__all__ = ["network_of", "routing_of", "wiring_of"]


def routing_of(subject: Mapping[str, Any], text: str | None = None) -> Routing:
    """The subject's routing on the subject's network, checked to deliver; ``text`` names another to use in its place.

    Code or files that a report names are never run or read: the routing is one of this package, or written out in full.
    Raises InputError for a subject that makes no sense, VerificationError for one that is not what it is called.
    """
    from ..routing.spec import routing_from_spec

    try:
        network = network_of(subject)
        described = None if text is not None else _routing_in(subject, network)
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None
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
    """The subject's network; raises InputError where it makes no sense."""
    from ..formats.network_document import network_from_document
    from ..topologies.spec import network_from_spec

    data = subject.get("network")
    if not isinstance(data, Mapping):
        raise InputError("it has no network; {'spec': ...} or a network document was expected")
    if set(data) == {"spec"}:
        if not isinstance(data["spec"], str):
            raise InputError("the network's spec must be a text")
        network = network_from_spec(data["spec"])
    else:
        network = network_from_document(dict(data), what="its network", name="the report's network")
    _check_topology(subject.get("topology"), network)
    return network


def wiring_of(subject: Mapping[str, Any]) -> Wiring:
    """The wiring that a report is about, checked."""
    from ..formats.wiring_document import wiring_from_document
    from ..topologies.wired_spec import wiring_from_spec

    data = subject.get("wiring")
    if not isinstance(data, Mapping):
        raise InputError("the report's subject has no wiring")
    if isinstance(data.get("spec"), str):
        return wiring_from_spec(data["spec"])
    if "sha256" in data:
        raise InputError("the report names its wiring by a digest only, because it is large: run it again to verify it")
    return check_wiring(wiring_from_document(data, what="the report's wiring"))


def _check_topology(typed: object, network: Network) -> None:
    """What the user typed is for people; where it names one of our families it must not name another network."""
    from ..formats.network_document import first_difference
    from ..topologies.spec import is_family, network_from_spec

    if not isinstance(typed, str) or typed == network.spec or not is_family(typed):
        return
    difference = first_difference(network, network_from_spec(typed))
    if difference is not None:
        raise VerificationError(f"subject: its topology is called {typed[:60]!r}, but its network has {difference}")


def _routing_in(subject: Mapping[str, Any], network: Network) -> Routing:
    from ..routing.described import routing_from_description
    from ..routing.names import ROUTINGS

    data = subject.get("routing")
    if not isinstance(data, Mapping):
        raise InputError("it has no routing; {'spec': ...} or the loads in full were expected")
    name = data.get("spec")
    if "loads" in data and isinstance(name, str) and name.partition(":")[0].strip() in (*ROUTINGS, "mix"):
        raise VerificationError(f"subject: loads in full are called {name[:60]!r}, the name of a built-in routing")
    return routing_from_description(data, network)
