"""Modular destination graphs: one timed path from every node of a t-nary d-cube to node 0.

Source: Hwang, Yao & Dasgupta, "Some permutation routing algorithms for low dimensional hypercubes", sec. 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import Int32, first_true, read_only
from ..errors import InputError

Move = tuple[int, int]
"""(i, j): subtract j from the i-th digit, counted from 1 at the left; (0, 0) stays put."""

MAX_NODES = 1 << 16
_MAX_HOPS = 1 << 25
_MAX_STEPS = 1 << 16


@dataclass(frozen=True)
class Cube:
    """The t-nary d-cube: nodes are numbers of d digits to the base t, leftmost digit first; addition is per digit.

    Move types are numbered: 0 stays put, ``1 + (i - 1)(t - 1) + (j - 1)`` subtracts j from digit i.
    Raises InputError unless t >= 2, d >= 1 and t^d <= MAX_NODES.
    """

    radix: int
    dimensions: int

    def __post_init__(self) -> None:
        t, d = self.radix, self.dimensions
        if t < 2 or d < 1:
            raise InputError(
                f"a cube of radix {t} in {d} dimensions was asked for; radix >= 2 and dimensions >= 1 were expected"
            )
        if d >= MAX_NODES.bit_length() or t**d > MAX_NODES:
            raise InputError(f"a cube of {t}^{d} nodes is too large; at most {MAX_NODES:,} nodes are supported")

    @property
    def num_nodes(self) -> int:
        return int(self.radix**self.dimensions)

    @property
    def num_types(self) -> int:
        """Moves out of a node, d(t - 1); types are 1 .. num_types."""
        return self.dimensions * (self.radix - 1)

    @cached_property
    def digits(self) -> Int32:
        """int32, shape (N, d)."""
        shape = (self.radix,) * self.dimensions
        return np.stack(np.unravel_index(np.arange(self.num_nodes), shape), axis=1).astype(np.int32)

    @cached_property
    def place(self) -> npt.NDArray[np.int64]:
        """int64, shape (d,): what one unit of each digit is worth."""
        return self.radix ** np.arange(self.dimensions - 1, -1, -1, dtype=np.int64)

    @cached_property
    def weight(self) -> Int32:
        """int32, shape (N,): how many digits are not 0."""
        return np.asarray(np.count_nonzero(self.digits, axis=1), dtype=np.int32)

    @cached_property
    def vector(self) -> Int32:
        """int32, shape (num_types + 1,): the node that a type subtracts; 0 for type 0."""
        t = self.radix
        values = [0] + [j * int(p) for p in self.place for j in range(1, t)]
        return np.array(values, dtype=np.int32)

    def add(self, a: npt.ArrayLike, b: npt.ArrayLike) -> Int32:
        """a + b, digit by digit modulo t; arrays of nodes of like shapes."""
        return self._sum(a, b, 1)

    def subtract(self, a: npt.ArrayLike, b: npt.ArrayLike) -> Int32:
        """a - b, digit by digit modulo t."""
        return self._sum(a, b, -1)

    def _sum(self, a: npt.ArrayLike, b: npt.ArrayLike, sign: int) -> Int32:
        x, y = np.asarray(a, dtype=np.int32), np.asarray(b, dtype=np.int32)
        if self.radix == 2:
            return np.asarray(x ^ y)
        return np.asarray(((self.digits[x] + sign * self.digits[y]) % self.radix) @ self.place, dtype=np.int32)

    def type_of(self, move: Move) -> int:
        i, j = move
        if (i, j) == (0, 0):
            return 0
        if not (1 <= i <= self.dimensions and 1 <= j < self.radix):
            raise InputError(
                f"move [{i}, {j}] is out of range; [0, 0], or a digit 1 to {self.dimensions} and an amount "
                f"1 to {self.radix - 1}, was expected"
            )
        return 1 + (i - 1) * (self.radix - 1) + (j - 1)

    def move_of(self, kind: int) -> Move:
        if not kind:
            return (0, 0)
        i, j = divmod(int(kind) - 1, self.radix - 1)
        return (i + 1, j + 1)

    def label(self, node: int) -> str:
        """The node's digits: ``0110``, or ``10,3,0`` where a digit may have two figures."""
        values = self.digits[int(node)].tolist()
        return ("" if self.radix <= 10 else ",").join(str(x) for x in values)


def without_last_waits(moves: npt.NDArray[np.integer]) -> npt.NDArray[np.int16]:
    """``moves`` (packets, steps) without the last steps in which nobody moves: int16, read-only."""
    used = np.nonzero(moves.any(axis=0))[0]
    return read_only(moves[:, : int(used[-1]) + 1 if len(used) else 0].astype(np.int16))


def positions_of(cube: Cube, start: npt.NDArray[np.integer], moves: npt.NDArray[np.int16]) -> Int32:
    """int32 (P, steps + 1), read-only: the nodes before each step and at the end, of packets that make these moves."""
    at = np.empty((len(start), moves.shape[1] + 1), dtype=np.int32)
    at[:, 0] = start
    for n in range(moves.shape[1]):
        at[:, n + 1] = cube.subtract(at[:, n], cube.vector[moves[:, n]])
    return read_only(at)


@dataclass(frozen=True, eq=False)
class DestinationGraph:
    """The path of every node u to node 0; by translation it routes the packet from x to y like the one from x - y to 0.

    ``moves``: int16, shape (N, steps), read-only: the type of the n-th move of node u (``Cube``), S_n(u) of the paper.
    Steps in which nobody moves are dropped from the end only.  Node 0 stays where it is.

    Raises InputError, naming the node, for a type out of range or a path that does not end at node 0.
    """

    cube: Cube
    moves: npt.NDArray[np.int16]

    def __repr__(self) -> str:
        return f"<DestinationGraph of {self.cube.num_nodes} nodes ({self.cube}): {self.steps} steps>"

    def __post_init__(self) -> None:
        cube = self.cube
        given = np.asarray(self.moves)
        if given.ndim != 2 or given.shape[0] != cube.num_nodes or not np.issubdtype(given.dtype, np.integer):
            raise InputError(
                f"moves have shape {given.shape} and type {given.dtype}; integers, a row for each of the "
                f"{cube.num_nodes} nodes, were expected"
            )
        if given.size > _MAX_HOPS:
            raise InputError(
                f"{given.shape[1]} steps of {given.shape[0]} nodes are too many; at most {_MAX_HOPS} moves"
            )
        for u, n in np.argwhere((given < 0) | (given > cube.num_types))[:1].tolist():
            raise InputError(
                f"node {cube.label(u)}: the move at step {n + 1} has type {int(given[u, n])}; "
                f"0 to {cube.num_types} was expected"
            )
        object.__setattr__(self, "moves", without_last_waits(given))
        if self.moves[0].any():
            raise InputError(f"node {cube.label(0)} is the destination; its path must stay put")
        last = self.position[:, -1]
        u = first_true(last != 0)
        if u is not None:
            raise InputError(f"the path of node {cube.label(u)} ends at {cube.label(int(last[u]))}, not at 0")

    @staticmethod
    def of(radix: int, dimensions: int, paths: Mapping[int, Sequence[Move]]) -> DestinationGraph:
        """From the moves of each node, by number; only node 0 may be left out."""
        cube = Cube(radix, dimensions)
        steps = max((len(p) for p in paths.values()), default=0)
        if steps * cube.num_nodes > _MAX_HOPS or steps > _MAX_STEPS:
            raise InputError(f"a path of {steps} steps is too long for a cube of {cube.num_nodes} nodes")
        moves = np.zeros((cube.num_nodes, steps), dtype=np.int16)
        for u, path in paths.items():
            if not 0 <= u < cube.num_nodes:
                raise InputError(f"node {u} does not exist; nodes are 0 to {cube.num_nodes - 1}")
            for n, move in enumerate(path):
                try:
                    moves[u, n] = cube.type_of(move)
                except InputError as error:
                    raise InputError(f"node {cube.label(u)}: step {n + 1}: {error}") from None
        missing = next((u for u in range(1, cube.num_nodes) if u not in paths), None)
        if missing is not None:
            raise InputError(f"node {cube.label(missing)} has no path; every node but {cube.label(0)} needs one")
        return DestinationGraph(cube, moves)

    @property
    def radix(self) -> int:
        return self.cube.radix

    @property
    def dimensions(self) -> int:
        return self.cube.dimensions

    @property
    def steps(self) -> int:
        """l(T): the step of the last move."""
        return int(self.moves.shape[1])

    @cached_property
    def position(self) -> Int32:
        """int32, shape (N, steps + 1): where the packet of node u is before step n + 1; what is left to go."""
        return positions_of(self.cube, np.arange(self.cube.num_nodes), self.moves)

    @cached_property
    def prefix(self) -> Int32:
        """int32, shape (N, steps + 1): what the moves before step n + 1 have subtracted (sigma of the paper)."""
        start = np.repeat(np.arange(self.cube.num_nodes)[:, None], self.steps + 1, axis=1)
        return read_only(self.cube.subtract(start, self.position))

    def path(self, node: int) -> list[Move]:
        """The moves of a node, up to its last one."""
        return [self.cube.move_of(k) for k in np.trim_zeros(self.moves[node], "b").tolist()]
