"""Bundles of cables as parallel channels: ``cables=1`` makes two channels of one of bandwidth 2.

Where a network states the bandwidth of a bundle as a whole, its cables cannot fail one by one.  With this option they
can: every channel of bandwidth k times that of a cable becomes k channels.  Random shortest paths then choose among
cables, as switches that hash over the ports of a bundle do; the layout as a grid is lost, declared symmetry is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from ..core.arrays import frozen
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import parse_fraction
from ..core.symmetry import Automorphism, Symmetry
from .build import extended, shortened

__all__ = ["CABLE_OPTIONS", "MOST_CHANNELS", "cabled", "with_cables"]

CABLE_OPTIONS = {"cables": "a channel of k times this bandwidth becomes k parallel ones: bandwidth=2,cables=1"}
MOST_CHANNELS = 4_000_000


def cabled(network: Network, options: Mapping[str, str]) -> Network:
    """``network`` with the cables that the ``options`` of a network's text ask for (other options are ignored)."""
    if "cables" not in options:
        return network
    return with_cables(network, parse_fraction(options["cables"], what=f"cables of {shortened(network.name)}"))


def with_cables(network: Network, bandwidth: Fraction) -> Network:
    """``network`` with parallel channels of ``bandwidth`` in place of every channel, one after the other.

    Raises InputError where a channel's bandwidth is not a whole number of them, where they are too many, and for a
    fabric, whose ports say what its cables are.
    """
    where = shortened(network.name)
    if bandwidth <= 0:
        raise InputError(f"cables of {where}: a cable's bandwidth is {bandwidth}; a positive number was expected")
    if type(network) is not Network:
        raise InputError(f"cables of {where}: every channel of a fabric is one cable already, from port to port")
    parts = {id(x): x / bandwidth for x in network.bandwidth}
    counts = [parts[id(x)] for x in network.bandwidth]
    for c, part in enumerate(counts):
        if part.denominator != 1:
            raise InputError(
                f"cables of {where}: channel {c} ({network.channel_label(c)}) has bandwidth {network.bandwidth[c]}, "
                f"which is not a whole number of cables of bandwidth {bandwidth}"
            )
    total = sum(x.numerator for x in counts)
    if total > MOST_CHANNELS:
        raise InputError(f"cables of {where}: they are {total:,}; at most {MOST_CHANNELS:,} are supported")
    count = np.array([x.numerator for x in counts], dtype=np.int64)
    first = np.cumsum(count) - count
    of = np.repeat(np.arange(network.num_channels), count)
    place = np.arange(total) - first[of]
    generators = () if network.symmetry is None else network.symmetry.generators
    moved = (Automorphism(g.name, g.node, frozen(first[g.channel[of]] + place)) for g in generators)
    return extended(
        network,
        f"cables={bandwidth}",
        tail=network.tail[of],
        head=network.head[of],
        bandwidth=(bandwidth,) * total,
        grid=None,
        labels=network.labels or tuple(network.label(v) for v in range(network.num_nodes)),
        symmetry=None if network.symmetry is None else Symmetry(tuple(moved)),
    )
