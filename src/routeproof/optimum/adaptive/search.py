"""The search for a demand that is hard for every routing, however adaptive.

For given lengths of channels the hardest demand of the set is a matching, a transport or one of its matrices
(``DemandSet.maximise``); for a given demand the best lengths are the dual of its maximum concurrent flow (``flows``).
Each is found in turn until neither gains (the product of both is bilinear, so this ends at a local optimum), from many
starts: lengths of 1, patterns and automorphisms, the demand that is worst for the best oblivious routing, cuts,
lengths near the best ones so far, which exchanges pairs of nearly equal distance, and, where the set is all
permutations, among those that commute with an automorphism (``commuting``).  Whatever is found is proved by exact
arithmetic, and nothing is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64
from ...core.automorphism import Automorphism
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress, Stage
from ...core.symmetry import orbit_labels
from ...demand_sets.demand_set import Demand, DemandSet, Weights
from ...graphs.transport import heaviest_assignment
from ...machine.deadlines import Deadline, Held
from ...machine.memory import check_memory
from ...routing.path_sets.path_set import PathSet
from ...symmetry.automorphisms import find_automorphisms
from ...topologies.patterns import PATTERNS
from ..simple_bound import plain_lengths
from .commuting import Commuting
from .flows import Climbed, Folded, HardDemand, best_lengths, certified, climb
from .path_search import PathSearch, node_demand, path_search_of

_ONE = Fraction(1)
_DRAWN = 1_000  # automorphisms, of which one of every kind is tried as a permutation
_LONGEST_WORD = 40
_SEARCHED_NODES = 2_000


@dataclass(frozen=True, eq=False)
class Start:
    """A demand to begin with, and automorphisms of the network that keep it, where some are known."""

    demand: Demand
    symmetry: Sequence[Automorphism] = ()


def patterns(network: Network) -> Iterator[Start]:
    """The permutations of the literature, as far as the network has them."""
    for pattern in PATTERNS.values():
        try:
            traffic = pattern.traffic(network, {})
        except InputError:  # it is for other networks
            continue
        if traffic.permutation is not None:
            image = traffic.permutation.image.tolist()
            yield Start({(i, j): _ONE for i, j in enumerate(image) if i != j})


class Elements:
    """Automorphisms of the network at random, from declared generators and found ones, that keep the ``paths``."""

    def __init__(self, network: Network, rng: np.random.Generator, paths: PathSet | None = None) -> None:
        declared = () if network.symmetry is None else network.symmetry.generators
        found = find_automorphisms(network) if network.num_nodes <= _SEARCHED_NODES else None
        self.network, self.rng = network, rng
        self.generators = [
            g for g in (*declared, *(() if found is None else found.generators)) if paths is None or paths.is_kept_by(g)
        ]

    def draw(self) -> Automorphism:
        node, channel = np.arange(self.network.num_nodes), np.arange(self.network.num_channels)
        for k in self.rng.integers(0, len(self.generators), int(self.rng.integers(1, _LONGEST_WORD))).tolist():
            g = self.generators[k]
            node, channel = g.node[node], g.channel[channel]
        return Automorphism("drawn", node.astype(np.int32), channel.astype(np.int32))

    def kinds(self, far: Float64) -> Iterator[Automorphism]:
        """One of every kind that is met: by the lengths of its cycles and the distances along them."""
        seen = set()
        for _ in range(_DRAWN if self.generators else 0):
            g = self.draw()
            node = g.node.astype(np.int64)
            apart = far[np.arange(len(node)), node].astype(np.int64)
            cycle = orbit_labels(len(node), [node])
            _, places, size = np.unique(cycle, return_inverse=True, return_counts=True)
            kind = tuple(sorted(zip(size[places].tolist(), apart.tolist(), strict=True)))
            if kind not in seen and apart.any():
                seen.add(kind)
                yield g

    def along(self, node: npt.NDArray[np.integer]) -> Demand:
        """Every node sends all that it can to its image, (N,)."""
        network = self.network
        at: list[list[int]] = [[] for _ in range(network.num_nodes)]
        for j, v in enumerate(network.sink.tolist()):
            at[v].append(j)
        used = [0] * network.num_nodes
        demand = {}
        for i, u in enumerate(network.source.tolist()):
            v = int(node[u])
            if v != u and used[v] < len(at[v]) and at[v][used[v]] != i:
                demand[i, at[v][used[v]]] = _ONE
                used[v] += 1
        return demand


class Chances:
    """Lengths of channels to begin with, drawn from ``rng``."""

    def __init__(self, around: PathSearch, rng: np.random.Generator) -> None:
        self.around, self.rng = around, rng
        self.network = around.network

    def draw(self, best: Sequence[Float64]) -> Float64:
        """``best``: lengths that were good, the best first; most starts are near one of them."""
        rng, kind = self.rng, int(self.rng.integers(0, 8))
        if kind >= 4 and best:
            near = best[min(len(best) - 1, int(rng.exponential(1.0)))]
            size = float(rng.choice(np.array([0.05, 0.1, 0.3, 0.6])))
            varied: Float64 = (near + 1e-3 * near.mean()) * np.exp(rng.normal(size=len(near)) * size)
            return varied
        ways: list[Callable[[], Float64]] = [self._matched, self._scattered, self._cut, self._cut]
        return ways[kind % 4]()

    def _ones(self) -> Float64:
        return np.ones(self.network.num_channels)

    def _matched(self) -> Float64:
        """Channels that join each node to a neighbour of its own are longer, so that neighbours are far apart."""
        size, rng = self.network.num_nodes, self.rng
        worth = np.full((size, size), 2.0)
        worth[self.network.tail, self.network.head] = rng.random(self.network.num_channels)
        column = heaviest_assignment(-worth)
        chosen = np.isin(self.network.tail.astype(np.int64) * size + self.network.head, np.arange(size) * size + column)
        return np.where(chosen, rng.choice(np.array([1.5, 2.0, 3.0, 4.0])), 1.0)

    def _scattered(self) -> Float64:
        some = self.rng.random(self.network.num_channels) < self.rng.choice(np.array([0.1, 0.2, 0.4]))
        return np.where(some, self.rng.choice(np.array([1.5, 2.0, 3.0, 4.0])), 1.0)

    def _cut(self) -> Float64:
        """Only channels that leave or enter a set of nodes are long: half of the nodes, nearest to one of them."""
        size = self.network.num_nodes
        far = self.around.distances(self._ones())[int(self.rng.integers(0, size))] + self.rng.random(size)
        inside = far <= np.partition(far, max(0, size // 2 - 1))[max(0, size // 2 - 1)]
        across = inside[self.network.tail] != inside[self.network.head]
        return np.where(across, 1.0, 1e-2)


_STEPS = 40  # of the ascent, for each demand
_TURNS = 25  # demand and lengths, at most
_GAIN = 1e-4
_STARTS = 120  # among permutations that commute with an automorphism
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
    symmetry: Sequence[Automorphism] = ()


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
    again: bool = False,
    seed: int = 0,
) -> HardDemand:
    """A demand of the set that no routing carries with little congestion, with the lengths that prove it.

    - ``paths``: those that flows may use, None for all;
    - ``known``: admitted demands to begin with;
    - ``most``: what is known from above; the search ends where it is met;
    - ``patience``: so many starts without a gain end the search; None: ``_PATIENCE``, or any number where there is a
      time limit;
    - ``again``: patterns and automorphisms were tried before; permutations that commute with one are;
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
        return _DemandSearch(network, paths, demands, most, deadline, held, patience, rng).run(known, again, progress)


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

    def run(self, known: Sequence[Demand], again: bool, progress: Progress | None) -> HardDemand:
        ones = np.ones(self.network.num_channels)
        for length in plain_lengths(self.network):
            first = length.astype(np.float64)
            self.prove(_Found(0.0, self.hardest(first), first))
        self.turn(ones)
        for start in (*map(Start, known), *(() if again else patterns(self.network))):
            self.begin_with(start)
        kinds = list(self.elements.kinds(self.around.distances(ones)))
        if again:
            self.commute(kinds)
        for g in () if again else kinds:
            if self.over():
                break
            self.begin_with(Start(self.elements.along(g.node), [g]))
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

    def folded(self, between: Float64, symmetry: Sequence[Automorphism] = ()) -> Folded:
        """By the generators of the network's symmetry that keep the demand, and by these automorphisms."""
        return Folded.of(self.around.bandwidth, between, [*self.elements.generators, *symmetry])

    def lengths_for(self, folded: Folded, start: Float64) -> Climbed:
        if len(folded.source) * len(folded.wide) <= _SMALL:
            return best_lengths(self.around, folded, start, self.deadline)
        return climb(self.around, folded, start, steps=_STEPS, stop=self.over)

    def commute(self, kinds: Sequence[Automorphism]) -> None:
        """Among the permutations that commute with one of these automorphisms, where the set is all permutations."""
        network = self.network
        if not self.demands.is_permutations or not np.array_equal(network.supply, network.demand):
            return
        group = Commuting.of(network, kinds)
        if group is not None:
            for _ in range(_STARTS):
                self.turn(group.draw(self.rng), group)

    def turn(self, length: Float64, group: Commuting | None = None) -> None:
        """The hardest demand for the lengths (of those that commute with the group), the best lengths for the demand,
        until neither gains."""
        last = 0.0
        symmetry: Sequence[Automorphism] = () if group is None else group.generators
        for _ in range(_TURNS):
            if self.over():
                return
            varied = length * (1 + 1e-6 * self.rng.random(len(length)))  # among equals, others each time
            if group is None:
                demand = self.hardest(varied)
            else:
                demand = self.elements.along(group.hardest(self.around.distances(varied, group.first)))
            found = self.lengths_for(self.folded(node_demand(self.network, demand), symmetry), length)
            self.keep(_Found(found.value, demand, found.length, symmetry))
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
