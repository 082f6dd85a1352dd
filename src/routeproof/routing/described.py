"""Routings from what reports say of them: by name, as mixtures, or in full; nothing that a report names is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import parse_fraction
from .base import Routing
from .files import routing_of_graph
from .names import ROUTINGS
from .spec import named_routing
from .user_function import short

__all__ = ["routing_from_description"]


def _from_document(data: Mapping[str, Any], network: Network) -> Routing:
    """A table of paths that a report carries as a routing document."""
    from ..formats.routing_document import paths_on_network
    from .table import TableRouting

    name = data.get("spec")
    if not isinstance(data["document"], Mapping) or not isinstance(name, str):
        raise InputError("'document' of a routing must be an object, and 'spec' a string")
    if name.partition(":")[0].strip() in (*ROUTINGS, "mix"):
        raise InputError(f"a table of paths is called '{short(name)}', the name of a built-in routing")
    return TableRouting(network, name, paths_on_network(data["document"], network, what="the routing's document"))


def routing_from_description(data: Mapping[str, Any], network: Network) -> Routing:
    """The routing that ``Routing.describe`` wrote: by name, as a mixture of descriptions, or with its loads in full.

    ``{"spec": name, "document": a routing document}`` is a table of paths.

    A name here never leads to a file or to a function: what a report says is not run.  Loads in full are not yet
    known to deliver every pair; call ``check``.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"the routing is of type {type(data).__name__}; an object was expected")
    if "classes" in data:
        from .symmetric import read_symmetric

        return read_symmetric(network, data)
    if "path_classes" in data:
        from .path_class_reader import read_path_classes

        return read_path_classes(network, data)
    if "next_hop" in data:
        from .next_hop_file import read_next_hop

        return read_next_hop(network, data)
    if "document" in data:
        return _from_document(data, network)
    if "loads" in data:
        from .embedded import read_embedded

        return read_embedded(network, data)
    if "destination_graph" in data:
        name = data.get("spec", "destination graph")
        if not isinstance(data["destination_graph"], Mapping) or not isinstance(name, str):
            raise InputError("'destination_graph' of a routing must be an object, and 'spec' a string")
        if name.partition(":")[0].strip() in (*ROUTINGS, "mix"):
            raise InputError(f"a destination graph is called '{short(name)}', the name of a built-in routing")
        return routing_of_graph(data["destination_graph"], network, name=name, what="the destination graph")
    if "parts" in data:
        from .mixture import Mixture

        parts = data["parts"]
        if not isinstance(parts, list) or not all(isinstance(x, list) and len(x) == 2 for x in parts):
            raise InputError("'parts' of a routing must be a list of [weight, routing]")
        if any(isinstance(x, Mapping) and "parts" in x for _, x in parts):
            raise InputError("'parts' of a routing cannot have parts themselves")
        described = [(parse_fraction(w, what="a weight"), routing_from_description(x, network)) for w, x in parts]
        name = data.get("spec")
        known = not isinstance(name, str) or name.partition(":")[0].strip() in (*ROUTINGS, "mix")
        return Mixture(described, name=None if known else name)
    spec = data.get("spec")
    if not isinstance(spec, str):
        raise InputError("'spec' of a routing must be a string")
    return named_routing(spec, network)
