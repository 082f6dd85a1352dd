"""Channel loads and throughput of a routing under given traffic, exactly.

gamma_c(pi, Lambda) = sum over i, j of lambda_ij gamma_c(pi)_ij, and throughput = min over c of b_c / gamma_c:
Towles & Dally 2002 (SPAA), sec. 2.2 and 3.1; conventions §7, §10, §11.  Sums run in int64 wherever a bound
shows that they fit, and in Python integers where they may not; loads whose fractions are very long are computed only
where they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core import segment_sums as sums
from ..core.arrays import Int32, Int64
from ..core.claim import Claim
from ..core.errors import InputError
from ..core.exact_arrays import concatenate, times
from ..core.loads import DifferenceLoads
from ..core.network import Network
from ..core.rational import IntArray, Rationals, as_int_array
from ..core.spread import Progress
from ..core.traffic import Traffic
from ..formats.documents.json_text import fraction_to_text
from ..routing.base.routing import Routing
from .load_sums import Piece, found_again, matrix_weighing, pair_sums, piece_of, streamed, uniform_weighing


@dataclass(frozen=True, eq=False)
class Loads:
    """The load of every channel under ``traffic``: expected crossings per cycle when every terminal injects one packet
    per cycle; the gamma_c(pi, Lambda) of Towles & Dally 2002, sec. 2.2.

    ``load`` holds all of them, ``exact(channels)`` some; ``total`` is their sum over all channels.
    """

    traffic: Traffic
    _where: Int64  # for each channel, the place of its load among those computed (few, if orbits were given)
    _pieces: tuple[Piece, ...] = field(repr=False)
    _sum: sums.Partial = field(repr=False)
    _scale: int = 1  # everything in _pieces and _sum is this many times too large

    @property
    def num_channels(self) -> int:
        return len(self._where)

    @cached_property
    def load(self) -> Rationals:
        """Rationals, shape (C,).  May take long where the fractions have thousands of bits; ``exact`` is cheaper."""
        return _over([p.exact() for p in self._pieces], self._scale)[self._where]

    def exact(self, channels: npt.ArrayLike) -> Rationals:
        """The loads of ``channels``, in their order."""
        wanted, back = np.unique(self._where[np.asarray(channels, dtype=np.int64).reshape(-1)], return_inverse=True)
        found, start = [], 0
        for piece in self._pieces:
            here = wanted[(wanted >= start) & (wanted < start + piece.count)] - start
            if len(here):
                found.append(piece.exact(here))
            start += piece.count
        return _over(found, self._scale)[back]

    @cached_property
    def total(self) -> Fraction:
        """The sum of all loads: expected crossings per cycle, of any channel."""
        return sums.add_up(self._sum).fraction(0) / self._scale

    @property
    def average_path_length(self) -> Fraction:
        """Of a packet, one that stays at its terminal included with 0: what channels carry in all, by terminal."""
        return self.total / self.traffic.size

    def bounds(self) -> tuple[IntArray, IntArray]:
        """(low, high), shape (C,): integers with low <= load * unit <= high, where unit is ``bound_unit``."""
        pairs = [p.bounds() for p in self._pieces]
        low, high = (np.concatenate([x[side] for x in pairs] or [np.zeros(0, dtype=np.int64)]) for side in (0, 1))
        return low[self._where], high[self._where]

    @property
    def bound_unit(self) -> int:
        return self._scale << sums.BITS


def _over(parts: list[Rationals], scale: int) -> Rationals:
    """All of them, in lowest terms, divided by ``scale``."""
    return times(concatenate(parts), Fraction(1, scale))


def loads_of_sums(traffic: Traffic, part: sums.Partial) -> Loads:
    """Of ``traffic`` for which the sums are by channel."""
    piece = piece_of(part, partial(sums.add_up, part))
    return Loads(traffic, np.arange(part.count), (piece,), sums.exact_total(part))


def channel_loads_under(
    routing: Routing, traffic: Traffic, *, orbits: npt.ArrayLike | None = None, progress: Progress | None = None
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
    if orbits is not None and not traffic.is_uniform:
        raise InputError(f"orbits were given with traffic {traffic.name}; they hold for uniform traffic only")
    everything = np.arange(network.num_channels)
    if traffic.permutation is not None:
        one = np.ones(traffic.size, dtype=np.int64)
        part = pair_sums(routing, np.arange(traffic.size), traffic.permutation.image, one, progress)
        return loads_of_sums(traffic, part)
    if traffic.numerator is not None:
        weighing = matrix_weighing(routing, traffic.numerator, traffic.scale)
        pieces, total = streamed(routing, everything, np.ones_like(everything), weighing, progress)
        return Loads(traffic, everything, pieces, total, traffic.scale)
    if routing.differences is not None:
        return loads_of_sums(traffic, _of_differences(network, routing.differences))
    if routing.spans is not None:
        pairs, size = routing.spans.pairs, np.full(network.num_channels, network.num_terminals)
        return loads_of_sums(traffic, sums.Partial(network.num_channels, everything, pairs, size))
    if orbits is None and len({*network.supply.tolist(), *network.demand.tolist()}) == 1:
        orbits = routing.channel_representatives()
    label = everything if orbits is None else np.asarray(orbits)
    if label.shape != (network.num_channels,) or not np.array_equal(label[label], label):
        raise InputError(f"orbits must name one representative for each of {network.num_channels} channels")
    channels, where, times = np.unique(label, return_inverse=True, return_counts=True)
    between = routing.uniform_bounds() if len(channels) * _FEW_CHANNELS >= network.num_channels else None
    if between is not None:
        some = between.low[channels], between.high[channels]
        piece = Piece(
            len(channels), between=some, find=partial(found_again, routing, uniform_weighing(routing), channels)
        )
        one = np.ones(1, dtype=np.int64)
        whole = sums.Partial(1, np.zeros(1, dtype=np.int64), as_int_array([between.total]), one)
        return Loads(traffic, where, (piece,), whole, network.num_terminals)
    pieces, total = streamed(routing, channels, times, uniform_weighing(routing), progress)
    return Loads(traffic, where, pieces, total, network.num_terminals)


_CELLS = 1 << 22  # numbers looked at together
_FEW_CHANNELS = 8  # a part this small of all channels is added up itself, rather than bounded with all others


def _of_differences(network: Network, loads: DifferenceLoads) -> sums.Partial:
    """The loads of all channels under uniform traffic.  Between two neighbouring numbers of a link, all pairs of a
    terminal below and one above differ by as much as these do."""
    size = network.num_terminals
    order = np.searchsorted(loads.node, network.source)
    below = np.arange(1, size, dtype=np.int64)
    step = max(1, _CELLS // max(1, size))
    found = np.zeros(network.num_channels, dtype=object)
    for first in range(0, len(loads.link), step):
        some = slice(first, first + step)
        gap: IntArray = np.diff(np.sort(loads.flow[order, some], axis=0), axis=0)
        wide = int(gap.max(initial=0)) * size**3 >= 1 << 62
        both = (below * (size - below)) @ (gap.astype(object) if wide else gap)
        found[loads.link[some]] = found[loads.back[some]] = both
    num, unit = as_int_array(found.tolist()), loads.unit * size
    kept = np.flatnonzero(num)
    den = np.full(len(kept), unit, dtype=np.int64)
    return sums.Partial(network.num_channels, kept, num[kept], den)


def busiest_channels(loads: Loads, network: Network) -> Int32:
    """The channels whose load is the greatest multiple of their bandwidth, ascending; none if nothing is loaded."""
    return _busiest(loads, network)[1]


def largest_load(loads: Loads, network: Network) -> Fraction:
    """The greatest load / bandwidth; 0 where nothing is loaded."""
    return _busiest(loads, network)[0]


def throughput(loads: Loads, network: Network) -> Fraction:
    """The smallest b_c / load_c over channels with a load: the rate per terminal that just saturates a channel.

    Raises InputError when no channel carries anything.
    """
    return 1 / _loaded(loads, network)[0]


def _loaded(loads: Loads, network: Network) -> tuple[Fraction, Int32]:
    """``_busiest``, where something is loaded."""
    top, busiest = _busiest(loads, network)
    if not top:
        raise InputError(
            f"traffic {loads.traffic.name} loads no channel of {network.name}: its throughput is unbounded"
        )
    return top, busiest


def _busiest(loads: Loads, network: Network) -> tuple[Fraction, Int32]:
    """The greatest load / bandwidth, and the channels that have it."""
    if loads.num_channels != network.num_channels:
        raise InputError(f"{loads.num_channels} loads for the {network.num_channels} channels of {network.name}")
    return busiest_of(network, loads.bounds, loads.exact)


def busiest_of(
    network: Network, bounds: Callable[[], tuple[IntArray, IntArray]], exact: Callable[[Int64], Rationals]
) -> tuple[Fraction, Int32]:
    """The greatest load / bandwidth, and the channels that have it, ascending; 0 and none where nothing is loaded.

    Bounds first: only channels that may be busiest are computed exactly.
    """
    nobody = np.zeros(0, dtype=np.int32)
    if not network.num_channels:
        return Fraction(0), nobody
    low, high = bounds()
    group, widths = network.bandwidth_rank, network.widths
    floor = max(int(low[group == k].max()) / width for k, width in enumerate(widths))
    needed = as_int_array([-((-floor * width) // 1) for width in widths])
    candidates = np.nonzero(high >= needed[group])[0]
    found = exact(candidates)
    keys = list(zip(found.num.tolist(), found.den.tolist(), group[candidates].tolist(), strict=True))
    ratios = {(a, b, k): Fraction(int(a), int(b)) / widths[k] for a, b, k in set(keys)}
    top = max(ratios.values())
    if not top:
        return top, nobody
    busiest = {key for key, x in ratios.items() if x == top}
    return top, candidates[[key in busiest for key in keys]].astype(np.int32)


def traffic_evidence(traffic: Traffic) -> dict[str, Any]:
    """``traffic`` in full, JSON-able: ``"uniform"``, a permutation as a list, or rows of fraction strings."""
    if traffic.permutation is not None:
        return {"traffic": traffic.name, "permutation": traffic.permutation.image.tolist()}
    if traffic.numerator is not None:
        rows = [[fraction_to_text(Fraction(int(x), traffic.scale)) for x in row] for row in traffic.numerator.tolist()]
        return {"traffic": traffic.name, "matrix": rows}
    return {"traffic": "uniform"}


def traffic_claims(
    routing: Routing, traffic: Traffic, loads: Loads, capacity: Claim | Fraction | None = None
) -> list[Claim]:
    """The throughput under ``traffic``, absolute and (where ``capacity`` is known) as a fraction of capacity.

    The evidence (kind ``traffic-loads``) holds the traffic in full and the first of the busiest channels with its load:
    whoever checks recomputes that channel's load, and that no other channel is busier.
    Raises InputError for sampled loads, which prove nothing, and where nothing is loaded.
    """
    from ..claims.routings.traffic import TRAFFIC_LOADS

    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled: no exact throughput can be claimed from them")
    top, busiest = _loaded(loads, routing.network)
    channel = int(busiest[0])
    load = loads.exact([channel]).fraction(0)
    data: dict[str, Any] = {"channel": channel, "load": load, **traffic_evidence(traffic)}

    about = {"traffic": traffic.name}
    claims = [TRAFFIC_LOADS.claim(1 / top, data, about, quantity="throughput")]
    best = capacity.value if isinstance(capacity, Claim) else capacity
    if isinstance(best, Fraction):
        data = {**data, "capacity": best}
        claims.append(TRAFFIC_LOADS.claim(1 / top / best, data, about, quantity="throughput_of_capacity"))
    return claims
