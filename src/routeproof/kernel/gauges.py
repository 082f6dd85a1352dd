"""Gauges of sets that are not limited by terminals: matrices, one demand, uniform traffic, all that is routable.

A gauge tells of demands Y_c, one for each channel, how many times a demand of the set they are, as ``Adversaries`` of
the theorem; that of sets which are limited by terminals is ``port_gauge``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.network import Network
from ..core.rational import lcm_within
from ..core.symmetry import Automorphism
from .shortest_paths import Distance, Lengths
from .theorem import Adversaries, PairLengths, check_symmetry, supporting_line

_MOST_UNIT = 1 << 4096
_MOST = 1 << 62

Rates = Mapping[tuple[int, int], Fraction]
"""By (source terminal, destination terminal)."""
Flows = Mapping[int, npt.NDArray[Any]]
"""By channel: what flows from every node over every channel, whole numbers (N, C)."""


# -- matrices -----------------------------------------------------------------------------------------------------


def gauge_of_matrices(network: Network, matrices: Sequence[Rates], lengths: Sequence[Lengths]) -> Adversaries:
    """Over the mixtures of matrices D_k, Y_c = sum_k l_k(c) D_k has a gauge of at most sum_k l_k(c).

    ``lengths``: l_k for each matrix.  Raises VerificationError for malformed lengths and rates.
    """
    if len(matrices) != len(lengths):
        raise VerificationError(
            f"it has {len(lengths)} lists of lengths for {len(matrices)} matrices; one each was expected"
        )
    for k, length in enumerate(lengths):
        _check_lengths(network, length, f"the lengths for matrix {k}")
    used = [k for k, length in enumerate(lengths) if length.any()]
    unit = lcm_within({x.denominator for k in used for x in matrices[k].values()}, _MOST_UNIT)
    if unit is None:
        raise VerificationError("the rates have too large a common denominator")
    rates = [_between_nodes(network, matrices[k], unit) for k in used]
    load = sum((spent(network, lengths[k]) for k in used), Fraction(0))
    return Adversaries(load, _mixed(rates, [lengths[k] for k in used]), unit)


def _mixed(rates: Sequence[Mapping[tuple[int, int], int]], lengths: Sequence[Lengths]) -> Iterator[PairLengths]:
    if len(rates) == 1:  # all pairs have their lengths in common
        for (i, j), x in sorted(rates[0].items()):
            yield i, j, lengths[0], x, 1
        return
    whole = [length.astype(object) for length in lengths]
    for i, j in sorted(set[tuple[int, int]]().union(*rates)):
        mixed = sum(length * of[i, j] for of, length in zip(rates, whole, strict=True) if (i, j) in of)
        assert isinstance(mixed, np.ndarray)
        yield i, j, mixed.astype(np.int64) if int(mixed.max()) < _MOST else mixed, 1, 1


def _between_nodes(network: Network, rates: Rates, unit: int) -> dict[tuple[int, int], int]:
    """The rates of all terminals of a node together, times ``unit``, without those that stay at their node."""
    found: dict[tuple[int, int], int] = {}
    source, sink = network.source.tolist(), network.sink.tolist()
    for (i, j), x in rates.items():
        num, den = x.as_integer_ratio()
        many = num * (unit // den)
        if many < 0:
            raise VerificationError(f"terminal {i} sends {x} to {j}; a rate cannot be negative")
        if many and source[i] != sink[j]:
            ends = source[i], sink[j]
            found[ends] = found.get(ends, 0) + many
    return found


def proved_load(network: Network, demand: Rates, length: Lengths, distance: Distance | None = None) -> Fraction:
    """What lengths of channels prove of the load of one demand, however its flow is chosen; ``distance`` as for the
    theorem.  Raises VerificationError for malformed lengths, and where a pair that sends has no path."""
    _check_lengths(network, length, "the lengths")
    found = supporting_line(network, gauge_of_matrices(network, [demand], [length]), distance=distance).least_load()
    if found is None:
        raise VerificationError("the lengths are 0 everywhere, which bounds nothing")
    return found


def gauge_of_uniform(network: Network, length: Lengths) -> Adversaries:
    """Of uniform traffic, where each of T terminals sends 1 / T to every terminal, Y_c(i, j) = l(c) s_i d_j has a gauge
    of T l(c).  Raises VerificationError for malformed lengths."""
    _check_lengths(network, length, "the lengths")
    sides = network.supply.tolist(), network.demand.tolist()
    senders, receivers = ([(v, x) for v, x in enumerate(side) if x] for side in sides)
    pairs = ((i, j, length, s * d, 1) for i, s in senders for j, d in receivers if i != j)
    return Adversaries(network.num_terminals * spent(network, length), pairs)


def _check_lengths(network: Network, length: Lengths, what: str) -> None:
    if len(length) != network.num_channels or int(length.min(initial=0)) < 0:
        raise VerificationError(f"{what} are not one whole number >= 0 for each channel")


def spent(network: Network, length: Lengths) -> Fraction:
    """sum_c b_c l(c)."""
    unit = lcm(*(b.denominator for b in network.bandwidth))
    wide = (b.numerator * (unit // b.denominator) for b in network.bandwidth)
    return Fraction(sum(map(mul, length.tolist(), wide)), unit)


# -- everything that is routable ----------------------------------------------------------------------------------


def gauge_of_flows(
    network: Network, flows: Flows, *, generators: Sequence[Automorphism] = (), reversal: bool = False
) -> Adversaries:
    """Over all that is routable, what a flow g carries has a gauge of at most max_e g(e) / b_e.

    ``flows``: g of one channel of every class, which serves all channels to which automorphisms and reversal of paths
    take it, moved there by any one of them, since the image of a routable demand is routable; other channels have no
    adversary.  What stays at a node j of the flow from i is Y_c(i, j).  Raises VerificationError for malformed flows,
    and InputError for symmetry that does not hold.
    """
    check_symmetry(network, generators, reversal=reversal)
    load, owner = Fraction(0), np.full(network.num_channels, -1, dtype=np.int64)
    images = _Images(network, generators, network.reverse if reversal else None)
    carried = []
    for k, (c, flow) in enumerate(flows.items()):
        sent, gauge = _carried(network, c, flow)
        moved = images.add(c)
        if (owner[moved] >= 0).any():
            raise VerificationError(
                f"the adversary of channel {c} is that of a channel which symmetry takes it to, too"
            )
        owner[moved] = k
        carried.append(sent)
        load += gauge * sum((network.bandwidth[x] for x in moved), Fraction(0))
    return Adversaries(load, images.lengths(network, carried, owner))


def _carried(network: Network, channel: int, flow: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Fraction]:
    """(what the flow carries from node to node, (N, N); the largest share of a bandwidth that it takes)."""
    nodes, count = network.num_nodes, network.num_channels
    if flow.shape != (nodes, count) or (flow.size and int(flow.min()) < 0):
        raise VerificationError(f"the adversary of channel {channel} needs one number >= 0 for each node and channel")
    if int(flow.max(initial=0)) * nodes * count >= _MOST:
        flow = flow.astype(object)
    sent = np.zeros((nodes, nodes), dtype=flow.dtype)
    for ends, sign in ((network.head, 1), (network.tail, -1)):
        np.add.at(sent.T, ends, sign * flow.T)
    np.fill_diagonal(sent, 0)
    if sent.size and int(sent.min()) < 0:
        i, j = (int(x) for x in np.argwhere(sent < 0)[0])
        raise VerificationError(
            f"the flow from node {i} against channel {channel} takes more away from node {j} than arrives there"
        )
    for what, idle, axis in (("sends from", network.supply == 0, 1), ("delivers to", network.demand == 0, 0)):
        at = np.flatnonzero(idle & (sent.sum(axis=axis) > 0))
        if len(at):
            raise VerificationError(
                f"the adversary of channel {channel} {what} node {at[0]}, which has no terminal for it"
            )
    used = flow.sum(axis=0).tolist()
    return sent, max((Fraction(x) / b for x, b in zip(used, network.bandwidth, strict=True) if x), default=Fraction(0))


class _Images:
    """Which symmetry takes a channel to each of its images, and what it does to nodes."""

    def __init__(self, network: Network, generators: Sequence[Automorphism], opposite: npt.NDArray[Any] | None) -> None:
        nodes, count = network.num_nodes, network.num_channels
        self._moves = [(g.channel, g.node, False) for g in generators]
        if opposite is not None:
            self._moves.append((opposite, np.arange(nodes, dtype=np.int32), True))
        self._from = np.zeros((count, nodes), dtype=np.int32)  # the node that is taken to each
        self._turned = np.zeros(count, dtype=np.bool_)
        self._nodes = nodes

    def add(self, channel: int) -> list[int]:
        """All images of the channel, itself the first."""
        found, seen = [channel], {channel}
        self._from[channel], self._turned[channel] = np.arange(self._nodes), False
        for c in found:
            for move, node, turned in self._moves:
                d = int(move[c])
                if d not in seen:
                    seen.add(d)
                    found.append(d)
                    self._from[d, node] = self._from[c]
                    self._turned[d] = self._turned[c] != turned
        return found

    def lengths(self, network: Network, carried: Sequence[npt.NDArray[Any]], owner: Int64) -> Iterator[PairLengths]:
        """What the adversaries of all channels send from each node to each other one."""
        kind = object if any(x.dtype == object for x in carried) else np.int64
        for i in np.flatnonzero(network.supply).tolist():
            others = [j for j in np.flatnonzero(network.demand).tolist() if j != i]
            found = np.zeros((len(others), len(owner)), dtype=kind)
            for c in np.flatnonzero(owner >= 0).tolist():
                sender, receivers, sent = self._from[c, i], self._from[c, others], carried[owner[c]]
                found[:, c] = sent[receivers, sender] if self._turned[c] else sent[sender, receivers]
            for j, length in zip(others, found, strict=True):
                yield i, j, length, 1, 1
