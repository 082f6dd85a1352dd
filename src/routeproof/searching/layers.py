"""Fewer layers of virtual channels: a solver sorts paths into layers whose dependencies have no cycle.

A packet keeps to the layer of its path, as in LASH and DFSSSP.  Cycles are forbidden as they are found: the solver
sorts the paths, every cycle of a layer becomes a clause for all layers, until there is none.  What comes out is judged
elsewhere, and nothing rests on the solver.

Source: layers are those of Skeie, Lysne & Theiss 2002 and Domke, Hoefler & Nagel 2011, which fill them one by one.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..claims.routings.layers import LAYERS_REFUTATION, several_hops
from ..core.claim import Claim
from ..core.errors import InputError
from ..kernel.layer_clauses import layer_formula
from ..machine.deadlines import Deadline
from ..routing.dependencies.virtual_dependencies import bundles_of
from ..worst.deadlock.channels import MOST_LAYERED, VirtualChannels, by_layers
from .satisfiability import answer_clauses

_MOST_CLAUSES = 300_000
Path = tuple[int, ...]
Edge = tuple[int, int]
_CYCLES = 300  # that are added at a time
_MOST_DEPENDENCIES = 200_000


def with_fewer_layers(found: VirtualChannels, *, time_limit: float = 30.0) -> VirtualChannels:
    """``found``, or an assignment by layers of fewer virtual channels, down to two, in about so many seconds.

    What the routing's file states is kept; routings of more than 20,000 paths too.
    """
    if found.assignment == "given" or found.count <= 2:
        return found
    paths: list[Path] = []
    for bundle in bundles_of(found.routing):
        paths += map(tuple, bundle.channel.tolist())
        if len(paths) > MOST_LAYERED:
            return found
    if any(len(set(path)) < len(path) for path in paths):
        return found
    deadline = Deadline(time_limit)
    for count in range(2, found.count):
        layer = sorted_into_layers(paths, count, time_limit=(deadline.left() or 0.0) / 2)
        if layer is not None:
            return by_layers(found.routing, np.array(layer, dtype=np.int64))
    return found


def sorted_into_layers(
    paths: Sequence[Path], count: int, *, time_limit: float, cycles: list[Path] | None = None
) -> list[int] | None:
    """The layer of every path, 0 to ``count`` - 1, with no cycle of dependencies in any; None where there is none such,
    time is over or python-sat is not installed.

    No path may cross a channel twice.  ``cycles``: gets the cycles that were found, as channels.
    """
    try:
        from pysat.solvers import Solver
    except ImportError:
        return None
    deadline = Deadline(time_limit)
    owner, longest = _longest(paths)
    edges = sorted({e for path in longest for e in pairwise(path)})
    if count * len(edges) > _MOST_DEPENDENCIES:
        return None
    place = {e: k for k, e in enumerate(edges)}

    def in_layer(p: int, k: int) -> int:
        return p * count + k + 1

    def used(edge: Edge, k: int) -> int:
        return len(longest) * count + place[edge] * count + k + 1

    with Solver(name="glucose4") as solver:
        for p, path in enumerate(longest):
            solver.add_clause([in_layer(p, k) for k in range(count)])
            for k in range(count):
                for e in pairwise(path):
                    solver.add_clause([-in_layer(p, k), used(e, k)])
        while not deadline.over:
            timer = threading.Timer(min(deadline.left() or 0.0, threading.TIMEOUT_MAX), solver.interrupt)
            timer.start()
            try:
                found = solver.solve_limited(expect_interrupt=True)
            finally:
                timer.cancel()
            solver.clear_interrupt()
            if not found:
                return None
            model = set(solver.get_model())
            layer = [next(k for k in range(count) if in_layer(p, k) in model) for p in range(len(longest))]
            new = _cycles(longest, layer, count)
            if not new:
                return [layer[owner[path]] if len(path) > 1 else 0 for path in paths]
            if cycles is not None:
                cycles += [tuple(u for u, _ in cycle) for cycle in new]
            for cycle in new:
                for k in range(count):
                    solver.add_clause([-used(e, k) for e in cycle])
    return None


def fewer_layers_refuted(found: VirtualChannels, *, time_limit: float = 20.0) -> Claim | None:
    """The claim that no assignment by layers has fewer than ``found``, which is more than two; None where that is not
    proved in about so many seconds, or is not known to hold."""
    count = found.count - 1
    if found.assignment == "given" or count < 2:
        return None
    try:
        paths = several_hops(found.routing)
        cycles: list[tuple[int, ...]] = []
        deadline = Deadline(time_limit)
        if (
            len(paths) > MOST_LAYERED
            or sorted_into_layers(paths, count, time_limit=time_limit, cycles=cycles) is not None
        ):
            return None
        variables, clauses = layer_formula(paths, count, cycles)
        if len(clauses) > _MOST_CLAUSES:
            return None
        left = deadline.left() or 0.0
        _, lemmas = answer_clauses(variables, clauses, time_limit=left, what="a refutation of layers")
    except InputError:  # python-sat is not installed
        return None
    if lemmas is None:
        return None
    flat = [x for lemma in lemmas for x in (*lemma, 0)]
    around = [c for cycle in cycles for c in (*cycle, -1)]
    data = {
        "cycles": np.array(around, dtype=np.int64), "lemmas": np.array(flat, dtype=np.int64), "literals": len(flat),
    }  # fmt: skip
    about = {"paths": "own" if found.routing.has_explicit_paths else "of-loads", "assignment": "layers"}
    return LAYERS_REFUTATION.claim(found.count, data, about)


def _longest(paths: Sequence[Path]) -> tuple[dict[Path, int], list[Path]]:
    """(for every path a number, the paths so numbered): those that are no part of another one, and of each the first
    that it is a part of, whose layer it can have."""
    owner: dict[Path, int] = {}
    longest: list[Path] = []
    for path in sorted({x for x in paths if len(x) > 1}, key=lambda x: (-len(x), x)):
        if path in owner:
            continue
        for a in range(len(path) - 1):
            for b in range(a + 2, len(path) + 1):
                owner.setdefault(path[a:b], len(longest))
        longest.append(path)
    return owner, longest


def _cycles(paths: list[Path], layer: list[int], count: int) -> list[list[Edge]]:
    """Short cycles of dependencies in the layers; none where no layer has one."""
    found: dict[frozenset[Edge], list[Edge]] = {}
    for k in range(count):
        after: defaultdict[int, set[int]] = defaultdict(set)
        for path, own in zip(paths, layer, strict=True):
            if own == k:
                for u, v in pairwise(path):
                    after[u].add(v)
        alive = _without_ends(after)
        for u in sorted(alive):
            cycle = _shortest_cycle(u, after, alive)
            if cycle is not None:
                found.setdefault(frozenset(cycle), cycle)
    return sorted(found.values(), key=len)[:_CYCLES]


def _without_ends(after: defaultdict[int, set[int]]) -> set[int]:
    """The channels that are left when those that no other depends on are taken away again and again."""
    before: defaultdict[int, set[int]] = defaultdict(set)
    for u, following in after.items():
        for v in following:
            before[v].add(u)
    left = {u: len(following) for u, following in after.items()}
    ends = [v for v in before if not left.get(v)]
    while ends:
        for u in before[ends.pop()]:
            left[u] -= 1
            if not left[u]:
                ends.append(u)
    return {u for u, number in left.items() if number}


def _shortest_cycle(start: int, after: defaultdict[int, set[int]], alive: set[int]) -> list[Edge] | None:
    came: dict[int, int] = {}
    queue = deque([start])
    while queue:
        u = queue.popleft()
        for v in sorted(after[u] & alive):
            if v == start:
                back = [u]
                while back[-1] != start:
                    back.append(came[back[-1]])
                around = [*back[::-1], start]
                return list(pairwise(around))
            if v not in came:
                came[v] = u
                queue.append(v)
    return None
