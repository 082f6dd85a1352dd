"""What a report is about, so that it can be checked without the files that it was made from."""

from __future__ import annotations

from typing import Any

from ..core.network import Network
from ..routing.base.routing import Routing
from ..routing.named.report_entry import describe_routing

__all__ = ["network_subject", "subject_of"]


def subject_of(routing: Routing, *, topology: str) -> dict[str, Any]:
    """``{"kind": "analysis", "network": ..., "routing": ..., "topology": ...}``, each by name or in full.

    ``topology`` is what the user typed, for people.  (``verification.subjects`` lists the kinds.)
    """
    return {
        "kind": "analysis",
        "topology": topology,
        "network": network_subject(routing.network),
        "routing": describe_routing(routing),
    }


def network_subject(network: Network) -> dict[str, Any]:
    """The network by its spec, or in full."""
    from ..formats.documents.network import network_to_document

    return {"spec": network.spec} if network.spec is not None else network_to_document(network)
