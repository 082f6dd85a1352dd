"""Lemmas A, B and C of the documentation, against everything there is on small cubes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.cube.conditions import judge_conditions
from routeproof.core.cube.destination_graph import Cube, DestinationGraph
from routeproof.routing.grid.destination_graph import find_meeting


def all_graphs(radix: int, dimensions: int, steps: int) -> list[DestinationGraph]:
    """Every graph of at most so many steps whose packets move at most ``dimensions`` times."""
    cube = Cube(radix, dimensions)
    choices: list[list[tuple[int, ...]]] = [[] for _ in range(cube.num_nodes)]
    for row in itertools.product(range(cube.num_types + 1), repeat=steps):
        end = 0
        for k in row:
            end = int(cube.add([end], [cube.vector[k]])[0])
        if sum(k > 0 for k in row) <= dimensions:
            choices[end].append(row)
    choices[0] = [(0,) * steps]
    return [DestinationGraph(cube, np.array(rows)) for rows in itertools.product(*choices)]


def slots(graph: DestinationGraph) -> list[tuple[set[int], set[int]]]:
    """For every slot in use, the prefixes and the suffixes of its packets."""
    found = []
    for n in range(graph.steps):
        for k in range(1, graph.cube.num_types + 1):
            who = np.nonzero(graph.moves[:, n] == k)[0]
            if len(who):
                found.append((set(graph.prefix[who, n].tolist()), set(graph.position[who, n + 1].tolist())))
    return found


@pytest.mark.parametrize(("radix", "dimensions", "steps"), [(2, 2, 2), (2, 2, 3), (3, 1, 2)])
def test_lemmas_a_and_b_on_all_graphs(radix: int, dimensions: int, steps: int) -> None:
    graphs = all_graphs(radix, dimensions, steps)
    assert len(graphs) >= 4
    valid = 0
    for graph in graphs:
        shared = slots(graph)
        one_prefix = all(len(before) == 1 for before, _ in shared)
        assert one_prefix == (find_meeting(graph, many_one=True) is None) == judge_conditions(graph).many_one.holds
        either = all(len(before) == 1 or len(after) == 1 for before, after in shared)
        assert either == (find_meeting(graph, many_one=False) is None) == judge_conditions(graph).permutation.holds
        if either:
            p = sum(len(before) == 1 for before, _ in shared)
            assert graph.cube.num_nodes <= (1 + p) * (1 + len(shared) - p)
            valid += 1
    assert valid


def grown(cube: Cube, steps: int) -> bool:
    """Lemma A's other side: can {0} grow to everything, one new vector for each type and step at most?  By all ways."""
    everything = (1 << cube.num_nodes) - 1
    states = {1}
    for _ in range(steps):
        following = set()
        for reached in states:
            members = [v for v in range(cube.num_nodes) if reached >> v & 1]
            options = []
            for k in range(1, cube.num_types + 1):
                new = cube.add(members, [cube.vector[k]] * len(members)).tolist()
                options.append([0, *sorted({1 << v for v in new if not reached >> v & 1})])
            for chosen in itertools.product(*options):
                total = reached
                for bit in chosen:
                    total |= bit
                following.add(total)
        states = following
    return everything in states


@pytest.mark.parametrize(("radix", "dimensions"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1), (5, 1)])
def test_lemma_a_gives_the_bound_of_lemma_1(radix: int, dimensions: int) -> None:
    cube = Cube(radix, dimensions)
    least = max(dimensions, -(-(cube.num_nodes - 1) // cube.num_types))
    assert grown(cube, least)
    assert not grown(cube, least - 1)


@settings(max_examples=150)
@given(st.sampled_from([(2, 3), (3, 3), (4, 3), (3, 4), (5, 3)]), st.integers(0, 10**6))
def test_lemma_c_counts_the_nodes_without_a_zero_digit(case: tuple[int, int], seed: int) -> None:
    """Any prefix and suffix slots of d steps, with any vectors: no more nodes of full weight than the proof counts."""
    (t, d), rng = case, np.random.default_rng(seed)
    # A slot (step, digit, amount) that is of use has a vector of step - 1 (or d - step) digits, not its own.
    prefix: dict[int, set[tuple[tuple[int, int], ...]]] = {n: set() for n in range(d + 1)}
    suffix: dict[int, set[tuple[tuple[int, int], ...]]] = {n: set() for n in range(d + 2)}
    lean = rng.random()
    for n in range(1, d + 1):
        for i in range(d):
            for j in range(1, t):
                others = [x for x in range(d) if x != i]
                first = rng.random() < lean if 1 < n < d else n == 1
                support = rng.permutation(others)[: n - 1 if first else d - n]
                vector = tuple(sorted([(int(x), int(rng.integers(1, t))) for x in support] + [(i, j)]))
                (prefix if first else suffix)[n].add(vector)
    full = set()
    for k in range(1, d):
        for a in prefix[k]:
            for b in suffix[k + 1]:
                if not {i for i, _ in a} & {i for i, _ in b}:
                    full.add(tuple(sorted((*a, *b))))
    assert len(full) <= (t - 1) ** 2 * d * d * (d - 1) // 6
    assert len(full) <= sum(len(prefix[k]) * len(suffix[k + 1]) for k in range(1, d))
