"""The best rate of a collective that is broadcasts at once: its cut, and trees that reach it or come near.

After Ctrl-C while trees are packed, the bound that is known already is stated.

Of k trees from every rank, all of one weight, the largest weight for which they fit: trees of weight y fit into
channels of bandwidth b just if they fit into channels that hold floor(b / y) whole trees.  So y is one of b / m; it is
found by bisection, and the cuts between ranks decide whether it fits.

Source: ForestColl (Zhao et al. 2024), trees of a fixed k.  Like there, every switch must be able to pass on all whole
trees that it receives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.collectives.best import PACKING
from ...claims.collectives.weighted_cuts import WEIGHTED_CUTS
from ...core.arrays import Bools, Int64
from ...core.claim import Claim
from ...core.collective import Broadcasts
from ...core.errors import InputError
from ...core.spread import Progress, Stage, silent
from ...formats.documents.packed_ints import pack_ints
from ...graphs.max_flow import FlowGraph
from ...kernel.packings import PackedTree
from ...machine.deadlines import held_interrupts
from .narrowing import Narrowed, narrowed
from .packing import pack_trees
from .rate import Cut, Scaled, best_cut, scaled
from .splitting import balanced, forced, surplus, without_switches
from .symmetric import symmetric_trees

_MOST, _MOST_TRIED = 10_000, 1000


def few_trees(best: Best, k: int, stage: Stage = silent) -> Best:
    """``best`` with ``k`` trees of one weight from every rank that emits, equal ones told once, and the rate that they
    carry: the largest of such trees, where all channels have reverses of equal bandwidth.

    Raises InputError for k below 1, and where no k trees fit that every switch can pass on.
    """
    if not 1 <= k <= _MOST:
        raise InputError(f"--trees is {k}; a number from 1 to {_MOST} was expected")
    task = best.task
    with stage(f"{k} trees from every rank") as progress:
        found = _weight(task, best.cut.rate / k, k)
        if found is None:
            raise InputError(f"no {k} trees from every rank fit that every switch of {task.network.name} can pass on")
        weight, capacity = found
        if progress is not None:
            progress(1, 1)
    trees = packed(task, _numbers(task, weight, k), capacity, stage)
    return replace(
        best, rate=k * weight, trees=[replace(x, weight=x.weight * weight) for x in trees], symmetry=None, above=None
    )


def _weight(task: Broadcasts, most: Fraction, k: int) -> tuple[Fraction, Int64] | None:
    """The largest weight up to ``most`` whose trees fit, with the capacities in trees."""
    low = most
    while (found := _fits(task, low, k)) is None:
        low /= 2
        if low * 4 * k * task.total * task.network.num_nodes < most:
            return None
    high = most
    while _count(task, low, high) > _MOST_TRIED + 2 * len(task.network.widths):
        middle = (low + high) / 2
        found_there = _fits(task, middle, k)
        if found_there is None:
            high = middle
        else:
            low, found = middle, found_there
    options = sorted({x for b in task.network.widths for x in _steps(b, low, high)})
    best, first, last = (low, found), 0, len(options) - 1
    while first <= last:
        middle_one = (first + last) // 2
        capacity = _fits(task, options[middle_one], k)
        if capacity is None:
            last = middle_one - 1
        else:
            best, first = (options[middle_one], capacity), middle_one + 1
    return best


def _count(task: Broadcasts, low: Fraction, high: Fraction) -> int:
    """At most so many weights are in ``_steps`` of all widths."""
    return sum(int(b // low) - int(b // high) + 1 for b in task.network.widths)


def _steps(width: Fraction, low: Fraction, most: Fraction) -> list[Fraction]:
    """The weights from ``low`` to ``most`` of which a channel of this width just holds a whole number."""
    first = -((-width) // most)
    return [width / m for m in range(max(1, int(first)), int(width // low) + 1)]


def _numbers(task: Broadcasts, weight: Fraction, k: int) -> Scaled:
    most = k * task.total  # no channel needs to hold more
    whole = np.array([min(int(x // weight), most) for x in task.network.widths], dtype=np.int64)
    return Scaled(Fraction(k), 1, whole[task.network.bandwidth_rank], task.supply * k)


def _fits(task: Broadcasts, weight: Fraction, k: int) -> Int64 | None:
    """Capacities in trees, balanced at switches; None where ``k`` trees from every rank do not fit."""
    numbers = _numbers(task, weight, k)
    graph = FlowGraph(task.tail, task.head, numbers.capacity, numbers.supply)
    need = numbers.total
    _, place = graph.least(task.nodes, most=need, stop=need - 1)
    return balanced(task, numbers) if place < 0 else None


class InterruptedPacking(Exception):  # noqa: N818  # the user's wish, and no error
    """Somebody has interrupted."""


@contextmanager
def interruptible(stage: Stage) -> Iterator[Stage]:
    """``stage``, whose progress raises InterruptedPacking after the first interrupt; the second one ends it at once."""
    with held_interrupts() as held:

        @contextmanager
        def step(name: str) -> Iterator[Progress | None]:
            with stage(name) as show:

                def progress(done: int, total: int) -> None:
                    if held.happened:
                        raise InterruptedPacking
                    if show is not None:
                        show(done, total)

                yield progress

        yield step


@dataclass(frozen=True, eq=False)
class Best:
    """``cut``: bounds the rate from above; ``trees``: carry ``rate`` (0 where there are none), each with all its images
    under ``symmetry`` (as evidence names it; None: as they are); ``above``: proves that no more than ``rate`` is
    possible, where the cut does not and switches copy nothing."""

    task: Broadcasts
    cut: Cut
    rate: Fraction
    trees: Sequence[PackedTree]
    symmetry: Mapping[str, Any] | None = None
    above: Narrowed | None = None
    interrupted: bool = False

    def claims(self, about: Mapping[str, Any]) -> list[Claim]:
        """One equation where both ends meet, else what is known of each."""
        above = {"inside": pack_ints(self.cut.inside.astype(np.int64))}
        below: dict[str, Any] = {"trees": written_trees(self.trees)}
        if self.above is not None:
            cuts = [{"inside": pack_ints(x.astype(np.int64)), "weight": w} for x, w in self.above.cuts]
            data = {"cuts": cuts, "potentials": pack_ints(self.above.potential), **below}
            return [WEIGHTED_CUTS.claim(self.rate, data, about)]
        if self.symmetry is not None:
            below["symmetry"] = self.symmetry
        if self.rate == self.cut.rate:
            return [PACKING.claim(self.rate, {**above, **below}, about)]
        found = [PACKING.claim(self.cut.rate, above, about, relation="<=")]
        if self.rate:
            found.append(PACKING.claim(self.rate, below, about, relation=">="))
        return found


def written_trees(trees: Sequence[PackedTree]) -> list[dict[str, Any]]:
    """Trees as evidence has them."""
    return [{"root": x.root, "weight": str(x.weight), "channels": pack_ints(x.channels)} for x in trees]


def best_broadcasts(
    task: Broadcasts, *, trees: bool = True, switches_copy: bool = False, symmetric: bool = True, stage: Stage = silent
) -> Best:
    """The cut, and with ``trees`` a packing whose rate is the cut's wherever every switch can pass on all that it
    receives (so wherever all channels have a reverse of equal bandwidth); elsewhere it may be less.

    ``switches_copy``: trees may branch at every node; those go to all switches that can receive as much as a rank.

    ``symmetric``: a few trees may stand for all their images.

    Ctrl-C while trees are packed leaves the cut alone.  Raises InputError where a rank cannot be reached, and where
    bandwidths are too fine for 64 bits.
    """
    with stage("cuts") as progress:
        cut = best_cut(task, progress)
    if not trees:
        return Best(task, cut, Fraction(0), ())
    try:
        with interruptible(stage) as step:
            return _with_trees(task, cut, switches_copy, symmetric, step)
    except InterruptedPacking:
        return Best(task, cut, Fraction(0), (), interrupted=True)


def _with_trees(task: Broadcasts, cut: Cut, switches_copy: bool, symmetric: bool, stage: Stage) -> Best:
    few = None
    if symmetric:
        with stage("trees up to symmetry") as progress:
            few = symmetric_trees(task, cut.rate, progress)
    if few is not None:
        return Best(task, cut, cut.rate, few.trees, few.symmetry)
    numbers = scaled(task, cut.rate)
    capacity = balanced(task, numbers)
    if capacity is None and switches_copy:
        wider = replace(task, reached=_receiving(task, numbers))
        capacity = balanced(wider, numbers)
        if capacity is not None:
            return Best(task, cut, cut.rate, packed(wider, numbers, capacity, stage))
    if capacity is not None:
        return Best(task, cut, cut.rate, packed(task, numbers, capacity, stage))
    if not switches_copy:
        with stage("switches that receive more than they send") as progress:
            exact = narrowed(task, cut, progress)
        if exact is not None:
            trees = packed(task, exact.numbers, exact.numbers.capacity, stage)
            return Best(task, cut, exact.numbers.rate, trees, above=exact if exact.numbers.rate < cut.rate else None)
    rate, found = _of_forced(task, stage)
    return Best(task, cut, rate, found)


def packed(task: Broadcasts, numbers: Scaled, capacity: Int64, stage: Stage) -> list[PackedTree]:
    """Trees of the weights ``numbers.supply`` in balanced ``capacity``."""
    with stage("switches") as progress:
        links = without_switches(task, capacity, numbers.supply, progress)
    with stage("trees") as progress:
        trees = pack_trees(links, task.nodes, numbers.supply, progress)
    return [
        PackedTree(x.root, Fraction(x.weight, numbers.scale), np.array([c for path in x.sends for c in path]))
        for x in trees
    ]


def _receiving(task: Broadcasts, numbers: Scaled) -> Bools:
    """The nodes that can receive all that is emitted: to each of them the largest flow is as much."""
    graph = FlowGraph(task.tail, task.head, numbers.capacity, numbers.supply)
    need = numbers.total
    return np.array([graph.least([v], most=need)[0] == need for v in range(task.network.num_nodes)])


def _of_forced(task: Broadcasts, stage: Stage) -> tuple[Fraction, list[PackedTree]]:
    """Of the best cut of balanced capacities, whatever they are."""
    numbers = scaled(task, Fraction(1))
    capacity = forced(task, numbers.capacity)
    network = task.network
    kept = np.flatnonzero(capacity)
    part = network.part(np.arange(network.num_nodes), kept, np.arange(network.num_terminals), name=network.name)
    narrowed = replace(part, bandwidth=tuple(Fraction(int(capacity[c]), numbers.scale) for c in kept))
    smaller = replace(task, network=narrowed)
    try:
        cut = best_cut(smaller)
    except InputError:  # a rank is no longer reached
        return Fraction(0), []
    own = scaled(smaller, cut.rate)
    assert not surplus(smaller, own.capacity).any()
    trees = packed(smaller, own, own.capacity, stage)
    return cut.rate, [replace(x, channels=kept[x.channels]) for x in trees]
