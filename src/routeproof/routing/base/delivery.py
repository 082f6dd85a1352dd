"""What arrives: paths, many at a time; whether loads carry one unit to the node where they should."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, members
from ...core.errors import InputError
from ...core.exact_arrays import summed
from ...core.loads import PairBlock
from ...core.network import Network
from ...core.rational import Rationals, shown

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


_CELLS = 1 << 24  # pairs times nodes looked at together


def check_delivery(network: Network, name: str, start: Int32, end: Int32, block: PairBlock) -> None:
    """Raise InputError unless pair k of ``block`` carries one unit from node ``start[k]`` to node ``end[k]``, another
    one, for every k: on paths from the start, since a cycle apart from them carries no packet."""
    for k in (_not_conserved(network, start, end, block), _out_of_reach(network, start, block)):
        if k is not None:
            raise InputError(f"routing {name} {_fault(network, block.as_dict(k), int(start[k]), int(end[k]))}")


def _not_conserved(network: Network, start: Int32, end: Int32, block: PairBlock) -> int | None:
    """The first pair that more leaves a node of than arrives there, or less."""
    each = np.arange(len(start))
    pair = np.repeat(each, np.diff(block.offset))
    # What leaves a node counts up, what arrives counts down; one unit enters at the start and leaves at the end.
    node = np.concatenate([network.tail[block.channel], network.head[block.channel], start, end])
    key = np.concatenate([pair, pair, each, each]) * network.num_nodes + node
    one = np.ones(len(start), dtype=np.int64)
    num = np.concatenate([block.load.num, -block.load.num, -one, one])
    den = np.concatenate([block.load.den, block.load.den, one, one])
    key, left = summed(key, Rationals(num, den))
    wrong = np.flatnonzero(left.num)
    return int(key[wrong[0]]) // network.num_nodes if len(wrong) else None


def _out_of_reach(network: Network, start: Int32, block: PairBlock) -> int | None:
    """The first pair with a channel that its packets cannot get to."""
    step = max(1, _CELLS // network.num_nodes)
    for at in range(0, len(start), step):
        some, offset = start[at : at + step], block.offset[at : at + step + 1]
        channel, pair = block.channel[offset[0] : offset[-1]], members(offset - offset[0])
        tail, head = network.tail[channel], network.head[channel]
        reached = np.zeros((len(some), network.num_nodes), dtype=np.bool_)
        reached[np.arange(len(some)), some] = True
        while (new := reached[pair, tail] & ~reached[pair, head]).any():
            reached[pair[new], head[new]] = True
        lost = np.flatnonzero(~reached[pair, tail])
        if len(lost):
            return at + int(pair[lost[0]])
    return None


def _fault(network: Network, loads: dict[int, Fraction], start: int, end: int) -> str:
    ends = f"from {network.label(start)} to {network.label(end)}"
    net: dict[int, Fraction] = {}
    for c, x in loads.items():
        u, v = int(network.tail[c]), int(network.head[c])
        net[u] = net.get(u, Fraction(0)) + x
        net[v] = net.get(v, Fraction(0)) - x
    for v, surplus in net.items():
        wanted = (v == start) - (v == end)
        if surplus != wanted:
            return (
                f"does not deliver {ends}: at node {network.label(v)} {shown(surplus)} more leaves than arrives; "
                f"{wanted} was expected"
            )
    if start not in net:
        return f"has no path {ends}"
    off = next(c for c in loads if int(network.tail[c]) not in _reached(network, start, loads))
    return f"loads {network.channel_label(off)} {ends}, but no packet of that pair can get there"


def _reached(network: Network, start: int, channels: Iterable[int]) -> set[int]:
    ends = [(int(network.tail[c]), int(network.head[c])) for c in channels]
    seen: set[int] = {start}
    while more := {v for u, v in ends if u in seen} - seen:
        seen |= more
    return seen


def check_connected(network: Network, hops: npt.NDArray[np.integer]) -> None:
    """Raise InputError unless ``hops`` (N, N) lead from every node with a source to every node with a sink."""
    sources, sinks = np.unique(network.source), np.unique(network.sink)
    lost = np.argwhere(hops[np.ix_(sources, sinks)] < 0)
    if len(lost):
        i, j = int(sources[lost[0][0]]), int(sinks[lost[0][1]])
        raise InputError(
            f"network {network.name}: no path from node {network.label(i)} to node {network.label(j)} ({len(lost)} "
            f"such pairs); every pair of terminals must be connected (component=largest after a file's "
            f"name keeps its largest part, dead-nodes leaves nodes out)"
        )
