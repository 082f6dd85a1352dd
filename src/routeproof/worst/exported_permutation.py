"""The worst permutation of a report as other tools want it: with no sender idle, or numbered as they number nodes.

Filling: a sender whose packet stays at its node takes another sender's destination and gives it its own, where that
takes no load off the worst channel.  Nothing can load it more, so the load stays what the report says.  Among pairs
that do not cross the channel a swap is found whenever there is one: if each of them begins or ends at the idle
sender's node, more packets begin or end there than there are pairs, and some must stay (Hall).

Numbering: BookSim, CAMINOS and SST number the nodes of a grid with the first coordinate fastest (column-major), this
package with the last one fastest (row-major).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.arrays import Int64
from ..core.errors import InputError
from ..core.network import Network
from ..core.traffic import Permutation
from ..formats.documents.traffic import witness_of_report
from ..routing.base.routing import Routing
from .scan.spread import made_again, network_made_again
from .worst_traffic import crossings


def exported_permutation(
    document: Mapping[str, Any], *, what: str, fill: bool = False, column_major: bool = False
) -> tuple[Permutation, list[str]]:
    """The worst permutation of the report ``document``, called ``what``, and what there is to say of it.

    Raises InputError for reports without one, for ``fill`` where the report is not about one routing, and for
    ``column_major`` where the network has no grid.
    """
    channel, permutation = witness_of_report(document, what=what)
    subject, notes = document["subject"], []
    if fill:
        if "routing" not in subject:
            raise InputError(f"{what} is about several routings; a report of worst-case was expected, to fill")
        routing = made_again(subject)
        permutation, idle = filled(routing, channel, permutation)
        if idle:
            names = ", ".join(map(str, idle[:6])) + (", ..." if len(idle) > 6 else "")
            notes.append(f"idle all the same: {names}; whatever they send takes load off the worst channel")
    if column_major:
        permutation = renumbered(network_made_again(subject["network"]), permutation)
        notes.append("terminals are numbered with the first coordinate fastest")
    return permutation, notes


def filled(routing: Routing, channel: int, permutation: Permutation) -> tuple[Permutation, list[int]]:
    """(a permutation with the same load on ``channel``, the senders that stay idle in it)."""
    network, image = routing.network, permutation.image.tolist()
    before = _load(routing, channel, list(enumerate(image)))
    idle: list[int] = []
    for i in range(len(image)):
        if network.source[i] == network.sink[image[i]]:
            a = _partner(routing, channel, image, i)
            if a is None:
                idle.append(i)
            else:
                image[i], image[a] = image[a], image[i]
    if _load(routing, channel, list(enumerate(image))) != before:
        raise ArithmeticError("filling changed the load of the worst channel")  # a bug
    return Permutation(image), idle


def _partner(routing: Routing, channel: int, image: Sequence[int], i: int) -> int | None:
    """The first sender that can swap destinations with the idle sender i, first among those that do not cross."""
    network, to = routing.network, np.array(image)
    can = (network.source[i] != network.sink[to]) & (network.source != network.sink[image[i]])
    others = np.flatnonzero(can).tolist()
    now = _weights(routing, channel, [(a, image[a]) for a in others])
    there = _weights(routing, channel, [(i, image[a]) for a in others])
    back = _weights(routing, channel, [(a, image[i]) for a in others])
    fit = [a for a, x, y, z in zip(others, now, there, back, strict=True) if y + z >= x]
    crossing = {a for a, x in zip(others, now, strict=True) if x}
    return min(fit, key=lambda a: (a in crossing, a), default=None)


def _weights(routing: Routing, channel: int, pairs: Sequence[tuple[int, int]]) -> list[Fraction]:
    found = crossings(routing, channel, [(i, j, Fraction(1)) for i, j in pairs])
    load = {(x.source, x.destination): x.load for x in found}
    return [load.get(pair, Fraction(0)) for pair in pairs]


def _load(routing: Routing, channel: int, pairs: Sequence[tuple[int, int]]) -> Fraction:
    return sum(_weights(routing, channel, pairs), Fraction(0))


def renumbered(network: Network, permutation: Permutation) -> Permutation:
    """The same traffic, terminals numbered by node with the first coordinate fastest, those of one node in order."""
    number = column_major_terminals(network)
    image = np.empty(len(number), dtype=np.int64)
    image[number] = number[permutation.image]
    return Permutation(image)


def column_major_terminals(network: Network) -> Int64:
    """int64, shape (T,): the number of every terminal where nodes are numbered with the first coordinate fastest.

    Raises InputError for networks without a grid, and terminals that send and receive at different nodes.
    """
    grid = network.grid
    if grid is None or not np.array_equal(network.source, network.sink):
        raise InputError(
            f"column-major numbers are for grids with terminals at their nodes; {network.name} is another network"
        )
    weight = np.cumprod([1, *grid.radix[:-1]])
    node = (grid.coordinates * weight).sum(axis=1)
    order = np.lexsort((np.arange(network.num_terminals), node[network.source]))
    number = np.empty(network.num_terminals, dtype=np.int64)
    number[order] = np.arange(network.num_terminals)
    return number
