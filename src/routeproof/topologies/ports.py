"""The ports of cables, and which of a fabric's cables are at other ports than its intent says.

Between two switches that are matched, cables at their intended ports are paired first, then those of which an end is
not named, then those with one end as intended; a port that either side does not name is no deviation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.arrays import Int64
from ..core.network import Network

LEAVES, ENTERS = "port at tail", "port at head"
"""Attributes of channels with ports that people named; a network that a tool described has ``port_names``."""

Pair = tuple[str, str]
Switches = tuple[int, int]


def ports_at(network: Network, channel: int) -> Pair:
    """The ports at which a channel leaves its tail and enters its head, "" where they are not known."""
    names = network.port_names(channel)
    if names is not None:
        return names
    stated = [network.channel_attributes.get(x) for x in (LEAVES, ENTERS)]
    leaves, enters = ("" if x is None or x[channel] is None else str(x[channel]) for x in stated)
    return leaves, enters


@dataclass(frozen=True)
class OtherPorts:
    """Cables between the ``switches`` (two nodes of the fabric) that are at the ports ``found``, not at those
    ``intended``, in the order of the switches; two cables where both are at one another's port: swapped ports."""

    cables: Sequence[tuple[Switches, Pair, Pair]]


@dataclass(frozen=True)
class Ports:
    """``compared``: how many cables of which both sides name a port at one switch; ``others``: those at other ports;
    ``whole``: are all ports of all these cables named?  ``lost``: by two nodes of the intent the intended ports of the
    cables that are missing between them, where all the others can be paired with a cable at their ports."""

    compared: int
    others: Sequence[OtherPorts]
    whole: bool
    lost: Mapping[Switches, Sequence[Pair]]

    @property
    def differ(self) -> int:
        return sum(len(x.cables) for x in self.others)


def compared_ports(fabric: Network, intent: Network, node: Int64) -> Ports:
    """``node``: int64 (N,), the node of the intent that each node of the fabric stands for, -1 for none."""
    place = {int(k): v for v, k in enumerate(node.tolist()) if k >= 0}
    found = _ends(fabric, node.tolist())
    wanted = _ends(intent, range(intent.num_nodes))
    compared, whole = 0, True
    wrong: list[tuple[Switches, Pair, Pair]] = []
    lost: dict[Switches, Sequence[Pair]] = {}
    for ends in sorted(wanted):
        left = list(wanted[ends].elements())
        pairs = list(_paired(list(found.get(ends, Counter[Pair]()).elements()), left))
        if left and any(any(x) for x in left) and all(one == other for one, other in pairs):
            lost[ends] = left
        known = [(one, other) for one, other in pairs if any(p and q for p, q in zip(one, other, strict=True))]
        compared += len(known)
        whole = whole and all(all((*one, *other)) for one, other in pairs)
        wrong += [((place[ends[0]], place[ends[1]]), x, y) for x, y in known if _unlike(x, y)]
    return Ports(compared, list(_swapped(wrong)), whole, lost)


def _ends(network: Network, number: Sequence[int]) -> dict[Switches, Counter[Pair]]:
    """The ports of all cables between two nodes, by ``number`` of these (the lower first); a cable's two channels name
    the same ports."""
    ways: dict[Switches, tuple[Counter[Pair], Counter[Pair]]] = {}
    for c, (tail, head) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        u, v = number[tail], number[head]
        if u >= 0 and v >= 0:
            leaves, enters = ports_at(network, c)
            both = ways.setdefault((min(u, v), max(u, v)), (Counter(), Counter()))
            both[u > v][(leaves, enters) if u < v else (enters, leaves)] += 1
    return {ends: there | back for ends, (there, back) in ways.items()}


def _unlike(one: Pair, other: Pair) -> int:
    """At how many ends are the ports named and different?"""
    return sum(bool(p and q and p != q) for p, q in zip(one, other, strict=True))


def _paired(found: list[Pair], wanted: list[Pair]) -> Iterator[tuple[Pair, Pair]]:
    """The same cables are paired first, then those with the fewest ports that differ; both are taken out."""
    for most in (-1, 0, 1, 2):
        for one in list(found):
            near = (x for x in wanted if (x == one if most < 0 else _unlike(one, x) <= most))
            other = next(near, None)
            if other is not None:
                found.remove(one)
                wanted.remove(other)
                yield one, other


def _swapped(wrong: list[tuple[Switches, Pair, Pair]]) -> Iterator[OtherPorts]:
    """Two cables are swapped where each is at the port of the other at one switch, and as intended at its other end."""
    at: dict[tuple[int, str, str], int] = {}
    done: set[int] = set()
    for k, (ends, one, other) in enumerate(wrong):
        if _unlike(one, other) == 1:
            side = 0 if one[0] and other[0] and one[0] != other[0] else 1
            partner = at.pop((ends[side], other[side], one[side]), None)
            if partner is None:
                at[ends[side], one[side], other[side]] = k
            else:
                done |= {k, partner}
                yield OtherPorts([wrong[partner], wrong[k]])
    yield from (OtherPorts([x]) for k, x in enumerate(wrong) if k not in done)
