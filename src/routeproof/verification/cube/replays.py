"""Reference algorithms on cubes once more, in plain Python, from their description and not from ``simulate``."""

from __future__ import annotations

import numpy as np

from ...core.cube.destination_graph import Cube

__all__ = ["RANDOM", "REPLAYED", "replayed_run"]

REPLAYED = ("e-cube", "valiant-brebner", "valiant-brebner-at-once", "borodin-hopcroft", "greedy")
RANDOM = ("valiant-brebner", "valiant-brebner-at-once")
"""Those that draw from a seed."""


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
