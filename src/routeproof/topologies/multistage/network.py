"""A wiring as a network: switches are nodes, wires are channels, the first and last level are terminals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import frozen
from ...core.multistage.wiring import Wiring
from ...core.network import Network
from ...core.symmetry import Automorphism, Symmetry
from ..build import Bandwidth, check_size, family_name, one_bandwidth
from ..family import Family, called, family
from ..text import Pieces, name_of


def network_of_wiring(wiring: Wiring, *, bandwidth: Bandwidth = 1) -> Network:
    """The network of ``wiring``: node l * N + r is the switch on level l in row r; channel (l * 2d + c) * N + r leaves
    it along colour c.

    Terminal i injects at row i of the first level and receives at row i of the last, so a packet from i to i crosses
    the network like any other.  Labels are ``level:row``.

    Butterflies and dilated butterflies (wires straight or across) declare their symmetry: for every edge level l the
    flip of the row bit that it crosses, on all levels up to l, or on all levels after l; and the change of copies.
    Other wirings declare that they have none: what few automorphisms a random wiring has would take long to find.

    Raises InputError for a size beyond the limits in ``build``.
    """
    levels, colours, rows = wiring.wire.shape
    width = one_bandwidth(bandwidth, family=wiring.name)
    flips = _flips(wiring)
    count = levels * colours * rows
    check_size(wiring.name, nodes=(levels + 1) * rows, channels=count, generators=2 * len(flips) + 1)
    first = np.arange(levels, dtype=np.int64)[:, None, None] * rows
    tail = np.broadcast_to(first + np.arange(rows), (levels, colours, rows))
    head = wiring.wire + first + rows
    nodes = np.arange((levels + 1) * rows, dtype=np.int32)
    generators = [_flip(wiring, level, bit, after) for level, bit in flips for after in (False, True)]
    if flips and colours > 2:
        number = np.arange(count, dtype=np.int64).reshape(wiring.wire.shape)
        generators.append(Automorphism("next copy", nodes, frozen(np.roll(number, -2, axis=1))))
    name = family_name(wiring.name, bandwidth=(width,))
    return Network(
        name=name,
        num_nodes=len(nodes),
        tail=frozen(tail),
        head=frozen(head),
        bandwidth=(Fraction(width),) * count,
        source=nodes[:rows],
        sink=nodes[levels * rows :],
        labels=tuple(f"{v // rows}:{v % rows}" for v in range(len(nodes))),
        symmetry=Symmetry(tuple(generators)),
        spec=None if wiring.spec is None else name,
    )


def wired_family(
    usage: str, help: str, make: Callable[..., Any], parameter: str, *, passes: int = 1, copies: int = 1
) -> Family[Network]:
    """The family of the networks of the wirings of a function, which is ``called`` with one ``parameter``, "dimension"
    or "number of inputs".  ``passes``: edge levels for each dimension; ``copies``: d if it is no option."""
    name = name_of(usage)
    wiring = called(make, (f"{parameter} of {name}",))

    def build(pieces: Pieces) -> Network:
        size = pieces.number(0, f"size of {name}")
        n = min(max(size, 1).bit_length() - 1 if parameter != "dimension" else size, 64)
        d = pieces.whole("d")
        if n > 0:  # before the wires are made
            levels = passes * n
            text = f"{name}:{size}" if d is None else f"{name}:{size},d={d}"
            check_size(text, nodes=(levels + 1) << n, channels=2 * levels * (d or copies) << n)
        return network_of_wiring(wiring(pieces), bandwidth=pieces.bandwidth)

    return family(usage, help, make, (parameter,), build=build, wiring=wiring)


def _flips(wiring: Wiring) -> list[tuple[int, int]]:
    """(edge level, row bit that its odd colours cross), if all wires are straight (even colours) or across (odd)."""
    rows = np.arange(wiring.inputs, dtype=np.int32)
    result = []
    for level in range(wiring.num_edge_levels):
        bit = level if level < wiring.reversed_levels else wiring.direction_bit(level)
        wire = wiring.wire[level]
        if not (np.all(wire[0::2] == rows) and np.all(wire[1::2] == rows ^ (1 << bit))):
            return []
        result.append((level, bit))
    return result


def _flip(wiring: Wiring, level: int, bit: int, after: bool) -> Automorphism:
    """Rows with ``bit`` flipped on the switch levels up to ``level`` (or after it); colours change places between."""
    levels, colours, rows = wiring.wire.shape
    row = np.arange(rows, dtype=np.int64)
    on = (np.arange(levels + 1) > level) == after
    node = (np.arange(levels + 1)[:, None] * rows + (row ^ np.where(on, 1 << bit, 0)[:, None])).reshape(-1)
    colour = np.broadcast_to(np.arange(colours), (levels, colours)).copy()
    colour[level] ^= 1
    moved = row ^ np.where(on[:levels], 1 << bit, 0)[:, None]
    channel = (np.arange(levels)[:, None, None] * colours + colour[:, :, None]) * rows + moved[:, None, :]
    where = "after" if after else "up to"
    return Automorphism(f"flip row bit {bit} {where} level {level}", frozen(node), frozen(channel.reshape(-1)))
