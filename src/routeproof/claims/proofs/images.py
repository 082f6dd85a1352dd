"""Evidence for one channel, or one pair, carried to all their images under symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.network import Network
from ...core.symmetry import Automorphism, orbit_labels
from ..context import Context


class Map(NamedTuple):
    """An automorphism, of which ``whole`` is the object; or, with ``swap``, the reversal of all paths."""

    channel: Int32
    node: npt.NDArray[np.integer]
    swap: bool = False
    whole: Automorphism | None = None


class Image(NamedTuple):
    """Where channel ``of`` goes, and with it node v to ``node[v]``, channel c to ``channel[c]``; ``swap``: senders and
    receivers change places."""

    of: int
    node: npt.NDArray[np.integer]
    channel: npt.NDArray[np.integer]
    swap: bool


def maps_of(context: Context, symmetry: Mapping[str, Any]) -> list[Map]:
    """The maps of a symmetry that ``verify`` has checked."""
    network = context.network
    found = [Map(g.channel, g.node, whole=g) for g in context.generators(symmetry)]
    if symmetry.get("reversal"):
        assert network.reverse is not None
        found.append(Map(network.reverse, np.arange(network.num_nodes), swap=True))
    return found


def images(network: Network, channels: Iterable[int], maps: Sequence[Map]) -> dict[int, Image]:
    """For every channel that the maps lead to from one of ``channels``: from which, and how.

    Where several ways lead there, the one that ``kernel.gauges`` takes, too: level by level.
    """
    same = np.arange(network.num_nodes), np.arange(network.num_channels)
    found = {c: Image(c, *same, False) for c in channels}
    waiting = list(found)
    for c in waiting:
        here = found[c]
        for g in maps:
            image = int(g.channel[c])
            if image not in found:
                found[image] = Image(here.of, g.node[here.node], g.channel[here.channel], here.swap != g.swap)
                waiting.append(image)
    return found


def terminals_moved(network: Network, node: npt.NDArray[np.integer]) -> list[int] | None:
    """Where a map of the nodes takes every terminal: those at the same nodes in order.  None where it takes terminals
    to nodes with others than theirs."""
    here: dict[tuple[int, int], list[int]] = {}
    for t, ends in enumerate(zip(network.source.tolist(), network.sink.tolist(), strict=True)):
        here.setdefault(ends, []).append(t)
    found = [0] * network.num_terminals
    for (source, sink), own in here.items():
        there = here.get((int(node[source]), int(node[sink])), [])
        if len(there) != len(own):
            return None
        for t, image in zip(own, there, strict=True):
            found[t] = image
    return found


Moves = Sequence[tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]]
"""Of every map: where it takes rows (senders) and columns (receivers)."""


class PairImage(NamedTuple):
    """The pair (row, column) as an image of another one, with channel c at ``channel[c]``."""

    row: int
    column: int
    channel: npt.NDArray[np.integer]


def pair_images(
    network: Network, row: int, column: int, maps: Sequence[Map], moves: Moves
) -> tuple[list[PairImage], Int32]:
    """(all images of a pair, by channel the least channel to which maps that keep the pair take it).

    By Schreier's lemma the maps "to an image, by a map to another one, and back" generate all that keep the pair.
    """
    first = PairImage(row, column, np.arange(network.num_channels))
    found = {(row, column): first}
    keeping: dict[bytes, npt.NDArray[np.integer]] = {}
    waiting = [first]
    while waiting:
        here = waiting.pop()
        for g, (rows, columns) in zip(maps, moves, strict=True):
            ends = (
                (int(rows[here.column]), int(columns[here.row]))
                if g.swap
                else (int(rows[here.row]), int(columns[here.column]))
            )
            channel = g.channel[here.channel]
            there = found.get(ends)
            if there is None:
                found[ends] = PairImage(*ends, channel)
                waiting.append(found[ends])
            else:
                back = np.empty_like(there.channel)
                back[there.channel] = np.arange(network.num_channels)
                kept = back[channel]
                keeping.setdefault(kept.tobytes(), kept)
    return list(found.values()), orbit_labels(network.num_channels, list(keeping.values()))


def moved(image: Image, by_row: Sequence[int], by_column: Sequence[int]) -> Iterator[list[int]]:
    """Potentials by node (and then of idle packets, who stay behind), carried along the image: first of the senders,
    then of the receivers."""
    for values in (by_column, by_row) if image.swap else (by_row, by_column):
        there = [0] * len(image.node)
        for v, x in zip(image.node.tolist(), values[: len(image.node)], strict=True):
            there[v] = x
        yield there


def moved_demand(
    image: Image, network: Network, sent: Mapping[tuple[int, int], Fraction]
) -> dict[tuple[int, int], Fraction]:
    """A demand carried along the image: the terminals of a node go to those of its image, in order."""
    moved_pair = pairs_moved(image, network)
    return {moved_pair(i, j): x for (i, j), x in sent.items()}


def pairs_moved(image: Image, network: Network) -> Callable[[int, int], tuple[int, int]]:
    """Where the image takes (sender, receiver)."""
    senders, receivers = (_by_node(ends) for ends in (network.source.tolist(), network.sink.tolist()))

    def carried(of: _Ends, to: _Ends) -> dict[int, int]:
        return {t: k for v, own in of.items() for t, k in zip(own, to.get(int(image.node[v]), ()), strict=True)}

    if image.swap:
        sends, receives = carried(senders, receivers), carried(receivers, senders)
        return lambda i, j: (receives[j], sends[i])
    sends, receives = carried(senders, senders), carried(receivers, receivers)
    return lambda i, j: (sends[i], receives[j])


_Ends = Mapping[int, Sequence[int]]


def _by_node(ends: Sequence[int]) -> _Ends:
    found: dict[int, list[int]] = {}
    for t, v in enumerate(ends):
        found.setdefault(v, []).append(t)
    return found
