"""Weighted-cost multipath: shortest paths, split at every switch in proportion to integer weights of the channels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, members
from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import IntArray, Rationals, as_int_array
from ..base.entry import HASH_OPTION, RoutingEntry, with_options
from ..base.exact_arrays import summed_pairs
from ..base.routing import Routing
from .minimal import WEIGHT_OPTION
from .per_hop import MinimalPerHop
from .weighted import WeightedShortest

_MOST = 1 << 20


class WCMP(Routing):
    """At every node, the next channels of shortest paths are taken in proportion to their bandwidths.

    The weights are the bandwidths over their common divisor: integers, as entries of a switch's multipath group.  Where
    all bandwidths are equal this is ``minimal:choice=per-hop``.
    Source: Zhou et al. 2014 (EuroSys), WCMP: weighted cost multipathing for improved fairness in data centers.

    Inside, a channel of weight w stands as w parallel channels, among which a packet chooses alike.
    """

    in_full = False
    of_network = True
    crosses_once = True

    def __init__(self, network: Network) -> None:
        super().__init__(network, "wcmp")
        self.weight = _in_proportion(network)
        total = sum(self.weight.tolist())
        if total > max(_MOST, 4 * network.num_channels):
            raise InputError(
                f"wcmp: the bandwidths of {network.name} make weights that sum to {total:,}; "
                f"at most {max(_MOST, 4 * network.num_channels):,} are supported"
            )
        self._first = np.cumsum(self.weight) - self.weight
        copies = np.repeat(np.arange(network.num_channels), self.weight)
        wide = Network.of(
            network.name,
            network.num_nodes,
            np.stack([network.tail[copies], network.head[copies]], axis=1),
            source=network.source.tolist(),
            sink=network.sink.tolist(),
            labels=[network.label(v) for v in range(network.num_nodes)],
        )
        self._copies = copies
        self._wide = MinimalPerHop(wide)

    def _times(self, load: Rationals, weight: Int64) -> Rationals:
        num = load.num
        if num.dtype != object and int(num.max(initial=0)) * int(weight.max(initial=1)) >= 1 << 62:
            num = num.astype(object)
        return Rationals(num * weight, load.den)

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        block = self._wide.channel_loads(self._first[asked], rows=rows)
        weight = np.repeat(self.weight[asked], np.diff(block.offset))
        return LoadBlock(asked, block.offset, block.row, block.column, self._times(block.load, weight))

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        block = self._wide.pair_loads(rows, columns)
        channel = self._copies[block.channel]
        width = self.network.num_channels
        return summed_pairs(members(block.offset) * width + channel, block.load, len(block.offset) - 1, width)


def _in_proportion(network: Network) -> IntArray:
    """Integers, shape (C,), without a common divisor, in proportion to the bandwidths."""
    common = math.lcm(*(x.denominator for x in network.widths))
    divisor = math.gcd(*(int(x * common) for x in network.widths))
    whole = [int(x * common) // divisor for x in network.widths]
    return as_int_array([whole[k] for k in network.bandwidth_rank.tolist()])


def _build(network: Network, options: dict[str, Any]) -> Routing:
    if not options:
        return WCMP(network)
    if "hash" in options:
        from ..hashing.same_hash import same_hash_shortest

        return same_hash_shortest(network, "wcmp", options, _in_proportion(network))
    name = with_options("wcmp", **options)
    return WeightedShortest(network, options["weight"], name, _in_proportion(network))


ENTRY = RoutingEntry(
    name="wcmp",
    help="shortest paths, split at every switch in proportion to bandwidth",
    build=_build,
    options={**WEIGHT_OPTION, **HASH_OPTION},
)
