"""The extreme demands of small sets, as they load a network: between nodes.

The least congestion of any flow of a demand is convex in the demand and grows with it, so over a set it is largest at
an extreme point, and among those at one that no other exceeds.  They are

- of a list of matrices: the matrices;
- of a box alone: its largest demands;
- of sets in which every terminal may send one unit or nothing, and as much receive (permutations, jobs, pairs, at most
  K packets): as many packets as fit, each terminal with one at most (total unimodularity).

Source: Hoffman & Kruskal 1956; Birkhoff 1946 for permutations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from ..core.arrays import Int64
from ..core.automorphism import Automorphism
from ..core.errors import InputError
from ..core.network import Network
from .demand_set import DemandSet, Pair
from .transport import TransportSet

BetweenNodes = dict[Pair, Fraction]
Key = tuple[tuple[int, int, Fraction], ...]
"""(node, node, rate), sorted: what a demand is to a network."""
MOST_EXTREME = 50_000
_MOST_SENDERS = 400


def between_nodes(network: Network, demand: Mapping[Pair, Fraction]) -> BetweenNodes:
    """What is sent between different nodes."""
    source, sink = network.source.tolist(), network.sink.tolist()
    found: BetweenNodes = {}
    for (i, j), x in demand.items():
        if x and source[i] != sink[j]:
            found[source[i], sink[j]] = found.get((source[i], sink[j]), Fraction(0)) + x
    return found


def key_of(demand: Mapping[Pair, Fraction]) -> Key:
    return tuple(sorted((u, v, x) for (u, v), x in demand.items() if x))


def extreme_demands(
    network: Network, demands: DemandSet, *, spend: Callable[[int], None] | None = None
) -> dict[Key, Mapping[Pair, Fraction]]:
    """Every extreme demand that may matter, as it loads the network, with one between terminals that does so.

    ``spend``: told how many are gone through.

    Raises InputError for sets of other forms, and for more than ``MOST_EXTREME``.
    """
    few = [demands.largest] if demands.largest is not None else list((demands.listed or {}).values())
    if few:
        return {key_of(between_nodes(network, x)): x for x in few}
    if demands.transport is not None and demands.transport.box is None:
        return _matchings(network, demands.transport, spend)
    raise InputError(f"the extreme demands of {demands.text} are not gone through")


def _matchings(
    network: Network, demands: TransportSet, spend: Callable[[int], None] | None
) -> dict[Key, Mapping[Pair, Fraction]]:
    unit, most = _units(network, demands)
    size = demands.size
    sends = [i for i in range(size) if demands.sends and demands.sends[i]]
    takers = [j for j in range(size) if demands.receives and demands.receives[j]]
    ends = [[j for j in takers if demands.allows(i, j)] for i in sends]
    found: dict[Key, Mapping[Pair, Fraction]] = {}
    taken = [False] * size
    pairs: list[Pair] = []
    visited = 0
    too_many = InputError(f"{demands.text} has more than {MOST_EXTREME:,} extreme demands: they are not gone through")
    if len(sends) > _MOST_SENDERS or _at_least(network, ends, most) > MOST_EXTREME:
        raise too_many

    def descend(at: int) -> None:
        nonlocal visited
        visited += 1
        if visited > 8 * MOST_EXTREME:
            raise too_many
        if at == len(sends) or len(pairs) == most:
            if full(at):
                sent = dict.fromkeys(pairs, unit)
                found[key_of(between_nodes(network, sent))] = sent
            return
        for j in ends[at]:
            if not taken[j]:
                taken[j] = True
                pairs.append((sends[at], j))
                descend(at + 1)
                pairs.pop()
                taken[j] = False
        descend(at + 1)

    def full(at: int) -> bool:
        """Could no packet be added?"""
        if len(pairs) == most:
            return True
        busy = {i for i, _ in pairs}
        return not any(
            i not in busy and any(not taken[j] for j in to) for i, to in zip(sends[:at], ends[:at], strict=True)
        )  # fmt: skip

    descend(0)
    if spend is not None:
        spend(visited)
    if len(found) > MOST_EXTREME:
        raise too_many
    return found


def _at_least(network: Network, ends: Sequence[Sequence[int]], most: int) -> int:
    """So many extreme demands there are, or more: one sender after another chooses a receiver at another node that is
    free, and whatever the first ones choose, some extreme demand begins so.  Terminals that share a node choose
    together, where all may send to all; 0 where nothing is known."""
    each = {x for x in (*network.supply.tolist(), *network.demand.tolist()) if x}
    together = max(each)
    size = network.num_terminals
    if len(each) > 1 or (together > 1 and (len(ends) < size or any(len(to) < size - together for to in ends))):
        return 0
    choices = [len(to) for to in ends] if together == 1 else [size // together] * (size // together)
    count = 1
    for k, others in enumerate(choices[: most // together]):
        count *= max(others - k - 1, 1)
    return count


def _units(network: Network, demands: TransportSet) -> tuple[Fraction, int]:
    """(what a packet is, how many there may be); raises InputError where packets are not whole."""
    rates = {*(demands.sends or (None,)), *(demands.receives or (None,))} - {Fraction(0)}
    unit = next(iter(rates)) if len(rates) == 1 else None
    if unit is None or not np.array_equal(network.source, network.sink):
        raise InputError(f"the extreme demands of {demands.text} are not gone through: its packets are not whole")
    most = demands.size if demands.total is None else demands.total / unit
    if most != int(most):
        raise InputError(f"the extreme demands of {demands.text} are not gone through: its packets are not whole")
    return unit, int(most)


def images_of(g: Automorphism, extreme: Mapping[Key, object]) -> Int64:
    """Where the automorphism takes each extreme demand, by place; raises InputError where it leaves the set."""
    node, place = g.node.tolist(), {key: k for k, key in enumerate(extreme)}
    found = []
    for key in extreme:
        image = place.get(tuple(sorted((node[u], node[v], x) for u, v, x in key)))
        if image is None:
            raise InputError(f"the symmetry '{g.name}' takes demands out of the set")
        found.append(image)
    return np.array(found, dtype=np.int64)
