"""Channel loads and throughput of a routing under given traffic, exactly.

gamma_c(pi, Lambda) = sum over i, j of lambda_ij gamma_c(pi)_ij, and throughput = min over c of b_c / gamma_c:
Towles & Dally 2002 (SPAA), sec. 2.2 and 3.1.  Sums run in int64 wherever a bound shows that they fit, and in Python
integers where they may not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.claim import Claim, Evidence, Grade
from ..core.errors import InputError
from ..core.loads import BaseLoads, LoadBlock
from ..core.network import Network
from ..core.rational import INT64_MAX, Rationals, as_int_array, lcm_within
from ..core.traffic import Traffic
from ..routing.base import Routing

__all__ = [
    "Loads",
    "Progress",
    "busiest_channels",
    "channel_loads_under",
    "throughput",
    "traffic_claims",
    "traffic_evidence",
]

Progress = Callable[[int, int], None]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
IntArray = npt.NDArray[Any]

_ENTRIES = 2_000_000  # non-zero pair loads held at once
_SOURCE = "Towles & Dally 2002 (SPAA), sec. 2.2"


@dataclass(frozen=True, eq=False)
class Loads:
    """The load of every channel under ``traffic``.

    ``load``: Rationals, shape (C,), expected crossings per cycle when every terminal injects one packet per cycle; the
    gamma_c(pi, Lambda) of Towles & Dally 2002, sec. 2.2.
    """

    traffic: Traffic
    load: Rationals


def channel_loads_under(
    routing: Routing,
    traffic: Traffic,
    *,
    orbits: npt.ArrayLike | None = None,
    progress: Progress | None = None,
) -> Loads:
    """The exact load of every channel when ``traffic`` is routed by ``routing``.

    - ``orbits``: int, shape (C,), a representative channel for every channel, under automorphisms that the routing
      respects (which the caller has checked).  For uniform traffic only representatives are computed.
    - ``progress(done, total)`` is called now and then, in channels (in pairs for a permutation).

    Raises InputError where the traffic has another number of terminals than the network, or ``orbits`` are no orbits.
    """
    network = routing.network
    if traffic.size != network.num_terminals:
        raise InputError(
            f"traffic {traffic.name} is for {traffic.size} terminals; {network.name} has {network.num_terminals}"
        )
    if traffic.permutation is not None:
        if orbits is not None:
            raise InputError("orbits were given with a permutation; they hold for uniform traffic only")
        return Loads(traffic, _permutation_loads(routing, traffic.permutation.image, progress))
    if traffic.numerator is not None:
        if orbits is not None:
            raise InputError("orbits were given with a traffic matrix; they hold for uniform traffic only")
        return Loads(traffic, _matrix_loads(routing, traffic.numerator, traffic.scale, progress))
    if orbits is None:
        return Loads(traffic, _uniform_loads(routing, np.arange(network.num_channels), progress))
    label = np.asarray(orbits)
    if label.shape != (network.num_channels,) or not np.array_equal(label[label], label):
        raise InputError(f"orbits must name one representative for each of {network.num_channels} channels")
    representatives, where = np.unique(label, return_inverse=True)
    return Loads(traffic, _uniform_loads(routing, representatives, progress)[where])


def busiest_channels(loads: Loads, network: Network) -> Int32:
    """The channels whose load is the greatest multiple of their bandwidth, ascending; none if nothing is loaded."""
    ratios, which = _pressures(loads, network)
    top = max(ratios, default=Fraction(0))
    if not top:
        return np.zeros(0, dtype=np.int32)
    hit = np.array([x == top for x in ratios])
    return np.nonzero(hit[which])[0].astype(np.int32)


def throughput(loads: Loads, network: Network) -> Fraction:
    """The smallest b_c / load_c over channels with a load: the rate per terminal that just saturates a channel.

    Raises InputError when no channel carries anything.
    """
    ratios, _ = _pressures(loads, network)
    top = max(ratios, default=Fraction(0))
    if not top:
        raise InputError(
            f"traffic {loads.traffic.name} loads no channel of {network.name}: its throughput is unbounded"
        )
    return 1 / top


def traffic_evidence(traffic: Traffic) -> dict[str, Any]:
    """``traffic`` in full, JSON-able: ``"uniform"``, a permutation as a list, or rows of fraction strings."""
    if traffic.permutation is not None:
        return {"traffic": traffic.name, "permutation": traffic.permutation.image.tolist()}
    if traffic.numerator is not None:
        rows = [[str(Fraction(int(x), traffic.scale)) for x in row] for row in traffic.numerator.tolist()]
        return {"traffic": traffic.name, "matrix": rows}
    return {"traffic": "uniform"}


def traffic_claims(
    routing: Routing, traffic: Traffic, loads: Loads, capacity: Claim | Fraction | None = None
) -> list[Claim]:
    """The throughput under ``traffic``, absolute and (where ``capacity`` is known) as a fraction of capacity.

    The evidence (kind ``traffic-loads``) holds the traffic in full and the first of the busiest channels with its load:
    whoever checks recomputes that channel's load, and that no other channel is busier.
    """
    network = routing.network
    value = throughput(loads, network)
    channel = int(busiest_channels(loads, network)[0])
    data: dict[str, Any] = {"channel": channel, "load": str(loads.load.fraction(channel)), **traffic_evidence(traffic)}
    about = {"traffic": traffic.name}
    claims = [
        Claim(
            "throughput",
            "==",
            value,
            Grade.PROVED,
            Evidence("traffic-loads", data),
            unit="of injection rate",
            source=_SOURCE,
            about=about,
        )
    ]
    best = capacity.value if isinstance(capacity, Claim) else capacity
    if isinstance(best, Fraction):
        data = {**data, "capacity": str(best)}
        claims.append(
            Claim(
                "throughput_of_capacity",
                "==",
                value / best,
                Grade.PROVED,
                Evidence("traffic-loads", data),
                unit="of capacity",
                source=_SOURCE,
                about=about,
            )
        )
    return claims


# -- the three forms of traffic ---------------------------------------------------------------------------------


def _uniform_loads(routing: Routing, channels: Int64, progress: Progress | None) -> Rationals:
    """Loads of ``channels`` under 1/T from every terminal to every terminal."""
    network = routing.network
    rows = np.bincount(routing.row_of, minlength=len(routing.row_node)).astype(np.int64)
    columns = np.bincount(routing.column_of, minlength=len(routing.column_node)).astype(np.int64)
    size = network.num_terminals
    # A base load falls on pairs on different nodes only: for a row, on all terminals but those at its own node.
    row_weight = rows * (size - network.demand[routing.row_node])
    column_weight = columns * (size - network.supply[routing.column_node])
    alike = bool(np.all(rows <= 1) and np.all(columns <= 1))

    def weights(block: LoadBlock) -> IntArray | None:
        return None if alike else rows[block.row] * columns[block.column]

    return _over(_streamed(routing, channels, weights, row_weight, column_weight, progress), size)


def _matrix_loads(routing: Routing, numerator: IntArray, scale: int, progress: Progress | None) -> Rationals:
    """Loads of all channels under the rates ``numerator / scale``, shape (T, T)."""
    network = routing.network
    apart = network.source[:, None] != network.sink[None, :]  # the others never enter the network
    size = network.num_terminals
    small = numerator.dtype != object and scale * size <= INT64_MAX
    rate = np.where(apart, numerator if small else numerator.astype(object), 0)
    total = np.zeros((len(routing.row_node), len(routing.column_node)), dtype=rate.dtype)
    np.add.at(total, (routing.row_of[:, None], routing.column_of[None, :]), rate)

    def weights(block: LoadBlock) -> IntArray:
        return np.asarray(total[block.row, block.column])

    channels = np.arange(network.num_channels)
    return _over(_streamed(routing, channels, weights, total.sum(axis=1), total.sum(axis=0), progress), scale)


def _permutation_loads(routing: Routing, image: Int32, progress: Progress | None) -> Rationals:
    """Loads of all channels when terminal i sends one packet per cycle to terminal image[i]."""
    network = routing.network
    apart = network.source != network.sink[image]
    width = len(routing.column_node)
    key = routing.row_of[apart].astype(np.int64) * width + routing.column_of[image[apart]]
    pairs, count = np.unique(key, return_counts=True)
    parts: list[_Part] = []
    at, step = 0, 16
    while at < len(pairs):
        some = pairs[at : at + step]
        block = routing.pair_loads(some // width, some % width)
        weight = np.repeat(count[at : at + step], np.diff(block.offset)).astype(np.int64)
        parts.append(_sums(block.channel.astype(np.int64), block.load, weight, network.num_channels))
        if sum(len(p.num) for p in parts) > _ENTRIES:
            parts = [_merged(parts, network.num_channels)]
        at += len(some)
        per_pair = max(1.0, len(block.channel) / len(some))
        step = int(min(max(1.0, _ENTRIES / per_pair), 4 * step))
        if progress is not None:
            progress(at, len(pairs))
    return _finished(_merged(parts, network.num_channels), network.num_channels)


def _streamed(
    routing: Routing,
    channels: Int64,
    weights: Callable[[LoadBlock], IntArray | None],
    row_weight: IntArray,
    column_weight: IntArray,
    progress: Progress | None,
) -> Rationals:
    """Weighted sums of the pair loads of ``channels``, base loads included, one channel after the other."""
    done: list[Rationals] = []
    count = 0
    for block in routing.stream(channels, entries=_ENTRIES):
        size = block.num_channels
        segment = np.repeat(np.arange(size), np.diff(block.offset))
        parts = [_sums(segment, block.load, weights(block), size)]
        if block.base is not None:
            parts += _base_sums(block.base, row_weight, column_weight, size)
        done.append(_finished(_merged(parts, size), size))
        count += size
        if progress is not None:
            progress(count, len(channels))
    if not done:
        return Rationals.of([])
    return Rationals(np.concatenate([x.num for x in done]), np.concatenate([x.den for x in done]))


def _base_sums(base: BaseLoads, row_weight: IntArray, column_weight: IntArray, size: int) -> list[_Part]:
    parts = []
    for load, weight in ((base.row, row_weight), (base.column, column_weight)):
        segment = np.repeat(np.arange(size), len(weight))
        flat = Rationals(np.asarray(load.num).reshape(-1), np.asarray(load.den).reshape(-1))
        parts.append(_sums(segment, flat, np.tile(weight, size), size))
    return parts


# -- exact sums of many small fractions -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Part:
    """Partial sums ``num / den`` of segments; a segment has one entry for each of its denominators."""

    segment: Int64
    num: IntArray
    den: IntArray


def _sums(segment: Int64, load: Rationals, weight: IntArray | None, count: int) -> _Part:
    """Sums of ``load * weight`` over the entries of each segment (0 .. count-1) and denominator."""
    num, den = load.num, load.den
    if not len(num):
        return _Part(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.ones(0, dtype=np.int64))
    if weight is not None:
        if num.dtype == object or weight.dtype == object or _top(num) * _top(weight) > INT64_MAX:
            num = num.astype(object) * weight.astype(object)
        else:
            num = num * weight
    dens, which = _distinct(den)
    key = segment * len(dens) + which
    if count * len(dens) <= 4 * len(num) + 65_536:
        keys, slot = None, key
        slots = count * len(dens)
    else:
        keys, slot = np.unique(key, return_inverse=True)
        slots = len(keys)
    if num.dtype != object and _top(num) * len(num) > INT64_MAX:
        most = int(np.bincount(slot, minlength=slots).max())
        if _top(num) * most > INT64_MAX:
            num = num.astype(object)
    total = np.zeros(slots, dtype=num.dtype)
    np.add.at(total, slot, num)
    kept = np.nonzero(total)[0]
    key = kept if keys is None else keys[kept]
    return _Part(key // len(dens), total[kept], dens[key % len(dens)])


def _merged(parts: Sequence[_Part], count: int) -> _Part:
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return _sums(np.zeros(0, dtype=np.int64), Rationals.of([]), None, count)
    segment = np.concatenate([p.segment for p in parts])
    load = Rationals(np.concatenate([p.num for p in parts]), np.concatenate([p.den for p in parts]))
    return _sums(segment, load, None, count)


def _finished(part: _Part, count: int) -> Rationals:
    """One reduced fraction per segment, shape (count,); 0/1 where a segment has no entry."""
    dens, which = _distinct(part.den)
    scale = lcm_within(dens.tolist(), INT64_MAX)
    if scale is not None and part.num.dtype != object:
        factor = np.array([scale // int(x) for x in dens.tolist()] or [1], dtype=np.int64)
        if _top(part.num) * _top(factor) * max(1, len(dens)) <= INT64_MAX:
            total = np.zeros(count, dtype=np.int64)
            np.add.at(total, part.segment, part.num * factor[which])
            common = np.gcd(total, scale)
            return Rationals(total // common, scale // common)
    terms: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for k, a, b in zip(part.segment.tolist(), part.num.tolist(), part.den.tolist(), strict=True):
        terms[k].append((int(a), int(b)))
    return Rationals.of(_fraction_sum(x) for x in terms)


def _fraction_sum(terms: list[tuple[int, int]]) -> Fraction:
    scale = lcm(*(b for _, b in terms))
    return Fraction(sum(a * (scale // b) for a, b in terms), scale)


def _over(values: Rationals, scale: int) -> Rationals:
    """``values / scale``, reduced."""
    if values.num.dtype == object or values.den.dtype == object or scale > INT64_MAX:
        return Rationals.of(Fraction(int(a), int(b) * scale) for a, b in zip(values.num, values.den, strict=True))
    common = np.gcd(values.num, scale)
    rest = scale // common
    if _top(values.den) * _top(rest) > INT64_MAX:
        return Rationals.of(x / scale for x in values.fractions())
    return Rationals(values.num // common, values.den * rest)


def _distinct(values: IntArray) -> tuple[IntArray, Int64]:
    """The distinct values, and for each entry the place of its value among them."""
    if values.dtype == object:
        found: dict[int, int] = {}
        which = np.array([found.setdefault(int(x), len(found)) for x in values], dtype=np.int64)
        kept = as_int_array(list(found))
        return kept, which
    if not len(values):
        return values, np.zeros(0, dtype=np.int64)
    high = int(values.max())
    if high == int(values.min()):
        return values[:1], np.zeros(len(values), dtype=np.int64)
    if high <= 4 * len(values) + 65_536:
        seen = np.zeros(high + 1, dtype=bool)
        seen[values] = True
        place = np.cumsum(seen) - 1
        return np.nonzero(seen)[0], place[values]
    kept, where = np.unique(values, return_inverse=True)
    return kept, where.astype(np.int64)


def _top(values: IntArray) -> int:
    return int(max(int(values.max(initial=0)), -int(values.min(initial=0))))


def _pressures(loads: Loads, network: Network) -> tuple[list[Fraction], Int64]:
    """The distinct values of load / bandwidth, and for each channel the place of its value."""
    if len(loads.load) != network.num_channels:
        raise InputError(f"{len(loads.load)} loads for the {network.num_channels} channels of {network.name}")
    found: dict[tuple[int, int, int], int] = {}
    ratios: list[Fraction] = []
    which = np.empty(network.num_channels, dtype=np.int64)
    triples = zip(loads.load.num.tolist(), loads.load.den.tolist(), network.bandwidth, strict=True)
    for c, (a, b, width) in enumerate(triples):
        key = (a, b, id(width))  # bandwidths are few objects shared by many channels, and dear to hash
        place = found.get(key)
        if place is None:
            place = found[key] = len(ratios)
            ratios.append(Fraction(int(a), int(b)) / width)
        which[c] = place
    return ratios, which
