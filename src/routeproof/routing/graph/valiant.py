"""Valiant's routing on any network: through a random node, by random shortest paths in both phases."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, summed, summed_pairs, times
from ...core.loads import BaseLoads, LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ..base.routing import Routing
from .minimal import MinimalPerPath


class AnyGraphValiant(Routing):
    """Through an intermediate node, uniform over all nodes with terminals, source and destination included.

    Each phase takes a uniform one of the shortest paths (``minimal:choice=per-path``).  Intermediates are the nodes
    that both send and receive: in a fat tree its hosts, in a torus all nodes; each counts once, however many
    terminals it has.  So the load of channel c from i to j is the mean over m of minimal(c; i, m) + minimal(c; m, j):
    a part of the row and a part of the column, and no pair has to be looked at.

    Source: Valiant & Brebner 1981, for hypercubes; on grids ``Valiant`` differs (dimension order in both phases).
    Raises InputError where a pair is not connected, or no node both sends and receives.
    """

    in_full = False
    has_base = True
    of_network = True

    def __init__(self, network: Network) -> None:
        super().__init__(network, "valiant")
        both = (network.supply > 0) & (network.demand > 0)
        if not both.any():
            raise InputError(
                f"valiant needs intermediate nodes that send and receive; {network.name} has none: its terminals "
                f"send and receive at different nodes"
            )
        self._middle = both
        self._minimal = MinimalPerPath(network)

    @property
    def intermediates(self) -> Int64:
        """The nodes that packets may be sent through."""
        return np.nonzero(self._middle)[0]

    def channel_loads(
        self,
        channels: npt.ArrayLike,
        *,
        rows: npt.NDArray[np.bool_] | None = None,  # noqa: ARG002  # restricts sparse entries; there are none
    ) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        size = self.network.num_nodes
        parts = list(self._minimal.stream(asked)) if len(asked) else []
        which = np.repeat(np.arange(len(asked)), np.concatenate([[0], *(np.diff(b.offset) for b in parts)])[1:])
        row = np.concatenate([np.zeros(0, dtype=np.int32), *(b.row for b in parts)])
        column = np.concatenate([np.zeros(0, dtype=np.int32), *(b.column for b in parts)])
        load = concatenate([b.load for b in parts])
        base = BaseLoads(
            self._mean(which * size + row, load, self._middle[column], len(asked)),
            self._mean(which * size + column, load, self._middle[row], len(asked)),
        )
        none = np.zeros(0, dtype=np.int32)
        return LoadBlock(asked, np.zeros(len(asked) + 1, dtype=np.int64), none, none, Rationals.of([]), base)

    def _mean(self, place: Int64, load: Rationals, keep: npt.NDArray[np.bool_], count: int) -> Rationals:
        """Loads added up by place and divided by the number of intermediates, shape (count, N)."""
        size = self.network.num_nodes
        num, den = np.zeros(count * size, dtype=np.int64), np.ones(count * size, dtype=np.int64)
        place, load = place[keep], load[keep]
        if len(place):
            at, total = summed(place, load)
            mean = times(total, Fraction(1, int(self._middle.sum())))
            if mean.num.dtype == object or mean.den.dtype == object:
                num, den = num.astype(object), den.astype(object)
            num[at], den[at] = mean.num, mean.den
        return Rationals(num.reshape(count, size), den.reshape(count, size))

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        asked_rows = np.asarray(rows, dtype=np.int64).reshape(-1)
        asked_columns = np.asarray(columns, dtype=np.int64).reshape(-1)
        width = self.network.num_channels
        there = {i: self._phase(i, to=False) for i in np.unique(asked_rows).tolist()}
        back = {j: self._phase(j, to=True) for j in np.unique(asked_columns).tolist()}
        keys: list[Int64] = [np.zeros(0, dtype=np.int64)]
        loads: list[Rationals] = []
        for k, (i, j) in enumerate(zip(asked_rows.tolist(), asked_columns.tolist(), strict=True)):
            if i != j:
                for channel, load in (there[i], back[j]):
                    keys.append(k * width + channel)
                    loads.append(load)
        return summed_pairs(np.concatenate(keys), concatenate(loads), len(asked_rows), width)

    def _phase(self, node: int, *, to: bool) -> tuple[Int64, Rationals]:
        """The channels that a packet crosses between ``node`` and its intermediate, with their mean loads."""
        middle = self.intermediates
        ends = np.full_like(middle, node)
        block = self._minimal.pair_loads(middle, ends) if to else self._minimal.pair_loads(ends, middle)
        channel, load = summed(block.channel.astype(np.int64), block.load)
        return channel, times(load, Fraction(1, len(middle)))

    def respects_reversal(self) -> bool:
        """Phases change places, and shortest paths backwards are shortest paths."""
        return self._minimal.respects_reversal()
