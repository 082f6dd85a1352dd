"""How few steps a destination graph can have: counting bounds, each with its rule, and a formula for refutations.

In d steps a node without a zero digit must correct one digit at each step: its path is an order of the d dimensions.
The formula has a variable for each such node and order, a clause for each node (it has an order), and a clause for each
two packets that break C2: both make one move at one step, and differ before it and after it.  Other nodes and other
conditions are left out, so a refutation is a proof that no permutation graph has d steps; a solution says nothing
(the proof of their Theorem 3).

Sources: Hwang, Yao & Dasgupta (Lemma 1, the diameter); the slot bound and the bound on tight graphs are proved in the
documentation of destination graphs (Lemmas B and C).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from ..errors import InputError
from .destination_graph import Cube

MAX_VARIABLES = 4000


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


def num_variables(radix: int, dimensions: int) -> int:
    """(t - 1)^d d!"""
    return int((radix - 1) ** dimensions) * math.factorial(dimensions)


def tight_clauses(radix: int, dimensions: int) -> list[list[int]]:
    """The clauses, in a fixed order.  Variables are numbered by node (digits 1 .. t - 1, last fastest), then by order.

    Raises InputError for more than MAX_VARIABLES variables.
    """
    if radix < 2 or not 1 <= dimensions <= 8 or num_variables(radix, dimensions) > MAX_VARIABLES:
        raise InputError(f"the formula for a cube of {radix}^{dimensions} nodes is too large to write down")
    orders = list(itertools.permutations(range(dimensions)))
    nodes = list(itertools.product(range(1, radix), repeat=dimensions))
    clauses = []
    slots: dict[tuple[int, int, int], list[tuple[int, tuple[int, ...], tuple[int, ...]]]] = {}
    for at, node in enumerate(nodes):
        first = 1 + at * len(orders)
        clauses.append(list(range(first, first + len(orders))))
        for variable, order in enumerate(orders, first):
            for n, i in enumerate(order):
                before, after = (
                    tuple(x if m in some else 0 for m, x in enumerate(node)) for some in (order[:n], order[n + 1 :])
                )
                slots.setdefault((n, i, node[i]), []).append((variable, before, after))
    for members in slots.values():
        for (a, *one), (b, *two) in itertools.combinations(members, 2):
            if one[0] != two[0] and one[1] != two[1]:
                clauses.append([-a, -b])
    return clauses
