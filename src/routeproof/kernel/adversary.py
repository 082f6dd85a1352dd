"""What no routing can beat: a mixture of adversaries, evaluated by shortest paths.

For each channel c let the adversary choose traffic Y_c(i, j) >= 0, as whole numbers.  With s_i terminals that send at
node i and d_j that receive at node j, phi_c the largest of sum_j Y_c(i, j) / s_i and sum_i Y_c(i, j) / d_j, the
traffic Y_c / phi_c is admissible, so a routing whose worst-case load per bandwidth is w has

    sum_ij Y_c(i, j) * flow of c from i to j  <=  phi_c * bandwidth(c) * w.

Summed over all channels, the left side is what the pairs' flows cost under the lengths Y_c(i, j), at least the
shortest distances.  With ``hops`` added to every length, the average path length H comes in:

    hops * T^2 * H + (sum_c phi_c bandwidth(c)) * w  >=  sum_ij distance from i to j under hops * s_i d_j + Y_c(i, j).

This holds for every oblivious routing.  Symmetry shortens it: Y may be averaged over automorphisms and reversal of
paths, since averaging a routing over them changes H not at all and does not raise w; so Y is given for one pair of
every class, and stands for all images.  (A routing that tells terminals of one node apart is averaged over those, too.)

Source: the dual (19) of Towles, Dally & Boyd 2003 (SPAA), appendix, with terminals apart from nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import VerificationError
from ..core.network import Network
from ..core.symmetry import Automorphism, check_automorphism, orbit_labels
from ..core.translations import translations_of
from .shifted_adversary import classes_apart, shifted_load, shifted_sizes
from .shortest_paths import distances, weighted_distances
from .supporting_line import AdversaryPair, Distance, SupportingLine

_MOST_SUMS = 1 << 18
_MOST = 1 << 62


def supporting_line(
    network: Network,
    pairs: Sequence[AdversaryPair],
    *,
    hops: int,
    generators: Sequence[Automorphism] = (),
    reversal: bool = False,
    distance: Distance | None = None,
) -> SupportingLine:
    """The line that the adversaries prove, by exact shortest paths; nothing is believed but their whole numbers.

    ``distance(i, j, lengths)``: the shortest distance by those paths that routings may use, where not all are meant;
    the symmetry must take such paths to such paths.

    Pairs that no class of ``pairs`` holds count 0.  Raises VerificationError for malformed adversaries, and
    InputError for symmetry that does not hold.
    """
    n, count = network.num_nodes, network.num_channels
    for g in generators:
        check_automorphism(network, g)
    opposite = network.reverse
    if reversal and (opposite is None or not np.array_equal(network.supply, network.demand)):
        raise VerificationError("reversal of paths was used, but network or traffic has no such symmetry")
    if hops < 0:
        raise VerificationError("the adversary's weight of hops is negative")
    for pair in pairs:
        if len(pair.traffic) != count or int(pair.traffic.min(initial=0)) < 0:
            raise VerificationError(
                f"the adversary of nodes {pair.source} and {pair.destination} needs one number >= 0 for each channel"
            )
    shift = translations_of(network, generators) if distance is None and 2 * n * count > _MOST_SUMS else None
    if shift is not None:
        size = shifted_sizes(shift, reversal, pairs)
        load = shifted_load(shift, reversal, pairs, size)
    else:
        size = _class_sizes(n, generators, reversal, pairs)
        load = _load(network, pairs, size, generators, opposite if reversal else None)
    if distance is None:
        total = weighted_distances(network, pairs, size, hops=hops)
    else:
        total = 0
        for pair, members in zip(pairs, size, strict=True):
            i, j = pair.source, pair.destination
            each = hops * int(network.supply[i]) * int(network.demand[j])
            total += members * distance(i, j, [each + x for x in pair.traffic.tolist()])
    return SupportingLine(Fraction(hops * network.num_terminals**2), load, Fraction(total))


def _sums(pairs: Sequence[AdversaryPair], size: Sequence[int], label: npt.NDArray[np.integer]) -> npt.NDArray[Any]:
    """(2 N C,): the traffic of all pairs of each class (side, node, channel), by its label; int64 where it fits."""
    top = max((int(p.traffic.max(initial=0)) for p in pairs), default=0)
    fits = top * sum(size) * label.shape[2] < _MOST
    found = np.zeros(label.size, dtype=np.int64 if fits else object)
    for pair, members in zip(pairs, size, strict=True):
        used = np.nonzero(pair.traffic)[0]
        part = pair.traffic[used].astype(found.dtype) * members
        for side, v in ((0, pair.source), (1, pair.destination)):
            np.add.at(found, label[side, v, used], part)
    return found


def _class_sizes(
    n: int, generators: Sequence[Automorphism], reversal: bool, pairs: Sequence[AdversaryPair]
) -> list[int]:
    """How many pairs of nodes each of ``pairs`` stands for; two of one class are refused."""
    key = np.arange(n * n).reshape(n, n)
    images = [key[g.node][:, g.node].ravel() for g in generators]
    if reversal:
        images.append(key.T.ravel())
    label = orbit_labels(n * n, images) if images else key.ravel()
    members = np.bincount(label, minlength=n * n)
    return [int(members[at]) for at in classes_apart(pairs, n, lambda i, j: int(label[i * n + j]))]


def _load(
    network: Network,
    pairs: Sequence[AdversaryPair],
    size: Sequence[int],
    generators: Sequence[Automorphism],
    opposite: npt.NDArray[np.int32] | None,
) -> Fraction:
    """sum over c of phi_c * bandwidth(c), from the 2 N C sums (side, node, channel), some equal by symmetry;
    ``opposite`` is given where reversal of paths is a symmetry."""
    n, count = network.num_nodes, network.num_channels
    key = np.arange(2 * n * count).reshape(2, n, count)
    images = [key[:, g.node][:, :, g.channel].ravel() for g in generators]
    if opposite is not None:
        images.append(key[::-1][:, :, opposite].ravel())
    label = orbit_labels(2 * n * count, images) if images else key.ravel()
    spread = np.bincount(label, minlength=2 * n * count)
    sums = _sums(pairs, size, label.reshape(2, n, count))
    places = np.nonzero(sums[label] != 0)[0]
    terminals = np.concatenate([network.supply, network.demand]).astype(np.int64)[places // count]
    if not terminals.all():
        v = int(places[np.argmin(terminals)]) // count % network.num_nodes
        raise VerificationError(f"the adversary sends traffic at node {v}, which has no terminal for it")
    parts = spread[label[places]] * terminals
    common = lcm(*np.unique(parts).tolist())
    value = sums[label[places]]
    if int(value.max(initial=0)) * common >= _MOST:
        value = value.astype(object)
    phi = np.zeros(count, dtype=value.dtype)
    factor = (common // parts) if common < _MOST else np.array([common // x for x in parts.tolist()], dtype=object)
    np.maximum.at(phi, places % count, value * factor)
    return sum((x * network.bandwidth[c] for c, x in enumerate(phi.tolist()) if x), Fraction(0)) / common


def length_line(
    network: Network, length: npt.NDArray[np.int64], *, hops: int, distance: Distance | None = None
) -> SupportingLine:
    """The line that whole lengths y (int64, shape (C,)) of channels prove under uniform traffic.

    With ``hops`` added to each length, a routing pays for all pairs of terminals together at least their shortest
    distances.  Each of T terminals sends 1 / T to every terminal, so channel c carries at most bandwidth(c) * W, where
    W is the largest load per bandwidth; so with the average path length H

        hops * T^2 * H + T * (sum_c y_c bandwidth(c)) * W  >=  sum over terminals of their distances under y + hops.

    ``distance`` as for ``supporting_line``.  Raises VerificationError for malformed lengths.
    Source: the dual of (6) of Towles, Dally & Boyd 2003 (SPAA), with a bound on the path length.
    """
    if len(length) != network.num_channels or int(length.min(initial=0)) < 0 or hops < 0:
        raise VerificationError("one whole length >= 0 was expected for each channel, and for a hop")
    each = [int(x) + hops for x in length.tolist()]
    from_node = distances(network, each)
    total = 0
    for i in np.nonzero(network.supply)[0].tolist():
        others = [j for j in np.nonzero(network.demand)[0].tolist() if j != i]
        far = from_node(i) if distance is None else {j: distance(i, j, each) for j in others}
        for j in others:
            one = far[j]
            if one is None:
                raise VerificationError(f"no path leads from node {i} to node {j}")
            total += one * int(network.supply[i]) * int(network.demand[j])
    terminals = network.num_terminals
    load = sum((int(y) * b for y, b in zip(length.tolist(), network.bandwidth, strict=True) if y), Fraction(0))
    return SupportingLine(Fraction(hops * terminals**2), terminals * load, Fraction(total))
