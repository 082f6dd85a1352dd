"""Which failures there are: links, single cables and switches of a network, all of them or a seeded sample."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Bools, Int64
from ..core.errors import InputError
from ..core.faults import Faults
from ..core.graph import hops_from
from ..core.network import Network
from ..core.symmetry import Automorphism, orbit_labels
from .two_nodes import cable_of, ends_joined, loopbacks

MOST_FAILURES = 200_000
_PORTS_NAMED = 6


@dataclass(frozen=True, order=True)
class Failure:
    """Dead ``nodes``, dead ``links`` and dead ``cables``.

    A link is all channels between two nodes (the lower first), both ways; a cable is one channel and its opposite
    (``two_nodes.cable_of``), ascending, or one channel alone where there is none.
    """

    nodes: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    cables: tuple[tuple[int, ...], ...] = ()

    @staticmethod
    def of(data: Mapping[str, Any]) -> Failure:
        """From the evidence of a claim about it, whose numbers are whole."""
        links = tuple((u, v) for u, v in data["links"])
        return Failure(tuple(data["nodes"]), links, tuple(tuple(x) for x in data.get("cables", ())))

    @property
    def text(self) -> str:
        """As the options of a network's text that remove the same: ``dead-nodes=3,dead-links=0-1;4-5``."""
        parts = []
        if self.nodes:
            parts.append("dead-nodes=" + ";".join(map(str, self.nodes)))
        if self.links:
            parts.append("dead-links=" + ";".join(f"{u}-{v}" for u, v in self.links))
        if self.cables:
            parts.append("dead-channels=" + ";".join(map(str, itertools.chain(*self.cables))))
        return ",".join(parts) or "nothing"

    def named(self, network: Network) -> str:
        """What failed by name: ``switch s2``, ``s0[3] - s1[4]`` with the ports of a fabric, ``s0 - s1, 2 cables``."""
        parts = [f"switch {network.label(v)}" for v in self.nodes]
        parts += [_cables_named(network, channels_between(network, u, v)) for u, v in self.links]
        parts += [_cables_named(network, cable) for cable in self.cables]
        return "; ".join(parts) or self.text

    def terminals(self, network: Network) -> list[int]:
        """The terminals that go with the dead nodes."""
        dead = np.isin(network.source, self.nodes) | np.isin(network.sink, self.nodes)
        found: list[int] = np.flatnonzero(dead).tolist()
        return found

    def cut_off(self, network: Network) -> list[int]:
        """The terminals that are left, but not in the largest part within which all reach one another."""
        node, channel = Faults(self.nodes, self.channels(network)).alive(network)
        tail, head = network.tail[channel], network.head[channel]
        left = node[network.source] & node[network.sink]
        here, parts = left.copy(), []
        while here.any():
            ends = [int(x[np.argmax(here)]) for x in (network.source, network.sink)]
            ways = zip(((tail, head), (head, tail)), ends, strict=True)
            reach = [hops_from(network.num_nodes, *way, end) >= 0 for way, end in ways]
            parts.append(here & reach[0][network.sink] & reach[1][network.source])
            parts[-1][np.argmax(here)] = True
            here &= ~parts[-1]
        found: list[int] = np.flatnonzero(left & ~max(parts, key=np.count_nonzero)).tolist()
        return found

    def channels(self, network: Network) -> list[int]:
        """The channels of the dead links and cables; raises InputError for one that there is not."""
        found: list[int] = []
        for u, v in self.links:
            between = channels_between(network, u, v)
            if not between:
                raise InputError(f"no channel of {network.name} joins nodes {u} and {v}")
            found += between
        for c in itertools.chain(*self.cables):
            if not 0 <= c < network.num_channels:
                raise InputError(f"channel {c} is outside {network.name}; channels are 0 to {network.num_channels - 1}")
            found.append(c)
        return sorted(set(found))


def _cables_named(network: Network, channels: Sequence[int]) -> str:
    """Cables between two nodes; several by their ports if they are few, one of many without ports by its channel."""
    tail, head = ends_joined(network)
    u, v = sorted((int(tail[channels[0]]), int(head[channels[0]])))
    opposite = cable_of(network)
    cables = sorted({min(c, int(opposite[c])) for c in channels})
    alone = len(channels_between(network, u, v)) == len(channels)
    each = [network.ports_of(c) or (None if alone else network.port_names(c)) for c in cables]
    ports = [x if x is None or tail[c] == u else x[::-1] for c, x in zip(cables, each, strict=True)]
    here, there = network.label(u), network.label(v)
    if None not in ports and len(cables) <= _PORTS_NAMED:
        one, two = (",".join(str(x[k]) for x in ports if x is not None) for k in (0, 1))
        return f"{here}[{one}] - {there}[{two}]"
    if len(cables) > 1:
        return f"{here} - {there}, {len(cables)} cables"
    return f"{here} - {there}" if alone else f"{here} - {there} #{cables[0]}"


def channels_between(network: Network, u: int, v: int) -> list[int]:
    """All channels between nodes ``u`` and ``v``, in both directions."""
    if not 0 <= min(u, v) <= max(u, v) < network.num_nodes:
        return []
    key, order = _by_ends(network)
    first, last = np.searchsorted(key, min(u, v) * network.num_nodes + max(u, v) + np.arange(2)).tolist()
    found: list[int] = order[first:last].tolist()
    return found


@lru_cache(maxsize=2)
def _by_ends(network: Network) -> tuple[Int64, Int64]:
    """(key, channel): int64 (C,) each, by the lower and the higher node, ascending."""
    low, high = np.sort(ends_joined(network), axis=0).astype(np.int64)
    key = low * network.num_nodes + high
    order = np.argsort(key, kind="stable")
    return key[order], order


def cables_of(network: Network) -> list[tuple[int, ...]]:
    """All cables, in order of their first channels."""
    return cables_paired(network, cable_of(network))


def cables_paired(network: Network, opposite: npt.NDArray[np.integer]) -> list[tuple[int, ...]]:
    """All cables, where ``opposite`` says which channels are cables together; loopbacks are none."""
    inside = loopbacks(network).tolist()
    return [(c,) if c == d else (c, d) for c, d in enumerate(opposite.tolist()) if c <= d and not inside[c]]


def links_of(network: Network) -> list[tuple[int, int]]:
    """All pairs of nodes that channels join, in order; the two nodes of a host are one, by the lower number."""
    return [x.links[0] for x in _singles(network, "links", None)[0]]


def switches_of(network: Network) -> list[int]:
    """All nodes but hosts: nodes with terminals, and with channels to one other node only or in one direction only."""
    low, high = np.minimum(network.tail, network.head), np.maximum(network.tail, network.head)
    ends = np.unique(np.stack([low, high]), axis=1)
    neighbours = np.bincount(ends.ravel(), minlength=network.num_nodes)
    leaves, enters = (np.bincount(x, minlength=network.num_nodes) > 0 for x in (network.tail, network.head))
    host = (network.supply + network.demand > 0) & ((neighbours <= 1) | (leaves != enters))
    found: list[int] = np.nonzero(~host)[0].tolist()
    return found


def alike_failures(
    network: Network,
    of: str,
    maps: Sequence[Automorphism],
    same: Callable[[Automorphism, str, Int64], Bools] | None = None,
    opposite: npt.NDArray[np.integer] | None = None,
) -> dict[Failure, int]:
    """Every single failure ``of`` "links", "cables" or "switches", and a number, the same for those that ``maps`` take
    to one another.

    ``same``: for which of them a map holds, as ``Routing.alike_after`` (None: for all).
    ``opposite``: as in ``cables_paired``.
    """
    failures, first, number = _singles(network, of, opposite)
    images, own = [number[(g.node if of == "switches" else g.channel)[first]] for g in maps], np.arange(len(first))
    if same is not None:
        images = [np.where(same(g, of, first), image, own) for g, image in zip(maps, images, strict=True)]
    images = [np.where(image >= 0, image, own) for image in images]  # what is no failure stands for none
    return dict(zip(failures, orbit_labels(len(failures), images).tolist(), strict=True))


def _singles(
    network: Network, of: str, opposite: npt.NDArray[np.integer] | None
) -> tuple[list[Failure], Int64, npt.NDArray[np.integer]]:
    """All single failures; a channel (node) of each; and the failure that each channel (node) belongs to."""
    if of == "links":
        low, high = np.sort(ends_joined(network), axis=0)
        key = np.where(low == high, -1, low.astype(np.int64) * network.num_nodes + high)
        ends, first, number = np.unique(key, return_index=True, return_inverse=True)
        inside = int((ends[:1] < 0).sum())
        links = [Failure(links=(divmod(x, network.num_nodes),)) for x in ends[inside:].tolist()]
        return links, first[inside:], number - inside
    if of == "cables":
        cables = cables_paired(network, cable_of(network) if opposite is None else opposite)
        failures, members, size = [Failure(cables=(x,)) for x in cables], cables, network.num_channels
    else:
        members, size = [(v,) for v in switches_of(network)], network.num_nodes
        failures = [Failure(nodes=x) for x in members]
    number = np.full(size, -1)
    for k, some in enumerate(members):
        number[list(some)] = k
    return failures, np.array([x[0] for x in members], dtype=np.int64), number


def all_failures(network: Network, *, links: int = 0, switches: int = 0, cables: int = 0) -> list[Failure]:
    """Every failure of so many links, switches and cables at once.

    Raises InputError where there are more than MOST_FAILURES, or a number is too large or all are 0.
    """
    count = number_of_failures(network, links=links, switches=switches, cables=cables)
    if count > MOST_FAILURES:
        raise InputError(
            f"{network.name} has {count:,} failures of {_counted(links, switches, cables)}; at most "
            f"{MOST_FAILURES:,} are analysed one by one: --samples draws some of them"
        )
    every_link, every_switch, every_cable = _parts(network, links, switches, cables)
    return [
        Failure(nodes, ends, lines)
        for nodes in itertools.combinations(every_switch, switches)
        for ends in itertools.combinations(every_link, links)
        for lines in itertools.combinations(every_cable, cables)
    ]


def number_of_failures(network: Network, *, links: int = 0, switches: int = 0, cables: int = 0) -> int:
    """How many failures there are of so many links, switches and cables at once."""
    parts = _parts(network, links, switches, cables)
    return math.prod(math.comb(len(part), asked) for part, asked in zip(parts, (links, switches, cables), strict=True))


def drawn_failures(
    network: Network,
    counts: Mapping[str, int],
    *,
    start: int,
    stop: int,
    seed: int,
    opposite: npt.NDArray[np.integer] | None = None,
) -> list[Failure]:
    """Failures number ``start`` to ``stop`` - 1 of the sample of ``seed``, all failures of ``counts`` ("links",
    "switches", "cables") as likely.

    Number k is drawn by ``PCG64(SeedSequence([seed, k]))``, so that it can be drawn again alone.  ``opposite``: which
    channels are cables together, int, shape (C,); by default the network's own.
    """
    links, switches, cables = (counts.get(x, 0) for x in ("links", "switches", "cables"))
    every_link, every_switch, every_cable = _parts(network, links, switches, cables)
    if opposite is not None:
        every_cable = cables_paired(network, opposite)
    found = []
    for k in range(start, stop):
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, k])))
        nodes, ends, lines = (
            tuple(sorted(every[x] for x in rng.choice(len(every), size=size, replace=False).tolist()))
            for every, size in ((every_switch, switches), (every_link, links), (every_cable, cables))
        )
        found.append(Failure(nodes, ends, lines))
    return found


def _parts(network: Network, links: int, switches: int, cables: int) -> tuple[Sequence[Any], ...]:
    """All links, switches and cables; raises InputError unless so many of them can fail."""
    if min(links, switches, cables) < 0 or links + switches + cables == 0:
        raise InputError(f"failures of {_counted(links, switches, cables)}; at least one of them was expected")
    parts: tuple[Sequence[Any], ...] = links_of(network), switches_of(network), cables_of(network)
    asked = {"links": links, "switches": switches, "cables": cables}
    for (what, number), part in zip(asked.items(), parts, strict=True):
        if number > len(part):
            raise InputError(f"{network.name} has {len(part)} {what}; the failure of {number} was asked for")
    return parts


def _counted(links: int, switches: int, cables: int) -> str:
    return f"{links} links and {switches} switches" + (f" and {cables} cables" if cables else "")
