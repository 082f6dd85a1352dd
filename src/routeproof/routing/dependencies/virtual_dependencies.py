"""Dependencies between virtual channels, for an assignment of virtual channels to the hops of all paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.graph import first_descent
from ..base.bundle import Bundle, gathered
from ..base.path_bundles import bundles_of
from ..base.routing import Routing
from ..grid.layout import channel_places
from .channels import channel_dependencies
from .virtual_channels import by_descents, by_turns

__all__ = [
    "ascending_dependencies",
    "virtual_dependencies",
    "virtual_of_descents",
    "virtual_of_layers",
    "virtual_of_turns",
]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Assigned = Iterator[tuple[Bundle, Int64]]
_HELD = 1 << 22


def virtual_of_turns(routing: Routing, order: tuple[int, ...], source: Iterable[Bundle] | None = None) -> Assigned:
    """Every bundle with the virtual channels of its hops, by the rule of ``by_turns``.

    ``source``: the bundles, where they are at hand already.  Raises InputError for a network without a grid.
    """
    network = routing.network
    if network.grid is None:
        raise InputError(f"virtual channels by turns need a torus, mesh or HyperX; {network.name} has no grid layout")
    places = channel_places(network, network.grid)
    for bundle in gathered(bundles_of(routing) if source is None else source):
        yield bundle, by_turns(places, bundle.channel, order)


def virtual_of_descents(routing: Routing, number: Int64, source: Iterable[Bundle] | None = None) -> Assigned:
    """The same by the rule of ``by_descents``."""
    for bundle in gathered(bundles_of(routing) if source is None else source):
        yield bundle, by_descents(number, bundle.channel)


def ascending_dependencies(routing: Routing, number: Int64) -> tuple[Int64, Int64] | None:
    """(first, second): the dependencies between channels, if ``number`` (int64, shape (C,)) increases along all of
    them, else None.

    Then ``by_descents`` has one virtual channel for every channel, and these are what ``virtual_dependencies`` gives;
    of a routing without explicit paths, more may be among them.  Grids and tables need no path written out.
    """
    found = channel_dependencies(routing)
    first, second = found.first.astype(np.int64), found.second.astype(np.int64)
    return (first, second) if first_descent(number, first, second) is None else None


def virtual_of_layers(routing: Routing, layer: Int64, source: Iterable[Bundle] | None = None) -> Assigned:
    """The same where path k, in the order of ``bundles_of``, stays on virtual channel ``layer[k]``."""
    at = 0
    for bundle in bundles_of(routing) if source is None else source:
        size, hops = bundle.channel.shape
        if at + size > len(layer):
            raise InputError(f"there are more than {len(layer)} paths; each needs a layer")
        yield bundle, np.repeat(layer[at : at + size, None], hops, axis=1)
        at += size
    if at != len(layer):
        raise InputError(f"there are {at} paths and {len(layer)} layers; one each was expected")


def virtual_dependencies(routing: Routing, assigned: Assigned) -> tuple[int, Int64, Int64]:
    """(V, first, second): V virtual channels per channel, and all dependencies between them, without doubles.

    Virtual channel v of channel c has the number v * C + c.
    """
    size = routing.network.num_channels
    span = 0
    key: Int64 = np.zeros(0, dtype=np.int64)
    waiting: list[Int64] = []
    count = 0
    top = 1 << 31  # numbers of virtual channels stay below: two of them make one key
    for bundle, virtual in assigned:
        number = virtual * size + bundle.channel
        span = max(span, int(virtual.max(initial=0)) + 1)
        if span * size >= top:
            raise InputError(f"{span} virtual channels for each of {size} channels are too many to number")
        waiting.append((number[:, :-1] << 31 | number[:, 1:]).ravel())
        count += waiting[-1].size
        if count > _HELD:
            key, waiting, count = np.unique(np.concatenate([key, *waiting])), [], 0
    key = np.unique(np.concatenate([key, *waiting]))
    return span, key >> 31, key & (top - 1)
