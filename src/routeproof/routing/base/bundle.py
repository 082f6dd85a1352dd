"""Paths of one length, many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Int32

_HELD = 1 << 16


@dataclass(frozen=True, eq=False)
class Bundle:
    """B paths of L hops each: ``channel`` int32 (B, L); path b leads from row ``row[b]`` to column ``column[b]``."""

    row: Int32
    column: Int32
    channel: Int32

    @staticmethod
    def of(row: int, column: int, path: Sequence[int]) -> Bundle:
        """One path."""
        i, j, channel = (np.array([x], dtype=np.int32) for x in (row, column, path))
        return Bundle(i, j, channel)


def gathered(bundles: Iterable[Bundle]) -> Iterator[Bundle]:
    """The same paths in another order, in few bundles: small ones of the same number of hops become one."""
    held: dict[int, list[Bundle]] = {}
    paths: dict[int, int] = {}
    for bundle in bundles:
        size, hops = bundle.channel.shape
        held.setdefault(hops, []).append(bundle)
        paths[hops] = paths.get(hops, 0) + size
        if paths[hops] * hops >= _HELD:
            yield _joined(held.pop(hops))
            del paths[hops]
    for left in held.values():
        yield _joined(left)


def _joined(bundles: list[Bundle]) -> Bundle:
    if len(bundles) == 1:
        return bundles[0]
    return Bundle(
        np.concatenate([x.row for x in bundles]),
        np.concatenate([x.column for x in bundles]),
        np.concatenate([x.channel for x in bundles]),
    )
