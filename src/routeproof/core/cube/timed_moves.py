"""Packets on a t-nary d-cube, step by step: who moves along which link when, and whether two share one.

Source: the multiport model of Hwang, Yao & Dasgupta, sec. 1: at each step a packet stays put or crosses one link, and
no link is crossed by two packets at one step.  Nodes hold any number of packets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import Int32, first_true, int32_array, members
from ..errors import InputError
from ..network import Network
from ..paths import Paths
from .destination_graph import Cube, positions_of, without_last_waits


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
