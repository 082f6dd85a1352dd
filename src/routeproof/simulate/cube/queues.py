"""Packets on a t-nary d-cube that move as soon as their link is free: the simulator that all algorithms share.

A link carries one packet a step (``core.cube.timed_moves``); who may go first is what the two rules below differ in.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.cube.destination_graph import Cube

__all__ = ["move_greedily", "move_in_queues"]

Int32 = npt.NDArray[np.int32]
Moves = npt.NDArray[np.int16]


def move_in_queues(cube: Cube, origin: Int32, routes: Moves) -> Moves:
    """Every packet follows its route; each link serves first come, first served, ties by number of packet.

    routes: int16, shape (P, H): types of move in order, 0 is skipped.  Returns int16, shape (P, steps).
    """
    left_aligned = np.argsort(routes == 0, axis=1, kind="stable")
    route = np.take_along_axis(routes, left_aligned, axis=1)
    length = np.count_nonzero(routes, axis=1)
    at, done, since = origin.astype(np.int64), np.zeros_like(length), np.zeros_like(length)
    columns: list[Moves] = []
    waiting = np.nonzero(length)[0]
    while len(waiting):
        kind = route[waiting, done[waiting]]
        go = _first(at[waiting] * (cube.num_types + 1) + kind, since[waiting], waiting)
        column = np.zeros(len(origin), dtype=np.int16)
        column[go] = route[go, done[go]]
        at[go] = cube.subtract(at[go], cube.vector[column[go]])
        done[go] += 1
        columns.append(column)
        since[go] = len(columns)
        waiting = waiting[done[waiting] < length[waiting]]
    return _stacked(columns, len(origin))


def move_greedily(cube: Cube, origin: Int32, destination: Int32) -> Moves:
    """No fixed routes: at each step, dimension after dimension, each link takes a packet that it brings nearer.

    Of the packets at a node that are still without a link and want this one, the one with the longest way to go, ties
    by number.  Every move corrects a digit; nothing is decided in advance.
    """
    at = origin.astype(np.int64)
    columns: list[Moves] = []
    kinds = np.arange(1, cube.num_types + 1).reshape(cube.dimensions, cube.radix - 1)
    while True:
        ahead = cube.digits[cube.subtract(at, destination)]
        far = np.count_nonzero(ahead, axis=1)
        if not far.any():
            return _stacked(columns, len(origin))
        column = np.zeros(len(origin), dtype=np.int16)
        for i in range(cube.dimensions):
            who = np.nonzero((ahead[:, i] > 0) & (column == 0))[0]
            kind = kinds[i, ahead[who, i] - 1]
            go = _first(at[who] * (cube.num_types + 1) + kind, -far[who], who)
            column[go] = kinds[i, ahead[go, i] - 1]
        at = cube.subtract(at, cube.vector[column]).astype(np.int64)
        columns.append(column)


def _first(
    link: npt.NDArray[np.integer], rank: npt.NDArray[np.integer], packet: npt.NDArray[np.integer]
) -> npt.NDArray[np.integer]:
    """For each link the packet of the lowest rank, ties by number."""
    order = np.lexsort((packet, rank, link))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = np.diff(link[order]) != 0
    return packet[order[first]]


def _stacked(columns: list[Moves], packets: int) -> Moves:
    return np.stack(columns, axis=1) if columns else np.zeros((packets, 0), dtype=np.int16)
