"""Networks and weighted path tables for SST's Merlin ``topoAny``, as JSON.

``{"format": "sst-anytopo", "routers": [{"id": 0, "endpoints": 1}, ...], "links": [[0, 1], ...],
"routing_table": {"0": {"5": [["1/2", [1, 5]], ...]}}}``

Its content is what SST's Python wants: an undirected graph with the node attribute ``endpoints``, and for every pair
of routers weighted lists of the routers that follow the source.  Weights are fractions, so that nothing is lost on the
way; a table read from elsewhere may have floats, which are taken for simple fractions near them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.paths import Paths
from ..documents.json_text import format_json, write_text_atomic
from ..documents.network import MAX_NODES, check_heading, number_text
from ..file import File
from ..format import Bandwidth, Format, NetworkFormat
from ..graphs.foreign_graph import terminals_per_node
from ..text_files import FilePath, brief, parse_number
from .plain_routers import plain_links

__all__ = ["FORMAT", "SST", "exact_weights", "network_to_sst", "paths_from_sst", "sst_to_network"]

FORMAT = "sst-anytopo"
_SIMPLE = 1 << 20
_KEYS = {"format", "name", "routers", "links", "routing_table"}


def network_to_sst(network: Network) -> dict[str, Any]:
    """The document of a network, without a table; raises InputError for what ``plain_routers`` refuses."""
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
    """The network of a document; a link that comes several times is several channels each way.

    Raises InputError for routers not numbered 0, 1, ... in order, and links that lead elsewhere.
    """
    unknown = sorted(set(document) - _KEYS)
    if unknown:
        raise InputError(f"{what} has a key {brief(unknown[0])}; {', '.join(sorted(_KEYS))} were expected")
    check_heading(document, what=what)
    routers, links = document.get("routers"), document.get("links")
    if not isinstance(routers, list) or not isinstance(links, list) or not routers:
        raise InputError(f"{what} has no 'routers' or no 'links'; two lists were expected")
    at: list[int] = []
    for k, router in enumerate(routers):
        if not isinstance(router, dict) or set(router) != {"id", "endpoints"} or router["id"] != k:
            raise InputError(f'{what}: routers[{k}] is {brief(router)}; {{"id": {k}, "endpoints": 1}} was expected')
        count = router["endpoints"]
        if type(count) is not int or not 0 <= count <= 100_000:
            raise InputError(f"{what}: routers[{k}] has {brief(count)} endpoints; a whole number was expected")
        if len(at) + count > MAX_NODES:
            raise InputError(f"{what}: routers 0 to {k} have more than {MAX_NODES} endpoints in all")
        at += [k] * count
    ends: list[tuple[int, int]] = []
    for k, link in enumerate(links):
        good = isinstance(link, list) and len(link) == 2 and all(type(x) is int for x in link)
        if not good or not all(0 <= x < len(routers) for x in link) or link[0] == link[1]:
            raise InputError(
                f"{what}: links[{k}] is {brief(link)}; two different routers of 0 to {len(routers) - 1} were expected"
            )
        ends += [(link[0], link[1]), (link[1], link[0])]
    return Network.of(document.get("name") or name, len(routers), ends, source=at, sink=at)


def exact_weights(values: list[object], *, what: str) -> list[Fraction]:
    """Weights that sum to 1: as they are written if that does, else the simplest fractions within 1e-9 of them.

    (A third is written as 0.3333333333333333 by those who have floats only.)  Raises InputError, naming the sum.
    """
    written = [parse_number(repr(x) if isinstance(x, float) else x, what=f"{what}: a weight") for x in values]
    for x in written:
        if x <= 0:
            raise InputError(f"{what}: a weight is {brief(x)}; a positive number was expected")
    if sum(written) == 1:
        return written
    simple = [x.limit_denominator(_SIMPLE) for x in written]
    near = all(abs(a - b) < Fraction(1, 10**9) for a, b in zip(simple, written, strict=True))
    if not near or sum(simple) != 1:
        raise InputError(f"{what}: the weights sum to {number_text(sum(written, Fraction(0)))}; 1 was expected")
    return simple


def paths_from_sst(document: Mapping[str, Any], network: Network, *, what: str) -> Paths:
    """The table's paths between all terminals of its routers; over parallel links they spread evenly.

    Raises InputError, naming the pair, for paths that do not lead to their destination along links.
    """
    table = document.get("routing_table")
    if not isinstance(table, dict):
        raise InputError(f"{what} has no 'routing_table'; an object was expected")
    between: dict[tuple[int, int], list[int]] = {}
    for c, e in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        between.setdefault(e, []).append(c)
    terminals: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for i, v in enumerate(network.source.tolist()):
        terminals[v].append(i)
    items: list[tuple[int, int, Fraction, list[int]]] = []
    for source, row in table.items():
        if not isinstance(row, dict):
            raise InputError(f"{what}: routing_table[{brief(source)}] is {brief(row)}; an object was expected")
        for destination, ways in row.items():
            pair = f"{what}: routing_table[{brief(source)}][{brief(destination)}]"
            u, v = (_router(x, network, pair) for x in (source, destination))
            if u == v or not (terminals[u] and terminals[v]):
                continue
            walks = _walks(ways, u, v, between, pair)
            items += [(i, j, w, path) for i in terminals[u] for j in terminals[v] for w, path in walks]
    return Paths.of(items)


def _router(text: object, network: Network, what: str) -> int:
    good = isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) < 10
    if not good or int(str(text)) >= network.num_nodes:
        raise InputError(f"{what}: routers are 0 to {network.num_nodes - 1}")
    return int(str(text))


def _walks(
    ways: object, u: int, v: int, between: Mapping[tuple[int, int], list[int]], what: str
) -> list[tuple[Fraction, list[int]]]:
    if not isinstance(ways, list) or not ways:
        raise InputError(f"{what} is {brief(ways)}; a list of [weight, routers] was expected")
    for way in ways:
        if not isinstance(way, list) or len(way) != 2 or not isinstance(way[1], list) or not way[1]:
            raise InputError(f"{what} holds {brief(way)}; [weight, [router, ...]] was expected")
    result: list[tuple[Fraction, list[int]]] = []
    for weight, way in zip(exact_weights([way[0] for way in ways], what=what), ways, strict=True):
        walks: list[list[int]] = [[]]
        here = u
        for there in way[1]:
            if type(there) is not int or (here, there) not in between:
                raise InputError(f"{what}: no link leads from router {here} to {brief(there)}")
            if len(walks) * len(between[here, there]) > 4096:
                raise InputError(f"{what}: one path has more than 4096 choices among parallel links")
            walks = [[*walk, c] for walk in walks for c in between[here, there]]
            here = there
        if here != v:
            raise InputError(f"{what}: a path ends at router {here}, not at {v}")
        result += [(weight / len(walks), walk) for walk in walks]
    return result


def _read(file: File, _bandwidth: Bandwidth) -> Network:
    return sst_to_network(file.document, what=file.what, name=file.stem)


def _write(network: Network, path: FilePath) -> None:
    write_text_atomic(path, format_json(network_to_sst(network)))


SST: NetworkFormat = Format(
    "sst",
    "SST's AnyTopo",
    extensions=(".sst.json",),
    sniff=lambda file: file.says(FORMAT),
    read=_read,
    write=_write,
)
