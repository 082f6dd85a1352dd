"""Splitters: the edges from the M switches of a block to the M/2 switches of one of the two blocks after it.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 1.2 and 1.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .wiring import Wiring


@dataclass(frozen=True)
class Splitter:
    """One direction (up or down) of a splitter with M inputs and M/2 outputs.

    ``adjacent[i]``: the outputs 0 .. M/2 - 1 that input i has edges to, parallel edges repeated.  Raises InputError
    for an odd or missing number of inputs, or an output outside the splitter.
    """

    name: str
    adjacent: tuple[tuple[int, ...], ...]

    def __repr__(self) -> str:
        return f"<Splitter {self.name[:60]}: {self.inputs} inputs, {self.outputs} outputs>"

    def __post_init__(self) -> None:
        inputs = len(self.adjacent)
        if inputs < 2 or inputs % 2:
            raise InputError(f"{self.name} has {inputs} inputs; an even number, at least 2, was expected")
        outside = ((i, j) for i, outputs in enumerate(self.adjacent) for j in outputs if not 0 <= j < inputs // 2)
        for i, j in outside:
            raise InputError(f"{self.name}: input {i} has an edge to output {j}; outputs are 0 to {inputs // 2 - 1}")

    @property
    def inputs(self) -> int:
        """M."""
        return len(self.adjacent)

    @property
    def outputs(self) -> int:
        return len(self.adjacent) // 2

    @property
    def regular(self) -> int | None:
        """d, if every input has d edges and every output 2d; else None."""
        degrees = {len(x) for x in self.adjacent}
        into = np.bincount([j for x in self.adjacent for j in x], minlength=self.outputs)
        if len(degrees) == 1 and np.all(into == 2 * len(self.adjacent[0])):
            return len(self.adjacent[0])
        return None

    def masks(self) -> list[int]:
        """For every input its outputs as the bits of an integer; parallel edges count once."""
        return [sum(1 << j for j in set(x)) for x in self.adjacent]

    def neighbourhood(self, subset: list[int]) -> set[int]:
        """The outputs that the inputs ``subset`` have edges to."""
        return {j for i in subset for j in self.adjacent[i]}


def check_splitter_level(wiring: Wiring, level: int) -> None:
    """Raise InputError for a level without splitters."""
    first, last = wiring.reversed_levels, wiring.num_edge_levels - 1
    if not first <= level <= last:
        raise InputError(f"{wiring.name} has splitters on levels {first} to {last}; level {level} was asked for")


def splitter_of(wiring: Wiring, *, level: int, block: int, direction: int) -> Splitter:
    """The edges up (0) or down (1) from block number ``block`` of switch level ``level``.

    Inputs and outputs are numbered within their blocks, from the first row.  Raises InputError for a level without
    splitters (the mergers of a multi-Benes network have none) or a block outside the level.
    """
    check_splitter_level(wiring, level)
    size = 1 << wiring.block_bits(level)
    if not 0 <= block < wiring.inputs // size:
        raise InputError(f"level {level} has blocks 0 to {wiring.inputs // size - 1}; block {block} was asked for")
    if direction not in (0, 1):
        raise InputError(f"direction is {direction}; 0 (up) or 1 (down) was expected")
    rows = slice(block * size, (block + 1) * size)
    heads = wiring.wire[level, :, rows].T - block * size
    half = size // 2
    adjacent = tuple(tuple(int(h) % half for h in row if h // half == direction) for row in heads)
    return Splitter(f"level {level}, block {block}, {('up', 'down')[direction]}", adjacent)
