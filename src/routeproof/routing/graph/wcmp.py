"""Weighted-cost multipath: shortest paths, split at every switch in proportion to integer weights of the channels."""

from __future__ import annotations

import math
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import IntArray, as_int_array
from ..base.entry import HASH_OPTION, RoutingEntry, with_options
from ..base.routing import Routing
from .minimal import WEIGHT_OPTION
from .per_hop import MinimalPerHop
from .weighted import WeightedShortest

_MOST = 1 << 20


class WCMP(MinimalPerHop):
    """At every node, the next channels of shortest paths are taken in proportion to their bandwidths.

    The weights are the bandwidths over their common divisor: integers, as entries of a switch's multipath group.  Where
    all bandwidths are equal this is ``minimal:choice=per-hop``.
    Source: Zhou et al. 2014 (EuroSys), WCMP: weighted cost multipathing for improved fairness in data centers.
    """

    remade = ""

    def __init__(self, network: Network) -> None:
        weight = _in_proportion(network)
        total, most = sum(weight.tolist()), max(_MOST, 4 * network.num_channels)
        if total > most:
            raise InputError(
                f"wcmp: the bandwidths of {network.name} make weights that sum to {total:,}; "
                f"at most {most:,} are supported"
            )
        super().__init__(network, "wcmp", weight)


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
