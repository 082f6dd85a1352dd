"""Collective operations on a network: which node emits how much, and which nodes must receive all of it.

An all-gather is a broadcast from every rank at once; a reduce-scatter is the same with every channel reversed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .arrays import Bools, Int32, Int64
from .automorphism import Automorphism
from .errors import InputError
from .network import Network


@dataclass(frozen=True, eq=False)
class Broadcasts:
    """Broadcasts at once: at rate 1, node v emits ``supply[v]`` fresh units a cycle, and every node of ``reached``
    must receive all that are emitted.

    - ``tail``, ``head``: int32 (C,): every channel as units travel it; ``reversed``: against its own direction;
    - ``supply``: int64 (N,); ``reached``: bool (N,): the nodes that hold a rank.
    """

    network: Network
    supply: Int64
    reached: Bools
    reversed: bool = False

    @property
    def tail(self) -> Int32:
        return self.network.head if self.reversed else self.network.tail

    @property
    def head(self) -> Int32:
        return self.network.tail if self.reversed else self.network.head

    def kept_by(self, g: Automorphism) -> bool:
        """Does an automorphism leave what is emitted and who must receive as they are?"""
        return np.array_equal(self.supply[g.node], self.supply) and np.array_equal(self.reached[g.node], self.reached)

    @cached_property
    def total(self) -> int:
        """What all nodes emit together, at rate 1."""
        return int(self.supply.sum())

    @cached_property
    def nodes(self) -> list[int]:
        """The nodes that hold a rank, ascending."""
        found: list[int] = np.flatnonzero(self.reached).tolist()
        return found


def broadcasts_of(
    network: Network, operation: str, *, ranks: Sequence[int] | None = None, root: int | None = None
) -> Broadcasts:
    """Those of an all-gather, of a reduce-scatter, or of a broadcast from the terminal ``root``.

    ``ranks``: the terminals that take part, each once; None for all.  Several ranks may be at one node: it emits for
    each, and receives for all.  Raises InputError for ranks that are no terminals, twice the same, or at one node only,
    for a root that is no rank, and for a rank that sends at one node and receives at another.
    """
    found = check_ranks(network, ranks)
    held = np.bincount(network.source[found], minlength=network.num_nodes).astype(np.int64)
    supply = held
    if operation == "broadcast":
        if root is None or root not in found:
            raise InputError(f"the root of a broadcast is {root}; one of the ranks was expected")
        supply = np.zeros(network.num_nodes, dtype=np.int64)
        supply[network.source[root]] = 1
    return Broadcasts(network, supply, held > 0, reversed=operation == "reduce-scatter")


def network_of(network: Network, ranks: Sequence[int] | None) -> Network:
    """The network whose only terminals are the ranks, in ascending order: itself where all terminals are ranks."""
    if ranks is None or len(ranks) == network.num_terminals:
        return network
    names, every = network.terminal_labels, sorted(ranks)
    return replace(
        network.plain(),
        source=network.source[every],
        sink=network.sink[every],
        terminal_labels=None if names is None else tuple(names[i] for i in every),
    )


def check_ranks(network: Network, ranks: Sequence[int] | None, *, apart: bool = True) -> list[int]:
    """The terminals that take part, in order; raises InputError as ``broadcasts_of``; with ``apart``
    for ranks at one node, too."""
    found = list(range(network.num_terminals)) if ranks is None else [int(x) for x in ranks]
    for k, i in enumerate(found):
        if not 0 <= i < network.num_terminals:
            raise InputError(f"rank {k} is terminal {i}; terminals are 0 to {network.num_terminals - 1}")
    twice = next((i for i, count in Counter(found).items() if count > 1), None)
    if twice is not None:
        one, two = [k for k, i in enumerate(found) if i == twice][:2]
        name = network.terminal_label(twice)
        raise InputError(f"ranks {one} and {two} are both terminal {name}; a terminal is one rank at most")
    for k, i in enumerate(found):
        here, there = int(network.source[i]), int(network.sink[i])
        if here != there:
            raise InputError(
                f"rank {k} sends at node {network.label(here)} and receives at node {network.label(there)}; a rank of "
                f"a collective sends and receives at one node"
            )
    if apart and len(np.unique(network.source[found])) < 2:
        raise InputError("all ranks are at one node: a collective of them sends nothing over the network")
    return found
