"""Reference algorithms for permutations on t-nary d-cubes, all on one simulator, to compare destination graphs with.

Sources: Valiant & Brebner 1981 (STOC), Borodin & Hopcroft 1985 (J. Comput. Syst. Sci. 30), Kaklamanis, Krizanc &
Tsantilas 1991 (Math. Syst. Theory 24), as far as Hwang, Yao & Dasgupta, sec. 1 and 3, tell.

Hamiltonian circuits are our reconstruction.  Kaklamanis, Krizanc and Tsantilas route on the binary d-cube in O(2^(d/2)
/ d) steps "by using the decomposability of binary hypercubes into Hamiltonian circuits"; their step count cannot be
recovered from what Hwang, Yao & Dasgupta say of it, and this is not their algorithm in detail.  The cube is split into
two halves, the first ceil(d / 2) digits and the others; the edges of a half into Hamiltonian circuits (and a perfect
matching left unused where its dimension is odd), each run in both directions.  First half: every packet takes the
circuit on which it is nearest to its goal, and goes round at every step; packets of one circuit start at different
nodes and move in lockstep, so they never meet.  Second half: the same, backwards in time: every packet starts so late
that all arrive at the last step, at different destinations.  So it is oblivious, and takes ``hamiltonian_steps(d)``
steps for every permutation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.cube.destination_graph import Cube, DestinationGraph, TimedMoves, check_timed_moves
from ...core.errors import InputError

Moves = npt.NDArray[np.int16]


@dataclass(frozen=True)
class CubeAlgorithm:
    """``moves(cube, origin, destination, rng)``; ``many_one``: does it route requests with equal destinations?"""

    help: str
    moves: Callable[[Cube, Int32, Int32, np.random.Generator], Moves]
    many_one: bool = True
    random: bool = False


def _routes(cube: Cube, origin: npt.ArrayLike, destination: npt.ArrayLike) -> Moves:
    """e-cube: wrong digits are corrected from the left; int16, shape (P, d), column i for digit i."""
    ahead = cube.digits[cube.subtract(origin, destination)]
    kinds = 1 + np.arange(cube.dimensions) * (cube.radix - 1) + ahead - 1
    return np.where(ahead > 0, kinds, 0).astype(np.int16)


def _valiant(cube: Cube, origin: Int32, destination: Int32, rng: np.random.Generator) -> Moves:
    middle = rng.integers(0, cube.num_nodes, size=len(origin)).astype(np.int32)
    return _one_by_one(cube, origin, middle, destination)


def _valiant_at_once(cube: Cube, origin: Int32, destination: Int32, rng: np.random.Generator) -> Moves:
    middle = rng.integers(0, cube.num_nodes, size=len(origin))
    both = [_routes(cube, origin, middle), _routes(cube, middle, destination)]
    return move_in_queues(cube, origin, np.concatenate(both, axis=1))


def _one_by_one(cube: Cube, origin: Int32, middle: Int32, destination: Int32) -> Moves:
    """e-cube to the middle; when all are there, on to the destination."""
    phases = [move_in_queues(cube, a, _routes(cube, a, b)) for a, b in ((origin, middle), (middle, destination))]
    return np.concatenate(phases, axis=1)


def _two_halves(cube: Cube, origin: Int32, destination: Int32, rng: np.random.Generator) -> Moves:  # noqa: ARG001
    low = cube.radix ** (cube.dimensions // 2)
    middle = (destination // low * low + origin % low).astype(np.int32)
    return _one_by_one(cube, origin, middle, destination)


CUBE_ALGORITHMS: Mapping[str, CubeAlgorithm] = {
    "e-cube": CubeAlgorithm(
        "wrong digits from the left; links serve first come, first served",
        lambda cube, origin, destination, _: move_in_queues(cube, origin, _routes(cube, origin, destination)),
    ),
    "valiant-brebner": CubeAlgorithm(
        "by e-cube to a random node, and when all are there by e-cube to the destination", _valiant, random=True
    ),
    "valiant-brebner-at-once": CubeAlgorithm(
        "the same, but every packet goes on as soon as it is at its random node", _valiant_at_once, random=True
    ),
    "greedy": CubeAlgorithm(
        "no fixed routes: every link takes a packet that it brings nearer",
        lambda cube, origin, destination, _: move_greedily(cube, origin, destination),
    ),
    "borodin-hopcroft": CubeAlgorithm(
        "first half of the digits by e-cube with queues, and when all have done so the other half", _two_halves
    ),
    "hamiltonian": CubeAlgorithm(
        "Hamiltonian circuits of the two half-cubes in lockstep (our reconstruction; binary cubes)",
        lambda cube, origin, destination, _: hamiltonian_moves(cube, origin, destination),
        many_one=False,
    ),
}


def check_request(cube: Cube, destination: npt.ArrayLike, *, many_one: bool) -> tuple[Int32, Int32]:
    """(origin, destination) of the packets; a destination of -1 sends nothing.

    Raises InputError unless there is a node for every node, and each at most once unless ``many_one``.
    """
    image = np.asarray(destination)
    if image.shape != (cube.num_nodes,) or not np.issubdtype(image.dtype, np.integer):
        raise InputError(f"{image.shape} destinations were given; one for each of {cube.num_nodes} nodes was expected")
    wrong = np.nonzero((image < -1) | (image >= cube.num_nodes))[0]
    if len(wrong):
        u = int(wrong[0])
        raise InputError(f"node {u} sends to {int(image[u])}; nodes are 0 to {cube.num_nodes - 1}")
    origin = np.nonzero(image >= 0)[0].astype(np.int32)
    to = image[origin].astype(np.int32)
    count = np.bincount(to, minlength=cube.num_nodes)
    if not many_one and count.max(initial=0) > 1:
        v = int(count.argmax())
        a, b = (cube.label(int(x)) for x in origin[to == v][:2])
        raise InputError(f"{a} and {b} both send to {cube.label(v)}: that is not a permutation, but a many-one request")
    return origin, to


def run_on_cube(
    algorithm: str, cube: Cube, destination: npt.ArrayLike, *, many_one: bool = False, seed: int = 0
) -> TimedMoves:
    """What the algorithm does with one packet from each node, checked: all arrive, one packet for each link and step.

    ``destination``: by node, -1 for none.  Raises InputError for requests that the algorithm does not route.
    """
    chosen = CUBE_ALGORITHMS[algorithm]
    if many_one and not chosen.many_one:
        raise InputError(f"the algorithm {algorithm} routes permutations, not many-one requests")
    origin, to = check_request(cube, destination, many_one=many_one)
    run = TimedMoves(cube, origin, to, chosen.moves(cube, origin, to, np.random.default_rng(seed)))
    check_timed_moves(run)
    return run


def run_graph(graph: DestinationGraph, destination: npt.ArrayLike, *, many_one: bool = False) -> TimedMoves:
    """The request on a destination graph, checked.  Raises InputError, naming both packets, where two meet."""
    cube = graph.cube
    origin, to = check_request(cube, destination, many_one=many_one)
    run = TimedMoves(cube, origin, to, graph.moves[cube.subtract(origin, to)])
    check_timed_moves(run)
    return run


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
