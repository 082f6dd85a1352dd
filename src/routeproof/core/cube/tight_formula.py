"""A propositional formula that holds if the t-nary d-cube has a permutation graph of d steps.

In d steps a node without a zero digit must correct one digit at each step: its path is an order of the d dimensions.
There is a variable for each such node and order, a clause for each node (it has an order), and a clause for each two
packets that break C2: both make one move at one step, and differ before it and after it.  Other nodes and other
conditions are left out, so a refutation is a proof that there is no such graph; a solution says nothing.
Source: the proof of Theorem 3, Hwang, Yao & Dasgupta.
"""

from __future__ import annotations

import itertools
import math

from ..errors import InputError

__all__ = ["MAX_VARIABLES", "num_variables", "tight_clauses"]

MAX_VARIABLES = 4000


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
                before, after = [0] * dimensions, [0] * dimensions
                for m in order[:n]:
                    before[m] = node[m]
                for m in order[n + 1 :]:
                    after[m] = node[m]
                slots.setdefault((n, i, node[i]), []).append((variable, tuple(before), tuple(after)))
    for members in slots.values():
        for (a, *one), (b, *two) in itertools.combinations(members, 2):
            if one[0] != two[0] and one[1] != two[1]:
                clauses.append([-a, -b])
    return clauses
