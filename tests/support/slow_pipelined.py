"""Circuits with placeholders and cancellations, written from section 3.2 with sets of facts; slow, and on its own.

Facts: ``on[(level, row)]`` = circuit; ``holders[(level, row)]`` = the (level - 1, row, colour) that hold it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Switch = tuple[int, int]


def slow_pipelined(
    wire: Any, wanted: dict[int, int], dead: set[Switch], rho: Fraction, distance: int
) -> dict[str, Any]:
    """``wanted``: {source row: target row}.  Paths as lists of rows, steps by phase, and the counts."""
    n = len(wire)
    paths = {s: [s] for s in wanted}
    failed: set[int] = set()
    on: dict[Switch, int] = {(0, s): s for s in wanted}
    holders: dict[Switch, set[tuple[int, int, int]]] = {}
    link: dict[tuple[int, int, int], int] = {}  # (level, row, direction) -> colour
    flooded: set[tuple[int, int, int]] = set()

    def direction(level: int, row: int) -> int:
        return int(format(row, f"0{n}b")[level])

    def needs(level: int, row: int) -> list[int]:
        if (level, row) in on:
            s = on[level, row]
            return (
                []
                if s in failed and paths[s][-1] == row and len(paths[s]) == level + 1
                else [direction(level, wanted[s])]
            )
        return [0, 1] if holders.get((level, row)) else []

    def unextended(level: int) -> list[tuple[int, int]]:
        rows = {r for k, r in on if k == level} | {r for (k, r), who in holders.items() if k == level and who}
        return sorted((r, q) for r in rows for q in needs(level, r) if (level, r, q) not in link)

    def edges(level: int, row: int, q: int) -> list[tuple[int, int]]:
        pairs = [(c, wire[level][c][row]) for c in range(len(wire[level]))]
        return [(c, h) for c, h in pairs if direction(level, h) == q and (level + 1, h) not in dead]

    def groups(levels: range) -> dict[tuple[int, str, int], int]:
        result: dict[tuple[int, str, int], int] = {}
        for level in levels:
            for r, q in unextended(level):
                key = (level, format(r, f"0{n}b")[:level], q)
                result[key] = result.get(key, 0) + 1
        return result

    rounds: list[int] = []
    placeholders = cancellations = moves = 0
    while any(s not in failed and len(paths[s]) <= n for s in wanted):
        phase = len(rounds)
        active = range(min(phase, n - 1) + 1)
        start = groups(active)
        moved: set[int] = set()
        count = 0
        while True:
            happened = 0
            accepted = []
            for level in active:
                who = unextended(level)
                proposals = [(h, r, q) for r, q in who for h in sorted({h for _, h in edges(level, r, q)})]
                heads = [h for h, _, _ in proposals]
                for r, q in who:
                    for c, h in edges(level, r, q):
                        if heads.count(h) == 1:
                            accepted.append((level, r, q, c, h))
                            break
            for level, r, q, c, h in accepted:
                link[level, r, q] = c
                assert (level + 1, h) not in on
                assert all(
                    x == (level, r, c) or link.get((x[0], x[1], q)) != x[2] for x in holders.get((level + 1, h), ())
                )
                holders.setdefault((level + 1, h), set()).add((level, r, c))
                happened += 1
            for s in wanted:
                level, r = len(paths[s]) - 1, paths[s][-1]
                if s not in failed and s not in moved and level < n:
                    c = link.get((level, r, direction(level, wanted[s])))
                    if c is not None:
                        h = wire[level][c][r]
                        paths[s].append(h)
                        on[level + 1, h] = s
                        moved.add(s)
                        moves += 1
                        happened += 1
            if not happened:
                break
            count += 1
            now = groups(active)
            if all(now.get(key, 0) <= rho * before for key, before in start.items()):
                break
        rounds.append(count)
        if phase < n:
            for r, q in unextended(phase):
                flooded.add((phase, r, q))
                for c, h in edges(phase, r, q):
                    if (phase + 1, h) not in on and not holders.get((phase + 1, h)):
                        placeholders += 1
                    holders.setdefault((phase + 1, h), set()).add((phase, r, c))
        gone = 0
        for _ in range(distance):
            over = []
            for (level, h), who in holders.items():
                q = direction(level - 1, h)
                for k, r, c in who:
                    if q not in needs(k, r) or link.get((k, r, q), c if (k, r, q) in flooded else None) != c:
                        over.append(((level, h), (k, r, c)))
            for head, edge in over:
                holders[head].discard(edge)
            gone += len(over)
        cancellations += gone
        if phase >= n and not count and not gone:
            level = min(len(paths[s]) for s in wanted if s not in failed and len(paths[s]) <= n)
            failed |= {s for s in wanted if len(paths[s]) == level and s not in failed}
    return {
        "paths": paths,
        "rounds": rounds,
        "moves": moves,
        "placeholders": placeholders,
        "cancellations": cancellations,
    }
