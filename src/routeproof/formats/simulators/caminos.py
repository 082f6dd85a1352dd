"""Adjacency lists for CAMINOS (topology ``File``): ``NODOS n``, ``GRADO d``, then ``N i`` and a line of neighbours."""

from __future__ import annotations

from ...core.errors import InputError
from ...core.network import Network
from ..format import Format, NetworkFormat
from ..text_files import write_text_atomic
from .plain_routers import plain_links, router_of_terminals

__all__ = ["CAMINOS", "caminos_text"]


def caminos_text(network: Network) -> str:
    """The adjacency of ``network``; CAMINOS learns the terminals of a router from ``servers_per_router`` elsewhere.

    Raises InputError unless all routers have equally many terminals, numbered in order of routers, and for what
    ``plain_routers`` refuses.
    """
    what = "a CAMINOS topology file"
    links = plain_links(network, what=what)
    nodes = router_of_terminals(network, what=what)
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
