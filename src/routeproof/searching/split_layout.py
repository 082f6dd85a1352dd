"""Permutation graphs by annealing where the layout is given: which slots are prefix slots and which suffix slots, a
group that acts on them, and two trees of slots whose sums cover the cube.

A prefix slot (step, type) is crossed by packets with one history, a suffix slot by packets with one future (Lemma B in
the documentation: C2 allows nothing else).  So the prefix slots form a tree grown from node 0, the suffix slots a tree
grown backwards from node 0, and the graph is there once every node is a sum of one vector of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError


class Plan(NamedTuple):
    """What the kernel needs to know about the slots and the cube.

    steps, split: as of ``Slots``; minimum: may no digit be corrected twice?  By slot: time, vector, leader, element,
    and ``later``, how many slots of its tree come at earlier times (the candidates for parents); leaders: those that
    choose; act: (group, nodes), images; support: by node, its digits that are not 0, as bits; size: of orbits of nodes.
    """

    steps: int
    split: int
    minimum: bool
    time: Int32
    vector: Int32
    leader: Int64
    element: Int64
    leaders: Int64
    later: Int64
    act: Int32
    support: Int32
    size: Int32


class Trees(NamedTuple):
    """parent: by slot, for leaders; -1 is the root.  sums: by slot.  offspring: how many leaders have their parent in a
    slot's orbit.  cover: by orbit of nodes."""

    parent: Int64
    sums: Int32
    offspring: Int64
    cover: Int32


class SplitState:
    """Parents, sums and coverage of the trees, and what the kernel needs to know about them."""

    def __init__(self, slots: Slots, minimum: bool) -> None:
        cube = slots.cube
        self.slots, self.minimum, self.scale = slots, minimum, len(slots.act)
        self.leaders = np.unique(slots.leader)
        self.support = ((cube.digits != 0) @ (1 << np.arange(cube.dimensions))).astype(np.int32)
        self.orbit = np.unique(slots.orbit, return_inverse=True)[1].astype(np.int32)
        self.table = None
        if cube.radix > 2:
            every = np.arange(cube.num_nodes)
            self.table = np.stack([cube.add(np.full_like(every, a), every) for a in every])
        time, vector = slots.time.astype(np.int32), cube.vector[slots.kind].astype(np.int32)
        act, size = slots.act.astype(np.int32), np.bincount(self.orbit).astype(np.int32)
        choice = (slots.leader, slots.element, self.leaders, slots.later)
        self.plan = Plan(slots.steps, slots.split, minimum, time, vector, *choice, act, self.support, size)

    @property
    def parent(self) -> Int64:
        """What ``restore`` takes."""
        return self.trees.parent

    def restart(self, seed: int) -> None:
        """All slots hang at the root."""
        from .split_layout_kernels import seed_kernel

        count = len(self.slots.time)
        seed_kernel(seed % (1 << 32))
        parent, offspring = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int64)
        self._settle(parent, self.plan.vector.copy(), offspring)

    def restore(self, parent: npt.NDArray[np.int64], seed: int) -> None:
        """The trees with these parents; raises InputError where they make no trees."""
        slots = self.slots
        self.restart(seed)
        if len(parent) != len(slots.time):
            raise InputError(f"the state has {len(parent)} slots; {len(slots.time)} were expected")
        first = np.where(np.arange(len(parent)) < slots.split, 0, slots.split)
        wrong = (parent != -1) & ((parent < first) | (parent >= first + slots.later))
        if wrong[self.leaders].any():
            raise InputError("the state's slots make no tree")
        parent, sums, vector = parent.astype(np.int64).copy(), self.trees.sums, self.plan.vector
        offspring = np.zeros(len(parent), dtype=np.int64)
        for s in range(len(parent)):  # by rising time, so that a parent's sum is there
            q = slots.parent_of(s, parent)
            above = 0 if q < 0 else int(sums[q])
            if self.minimum and self.support[above] & self.support[vector[s]]:
                raise InputError("the state's slots correct a digit twice")
            sums[s] = slots.cube.add([above], [vector[s]])[0]
            if slots.leader[s] == s and q >= 0:
                offspring[slots.leader[q]] += 1
        self._settle(parent, sums, offspring)

    def graph(self) -> DestinationGraph:
        return self.slots.graph(self.trees.parent, self.trees.sums, minimum=self.minimum)

    def _settle(self, parent: Int64, sums: Int32, offspring: Int64) -> None:
        """Coverage and cost of the trees with these sums."""
        cube, slots = self.slots.cube, self.slots
        cover = np.zeros(len(self.plan.size), dtype=np.int32)
        left = np.concatenate([[0], self.leaders[self.leaders < slots.split] + 1])
        right = np.concatenate([[0], np.arange(slots.split, len(slots.time)) + 1])
        lead_right = np.concatenate([[0], self.leaders[self.leaders >= slots.split] + 1])
        time, total = np.concatenate([[0], slots.time]), np.concatenate([[0], sums])
        for a in left:
            for b in lead_right if a == 0 else right:
                if (time[a] + time[b] <= slots.steps or 0 in (a, b)) and not (
                    self.minimum and self.support[total[a]] & self.support[total[b]]
                ):
                    cover[self.orbit[int(cube.add(total[a], total[b]))]] += 1
        self.trees = Trees(parent, sums, offspring, cover)
        self.cost = int(self.plan.size[cover == 0].sum())

    def run(self, iterations: int, hot: float, cold: float) -> int:
        from .split_layout_kernels import anneal

        orbit = self.orbit if self.scale > 1 else None
        self.cost = int(anneal(iterations, hot, cold, self.cost, self.plan, self.trees, self.table, orbit))
        return self.cost


@dataclass(frozen=True, eq=False)
class Slots:
    """``time``: by slot, 1 .. : the step of a prefix slot, steps + 1 - step of a suffix slot; ``kind``: its type.

    Prefix slots come first (``split`` of them), each tree sorted by time.  ``generator``: a node permutation of the
    cube, linear over the digits, or None.  ``leader``, ``element``: slot s is the image of slot leader[s] under the
    ``element[s]``-th power of the generator.
    """

    cube: Cube
    steps: int
    time: Int64
    kind: Int64
    split: int
    leader: Int64
    element: Int64
    act: Int64

    @cached_property
    def later(self) -> Int64:
        """How many slots of a slot's tree have an earlier time."""
        result = np.zeros(len(self.time), dtype=np.int64)
        for part in (slice(0, self.split), slice(self.split, len(self.time))):
            result[part] = np.searchsorted(self.time[part], self.time[part])
        return result

    @cached_property
    def orbit(self) -> Int64:
        """By node: the smallest node of its orbit."""
        return np.asarray(self.act.min(axis=0))

    def graph(self, parent: Int64, sums: npt.NDArray[np.integer], *, minimum: bool) -> DestinationGraph:
        """The graph that the trees make; raises InputError if a node is not an allowed sum."""
        cube, steps = self.cube, self.steps
        prefix = [(0, -1), *((int(sums[s]), s) for s in range(self.split))]
        suffix = [(0, -1), *((int(sums[s]), s) for s in range(self.split, len(sums)))]
        moves = np.zeros((cube.num_nodes, steps), dtype=np.int16)
        done = np.zeros(cube.num_nodes, dtype=bool)
        support = (cube.digits != 0) @ (1 << np.arange(cube.dimensions))
        chains = {s: self._chain(s, parent) for s in range(-1, len(sums))}
        b = np.array([x for x, _ in suffix])
        start = np.array([0 if s < 0 else int(self.time[s]) for _, s in suffix])
        for a, s in prefix:
            fits = (start + (self.time[s] if s >= 0 else 0) <= steps) & ((support[a] & support[b] == 0) | (not minimum))
            reached = cube.add(np.full(len(b), a), b)
            for k in np.nonzero(fits)[0].tolist():
                u = int(reached[k])
                if not done[u]:
                    done[u] = True
                    for step, kind in (*chains[s], *chains[suffix[k][1]]):
                        moves[u, step - 1] = kind
        if not done.all():
            raise InputError(f"{int(np.count_nonzero(~done))} nodes have no path yet")
        moves[0] = 0
        return DestinationGraph(cube, moves)

    def _chain(self, slot: int, parent: Int64) -> list[tuple[int, int]]:
        """(step, type) of a slot and its ancestors."""
        result = []
        while slot >= 0:
            step = int(self.time[slot]) if slot < self.split else self.steps + 1 - int(self.time[slot])
            result.append((step, int(self.kind[slot])))
            slot = self.parent_of(slot, parent)
        return result

    def parent_of(self, slot: int, parent: Int64) -> int:
        """The parent of any slot, from those of the leaders."""
        above = int(parent[self.leader[slot]])
        if above < 0 or not self.element[slot]:
            return above
        order = len(self.act)
        wanted = (int(self.element[above]) + int(self.element[slot])) % order
        leader = int(self.leader[above])
        same = (self.leader == leader) & (self.element == wanted)
        return int(np.nonzero(same)[0][0])


def symmetries(cube: Cube) -> dict[str, Int64]:
    """Named node permutations, linear over the digits, that move every move type: by coordinates, or by sign.

    ``negation`` (t > 2); ``rotation-m``: in blocks of m digits, each block turned by one.
    """
    everyone = np.arange(cube.num_nodes)
    result: dict[str, Int64] = {}
    if cube.radix > 2:
        result["negation"] = cube.subtract(np.zeros_like(everyone), everyone).astype(np.int64)
    d = cube.dimensions
    for m in range(2, d + 1):
        if d % m == 0:
            turned = np.roll(cube.digits.reshape(-1, d // m, m), 1, axis=2).reshape(-1, d)
            result[f"rotation-{m}"] = np.asarray(turned @ cube.place, dtype=np.int64)
    return result


def named_symmetry(cube: Cube, name: str) -> Int64:
    """One of ``symmetries``; raises InputError for others."""
    known = symmetries(cube)
    if name not in known:
        raise InputError(f"symmetry is '{name[:40]}'; one of none, {', '.join(known)} was expected")
    return known[name]


def powers(generator: Int64) -> Int64:
    """The cyclic group that a permutation generates, (order, size), the identity first."""
    found = [np.arange(len(generator))]
    while not np.array_equal(following := generator[found[-1]], found[0]):
        found.append(following)
    return np.array(found)


def types_moved(cube: Cube, image: Int64) -> Int64:
    """int64 (types + 1,): the move type, 0 included, to which a node permutation takes each."""
    type_at = {int(v): k for k, v in enumerate(cube.vector)}
    return np.array([type_at[int(v)] for v in image[cube.vector]])


def plan_slots(cube: Cube, steps: int, *, symmetry: str = "none", mixed: int | None = None) -> Slots:
    """Prefix slots in the first steps, suffix slots in the last, and ``mixed`` steps in the middle shared by both.

    ``mixed`` is 1 where ``steps`` is odd and 0 where it is even, unless given; in a shared step the first half of the
    move types, in whole orbits, have prefix slots.  Raises InputError for a symmetry that is not known or does not act
    freely on the slots.
    """
    everyone = np.arange(cube.num_nodes)
    order = powers(everyone if symmetry == "none" else named_symmetry(cube, symmetry))
    image = np.array([types_moved(cube, g) for g in order])
    shared = steps % 2 if mixed is None else mixed
    if not 0 <= shared <= steps:
        raise InputError(f"{shared} of {steps} steps cannot be shared")
    first = (steps - shared) // 2
    half = np.zeros(cube.num_types + 1, dtype=bool)
    for k in range(1, cube.num_types + 1):
        orbit = np.unique(image[:, k])
        if orbit[0] == k and np.count_nonzero(half) + len(orbit) <= (cube.num_types + 1) // 2:
            half[orbit] = True
    is_prefix = np.zeros((steps + 1, cube.num_types + 1), dtype=bool)
    is_prefix[1 : first + 1] = True
    is_prefix[first + 1 : first + shared + 1] = half
    rows = sorted(
        (0, n, k) if is_prefix[n, k] else (1, steps + 1 - n, k)
        for n in range(1, steps + 1)
        for k in range(1, cube.num_types + 1)
    )
    number = {row: s for s, row in enumerate(rows)}
    leader = np.full(len(rows), -1, dtype=np.int64)
    element = np.zeros(len(rows), dtype=np.int64)
    for s, (tree, time, kind) in enumerate(rows):
        if leader[s] >= 0:
            continue
        for g in range(len(order)):
            there = number.get((tree, time, int(image[g, kind])))
            if there is None or (g and leader[there] >= 0):
                raise InputError(f"symmetry '{symmetry}' does not act freely on the slots of {steps} steps")
            leader[there], element[there] = s, g
    table = np.array(rows, dtype=np.int64)
    split = int(np.count_nonzero(table[:, 0] == 0))
    return Slots(cube, steps, table[:, 1].copy(), table[:, 2].copy(), split, leader, element, order)
