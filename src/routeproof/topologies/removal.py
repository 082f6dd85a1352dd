"""Links and nodes taken out of a network, by the options that every network text has.

- ``dead-nodes=5;9``: these nodes, with their channels and terminals;
- ``dead-links=3-4;17-18``: all channels between these nodes, in both directions;
- ``dead-channels=12;13``: these channels only;
- ``kill-links=2,kill-seed=7``: so many random links (all channels between two nodes), chosen so that the network
  stays strongly connected.

All numbers are those of the whole network.  What is left is numbered again, in the old order; its nodes are labelled
by their old names; layout and declared symmetry are lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.faults import Faults
from ..core.graph import hops_from
from ..core.network import Network
from .build import extended, shortened
from .failures import Failure, channels_between
from .text import parse_whole

REMOVAL_OPTIONS = {
    "dead-nodes": "remove nodes: dead-nodes=5;9",
    "dead-links": "remove all channels between two nodes, both ways: dead-links=3-4;17-18",
    "dead-channels": "remove channels: dead-channels=12;13",
    "kill-links": "remove random links, keeping the network connected: kill-links=2,kill-seed=7",
    "kill-seed": "the seed of kill-links",
}


def remove(network: Network, options: Mapping[str, str]) -> Network:
    """``network`` without what the removal ``options`` name (other options are ignored).

    The result's name, and its spec where the network has one, get the options in canonical form.
    Raises InputError for malformed values, nodes, channels or links that do not exist, and as ``random_links``.
    """
    if not REMOVAL_OPTIONS.keys() & options.keys():
        return network
    where = network.name
    nodes = _listed(options, "dead-nodes", "node", where)
    links = _listed(options, "dead-links", "link", where)
    channels = {c for u, v in links for c in link_channels(network, u, v)}
    dead = _listed(options, "dead-channels", "channel", where)
    faults = Faults(nodes, channels.union(dead))
    text = []
    if nodes or links or dead:
        text.append(Failure(tuple(nodes), tuple(links), (tuple(dead),) if dead else ()).text)
        faults.survivors(network)  # refuses what does not exist before any random choice
    if ("kill-links" in options) != ("kill-seed" in options):
        raise InputError(f"{where}: kill-links and kill-seed go together, as in kill-links=2,kill-seed=7")
    if "kill-links" in options:
        count = parse_whole(options["kill-links"], what=f"kill-links of {where}")
        seed = parse_whole(options["kill-seed"], what=f"kill-seed of {where}")
        faults = Faults(nodes, faults.channels | random_links(network, count, seed=seed, faults=faults))
        text.append(f"kill-links={count},kill-seed={seed}")
    left = replace(faults.survivors(network).network, name=network.name, spec=network.spec)
    return extended(left, ",".join(text))


def link_channels(network: Network, u: int, v: int) -> list[int]:
    """All channels between nodes ``u`` and ``v``, in both directions; raises InputError where there is none."""
    for node in (u, v):
        if node >= network.num_nodes:
            raise InputError(f"dead link {u}-{v} of {network.name}: nodes are 0 to {network.num_nodes - 1}")
    found = channels_between(network, u, v)
    if not found:
        near = sorted({*network.head[network.tail == u].tolist(), *network.tail[network.head == u].tolist()})
        raise InputError(
            f"dead link {u}-{v} of {network.name}: no channel joins these nodes; "
            f"node {u} is joined to {shortened(', '.join(map(str, near)) or 'nothing')}"
        )
    return found


def random_links(network: Network, count: int, *, seed: int, faults: Faults | None = None) -> set[int]:
    """The channels of ``count`` random links, such that ``network`` without them and ``faults`` is strongly connected.

    A link is all channels between two nodes.  The links alive, sorted by their two nodes, are put in the order
    ``numpy.random.default_rng(seed).permutation``; each in turn is removed unless that would disconnect the nodes
    alive, until ``count`` are.  Raises InputError if the network is not strongly connected to begin with, or if
    fewer than ``count`` links can be removed in this order.
    """
    faults = faults or Faults()
    alive, usable = faults.alive(network)
    low = np.minimum(network.tail, network.head).astype(np.int64)
    high = np.maximum(network.tail, network.head)
    link = low * network.num_nodes + high
    links = np.unique(link[usable])
    if count > len(links):
        raise InputError(f"kill-links of {network.name} is {count}; it has only {len(links)} links")
    if not _connected(network, alive, usable):
        raise InputError(f"kill-links of {network.name}: the network is not strongly connected to begin with")
    order = links[np.random.default_rng(seed).permutation(len(links))].tolist()
    killed: list[int] = []
    # Chunks that may go all at once give the same choice as one link at a time, with fewer checks: what is left
    # after a part of a chunk contains what is left after all of it.
    todo = [order]
    while todo and len(killed) < count:
        chunk = todo.pop()
        spare = count - len(killed)
        if len(chunk) > spare:
            todo.append(chunk[spare:])
            chunk = chunk[:spare]
        left = usable & ~np.isin(link, chunk)
        if _connected(network, alive, left):
            usable = left
            killed += chunk
        elif len(chunk) > 1:
            todo += [chunk[len(chunk) // 2 :], chunk[: len(chunk) // 2]]
    if len(killed) < count:
        raise InputError(
            f"kill-links of {network.name} is {count}; with seed {seed} only {len(killed)} links can go "
            f"while the network stays connected"
        )
    return set(np.nonzero(np.isin(link, killed))[0].tolist()) - faults.channels


def _connected(network: Network, alive: npt.NDArray[np.bool_], usable: npt.NDArray[np.bool_]) -> bool:
    """Does every node alive reach every other through usable channels?"""
    tail, head, start = network.tail[usable], network.head[usable], int(np.argmax(alive))
    ways = ((tail, head), (head, tail))
    return bool(alive.any()) and all((hops_from(network.num_nodes, *x, start)[alive] >= 0).all() for x in ways)


def _listed(options: Mapping[str, str], option: str, what: str, where: str) -> list[Any]:
    """The nodes, links or channels that an option names, in order; raises InputError for one that is named twice."""
    found: set[Any] = set()
    for text in options[option].split(";") if option in options else ():
        x = _link(text, where) if what == "link" else parse_whole(text, what=f"a {what} of {option} of {where}")
        if x in found:
            name = f"{x[0]}-{x[1]}" if isinstance(x, tuple) else str(x)
            raise InputError(f"{option} of {where} holds {what} {name} twice; once was expected")
        found.add(x)
    return sorted(found)


def _link(text: str, where: str) -> tuple[int, int]:
    ends = text.split("-")
    if len(ends) != 2:
        raise InputError(f"dead-links of {where} holds {shortened(repr(text))}; two nodes such as 3-4 were expected")
    u, v = (parse_whole(x, what=f"a node of dead-links of {where}") for x in ends)
    if u == v:
        raise InputError(f"dead-links of {where} holds {u}-{v}; two different nodes were expected")
    return min(u, v), max(u, v)
