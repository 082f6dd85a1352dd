"""Two-phase walks with their loops cut out, by writing out every walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from .lines import Line

Vector = tuple[int, ...]
Step = tuple[int, int]
"""(dimension, direction)"""


def without_loops(start: Vector, steps: Sequence[Step], radix: Sequence[int]) -> list[tuple[Vector, int, int]]:
    """The path left of a walk on a torus: whenever it comes to a node for the second time, what lies between goes.

    As (node that is left, dimension, direction); directions are 0 for + and 1 for -.
    """
    path: list[tuple[Vector, int, int]] = []
    here = start
    at = {start: 0}
    for m, d in steps:
        path.append((here, m, d))
        here = (*here[:m], (here[m] + 1 - 2 * d) % radix[m], *here[m + 1 :])
        if here in at:
            for node, _, _ in path[at[here] + 1 :]:
                del at[node]
            del path[at[here] :]
        at[here] = len(path)
    return path


def paths_without_loops(
    lines: Sequence[Line], start: Vector, delta: Vector, first: Vector, second: Vector
) -> Iterator[tuple[Fraction, list[tuple[Vector, int, int]]]]:
    """(probability, path) of every walk from ``start`` to ``start + delta`` through a uniform node.

    Phases go in the dimension orders ``first`` and ``second``; two walks may leave the same path.
    """
    radix = [line.radix for line in lines]
    for way in product(*(line.walks(0, x) for line, x in zip(lines, delta, strict=True))):
        share = Fraction(1)
        for x, _, _ in way:
            share *= x
        steps = [(m, d) for m in first for d in way[m][1]] + [(m, d) for m in second for d in way[m][2]]
        yield share, without_loops(start, steps, radix)


def loads_without_loops(
    lines: Sequence[Line], first: Vector, second: Vector
) -> dict[Vector, dict[tuple[Vector, int, int], Fraction]]:
    """Loads by displacement of those paths."""
    start = (0,) * len(lines)
    result: dict[Vector, dict[tuple[Vector, int, int], Fraction]] = {}
    for delta in product(*(range(line.radix) for line in lines)):
        if any(delta):
            loads = result.setdefault(delta, {})
            for share, path in paths_without_loops(lines, start, delta, first, second):
                for key in path:
                    loads[key] = loads.get(key, Fraction(0)) + share
    return result
