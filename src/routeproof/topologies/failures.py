"""Which failures there are: links and switches of a network, all of them or a seeded sample."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from ..core.errors import InputError
from ..core.network import Network

__all__ = ["MOST_FAILURES", "Failure", "all_failures", "links_of", "sampled_failures", "switches_of"]

MOST_FAILURES = 200_000


@dataclass(frozen=True, order=True)
class Failure:
    """Dead ``nodes``, and dead ``links``: all channels between two nodes (the lower first), both ways."""

    nodes: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()

    @property
    def text(self) -> str:
        """As the options of a network's text that remove the same: ``dead-nodes=3,dead-links=0-1;4-5``."""
        parts = []
        if self.nodes:
            parts.append("dead-nodes=" + ";".join(map(str, self.nodes)))
        if self.links:
            parts.append("dead-links=" + ";".join(f"{u}-{v}" for u, v in self.links))
        return ",".join(parts)

    def channels(self, network: Network) -> list[int]:
        """The channels of the dead links; raises InputError for a link that there is not."""
        found: list[int] = []
        for u, v in self.links:
            ends = ((network.tail == u) & (network.head == v)) | ((network.tail == v) & (network.head == u))
            if not ends.any():
                raise InputError(f"no channel of {network.name} joins nodes {u} and {v}")
            found += np.nonzero(ends)[0].tolist()
        return found


def links_of(network: Network) -> list[tuple[int, int]]:
    """All pairs of nodes that channels join, in order."""
    low, high = np.minimum(network.tail, network.head), np.maximum(network.tail, network.head)
    key = np.unique(low.astype(np.int64) * network.num_nodes + high)
    return [divmod(x, network.num_nodes) for x in key.tolist()]


def switches_of(network: Network) -> list[int]:
    """All nodes but hosts: nodes with terminals and channels to one other node only."""
    neighbours = np.bincount(np.array(links_of(network), dtype=np.int64).ravel(), minlength=network.num_nodes)
    host = (network.supply + network.demand > 0) & (neighbours <= 1)
    return [int(v) for v in np.nonzero(~host)[0]]


def all_failures(network: Network, *, links: int, switches: int) -> list[Failure]:
    """Every failure of so many links and so many switches at once.

    Raises InputError where there are more than MOST_FAILURES, or a number is too large or both are 0.
    """
    every_link, every_switch = _parts(network, links, switches)
    count = math.comb(len(every_link), links) * math.comb(len(every_switch), switches)
    if count > MOST_FAILURES:
        raise InputError(
            f"{network.name} has {count:,} failures of {links} links and {switches} switches; at most "
            f"{MOST_FAILURES:,} are judged one by one: --samples draws some of them"
        )
    return [
        Failure(nodes, ends)
        for nodes in itertools.combinations(every_switch, switches)
        for ends in itertools.combinations(every_link, links)
    ]


def sampled_failures(network: Network, *, links: int, switches: int, samples: int, seed: int) -> list[Failure]:
    """``samples`` different failures, drawn by ``numpy.random.default_rng(seed)``; all where there are not more."""
    every_link, every_switch = _parts(network, links, switches)
    count = math.comb(len(every_link), links) * math.comb(len(every_switch), switches)
    if not 1 <= samples <= MOST_FAILURES:
        raise InputError(f"samples is {samples}; 1 to {MOST_FAILURES:,} was expected")
    if count <= samples:
        return all_failures(network, links=links, switches=switches)
    rng = np.random.default_rng(seed)
    found: dict[Failure, None] = {}
    while len(found) < samples:
        nodes = sorted(every_switch[k] for k in rng.choice(len(every_switch), size=switches, replace=False).tolist())
        ends = sorted(every_link[k] for k in rng.choice(len(every_link), size=links, replace=False).tolist())
        found[Failure(tuple(nodes), tuple(ends))] = None
    return list(found)


def _parts(network: Network, links: int, switches: int) -> tuple[list[tuple[int, int]], list[int]]:
    if links < 0 or switches < 0 or links + switches == 0:
        raise InputError(f"failures of {links} links and {switches} switches; at least one of them was expected")
    every_link, every_switch = links_of(network), switches_of(network)
    for what, asked, there in (("links", links, len(every_link)), ("switches", switches, len(every_switch))):
        if asked > there:
            raise InputError(f"{network.name} has {there} {what}; the failure of {asked} was asked for")
    return every_link, every_switch
