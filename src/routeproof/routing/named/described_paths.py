"""How reports hold the sets of paths that no name makes again: those of a routing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing
from ..path_sets.path_set import PathSet
from ..path_sets.some import PathsOf
from .described import describe_routing, report_name, routing_from_description


def paths_of(routing: Routing) -> PathsOf:
    """The explicit paths of a routing as a set."""
    return PathsOf(routing, report_name(routing))


def describe_paths(paths: PathSet) -> dict[str, Any] | None:
    """What a report holds of a set beside its name: the routing whose paths it has, by name or in full; None where the
    name makes it again."""
    return describe_routing(paths.routing, paths=True) if isinstance(paths, PathsOf) else None


def paths_from_description(data: object, network: Network) -> PathsOf:
    """What ``describe_paths`` wrote; nothing that it names is read or run.  Raises InputError."""
    if not isinstance(data, Mapping):
        raise InputError(f"the set of paths is of type {type(data).__name__}; a routing was expected")
    return paths_of(routing_from_description(data, network))
