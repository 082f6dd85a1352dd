"""Weighted paths between terminals: an explicit routing table, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .arrays import Int32, Int64, first_true, int32_array, members, offsets_of, read_only
from .errors import InputError
from .network import Network
from .rational import Rationals, parse_fraction

MOST_VIRTUAL = 256  # virtual channels of a channel that a table can name


@dataclass(frozen=True, eq=False)
class Paths:
    """Ragged arrays: path k goes from terminal ``source[k]`` to terminal ``sink[k]`` with probability ``weight[k]``.

    It crosses ``channel[offset[k]:offset[k + 1]]``, in order; an empty path stays where it is.  A pair of terminals
    may have many paths, in any place.  Arrays are read-only.

    ``virtual``: the virtual channel of every hop, where that is stated: int32 (nnz,), beside ``channel``.

    source, sink: int32 (P,); offset: int64 (P + 1,); channel: int32 (nnz,); weight: Rationals (P,), positive.

    Raises InputError for arrays that do not fit together, negative numbers, or a weight that is not positive.
    Whether the paths lead anywhere in a network is for ``check_paths`` to say.
    """

    source: Int32
    sink: Int32
    offset: Int64
    channel: Int32
    weight: Rationals
    virtual: Int32 | None = None

    def __repr__(self) -> str:
        count = len(self.source)
        return f"<Paths: {count} {'path' if count == 1 else 'paths'}, {len(self.channel)} hops>"

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        limit = 2**31 - 1
        set_(self, "source", int32_array(self.source, what="source", below=limit))
        set_(self, "sink", int32_array(self.sink, what="sink", size=len(self.source), below=limit))
        set_(self, "channel", int32_array(self.channel, what="channel", below=limit))
        offset = np.array(self.offset, dtype=np.int64)
        if len(offset) != len(self.source) + 1 or offset[0] != 0 or offset[-1] != len(self.channel):
            raise InputError(
                f"offset has {len(offset)} entries ending in {offset[-1:].tolist()}; {len(self.source) + 1} entries "
                f"from 0 to {len(self.channel)} were expected"
            )
        falls = first_true(np.diff(offset) < 0)
        if falls is not None:
            raise InputError(f"offset falls from {int(offset[falls])} to {int(offset[falls + 1])} at path {falls}")
        set_(self, "offset", read_only(offset))
        if self.virtual is not None:
            virtual = int32_array(self.virtual, what="virtual", size=len(self.channel), below=MOST_VIRTUAL)
            set_(self, "virtual", virtual)
        if len(self.weight) != len(self.source):
            raise InputError(f"{len(self.weight)} weights for {len(self.source)} paths; one each was expected")
        k = first_true((self.weight.num <= 0) | (self.weight.den <= 0))
        if k is not None:
            num, den = int(self.weight.num[k]), int(self.weight.den[k])
            found = f"{num}/{den}" if max(abs(num), abs(den)) < 10**30 else "negative"
            raise InputError(
                f"a path from terminal {self.source[k]} to terminal {self.sink[k]} has weight {found}; "
                f"weights must be positive"
            )

    @staticmethod
    def of(
        items: Iterable[tuple[int, int, Fraction | int, Sequence[int]]], *, virtual: Sequence[int] | None = None
    ) -> Paths:
        """From ``(source terminal, destination terminal, weight, channels)``, one item per path; ``virtual``: of all
        hops of all items, in order."""
        rows = list(items)
        return Paths(
            source=np.array([row[0] for row in rows]),
            sink=np.array([row[1] for row in rows]),
            offset=offsets_of([len(row[3]) for row in rows]),
            channel=np.array([c for row in rows for c in row[3]]),
            weight=Rationals.of(
                row[2] if type(row[2]) in (int, Fraction) else parse_fraction(row[2], what=f"the weight of path {k}")
                for k, row in enumerate(rows)
            ),
            virtual=None if virtual is None else np.array(virtual),
        )

    def path_virtual(self, k: int) -> list[int]:
        """The virtual channels of path k, hop by hop; none where they are not stated."""
        return [] if self.virtual is None else self.virtual[self.offset[k] : self.offset[k + 1]].tolist()

    def __len__(self) -> int:
        return len(self.source)

    @property
    def num_paths(self) -> int:
        return len(self.source)

    def path(self, k: int) -> list[int]:
        """The channels of path k, in order."""
        return [int(c) for c in self.channel[self.offset[k] : self.offset[k + 1]]]


def path_numbers(paths: Paths) -> Int64:
    """int64 (P,): paths that cross the same channels in the same order have the same number, others another one."""
    length = np.diff(paths.offset)
    result = np.zeros(len(paths), dtype=np.int64)
    known = 0
    for hops in np.unique(length).tolist():
        which = np.nonzero(length == hops)[0]
        channel = paths.channel[paths.offset[which][:, None] + np.arange(hops)]
        order = np.lexsort(channel.T[::-1]) if hops else np.arange(len(which))
        new = np.zeros(len(which), dtype=np.int64)
        new[1:] = (channel[order[1:]] != channel[order[:-1]]).any(axis=1)
        result[which[order]] = known + np.cumsum(new)
        known += int(new.sum()) + 1
    return result


def check_paths(network: Network, paths: Paths) -> None:
    """Raise InputError unless every path is a walk from its source terminal's node to its destination terminal's node.

    A path may cross a channel more than once.  A pair of terminals on one node never enters the network: its
    path, if any, must be empty.
    """
    count = network.num_terminals
    for what, numbers in (("source", paths.source), ("destination", paths.sink)):
        k = first_true(numbers >= count)
        if k is not None:
            raise InputError(f"path {k} has {what} terminal {int(numbers[k])}; terminals are 0 to {count - 1}")
    path = members(paths.offset)
    at = first_true(paths.channel >= network.num_channels)
    if at is not None:
        raise InputError(
            f"{_pair(paths, path[at])} crosses channel {int(paths.channel[at])}; "
            f"channels are 0 to {network.num_channels - 1}"
        )
    start, end = network.source[paths.source], network.sink[paths.sink]
    length = np.diff(paths.offset)
    k = first_true((start == end) & (length > 0))
    if k is not None:
        raise InputError(
            f"{_pair(paths, k)} crosses {int(length[k])} channels, but both are on node "
            f"{network.label(int(start[k]))}: such a packet never enters the network; "
            f"leave the pair out or give it an empty path"
        )
    k = first_true((start != end) & (length == 0))
    if k is not None:
        raise InputError(
            f"{_pair(paths, k)} is empty, but leads from node {network.label(int(start[k]))} "
            f"to node {network.label(int(end[k]))}"
        )
    tail, head = network.tail[paths.channel], network.head[paths.channel]
    moving = np.nonzero(length > 0)[0]
    first, last = paths.offset[moving], paths.offset[moving + 1] - 1
    wrong = first_true(tail[first] != start[moving])
    if wrong is not None:
        k, at = int(moving[wrong]), int(first[wrong])
        raise InputError(
            f"{_pair(paths, k)} starts with channel {int(paths.channel[at])}, which leaves node "
            f"{network.label(int(tail[at]))}; terminal {int(paths.source[k])} is at node {network.label(int(start[k]))}"
        )
    at = first_true((head[:-1] != tail[1:]) & (path[:-1] == path[1:]))
    if at is not None:
        c, d = paths.channel[at : at + 2].tolist()
        raise InputError(
            f"{_pair(paths, path[at])} is broken: channel {c} arrives at node {network.label(int(head[at]))}, "
            f"but the next channel {d} leaves node {network.label(int(tail[at + 1]))}"
        )
    wrong = first_true(head[last] != end[moving])
    if wrong is not None:
        k, at = int(moving[wrong]), int(last[wrong])
        raise InputError(
            f"{_pair(paths, k)} ends with channel {int(paths.channel[at])}, which arrives at node "
            f"{network.label(int(head[at]))}; terminal {int(paths.sink[k])} is at node {network.label(int(end[k]))}"
        )


def _pair(paths: Paths, k: int | np.int64) -> str:
    return f"the path from terminal {int(paths.source[k])} to terminal {int(paths.sink[k])}"
