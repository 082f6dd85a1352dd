"""Permutation graphs by annealing where each slot may become a prefix slot or a suffix slot on the way.

Nothing says that the first steps must be prefix slots and the last ones suffix slots (``split_layout.plan_slots``):
Lemma B asks only that a slot be one of them.  Here every slot of the steps between starts as either, by chance, and a
leaf may change trees.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.cube.forms import SlotForm, graph_of_slots
from ..core.errors import InputError
from .split_layout import named_symmetry, powers, types_moved

_MOST_SUMS = 10_000  # nodes, where their sums are tabulated


class FreeState:
    """Kinds, parents, sums and coverage of all slots; ``scale``: the nodes that a move changes at once, about.

    ``symmetry``: none, a name of ``split_layout.symmetries``, or mirror-negation and so on: the suffix tree is the
    image of the prefix tree, backwards in time.  Raises InputError for one that is not known or keeps a slot in its
    place.
    """

    def __init__(self, cube: Cube, steps: int, *, minimum: bool = False, symmetry: str = "none") -> None:
        self.cube, self.steps, self.width = cube, steps, cube.num_types
        self.vector = np.tile(cube.vector[1:], steps).astype(np.int32)
        self.image, self.mirrored = self._images(symmetry)
        self.scale = len(self.image)
        size = cube.num_nodes
        self.table = None
        self.away, self.dead, cells = np.array([2 * size, 4 * size], dtype=np.int32), 1 << 30, 8 * size
        if cube.radix > 2 or minimum:
            if size > _MOST_SUMS:
                raise InputError(f"a free layout is for cubes of up to {_MOST_SUMS:,} nodes here, not {size:,}")
            self.table = self._sums(minimum)
            self.away, self.dead, cells = np.array([size, size], dtype=np.int32), size, size + 1
        self.cover = np.zeros(cells, dtype=np.int32)

    def _images(self, symmetry: str) -> tuple[npt.NDArray[np.int64], list[int]]:
        """(group, slots): where each element takes the slots, the identity first; does it exchange the trees?"""
        cube, steps, width = self.cube, self.steps, self.width
        slots = np.arange(steps * width)
        if symmetry == "none":
            return slots[None, :], [0]
        mirror, step = symmetry.startswith("mirror-"), slots // width
        turned = types_moved(cube, named_symmetry(cube, symmetry.removeprefix("mirror-")))[1:] - 1
        images = powers((steps - 1 - step if mirror else step) * width + turned[slots % width])
        if (images[1:] == slots).any():
            raise InputError(f"symmetry '{symmetry}' does not act freely on the slots of {steps} steps")
        return images, [k % 2 if mirror else 0 for k in range(len(images))]

    def _sums(self, minimum: bool) -> npt.NDArray[np.int16]:
        """(N + 1, N + 1): the sum of two nodes; N where one is none or, for ``minimum``, they share a dimension."""
        cube, size = self.cube, self.cube.num_nodes
        every, used = np.arange(size), self.cube.digits != 0
        table = np.full((size + 1, size + 1), size, dtype=np.int16)
        for a in range(size):
            table[a, :size] = cube.add(np.full(size, a), every)
            if minimum:
                table[a, :size][(used[a] & used).any(axis=1)] = size
        return table

    @property
    def parent(self) -> npt.NDArray[np.int64]:
        """What ``restore`` takes: the parents, then the kinds, by slot."""
        return np.concatenate([self.above, self.kind])

    def restart(self, seed: int) -> None:
        """All slots hang at the roots, those of the first step at the prefixes', those of the last at the suffixes'."""
        from .split_layout_kernels import seed_kernel

        seed_kernel(seed % (1 << 32))
        rng = np.random.default_rng(seed)
        count = self.steps * self.width
        self.kind = np.full(count, -1, dtype=np.int64)
        for s in range(count):
            if self.kind[s] < 0:
                step = s // self.width
                kind = 0 if step == 0 else 1 if step == self.steps - 1 else int(rng.integers(2))
                for row, swap in zip(self.image, self.mirrored, strict=True):
                    self.kind[row[s]] = kind ^ swap
        self.above = np.full(count, -1, dtype=np.int64)
        self._settle()

    def restore(self, parent: npt.NDArray[np.int64], seed: int) -> None:
        """The trees with these parents and kinds; raises InputError where they make no trees."""
        self.restart(seed)
        count = self.steps * self.width
        if len(parent) != 2 * count:
            raise InputError(f"the state has {len(parent)} numbers; {2 * count} were expected")
        above, kind = parent[:count].astype(np.int64), parent[count:].astype(np.int64)
        step, has = np.arange(count) // self.width, above >= 0
        sound = ((above >= -1) & (above < count) & ((kind == 0) | (kind == 1))).all()
        if sound:
            q = above[has]
            sound = (kind[q] == kind[has]).all() and ((step[q] < step[has]) == (kind[has] == 0)).all()
            sound = sound and (step[q] != step[has]).all()
            for row, swap in zip(self.image, self.mirrored, strict=True):
                sound = (
                    sound and (above[row] == np.where(has, row[above], -1)).all() and (kind[row] == kind ^ swap).all()
                )
        if not sound:
            raise InputError("the state's slots make no tree")
        self.above, self.kind = above, kind
        self._settle()

    def _settle(self) -> None:
        """Sums, coverage and cost of the trees."""
        cube, count = self.cube, self.steps * self.width
        self.children = np.bincount(self.above[self.above >= 0], minlength=count).astype(np.int64)
        self.prefix, self.suffix = (np.full(count + 1, x, dtype=np.int32) for x in self.away)
        self.prefix[0] = self.suffix[count] = 0
        for sums, order, tree in ((self.prefix[1:], range(count), 0), (self.suffix, range(count - 1, -1, -1), 1)):
            for s in order:
                if self.kind[s] == tree:
                    value = 0 if self.above[s] < 0 else int(sums[self.above[s]])
                    total = int(cube.add([value], [int(self.vector[s])])[0])
                    if self.table is not None and self.table[value, self.vector[s]] == self.dead:
                        raise InputError("the state's slots correct a digit twice")
                    sums[s] = total
        self.cover[:] = 0
        for k, a in enumerate(self.prefix):
            b = self.suffix[0 if k == 0 else ((k - 1) // self.width + 1) * self.width :]
            np.add.at(self.cover, a ^ b if self.table is None else self.table[a, b], 1)
        self.cover[cube.num_nodes :] += 1 << 29
        self.cost = int(np.count_nonzero(self.cover[: cube.num_nodes] == 0))

    def run(self, iterations: int, hot: float, cold: float) -> int:
        from .free_layout_kernels import FreeTrees, Layout, anneal_layout

        layout = Layout(self.steps, self.width, self.vector, self.image, self.away, self.table, self.dead)
        trees = FreeTrees(self.kind, self.above, self.children, self.prefix, self.suffix, self.cover)
        self.cost = int(anneal_layout(iterations, hot, cold, self.cost, layout, trees))
        return self.cost

    def graph(self) -> DestinationGraph:
        """The graph that the trees make; raises InputError if a node is not an allowed sum."""
        below = np.where(self.kind == 0, self.prefix[self.above + 1], self.suffix[self.above])
        vector, suffix = (
            np.pad(x.reshape(self.steps, self.width), ((0, 0), (1, 0)), constant_values=none)
            for x, none in ((np.where(self.above < 0, 0, below), -1), (self.kind == 1, 0))
        )
        return graph_of_slots(SlotForm(self.cube, vector.astype(np.int32), suffix.astype(np.bool_)))
