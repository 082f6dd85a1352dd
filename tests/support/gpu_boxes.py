"""Boxes of GPUs as published synthesizers model them: bandwidths in GB/s, both ways where nothing else is said.

- A100 and MI250: ForestColl's ``topologies.py`` (liangyuRain/ForestColl, Apache 2.0);
- DGX-1, DGX-2 and NDv2: TE-CCL's ``teccl/topologies`` (microsoft/TE-CCL, MIT).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from routeproof.core.network import Network

Width = Fraction | int


class Links:
    def __init__(self) -> None:
        self.number: dict[Hashable, int] = {}
        self.ends: list[tuple[int, int]] = []
        self.width: list[Width] = []

    def one_way(self, a: Hashable, b: Hashable, width: Width) -> None:
        for x in (a, b):
            self.number.setdefault(x, len(self.number))
        self.ends.append((self.number[a], self.number[b]))
        self.width.append(width)

    def both_ways(self, a: Hashable, b: Hashable, width: Width) -> None:
        self.one_way(a, b, width)
        self.one_way(b, a, width)

    def network(self, name: str, ranks: Iterable[Hashable]) -> Network:
        at = [self.number[x] for x in ranks]
        return Network.of(name, len(self.number), self.ends, bandwidth=self.width, source=at, sink=at)


def a100(boxes: int) -> Network:
    """Eight GPUs a box on an NVSwitch, 300 each; each with a NIC of 25, to the InfiniBand switch of its parity."""
    links, gpus = Links(), [(a, b) for a in range(boxes) for b in range(8)]
    for a, b in gpus:
        links.both_ways((a, b), ("nvswitch", a), 300)
        if boxes > 1:
            links.both_ways((a, b), ("nic", a, b), 25)
            links.both_ways(("nic", a, b), ("ib", b % 2), 25)
    return links.network(f"a100x{boxes}", gpus)


MI250_LINKS = {
    (0, 1): 4, (0, 4): 2, (0, 8): 1, (1, 5): 1, (1, 9): 1, (1, 10): 1, (2, 3): 4, (2, 6): 1, (2, 9): 1, (2, 10): 1,
    (3, 7): 2, (3, 11): 1, (4, 5): 4, (4, 6): 1, (5, 6): 1, (5, 7): 1, (6, 7): 4, (8, 9): 4, (8, 12): 2, (9, 13): 1,
    (10, 11): 4, (10, 14): 1, (11, 15): 2, (12, 13): 4, (12, 14): 1, (13, 14): 1, (13, 15): 1, (14, 15): 4,
}  # fmt: skip


def mi250(boxes: int) -> Network:
    """Sixteen GPUs a box, joined by xGMI links of 50 each; 16 from each to one InfiniBand switch."""
    links, gpus = Links(), [(a, b) for a in range(boxes) for b in range(16)]
    for a in range(boxes):
        for (b, c), count in MI250_LINKS.items():
            links.both_ways((a, b), (a, c), 50 * count)
    if boxes > 1:
        for gpu in gpus:
            links.both_ways(gpu, "ib", 16)
    return links.network(f"mi250x{boxes}", gpus)


def dgx2_pair() -> Network:
    """Two boxes of sixteen GPUs on a switch, 125 each; GPU 2k + 1 of a box sends 12.5 to GPU 2k of the other one."""
    links, gpus = Links(), [(a, b) for a in range(2) for b in range(16)]
    for a, b in gpus:
        links.both_ways((a, b), ("switch", a), 125)
    for a in range(2):
        for b in range(0, 16, 2):
            links.one_way((a, b + 1), (1 - a, b), Fraction(25, 2))
    return links.network("dgx2x2", gpus)


NVLINKS = {
    (0, 1): 2, (0, 2): 1, (0, 3): 1, (0, 4): 2, (1, 2): 1, (1, 3): 2, (1, 5): 1, (2, 3): 2, (2, 6): 2, (3, 7): 1,
    (4, 5): 2, (4, 6): 1, (4, 7): 1, (5, 6): 1, (5, 7): 2, (6, 7): 2,
}  # fmt: skip
"""Of a DGX-1."""


def dgx1() -> Network:
    """Eight GPUs joined by NVLinks of 25 each."""
    links = Links()
    for (a, b), count in NVLINKS.items():
        links.both_ways(a, b, 25 * count)
    return links.network("dgx1", range(8))
