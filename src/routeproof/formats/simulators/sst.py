"""Networks and weighted path tables for SST's Merlin ``topoAny``, as JSON.

``{"format": "sst-anytopo", "routers": [{"id": 0, "endpoints": 1}, ...], "links": [[0, 1], ...],
"routing_table": {"0": {"5": [["1/2", [1, 5]], ...]}}}``

Beside the table, ``"virtual_channels": {"0": {"5": [[0, 1], ...]}}`` may state the virtual channel of every hop of each
path.

Its content is what SST's Python wants: an undirected graph with the node attribute ``endpoints``, and for every pair
of routers weighted lists of the routers that follow the source.  Weights are fractions, so that nothing is lost on the
way; a table read from elsewhere may have floats, which are taken for simple fractions near them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.paths import MOST_VIRTUAL, Paths
from ..documents.json_text import write_json
from ..documents.network import MAX_NODES, integer_list, number_text
from ..format import Format, NetworkFormat
from ..graphs.foreign_graph import terminals_per_node
from ..text_files import brief, positive_number, unexpected
from .anynet import plain_links

FORMAT = "sst-anytopo"
_SIMPLE = 1 << 20


def network_to_sst(network: Network) -> dict[str, Any]:
    """The document of a network, without a table; raises InputError for what ``plain_links`` refuses."""
    what = "an SST AnyTopo graph"
    links = plain_links(network, what=what)
    counts = terminals_per_node(network, what=what) or [1] * network.num_nodes
    return {
        "format": FORMAT,
        "name": network.name,
        "routers": [{"id": v, "endpoints": counts[v]} for v in range(network.num_nodes)],
        "links": [list(e) for e in links],
    }


def sst_to_network(document: Mapping[str, Any], *, what: str, name: str) -> Network:
    """The network of a document; a link that comes several times is several channels each way."""
    from ..structure import SstDocument, document_of

    data = document_of(SstDocument, document, what=what)
    last = len(data.routers) - 1
    if last < 0:
        raise InputError(f"{what} has no routers; at least one was expected")
    at: list[int] = []
    for k, router in enumerate(data.routers):
        place = f"{what}: routers[{k}]"
        if not isinstance(router, dict) or set(router) != {"id", "endpoints"} or router["id"] != k:
            raise unexpected(place, router, f'{{"id": {k}, "endpoints": 1}}')
        count = router["endpoints"]
        if type(count) is not int or not 0 <= count <= 100_000:
            raise unexpected(f"{place}.endpoints", count, "a whole number, at most 100000,")
        if len(at) + count > MAX_NODES:
            raise InputError(f"{what}: routers 0 to {k} have more than {MAX_NODES} endpoints in all")
        at += [k] * count
    ends: list[tuple[int, int]] = []
    for k, link in enumerate(data.links):
        pair: list[Any] = link if isinstance(link, list) and len(link) == 2 else [None, None]
        if any(type(x) is not int or not 0 <= x <= last for x in pair) or pair[0] == pair[1]:
            raise InputError(f"{what}: links[{k}] is {brief(link)}; two different routers of 0 to {last} were expected")
        ends += [(pair[0], pair[1]), (pair[1], pair[0])]
    return Network.of(data.name or name, len(data.routers), ends, source=at, sink=at)


def exact_weights(values: list[object], *, what: str) -> list[Fraction]:
    """Weights that sum to 1: as they are written if that does, else the simplest fractions within 1e-9 of them. (A
    third is written as 0.3333333333333333 by those who have floats only.)"""
    written = [positive_number(repr(x) if isinstance(x, float) else x, what=f"{what}: a weight") for x in values]
    if sum(written) == 1:
        return written
    simple = [x.limit_denominator(_SIMPLE) for x in written]
    near = all(abs(a - b) < Fraction(1, 10**9) for a, b in zip(simple, written, strict=True))
    if not near or sum(simple) != 1:
        raise InputError(f"{what}: the weights sum to {number_text(sum(written, Fraction(0)))}; 1 was expected")
    return simple


def paths_from_sst(document: Mapping[str, Any], network: Network, *, what: str) -> Paths:
    """The table's paths between all terminals of its routers; over parallel links they spread evenly."""
    between: dict[tuple[int, int], list[int]] = {}
    for c, e in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        between.setdefault(e, []).append(c)
    terminals: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for i, v in enumerate(network.source.tolist()):
        terminals[v].append(i)
    number = {str(v): v for v in range(network.num_nodes)}
    items: list[tuple[int, int, Fraction, list[int]]] = []
    stated, virtual = document.get("virtual_channels"), list[int]()
    if stated is not None:
        _object(stated, f"{what}: virtual_channels")
    for source, row in _object(document.get("routing_table"), f"{what}: routing_table").items():
        place = f"{what}: routing_table[{brief(source)}]"
        for destination, ways in _object(row, place).items():
            pair = f"{place}[{brief(destination)}]"
            if source not in number or destination not in number:
                raise InputError(f"{pair}: routers are 0 to {network.num_nodes - 1}")
            u, v = number[source], number[destination]
            if u != v and terminals[u] and terminals[v]:
                walks = _walks(ways, u, v, between, pair)
                if stated is not None:
                    here = _virtual(stated, source, destination, walks, ways, f"{what}: virtual_channels")
                    virtual += here * (len(terminals[u]) * len(terminals[v]))
                items += [(i, j, w, path) for i in terminals[u] for j in terminals[v] for w, path in walks]
    return Paths.of(items, virtual=None if stated is None else virtual)


def _virtual(
    stated: Mapping[str, Any], source: str, destination: str, walks: Sequence[Any], ways: object, what: str
) -> list[int]:
    """Those of all ``walks``; each of ``ways`` over parallel links is as many walks."""
    assert isinstance(ways, list)
    row = stated.get(source)
    lists = row.get(destination) if isinstance(row, dict) else None
    place = f"{what}[{brief(source)}][{brief(destination)}]"
    if not isinstance(lists, list) or len(lists) != len(ways):
        raise unexpected(place, lists, f"a list for each of {len(ways)} paths")
    found: list[int] = []
    choices = len(walks) // len(ways)
    for k, (_, walk) in enumerate(walks):
        one = integer_list(lists[k // choices], what=place, below=MOST_VIRTUAL, thing="a virtual channel")
        if len(one) != len(walk):
            raise InputError(f"{place} has {len(one)} entries for a path of {len(walk)} hops; one each was expected")
        found += one
    return found


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise unexpected(what, value, "an object")
    return value


def _walks(
    ways: object, u: int, v: int, between: Mapping[tuple[int, int], list[int]], what: str
) -> list[tuple[Fraction, list[int]]]:
    if not isinstance(ways, list) or not ways:
        raise unexpected(what, ways, "a list of [weight, routers]")
    for way in ways:
        if not isinstance(way, list) or len(way) != 2 or not isinstance(way[1], list) or not way[1]:
            raise InputError(f"{what} holds {brief(way)}; [weight, [router, ...]] was expected")
    result: list[tuple[Fraction, list[int]]] = []
    for weight, (_, routers) in zip(exact_weights([way[0] for way in ways], what=what), ways, strict=True):
        choices: list[list[int]] = []
        for here, there in pairwise([u, *routers]):
            if type(there) is not int or (here, there) not in between:
                raise InputError(f"{what}: no link leads from router {here} to {brief(there)}")
            choices.append(between[here, there])
        if math.prod(map(len, choices)) > 4096:
            raise InputError(f"{what}: one path has more than 4096 choices among parallel links")
        if routers[-1] != v:
            raise InputError(f"{what}: a path ends at router {routers[-1]}, not at {v}")
        walks = [list(x) for x in product(*choices)]
        result += [(weight / len(walks), walk) for walk in walks]
    return result


SST: NetworkFormat = Format(
    "sst",
    "SST's AnyTopo",
    extensions=(".sst.json",),
    sniff=lambda file: file.says(FORMAT),
    read=lambda file, _: sst_to_network(file.document, what=file.what, name=file.stem),
    write=lambda network, path: write_json(network_to_sst(network), path),
)
