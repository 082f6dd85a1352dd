"""Broadcasts at once: what a cut lets pass, and what packed trees carry.

Every node v emits ``supply[v]`` x units a cycle, and each node of ``reached`` must receive all that is emitted.

- From above: let S be a set of nodes that misses a node of ``reached``.  Whatever is emitted in S leaves it at least
  once, so x times the supply of S is at most the bandwidth of the channels that leave it, whoever may copy.
- From below: trees with weights.  Units go along a tree from its root: from a node that has them over channels to
  another one.  Only nodes that may copy have units to give; between two of them a unit passes through others one
  by one.  If the weights of the trees that cross a channel sum up to at most its bandwidth, all trees carry their
  weight at once.

Symmetry shortens what is written down: a tree stands for all its images under automorphisms that leave ``supply`` and
``reached`` as they are, its weight divided evenly among the images of its root.  It then crosses every channel of a
class equally.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..core.arrays import Bools, Int32, Int64
from ..core.collective import Broadcasts
from ..core.errors import VerificationError
from ..core.rational import shown


@dataclass(frozen=True, eq=False)
class PackedTree:
    """``weight`` units from node ``root`` along ``channels`` (int64), in an order in which they can travel."""

    root: int
    weight: Fraction
    channels: Int64


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes of symmetric nodes and channels: of each its least member's number, int32 (N,) and (C,)."""

    node: Int32
    channel: Int32


def cut_rate(task: Broadcasts, inside: Bools) -> Fraction:
    """The rate that no schedule passes, by the set of nodes ``inside``, bool (N,).

    Raises VerificationError where the set emits nothing, or misses no node that must receive.
    """
    emitted = int(task.supply[inside].sum())
    if not emitted:
        raise VerificationError("the nodes of its cut emit nothing")
    if inside[task.reached].all():
        raise VerificationError("its cut misses no node that must receive")
    leaving = np.flatnonzero(inside[task.tail] & ~inside[task.head])
    return sum_of_widths(task, leaving) / emitted


def sum_of_widths(task: Broadcasts, channels: Int64) -> Fraction:
    """The bandwidth of these channels together."""
    network = task.network
    counts = np.bincount(network.bandwidth_rank[channels], minlength=len(network.widths)).tolist()
    return sum((n * x for n, x in zip(counts, network.widths, strict=True)), Fraction(0))


def packed_rate(task: Broadcasts, trees: Sequence[PackedTree], classes: Classes, *, copies: Bools) -> Fraction:
    """The rate that the trees carry; ``copies``: bool (N,), the nodes that may copy.

    Raises VerificationError, naming the first one, for a tree that misses a node or takes a channel that it cannot,
    and for a channel with more than its bandwidth.
    """
    network = task.network
    scale = math.lcm(*(x.weight.denominator for x in trees))
    emitted = [0] * network.num_nodes
    load = [0] * network.num_channels  # of a class, all members together
    members = np.bincount(classes.node, minlength=network.num_nodes).tolist()
    for k, tree in enumerate(trees):
        _check_tree(task, tree, copies, f"trees[{k}]")
        weight = int(tree.weight * scale)
        if weight <= 0:
            raise VerificationError(f"trees[{k}] has the weight {shown(tree.weight)}; a positive one was expected")
        kind = int(classes.node[tree.root])
        emitted[kind] += weight
        for c in classes.channel[tree.channels].tolist():
            load[c] += weight * members[kind]
    sizes = np.bincount(classes.channel, minlength=network.num_channels).tolist()
    for c in np.unique(classes.channel).tolist():
        if Fraction(load[c], scale * sizes[c]) > network.bandwidth[c]:
            raise VerificationError(
                f"its trees put {shown(Fraction(load[c], scale * sizes[c]))} on channel {c} "
                f"({network.channel_label(c)}), whose bandwidth is {shown(network.bandwidth[c])}"
            )
    emitters = np.unique(classes.node[task.supply > 0]).tolist()
    return min(Fraction(emitted[v], scale * int(task.supply[v])) for v in emitters)


def _check_tree(task: Broadcasts, tree: PackedTree, copies: Bools, what: str) -> None:
    has = np.zeros(task.network.num_nodes, dtype=np.bool_)
    has[tree.root] = True
    at = -1  # where a unit is under way, at a node that does not copy
    tails, heads = task.tail[tree.channels].tolist(), task.head[tree.channels].tolist()
    for k, (u, v) in enumerate(zip(tails, heads, strict=True)):
        c = int(tree.channels[k])
        if u != at if at >= 0 else not has[u]:
            where = f"units are at node {task.network.label(at)}" if at >= 0 else "no units are there yet"
            raise VerificationError(f"{what}: channel {c} begins at node {task.network.label(u)}, but {where}")
        at = -1 if copies[v] else v
        has[v] |= copies[v]
    if at >= 0:
        raise VerificationError(f"{what} ends at node {task.network.label(at)}, which holds no rank")
    missed = np.flatnonzero(task.reached & ~has)
    if len(missed):
        raise VerificationError(f"{what} does not reach node {task.network.label(int(missed[0]))}")


def all_reduce_rate(task: Broadcasts, parts: Int64, num_ranks: int) -> Fraction:
    """The rate that no all-reduce passes, by disjoint sets of nodes: int64 (N,), the number of each node's set or -1.

    Of k sets that hold all ranks between them, let every message carry one value: an element, or the sum of some
    ranks' elements of one place.  When the first set knows the sum of a place, each other one has sent a message about
    it, and each other one still has to receive one: 2 (k - 1) messages between sets.  So 2 (k - 1) times what all ranks
    reduce is at most the bandwidth of the channels that enter the sets, and of those that leave them; nodes outside
    pass messages on.  (The least number of messages in one-way gossip, Harary & Schwenk 1974.)
    """
    kinds = np.unique(parts[parts >= 0])
    held = np.unique(parts[task.reached])
    if (held < 0).any() or len(held) != len(kinds) or len(kinds) < 2:
        raise VerificationError("its sets of nodes do not divide the ranks, or one holds no rank")
    tail, head = parts[task.tail], parts[task.head]
    across = tail != head
    entering = sum_of_widths(task, np.flatnonzero(across & (head >= 0)))
    leaving = sum_of_widths(task, np.flatnonzero(across & (tail >= 0)))
    return min(entering, leaving) / (2 * (len(kinds) - 1) * num_ranks)
