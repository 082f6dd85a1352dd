"""Routings from what reports say of them: by name, as mixtures, or in full; nothing that a report names is run.

A routing by name is made anew.  One that carries its own loads, paths or tables is given by the report: it may not bear
a name that this package could make, in whatever letters that is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...core.display import short
from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...core.plain_names import check_own_name, plain_name
from ...core.rational import parse_fraction
from ...formats.documents.routing import paths_on_network, read_entry
from ...topologies.traffic_models import TRAFFIC_MODELS
from ..base.entry import whole
from ..base.mixture import Mixture, mixture_name
from ..base.routing import Routing
from ..base.tabled import read_embedded
from ..base.worst_hash import WorstHash, worst_hash_name
from ..classes.symmetric import read_path_classes, read_symmetric
from ..files.documents import routing_of_graph
from ..path_sets.names import is_path_set, path_set
from ..path_sets.path_set import PathSet, PathsOf
from ..tables.groups import read_group_table, read_groups
from ..tables.half_flows import read_half_flows
from ..tables.next_hop import NextHopRouting
from ..tables.path_tables import TableRouting
from ..tables.pinned import read_pinned
from ..tables.trees import read_trees
from .names import ROUTINGS, makes_a_routing, named_routing, options_of

_DESIGNED = re.compile(r"designed\s+(with|as)\b")


def is_given(data: Mapping[str, Any]) -> bool:
    """Does a description that was read carry loads, paths or tables of its own, so that its name is only a name?"""
    if "whole_flows_of" in data:
        return is_given(data["whole_flows_of"])
    return any(is_given(x) for _, x in data["parts"]) if "parts" in data else set(data) != {"spec"}


def check_given_name(name: object, *, form: str = "") -> str:
    """The name of a routing that a report gives in full, in a form of ``_FORMS``.

    Raises InputError for what is not a name, VerificationError for one that the package could make.
    """
    if not isinstance(name, str):
        raise InputError("'spec' of a routing must be a string: the name of what is given in full")
    check_own_name(name, "a routing given in full")
    if makes_a_routing(name):
        raise VerificationError(
            f"a routing given in full is called '{short(name)}', a name of this package's own routings; what is called "
            f"so is made anew and needs no loads, paths or tables"
        )
    if form not in ("path_classes", "groups") and _DESIGNED.match(plain_name(name)):
        raise VerificationError(f"a routing given in full is called '{short(name)}', but has no paths of such a design")
    return name


def _document(network: Network, data: Mapping[str, Any]) -> Routing:
    if not isinstance(data["document"], Mapping):
        raise InputError("'document' of a routing must be an object")
    paths = paths_on_network(data["document"], network, what="the routing's document")
    return TableRouting(network, data["spec"], paths)


def _destination_graph(network: Network, data: Mapping[str, Any]) -> Routing:
    if not isinstance(data["destination_graph"], Mapping):
        raise InputError("'destination_graph' of a routing must be an object")
    return routing_of_graph(data["destination_graph"], network, name=data["spec"], what="the destination graph")


def _path_classes(network: Network, data: Mapping[str, Any]) -> Routing:
    """A name of this package that stands for paths of a set must be true of the paths."""
    name = data["spec"]
    within = data.get("allowed")
    of_set = isinstance(within, str) and name == f"designed with {within}" and is_path_set(within)
    if _DESIGNED.match(plain_name(name)) and not of_set:
        # As the package writes it, to the letter: what the routing was made for is told by its options.
        designed = re.fullmatch(r"designed (?:with|as) ([0-9a-z]+)(?::(.*))?", name)
        made = None if designed is None else ROUTINGS.own.get(designed[1])
        if designed is None or made is None or made.solved_within is None or data.get("allowed") != made.solved_within:
            raise InputError(
                f"the routing is called '{name[:40]}', but its paths are not said to be those of that design"
            )
        given = options_of(made, designed[2])
        for key in {"samples", "seed"} & set(given):
            whole(designed[1], key, given[key])
        if given.get("traffic", "permutation") not in TRAFFIC_MODELS:
            known = ", ".join(TRAFFIC_MODELS)
            raise InputError(f"{designed[1]}: its traffic is '{given['traffic'][:40]}'; known: {known}")
    return read_path_classes(network, data)


def _groups(network: Network, data: Mapping[str, Any]) -> Routing:
    """What ``GroupRouting.written_in_full`` wrote; raises InputError unless it delivers every packet."""
    name, allowed = data["spec"], data.get("allowed")
    if allowed is not None and not isinstance(allowed, str):
        raise InputError("'allowed' must name a set of paths")
    if _DESIGNED.match(plain_name(name)) and name != f"designed with {allowed}":
        raise InputError(f"the routing is called '{name[:40]}', but its paths are not said to be those of that design")
    return read_groups(network, name, data["groups"], None if allowed is None else path_set(allowed, network))


def _next_hop(network: Network, data: Mapping[str, Any]) -> Routing:
    """What ``NextHopRouting.written_in_full`` wrote; raises InputError unless it delivers every packet."""
    entry = data["next_hop"]
    if not isinstance(entry, Mapping) or set(entry) != {"columns", "channel"}:
        raise InputError("'next_hop' of a routing must be an object with 'columns' and 'channel'")
    table, columns = read_entry(entry, network, what="the routing's next_hop")
    return NextHopRouting(network, data["spec"], table, columns)


class _Form(NamedTuple):
    """How a routing is given in full: the keys of its description beside ``spec``, and who reads it."""

    keys: frozenset[str]
    read: Callable[[Network, Mapping[str, Any]], Routing]
    optional: frozenset[str] = frozenset()


_FORMS: Mapping[str, _Form] = {
    "classes": _Form(frozenset({"classes", "scale", "symmetry"}), read_symmetric),
    "path_classes": _Form(frozenset({"path_classes", "scale", "symmetry"}), _path_classes, frozenset({"allowed"})),
    "groups": _Form(frozenset({"groups"}), _groups, frozenset({"allowed"})),
    "group_table": _Form(frozenset({"group_table"}), lambda n, x: read_group_table(n, x["spec"], x["group_table"])),
    "half_flows": _Form(frozenset({"half_flows"}), lambda n, x: read_half_flows(n, x["spec"], x["half_flows"])),
    "next_hop": _Form(frozenset({"next_hop"}), _next_hop),
    "pinned": _Form(frozenset({"pinned"}), read_pinned),
    "trees": _Form(frozenset({"trees"}), read_trees),
    "document": _Form(frozenset({"document"}), _document),
    "loads": _Form(frozenset({"loads", "rows", "columns"}), read_embedded),
    "destination_graph": _Form(frozenset({"destination_graph"}), _destination_graph),
}
"""By the key that tells the form."""


def routing_from_description(data: Mapping[str, Any], network: Network) -> Routing:
    """The routing that ``describe_routing`` wrote: by name, as a mixture of descriptions, or given in full.

    A name here never leads to a file or to a function: what a report says is not run.  Loads in full are not yet
    known to deliver every pair; call ``check``.

    Raises InputError for a description with keys that its form does not have, and for what is given in full under a
    name of the package's own.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"the routing is of type {type(data).__name__}; an object was expected")
    if "parts" in data:
        return _mixture(data, network)
    if "whole_flows_of" in data:
        return _worst_hash(data, network)
    forms = [key for key in _FORMS if key in data]
    if forms:
        form = _FORMS[forms[0]]
        _check_keys(data, form.keys | {"spec"}, form.optional)
        check_given_name(data["spec"], form=forms[0])
        return form.read(network, data)
    _check_keys(data, frozenset({"spec"}))
    spec = data["spec"]
    if not isinstance(spec, str):
        raise InputError("'spec' of a routing must be a string")
    return named_routing(spec, network)


def _mixture(data: Mapping[str, Any], network: Network) -> Routing:
    _check_keys(data, frozenset({"parts", "spec"}))
    parts, name = data["parts"], data["spec"]
    if not isinstance(parts, list) or not all(isinstance(x, list) and len(x) == 2 for x in parts):
        raise InputError("'parts' of a routing must be a list of [weight, routing]")
    if any(isinstance(x, Mapping) and "parts" in x for _, x in parts):
        raise InputError("'parts' of a routing cannot have parts themselves")
    weights = [parse_fraction(w, what="a weight") for w, _ in parts]
    routings = [routing_from_description(x, network) for _, x in parts]
    if name != mixture_name(list(zip(weights, (x["spec"] for _, x in parts), strict=True))):
        check_given_name(name)
    return Mixture(list(zip(weights, routings, strict=True)), name=name)


def _worst_hash(data: Mapping[str, Any], network: Network) -> Routing:
    """The bound on whole flows of a described routing, called so."""
    _check_keys(data, frozenset({"whole_flows_of", "spec"}))
    inner = data["whole_flows_of"]
    if not isinstance(inner, Mapping) or "whole_flows_of" in inner:
        raise InputError("'whole_flows_of' of a routing must be a routing")
    routing, wanted = routing_from_description(inner, network), worst_hash_name(str(inner.get("spec")))
    if data["spec"] != wanted:
        raise InputError(f"the bound on whole flows is called {short(str(data['spec']))!r}; '{short(wanted)}' expected")
    routing.check()
    return WorstHash(routing, name=wanted)


def _check_keys(data: Mapping[str, Any], needed: frozenset[str], optional: frozenset[str] = frozenset()) -> None:
    for key in sorted(needed - set(data)):
        raise InputError(f"a routing in a report has no '{key}', which belongs to this form of it")
    for key in sorted(set(data) - needed - optional, key=str):
        raise InputError(f"a routing in a report has the key '{str(key)[:40]}', which this form of it does not have")


def describe_routing(routing: Routing, *, paths: bool = False) -> dict[str, Any]:
    """``{"spec": name}``, and what it is in full where ``routing.in_full``, the parts of a mixture one by one.

    ``paths``: for claims about its explicit paths, so that tables of paths are written path by path.
    """
    if not routing.in_full:
        return {"spec": routing.name}
    if routing.whole_flows_of is not None:
        return {"spec": report_name(routing), "whole_flows_of": describe_routing(routing.whole_flows_of)}
    if routing.parts:
        parts = [[str(weight), describe_routing(part, paths=paths)] for weight, part in routing.parts]
        return {"spec": report_name(routing), "parts": parts}
    return {"spec": report_name(routing), **routing.written_in_full(paths=paths)}


def report_name(routing: Routing) -> str:
    """What a report calls the routing: by its name, or, where it is given in full, by one that makes nothing."""
    if not routing.in_full:
        return routing.name
    if routing.whole_flows_of is not None:
        return worst_hash_name(report_name(routing.whole_flows_of))
    if routing.parts and routing.name == mixture_name([(w, x.name) for w, x in routing.parts]):
        return mixture_name([(w, report_name(x)) for w, x in routing.parts])
    if not makes_a_routing(routing.name):
        return routing.name
    entry = ROUTINGS.own.get(routing.name.partition(":")[0])
    solved = entry is not None and entry.solved_within is not None
    return f"designed as {routing.name}" if solved else f"./{routing.name}"


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
