"""Upfal's algorithm once more, slowly: dictionaries of packets, written from the text and not from the fast code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Packet:
    permutation: int
    target: int
    load: int

    @property
    def wave(self) -> int:
        return self.permutation * self.load + self.target % self.load


class SlowRun:
    """``wire[level][colour][row]`` as lists; ``steps()`` yields (step, {(level, row): packet}) after every step."""

    def __init__(self, wire, images, load, dead=frozenset()):
        self.wire, self.dead = wire, dead
        self.levels, self.colours, self.rows = len(wire), len(wire[0]), len(wire[0][0])
        self.at: dict[tuple[int, int], Packet] = {}
        self.waiting: list[list[Packet]] = [[] for _ in range(self.rows)]
        self.count = 0
        for p, image in enumerate(images):
            for i, target in enumerate(image):
                if target >= 0:
                    self.waiting[i].append(Packet(p, target, load))
                    self.count += 1
        self.arrived: dict[Packet, int] = {}
        self.moves = self.swaps = 0

    def _feed(self) -> bool:
        """Every input takes the lowest wave of its own packet and its queue."""
        changed = False
        for r in range(self.rows):
            if not self.waiting[r]:
                continue
            best = min(self.waiting[r], key=lambda x: (x.wave, x.target))
            own = self.at.get((0, r))
            if own is not None and own.wave <= best.wave:
                continue
            self.waiting[r].remove(best)
            if own is not None:
                self.waiting[r].append(own)
            self.at[0, r] = best
            changed = True
        return changed

    def _way(self, level: int, target: int) -> int:
        return int(format(target, f"0{self.levels}b")[level])

    def _colour(self, parity: int, colour: int, step: int) -> None:
        for level in range(parity, self.levels, 2):
            for r in range(self.rows):
                packet = self.at.get((level, r))
                if packet is None or (level, r) in self.dead:
                    continue
                head = self.wire[level][colour][r]
                if self._way(level, head) != self._way(level, packet.target) or (level + 1, head) in self.dead:
                    continue
                if level + 1 == self.levels:
                    assert head == packet.target
                    assert packet not in self.arrived
                    self.arrived[packet] = step
                    del self.at[level, r]
                    self.moves += 1
                    continue
                other = self.at.get((level + 1, head))
                if other is None:
                    self.at[level + 1, head] = packet
                    del self.at[level, r]
                    self.moves += 1
                elif other.wave > packet.wave:
                    self.at[level + 1, head], self.at[level, r] = packet, other
                    self.swaps += 1

    def steps(self) -> Iterator[tuple[int, dict[tuple[int, int], Packet]]]:
        step = 0
        while len(self.arrived) < self.count:
            before = (self.moves, self.swaps)
            fed = self._feed()
            for parity in (0, 1):
                for colour in range(self.colours):
                    step += 1
                    self._colour(parity, colour, step)
                    yield step, self.at
            if before == (self.moves, self.swaps) and not fed:
                return


def slow_greedy(wire, images):
    """Steps of greedy routing with queues: {(permutation, target): step of arrival}."""
    levels, colours, rows = len(wire), len(wire[0]), len(wire[0][0])
    queue = {(lv, side, r): [] for lv in range(levels) for side in (0, 1) for r in range(rows)}

    def side(level, row):
        return row >> (levels - 1 - level) & 1

    count = 0
    for p, image in enumerate(images):
        for i, target in enumerate(image):
            if target >= 0:
                queue[0, side(0, target), i].append((p, target))
                count += 1
    arrived, step = {}, 0
    while len(arrived) < count:
        step += 1
        coming = []
        for level in range(levels):
            for colour in range(colours):
                for r in range(rows):
                    head = wire[level][colour][r]
                    line = queue[level, side(level, head), r]
                    if line:
                        coming.append((level + 1, head, line.pop(0)))
        for level, head, (p, target) in coming:
            if level == levels:
                assert head == target
                arrived[p, target] = step
            else:
                queue[level, side(level, target), head].append((p, target))
    return arrived
