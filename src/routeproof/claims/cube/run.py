"""Claims about a run on a cube: the schedule of the evidence is walked again, packet by packet.

What is checked is the schedule itself: all packets arrive, no link is crossed by two at one step, and the counts are
its counts.  On a destination graph every packet's moves must be the graph's; algorithms with queues are run again, and
must take as many steps (``hamiltonian`` is not: there the schedule speaks for itself).  Of a sampled probability every
trial is run again.  The algorithms are written here once more, in plain Python, from their description and not from
``simulate``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.cube.destination_graph import Cube, DestinationGraph, TimedMoves, check_timed_moves
from ...core.errors import VerificationError
from ...formats.documents.packed_ints import unpack_ints
from ..kind import EXACT, HWANG, STOPPING, Kind, States, counts
from ..reading import as_numbers, as_whole, check_share, check_value
from ..shapes import FLAG, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Word
from ..work import spend

REPLAYED = ("e-cube", "valiant-brebner", "valiant-brebner-at-once", "borodin-hopcroft", "greedy")
RANDOM = ("valiant-brebner", "valiant-brebner-at-once")
"""Those that draw from a seed."""
CUBE_RUNS = ("cube-run", "cube-trials")
_MAX_MOVES = 1 << 26
_MAX_TRIALS = 100_000
_MAX_SEED = (1 << 63) - 1
_NOT_REPLAYED = "hamiltonian"


def check_one_request(claims: Sequence[Claim]) -> None:
    """Raise VerificationError unless all runs of a report are of one algorithm with the same packets."""
    runs = [x for x in claims if x.evidence.kind in CUBE_RUNS and "with" not in x.evidence.data]
    if len({(x.evidence.kind, *(str(x.evidence.data.get(k)) for k in ("algorithm", "destination"))) for x in runs}) > 1:
        raise VerificationError("its runs are of more than one algorithm, or with different packets")


def check_cube_run(cube: Cube, graph: DestinationGraph | None, claims: Sequence[Claim], claim: Claim) -> None:
    """Raises VerificationError (or InputError for packets that meet) unless the claim holds of the evidence."""
    if claim.evidence.kind == "cube-trials":
        if graph is not None:
            raise VerificationError("packets on a destination graph take no steps at random: there are no trials of it")
        _check_trials(cube, claim)
        return
    data = claim.evidence.data
    if "with" in data:  # the evidence is another claim's, which is checked in its own turn
        found = [x.evidence.data for x in claims if x.evidence.kind == "cube-run" and x.quantity == data["with"]]
        if len(found) != 1 or "with" in found[0]:
            raise VerificationError("it refers to the evidence of another claim, which is not there")
        run = _run(cube, found[0])
    else:
        run = _run(cube, data)
        check_timed_moves(run)
        _check_request(graph, run, data)
        _check_algorithm(cube, graph, run, data)
    counts = {"steps": run.steps, "moves": run.num_moves, "delivered": len(run.origin)}
    check_value(claim, counts[claim.quantity], "the schedule has")


def _check_algorithm(cube: Cube, graph: DestinationGraph | None, run: TimedMoves, data: Mapping[str, Any]) -> None:
    """The schedule takes as many steps and moves as the algorithm that it names, done again."""
    algorithm = data["algorithm"]
    if ("seed" in data) != (graph is None and algorithm in RANDOM):
        raise VerificationError("a seed belongs to algorithms that draw at random, and only to those")
    if graph is not None:
        if algorithm != "destination-graph":
            raise VerificationError(f"its packets move as a destination graph says, not by {algorithm[:40]!r}")
    elif algorithm in REPLAYED:
        seed = as_whole(data.get("seed", 0), "its seed", 0, _MAX_SEED)
        steps, moves = replayed_run(cube, algorithm, run.origin.tolist(), run.destination.tolist(), seed)
        if (steps, moves) != (run.steps, run.num_moves):
            raise VerificationError(
                f"its schedule has {run.steps} steps and {run.num_moves} moves; {algorithm} takes {steps} and {moves}"
            )
    elif algorithm != _NOT_REPLAYED:
        raise VerificationError(f"no algorithm on cubes is called {algorithm[:40]!r}")
    elif cube.radix != 2 or cube.dimensions < 2 or data["many_one"]:
        raise VerificationError("Hamiltonian circuits are for permutations on binary cubes, and its run is not one")


def _run(cube: Cube, data: Mapping[str, Any]) -> TimedMoves:
    origin, destination = (
        unpack_ints(data[key], what=f"its {key}", max_items=cube.num_nodes) for key in ("origin", "destination")
    )
    moves = unpack_ints(data["moves"], what="its moves", max_items=_MAX_MOVES)
    if (len(moves) % len(origin)) if len(origin) else len(moves):
        raise VerificationError(f"its moves are {len(moves)} for {len(origin)} packets; as many for each were expected")
    table = moves.reshape(len(origin), -1) if len(origin) else moves.reshape(0, 0)
    return TimedMoves(cube, origin, destination, table)


def _check_request(graph: DestinationGraph | None, run: TimedMoves, data: Mapping[str, Any]) -> None:
    """One packet from a node, one to a node unless many may share one; on a graph, the graph's moves."""
    if len(np.unique(run.origin)) < len(run.origin):
        raise VerificationError("two of its packets start at one node")
    if not data["many_one"] and len(np.unique(run.destination)) < len(run.destination):
        raise VerificationError("two of its packets have one destination, though it is said to be a permutation")
    if graph is None:
        return
    wanted = graph.moves[run.cube.subtract(run.origin, run.destination), : run.steps]
    if wanted.shape != run.moves.shape or not np.array_equal(wanted, run.moves):
        raise VerificationError("its packets do not move as the destination graph says")


def _check_trials(cube: Cube, claim: Claim) -> None:
    bound, value, data = claim.about["steps"], claim.interval, claim.evidence.data
    if not 1 <= value.trials <= _MAX_TRIALS or value.confidence != 0.99:
        raise VerificationError(f"an interval from 1 to {_MAX_TRIALS} trials was expected")
    algorithm, seed = data["algorithm"], as_whole(value.seed, "its seed", 0, _MAX_SEED)
    if algorithm not in REPLAYED:
        raise VerificationError(f"the algorithm {algorithm[:40]!r} cannot be run again here")
    to = as_numbers(data["destination"], "its destination", cube.num_nodes)
    if (to < -1).any() or (to >= cube.num_nodes).any():
        raise VerificationError(f"its destination must be a node, or -1 for none, for each of {cube.num_nodes} nodes")
    origin = np.nonzero(to >= 0)[0]
    start, end = origin.tolist(), to[origin].tolist()
    spend(value.trials * (200 + cube.num_nodes * cube.dimensions * 4), f"{value.trials:,} trials")
    steps = [replayed_run(cube, algorithm, start, end, seed + k)[0] for k in range(value.trials)]
    if data["histogram"] != [[x, steps.count(x)] for x in sorted(set(steps))]:
        raise VerificationError("its histogram is not that of its trials")
    hits = sum(x <= bound for x in steps)
    check_share(claim, hits, value.trials, f"trials with at most {bound} steps give")


def replayed_run(cube: Cube, algorithm: str, origin: list[int], destination: list[int], seed: int) -> tuple[int, int]:
    """How many steps and moves the algorithm (one of REPLAYED) takes for the packets, in order of origin."""
    t, d = cube.radix, cube.dimensions
    places = [t ** (d - 1 - i) for i in range(d)]
    if algorithm == "greedy":
        return _greedy(t, places, origin, destination)
    if algorithm == "e-cube":
        return _queued(t, places, [[a, b] for a, b in zip(origin, destination, strict=True)])
    if algorithm == "borodin-hopcroft":
        low = t ** (d // 2)
        middle = [b - b % low + a % low for a, b in zip(origin, destination, strict=True)]
    else:
        middle = np.random.default_rng(seed).integers(0, t**d, size=len(origin)).tolist()
    if algorithm == "valiant-brebner-at-once":
        return _queued(t, places, [list(x) for x in zip(origin, middle, destination, strict=True)])
    one = _queued(t, places, [list(x) for x in zip(origin, middle, strict=True)])
    two = _queued(t, places, [list(x) for x in zip(middle, destination, strict=True)])
    return one[0] + two[0], one[1] + two[1]


def _queued(t: int, places: list[int], stops: list[list[int]]) -> tuple[int, int]:
    """Packets from stop to stop, correcting digits from the left; links serve first come, first served."""
    ways: list[list[int]] = []
    for nodes in stops:
        way, at = [nodes[0]], nodes[0]
        for goal in nodes[1:]:
            for place in places:
                change = (goal // place % t - at // place % t) * place
                at += change
                if change:
                    way.append(at)
        ways.append(way)
    queues: dict[tuple[int, int], list[int]] = {}
    for p, way in enumerate(ways):
        if len(way) > 1:
            queues.setdefault((way[0], way[1]), []).append(p)
    done = [0] * len(ways)
    step = 0
    while queues:
        step += 1
        moved = sorted(line.pop(0) for line in queues.values())
        queues = {link: line for link, line in queues.items() if line}
        for p in moved:
            done[p] += 1
            if done[p] + 1 < len(ways[p]):
                queues.setdefault((ways[p][done[p]], ways[p][done[p] + 1]), []).append(p)
    return step, sum(done)


def _greedy(t: int, places: list[int], origin: list[int], destination: list[int]) -> tuple[int, int]:
    """Dimension after dimension, each link takes the packet with the longest way to go of those that it helps."""
    at = list(origin)
    step = moves = 0
    while at != destination:
        step += 1
        wrong = [[a // p % t != b // p % t for p in places] for a, b in zip(at, destination, strict=True)]
        ranked = sorted(range(len(at)), key=lambda p: (-sum(wrong[p]), p))
        moved: set[int] = set()
        before = list(at)
        for i, place in enumerate(places):
            taken: set[tuple[int, int]] = set()
            for p in ranked:
                if p in moved or not wrong[p][i]:
                    continue
                head = before[p] + (destination[p] // place % t - before[p] // place % t) * place
                if (before[p], head) not in taken:
                    taken.add((before[p], head))
                    moved.add(p)
                    at[p] = head
        moves += len(moved)
    return step, moves


_RUN = Keys(
    {"algorithm": TEXT, "many_one": FLAG, "origin": NUMBERS, "destination": NUMBERS, "moves": NUMBERS}, {"seed": WHOLE}
)
_SOURCES = frozenset({f"{HWANG}, sec. 1 and 3"})
CUBE_RUN = Kind(
    "cube-run",
    "The move of every packet at every step, checked: no channel carries two packets at once.",
    Either("with", Keys({"with": Word("steps")}), _RUN),
    counts(("steps", "moves", "delivered"), _RUN),
    _SOURCES,
    subjects=frozenset({"destination-graph"}),
)
CUBE_TRIALS = Kind(
    "cube-trials",
    "Random runs, each with a seed of its own, run again by other code.",
    Keys({"algorithm": TEXT, "destination": NUMBERS, "histogram": ListOf(ListOf(WHOLE))}, STOPPING),
    {"probability_within": States(EXACT, Grade.SAMPLED, Keys({"steps": WHOLE}))},
    _SOURCES,
    subjects=frozenset({"destination-graph"}),
)
