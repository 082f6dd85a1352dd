"""Wirings: which wire leads where in a multistage network of 2d x 2d switches; and splitters: the edges from the M
switches of a block to the M/2 switches of one of the two blocks after it.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 1.2 to 1.4 and 5; Upfal 1989 (STOC).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Int32, first_true, read_only
from ..errors import InputError


@dataclass(frozen=True, eq=False)
class Wiring:
    """The wires of a multistage network with N = 2^n rows.

    ``wire``: int32, shape (E, 2d, N), read-only: the edge of colour c that leaves row r of switch level l leads to row
    ``wire[l, c, r]`` of level l + 1.  Every ``wire[l, c]`` is a permutation of the rows (checked).

    - E = n: a multibutterfly, or any delta network.  The block of a switch on level l is the N / 2^l rows that agree
      with its own in the first l bits; an edge is an up-edge (0) or a down-edge (1) by bit n - 1 - l of its head's row.
    - E = 2n: a multi-Benes network: the first n edge levels are a multibutterfly reversed (blocks double), the last n
      a multibutterfly.

    ``spec``: the text that makes this wiring again, or None.  Raises InputError for another shape, a row outside the
    network, or a wire that is not a permutation; that blocks and degrees are right is for ``find_flaw`` to say.
    """

    name: str
    wire: Int32
    spec: str | None = None

    def __repr__(self) -> str:
        levels, colours, rows = self.wire.shape
        return f"<Wiring {self.name[:60]}: {levels} edge levels, {rows} rows, {colours} colours>"

    def __post_init__(self) -> None:
        wire = np.asarray(self.wire)
        if wire.ndim != 3 or not np.issubdtype(wire.dtype, np.integer):
            raise InputError(f"wire has shape {wire.shape}; whole numbers [level][colour][row] were expected")
        levels, colours, rows = wire.shape
        if rows < 2 or rows & (rows - 1):
            raise InputError(f"the wiring has {rows} inputs; a power of two, at least 2, was expected")
        n = rows.bit_length() - 1
        if levels not in (n, 2 * n):
            raise InputError(
                f"the wiring has {levels} edge levels; {rows} inputs need {n} (multibutterfly) or {2 * n} (multi-Benes)"
            )
        if colours < 2 or colours % 2:
            raise InputError(f"the wiring has {colours} colours; an even number, two per multiplicity, was expected")
        frozen = wire if wire.dtype == np.int32 and not wire.flags.writeable else wire.astype(np.int32)
        if frozen is not wire and not np.array_equal(frozen, wire):
            raise InputError(f"a wire leads outside the network; rows are 0 to {rows - 1}")
        for level in range(levels):
            for colour in range(colours):
                _check_permutation(frozen[level, colour], level, colour)
        object.__setattr__(self, "wire", read_only(frozen))

    @property
    def inputs(self) -> int:
        """N, the number of rows."""
        return int(self.wire.shape[2])

    @property
    def log_inputs(self) -> int:
        """n, log2 of the number of rows."""
        return self.inputs.bit_length() - 1

    @property
    def multiplicity(self) -> int:
        """d, the number of up-edges (and of down-edges) that leave a switch."""
        return int(self.wire.shape[1]) // 2

    @property
    def num_edge_levels(self) -> int:
        return int(self.wire.shape[0])

    @property
    def reversed_levels(self) -> int:
        """How many edge levels come before the multibutterfly: n for a multi-Benes network, else 0."""
        return self.num_edge_levels - self.log_inputs

    def block_bits(self, level: int) -> int:
        """log2 of the size of the blocks of switch level ``level``."""
        merged = self.reversed_levels
        return level if level < merged else self.log_inputs - (level - merged)

    def direction_bit(self, level: int) -> int:
        """Which bit of the head's row (and of a destination) says up or down on edge level ``level`` of splitters."""
        return self.log_inputs - 1 - (level - self.reversed_levels)


def _check_permutation(image: Int32, level: int, colour: int) -> None:
    rows = len(image)
    r = first_true((image < 0) | (image >= rows))
    if r is not None:
        raise InputError(f"wire[{level}][{colour}][{r}] is {int(image[r])}; rows are 0 to {rows - 1}")
    count = np.bincount(image, minlength=rows)
    missing = first_true(count == 0)
    if missing is not None:
        twice = int(np.argmax(count))
        first, second = np.nonzero(image == twice)[0][:2].tolist()
        raise InputError(
            f"wire[{level}][{colour}] is not a permutation of the rows: rows {first} and {second} both lead to "
            f"{twice}, none to {missing}"
        )


def find_flaw(wiring: Wiring) -> tuple[str, str] | None:
    """(kind, sentence) for what makes ``wiring`` no multistage network, or None.

    Kind ``logical_path``: a wire leaves its splitter, or a switch has no up-edge or no down-edge, so some packet can
    leave its up-down path or cannot follow it; kind ``degrees`` (only where there is none of the other): a switch has
    not exactly d edges each way.  Together with the wires being permutations, no flaw means: from every input the one
    logical path to every output is open, along d edges at every switch.
    """
    flaw: tuple[str, str] | None = None
    d = wiring.multiplicity
    rows = np.arange(wiring.inputs, dtype=np.int32)
    for level in range(wiring.num_edge_levels):
        merging = level < wiring.reversed_levels
        bits = level + 1 if merging else wiring.block_bits(level)
        for c, r in np.argwhere(wiring.wire[level] >> bits != rows >> bits)[:1].tolist():
            low = r >> bits << bits
            return "logical_path", (
                f"wire[{level}][{c}][{r}] leads to row {int(wiring.wire[level, c, r])}, outside its block: "
                f"rows {low} to {low + (1 << bits) - 1}"
            )
        down = np.zeros(wiring.inputs, dtype=np.int32)
        for image in wiring.wire[level]:
            if merging:
                down[image] += rows >> level & 1
            else:
                down += image >> wiring.direction_bit(level) & 1
        wrong = first_true(down != d)
        if wrong is not None:
            low = int(down[wrong])
            up = 2 * d - low
            where = f"level {level + 1}, row {wrong}: {up} edges from the upper half and {low} from the lower"
            if not merging:
                where = f"level {level}, row {wrong}: {up} up-edges and {low} down-edges"
            flaw = flaw or ("degrees", f"{where}; {d} of each were expected")
        stuck = None if merging else first_true(down % (2 * d) == 0)
        if stuck is not None:
            which = "up" if down[stuck] else "down"
            return "logical_path", f"level {level}, row {stuck} has no {which}-edge; {d} were expected"
    return flaw


def check_wiring(wiring: Wiring) -> Wiring:
    """``wiring`` itself; raises InputError with what ``find_flaw`` finds."""
    flaw = find_flaw(wiring)
    if flaw is not None:
        raise InputError(f"{wiring.name}: {flaw[1]}")
    return wiring


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
