"""Expected visits in a set of states that a random walk leaves sooner or later: exact sparse elimination."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction


class Elimination:
    """``moves[v]``: (w, probability) of the steps from v that stay inside; the rest of the probability leaves.

    Vertices are eliminated one by one, the one with the fewest ways through it first; what went in by u and out by w
    becomes a step from u to w.  This is sparse Gaussian elimination of I - P without pivoting, exact in fractions;
    no pivot is zero as long as the outside can be reached from every vertex (the caller's duty).
    """

    def __init__(self, moves: Mapping[int, Iterable[tuple[int, Fraction]]]) -> None:
        out: dict[int, dict[int, Fraction]] = {v: {} for v in moves}
        into: dict[int, set[int]] = {v: set() for v in moves}
        for v, steps in moves.items():
            for w, p in steps:
                out[v][w] = out[v].get(w, Fraction(0)) + p
                into[w].add(v)
        # (vertex, 1 / (1 - probability to come back at once), what it passes on, by whom it is entered)
        self._steps: list[tuple[int, Fraction, list[tuple[int, Fraction]], list[tuple[int, Fraction]]]] = []
        while out:
            v = min(out, key=lambda x: (len(out[x]) * len(into[x]), x))
            stay = out[v].pop(v, Fraction(0))
            into[v].discard(v)
            factor = 1 / (1 - stay)
            passes = [(w, p * factor) for w, p in out.pop(v).items()]
            enters = [(u, out[u].pop(v)) for u in sorted(into.pop(v))]
            for w, _ in passes:
                into[w].discard(v)
            for u, p in enters:
                for w, q in passes:
                    out[u][w] = out[u].get(w, Fraction(0)) + p * q
                    into[w].add(u)
            self._steps.append((v, factor, passes, enters))

    def visits(self, inflow: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """How often each vertex is visited on average, when ``inflow[v]`` walks start at v; zeros left out."""
        waiting = dict(inflow)
        for v, _, passes, _ in self._steps:
            x = waiting.get(v)
            if x:
                for w, q in passes:
                    waiting[w] = waiting.get(w, Fraction(0)) + x * q
        result: dict[int, Fraction] = {}
        for v, factor, _, enters in reversed(self._steps):
            x = waiting.get(v, Fraction(0)) + sum((result[u] * p for u, p in enters if u in result), Fraction(0))
            if x:
                result[v] = x * factor
        return result
