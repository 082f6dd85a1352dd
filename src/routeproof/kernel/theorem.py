"""The theorem that bounds every router: adversaries, which are demands with weights, evaluated by shortest paths.

For each channel c let an adversary choose a demand Y_c >= 0 that is t_c times one of the set of demands; the least such
t_c is the set's gauge of Y_c.  Let b_c be the bandwidth of c, T the number of terminals, s_i and d_j how many of
them send at node i and receive at node j.  With ``hops`` >= 0, every oblivious routing whose worst-case load per
bandwidth over the set is w, and whose average path length between all terminals is H, satisfies

    hops * T^2 * H + (sum_c b_c gauge(Y_c)) * w  >=  sum over pairs (i, j) of their shortest distance, where channel c
                                                     is hops * s_i d_j + Y_c(i, j) long to the pair.

Proof.  Y_c / gauge(Y_c) is in the set, so under it c carries at most b_c w: sum_ij Y_c(i, j) * (flow of c from i to j)
is at most b_c gauge(Y_c) w.  Summed over all channels, and with hops * T^2 * H, the left side is what the pairs' flows
cost under those lengths, and the flow of each pair is one unit that costs at least the shortest distance.  A larger
number than the gauge only weakens the bound.

What it says of one set and another, each by its gauge (``port_gauge``, ``gauges``):

- with hops = 0, the load of the best oblivious routing (Towles, Dally & Boyd 2003, SPAA, the dual (19));
- with Y_c = l_c D for one demand D, lengths l_c: every flow of D, and so every routing, though it knows the demand
  (the dual of maximum concurrent flow, Shahrokhi & Matula 1990, J. ACM 37; lengths of 1 are the bound of Namyar et al.
  2021, SIGCOMM);
- with D uniform: capacity (Towles, Dally & Boyd 2003, the dual of (6));
- over everything that is routable: the oblivious ratio (Applegate & Cohen 2003, SIGCOMM, theorem 1).

Symmetry shortens what is written down.  Averaging a routing over automorphisms and reversal of paths that leave the set
as it is changes H not at all and does not raise w; so Y is given for one pair of every class, or one channel, and
stands for all images.  (A routing that treats terminals of one node differently is averaged over those, too, where the
set treats them alike.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..core.errors import VerificationError
from ..core.network import Network
from ..core.symmetry import Automorphism, check_automorphism
from .shortest_paths import Distance, Lengths, Wanted, sum_of_distances


@dataclass(frozen=True)
class SupportingLine:
    """``hops * H + load * w >= total`` for every routing with average path length H and load w."""

    hops: Fraction
    load: Fraction
    total: Fraction

    def least_load(self, path_length: Fraction | None = None) -> Fraction | None:
        """The bound on w for routings whose average path length is at most ``path_length``; None if there is none."""
        if not self.load or (self.hops and path_length is None):
            return None
        return (self.total - self.hops * (path_length or 0)) / self.load

    def least_path_length(self, load: Fraction | None = None) -> Fraction | None:
        """The bound on H for routings whose load is at most ``load``; None if there is none."""
        if not self.hops or (self.load and load is None):
            return None
        return (self.total - self.load * (load or 0)) / self.hops


PairLengths = tuple[int, int, Lengths, int, int]
"""(source, destination, length, times, members): Y_c(source, destination) between nodes, for every channel c, is
``times`` * ``length``; alike for all ``members`` of the pair's class.  Pairs with equal lengths share the object."""


@dataclass(frozen=True, eq=False)
class Adversaries:
    """Demands Y_c for all channels, as a set's gauge has judged them.

    ``load``: sum_c b_c gauge(Y_c), or more; ``lengths``: Y by pair, one of every class, in units of 1 / ``unit``; other
    pairs have 0.
    """

    load: Fraction
    lengths: Iterable[PairLengths]
    unit: int = 1


def supporting_line(
    network: Network, adversaries: Adversaries, *, hops: int = 0, distance: Distance | None = None
) -> SupportingLine:
    """The line that the adversaries prove, by exact shortest paths: the theorem of this module.

    ``distance``: the shortest distance by those paths that routings may use, where not all are meant; symmetry must
    take such paths to such paths.  Raises VerificationError where a pair has no path.
    """
    if hops < 0:
        raise VerificationError("the adversary's weight of hops is negative")
    each = hops * adversaries.unit
    if hops:
        seen: list[tuple[int, int, int]] = []
        total = sum_of_distances(network, _with_hops(network, adversaries.lengths, each, seen), distance)
        total += each * _other_hops(network, seen, distance)
    else:
        plain = ((i, j, y, 0, times * members) for i, j, y, times, members in adversaries.lengths)
        total = sum_of_distances(network, plain, distance)
    return SupportingLine(
        Fraction(hops * network.num_terminals**2), adversaries.load, Fraction(total, adversaries.unit)
    )  # fmt: skip


def _with_hops(
    network: Network, lengths: Iterable[PairLengths], hops: int, seen: list[tuple[int, int, int]]
) -> Iterator[Wanted]:
    """The pairs' distances where every channel is hops * s_i d_j longer than Y; (source, destination, members) of all
    of them are added to ``seen``."""
    supply, demand = [hops * s for s in network.supply.tolist()], network.demand.tolist()
    for i, j, length, times, members in lengths:
        seen.append((i, j, members))
        each = supply[i] * demand[j]
        if each % times == 0:
            yield i, j, length, each // times, members * times
            continue
        fits = int(length.max(initial=0)) * times < 1 << 62
        yield i, j, (length if fits else length.astype(object)) * times, each, members


def _other_hops(network: Network, seen: Sequence[tuple[int, int, int]], distance: Distance | None) -> int:
    """The hops of shortest paths between all terminals, but for those of the pairs ``seen``."""
    one = np.ones(network.num_channels, dtype=np.int64)
    supply, demand = network.supply.tolist(), network.demand.tolist()
    senders, receivers = (np.flatnonzero(side).tolist() for side in (supply, demand))
    counted = [(i, j, n) for i, j, n in seen if supply[i] and demand[j]]
    alone = sum(1 for i in senders if demand[i])
    if sum(n for _, _, n in counted) == len(senders) * len(receivers) - alone:
        return 0
    every = ((i, j, 1) for i in senders for j in receivers if i != j)
    all_hops, own = (
        sum_of_distances(network, ((i, j, one, 0, n * supply[i] * demand[j]) for i, j, n in some), distance)
        for some in (every, sorted(counted))
    )
    return all_hops - own


def check_symmetry(network: Network, generators: Sequence[Automorphism], *, reversal: bool) -> None:
    """Raise InputError unless the network has these automorphisms, and VerificationError unless it has reversal of
    paths, where that is used; that a set of demands keeps to them is for its gauge to see."""
    for g in generators:
        check_automorphism(network, g)
    if reversal and (network.reverse is None or not np.array_equal(network.supply, network.demand)):
        raise VerificationError("reversal of paths was used, but network or traffic has no such symmetry")
