"""Routing along edge-disjoint Hamiltonian circuits, all packets in lockstep: our reconstruction of an idea.

Kaklamanis, Krizanc and Tsantilas (Math. Systems Theory 24, 1991) route on the binary d-cube in O(2^(d/2) / d) steps "by
using the decomposability of binary hypercubes into Hamiltonian circuits".  Their step count cannot be recovered from
what Hwang, Yao & Dasgupta say of it, and this is not their algorithm in detail; what is built here is this:

- the cube is split into two halves, the first ceil(d / 2) digits and the others, as Borodin and Hopcroft do;
- the edges of a half are split into Hamiltonian circuits (and a perfect matching left unused where its dimension is
  odd), each run in both directions;
- first half: every packet takes the circuit on which it is nearest to its goal, and goes round at every step.  Packets
  of one circuit start at different nodes and move in lockstep, so they never meet;
- second half: the same, backwards in time: every packet starts so late that all arrive at the last step.  Packets of
  one circuit have different destinations, so they never meet.

So it is oblivious, and takes ``hamiltonian_steps(d)`` steps for every permutation.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.cube.destination_graph import Cube
from ...core.errors import InputError

CIRCUITS = {
    1: ("11",),
    2: ("1212",),
    3: ("32313231",),
    4: ("2343132313412321", "4241424341214123"),
    5: ("53432453541435323534325232132343", "45423154525451524252314245424142"),
    6: (
        "5416232521412635631216451562654643525452512564143214536264313424",
        "6315461464513514625152454652454135346256235145464525412315314523",
        "2624143462321362646253143136323561356232613461316132631351263621",
    ),
}
"""By dimension: circuits through node 0, each as the digits that it flips (from 1 at the left).  Found by simulated
annealing of exchanges of two parallel pairs of edges, for the shortest way between the farthest two nodes."""


@cache
def circuits_of(dimensions: int) -> tuple[Int64, Int64]:
    """(place, node): int64, shape (circuits, 2^h): place of each node on a directed circuit, node at each place.

    Every circuit comes in both directions, but for h = 1, whose edge is one both ways.  Raises InputError for h > 6.
    """
    if dimensions not in CIRCUITS:
        raise InputError(
            f"Hamiltonian circuits are there for half-cubes of 1 to {max(CIRCUITS)} dimensions, so for d = 2 to "
            f"{2 * max(CIRCUITS)}; one of {dimensions} was asked for"
        )
    node = []
    for text in CIRCUITS[dimensions]:
        flips = np.array([1 << (dimensions - int(x)) for x in text])
        walk = np.bitwise_xor.accumulate(flips)
        node.append(np.concatenate([[0], walk[:-1]]))
        if dimensions > 1:
            node.append(node[-1][::-1])
    nodes = np.array(node)
    place = np.empty_like(nodes)
    np.put_along_axis(place, nodes, np.broadcast_to(np.arange(nodes.shape[1]), nodes.shape), axis=1)
    return place, nodes


@cache
def _ways(dimensions: int) -> tuple[Int64, Int64]:
    """(circuit, length) by [from, to] in the half-cube: the circuit with the shortest way, the first of equals."""
    place, _ = circuits_of(dimensions)
    size = place.shape[1]
    length = (place[:, None, :] - place[:, :, None]) % size
    return length.argmin(axis=0), length.min(axis=0)


def hamiltonian_steps(dimensions: int) -> int:
    """How many steps every permutation of the binary d-cube takes; d from 2 to 12."""
    return sum(int(_ways(h)[1].max()) for h in _halves(dimensions))


def _halves(dimensions: int) -> tuple[int, int]:
    if not 2 <= dimensions <= 2 * max(CIRCUITS):
        raise InputError(
            f"Hamiltonian circuits are there for binary d-cubes, d = 2 to {2 * max(CIRCUITS)}; d = {dimensions} was "
            "asked for"
        )
    return (dimensions + 1) // 2, dimensions // 2


def hamiltonian_moves(cube: Cube, origin: npt.ArrayLike, destination: npt.ArrayLike) -> npt.NDArray[np.int16]:
    """int16, shape (P, steps): every packet's moves.  Raises InputError unless the cube is binary, d = 2 to 12."""
    if cube.radix != 2:
        raise InputError(f"the Hamiltonian circuits are those of binary cubes; the radix is {cube.radix}")
    one, two = _halves(cube.dimensions)
    here, there = np.asarray(origin, dtype=np.int64), np.asarray(destination, dtype=np.int64)
    first = _phase(one, here >> two, there >> two, late=False)
    low = (1 << two) - 1
    second = _phase(two, here & low, there & low, late=True)
    return np.concatenate([first, np.where(second > 0, second + one, 0)], axis=1).astype(np.int16)


def _phase(dimensions: int, here: Int64, there: Int64, *, late: bool) -> Int64:
    """The digits flipped at each step of one half; ``late``: all arrive at the last step."""
    place, node = circuits_of(dimensions)
    circuit, length = _ways(dimensions)
    steps, size = int(length.max()), node.shape[1]
    chosen, left = circuit[here, there], length[here, there]
    at = place[chosen, here]
    moves = np.zeros((len(here), steps), dtype=np.int64)
    for n in range(steps):
        go = np.nonzero(n >= steps - left if late else n < left)[0]
        tail = node[chosen[go], at[go]]
        at[go] = (at[go] + 1) % size
        flipped = tail ^ node[chosen[go], at[go]]
        moves[go, n] = dimensions - np.log2(flipped).astype(np.int64)
    return moves
