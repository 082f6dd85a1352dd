"""Sets of paths by text, as users ask for them: ``ksp:4``, ``minimal``, or a routing's."""

from __future__ import annotations

from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing
from ..path_sets.names import is_path_set, path_set
from ..path_sets.path_set import PathSet
from .described_paths import paths_of
from .spec import routing_from_spec


def paths_given(given: str | Routing | PathSet | None, network: Network) -> PathSet | None:
    """A set of paths, by name, or those of a routing; None and "all" for all paths.  Raises InputError."""
    if given is None or given == "all":
        return None
    if isinstance(given, PathSet):
        return given
    return paths_from_spec(given, network) if isinstance(given, str) else paths_of(given)


def paths_from_spec(text: str, network: Network) -> PathSet:
    """The set of paths that ``text`` names (``path_sets.names``), else those of the routing that it names, which may be
    a file.  Raises InputError for neither."""
    text = text.strip()
    name, _, options = text.partition(":")
    of_set = name == "virtual-channels" or (name == "ksp" and "=" not in options.partition(",")[0])
    if of_set or is_path_set(text):
        return path_set(text, network)
    try:
        routing = routing_from_spec(text, network, shares=False)
    except InputError as error:
        if str(error).startswith("unknown routing"):
            raise InputError(f"paths '{text[:40]}': not 2turn, minimal or ksp:K, and no routing: {error}") from None
        raise
    return paths_of(routing)
