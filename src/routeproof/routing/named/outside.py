"""Routings by name of other packages, as reports hold them: nothing but their loads, paths or tables is trusted."""

from __future__ import annotations

import re
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.strangers import strangers
from ..base.entry import RoutingEntry
from ..base.routing import Routing
from .described import routing_from_description
from .names import ROUTINGS, is_taken

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def outside_routing(entry: RoutingEntry, options: dict[str, Any], network: Network, *, name: str) -> Routing:
    """The routing that another package makes, read back from what a report would say of it under ``name``.

    Its forwarding tables if it has some, else its explicit paths, else its loads are in the report, in full; it is
    checked to deliver every pair, and what it says of its symmetry is not asked.  So it is judged as whoever has only
    the report will judge it.

    Raises InputError for a name that reads like one of this package's, for a package that fails or makes no routing on
    this network, and for loads that are sampled, wrong or too many.
    """
    if not _NAME.fullmatch(entry.name) or is_taken(entry.name):
        raise InputError(
            f"routing {entry.name[:40]} of another package: its name must be small letters, digits and dashes, and not "
            f"read like a name of this package"
        )
    made = _made(entry, options, network)
    with strangers(ROUTINGS.whose(entry.name)):
        data = _description(made, name)
    found = routing_from_description(data, network)
    found.check()
    return found


def _made(entry: RoutingEntry, options: dict[str, Any], network: Network) -> Routing:
    made: Routing = entry.build(network, options)
    with strangers(ROUTINGS.whose(entry.name)):
        elsewhere, sampled = made.network is not network, bool(made.is_sampled)
    if elsewhere:
        raise InputError(f"{ROUTINGS.whose(entry.name)} makes a routing on another network; one on this was expected")
    if sampled:
        raise InputError(f"{ROUTINGS.whose(entry.name)} has sampled loads; exact ones were expected")
    return made


def _description(made: Routing, name: str) -> dict[str, Any]:
    if made.parts:
        parts = [[str(weight), _description(part, f"{name}#{k}")] for k, (weight, part) in enumerate(made.parts)]
        return {"spec": name, "parts": parts}
    return {"spec": name, **made.written_in_full(paths=True)}
