"""How few steps a destination graph can have: counting bounds, each with its rule.

Sources: Hwang, Yao & Dasgupta (Lemma 1, the diameter); the slot bound and the bound on tight graphs are proved in the
documentation of destination graphs (Lemmas B and C).
"""

from __future__ import annotations

from dataclasses import dataclass

from .destination_graph import Cube

__all__ = ["LowerBound", "least_steps", "lower_bounds"]


@dataclass(frozen=True)
class LowerBound:
    """Every graph of the kind has at least ``steps`` steps; ``rule`` is the reason's name, ``because`` one line."""

    steps: int
    rule: str
    because: str


def lower_bounds(radix: int, dimensions: int, *, many_one: bool) -> tuple[LowerBound, ...]:
    """All that apply, the best one first.  ``many_one``: of many-one graphs, else of permutation graphs."""
    cube = Cube(radix, dimensions)
    t, d, size, types = radix, dimensions, cube.num_nodes, cube.num_types
    found = [LowerBound(d, "diameter", f"two nodes are {d} links apart")]
    if many_one:
        least = -(-(size - 1) // types)
        found.append(LowerBound(least, "lemma-1", f"{size - 1} packets enter a node by {types} links"))
    else:
        steps = next(s for s in range(size) if _most_sums(types * s) >= size)
        found.append(
            LowerBound(steps, "slots", f"p prefix and q suffix slots make at most (1 + p)(1 + q) of {size} nodes")
        )
        if d >= 3 and 6 * (t - 1) ** (d - 2) > d * d * (d - 1):
            found.append(LowerBound(d + 1, "tight", f"a graph of {d} steps needs (t - 1)^(d - 2) <= d^2 (d - 1) / 6"))
    return tuple(sorted(found, key=lambda x: -x.steps))


def _most_sums(slots: int) -> int:
    """The most of (1 + p)(1 + q) for p + q = slots."""
    return (1 + slots // 2) * (1 + (slots + 1) // 2)


def least_steps(radix: int, dimensions: int, *, many_one: bool) -> LowerBound:
    """The best of ``lower_bounds``."""
    return lower_bounds(radix, dimensions, many_one=many_one)[0]
