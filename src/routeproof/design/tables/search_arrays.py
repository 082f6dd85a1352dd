"""The arrays that the kernels of the search over forwarding tables take, by name; see ``exchange_kernels``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...analysis.worst_case.transport_arrays import Scratch, Solved, Start

__all__ = ["Dependencies", "Matching", "Mixed", "Problem", "Search"]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


class Problem(NamedTuple):
    """The tables and their network: column j of ``next_channel`` (int32 (N, D)) leads to node ``target[j]``.

    tail, head: int32 (C,); amount: int64 (D,), how many parts of its packets take a column, 0 for a column left out;
    supply: (N,), packets that a node sends; sources: int32, the nodes that send.
    """

    next_channel: Int32
    tail: Int32
    head: Int32
    target: Int32
    amount: Int64
    supply: Int64
    sources: Int32


class Matching(NamedTuple):
    """``hit``: int32 (D,), out: the source whose packet the worst permutation brings across the channel, or -1.

    Scratch: ptr (D + 1,), link (most entries,), match (N, most packets of a node), used, seen, fresh, mark (N,), stack,
    parent (N + D,).
    """

    ptr: Int32
    link: Int32
    match: Int32
    used: Int32
    seen: Int32
    fresh: Int32
    mark: Int32
    stack: Int32
    parent: Int32
    hit: Int32


class Mixed(NamedTuple):
    """For several tables that share the packets, and as many entries as sources times destinations.

    destination: int64 (D,), the terminal of a column; demand: ones, int64 (T,); share: int64 (N, T), zeros, left so.
    The others are what ``solve_channels`` takes, for one channel.
    """

    destination: Int64
    demand: Int64
    share: Int64
    offset: Int64
    row: Int32
    column: Int32
    weight: Int64
    start: Start
    stop: Int64
    solved: Solved
    scratch: Scratch


class Dependencies(NamedTuple):
    """How many columns use the dependency of a channel on a next one, ``uses`` (int32, shape (C, most out-degree)).

    Node v has the channels ``out_link[out_ptr[v]:out_ptr[v + 1]]``; channel c is number ``place[c]`` of its tail's.
    degree, waiting: (C + 1,) scratch.
    """

    uses: Int32
    out_ptr: Int64
    out_link: Int32
    place: Int32
    degree: Int32
    waiting: Int32


class Search(NamedTuple):
    """``value``: int64 (C,), the channels' worst cases, kept up to date, and what they are weighed by.

    width: float64 (C,), bandwidths (to weigh by: what is claimed is computed exactly elsewhere); hops: int32 (N, D),
    distances to destinations, where only shorter hops are proposed, or (N, 0); changed, before: (2 C + 2,) scratch.
    """

    value: Int64
    width: npt.NDArray[np.float64]
    hops: Int32
    changed: Int32
    before: Int64
