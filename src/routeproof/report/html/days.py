"""The pictures of two days of a fabric: both on one network, which has every device, cable and host of either day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.network import Network
from ...formats.rated import RatedNetwork
from ...routing.base.routing import Routing
from ...routing.fabrics.days import TwoDays
from .network import MOST_CHANNELS
from .scenes import Scene, patterns_in

DAYS = ("before", "after")


@dataclass(frozen=True, eq=False, repr=False)
class _BothDays(RatedNetwork):
    """Its channels are called as on the day that has them."""

    def channel_label(self, channel: int) -> str:
        return str(self.channel_attributes["label"][channel])


def days_of(routings: Sequence[Routing], claims: Sequence[Claim]) -> tuple[Network, list[Scene]]:
    """The network of both days, and a scene of each; bandwidths in the unit of the first.  ``claims``: those of a day
    say which one.

    Raises InputError where they cannot stand on one picture.
    """
    both = TwoDays((routings[0].network, routings[1].network), (None, None))
    nodes, channels, terminals = both.sizes
    if channels > MOST_CHANNELS:
        raise InputError(f"both days have {channels:,} channels, too many to be drawn")
    labels, bandwidth = [""] * channels, [[Fraction(0)] * channels for _ in DAYS]
    one, other = (x.network.gbps for x in both.days)
    units = Fraction(1), Fraction(1) if one is None or other is None else other / one
    for day, widths, unit in zip(both.days, bandwidth, units, strict=True):
        for c, number in enumerate(day.channel.tolist()):
            labels[number] = day.network.channel_label(c)
            widths[number] = day.network.bandwidth[c] * unit
    was, now = ([x or y for x, y in zip(mine, theirs, strict=True)] for mine, theirs in (bandwidth, bandwidth[::-1]))
    source, sink = _ends(both, terminals)
    network = _BothDays(
        f"{both.one.name}, and {both.two.name} after it", nodes, both.tail.astype(np.int32),
        both.head.astype(np.int32), tuple(now), source, sink, labels=both.node_names, gbps=one,
        channel_attributes={"label": labels},
        terminal_labels=both.terminal_names if any(x.network.terminal_labels for x in both.days) else None,
    )  # fmt: skip
    scenes = []
    for name, day, routing, widths in zip(DAYS, both.days, routings, (was, now), strict=True):
        patterns = patterns_in([x for x in claims if x.about.get("day") == name], routing)
        gone = [
            np.setdiff1d(np.arange(size), have).tolist() for size, have in ((nodes, day.node), (channels, day.channel))
        ]
        own = widths if widths != now else None
        numbering = day.channel, day.terminal
        scenes.append(Scene(name, routing, patterns, (gone[0], gone[1]), numbering, bandwidth=own))
    return network, scenes


def _ends(both: TwoDays, count: int) -> Int32:
    """Where every host sends and receives, shape (2, T), which must be the same on both days."""
    ends = np.full((2, count), -1, dtype=np.int32)
    for day in both.days:
        here, there = day.node[np.stack([day.network.source, day.network.sink])], ends[:, day.terminal]
        moved = np.flatnonzero(((there >= 0) & (there != here)).any(axis=0))
        if len(moved):
            raise InputError(f"{both.terminal_names[day.terminal[moved[0]]]} is at another switch on the second day")
        ends[:, day.terminal] = here
    return ends
