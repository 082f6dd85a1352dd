"""Permutation graphs by annealing where the layout is given: two trees of slots whose sums cover the cube."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.cube.destination_graph import DestinationGraph
from ..core.errors import InputError
from .slots import Slots


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
