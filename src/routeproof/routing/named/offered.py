"""Which routings a network could run where nobody names any: what its devices do today, what is usual on its topology,
and the engines of OpenSM where that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing
from ..fabrics.opensm import ENGINES, not_installed, routed_by_opensm
from .spec import routing_from_spec

_ON_TOPOLOGIES = (
    "dor", "o1turn", "valiant", "dmodk", "dragonfly-minimal", "dragonfly-valiant", "rail-local", "ecmp:choice=per-hop",
    "sssp", "updown",
)  # fmt: skip
"""Of networks that are no fabric; on each, those that it can have."""
_FOR_GRAPHS = ("ecmp:choice=per-hop", "sssp", "updown")
"""Those of them that a grid, which has routings of its own, is not compared with."""
_ROOM = 1_500  # switches and hosts, up to which OpenSM is run unasked
_AT_ONCE = 2  # of its engines


def offered(network: Network) -> Iterator[tuple[str, Routing | str]]:
    """Texts, with the routing of each, or why the network cannot have it."""
    fabric = bool(network.usual_routings)
    for text in network.usual_routings or _ON_TOPOLOGIES:
        try:
            found = routing_from_spec(text, network)
        except InputError as error:
            if fabric:
                yield text, f"{text} is left out: {error}"
            continue
        if network.grid is None or text not in _FOR_GRAPHS:
            yield text, found


def engines_left_out(network: Network) -> str:
    """Why the engines of OpenSM are not run on the network unasked; "" where they are."""
    if missing := not_installed():
        return f"OpenSM's engines are not compared: {missing} is not installed here (Debian: opensm ibsim-utils)"
    size = network.num_nodes + network.num_terminals
    if size > _ROOM:
        return (
            f"OpenSM's engines are not run unasked on {size:,} switches and hosts (up to {_ROOM:,} they are): name "
            f"them, such as opensm:minhop"
        )
    return ""


def engines(network: Network) -> Iterator[tuple[str, Routing | str]]:
    """The same of OpenSM's engines, which are run."""

    def one(engine: str) -> Routing | str:
        try:
            return routed_by_opensm(network, engine)
        except InputError as error:
            return f"left out: {error}"

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        yield from zip((f"opensm:{x}" for x in ENGINES), pool.map(one, ENGINES), strict=True)
