"""The gauge of sets that are limited by terminals: rows, columns, the total, and pairs of ports.

For each channel c the adversary sends E_c(r, k) >= 0, whole numbers, from row r to column k of the set's ports, beside
t_c times the set's least demands ``low``.  Then E_c + t_c low is t_c times a demand of the set, where

    rows send at most t_c sends(r), columns receive at most t_c receives(k), all together at most t_c total,
    and a pair at most t_c room(r, k).

The gauge is the smallest such t_c; where the set has least demands it may be larger, and is given.  Permutations are
the set whose ports are nodes, which send and receive as many packets as they have terminals.

The sums of rows and columns are formed in one of three ways, with the same result where E is alike for all that
symmetry takes to one another: from node 0, where the network looks the same from every node (nothing is held for all of
them); by classes of (side, node, channel), averaged over the symmetry; or from all images, written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.errors import VerificationError
from ..core.network import Network
from ..core.symmetry import Automorphism, Translations, orbit_labels, translations_of
from .ports import Ports
from .shortest_paths import Lengths
from .theorem import Adversaries, check_symmetry

_MOST_SUMS = 1 << 18
_MOST_IMAGES = 1 << 28
_MOST = 1 << 62


@dataclass(frozen=True, eq=False)
class AdversaryPair:
    """E_c(source, destination) for every channel c: ``traffic``, int64 or Python's integers (C,), >= 0; from a row of
    ports to a column."""

    source: int
    destination: int
    traffic: Lengths


def gauge_of_ports(
    network: Network,
    ports: Ports,
    pairs: Sequence[AdversaryPair],
    *,
    generators: Sequence[Automorphism] = (),
    reversal: bool = False,
    weight: Lengths | None = None,
) -> Adversaries:
    """``pairs``: one of every class, others send nothing; ``weight``: t_c of every channel as whole numbers, for sets
    with least demands.

    Raises VerificationError for malformed adversaries and symmetry that the set lacks, and InputError for symmetry that
    the network lacks.
    """
    _check(network, ports, pairs, generators, reversal)
    if weight is not None and (len(weight) != network.num_channels or int(weight.min(initial=0)) < 0):
        raise VerificationError("the adversary's weights must be one number >= 0 for each channel")
    if weight is None and ports.low:
        raise VerificationError("a set with least demands needs the weight of every channel's adversary")
    if not ports.by_node or ports.room is not None or weight is not None:
        return _written_out(network, ports, pairs, _Images(network, ports, generators, reversal), weight)
    shift = None
    if ports.alike(network) and 2 * network.num_nodes * network.num_channels > _MOST_SUMS:
        shift = translations_of(network, generators)
    if shift is None:
        members = _members(network, ports, pairs, generators, reversal)
        if generators or reversal:
            gauge = _gauge_by_classes(network, ports, pairs, members, generators, reversal)
        else:
            gauge = _gauge_by_itself(network, ports, pairs)
    else:
        members = _members_by_translations(shift, pairs, reversal)
        gauge = _gauge_by_translations(shift, ports, pairs, members, reversal)
    ends = ((int(ports.row_node[p.source]), int(ports.column_node[p.destination])) for p in pairs)
    between = [(*x, p.traffic, 1, many) for x, p, many in zip(ends, pairs, members, strict=True)]
    return Adversaries(_together(network, gauge), between)


def least_weights(
    network: Network,
    ports: Ports,
    pairs: Sequence[AdversaryPair],
    *,
    generators: Sequence[Automorphism] = (),
    reversal: bool = False,
) -> list[Fraction]:
    """The smallest t_c of every channel, for whoever makes adversaries."""
    _check(network, ports, pairs, generators, reversal)
    return _sums_written_out(network, ports, pairs, _Images(network, ports, generators, reversal))[0]


def _check(
    network: Network, ports: Ports, pairs: Sequence[AdversaryPair], generators: Sequence[Automorphism], reversal: bool
) -> None:
    check_symmetry(network, generators, reversal=reversal)
    for g in generators:
        if not ports.kept_by(g):
            raise VerificationError(f"the symmetry '{g.name}' does not leave the set of demands as it is")
    if reversal and not ports.turned:
        raise VerificationError("reversal of paths was used, but network or demands have no such symmetry")
    if ports.room is None and ports.sends is None and ports.receives is None and ports.total is None:
        raise VerificationError("nothing limits the demands of the set")
    rows, columns = ports.may.shape
    for pair in pairs:
        r, k = pair.source, pair.destination
        if not (0 <= r < rows and 0 <= k < columns and ports.may[r, k]):
            raise VerificationError(f"the adversary sends from row {r} to column {k}, which may not")
        if len(pair.traffic) != network.num_channels or int(pair.traffic.min(initial=0)) < 0:
            raise VerificationError(f"the adversary of row {r} and column {k} needs one number >= 0 for each channel")


def _together(network: Network, gauge: Sequence[Fraction]) -> Fraction:
    """sum_c b_c t_c."""
    return sum((x * b for x, b in zip(gauge, network.bandwidth, strict=True) if x), Fraction(0))


def _heaviest(
    ports: Ports, out: npt.NDArray[Any], into: npt.NDArray[Any], common: int, channels: Sequence[int] | None = None
) -> list[Fraction]:
    """The least t of every channel for rows and columns that send ``out`` / common and receive ``into`` / common,
    (R, C) and (K, C); C ``channels``, by default all of them."""
    found = [Fraction(0)] * out.shape[1]

    def at_least(sums: npt.NDArray[Any], limit: Fraction, what: str) -> None:
        for c, x in enumerate(sums.tolist()):
            if x and not limit:
                name = c if channels is None else channels[c]
                raise VerificationError(f"the adversary of channel {name} {what} where nothing more may be sent")
            if x:
                found[c] = max(found[c], Fraction(x, common) / limit)

    for what, sums, rates in (("sends", out, ports.sends), ("receives", into, ports.receives)):
        for limit in set(rates or ()):
            at_least(sums[[k for k, x in enumerate(rates or ()) if x == limit]].max(axis=0), limit, what)
    if ports.total is not None:
        at_least(out.astype(object).sum(axis=0), ports.total, "sends")
    return found


def _gauge_by_itself(network: Network, ports: Ports, pairs: Sequence[AdversaryPair]) -> list[Fraction]:
    """From the pairs as they are, without symmetry: channels over which every pair sends alike are judged once."""
    alike, first = _alike(network.num_channels, pairs)
    kind = np.int64 if _top(pairs) * len(pairs) < _MOST else object
    out, into = (np.zeros((len(x), len(first)), dtype=kind) for x in (ports.row_node, ports.column_node))
    for pair in pairs:
        part = pair.traffic[first].astype(kind)
        out[pair.source] += part
        into[pair.destination] += part
    gauge = _heaviest(ports, out, into, 1, first.tolist())
    return [gauge[k] for k in alike.tolist()]


def _alike(count: int, pairs: Sequence[AdversaryPair]) -> tuple[Int64, Int64]:
    """(the class of each of ``count`` channels, int64 (C,); one channel of every class): over those of one class, every
    pair sends as much."""
    alike = np.zeros(count, dtype=np.int64)
    classes = min(count, 1)
    for traffic in {id(p.traffic): p.traffic for p in pairs}.values():
        if classes == count:
            break
        _, own = np.unique(traffic, return_inverse=True)
        _, alike = np.unique(alike * (int(own.max()) + 1) + own, return_inverse=True)
        classes = int(alike.max()) + 1
    return alike, np.unique(alike, return_index=True)[1]


# -- by classes ---------------------------------------------------------------------------------------------------


def _classes_apart(pairs: Sequence[AdversaryPair], class_of: Callable[[AdversaryPair], int]) -> list[int]:
    """The class of every pair; raises VerificationError for two pairs of one class."""
    seen: dict[int, tuple[int, int]] = {}
    for pair in pairs:
        ends, at = (pair.source, pair.destination), class_of(pair)
        if at in seen:
            raise VerificationError(f"the adversary's pairs {seen[at]} and {ends} are of one class")
        seen[at] = ends
    return list(seen)


def _members(
    network: Network, ports: Ports, pairs: Sequence[AdversaryPair], generators: Sequence[Automorphism], reversal: bool
) -> list[int]:
    """How many pairs of nodes each of ``pairs`` stands for."""
    n = network.num_nodes
    key = np.arange(n * n).reshape(n, n)
    images = [key[g.node][:, g.node].ravel() for g in generators] + ([key.T.ravel()] if reversal else [])
    label = orbit_labels(n * n, images) if images else key.ravel()
    members = np.bincount(label, minlength=n * n)
    place = n * ports.row_node.astype(np.int64), ports.column_node
    classes = _classes_apart(pairs, lambda p: int(label[place[0][p.source] + place[1][p.destination]]))
    return [int(members[at]) for at in classes]


def _gauge_by_classes(
    network: Network,
    ports: Ports,
    pairs: Sequence[AdversaryPair],
    members: Sequence[int],
    generators: Sequence[Automorphism],
    reversal: bool,
) -> list[Fraction]:
    """From sums by class of (side, node, channel), each shared by all of its class."""
    n, count = network.num_nodes, network.num_channels
    key = np.arange(2 * n * count).reshape(2, n, count)
    images = [key[:, g.node][:, :, g.channel].ravel() for g in generators]
    if reversal:
        images.append(key[::-1][:, :, network.reverse].ravel())
    label = orbit_labels(2 * n * count, images) if images else key.ravel()
    spread = np.maximum(np.bincount(label, minlength=2 * n * count), 1)
    common = lcm(*np.unique(spread).tolist())
    top = max((int(p.traffic.max(initial=0)) for p in pairs), default=0)
    fits = top * sum(members) * count * common < _MOST
    sums = np.zeros(2 * n * count, dtype=np.int64 if fits else object)
    place = label.reshape(2, n, count)
    for pair, many in zip(pairs, members, strict=True):
        used = np.nonzero(pair.traffic)[0]
        part = pair.traffic[used].astype(sums.dtype) * many
        for side, v in ((0, ports.row_node[pair.source]), (1, ports.column_node[pair.destination])):
            np.add.at(sums, place[side, v, used], part)
    each = (sums * (common // spread if fits else common // spread.astype(object)))[place]
    return _heaviest(ports, each[0][ports.row_node], each[1][ports.column_node], common)


# -- from node 0 --------------------------------------------------------------------------------------------------


def _members_by_translations(shift: Translations, pairs: Sequence[AdversaryPair], reversal: bool) -> list[int]:
    """As ``_members``, where ports are nodes: classes of pairs are those of their differences."""
    n = shift.network.num_nodes
    images = [g.node for g in shift.fixing] + ([shift.minus] if reversal else [])
    label = orbit_labels(n, images) if images else np.arange(n, dtype=np.int32)
    members = np.bincount(label, minlength=n)
    classes = _classes_apart(pairs, lambda p: int(label[shift.sum[shift.minus[p.destination], p.source]]))
    return [int(members[at]) * n for at in classes]


def _gauge_by_translations(
    shift: Translations, ports: Ports, pairs: Sequence[AdversaryPair], members: Sequence[int], reversal: bool
) -> list[Fraction]:
    """A sum at (side, node, channel) is that at node 0 and the channel moved there; reversal of paths, which commutes
    with everything since no channels are parallel, makes a column of a channel the row of its opposite."""
    network = shift.network
    count, n, opposite = network.num_channels, network.num_nodes, network.reverse
    label = orbit_labels(count, [g.channel for g in shift.fixing]).astype(np.int64)
    size = np.bincount(label, minlength=count).tolist()
    sums: dict[tuple[int, int], int] = {}
    for pair, many in zip(pairs, members, strict=True):
        used = np.nonzero(pair.traffic)[0]
        for side, v in ((0, pair.source), (1, pair.destination)):
            moved, where = shift.channels(int(shift.minus[v]))[used], side
            if reversal and side and opposite is not None:
                moved, where = opposite[moved], 0
            for at, x in zip(label[moved].tolist(), pair.traffic[used].tolist(), strict=True):
                sums[where, at] = sums.get((where, at), 0) + many * x
    slots: dict[int, set[int]] = {}
    for c, at in enumerate(label.tolist()):
        both = (c, int(opposite[c])) if reversal and opposite is not None else (c,)
        slots.setdefault(at, set()).update(int(shift.slot[x]) for x in both)
    largest: dict[int, Fraction] = {}
    for (side, at), total in sums.items():
        rates = ports.receives if side else ports.sends
        if rates is not None:
            value = Fraction(total, n * size[at] * (2 if reversal else 1)) / rates[0]
            for slot in slots[at]:
                largest[slot] = max(largest.get(slot, Fraction(0)), value)
    return [largest.get(slot, Fraction(0)) for slot in shift.slot.tolist()]


# -- all images ---------------------------------------------------------------------------------------------------


class _Images:
    """What symmetry makes of one pair of ports."""

    def __init__(self, network: Network, ports: Ports, generators: Sequence[Automorphism], reversal: bool) -> None:
        self._count = network.num_channels
        self._moves: list[tuple[Int32, Int32, Int32, bool]] = [
            (*ports.rows_moved(g), g.channel, False) for g in generators
        ]
        if reversal:
            assert network.reverse is not None
            same = np.arange(len(ports.row_node), dtype=np.int32)
            self._moves.append((same, same, network.reverse, True))

    def of(self, pairs: Sequence[AdversaryPair]) -> Iterator[tuple[int, int, Lengths]]:
        """(row, column, traffic) of every image of every pair; one image each."""
        seen: set[tuple[int, int]] = set()
        for pair in pairs:
            start = pair.source, pair.destination
            if start in seen:
                raise VerificationError(f"the adversary's pair {start} is of the class of another one")
            seen.add(start)
            queue = [(start, np.arange(self._count, dtype=np.int32))]
            for (r, k), image in queue:
                moved = np.zeros_like(pair.traffic)
                moved[image] = pair.traffic
                yield r, k, moved
                for row, column, channel, turned in self._moves:
                    to = (int(row[k]), int(column[r])) if turned else (int(row[r]), int(column[k]))
                    if to not in seen:
                        seen.add(to)
                        queue.append((to, channel[image]))
                if len(queue) * self._count > _MOST_IMAGES:
                    raise VerificationError("the adversary stands for too many pairs to write them out")


def _sums_written_out(
    network: Network, ports: Ports, pairs: Sequence[AdversaryPair], images: _Images
) -> tuple[list[Fraction], dict[tuple[int, int], Lengths]]:
    """(the least t of every channel, E between nodes)."""
    count, (rows, columns) = network.num_channels, ports.may.shape
    number = np.int64 if _top(pairs) * rows * columns < _MOST else object
    out, into = np.zeros((rows, count), dtype=number), np.zeros((columns, count), dtype=number)
    least = [Fraction(0)] * count
    lengths: dict[tuple[int, int], Lengths] = {}
    for r, k, traffic in images.of(pairs):
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
    return [max(x, y) for x, y in zip(least, _heaviest(ports, out, into, 1), strict=True)], lengths


def _written_out(
    network: Network, ports: Ports, pairs: Sequence[AdversaryPair], images: _Images, weight: Lengths | None
) -> Adversaries:
    """The adversaries of all pairs of nodes, with the least demands as often as ``weight`` says."""
    gauge, lengths = _sums_written_out(network, ports, pairs, images)
    if weight is None:
        return Adversaries(_together(network, gauge), [(*ends, x, 1, 1) for ends, x in sorted(lengths.items())])
    for c, (x, needed) in enumerate(zip(weight.tolist(), gauge, strict=True)):
        if x < needed:
            raise VerificationError(f"the adversary of channel {c} has the weight {x}; {needed} at least is needed")
    gauge = [Fraction(x) for x in weight.tolist()]
    unit = lcm(*(x.denominator for x in ports.low.values()))
    rows, columns = ports.may.shape
    heaviest = max(map(int, weight.tolist()), default=0)
    most = unit * (_top(pairs) * rows * columns + heaviest * (int(sum(ports.low.values())) + 1))
    kind = object if most >= _MOST else np.int64
    whole = {ends: x.astype(kind) * unit for ends, x in lengths.items()}
    for (r, k), low in ports.low.items():
        ends = int(ports.row_node[r]), int(ports.column_node[k])
        whole[ends] = whole.get(ends, 0) + weight.astype(kind) * int(low * unit)
    return Adversaries(_together(network, gauge), [(*ends, x, 1, 1) for ends, x in sorted(whole.items())], unit)


def _top(pairs: Sequence[AdversaryPair]) -> int:
    return max((int(p.traffic.max(initial=0)) for p in pairs), default=0)
