"""BookSim's ``anynet`` files: ``router 0 node 0 node 1 router 1 15``.

A line tells what the router (or node) at its head is joined to.  Links go both ways, also where only one end mentions
them; a number after a name is a latency, which says nothing about load and is not used.  A node is a terminal.
Bandwidths are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...core.errors import InputError
from ...core.network import Network
from ..format import Format, NetworkFormat
from ..text_files import MEGABYTE, FilePath, brief, read_text, shown, stem, write_text_atomic
from .plain_routers import plain_links, router_of_terminals

__all__ = ["ANYNET", "anynet_text", "read_anynet"]

_LIMIT = 512 * MEGABYTE
_MOST = 10_000_000
_NAMES = ("router", "node")


@dataclass
class _Found:
    """Links and the router of every node, with the line that said so first."""

    links: dict[tuple[int, int], int] = field(default_factory=dict)
    routers: dict[int, int] = field(default_factory=dict)
    nodes: dict[int, tuple[int, int]] = field(default_factory=dict)


def read_anynet(path: FilePath) -> Network:
    """The network in an anynet file.  Routers are nodes 0, 1, ...; terminal i is node i of the file.

    Raises InputError, with the line, for words that are neither ``router``, ``node`` nor numbers, a node at two
    routers, a link between nodes or from a router to itself, numbers that leave gaps (BookSim wants 0, 1, ...), and an
    empty file.
    """
    what = f"file {shown(path)}"
    found = _Found()
    for number, line in enumerate(read_text(path, limit=_LIMIT, wanted="an anynet file").splitlines(), 1):
        words = line.split()
        if words:
            _line(words, found, number, f"{what}, line {number}")
    for name, there in (("router", found.routers), ("node", {k: x[1] for k, x in found.nodes.items()})):
        if not there:
            raise InputError(f"{what} has no {name}; 'router 0 node 0 router 1' was expected")
        gap = next(k for k in range(len(there) + 1) if k not in there)
        if gap < len(there):
            raise InputError(f"{what} has {len(there)} {name}s but no {name} {gap}; they are numbered 0, 1, ...")
    ends = [e for u, v in sorted(found.links) for e in ((u, v), (v, u))]
    at = [found.nodes[k][0] for k in range(len(found.nodes))]
    return Network.of(stem(path), len(found.routers), ends, source=at, sink=at)


def _line(words: list[str], found: _Found, number: int, where: str) -> None:
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
    head = items[0]
    if len(items) == 1:
        _router_or_node(head, found, number, where)
    for body in items[1:]:
        _join(head, body, found, number, where)


def _whole(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) < _MOST):
        raise InputError(f"{what} is {brief(text)}; a whole number below {_MOST} was expected")
    return int(text)


def _router_or_node(item: tuple[str, int], found: _Found, number: int, where: str) -> None:
    if item[0] == "node":
        raise InputError(f"{where}: node {item[1]} stands alone; 'node {item[1]} router 0' was expected")
    found.routers.setdefault(item[1], number)


def _join(head: tuple[str, int], body: tuple[str, int], found: _Found, number: int, where: str) -> None:
    kinds = (head[0], body[0])
    if kinds == ("node", "node"):
        raise InputError(f"{where}: node {head[1]} is joined to node {body[1]}; nodes are joined to routers")
    if kinds == ("router", "router"):
        u, v = head[1], body[1]
        if u == v:
            raise InputError(f"{where}: router {u} is joined to itself")
        found.routers.setdefault(u, number)
        found.routers.setdefault(v, number)
        found.links.setdefault((min(u, v), max(u, v)), number)
        return
    node, router = (head[1], body[1]) if head[0] == "node" else (body[1], head[1])
    found.routers.setdefault(router, number)
    before = found.nodes.setdefault(node, (router, number))
    if before[0] != router:
        raise InputError(f"{where}: node {node} is joined to router {router}; line {before[1]} said {before[0]}")


def anynet_text(network: Network) -> str:
    """A line for every router: its nodes, then the routers after it that it is joined to.

    Raises InputError for what BookSim's format cannot hold: see ``plain_routers``.
    """
    what = "an anynet file"
    links = plain_links(network, what=what)
    words = [[f"router {v}"] for v in range(network.num_nodes)]
    for terminal, v in enumerate(router_of_terminals(network, what=what)):
        words[v].append(f"node {terminal}")
    for u, v in links:
        words[u].append(f"router {v}")
    return "".join(" ".join(line) + "\n" for line in words)


ANYNET: NetworkFormat = Format(
    "anynet",
    "BookSim's anynet",
    extensions=(".anynet",),
    read=lambda file, _bandwidth: read_anynet(file.path),
    write=lambda network, path: write_text_atomic(path, anynet_text(network)),
)
