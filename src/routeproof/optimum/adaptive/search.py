"""The search for a demand that is hard for every routing, however adaptive.

For given lengths of channels the hardest demand of the set is a matching, a transport or one of its matrices
(``DemandSet.maximise``); for a given demand the best lengths are the dual of its maximum concurrent flow (``ascent``).
Each is found in turn until neither gains (the product of both is bilinear, so this ends at a local optimum), from many
starts: lengths of 1, patterns and automorphisms, the demand that is worst for the best oblivious routing, cuts, and
lengths near the best ones so far, which exchanges pairs of nearly equal distance.  Whatever is found is proved by exact
arithmetic, and nothing is believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64
from ...core.automorphism import Automorphism
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress, Stage
from ...demand_sets.demand_set import Demand, DemandSet, Weights
from ...machine.deadlines import Deadline, Held
from ...machine.memory import check_memory
from ...routing.path_sets.path_set import PathSet
from .ascent import Climbed, Folded, HardDemand, best_lengths, certified, climb
from .path_search import node_demand, path_search_of
from .starts import Chances, Elements, Start, patterns

_STEPS = 40  # of the ascent, for each demand
_TURNS = 25  # demand and lengths, at most
_GAIN = 1e-4
_KEPT = 6  # lengths that later starts are near to
_PATIENCE = 60  # starts without a gain
_SMALL = 8_000  # classes of pairs times classes of channels: up to so many, lengths are found exactly at once
_SHORT = 10**6  # denominators of exact loads
_CLOSE = Fraction(1, 10**6)
_FINE = 1 << 30  # weights are whole numbers up to it
_SECONDS = 120.0  # where there is no other limit


@dataclass
class _Found:
    """A demand with lengths, in floats."""

    value: float
    demand: Demand
    length: Float64
    symmetry: Automorphism | None = None


def hard_demand(
    network: Network,
    demands: DemandSet,
    *,
    paths: PathSet | None,
    known: Sequence[Demand],
    most: Fraction,
    held: Held,
    stage: Stage,
    time_limit: float | None,
    patience: int | None = None,
    seed: int = 0,
) -> HardDemand:
    """A demand of the set that no routing carries with little congestion, with the lengths that prove it.

    - ``paths``: those that flows may use, None for all;
    - ``known``: admitted demands to begin with;
    - ``most``: what is known from above; the search ends where it is met;
    - ``patience``: so many starts without a gain end the search; None: ``_PATIENCE``, or any number where there is a
      time limit;
    - ``time_limit``: seconds (two minutes where None);
    - ``held``: of the caller's ``held_interrupts``: an interrupt ends the search, not the proof.

    Raises InputError for families without a hardest demand, and where the set has no demand between different
    nodes, and where it would not fit into memory.
    """
    size = 48 * network.num_nodes**2 + 32 * network.num_terminals**2
    check_memory(size, f"the search for hard demands on {network.name}")
    deadline = Deadline(_SECONDS if time_limit is None else time_limit)
    if patience is None and time_limit is None:
        patience = _PATIENCE
    with stage("hard demands") as progress:
        rng = np.random.default_rng(seed)
        return _DemandSearch(network, paths, demands, most, deadline, held, patience, rng).run(known, progress)


class _DemandSearch:
    def __init__(
        self, network: Network, paths: PathSet | None, demands: DemandSet, most: Fraction, deadline: Deadline,
        held: Held, patience: int | None, rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self.network, self.paths, self.demands, self.most = network, paths, demands, most
        self.deadline, self.held, self.patience = deadline, held, patience
        self.around = path_search_of(network, paths)
        self.best: list[_Found] = []
        self.proved: HardDemand | None = None
        self.idle = 0
        self.rng = rng
        self.elements = Elements(network, rng, paths)

    def over(self) -> bool:
        return self.held.happened or self.deadline.over or self.met

    @property
    def met(self) -> bool:
        if self.proved is None:
            return False
        rounded = self.most.denominator > _SHORT  # the end of an interval, which is met by no exact number
        return self.proved.load >= (self.most * (1 - _CLOSE) if rounded else self.most)

    def run(self, known: Sequence[Demand], progress: Progress | None) -> HardDemand:
        ones = np.ones(self.network.num_channels)
        for first in (ones, 1 / self.around.bandwidth):
            self.prove(_Found(0.0, self.hardest(first), first))
        self.turn(ones)
        for start in (*map(Start, known), *patterns(self.network)):
            self.begin_with(start)
        for g in self.elements.kinds(self.around.distances(ones)):
            if self.over():
                break
            self.begin_with(self.elements.along(g))
        chances = Chances(self.around, self.rng)
        while not self.over() and (self.patience is None or self.idle < self.patience):
            top = self.best[0].value if self.best else 0.0
            self.turn(chances.draw([x.length for x in self.best]))
            self.idle = 0 if self.best[0].value > top * (1 + _GAIN) else self.idle + 1
            if progress is not None:
                progress(self.idle, max(self.idle, self.patience or 0) or 1)
        self.polish()
        assert self.proved is not None
        if not self.proved.load:
            raise InputError(f"over {self.demands.text} nothing is ever sent between two nodes of {self.network.name}")
        return self.proved

    def begin_with(self, start: Start) -> None:
        """From the lengths that are best for this demand, which itself counts where the set has it."""
        between = node_demand(self.network, start.demand)
        if self.over() or not between.any():
            return
        found = self.lengths_for(self.folded(between, start.symmetry), np.ones(self.network.num_channels))
        if self.demands.admits(start.demand):
            self.keep(_Found(found.value, start.demand, found.length, start.symmetry))
        self.turn(found.length)

    def hardest(self, length: Float64) -> Demand:
        """The demand of the set that makes the most of the distances between terminals under these lengths."""
        network = self.network
        far = self.around.distances(length)[np.ix_(network.source, network.sink)]
        worth = np.rint(far / (float(far.max(initial=0.0)) or 1.0) * _FINE).astype(np.int64)
        source, destination = np.nonzero(worth)
        weight = worth[source, destination]
        return self.demands.maximise(Weights(source, destination, Rationals(weight, np.ones_like(weight)))).demand

    def folded(self, between: Float64, symmetry: Automorphism | None = None) -> Folded:
        """By the generators of the network's symmetry that keep the demand, and by this automorphism."""
        more = [] if symmetry is None else [symmetry]
        return Folded.of(self.around.bandwidth, between, [*self.elements.generators, *more])

    def lengths_for(self, folded: Folded, start: Float64) -> Climbed:
        if len(folded.source) * len(folded.wide) <= _SMALL:
            return best_lengths(self.around, folded, start, self.deadline)
        return climb(self.around, folded, start, steps=_STEPS, stop=self.over)

    def turn(self, length: Float64) -> None:
        """The hardest demand for the lengths, the best lengths for the demand, until neither gains."""
        last = 0.0
        for _ in range(_TURNS):
            if self.over():
                return
            varied = length * (1 + 1e-6 * self.rng.random(len(length)))  # among equals, others each time
            demand = self.hardest(varied)
            found = self.lengths_for(self.folded(node_demand(self.network, demand)), length)
            self.keep(_Found(found.value, demand, found.length))
            if found.value <= last * (1 + _GAIN):
                return
            last, length = found.value, found.length

    def keep(self, found: _Found) -> None:
        """Among the best, which later starts are near to; one that may meet what is known from above is proved."""
        top = self.best[0].value if self.best else 0.0
        if len(self.best) < _KEPT or found.value > self.best[-1].value:
            self.best = sorted([*self.best, found], key=lambda x: -x.value)[:_KEPT]
        if found.value > top and found.value >= 0.97 * float(self.most):
            self.prove(self.finest(found))

    def finest(self, found: _Found) -> _Found:
        folded = self.folded(node_demand(self.network, found.demand), found.symmetry)
        climbed = best_lengths(self.around, folded, found.length, self.deadline)
        return replace(found, value=climbed.value, length=climbed.length) if climbed.value > found.value else found

    def prove(self, found: _Found) -> None:
        exact = certified(self.network, found.demand, found.length, self.paths)
        if self.proved is None or exact.load > self.proved.load:
            self.proved = exact

    def polish(self) -> None:
        """The best few, with exact lengths, and the demands that these make hardest."""
        for found in self.best[:3]:
            if self.met:
                return
            if not self.held.happened:
                found = self.finest(found)
            self.prove(found)
            if self.held.happened or self.deadline.over:
                return
            demand = self.hardest(found.length)
            self.prove(self.finest(_Found(0.0, demand, found.length)))
