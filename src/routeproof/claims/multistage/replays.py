"""Runs on multistage networks once more, in plain numpy and Python, from the conventions and not from ``simulate``."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.errors import VerificationError
from ...core.multistage.wiring import Wiring
from ..reading import as_fraction
from .circuit_replays import replay_pipelined

_NONE = np.int64(1) << 62  # no packet: later than every wave


def check_levels(wiring: Wiring) -> None:
    """Raise VerificationError for a multi-Benes network: packets, circuits and faults have log2 N levels of edges."""
    if wiring.reversed_levels:
        raise VerificationError(
            f"its network has {wiring.num_edge_levels} levels of edges; such runs are on {wiring.log_inputs} "
            f"(log2 of its inputs)"
        )


def replay(
    algorithm: str, wiring: Wiring, images: Int64, load: int, alive: Bools, settings: Mapping[str, Any]
) -> tuple[dict[str, int], list[int]]:
    """The counts of a run, and the steps of circuits by level or phase; circuits are of the first image alone."""
    if algorithm == "greedy":
        return _greedy(wiring, images, alive), []
    if algorithm == "upfal":
        return _upfal(wiring, images, load, alive), []
    if algorithm == "simple":
        return _circuits(wiring, images[0], load, alive)
    rho, distance = as_fraction(settings.get("rho"), "rho"), settings.get("distance")
    if not 0 <= rho < 1 or type(distance) is not int or not 1 <= distance <= 1 << 20:
        raise VerificationError("its rho or its distance of cancellations is outside its range")
    return replay_pipelined(wiring, images[0], load, rho, distance, alive)


def replay_faults(wiring: Wiring, faulty: Bools, epsilon: Fraction, threshold: int) -> tuple[Bools, Bools]:
    """(erased, declared), bool, shape (n + 1, N)."""
    if not 1 <= threshold <= wiring.multiplicity or not 0 <= epsilon <= 1:
        raise VerificationError("its epsilon or threshold is outside its range")
    n, rows = wiring.log_inputs, wiring.inputs
    erased = np.zeros((n + 1, rows), dtype=np.bool_)
    for level in range(n + 1):
        size = rows >> level
        for start in range(0, rows, size):
            if Fraction(int(faulty[level, start : start + size].sum()), size) > epsilon:
                erased[level:, start : start + size] = True
    declared = np.zeros_like(erased)
    for level in reversed(range(n)):
        down = wiring.wire[level] >> (n - 1 - level) & 1
        lost = ((faulty | declared) & ~erased)[level + 1][wiring.wire[level]]
        worst = np.maximum((lost & (down == 1)).sum(axis=0), (lost & (down == 0)).sum(axis=0))
        declared[level] = (worst >= threshold) & ~erased[level] & ~faulty[level]
    return erased, declared


def survivors(wiring: Wiring, faulty: Bools, epsilon: Fraction, threshold: int) -> Bools:
    """bool, shape (n + 1, N): the switches that neither failed nor are erased or declared faulty."""
    erased, declared = replay_faults(wiring, faulty, epsilon, threshold)
    return ~(erased | declared | faulty)


def _upfal(wiring: Wiring, images: Int64, load: int, alive: Bools) -> dict[str, int]:
    """steps, stages, moves, swaps and delivered of Upfal's algorithm."""
    n, rows, colours = wiring.log_inputs, wiring.inputs, wiring.wire.shape[1]
    wave = np.full((n, rows), _NONE)
    goal = np.zeros((n, rows), dtype=np.int64)
    waiting: list[list[tuple[int, int]]] = [[] for _ in range(rows)]
    for p, i in zip(*(x.tolist() for x in np.nonzero(images >= 0)), strict=True):
        heappush(waiting[i], (p * load + int(images[p, i]) % load, int(images[p, i])))
    packets = sum(map(len, waiting))
    busy = {i for i in range(rows) if waiting[i]}
    step = last = moves = swaps = delivered = 0
    while delivered < packets:
        before = (moves, swaps, delivered)
        fed = False
        for i in sorted(busy):
            best = waiting[i][0]
            own = (int(wave[0, i]), int(goal[0, i]))
            if best[0] < own[0]:
                heappop(waiting[i])
                if own[0] != _NONE:
                    heappush(waiting[i], own)
                wave[0, i], goal[0, i] = best
                fed = True
        busy = {i for i in busy if waiting[i]}
        for parity in (0, 1):
            for colour in range(colours):
                step += 1
                for level in range(parity, n, 2):
                    head = wiring.wire[level, colour]
                    free = np.nonzero(
                        (wave[level] < _NONE)
                        & ((goal[level] ^ head) >> (n - 1 - level) & 1 == 0)
                        & alive[level + 1][head]
                    )[0]
                    if level == n - 1:
                        if np.any(goal[level, free] != head[free]):
                            raise VerificationError("a packet arrives at a wrong output")
                        wave[level, free] = _NONE
                        delivered += len(free)
                        moves += len(free)
                        last = step if len(free) else last
                        continue
                    there = head[free]
                    go = wave[level, free] < wave[level + 1, there]
                    at, there = free[go], there[go]
                    empty = int(np.count_nonzero(wave[level + 1, there] == _NONE))
                    moves, swaps = moves + empty, swaps + len(at) - empty
                    for table in (wave, goal):
                        table[level, at], table[level + 1, there] = table[level + 1, there], table[level, at].copy()
        if before == (moves, swaps, delivered) and not fed:
            break
    stages = -(-last // (2 * colours))
    return {"steps": last, "stages": stages, "moves": moves, "swaps": swaps, "delivered": delivered}


def _greedy(wiring: Wiring, images: Int64, alive: Bools) -> dict[str, int]:
    """steps, moves and delivered of greedy routing with queues."""
    n = wiring.log_inputs
    wire = wiring.wire.tolist()
    queues: list[dict[tuple[int, int], deque[int]]] = [{} for _ in range(n)]
    for _, i, goal in sorted((p, i, int(images[p, i])) for p, i in np.argwhere(images >= 0).tolist()):
        queues[0].setdefault((i, goal >> (n - 1) & 1), deque()).append(goal)
    step = last = moves = delivered = 0
    while True:
        step += 1
        coming: list[tuple[int, int, int]] = []
        for level in range(n):
            for colour in range(len(wire[level])):
                for (row, side), line in sorted(queues[level].items()):
                    head = wire[level][colour][row]
                    if line and head >> (n - 1 - level) & 1 == side and alive[level + 1, head]:
                        coming.append((level + 1, head, line.popleft()))
        if not coming:
            return {"steps": last, "moves": moves, "delivered": delivered}
        moves += len(coming)
        for level, head, goal in coming:
            if level < n:
                queues[level].setdefault((head, goal >> (n - 1 - level) & 1), deque()).append(goal)
                continue
            if head != goal:
                raise VerificationError("a packet arrives at a wrong output")
            delivered, last = delivered + 1, step


def _circuits(wiring: Wiring, image: Int64, load: int, alive: Bools) -> tuple[dict[str, int], list[int]]:
    """steps, stages, moves, swaps, delivered and bit_steps of the simple algorithm, and the steps by level."""
    n = wiring.log_inputs
    at = {t * load: int(j) * load for t, j in enumerate(image.tolist()) if j >= 0}  # row -> goal of the paths
    rounds: list[int] = []
    moves = 0
    for level in range(n):
        ahead: dict[int, int] = {}
        count = 0
        while at:
            asked: dict[int, list[int]] = {}
            for row, goal in at.items():
                ways = {int(h) for h in wiring.wire[level, :, row] if (int(h) ^ goal) >> (n - 1 - level) & 1 == 0}
                for head in ways:
                    if alive[level + 1, head]:
                        asked.setdefault(head, []).append(row)
            if not set(asked).isdisjoint(ahead):
                raise VerificationError("a proposal hits a switch that is on a path")
            moved = False
            for row in list(at):
                heads = [int(h) for h in wiring.wire[level, :, row] if asked.get(int(h)) == [row]]
                if heads:
                    ahead[heads[0]] = at.pop(row)
                    moved = True
            if not moved:
                break
            count += 1
        rounds.append(count)
        moves += len(ahead)
        at = ahead
    if any(row != goal for row, goal in at.items()):
        raise VerificationError("a circuit ends at a wrong output")
    counts = {"steps": sum(rounds), "stages": n, "moves": moves, "swaps": 0, "delivered": len(at)}
    counts["bit_steps"] = 3 * sum(rounds)
    return counts, rounds
