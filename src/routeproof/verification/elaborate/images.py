"""Evidence for one channel, or one pair, carried to all their images under symmetry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.network import Network
from ..context import Context


class Map(NamedTuple):
    """An automorphism; with ``swap`` it is followed by the reversal of all paths."""

    channel: Int32
    node: npt.NDArray[np.integer]
    swap: bool = False


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
    found = [Map(g.channel, g.node) for g in context.generators(symmetry)]
    if symmetry.get("reversal"):
        assert network.reverse is not None
        found.append(Map(network.reverse, np.arange(network.num_nodes), swap=True))
    return found


def images(network: Network, channels: Iterable[int], maps: Sequence[Map]) -> dict[int, Image]:
    """For every channel that the maps lead to from one of ``channels``: from which, and how."""
    same = np.arange(network.num_nodes), np.arange(network.num_channels)
    found = {c: Image(c, *same, False) for c in channels}
    waiting = list(found)
    while waiting:
        c = waiting.pop()
        here = found[c]
        for g in maps:
            image = int(g.channel[c])
            if image not in found:
                found[image] = Image(here.of, g.node[here.node], g.channel[here.channel], here.swap != g.swap)
                waiting.append(image)
    return found


class PairImage(NamedTuple):
    """The pair (i, j) as an image of another one: node v goes to ``node[v]``, channel c to ``channel[c]``; ``swap``:
    with all paths reversed."""

    i: int
    j: int
    node: npt.NDArray[np.integer]
    channel: npt.NDArray[np.integer]
    swap: bool


def pair_images(network: Network, i: int, j: int, maps: Sequence[Map]) -> tuple[list[PairImage], Int32]:
    """(all images of a pair of nodes, by channel the least channel to which maps that keep the pair take it).

    By Schreier's lemma the maps "to an image, by a map to another one, and back" generate all that keep the pair.
    """
    from ...core.symmetry import orbit_labels

    first = PairImage(i, j, np.arange(network.num_nodes), np.arange(network.num_channels), False)
    found = {(i, j): first}
    keeping: dict[bytes, npt.NDArray[np.integer]] = {}
    waiting = [first]
    while waiting:
        here = waiting.pop()
        for g in maps:
            a, b = int(g.node[here.i]), int(g.node[here.j])
            ends = (b, a) if g.swap else (a, b)
            channel = g.channel[here.channel]
            there = found.get(ends)
            if there is None:
                there = PairImage(*ends, g.node[here.node], channel, here.swap != g.swap)
                found[ends] = there
                waiting.append(there)
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
