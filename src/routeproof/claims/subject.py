"""The network, the routing or the wiring that a report is about, made again.

What bears the name of a family must be what the family makes.  Everything else that a network may be called (a file's
name) is a quotation, and shown as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.errors import InputError, VerificationError
from ..core.loads import LoadBlock
from ..core.multistage.wiring import Splitter, Wiring, check_wiring
from ..core.network import Network
from ..core.plain_names import check_own_name, plain_name, reads_like
from ..core.rational import shown
from ..demand_sets.demand_set import BETWEEN, DemandSet
from ..demand_sets.transport import TransportSet
from ..formats.demands.description import demands_from_description
from ..formats.demands.rates import CABLES
from ..routing.base.routing import Routing, average_hops
from ..routing.base.worst_hash import check_followed
from ..topologies.family import TOPOLOGIES, network_from_spec, wiring_from_spec

_MOST = 1 << 18  # hops of all pairs; nothing is compared beyond
_HOPS = 10_000  # that are summed up
_BASE = 100_000  # pairs times channels, where every pair loads every channel
_SEED = 0

Flow = dict[int, Fraction]

Made = Network | Wiring | Splitter


def routing_of(subject: Mapping[str, Any], text: str | None = None, *, bound: bool = False) -> Routing:
    """The subject's routing on the subject's network, checked to deliver; ``text`` names another to use in its place;
    ``bound``: it may be a bound on whole flows, whose inner routing delivers.

    Code or files that a report names are never run or read: the routing is one of this package, or written out in full.
    Raises InputError for a subject that makes no sense, VerificationError for one that is not what it is called.
    """
    from ..routing.named.described import routing_from_description
    from ..routing.named.spec import routing_from_spec

    try:
        network = network_of(subject)
        described = None if text is not None else routing_from_description(subject["routing"], network)
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None
    except VerificationError as error:
        raise VerificationError(f"subject: {str(error).removeprefix('subject: ')}") from None
    if described is None:
        routing = routing_from_spec(str(text), network)
        routing.check()
        check_loads_of_paths(routing)
        if not bound:
            check_followed(routing, "this report")
        return routing
    try:
        described.check()
        if not bound:
            check_followed(described, "it")
        check_loads_of_paths(described)
    except (InputError, VerificationError) as error:
        raise VerificationError(f"subject: {error}") from None
    return described


def demands_of(data: object, network: Network) -> DemandSet:
    """The set of demands that a report describes between the network's terminals.

    What the hosts' own cables carry is for the dump of a fabric to say: no network that a name makes says it.
    Raises InputError for a set that makes no sense, VerificationError for one that is not what it is called.
    """
    found = demands_from_description(data, network.num_terminals)
    found.check_between(network)
    own = f"hose:{CABLES}"
    if network.spec is not None and own in found.text.split(BETWEEN):
        raise VerificationError(f"the set of demands is called '{own}', and {network.name} says nothing of such cables")
    limits: TransportSet | None = found.transport
    if found.text == own and limits is not None and limits.sends != limits.receives:
        raise VerificationError(f"the set of demands is called '{own}'; a cable carries the same both ways")
    return found


def made_routing(data: Any, network: Network) -> Routing:
    """The routing that a claim describes, checked to deliver; raises InputError where it makes no sense."""
    from ..routing.named.described import routing_from_description

    routing = routing_from_description(data, network)
    check_followed(routing, "this claim")
    routing.check()
    check_loads_of_paths(routing)
    return routing


def network_of(subject: Mapping[str, Any]) -> Network:
    """The subject's network, which is what it is called; raises InputError where it makes no sense."""
    network = described_network(subject.get("network"))
    check_called(subject.get("topology"), network, what="its topology")
    return network


def described_network(data: object) -> Network:
    """A network by its spec, or in full: one that bears the name of a family must be what the family makes."""
    from ..formats.documents.network import network_from_document

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


def is_family_name(text: str) -> bool:
    """May ``text`` be taken for the text of one of our networks, wirings or splitters?"""
    from ..topologies.multistage.splitters import SPLITTERS

    return reads_like(text, (*TOPOLOGIES.own, *SPLITTERS)) is not None


def check_called(text: object, made: Made, *, what: str) -> None:
    """Raise VerificationError if ``text`` names a family and ``made`` is not what it makes.

    ``what`` names it in errors ("its topology").  The bare name of a family that needs parameters ("ring", the file
    ring.topo) says nothing that could be wrong.
    """
    if not isinstance(text, str) or text == getattr(made, "spec", None):
        return
    if not is_family_name(text):
        check_own_name(text, f"subject: {what}")
        return
    family = TOPOLOGIES.own.get(plain_name(text))
    if family is not None and family.parameters:
        return
    try:
        difference = _difference(text, made)
    except InputError as error:
        raise VerificationError(f"subject: {what} is called {text[:60]!r}, which makes nothing: {error}") from None
    if difference is not None:
        thing = type(made).__name__.lower()
        raise VerificationError(f"subject: {what} is called {text[:60]!r}, but the {thing} has {difference}")


def _difference(text: str, made: Made) -> str | None:
    from ..formats.documents.network import first_difference
    from ..topologies.multistage.splitters import is_splitter, splitter_from_spec

    if isinstance(made, Network):
        return first_difference(made, network_from_spec(text))
    if isinstance(made, Wiring):
        wire = wiring_from_spec(text).wire
        if wire.shape != made.wire.shape:
            return f"{made.inputs} inputs and {made.num_edge_levels} levels of edges"
        return None if np.array_equal(wire, made.wire) else "other edges"
    if not is_splitter(text):
        return "the form of a splitter"
    return None if splitter_from_spec(text).adjacent == made.adjacent else "other edges"


# -- are the loads of a routing those of its paths? -------------------------------------------------------------


def check_loads_of_paths(routing: Routing) -> None:
    """Raise VerificationError where a channel's loads are not those of the paths of a pair.

    Loads by channel, which prove most claims, and paths are made in different ways.  Paths are summed anew within a
    bound of work: all where they are few; of more, those of some rows.  Of a routing without paths of its own, loads by
    pair stand for them.
    """
    network = routing.network
    rows, columns = np.unique(routing.row_of), np.unique(routing.column_of)
    if len(rows) * len(columns) * average_hops(network) > _MOST:
        return
    most = max(1, _BASE // max(1, network.num_channels)) if routing.has_base else len(rows) * len(columns)
    loads: dict[tuple[int, int], Flow] = {}
    left, asked = _HOPS, np.zeros(len(routing.row_node), dtype=bool)
    order = np.random.default_rng(_SEED)
    for i in order.permutation(rows).tolist():
        asked[i] = True
        for j in order.permutation(columns[routing.column_node[columns] != routing.row_node[i]]).tolist():
            if left <= 0 or len(loads) >= most:
                break
            loads[i, j], hops = _of_pair(routing, i, j)
            left -= hops
        if left <= 0 or len(loads) >= most:
            break
    for k, c in enumerate(range(network.num_channels)):
        if k % 64 == 0:
            block = routing.channel_loads(np.arange(c, min(c + 64, network.num_channels)), rows=asked)
        _compare(routing, block, k % 64, loads)


def _of_pair(routing: Routing, i: int, j: int) -> tuple[Flow, int]:
    """(load by channel, how many hops were summed)."""
    whole = routing if routing.whole_flows_of is None else routing.whole_flows_of
    try:
        paths = whole.paths(i, j) if whole.has_explicit_paths else None
    except InputError:  # too many to write out
        paths = None
    if paths is None:
        found = routing.pair_loads([i], [j]).as_dict()
        return found, len(found)
    loads: Flow = {}
    for weight, path in paths:
        for c in path:
            loads[c] = loads.get(c, Fraction(0)) + weight
    if whole is not routing:  # a bound on whole flows: one for every pair that may cross the channel
        loads = dict.fromkeys(loads, Fraction(1))
    return loads, sum(len(path) for _, path in paths)


def _compare(routing: Routing, block: LoadBlock, k: int, loads: dict[tuple[int, int], Flow]) -> None:
    c = int(block.channel[k])
    found = {pair: x for pair, x in block.as_dict(k).items() if pair in loads or _on_one_node(routing, *pair)}
    if block.base is not None:
        row, column = block.base.row[k].fractions(), block.base.column[k].fractions()
        found = {pair: found.get(pair, Fraction(0)) + row[pair[0]] + column[pair[1]] for pair in loads}
    for pair in {*found, *(x for x, flow in loads.items() if c in flow)}:
        told, summed = found.get(pair, Fraction(0)), loads.get(pair, {}).get(c, Fraction(0))
        if told != summed:
            network = routing.network
            i, j = (network.label(int(x)) for x in (routing.row_node[pair[0]], routing.column_node[pair[1]]))
            raise VerificationError(
                f"the loads of {routing.name} are not those of its paths: of what goes from {i} to {j}, "
                f"{shown(summed)} crosses channel {c} ({network.channel_label(c)}); its load is {shown(told)}"
            )


def _on_one_node(routing: Routing, i: int, j: int) -> bool:
    return bool(routing.row_node[i] == routing.column_node[j])
