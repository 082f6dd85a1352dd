"""The best that is known before anything is solved: routings that have names, each judged exactly, and a demand that is
hard for all.

A design that was cut short may be worse than a routing from a book.  So every design is compared with these, and where
it reached nothing, they are the answer.  What bounds all routings bounds those on few paths, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice

import numpy as np

from ..core.errors import InputError
from ..core.network import Network
from ..core.spread import Stage
from ..core.symmetry import orbit_labels
from ..demand_sets.demand_set import DemandSet
from ..demand_sets.transport import TransportSet
from ..lp.exact import NotExactError
from ..machine.deadlines import Deadline, OutOfTimeError, ended_in_time
from ..routing.base.routing import Routing
from ..routing.classes.path_classes import ClassPaths, PathClassRouting
from ..routing.dependencies.virtual_dependencies import without_cycles
from ..routing.named.names import named_routing
from ..routing.path_sets.names import path_set, virtual_channels_of
from ..routing.path_sets.path_set import PathSet, PathsOf
from ..symmetry.automorphisms import ClassSymmetry, generators_of
from ..worst.locality import average_path_length, minimal_average
from ..worst.over import worst_over
from ..worst.scan.exact import WorstCase
from .design import Bound, Design
from .half_flows.design import HalfFlowMethod, half_of_capacity, suits
from .half_flows.exact import ExactHalfFlows
from .program.flow_program import length_bound
from .program.path_variables import designed_name
from .restricted import two_turn
from .simple_bound import simple_bounds

NAMES = (
    "o1turn", "valiant", "dor", "ival", "minimal", "ecmp", "dragonfly-valiant", "dragonfly-minimal", "romm", "dmodk",
)  # fmt: skip
"""Routings to begin with, in the order in which they are judged."""
_OVER_FLOWS = ("minimal", "ecmp", *(x for x in NAMES if x not in ("minimal", "ecmp")))
"""Over all that is routable, where detours cost most and judging takes long."""
_WITHIN = {
    "virtual-channels": ("o1turn", "dor", "valiant", "ival", "2turn", "romm", "minimal"),
    "2turn": ("o1turn", "dor"),
    "minimal": ("minimal", "ecmp", "o1turn", "dor", "dmodk"),
    "ksp": ("ksp", "minimal"),
}
"""Of these the ones that may use only paths of such a set, on some network."""

_SHARE_OF_BOUND, _SHARE, _SHARE_OF_FIRST = 0.1, 0.25, 0.6  # of the time: for the bound, for routings, for one at least
_AT_ONCE = ("o1turn", "dor")
"""Judged whatever the time, where virtual channels are few: what is in every book."""
_ON_ANY_NETWORK = ("minimal", "ecmp", "valiant")
"""They have as much time as the first routing."""
_FIRST_NAMES, _PATIENCE = ("minimal", "dor"), 20.0
"""Judged in least time, where there was none for any; and the seconds for that at least, as for one bound."""
_UNLIMITED, _LEAST = 60.0, 5.0  # seconds that this is a share of, where the time is not limited; and at least
_LEAST_CELLS = 12_000  # pairs by channels: smaller programs are solved exactly
_NEAR = Fraction(1, 100)  # to the optimum: no names are tried where half flows are
_CLOSE = Fraction(1, 1000)  # a load so much above another one, relative to it, is as good where paths count, too
_MOST_PAIRS = 40_000  # whose paths are written out, to see whether they are in a set


@dataclass(eq=False)
class Known:
    """What is known of the best routing over ``demands`` (None: permutations) with ``paths`` (None: all) and an average
    path length of at most ``path_length`` times the shortest possible one, if that is given.

    ``half_flows``: where these have begun.  ``named``: the name of the best ``routing`` so far, with its worst case
    (whose own routing is of fewer pairs over some sets); ``bound``: what no routing beats.  ``every``: all are judged,
    also where one is the best, and kept as ``judged``; ``also``: more names, which come last.
    """

    network: Network
    demands: DemandSet | None
    paths: PathSet | None = None
    path_length: Fraction | None = None
    named: str = ""
    routing: Routing | None = None
    worst: WorstCase | None = None
    bound: Bound | None = None
    every: bool = False
    also: tuple[str, ...] = ()
    judged: list[tuple[Routing, WorstCase]] = field(default_factory=list, repr=False)
    half_flows: HalfFlowMethod | None = field(default=None, repr=False)
    looked: bool = field(default=False, repr=False)
    _measured: tuple[Routing, Fraction] | None = field(default=None, repr=False)
    _cut_short: bool = field(default=False, repr=False)
    _untried: list[tuple[str, Callable[[], Routing]]] = field(default_factory=list, repr=False)

    @property
    def lanes(self) -> int | None:
        """For how many virtual channels the paths are; None where they are another set."""
        return None if self.paths is None else virtual_channels_of(self.paths.name)

    @property
    def minimal(self) -> Fraction:
        return minimal_average(self.network)

    @property
    def most_length(self) -> Fraction | None:
        return length_bound(self.network, self.path_length)[1]

    def look(self, stage: Stage, seconds: float | None) -> None:
        """Judge the routings, and look for a bound, in a part of so many ``seconds``; once."""
        if self.looked:
            return
        self.looked = True
        unit, begun = _UNLIMITED if seconds is None else max(seconds, _LEAST), time.monotonic()
        with stage("known bounds"):
            if self._is_plain:
                self._halve_capacity(unit)
            if not self.met:
                self._bounds(unit)
        if self.met and self.named == "valiant" and self.network.grid is not None:  # IVAL's paths are shorter
            with stage("known routings"), suppress(OutOfTimeError), ended_in_time(_SHARE * unit):
                self._judge("ival", lambda: named_routing("ival", self.network))
        many = self.lanes is not None and _too_many_pairs(self.network)
        near = not (many or self.met) and self._by_half_flows(stage, unit)
        self._untried = [] if many or near else list(self._candidates())
        self._try(stage, unit, begun)

    @property
    def takes_long(self) -> bool:
        """Is the program one of more than a few seconds?"""
        return int(np.count_nonzero(self.network.supply)) ** 2 // 2 * self.network.num_channels >= _LEAST_CELLS

    @property
    def _is_plain(self) -> bool:
        """Is it all routings over permutations, on a network of half flows?"""
        plain = self.demands is None or (isinstance(self.demands, TransportSet) and self.demands.is_permutations)
        return plain and self.paths is None and suits(self.network)

    def _halve_capacity(self, unit: float) -> None:
        """What bounds routings on networks whose nodes look alike, and a routing that can be the optimum where there is
        symmetry: Valiant's, or O1TURN on a mesh."""
        with suppress(InputError, OutOfTimeError), ended_in_time(_SHARE_OF_FIRST * unit):
            bound, grid = half_of_capacity(self.network), self.network.grid
            if bound is not None:
                self.offer(bound)
            symmetric = self.network.symmetry is not None and self.takes_long
            if not self.every and (bound is not None or symmetric):  # else all names come in their order
                planar = bound is None and grid is not None and len(grid.radix) == 2
                first = "o1turn" if planar else "valiant"
                self._judge(first, lambda: named_routing(first, self.network))

    def _by_half_flows(self, stage: Stage, unit: float) -> bool:
        """Begin with half flows, where they apply; are they so near to the optimum that names are hardly nearer?"""
        if not (self._is_plain and self.takes_long):
            return False
        share, ended = ended_in_time(_SHARE_OF_FIRST * unit), (InputError, NotExactError, OutOfTimeError)
        with suppress(*ended), stage("exact half flows"), share:
            exact = ExactHalfFlows(self.network, Deadline(_SHARE * unit))
            exact.solve(None)
            self.offer(exact.bound())
            self._judge("", lambda: exact.routings()[0])
        if self.met:
            return True
        try:
            with stage("half flows") as show, ended_in_time(_SHARE_OF_FIRST * unit):
                deadline = Deadline(_SHARE * unit)
                method = HalfFlowMethod(self.network, None, deadline, soon=True)
                method.solve(show)
                self.offer(method.bound())
                self.half_flows = method
                for routing in method.routings():
                    self._judge("", lambda routing=routing: routing)  # type: ignore[misc]
        except (InputError, OutOfTimeError):
            return False
        if not method.complete and not deadline.over:
            raise KeyboardInterrupt
        if self.every or self.worst is None or self.bound is None or self.network.grid is not None:
            return False
        return self.worst.load <= self._least(self.bound) * (1 + _NEAR)

    def look_on(self, stage: Stage, seconds: float | None) -> None:
        """Judge the routings that there was no time for, in so many ``seconds``."""
        if self._untried and not self.met:
            self._try(stage, (_UNLIMITED if seconds is None else seconds) / _SHARE_OF_FIRST, time.monotonic())

    def insist(self, stage: Stage, seconds: float) -> None:
        """One bound and one routing, if there was no time for them: an answer that is late is better than none."""
        seconds = max(seconds, _PATIENCE)
        if self._cut_short and self.bound is None:
            with stage("known bounds"):
                self._bounds(2 * seconds / _SHARE_OF_FIRST, most=1)
        if self.worst is None and self.bound is not None:
            self._untried.sort(key=lambda x: x[0] not in _FIRST_NAMES)
            self._try(stage, seconds / _SHARE_OF_FIRST, time.monotonic(), enough=True)

    def _try(self, stage: Stage, unit: float, begun: float, *, enough: bool = False) -> None:
        """``enough``: the first one that is judged is."""
        with stage("known routings"):
            late = list[tuple[str, Callable[[], Routing]]]()
            for name, build in self._untried:
                first = self.worst is None or self.lanes is not None or name in _ON_ANY_NETWORK
                share = _SHARE_OF_FIRST if first else _SHARE
                left = share * unit - (time.monotonic() - begun)
                if self.lanes is not None and name in _AT_ONCE:
                    left = max(left, _UNLIMITED)
                if left <= 0 or self.met or (enough and self.worst is not None):
                    late.append((name, build))
                    continue
                try:
                    with ended_in_time(left):
                        self._judge(name, build)
                except OutOfTimeError:
                    late.append((name, build))
            self._untried = late

    @property
    def met(self) -> bool:
        """Is nothing better than the best routing so far?"""
        return (
            not self.every
            and self.worst is not None
            and self.bound is not None
            and self.worst.load <= self._least(self.bound)
        )

    def _candidates(self) -> Iterator[tuple[str, Callable[[], Routing]]]:
        """Names, and what makes a routing that is allowed, as ``designed``; that raises InputError where there is none.

        A mixture of few paths in the set is in the set."""
        paths = self.paths
        if isinstance(paths, PathsOf):
            yield paths.routing.name, lambda: paths.routing
        kind, _, number = ("", "", "") if paths is None else paths.name.partition(":")
        every = _OVER_FLOWS if self.demands is not None and self.demands.gauged_by == "flows" else NAMES
        if self.network.grid is None:  # the first interval is there soon: Valiant's routing takes longer to judge
            every = "minimal", *(x for x in every if x != "minimal")
        for name in (*every, *self.also) if paths is None else _WITHIN.get(kind, ()):
            if name == "ksp":
                name = f"ksp:k={number}"
            if name == "2turn" and paths is not None:
                yield name, lambda paths=paths: _two_turns_within(self.network, paths)  # type: ignore[misc]
                continue
            yield name, lambda name=name: named_routing(name, self.network)  # type: ignore[misc]

    def _judge(self, name: str, build: Callable[[], Routing]) -> None:
        """Keep the routing if it is the best so far: by its load, then by its paths."""
        try:
            routing, most = build(), self.most_length
            if most is not None and average_path_length(routing) > most:
                return
            worst = worst_over(routing, self.demands)
            if self.every:
                self.judged.append((routing, worst))
            best = self.worst
            if best is not None and worst.load >= best.load:
                same = worst.load == best.load and self.paths is None and not self.every
                if not same or average_path_length(routing) >= self.length:
                    return
            allowed = routing if self.paths is None else within(routing, self.paths)
            worst = worst if allowed is routing else worst_over(allowed, self.demands)
            self.routing, self.worst, self.named = allowed, worst, name
        except InputError:  # it is for other networks, uses other paths, or takes more memory than there is
            return

    def _bounds(self, unit: float, *, most: int | None = None) -> None:
        begun = time.monotonic()
        try:
            with suppress(InputError), ended_in_time(_SHARE_OF_FIRST * unit / 2):
                for bound in islice(simple_bounds(self.network, self.demands), most):
                    self.offer(bound)
                    if time.monotonic() - begun > _SHARE_OF_BOUND * unit:
                        break
        except OutOfTimeError:
            self._cut_short = True

    def offer(self, bound: Bound) -> None:
        """Keep a bound if it is the best so far."""
        if self.bound is None or self._least(bound) > self._least(self.bound):
            self.bound = bound

    def _least(self, bound: Bound) -> Fraction:
        return bound.least_load(self.most_length)

    @property
    def length(self) -> Fraction:
        """The average path length of the best routing so far, summed once."""
        assert self.routing is not None
        if self._measured is None or self._measured[0] is not self.routing:
            worst = self.worst
            orbits = worst.classes.label if worst is not None and worst.routing is self.routing else None
            self._measured = self.routing, average_path_length(self.routing, orbits=orbits)
        return self._measured[1]

    @property
    def answer(self) -> Design | None:
        """What is known, as the design that it is; None where it is not enough for one."""
        routing = self.routing
        if routing is None or self.worst is None or self.bound is None or not self._least(self.bound):
            return None
        return Design(
            None, routing, self.worst, self.bound, self.length, self.minimal, self.most_length,
            complete=False, demands=self.demands, known=self.named,
        )  # fmt: skip

    def improved(self, made: Design) -> Design:
        """The design, with what is known in place of what is worse.

        After a second stage its routing has the shorter paths, for a load that may be a little above the best: it
        stays, unless what is known is better by more than ``_CLOSE``, or in both."""
        if self.bound is not None and self._least(self.bound) > made.least_load:
            made = replace(made, load_adversary=self.bound)
        routing, most = self.routing, made.most_load
        if routing is None or self.worst is None or self.worst.load > made.load:
            return made
        length = self.length
        if self.worst.load == made.load and length >= made.length:
            return made
        if most is not None and length > made.length and made.load <= self.worst.load * (1 + _CLOSE):
            return made
        return replace(
            made, routing=routing, worst=self.worst, length=length, known=self.named,
            most_load=None if most is None else self.worst.load,
        )  # fmt: skip


def within(routing: Routing, paths: PathSet) -> Routing:
    """The same loads by explicit paths, all of them in the set; less where cycles are left out for virtual channels.
    Raises InputError where they are not, or too many.

    One pair of every class under the declared symmetry that both keep is divided, and moved to the others."""
    network = routing.network
    if isinstance(paths, PathsOf) and paths.routing is routing:
        return routing
    senders, receivers = (x.nonzero()[0] for x in (network.supply, network.demand))
    if not routing.by_node or _too_many_pairs(network):
        raise InputError(f"{routing.name} is not written out path by path")
    found, names = generators_of(network, symmetry="none" if network.symmetry is None else "auto")
    kept = [g for g in found if paths.is_kept_by(g) and routing.respects(g)]
    symmetry = ClassSymmetry(kept, False, None if names is None else [g.name for g in kept])
    size, wanted = network.num_nodes, np.zeros((network.num_nodes, network.num_nodes), dtype=bool)
    wanted[np.ix_(senders, receivers)] = True
    np.fill_diagonal(wanted, False)
    images = [(g.node.astype(np.int64)[:, None] * size + g.node).ravel() for g in kept]
    label = orbit_labels(size * size, images)
    first = np.unique(label[wanted.ravel()], return_index=True)[1]
    pairs = [divmod(at, size) for at in np.flatnonzero(wanted)[first].tolist()]
    classes = list[ClassPaths]()
    for i, j in pairs:
        divided = routing.decomposition(i, j)
        if virtual_channels_of(paths.name) is not None:  # as where virtual channels are counted: cycles left out
            straight = dict[tuple[int, ...], Fraction]()
            for weight, path in divided:
                way = without_cycles(routing, path)
                straight[way] = straight.get(way, Fraction(0)) + weight
            divided = [(weight, [*way]) for way, weight in straight.items()]
        if not all(paths.holds(i, j, path) for _, path in divided):
            raise InputError(f"{routing.name} has a path from node {i} to node {j} that is not in the set {paths.name}")
        classes.append(ClassPaths(i, j, divided))
    return PathClassRouting(network, designed_name(paths), classes, symmetry, within=paths)


def _too_many_pairs(network: Network) -> bool:
    """Are their paths not to be written out?"""
    return int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand)) > _MOST_PAIRS


def _two_turns_within(network: Network, paths: PathSet) -> Routing:
    """2TURN, where the set holds its paths; raises InputError, before anything is solved, where it does not."""
    every, source = path_set("2turn", network), int(network.source[0])
    for j in set(network.sink.tolist()) - {source}:
        if not all(paths.holds(source, j, path) for path in every.paths(source, j)):
            raise InputError(f"paths of two turns are not in the set {paths.name}")
    return two_turn(network, {})
