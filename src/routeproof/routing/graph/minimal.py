"""Random minimal routing on any network: per path (every shortest path alike) or per hop.

In the literature: "random minimal"; equal-cost multipath (ECMP), which is per hop (``ecmp``).  Both meanings are in use
and they differ (conventions, §19).
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, first_true, offsets_of
from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ..base.delivery import check_connected
from ..base.entry import RoutingEntry, check_choice, with_options
from ..base.exact_arrays import grown
from ..base.pair_table import check_table_size
from ..base.routing import Routing

_MOST_PATHS = 1 << 62  # between two nodes
_CELL_BYTES = 2 + 8 + 1  # distance, number of paths, and whether they are the same the other way round


class Minimal:
    """Random minimal routing; ``choice`` is ``per-path`` (uniform over shortest paths) or ``per-hop``
    (uniform over the channels that come nearer to the destination, hop by hop).

    ``weight``: the channel attribute of the network by which paths are shortest; by default hops count."""

    def __init__(self, *, choice: str = "per-path", weight: str | None = None) -> None:
        check_choice("minimal", "choice", choice, ("per-path", "per-hop"))
        self.choice, self.weight = choice, weight

    def on(self, network: Network) -> Routing:
        if self.weight is not None:
            from .weighted import WeightedShortest

            name = with_options("minimal", choice=self.choice, weight=self.weight)
            each = np.ones(network.num_channels, dtype=np.int64) if self.choice == "per-hop" else None
            return WeightedShortest(network, self.weight, name, each)
        if self.choice == "per-hop":
            from .per_hop import MinimalPerHop

            return MinimalPerHop(network)
        return MinimalPerPath(network)


class MinimalPerPath(Routing):
    """Uniform over the shortest paths of each pair; parallel channels make different paths.

    The load of channel (u, v) from s to d is P(s, u) P(v, d) / P(s, d) where D(s, u) + 1 + D(v, d) = D(s, d), with D
    the hop distance and P the number of shortest paths, both exact (int64; more than 2**62 paths are refused).
    """

    in_full = False
    of_network = True
    crosses_once = True

    def __init__(self, network: Network) -> None:
        super().__init__(network, "minimal:choice=per-path")
        self._tables  # noqa: B018  # disconnected pairs and overflow are said at once

    @cached_property
    def _tables(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], Int64, Int64]:
        from ...graphs.search_kernels import reach_all

        network = self.network
        n = network.num_nodes
        each = _CELL_BYTES * (2 if network.reverse is None else 1)
        check_table_size(network, "minimal per path", "keeps distance", 32_000, each)
        offset, channels = network.out_channels
        dist = np.full((n, n), -1, dtype=np.int16)
        count = np.zeros((n, n), dtype=np.int64)
        reach_all.for_steps(n * network.num_channels)(
            offset, network.head[channels], np.arange(n), _MOST_PATHS + 1, dist, count
        )
        many = first_true(count.max(axis=1, initial=0) > _MOST_PATHS)
        if many is not None:
            raise InputError(
                f"minimal per path: from node {network.label(many)} some destination has more than 2^62 "
                f"shortest paths; use minimal:choice=per-hop"
            )
        check_connected(network, dist)
        if np.array_equal(dist, dist.T) and np.array_equal(count, count.T):
            return dist, dist, count, count
        return dist, np.ascontiguousarray(dist.T), count, np.ascontiguousarray(count.T)

    @property
    def hops(self) -> npt.NDArray[np.int16]:
        """Hop distances, int16 (N, N)."""
        return self._tables[0]

    @cached_property
    def denominators(self) -> list[int]:
        """The distinct numbers of shortest paths: every load is a fraction over one of them."""
        counts = self._tables[2]
        return [int(x) for x in np.unique(counts) if x > 0]

    @cached_property
    def _roles(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.int16]]:
        network = self.network
        is_column = network.demand > 0
        farthest = np.where(is_column[None, :], self._tables[0], -1).max(axis=1).astype(np.int16)
        return network.supply > 0, is_column, farthest

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        from .minimal_kernels import Entries, Tables, loads_by_channel

        wanted = np.asarray(channels, dtype=np.int32).reshape(-1)
        tails, heads = self.network.tail[wanted], self.network.head[wanted]
        is_row, is_column, farthest = self._roles
        tables = Tables(*self._tables, is_row if rows is None else is_row & rows, is_column, farthest)
        room = max(1 << 16, 4096 * len(wanted))
        steps = len(wanted) * (2 * self.network.num_nodes + 5 * self.expected_loads(0))
        run = loads_by_channel.for_steps(steps)
        parts: list[tuple[Any, ...]] = []
        done = 0
        while done < len(wanted):
            offset = np.zeros(len(wanted) - done + 1, dtype=np.int64)
            entries = Entries(*(np.empty(room, dtype=kind) for kind in (np.int32, np.int32, np.int64, np.int64)))
            count_done = run(tails, heads, done, tables, offset, entries)
            if count_done == 0:
                room *= 4
                continue
            end = int(offset[count_done])
            parts.append((offset[: count_done + 1], *(x[:end] for x in entries)))
            done += count_done
        if len(parts) == 1:
            offset, row, column, num, den = parts[0]
        else:
            shifts = offsets_of([p[0][-1] for p in parts])
            offset = np.concatenate([[0], *[p[0][1:] + shift for p, shift in zip(parts, shifts, strict=False)]])
            row, column, num, den = (np.concatenate([p[x] for p in parts] or [[]]) for x in (1, 2, 3, 4))
        return LoadBlock(wanted, offset.astype(np.int64), row, column, Rationals(num, den))

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        from .minimal_kernels import loads_by_pair

        sources = np.asarray(rows, dtype=np.int32).reshape(-1)
        sinks = np.asarray(columns, dtype=np.int32).reshape(-1)
        dist, _, count, _ = self._tables
        kernel = loads_by_pair.for_steps(len(sources) * self.network.num_channels)
        run = partial(kernel, self.network.out_channels, self.network.head, dist, count, sources, sinks)
        _, offset, channel, load = grown(len(sources), 64, run)
        return PairBlock(offset, channel, load)

    def respects_reversal(self) -> bool:
        """True where every channel has its opposite: paths reversed are paths, and their numbers are equal."""
        return self.network.reverse is not None


WEIGHT_OPTION = {"weight": "shortest by this edge attribute of a graph file (an IGP metric) in place of hops"}
_OPTIONS = {
    "choice": "per-path (uniform over shortest paths) or per-hop (uniform over the next channels)",
    **WEIGHT_OPTION,
}

ENTRY = RoutingEntry(
    name="minimal",
    help="random shortest paths, on any network",
    build=lambda network, options: Minimal(**options).on(network),
    options=_OPTIONS,
)
