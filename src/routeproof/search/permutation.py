"""Permutation graphs by simulated annealing: two trees of slots whose sums cover the cube."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.cube.conditions import judge_conditions
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError
from .layout import FreeState
from .slots import Slots, plan_slots, symmetries
from .state import SearchState

__all__ = ["Found", "anneal_permutation"]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
_CHUNK = 200_000
_KEEP_EVERY = 5.0


@dataclass(frozen=True, eq=False)
class Found:
    """``graph``, or None with the fewest nodes that were left without a path; ``tries``: restarts begun."""

    graph: DestinationGraph | None
    uncovered: int
    tries: int
    seconds: float


def anneal_permutation(
    radix: int,
    dimensions: int,
    steps: int,
    *,
    minimum: bool = False,
    symmetry: str = "auto",
    mixed: int | None = None,
    crossed: bool = False,
    layout: str = "auto",
    seed: int = 0,
    first_try: int = 0,
    time_limit: float = 60.0,
    most_tries: int | None = None,
    iterations: int = 2_000_000,
    hot: float = 1.4,
    cold: float = 0.5,
    resume: SearchState | None = None,
    keep: Callable[[SearchState], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Found:
    """A permutation graph of ``steps`` steps, judged by C2, or the nearest miss within ``time_limit`` seconds.

    ``minimum``: every move corrects a digit.  ``symmetry``: a name of ``slots.symmetries`` under which the trees are
    invariant, ``none``, or ``auto``: none and all that fit, in turns.  ``mixed``: see ``plan_slots``.  ``layout``:
    ``split`` for the plans of ``plan_slots``, ``free`` where annealing chooses the kind of each slot (``layout``), too,
    and ``auto`` for both in turns, if neither ``symmetry`` nor ``mixed`` are asked for.  Restarts of
    ``iterations`` moves, then twice as many, and so on, while the temperature (in orbits of nodes uncovered) falls
    from ``hot`` to ``cold``; ``first_try``: how many restarts to leave out, ``most_tries``: how many to make.  One
    seed and enough time give one answer.  ``keep`` is told now and then, and at the end, where the search stands;
    ``resume`` goes on from there, with the same trees but other random numbers.
    """
    start = time.monotonic()
    cube = Cube(radix, dimensions)
    if steps < 1:
        raise InputError(f"{steps} steps were asked for; at least 1 is needed")
    states = _states(cube, steps, minimum, symmetry, mixed, crossed, layout)
    best, tries, kept = cube.num_nodes, 0, start
    if resume is not None:
        first_try, best = resume.turn, min(best, resume.best)
    while most_tries is None or tries < most_tries:
        turn = first_try + tries
        state = states[turn % len(states)]
        state.restart(seed + 1_000_003 * turn)
        done = 0
        if resume is not None and resume.chunk:
            state.restore(resume.parent, seed + 1_000_003 * turn + 7_919 * resume.chunk)
            done, resume = resume.chunk, None
        tries += 1
        chunks = max(1, round(iterations * 2.0 ** (turn // len(states)) / _CHUNK))
        scale = state.scale
        for k in range(done, chunks):
            at = [scale * hot * (cold / hot) ** (x / chunks) for x in (k, k + 1)]
            try:
                cost = state.run(_CHUNK, at[0], at[1])
            except KeyboardInterrupt:
                if keep is not None:
                    keep(SearchState(turn, k, best, state.parent))
                raise
            best = min(best, cost)
            if keep is not None and time.monotonic() - kept > _KEEP_EVERY:
                keep(SearchState(turn, k + 1, best, state.parent))
                kept = time.monotonic()
            if progress is not None:
                progress(f"try {turn + 1}: {cost} of {cube.num_nodes} nodes without a path, at best {best}")
            if cost == 0:
                graph = state.graph()
                found = judge_conditions(graph)
                assert found.permutation.holds
                assert found.minimum_routing.holds or not minimum
                return Found(graph, 0, tries, time.monotonic() - start)
            if time.monotonic() - start >= time_limit:
                if keep is not None:
                    keep(SearchState(turn, k + 1, best, state.parent))
                return Found(None, best, tries, time.monotonic() - start)
    return Found(None, best, tries, time.monotonic() - start)


def _states(
    cube: Cube, steps: int, minimum: bool, symmetry: str, mixed: int | None, crossed: bool, layout: str
) -> list[_State | FreeState]:
    """What to anneal in turns: for t > 2 the free layout comes second, for t = 2 last."""
    if layout not in ("auto", "split", "free"):
        raise InputError(f"layout '{layout[:40]}' is not known; auto, split, free are")
    if layout == "free":
        name = "none" if symmetry == "auto" else symmetry
        return [FreeState(cube, steps, minimum=minimum, symmetry=name)]
    states: list[_State | FreeState] = [_State(x, minimum) for x in _plans(cube, steps, symmetry, mixed, crossed)]
    if layout == "auto" and symmetry == "auto" and mixed is None:
        states.insert(1 if cube.radix > 2 else len(states), FreeState(cube, steps, minimum=minimum))
    return states


def _plans(cube: Cube, steps: int, symmetry: str, mixed: int | None, crossed: bool) -> list[Slots]:
    """The plans to try in turns; with ``auto`` at least the one without symmetry."""
    if symmetry != "auto":
        return [plan_slots(cube, steps, symmetry=symmetry, mixed=mixed, crossed=crossed)]
    plans = [plan_slots(cube, steps, mixed=mixed, crossed=crossed)]
    if mixed is None and steps % 2 + 2 < steps:
        plans.append(plan_slots(cube, steps, mixed=steps % 2 + 2, crossed=crossed))
    for name in symmetries(cube):
        try:
            plans.append(plan_slots(cube, steps, symmetry=name, mixed=mixed, crossed=crossed))
        except InputError:  # it does not act freely
            continue
    return plans


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


class _State:
    """Parents, sums and coverage of the trees, and what the kernel needs to know about them."""

    def __init__(self, slots: Slots, minimum: bool) -> None:
        cube = slots.cube
        self.slots, self.minimum, self.scale = slots, minimum, len(slots.act)
        self.vector = cube.vector[slots.kind].astype(np.int32)
        self.time = slots.time.astype(np.int32)
        self.act = slots.act.astype(np.int32)
        self.leaders = np.unique(slots.leader)
        self.support = ((cube.digits != 0) @ (1 << np.arange(cube.dimensions))).astype(np.int32)
        self.orbit = np.unique(slots.orbit, return_inverse=True)[1].astype(np.int32)
        self.size = np.bincount(self.orbit).astype(np.int32)
        self.table = None
        if cube.radix > 2:
            every = np.arange(cube.num_nodes)
            self.table = np.stack([cube.add(np.full_like(every, a), every) for a in every])

        self.plan = Plan(
            slots.steps,
            slots.split,
            minimum,
            self.time,
            self.vector,
            slots.leader,
            slots.element,
            self.leaders,
            slots.later,
            self.act,
            self.support,
            self.size,
        )

    def restart(self, seed: int) -> None:
        """All slots hang at the root."""
        from .annealing_kernels import seed_kernel

        count = len(self.slots.time)
        seed_kernel(seed % (1 << 32))
        self.parent = np.full(count, -1, dtype=np.int64)
        self.sums = self.vector.copy()
        self.offspring = np.zeros(count, dtype=np.int64)
        self.cover = np.zeros(len(self.size), dtype=np.int32)
        self.cost = self._count()

    def restore(self, parent: npt.NDArray[np.int64], seed: int) -> None:
        """The trees with these parents; raises InputError where they make no trees."""
        slots, cube = self.slots, self.slots.cube
        self.restart(seed)
        if len(parent) != len(slots.time):
            raise InputError(f"the state has {len(parent)} slots; {len(slots.time)} were expected")
        first = np.where(np.arange(len(parent)) < slots.split, 0, slots.split)
        wrong = (parent != -1) & ((parent < first) | (parent >= first + slots.later))
        if wrong[self.leaders].any():
            raise InputError("the state's slots make no tree")
        self.parent = parent.astype(np.int64).copy()
        for s in range(len(parent)):  # by rising time, so that a parent's sum is there
            q = slots.parent_of(s, self.parent)
            above = 0 if q < 0 else int(self.sums[q])
            if self.minimum and self.support[above] & self.support[self.vector[s]]:
                raise InputError("the state's slots correct a digit twice")
            self.sums[s] = cube.add([above], [self.vector[s]])[0]
            if slots.leader[s] == s and q >= 0:
                self.offspring[slots.leader[q]] += 1
        self.cover = np.zeros(len(self.size), dtype=np.int32)
        self.cost = self._count()

    def graph(self) -> DestinationGraph:
        return self.slots.graph(self.parent, self.sums, minimum=self.minimum)

    def _count(self) -> int:
        cube, slots = self.slots.cube, self.slots
        left = np.concatenate([[0], self.leaders[self.leaders < slots.split] + 1])
        time = np.concatenate([[0], slots.time])
        sums = np.concatenate([[0], self.sums])
        right = np.concatenate([[0], np.arange(slots.split, len(slots.time)) + 1])
        lead_right = np.concatenate([[0], self.leaders[self.leaders >= slots.split] + 1])
        for a in left:
            for b in lead_right if a == 0 else right:
                if (time[a] + time[b] <= slots.steps or 0 in (a, b)) and not (
                    self.minimum and self.support[sums[a]] & self.support[sums[b]]
                ):
                    self.cover[self.orbit[int(cube.add(sums[a], sums[b]))]] += 1
        return int(self.size[self.cover == 0].sum())

    def run(self, iterations: int, hot: float, cold: float) -> int:
        from .annealing_kernels import anneal

        slots = self.slots
        self.cost = int(
            anneal(
                iterations,
                hot,
                cold,
                self.cost,
                0,
                self.plan,
                Trees(self.parent, self.sums, self.offspring, self.cover),
                self.table,
                self.orbit if len(slots.act) > 1 else None,
            )
        )
        return self.cost
