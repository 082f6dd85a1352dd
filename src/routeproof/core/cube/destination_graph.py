"""Modular destination graphs: one timed path from every node of a t-nary d-cube to node 0; and packets step by step:
who moves along which link when, and whether two share one.

Source: Hwang, Yao & Dasgupta, "Some permutation routing algorithms for low dimensional hypercubes", sec. 2; of sec. 1
the multiport model: at each step a packet stays put or crosses one link, and no link is crossed by two packets at one
step.  Nodes hold any number of packets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import Int32, first_true, int32_array, members, read_only
from ..errors import InputError
from ..network import Network
from ..paths import Paths

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


@dataclass(frozen=True, eq=False)
class TimedMoves:
    """Packet p goes from ``origin[p]`` to ``destination[p]`` by the moves ``moves[p]``, one column for each step.

    origin, destination: int32, shape (P,), nodes; moves: int16, shape (P, steps): types of ``Cube``, 0 stays put.
    Steps in which nobody moves are dropped from the end.  Raises InputError for shapes that do not fit, nodes and types
    out of range.  Whether packets arrive and keep out of each other's way is for ``check_timed_moves`` to say.
    """

    cube: Cube
    origin: npt.NDArray[np.integer]
    destination: npt.NDArray[np.integer]
    moves: npt.NDArray[np.integer]

    def __post_init__(self) -> None:
        cube, moves = self.cube, np.asarray(self.moves)
        for name in ("origin", "destination"):
            nodes = np.asarray(getattr(self, name))
            if nodes.ndim != 1 or nodes.shape != moves.shape[:1] or not np.issubdtype(nodes.dtype, np.integer):
                raise InputError(f"{name} has shape {nodes.shape}; one for each of {len(moves)} packets was expected")
            if len(nodes) and not 0 <= int(nodes.min()) <= int(nodes.max()) < cube.num_nodes:
                raise InputError(f"{name} names a node outside 0 to {cube.num_nodes - 1}")
            object.__setattr__(self, name, nodes.astype(np.int32))
        if moves.ndim != 2 or not np.issubdtype(moves.dtype, np.integer):
            raise InputError(f"moves have shape {moves.shape}; whole numbers [packet][step] were expected")
        if moves.size and not 0 <= int(moves.min()) <= int(moves.max()) <= cube.num_types:
            raise InputError(f"a move has a type outside 0 to {cube.num_types}")
        object.__setattr__(self, "moves", without_last_waits(moves))

    @property
    def steps(self) -> int:
        """The step of the last move, from 1; 0 where nothing moves."""
        return int(self.moves.shape[1])

    @property
    def num_moves(self) -> int:
        return int(np.count_nonzero(self.moves))

    @cached_property
    def position(self) -> Int32:
        """int32, shape (P, steps + 1): the node of every packet before each step, and at the end."""
        return positions_of(self.cube, self.origin, self.moves)  # type: ignore[arg-type]  # int16 by now

    def most_waiting(self) -> int:
        """The most packets that are at one node after a step and have yet to go on."""
        most = 0
        left = np.cumsum(self.moves[:, ::-1] > 0, axis=1)[:, ::-1]  # moves from step n on
        for n in range(1, self.steps):
            here = self.position[left[:, n] > 0, n]
            most = max(most, int(np.bincount(here).max(initial=0)))
        return most

    def meetings(self) -> Iterator[tuple[int, int, int]]:
        """(step from 1, packet, packet) wherever a link is shared, at most one for each step."""
        width = self.cube.num_types + 1
        for n in range(self.steps):
            who = np.nonzero(self.moves[:, n])[0]
            link = self.position[who, n].astype(np.int64) * width + self.moves[who, n]
            order = np.argsort(link, kind="stable")
            same = np.nonzero(np.diff(link[order]) == 0)[0]
            if len(same):
                yield n + 1, int(who[order[same[0]]]), int(who[order[same[0] + 1]])


def check_timed_moves(run: TimedMoves) -> None:
    """Raise InputError unless every packet arrives and no link is crossed by two packets at one step."""
    cube = run.cube
    p = first_true(run.position[:, -1] != run.destination)
    if p is not None:
        raise InputError(
            f"the packet from {cube.label(run.origin[p])} to {cube.label(run.destination[p])} ends at "
            f"{cube.label(run.position[p, -1])}"
        )
    for step, p, q in run.meetings():
        tail, head = (cube.label(x) for x in run.position[p, step - 1 : step + 1])
        one, two = (f"{cube.label(run.origin[x])} to {cube.label(run.destination[x])}" for x in (p, q))
        raise InputError(f"at step {step} the packets {one} and {two} both cross the link {tail} -> {head}")


@dataclass(frozen=True, eq=False)
class Schedule:
    """``paths`` (one packet each; weights play no part) plus the step of every hop.

    ``step``: int32, shape of ``paths.channel``, from 1, rising along each path; read-only.
    Raises InputError where steps do not rise.  Whether packets collide is for ``conflicts`` to say.
    """

    network: Network
    paths: Paths
    step: npt.NDArray[np.int32]

    def __post_init__(self) -> None:
        step = int32_array(self.step, what="step", size=len(self.paths.channel), below=2**31 - 1)
        object.__setattr__(self, "step", step)
        if len(step) and int(step.min()) < 1:
            raise InputError("a step is below 1; steps count from 1")
        path = members(self.paths.offset)
        k = first_true((np.diff(path) == 0) & (np.diff(step) <= 0))
        if k is not None:
            raise InputError(
                f"path {int(path[k])} crosses channels at steps {int(step[k])} and then {int(step[k + 1])}"
            )

    @property
    def steps(self) -> int:
        """The step of the last hop (the makespan); 0 where nothing moves."""
        return int(self.step.max(initial=0))

    def conflicts(self) -> list[tuple[int, int, list[int]]]:
        """(step, channel, the packets that cross it then) wherever they are more than its bandwidth allows."""
        path = members(self.paths.offset)
        order = np.lexsort((path, self.paths.channel, self.step))
        key = np.stack([self.step[order], self.paths.channel[order]])
        bounds = np.nonzero((np.diff(key) != 0).any(axis=0))[0] + 1
        allowed = self.network.bandwidth
        return [
            (int(self.step[part[0]]), int(self.paths.channel[part[0]]), path[part].tolist())
            for part in np.split(order, bounds)
            if len(part) and len(part) > allowed[int(self.paths.channel[part[0]])]
        ]
