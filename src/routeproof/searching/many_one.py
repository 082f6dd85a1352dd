"""Many-one graphs, grown step by step from node 0.

Lemma A (see the documentation): C1 holds exactly if every slot carries one prefix vector, and waiting is free; so a
many-one graph of S steps is a set of vectors grown from {0} to the whole cube in S steps, each of which adds at most
one new vector per move type.  That is broadcast from one node when all ports work at once: Bertsekas, Özveren,
Stamoulis, Tseng & Tsitsiklis 1991 (J. Parallel and Distributed Computing 11).
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.cube.destination_graph import Cube, DestinationGraph
from .question import SearchQuestion, SearchResult, SearchState, judged


def grow_many_one(
    asked: SearchQuestion,
    *,
    resume: SearchState | None = None,
    keep: Callable[[SearchState], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> SearchResult:
    """A many-one graph, judged by C1, or the nearest miss within the time limit.

    At each step as many types as possible get a new vector, the lightest ones (fewest digits that are not 0) first:
    candidates are taken in that order, ties by lot, each if all those taken still find types of their own.  Restarts
    until it fits.  ``keep`` is called after every try with how many are over; ``resume`` goes on from there.
    """
    start = time.monotonic()
    cube, first_try, tries = asked.cube, asked.first_try, 0
    best = cube.num_nodes
    if resume is not None:
        first_try, best = resume.turn, min(best, resume.best)
    while True:
        rng = np.random.default_rng([asked.seed, first_try + tries])
        tries += 1
        left, step, kind, source = _grow(cube, asked.steps, asked.minimum, rng)
        best = min(best, left)
        if left == 0:
            graph = judged(_graph(cube, asked.steps, step, kind, source), asked)
            return SearchResult(graph, tries=tries, seconds=time.monotonic() - start)
        if keep is not None:
            keep(SearchState(first_try + tries, 0, best))
        if progress is not None:
            progress(f"try {tries}: {left} of {cube.num_nodes} nodes without a path, at best {best}")
        if time.monotonic() - start >= asked.time_limit:
            return SearchResult(None, uncovered=best, tries=tries, seconds=time.monotonic() - start)


def _grow(cube: Cube, steps: int, minimum: bool, rng: np.random.Generator) -> tuple[int, Int64, Int64, Int64]:
    """(nodes left, and by node: the step at which it was added, from 1, the last type, the vector before it)."""
    size = cube.num_nodes
    step, kind, source = (np.zeros(size, dtype=np.int64) for _ in range(3))
    everyone = np.arange(size)
    # below[u, k]: the vector to which type k is added to give u.
    below = np.stack([cube.subtract(everyone, np.full(size, v)) for v in cube.vector], axis=1).astype(np.int64)
    usable = np.ones((size, cube.num_types + 1), dtype=bool)
    usable[:, 0] = False
    if minimum:
        usable &= cube.weight[below] < cube.weight[:, None]
    reached = np.zeros(size, dtype=bool)
    reached[0] = True
    lot = rng.random(size)
    for n in range(1, steps + 1):
        open_ = usable & reached[below] & ~reached[:, None]
        candidates = np.nonzero(open_.any(axis=1))[0]
        order = candidates[np.lexsort((lot[candidates], cube.weight[candidates]))]
        for u, k in _matched(open_, order, cube.num_types, rng).items():
            step[u], kind[u], source[u] = n, k, below[u, k]
        reached |= step == n
        if reached.all():
            break
    return int(np.count_nonzero(~reached)), step, kind, source


def _matched(open_: npt.NDArray[np.bool_], order: Int64, num_types: int, rng: np.random.Generator) -> dict[int, int]:
    """Node -> type, one to one, for the first nodes in ``order`` that can all have a type."""
    owner: dict[int, int] = {}
    for u in order.tolist():
        if len(owner) == num_types:
            break
        _augment(u, open_, owner, rng.permutation(num_types) + 1, set())
    return {u: k for k, u in owner.items()}


def _augment(u: int, open_: npt.NDArray[np.bool_], owner: dict[int, int], kinds: Int64, seen: set[int]) -> bool:
    """Find a type for ``u``, moving other nodes to other types where needed."""
    mine = [int(k) for k in kinds if open_[u, k] and k not in seen]
    for k in mine:
        if k not in owner:
            owner[k] = u
            return True
    for k in mine:
        if k not in seen:
            seen.add(k)
            if _augment(owner[k], open_, owner, kinds, seen):
                owner[k] = u
                return True
    return False


def _graph(cube: Cube, steps: int, step: Int64, kind: Int64, source: Int64) -> DestinationGraph:
    """Follow every node back to 0."""
    moves = np.zeros((cube.num_nodes, steps), dtype=np.int16)
    at = np.arange(cube.num_nodes)
    rows = at.copy()
    while len(rows):
        keep = at[rows] > 0
        rows = rows[keep]
        moves[rows, step[at[rows]] - 1] = kind[at[rows]]
        at[rows] = source[at[rows]]
    return DestinationGraph(cube, moves)
