"""Broadcasts at once: what a cut lets pass, and what packed trees carry.

Every node v emits ``supply[v]`` x units a cycle, and each node of ``reached`` must receive all that is emitted.

- From above: let S be a set of nodes that misses a node of ``reached``.  Whatever is emitted in S leaves it at least
  once, so x times the supply of S is at most the bandwidth of the channels that leave it, whoever may copy.
- From below: trees with weights.  Units go along a tree from its root: from a node that has them over channels to
  another one.  Only nodes that may copy have units to give, a root among them; between two of them a unit passes
  through others one by one.  If the weights of the trees that cross a channel sum up to at most its bandwidth, all
  trees carry their weight at once.

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
    return _width(task, np.bincount(network.bandwidth_rank[channels], minlength=len(network.widths)).tolist())


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
    _check_loads(task, load, scale, classes)
    emitters = np.unique(classes.node[task.supply > 0]).tolist()
    return min(Fraction(emitted[v], scale * int(task.supply[v])) for v in emitters)


def _check_loads(task: Broadcasts, load: Sequence[int], scale: int, classes: Classes) -> None:
    """``load``: of all members of a class together, in units of 1 / ``scale``."""
    network = task.network
    sizes = np.bincount(classes.channel, minlength=network.num_channels).tolist()
    for c in np.unique(classes.channel).tolist():
        if Fraction(load[c], scale * sizes[c]) > network.bandwidth[c]:
            raise VerificationError(
                f"its trees put {shown(Fraction(load[c], scale * sizes[c]))} on channel {c} "
                f"({network.channel_label(c)}), whose bandwidth is {shown(network.bandwidth[c])}"
            )


def _check_tree(task: Broadcasts, tree: PackedTree, copies: Bools, what: str) -> None:
    if not copies[tree.root]:
        raise VerificationError(f"{what} has its root at node {task.network.label(tree.root)}, which holds no rank")
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


def both_ways_rate(task: Broadcasts, trees: Sequence[PackedTree], classes: Classes, num_ranks: int) -> Fraction:
    """The rate of an all-reduce along these trees: sums flow to each root against its channels, over their reverses
    (``Network.opposite``), and the result flows back.  A tree stands for all its images, its weight divided evenly.

    Errors as of ``packed_rate``, and for channels without a reverse of equal bandwidth.
    """
    network = task.network
    scale = math.lcm(*(x.weight.denominator for x in trees))
    load = [0] * network.num_channels  # of a class, all members together
    for k, tree in enumerate(trees):
        what = f"trees[{k}]"
        _check_tree(task, tree, task.reached, what)
        back = network.opposite[tree.channels]
        alone = np.flatnonzero(back == tree.channels)
        if len(alone):
            channel = network.channel_label(int(tree.channels[alone[0]]))
            raise VerificationError(f"{what}: channel {channel} has no reverse of equal bandwidth")
        weight = int(tree.weight * scale)
        if weight <= 0:
            raise VerificationError(f"{what} has the weight {shown(tree.weight)}; a positive one was expected")
        for c in classes.channel[np.concatenate([tree.channels, back])].tolist():
            load[c] += weight
    _check_loads(task, load, scale, classes)
    return sum((x.weight for x in trees), Fraction(0)) / num_ranks


def all_reduce_rate(task: Broadcasts, parts: Int64, num_ranks: int) -> Fraction:
    """The rate that no all-reduce passes, by disjoint sets of nodes: int64 (N,), the number of each node's set or -1.

    Of k sets that hold all ranks between them, let every message carry one value: an element, or the sum of some
    ranks' elements of one place.  For every place each set sends a message and receives one, so what all ranks reduce
    is at most the bandwidth of the channels that enter a set, and of those that leave it.  And when the first set knows
    the sum of a place, each other one has sent a message about it and still has to receive one: 2 (k - 1) messages
    between sets.  So 2 (k - 1) times what all ranks reduce is at most the bandwidth of the channels that enter all
    sets, and of those that leave them; nodes outside pass messages on.  (The least number of messages in one-way
    gossip, Harary & Schwenk 1974.)
    """
    kinds, place = np.unique(parts, return_inverse=True)
    first = int(kinds[0] < 0)
    held = np.unique(parts[task.reached])
    if (held < 0).any() or len(held) != len(kinds) - first or len(held) < 2:
        raise VerificationError("its sets of nodes do not divide the ranks, or one holds no rank")
    tail, head = place[task.tail], place[task.head]
    across = np.flatnonzero(tail != head)
    sums = []
    for ends in (tail, head):
        counts = np.zeros((len(kinds), len(task.network.widths)), dtype=np.int64)
        np.add.at(counts, (ends[across], task.network.bandwidth_rank[across]), 1)
        sums.append([_width(task, row) for row in counts[first:].tolist()])
    return min(min(sum(x, Fraction(0)) / (2 * (len(held) - 1)), *x) for x in sums) / num_ranks


def _width(task: Broadcasts, counts: Sequence[int]) -> Fraction:
    """The bandwidth of so many channels of each width."""
    return sum((n * x for n, x in zip(counts, task.network.widths, strict=True) if n), Fraction(0))


def weighted_cut_rate(task: Broadcasts, sets: Sequence[tuple[Bools, int]], potential: Sequence[int]) -> Fraction:
    """The rate that no schedule passes whose switches copy nothing, by sets of nodes with weights w_S >= 0 and
    potentials p_v of nodes, 0 where there is a rank.

    Let f_c be the copies of channel c that reach a rank.  A switch sends as many as it receives, so sum f_c (p_head -
    p_tail) is 0; and f leaves every set S with x times what S emits.  So x sum w_S supply(S) <= sum f_c (w of the sets
    that c leaves + p_head - p_tail), and each f_c is from 0 to the bandwidth of c.

    Raises VerificationError as ``cut_rate``, and for a negative weight or a rank with a potential.
    """
    network = task.network
    factor = [
        int(potential[v]) - int(potential[u]) for u, v in zip(task.tail.tolist(), task.head.tolist(), strict=True)
    ]
    if any(potential[v] for v in task.nodes):
        raise VerificationError("a node that holds a rank has a potential; only switches have one")
    emitted = 0
    for inside, weight in sets:
        if weight < 0:
            raise VerificationError("a set of nodes has a negative weight")
        cut_rate(task, inside)
        emitted += weight * int(task.supply[inside].sum())
        for c in np.flatnonzero(inside[task.tail] & ~inside[task.head]).tolist():
            factor[c] += weight
    if not emitted:
        raise VerificationError("its sets of nodes have no weight")
    return sum((b * x for b, x in zip(network.bandwidth, factor, strict=True) if x > 0), Fraction(0)) / emitted
