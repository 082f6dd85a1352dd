"""Circuits with placeholders and cancellations once more, switch by switch, from the conventions alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.errors import VerificationError
from ...core.multistage.wiring import Wiring
from ..work import spend


@dataclass
class _Switch:
    """A switch in use: the circuit on it (None: a placeholder), what it reached and reserved, who needs it."""

    circuit: int | None = None
    given_up: bool = False
    reached: dict[int, int] = field(default_factory=dict)  # direction -> colour
    asked_for: set[int] = field(default_factory=set)  # directions in which placeholders were sent
    needed_by: set[tuple[int, int]] = field(default_factory=set)  # (colour, row) of the edges
    owned: bool = False


def replay_pipelined(
    wiring: Wiring, image: npt.NDArray[np.int64], load: int, rho: Fraction, distance: int, alive: npt.NDArray[np.bool_]
) -> tuple[dict[str, int], list[int]]:
    """steps, stages, moves, swaps, delivered, bit_steps, placeholders and cancellations; and the steps by phase."""
    spend(20 * wiring.log_inputs * wiring.wire.size / load, "a run with placeholders")
    run = _Run(wiring, image, load, alive)
    rounds: list[int] = []
    while any(0 <= level < run.n for level, _ in run.front.values()):
        phase = len(rounds)
        rounds.append(run.extend(phase, rho))
        if phase < run.n:
            run.hold(phase)
        gone = 0
        for _ in range(distance):
            sent = run.cancel()
            gone += sent
            if not sent:  # nor by any later level: nothing has changed
                break
        if phase >= run.n and not rounds[-1] and not gone:
            run.drop()
    delivered = sum(level == run.n for level, _ in run.front.values())
    steps, stages = sum(rounds), len(rounds)
    counts = {"steps": steps, "stages": stages, "moves": run.moves, "swaps": 0, "delivered": delivered}
    counts |= {"bit_steps": 3 * steps + stages * (1 + distance)}
    counts |= {"placeholders": run.placeholders, "cancellations": run.cancellations}
    return counts, rounds


class _Run:
    def __init__(self, wiring: Wiring, image: npt.NDArray[np.int64], load: int, alive: npt.NDArray[np.bool_]) -> None:
        self.n = wiring.log_inputs
        self.wire = wiring.wire.tolist()
        self.alive = alive
        self.goal = {t: int(j) * load for t, j in enumerate(image.tolist()) if j >= 0}
        self.front: dict[int, tuple[int, int]] = {t: (0, t * load) for t in self.goal}
        self.levels: list[dict[int, _Switch]] = [{} for _ in range(self.n + 1)]
        for t, (_, row) in self.front.items():
            self.levels[0][row] = _Switch(circuit=t)
        self.moves = self.placeholders = self.cancellations = 0

    def side(self, level: int, row: int) -> int:
        return row >> (self.n - 1 - level) & 1

    def needs(self, level: int, row: int) -> set[int]:
        """The directions in which this switch needs an output."""
        switch = self.levels[level].get(row)
        if switch is None or switch.given_up:
            return set()
        if switch.circuit is None:
            return {0, 1}
        return {self.side(level, self.goal[switch.circuit])}

    def open(self, level: int) -> list[tuple[int, int]]:
        """(row, direction) of what is not extended."""
        here = self.levels[level]
        return [(r, q) for r in here for q in self.needs(level, r) - here[r].reached.keys()]

    def heads(self, level: int, row: int, direction: int) -> list[tuple[int, int]]:
        """(colour, head) of the working edges of a switch in a direction."""
        found = [(c, heads[row]) for c, heads in enumerate(self.wire[level])]
        return [(c, h) for c, h in found if self.side(level, h) == direction and self.alive[level + 1, h]]

    def extend(self, phase: int, rho: Fraction) -> int:
        levels = range(min(phase, self.n - 1) + 1)
        start = self.census(levels)
        rested = set(self.front)
        steps = 0
        while True:
            changed = sum(self.one_step(level) for level in levels) > 0
            for t in sorted(rested):
                level, row = self.front[t]
                if 0 <= level < self.n:
                    colour = self.levels[level][row].reached.get(self.side(level, self.goal[t]))
                    if colour is not None:
                        head = self.wire[level][colour][row]
                        self.levels[level + 1][head].circuit = t
                        self.front[t] = (level + 1, head)
                        self.moves += 1
                        rested.discard(t)
                        changed = True
            if not changed:
                return steps
            steps += 1
            now = self.census(levels)
            if all(now[key] <= rho * count for key, count in start.items()):
                return steps

    def census(self, levels: range) -> Counter[tuple[int, int, int]]:
        """How many are unextended by level, block and direction."""
        return Counter((level, r >> (self.n - level), q) for level in levels for r, q in self.open(level))

    def one_step(self, level: int) -> bool:
        asked: dict[int, list[tuple[int, int]]] = {}
        unextended = self.open(level)
        for r, q in unextended:
            for head in {h for _, h in self.heads(level, r, q)}:
                asked.setdefault(head, []).append((r, q))
        won = []
        for r, q in unextended:
            mine = [(c, h) for c, h in self.heads(level, r, q) if asked[h] == [(r, q)]]
            if mine:
                won.append((r, q, *mine[0]))
        for r, q, c, h in won:
            there = self.levels[level + 1].setdefault(h, _Switch())
            if there.owned or (there.needed_by and (c, r) not in there.needed_by):
                raise VerificationError("a proposal hits a switch that is another's")
            there.owned = True
            there.needed_by.add((c, r))
            self.levels[level][r].reached[q] = c
        return bool(won)

    def hold(self, level: int) -> None:
        for r, q in self.open(level):
            self.levels[level][r].asked_for.add(q)
            for c, h in self.heads(level, r, q):
                if h not in self.levels[level + 1]:
                    self.levels[level + 1][h] = _Switch()
                    self.placeholders += 1
                self.levels[level + 1][h].needed_by.add((c, r))

    def cancel(self) -> int:
        """Cancellations by one level: first who sends one, then what follows from them."""
        sent = []
        for level in range(1, self.n + 1):
            for h, switch in self.levels[level].items():
                q = self.side(level - 1, h)
                for c, r in switch.needed_by:
                    before = self.levels[level - 1].get(r)
                    keeps = before is not None and q in self.needs(level - 1, r)
                    if keeps and before is not None:
                        keeps = before.reached[q] == c if q in before.reached else q in before.asked_for
                    if not keeps:
                        sent.append((level, h, (c, r)))
        for level, h, edge in sent:
            switch = self.levels[level][h]
            switch.needed_by.discard(edge)
            if not switch.needed_by and switch.circuit is None:
                del self.levels[level][h]
        self.cancellations += len(sent)
        return len(sent)

    def drop(self) -> None:
        """The paths that are farthest behind give up."""
        least = min(level for level, _ in self.front.values() if 0 <= level < self.n)
        for t, (level, row) in list(self.front.items()):
            if level == least:
                self.levels[level][row].given_up = True
                self.front[t] = (-1, row)
