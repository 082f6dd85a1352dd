"""Weighted paths between terminals: an explicit routing table, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .network import Network, int32_array
from .rational import Rationals, parse_fraction

__all__ = ["Paths", "check_paths", "path_numbers"]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Paths:
    """Ragged arrays: path k goes from terminal ``source[k]`` to terminal ``sink[k]`` with probability ``weight[k]``.

    It crosses ``channel[offset[k]:offset[k + 1]]``, in order; an empty path stays where it is.  A pair of terminals
    may have many paths, in any place.  Arrays are read-only.

    source, sink: int32 (P,); offset: int64 (P + 1,); channel: int32 (nnz,); weight: Rationals (P,), positive.

    Raises InputError for arrays that do not fit together, negative numbers, or a weight that is not positive.
    Whether the paths lead anywhere in a network is for ``check_paths`` to say.
    """

    source: Int32
    sink: Int32
    offset: Int64
    channel: Int32
    weight: Rationals

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
        if (np.diff(offset) < 0).any():
            k = int(np.nonzero(np.diff(offset) < 0)[0][0])
            raise InputError(f"offset falls from {int(offset[k])} to {int(offset[k + 1])} at path {k}")
        offset.setflags(write=False)
        set_(self, "offset", offset)
        if len(self.weight) != len(self.source):
            raise InputError(f"{len(self.weight)} weights for {len(self.source)} paths; one each was expected")
        wrong = np.nonzero((self.weight.num <= 0) | (self.weight.den <= 0))[0]
        if wrong.size:
            k = int(wrong[0])
            num, den = int(self.weight.num[k]), int(self.weight.den[k])
            found = f"{num}/{den}" if max(abs(num), abs(den)) < 10**30 else "negative"
            raise InputError(
                f"a path from terminal {self.source[k]} to terminal {self.sink[k]} has weight {found}; "
                f"weights must be positive"
            )

    @staticmethod
    def of(items: Iterable[tuple[int, int, Fraction | int, Sequence[int]]]) -> Paths:
        """From ``(source terminal, destination terminal, weight, channels)``, one item per path."""
        rows = list(items)
        lengths = np.fromiter((len(row[3]) for row in rows), dtype=np.int64, count=len(rows))
        offset = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offset[1:])
        return Paths(
            source=np.array([row[0] for row in rows]),
            sink=np.array([row[1] for row in rows]),
            offset=offset,
            channel=np.array([c for row in rows for c in row[3]]),
            weight=Rationals.of(
                row[2] if type(row[2]) in (int, Fraction) else parse_fraction(row[2], what=f"the weight of path {k}")
                for k, row in enumerate(rows)
            ),
        )

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
    for what, numbers, count in (
        ("source terminal", paths.source, network.num_terminals),
        ("destination terminal", paths.sink, network.num_terminals),
    ):
        outside = np.nonzero(numbers >= count)[0]
        if outside.size:
            k = int(outside[0])
            raise InputError(f"path {k} has {what} {int(numbers[k])}; terminals are 0 to {count - 1}")
    outside = np.nonzero(paths.channel >= network.num_channels)[0]
    if outside.size:
        at = int(outside[0])
        k = int(np.searchsorted(paths.offset, at, side="right")) - 1
        raise InputError(
            f"{_pair(paths, k)} crosses channel {int(paths.channel[at])}; channels are 0 to {network.num_channels - 1}"
        )
    start, end = network.source[paths.source], network.sink[paths.sink]
    length = np.diff(paths.offset)
    home = start == end
    wrong = np.nonzero(home & (length > 0))[0]
    if wrong.size:
        k = int(wrong[0])
        raise InputError(
            f"{_pair(paths, k)} crosses {int(length[k])} channels, but both are on node "
            f"{network.label(int(start[k]))}: such a packet never enters the network; "
            f"leave the pair out or give it an empty path"
        )
    wrong = np.nonzero(~home & (length == 0))[0]
    if wrong.size:
        k = int(wrong[0])
        raise InputError(
            f"{_pair(paths, k)} is empty, but leads from node {network.label(int(start[k]))} "
            f"to node {network.label(int(end[k]))}"
        )
    _check_joints(network, paths, start, end, length)


def _check_joints(network: Network, paths: Paths, start: Int32, end: Int32, length: Int64) -> None:
    moving = np.nonzero(length > 0)[0]
    first, last = paths.offset[moving], paths.offset[moving + 1] - 1
    wrong = np.nonzero(network.tail[paths.channel[first]] != start[moving])[0]
    if wrong.size:
        k = int(moving[wrong[0]])
        c = int(paths.channel[paths.offset[k]])
        raise InputError(
            f"{_pair(paths, k)} starts with channel {c}, which leaves node {network.label(int(network.tail[c]))}; "
            f"terminal {int(paths.source[k])} is at node {network.label(int(start[k]))}"
        )
    inner = np.ones(len(paths.channel), dtype=bool)
    inner[last] = False
    at = np.nonzero(inner)[0]
    broken = np.nonzero(network.head[paths.channel[at]] != network.tail[paths.channel[at + 1]])[0]
    if broken.size:
        here = int(at[broken[0]])
        k = int(np.searchsorted(paths.offset, here, side="right")) - 1
        c, d = int(paths.channel[here]), int(paths.channel[here + 1])
        raise InputError(
            f"{_pair(paths, k)} is broken: channel {c} arrives at node {network.label(int(network.head[c]))}, "
            f"but the next channel {d} leaves node {network.label(int(network.tail[d]))}"
        )
    wrong = np.nonzero(network.head[paths.channel[last]] != end[moving])[0]
    if wrong.size:
        k = int(moving[wrong[0]])
        c = int(paths.channel[paths.offset[k + 1] - 1])
        raise InputError(
            f"{_pair(paths, k)} ends with channel {c}, which arrives at node {network.label(int(network.head[c]))}; "
            f"terminal {int(paths.sink[k])} is at node {network.label(int(end[k]))}"
        )


def _pair(paths: Paths, k: int) -> str:
    return f"the path from terminal {int(paths.source[k])} to terminal {int(paths.sink[k])}"
