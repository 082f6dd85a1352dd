"""Collectives the slow and obvious way: every cut of a small network, every channel of every tree."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from routeproof.core.collective import Broadcasts
from routeproof.kernel.packings import PackedTree


def least_cut(task: Broadcasts) -> Fraction:
    """The least ratio over all sets of nodes that emit something and miss somebody."""
    network, size = task.network, task.network.num_nodes
    channels = list(zip(task.tail.tolist(), task.head.tolist(), network.bandwidth, strict=True))
    ratios = []
    for inside in product((False, True), repeat=size):
        emitted = sum(x for x, here in zip(task.supply.tolist(), inside, strict=True) if here)
        if emitted and not all(inside[v] for v in task.nodes):
            width = sum((b for u, v, b in channels if inside[u] and not inside[v]), Fraction(0))
            ratios.append(width / emitted)
    return min(ratios)


def carried(task: Broadcasts, trees: Sequence[PackedTree], *, switches_copy: bool = False) -> Fraction:
    """The rate that these trees carry, followed channel by channel; asserts that they are what they should be."""
    network = task.network
    load = [Fraction(0)] * network.num_channels
    emitted = [Fraction(0)] * network.num_nodes
    for tree in trees:
        assert tree.weight > 0
        emitted[tree.root] += tree.weight
        have = {tree.root}
        at: int | None = None
        for c in tree.channels.tolist():
            u, v = int(task.tail[c]), int(task.head[c])
            assert (u in have) if at is None else (u == at)
            load[c] += tree.weight
            if switches_copy or task.reached[v]:
                assert v not in have or not task.reached[v]  # trees made for switches that copy nothing pass one twice
                have.add(v)
                at = None
            else:
                at = v
        assert at is None
        assert set(task.nodes) <= have
    assert all(x <= b for x, b in zip(load, network.bandwidth, strict=True))
    return min(emitted[v] / int(x) for v, x in enumerate(task.supply.tolist()) if x)
