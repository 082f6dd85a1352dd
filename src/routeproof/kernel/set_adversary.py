"""What no routing can beat over a transport set of demands: a mixture of adversaries, as in ``adversary``.

For each channel c the adversary chooses traffic E_c(r, k) >= 0 between ports (``ports``), as whole numbers, and phi_c
such that E_c / phi_c keeps to what the set admits beside its least demands ``low``:

    rows at most phi_c sends(r), columns at most phi_c receives(k), all together at most phi_c total,
    and a pair at most phi_c room(r, k).

Then E_c / phi_c + low is admissible, so a routing whose worst-case load per bandwidth is w has

    sum over r, k of (E_c + phi_c low)(r, k) * flow of c from r's node to k's  <=  phi_c * bandwidth(c) * w,

and the sum over all channels is at least the shortest distances between nodes, under lengths that are summed over the
ports at their ends.  phi_c is the smallest that will do; where the set has least demands it may be larger, and is
given.  ``hops`` as in ``adversary``: of pairs that send nothing, too.

Source: the dual (19) of Towles, Dally & Boyd 2003 (SPAA), for any transport set; decision 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32
from ..core.errors import VerificationError
from ..core.network import Network
from ..core.symmetry import Automorphism, check_automorphism, orbit_labels
from .ports import Ports
from .shortest_paths import all_distances, weighted_distances
from .supporting_line import AdversaryPair, Distance, SupportingLine

_MOST = 1 << 62
_MOST_IMAGES = 1 << 28


def set_line(
    network: Network,
    ports: Ports,
    pairs: Sequence[AdversaryPair],
    *,
    hops: int,
    generators: Sequence[Automorphism] = (),
    reversal: bool = False,
    weight: npt.NDArray[Any] | None = None,
    distance: Distance | None = None,
) -> SupportingLine:
    """The line that the adversaries prove over the set with these ports.

    ``pairs``: their ``source`` is a row, their ``destination`` a column, one pair of every class; ``weight``: phi of
    every channel as whole numbers, for sets with least demands; ``distance`` as in ``adversary.supporting_line``.
    Raises VerificationError for malformed adversaries and symmetry that the set lacks, and InputError for symmetry that
    the network lacks.
    """
    count = network.num_channels
    for g in generators:
        check_automorphism(network, g)
        if not ports.kept_by(g):
            raise VerificationError(f"the symmetry '{g.name}' does not leave the set of demands as it is")
    both = network.reverse is not None and np.array_equal(network.supply, network.demand)
    if reversal and not (both and ports.turned):
        raise VerificationError("reversal of paths was used, but network or demands have no such symmetry")
    if hops < 0:
        raise VerificationError("the adversary's weight of hops is negative")
    if weight is not None and (len(weight) != count or int(weight.min(initial=0)) < 0):
        raise VerificationError("the adversary's weights must be one number >= 0 for each channel")
    rows, columns = ports.may.shape
    for pair in pairs:
        r, k = pair.source, pair.destination
        if not (0 <= r < rows and 0 <= k < columns and ports.may[r, k]):
            raise VerificationError(f"the adversary sends from row {r} to column {k}, which may not")
        if len(pair.traffic) != count or int(pair.traffic.min(initial=0)) < 0:
            raise VerificationError(f"the adversary of row {r} and column {k} needs one number >= 0 for each channel")
    if ports.room is None and ports.sends is None and ports.receives is None and ports.total is None:
        raise VerificationError("nothing limits the demands of the set")
    if weight is None and ports.low:
        raise VerificationError("a set with least demands needs the weight of every channel's adversary")
    if ports.by_node and ports.room is None and weight is None:
        phi, between, size, unit = _by_classes(network, ports, pairs, generators, reversal)
    else:
        phi, between, size, unit = _one_by_one(network, ports, pairs, generators, reversal, weight)
    if distance is None:
        total = weighted_distances(network, between, size, hops=hops * unit)
    else:
        total = 0
        for pair, members in zip(between, size, strict=True):
            a, b = pair.source, pair.destination
            each = hops * unit * int(network.supply[a]) * int(network.demand[b])
            total += members * distance(a, b, [each + x for x in pair.traffic.tolist()])
    if hops:
        total += hops * unit * _other_hops(network, between, size, distance)
    load = sum((x * network.bandwidth[c] for c, x in enumerate(phi) if x), Fraction(0))
    return SupportingLine(Fraction(hops * network.num_terminals**2), load, Fraction(total, unit))


def least_weights(
    network: Network,
    ports: Ports,
    pairs: Sequence[AdversaryPair],
    *,
    generators: Sequence[Automorphism] = (),
    reversal: bool = False,
) -> list[Fraction]:
    """The smallest phi of every channel, for whoever makes adversaries."""
    return _one_by_one(network, ports, pairs, generators, reversal, None, lengths_too=False)[0]


def _other_hops(
    network: Network, between: Sequence[AdversaryPair], size: Sequence[int], distance: Distance | None
) -> int:
    """The hops of shortest paths between all terminals, but for those of the pairs ``between``."""
    far = all_distances(network, np.ones(network.num_channels, dtype=np.int64)).between
    ends = np.outer(network.supply.astype(np.int64), network.demand.astype(np.int64))
    if distance is not None:
        ones = [1] * network.num_channels
        for a, b in np.argwhere(ends * (1 - np.eye(len(ends), dtype=np.int64)) > 0).tolist():
            far[a, b] = distance(a, b, ones)
    if ((far < 0) & (ends > 0)).any():
        raise VerificationError("some pair of terminals is not connected")
    every = int((far * ends).sum())
    return every - sum(
        members * int(far[p.source, p.destination] * ends[p.source, p.destination])
        for p, members in zip(between, size, strict=True)
    )


def _by_classes(
    network: Network, ports: Ports, pairs: Sequence[AdversaryPair], generators: Sequence[Automorphism], reversal: bool
) -> tuple[list[Fraction], list[AdversaryPair], list[int], int]:
    """(phi by channel, the adversaries by node, how many pairs each stands for, 1): ports are nodes here, and sums are
    formed by classes of (side, node, channel)."""
    n, count = network.num_nodes, network.num_channels
    between = [
        AdversaryPair(int(ports.row_node[p.source]), int(ports.column_node[p.destination]), p.traffic) for p in pairs
    ]
    key = np.arange(n * n).reshape(n, n)
    images = [key[g.node][:, g.node].ravel() for g in generators] + ([key.T.ravel()] if reversal else [])
    label = orbit_labels(n * n, images) if images else key.ravel()
    members = np.bincount(label, minlength=n * n)
    of_pair = [int(label[p.source * n + p.destination]) for p in between]
    _check_apart(of_pair, pairs)
    size = [int(members[at]) for at in of_pair]
    sides = np.arange(2 * n * count).reshape(2, n, count)
    images = [sides[:, g.node][:, :, g.channel].ravel() for g in generators]
    if reversal:
        images.append(sides[::-1][:, :, network.reverse].ravel())
    place = orbit_labels(2 * n * count, images) if images else sides.ravel()
    spread = np.bincount(place, minlength=2 * n * count)
    common = lcm(*np.unique(spread[spread > 0]).tolist())
    top = max((int(p.traffic.max(initial=0)) for p in between), default=0)
    fits = top * sum(size) * count * common < _MOST
    sums = np.zeros(2 * n * count, dtype=np.int64 if fits else object)
    labels = place.reshape(2, n, count)
    for pair, many in zip(between, size, strict=True):
        used = np.nonzero(pair.traffic)[0]
        part = pair.traffic[used].astype(sums.dtype) * many
        for side, v in ((0, pair.source), (1, pair.destination)):
            np.add.at(sums, labels[side, v, used], part)
    each = sums * np.array([common // x if x else 0 for x in spread.tolist()], dtype=sums.dtype)
    value = each[place].reshape(2, n, count)
    return _phi(ports, value[0][ports.row_node], value[1][ports.column_node], common), between, size, 1


def _check_apart(of_pair: Sequence[int], pairs: Sequence[AdversaryPair]) -> None:
    seen: dict[int, AdversaryPair] = {}
    for at, pair in zip(of_pair, pairs, strict=True):
        if at in seen:
            one = seen[at]
            raise VerificationError(
                f"the adversary's pairs {(one.source, one.destination)} and {(pair.source, pair.destination)} are of "
                f"one class"
            )
        seen[at] = pair


def _phi(ports: Ports, out: npt.NDArray[Any], into: npt.NDArray[Any], common: int) -> list[Fraction]:
    """The least phi of every channel for rows and columns that send ``out`` / common and receive ``into`` / common,
    (R, C) and (K, C)."""
    found = [Fraction(0)] * out.shape[1]
    for what, sums, rates in (("sends", out, ports.sends), ("receives", into, ports.receives)):
        if rates is None:
            continue
        for limit in set(rates):
            most = sums[[k for k, x in enumerate(rates) if x == limit]].max(axis=0).tolist()
            for c, x in enumerate(most):
                if x and not limit:
                    raise VerificationError(f"the adversary of channel {c} {what} where nothing more may be sent")
                if x:
                    found[c] = max(found[c], Fraction(x, common) / limit)
    if ports.total is not None:
        for c, x in enumerate(out.astype(object).sum(axis=0).tolist()):
            if x and not ports.total:
                raise VerificationError(f"the adversary of channel {c} sends where nothing more may be sent")
            if x:
                found[c] = max(found[c], Fraction(x, common) / ports.total)
    return found


def _one_by_one(
    network: Network,
    ports: Ports,
    pairs: Sequence[AdversaryPair],
    generators: Sequence[Automorphism],
    reversal: bool,
    weight: npt.NDArray[Any] | None,
    *,
    lengths_too: bool = True,
) -> tuple[list[Fraction], list[AdversaryPair], list[int], int]:
    """(phi by channel, lengths by pair of nodes times the unit, 1 each, the unit): all images are written out."""
    count = network.num_channels
    rows, columns = ports.may.shape
    top = max((int(p.traffic.max(initial=0)) for p in pairs), default=0)
    number = np.int64 if top * rows * columns < _MOST else object
    out, into = np.zeros((rows, count), dtype=number), np.zeros((columns, count), dtype=number)
    least = [Fraction(0)] * count
    lengths: dict[tuple[int, int], npt.NDArray[Any]] = {}
    for r, k, traffic in _images(network, ports, pairs, generators, reversal):
        out[r] += traffic
        into[k] += traffic
        if ports.room is not None:
            room = ports.room[r, k]
            used = np.nonzero(traffic)[0].tolist()
            if used and not room:
                raise VerificationError(f"the adversary sends from row {r} to column {k}, which may send no more")
            for c in used:
                least[c] = max(least[c], int(traffic[c]) / room)
        ends = int(ports.row_node[r]), int(ports.column_node[k])
        lengths[ends] = lengths.get(ends, 0) + traffic.astype(number)
    phi = [max(x, y) for x, y in zip(least, _phi(ports, out, into, 1), strict=True)]
    if not lengths_too:
        return phi, [], [], 1
    unit = lcm(*(x.denominator for x in ports.low.values())) if ports.low else 1
    if weight is not None:
        for c, (x, needed) in enumerate(zip(weight.tolist(), phi, strict=True)):
            if x < needed:
                raise VerificationError(f"the adversary of channel {c} has the weight {x}; {needed} at least is needed")
        phi = [Fraction(x) for x in weight.tolist()]
    heaviest = 0 if weight is None else max(map(int, weight.tolist()), default=0)
    most = unit * (top * rows * columns + heaviest * (int(sum(ports.low.values())) + 1))
    kind = object if most >= _MOST else np.int64
    whole = {ends: x.astype(kind) * unit for ends, x in lengths.items()}
    for (r, k), x in ports.low.items():
        assert weight is not None
        ends = int(ports.row_node[r]), int(ports.column_node[k])
        whole[ends] = whole.get(ends, 0) + weight.astype(kind) * int(x * unit)
    between = [AdversaryPair(a, b, x) for (a, b), x in whole.items()]
    return phi, between, [1] * len(between), unit


def _images(
    network: Network, ports: Ports, pairs: Sequence[AdversaryPair], generators: Sequence[Automorphism], reversal: bool
) -> Iterator[tuple[int, int, npt.NDArray[Any]]]:
    """(row, column, traffic) of every image of every pair; one image each."""
    moves: list[tuple[Int32, Int32, Int32, bool]] = [(*ports.rows_moved(g), g.channel, False) for g in generators]
    if reversal:
        assert network.reverse is not None
        same = np.arange(len(ports.row_node), dtype=np.int32)
        moves.append((same, same, network.reverse, True))
    seen: set[tuple[int, int]] = set()
    for pair in pairs:
        start = pair.source, pair.destination
        if start in seen:
            raise VerificationError(f"the adversary's pair {start} is of the class of another one")
        seen.add(start)
        queue = [(start, np.arange(network.num_channels, dtype=np.int32))]
        for (r, k), image in queue:
            moved = np.zeros_like(pair.traffic)
            moved[image] = pair.traffic
            yield r, k, moved
            for row, column, channel, turned in moves:
                to = (int(row[k]), int(column[r])) if turned else (int(row[r]), int(column[k]))
                if to not in seen:
                    seen.add(to)
                    queue.append((to, channel[image]))
            if len(queue) * network.num_channels > _MOST_IMAGES:
                raise VerificationError("the adversary stands for too many pairs to write them out")
