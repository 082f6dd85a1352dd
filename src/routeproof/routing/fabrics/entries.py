"""The entries of a routing that is made of tables, in a numbering of nodes, channels and terminals given from outside.

An entry is what a node does with packets for a terminal: it sends them by the channels of a group, in proportion to
their weights.  Groups that split alike have one number.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ..base.routing import Routing

Ways = tuple[tuple[int, int], ...]
"""(channel, weight) by ascending channel; the weights have no common divisor."""
Entries = list[tuple[Fraction, Int32]]
"""(weight, group): of every table of a mixture; ``group`` int32 (nodes, terminals), -1 where packets never come, at the
terminal's own node, and for what is not there."""


class Groups:
    """Numbers of groups, in the order in which they are first seen."""

    def __init__(self) -> None:
        self._number: dict[Ways, int] = {}
        self._ways: list[Ways] = []

    def __len__(self) -> int:
        return len(self._ways)

    def number(self, ways: Sequence[tuple[int, int]]) -> int:
        divisor = math.gcd(*(w for _, w in ways))
        key = tuple(sorted((c, w // divisor) for c, w in ways))
        found = self._number.setdefault(key, len(self._ways))
        if found == len(self._ways):
            self._ways.append(key)
        return found

    def ways(self, group: int) -> Ways:
        return self._ways[group]

    def channels(self, group: int) -> set[int]:
        return {c for c, _ in self._ways[group]}

    def that_use(self, channels: Collection[int]) -> npt.NDArray[np.bool_]:
        """bool (groups,): does a group have one of ``channels``?"""
        some = frozenset(channels)
        return np.array([any(c in some for c, _ in x) for x in self._ways], dtype=bool)


def entries_of(
    routing: Routing, node: Int64, channel: Int64, terminal: Int64, sizes: tuple[int, int, int], groups: Groups
) -> Entries | None:
    """The entries of ``routing``; None where it is not made of tables.

    ``node``, ``channel``, ``terminal``: the numbers of those of its network, of ``sizes`` in all.
    """
    if not routing.in_full:  # its name makes it, whatever the network: its entries are no news
        return None
    found: Entries = []
    for weight, part in routing.parts or [(Fraction(1), routing)]:
        own = _of_table(part, channel, groups)
        if own is None:
            own = _of_groups(part, channel, groups)
        if own is None:
            return None
        network = part.network
        own[network.sink, np.arange(network.num_terminals)] = -1
        whole = np.full((sizes[0], sizes[2]), -1, dtype=np.int32)
        whole[np.ix_(node, terminal)] = own
        found.append((weight, whole))
    return found


def _of_table(part: Routing, channel: Int64, groups: Groups) -> Int32 | None:
    tables = part.forwarding_tables()
    if len(tables) != 1:
        return None
    table = tables[0][1]
    numbers = np.array([groups.number([(c, 1)]) for c in channel.tolist()] + [-1], dtype=np.int32)
    found: Int32 = numbers[table.next_channel][:, table.column_of]  # -1 is the last one
    return found


def _of_groups(part: Routing, channel: Int64, groups: Groups) -> Int32 | None:
    number, own = part.group_numbers()
    if not own:
        return None
    numbers = [groups.number([(int(channel[c]), w) for c, w in group]) for group in own]
    found: Int32 = np.array([*numbers, -1], dtype=np.int32)[number][:, part.column_of]  # -1 is the last one
    return found
