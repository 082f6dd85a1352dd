"""Adjacency of routers for BookSim and CAMINOS.

BookSim's ``anynet`` files: ``router 0 node 0 node 1 router 1 15``.  A line tells what the router (or node) at its head
is joined to.  Links go both ways, also where only one end mentions them; a number after a name is a latency, which says
nothing about load and is not used.  A node is a terminal.  Bandwidths are equal.

CAMINOS (topology ``File``): ``NODOS n``, ``GRADO d``, then ``N i`` and a line of neighbours.
"""

from __future__ import annotations

import re

from ...core.errors import InputError, warn
from ...core.network import Network
from ..format import File, Format, NetworkFormat
from ..text_files import MEGABYTE, FilePath, brief, whole_number, write_text_atomic

_LIMIT = 512 * MEGABYTE
_MOST = 10_000_000
_NAMES = ("router", "node")
_BEGINS = re.compile(r"\s*(router\s+[0-9]+\s*($|router\b|node\b)|node\s+[0-9]+\s+router\b)")


def read_anynet(path: FilePath) -> Network:
    """The network in an anynet file. Routers are nodes 0, 1, ...; terminal i is node i of the file."""
    file = File(path, wanted="an anynet file")
    links: set[tuple[int, int]] = set()
    routers: set[int] = set()
    nodes: dict[int, tuple[int, int]] = {}  # the router of a node, and the line that said so first
    for line in file.lines(limit=_LIMIT):
        items = _items(line.words, line.place)
        routers.update(k for kind, k in items if kind == "router")
        if len(items) == 1 and items[0][0] == "node":
            raise line.error(f"node {items[0][1]} stands alone; 'node {items[0][1]} router 0' was expected")
        for item in items[1:]:
            (_, u), (kind, v) = ends = sorted((items[0], item), reverse=True)  # routers before nodes
            if ends[0][0] == "node":
                raise line.error(f"node {items[0][1]} is joined to node {item[1]}; nodes are joined to routers")
            if kind == "node" and nodes.setdefault(v, (u, line.number))[0] != u:
                router, first = nodes[v]
                raise line.error(f"node {v} is joined to router {u}; line {first} said {router}")
            if kind == "router" and u == v:
                raise line.error(f"router {u} is joined to itself")
            if kind == "router":
                links.add((v, u))
    for name, there in (("router", routers), ("node", nodes)):
        if not there:
            raise InputError(f"{file.what} has no {name}; 'router 0 node 0 router 1' was expected")
        gap = next(k for k in range(len(there) + 1) if k not in there)
        if gap < len(there):
            raise InputError(f"{file.what} has {len(there)} {name}s but no {name} {gap}; they are numbered 0, 1, ...")
    at = [nodes[k][0] for k in range(len(nodes))]
    return Network.of(
        file.stem, len(routers), [e for u, v in sorted(links) for e in ((u, v), (v, u))], source=at, sink=at
    )


def _items(words: list[str], where: str) -> list[tuple[str, int]]:
    """The routers and nodes of a line; latencies are checked and left out."""
    items: list[tuple[str, int]] = []
    k = 0
    while k < len(words):
        if words[k] not in _NAMES:
            raise InputError(f"{where}: {brief(words[k])} is neither 'router' nor 'node'")
        if k + 1 == len(words):
            raise InputError(f"{where} ends after '{words[k]}'; a number was expected")
        items.append((words[k], _whole(words[k + 1], f"{where}: the number of a {words[k]}")))
        k += 2
        if k < len(words) and words[k] not in _NAMES and len(items) > 1:
            _whole(words[k], f"{where}: a latency")
            k += 1
    return items


def _whole(text: str, what: str) -> int:
    return whole_number(text, what, f"a whole number below {_MOST}", most=_MOST - 1)


def anynet_text(network: Network) -> str:
    """A line for every router: its nodes, then the routers after it that it is joined to."""
    links, nodes = plain_links(network, what="an anynet file"), _router_of_terminals(network, what="an anynet file")
    words = [[f"router {v}"] for v in range(network.num_nodes)]
    for terminal, v in enumerate(nodes):
        words[v].append(f"node {terminal}")
    for u, v in links:
        words[u].append(f"router {v}")
    return "".join(" ".join(line) + "\n" for line in words)


ANYNET: NetworkFormat = Format(
    "anynet",
    "BookSim's anynet",
    extensions=(".anynet",),
    sniff=lambda file: _BEGINS.match(file.start) is not None,
    read=lambda file, _bandwidth: read_anynet(file.path),
    write=lambda network, path: write_text_atomic(path, anynet_text(network)),
)


def caminos_text(network: Network) -> str:
    """The adjacency of ``network``, which must have equally many terminals at every router, in order; CAMINOS learns
    their number from ``servers_per_router`` elsewhere."""
    what = "a CAMINOS topology file"
    links, nodes = plain_links(network, what=what), _router_of_terminals(network, what=what)
    each = len(nodes) // network.num_nodes
    if nodes != [v for v in range(network.num_nodes) for _ in range(each)]:
        raise InputError(
            f"{what} has equally many terminals at every router, in their order; those of {network.name} are not so"
        )
    beside: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for u, v in links:
        beside[u].append(v)
        beside[v].append(u)
    lines = [f"NODOS {network.num_nodes}", f"GRADO {max(map(len, beside))}"]
    for v, others in enumerate(beside):
        lines += [f"N {v}", " ".join(map(str, sorted(others)))]
    return "\n".join([*lines, ""])


CAMINOS: NetworkFormat = Format(
    "caminos",
    "CAMINOS",
    extensions=(".caminos",),
    write=lambda network, path: write_text_atomic(path, caminos_text(network)),
)


def plain_links(network: Network, *, what: str) -> list[tuple[int, int]]:
    """The links of a network, (u, v) with u < v, each once. Raises InputError for one-way channels, parallel channels
    and unequal bandwidths, which ``what`` cannot hold; warns of one bandwidth other than 1, which is left out."""
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    if not network.uniform_bandwidth:
        raise InputError(f"{what} has no bandwidths, and those of {network.name} are unequal: nothing is written")
    there = set(ends)
    if len(there) < len(ends):
        u, v = next(e for e in ends if ends.count(e) > 1)
        some = f"some from {network.label(u)} to {network.label(v)}"
        raise InputError(f"{what} cannot hold parallel channels; {network.name} has {some}")
    for u, v in ends:
        if (v, u) not in there:
            channel = f"the channel from {network.label(u)} to {network.label(v)} of {network.name}"
            raise InputError(f"{what} has links both ways only; {channel} has no opposite")
    if ends and network.bandwidth[0] != 1:
        warn(f"{what} has no bandwidths: {network.bandwidth[0]}, that of all channels of {network.name}, is left out")
    return sorted(e for e in there if e[0] < e[1])


def _router_of_terminals(network: Network, *, what: str) -> list[int]:
    """The node of every terminal; raises InputError where one sends and receives at different nodes."""
    apart = (network.source != network.sink).nonzero()[0]
    if len(apart):
        other = f"terminal {int(apart[0])} of {network.name} does not"
        raise InputError(f"{what} has terminals that send and receive at one router; {other}")
    nodes: list[int] = network.source.tolist()
    return nodes
