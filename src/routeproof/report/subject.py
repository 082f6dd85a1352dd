"""What a report is about, so that it can be checked without the files that it was made from."""

from __future__ import annotations

from typing import Any

from ..routing.base import Routing

__all__ = ["subject_of"]


def subject_of(routing: Routing, *, topology: str) -> dict[str, Any]:
    """``{"network": ..., "routing": ..., "topology": ...}``: the network by its spec or in full, the routing likewise.

    ``topology`` is what the user typed, for people.
    """
    from ..formats.network_document import network_to_document

    network = routing.network
    described: dict[str, Any] = {"spec": network.spec} if network.spec is not None else network_to_document(network)
    return {"topology": topology, "network": described, "routing": routing.describe()}
