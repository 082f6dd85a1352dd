"""The fewest virtual channels: a solver assigns them to paths, destinations or hops, so that there is no cycle; where
it takes long, local search does (``channel_orders``).

Cycles are forbidden as they are found: the solver assigns, every cycle becomes clauses, until there is none, or until
nothing is left, which is a refutation.  What comes out is judged elsewhere, and nothing rests on the solver.

Source: layers are those of Skeie, Lysne & Theiss 2002 and Domke, Hoefler & Nagel 2011, which fill them one by one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np

from ..claims.routings.deadlock import VIRTUAL_CHANNELS, assigned_by_claim
from ..claims.routings.deadlock_rules import LAYERS_REFUTATION, several_hops, sharing_of
from ..core.claim import Claim
from ..core.graph import numbering_or_cycle
from ..kernel.layer_clauses import LayerFormula, Sharing
from ..machine.deadlines import Deadline, ended_in_time, held_interrupts
from ..routing.base.delivery import Bundle, gathered
from ..routing.base.routing import Routing
from ..routing.dependencies.virtual_dependencies import (
    bundles_of,
    by_descents,
    transactions,
    virtual_dependencies,
    virtual_of_transactions,
)
from ..worst.deadlock.assignments import few_descents
from ..worst.deadlock.channels import MOST_LAYERED, VirtualChannels, assigned_by
from .channel_orders import ordered_lanes
from .satisfiability import answer_clauses, solve

_MOST_CLAUSES = 1_000_000
Path = tuple[int, ...]
_CYCLES = 300  # that are added at a time
_MOST_DEPENDENCIES = 200_000
_SECONDS = 60.0
_LAYERS_SHARE = 1 / 3  # of the time, where hops follow
_SOLVER_FIRST = 0.25  # of its time, then come orders of channels, then the solver again


@dataclass(frozen=True, eq=False)
class Fewest:
    """``found``: an assignment of few virtual channels; ``least``: the claim that fewer do not do, or None."""

    found: VirtualChannels
    least: Claim | None


def fewest_virtual_channels(
    found: VirtualChannels, assignment: str | None = None, *, time_limit: float | None = None
) -> Fewest:
    """``found``, or an assignment of fewer virtual channels, down to two, and how few do not do, in about so many
    seconds (60).  An interrupt (Ctrl-C) ends the search with what is known by then.

    ``assignment``: "layers", "destinations" or "hops"; by default layers, then hops, for which fewer may do.  What the
    routing's file states is kept; so are routings of more than 100,000 paths.  Where python-sat is missing, there is
    local search alone, and nothing is refuted.
    """
    if found.count <= 2 or found.assignment == "given" or assignment in ("turns", "descents", "given"):
        return Fewest(found, None)
    deadline = Deadline(_SECONDS if time_limit is None else time_limit)
    paths: set[Path] = set()
    for bundle in bundles_of(found.routing):
        paths.update(map(tuple, bundle.channel.tolist()))
        if len(paths) > MOST_LAYERED:
            return Fewest(found, None)
    if any(len(set(path)) < len(path) for path in paths):
        return Fewest(found, None)
    kinds = [assignment] if assignment is not None else ["layers", "hops"]
    least = _one_does_not(found.routing, paths, kinds[-1])
    with suppress(KeyboardInterrupt), ended_in_time(deadline.left(), inf):
        for by in kinds:
            here = Deadline(deadline.part(1.0 if by == kinds[-1] else _LAYERS_SHARE))
            for found, refuted in _fewer(found, sorted(paths), by, here):  # noqa: B020  # the search begins from it
                higher = refuted is not None and (least is None or refuted.number > least.number)
                if higher or (refuted is not None and refuted.value == found.count):
                    least = refuted
            if found.count == 2:
                return Fewest(found, None)
    return Fewest(found, least)


def fewest_with_classes(
    found: VirtualChannels, alone: Claim, classes: int, *, time_limit: float | None = None
) -> list[Claim]:
    """Claims of how many virtual channels so many message classes need in a chain: with those of their own for each,
    assigned as ``found``, whose claim is ``alone``; and with all shared by hops, where each transaction has its own.

    ``time_limit`` and interrupts as in ``fewest_virtual_channels``.  Raises InputError for too many of them
    (``routing.dependencies.virtual_dependencies.transactions``).
    """
    routing, each = found.routing, found.count
    deadline = Deadline(_SECONDS if time_limit is None else time_limit)
    of_path = {
        tuple(path): own
        for bundle, virtual in assigned_by_claim(routing, alone)
        for path, own in zip(bundle.channel.tolist(), virtual.tolist(), strict=True)
    }
    paths = transactions(routing, classes)
    lanes = [[k * each + x for k, path in enumerate(parts) for x in of_path[path]] for parts in paths.values()]
    few, number = few_descents(routing.network.num_channels, lambda: gathered(Bundle.of(0, 0, x) for x in paths))
    if few < classes * each:
        lanes = [by_descents(number, np.array([path], dtype=np.int32))[0].tolist() for path in paths]
    refuted: tuple[int, list[Path]] = 0, []
    sharing, least = sharing_of("hops", routing.network), None
    with suppress(ImportError, KeyboardInterrupt), ended_in_time(deadline.left(), inf):  # python-sat
        for count in range(1, min(few, classes * each)):
            cycles: list[Path] = []
            half = (deadline.left() or 0.0) / 2
            fewer, none = lanes_of_paths(list(paths), count, sharing, time_limit=half, cycles=cycles)
            if fewer is not None:
                lanes = [list(x) for x in fewer]
                break
            if none:
                refuted = count, cycles
        if refuted[0]:
            least = _refutation(routing, sharing, *refuted, deadline, classes=classes)
    hop = np.array([x for own in lanes for x in own], dtype=np.int64)
    count, first, second = virtual_dependencies(routing, virtual_of_transactions(routing, classes, hop))
    order, _ = numbering_or_cycle(count * routing.network.num_channels, first, second)
    about = {"paths": alone.about["paths"], "assignment": "hops", "classes": classes}
    count = max(count, 1)  # where no packet crosses a channel, too
    relation = "==" if count == 1 or (least is not None and least.value == count) else "<="
    apart = {**alone.about, "separate_classes": classes}
    return [
        VIRTUAL_CHANNELS.claim(classes * each, alone.evidence.data, apart, relation=alone.relation),
        VIRTUAL_CHANNELS.claim(count, {"hop": hop, "number": order}, about, relation=relation),
        *([] if least is None else [least]),
    ]


def _fewer(
    found: VirtualChannels, paths: list[Path], by: str, deadline: Deadline
) -> Iterator[tuple[VirtualChannels, Claim | None]]:
    """What is known, whenever it is more: the best so far, and a claim that fewer than so many do not do."""
    routing, sharing = found.routing, sharing_of(by, found.routing.network)
    refuted: tuple[int, list[Path]] = 1, []  # that all paths are on one is not looked at
    for share in (_SOLVER_FIRST, 1.0):
        with suppress(ImportError):  # python-sat
            before = refuted[0]
            for count in range(before + 1, found.count):
                cycles: list[Path] = []
                seconds = deadline.part(share / 2) or 0.0
                lanes, none = lanes_of_paths(paths, count, sharing, time_limit=seconds, cycles=cycles)
                if lanes is not None:
                    for found in _assigned(found, paths, lanes, by):  # noqa: B020  # once
                        yield found, None
                    break
                if none:
                    refuted = count, cycles
            if refuted[0] > before:
                yield found, _refutation(routing, sharing, *refuted, deadline)
        while by != "destinations" and found.count > refuted[0] + 1:
            lanes = lanes_by_orders(paths, found.count - 1, sharing, Deadline(deadline.part(0.5)))
            if lanes is None:
                break
            for found in _assigned(found, paths, lanes, by):  # noqa: B020  # once
                yield found, None


def _assigned(
    found: VirtualChannels, paths: list[Path], lanes: list[tuple[int, ...]], by: str
) -> Iterator[VirtualChannels]:
    """These lanes in the place of what was found; an interrupt is heard once somebody has them."""
    with held_interrupts() as held:
        better = assigned_by(found.routing, by, dict(zip(paths, lanes, strict=True)))
    yield better
    if held.happened:
        raise KeyboardInterrupt


def lanes_by_orders(
    paths: Sequence[Path], count: int, sharing: Sharing, deadline: Deadline
) -> list[tuple[int, ...]] | None:
    """The same as ``lanes_of_paths`` finds, by layers or hops, for as many paths as there are; None once time is
    over."""
    owner, longest = _longest(paths, sharing)
    lanes = ordered_lanes(longest, count, sharing, deadline)
    if lanes is None:
        return None
    found = {path: lanes[at][a:b] for path, (at, a, b) in owner.items()}
    return [found.get(path) or (0,) for path in paths]


def lanes_of_paths(
    paths: Sequence[Path], count: int, sharing: Sharing, *, time_limit: float, cycles: list[Path] | None = None
) -> tuple[list[tuple[int, ...]] | None, bool]:
    """(the virtual channels of the hops of every path, 0 to ``count`` - 1, with no cycle of dependencies, False); or
    (None, True) where there are none such; (None, False) once time is over, and where there are too many dependencies.

    No path may cross a channel twice.  ``cycles``: gets the cycles that were found, as ``LayerFormula`` takes them.
    Raises ImportError where python-sat is not installed.
    """
    from pysat.solvers import Solver

    deadline = Deadline(time_limit)
    if deadline.over:
        return None, False
    owner, longest = _longest(paths, sharing)
    if sum(len(path) - 1 for path in longest) * count ** (1 if sharing.within else 2) > _MOST_DEPENDENCIES:
        return None, False
    formula = LayerFormula(longest, count, sharing)
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        while not deadline.over:
            answer = solve(solver, deadline.left() or 0.0)
            if not answer:
                return None, answer is False
            lanes = formula.assigned(set(solver.get_model()))
            new = _cycles(longest, lanes, sharing)
            if not new:
                found = {path: lanes[at][a:b] for path, (at, a, b) in owner.items()}
                ends = [] if sharing.by != "destinations" else zip(longest, lanes, strict=True)
                lane = {sharing.head[path[-1]]: own[0] for path, own in ends}  # paths of one hop keep to it, too
                return [found.get(x) or (lane.get(sharing.head[x[-1]], 0) if lane else 0,) for x in paths], False
            if cycles is not None:
                cycles += new
            for cycle in new:
                solver.append_formula(formula.forbid(cycle))
    return None, False


def _refutation(
    routing: Routing, sharing: Sharing, count: int, cycles: list[Path], deadline: Deadline, classes: int | None = None
) -> Claim | None:
    paths = several_hops(routing) if classes is None else list(transactions(routing, classes))
    formula = LayerFormula(paths, count, sharing)
    clauses = [*formula.clauses, *(x for cycle in cycles for x in formula.forbid(cycle))]
    if len(clauses) > _MOST_CLAUSES:
        return None
    _, lemmas = answer_clauses(
        formula.num_variables, clauses, time_limit=deadline.part(0.5) or 0.0, what="a refutation of layers",
        checked_until=deadline,
    )  # fmt: skip
    if lemmas is None:
        return None
    return _refuted(routing, sharing, count, cycles, lemmas, classes)


def _one_does_not(routing: Routing, paths: set[Path], by: str) -> Claim | None:
    """Two are needed where the paths have a cycle: unit propagation alone says so."""
    edges = sorted({edge for path in paths for edge in pairwise(path)})
    first, second = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    _, cycle = numbering_or_cycle(routing.network.num_channels, first, second)
    return _refuted(routing, sharing_of(by, routing.network), 1, [tuple(cycle)], [[]]) if cycle else None


def _refuted(
    routing: Routing,
    sharing: Sharing,
    count: int,
    cycles: list[Path],
    lemmas: Sequence[Sequence[int]],
    classes: int | None = None,
) -> Claim:
    flat = [x for lemma in lemmas for x in (*lemma, 0)]
    around = [c for cycle in cycles for c in (*cycle, -1)]
    data = {
        "cycles": np.array(around, dtype=np.int64), "lemmas": np.array(flat, dtype=np.int64), "literals": len(flat),
    }  # fmt: skip
    about: dict[str, Any] = {"paths": "own" if routing.has_explicit_paths else "of-loads", "assignment": sharing.by}
    about |= {} if classes is None else {"classes": classes}
    return LAYERS_REFUTATION.claim(count + 1, data, about)


def _longest(paths: Sequence[Path], sharing: Sharing) -> tuple[dict[Path, tuple[int, int, int]], list[Path]]:
    """(for every path (number, a, b), the paths so numbered): those that are no part of another one, and of each, the
    first that it is the hops a to b of, whose virtual channels it can have (of one to the same node, for destinations).
    """
    owner: dict[Path, tuple[int, int, int]] = {}
    longest: list[Path] = []
    for path in sorted({x for x in paths if len(x) > 1}, key=lambda x: (-len(x), x)):
        if path in owner:
            continue
        last = len(path)
        for a in range(last - 1):
            for b in range(last if sharing.by == "destinations" else a + 2, last + 1):
                owner.setdefault(path[a:b], (len(longest), a, b))
        longest.append(path)
    return owner, longest


def _cycles(paths: list[Path], lanes: list[tuple[int, ...]], sharing: Sharing) -> list[Path]:
    """Short cycles of dependencies between virtual channels; none where there is none.  Of those that are the same but
    for the names of virtual channels, one."""
    after: defaultdict[int, set[int]] = defaultdict(set)
    for path, own in zip(paths, lanes, strict=True):
        for u, v in pairwise(k * sharing.size + c for c, k in zip(path, own, strict=True)):
            after[u].add(v)
    alive = _without_ends(after)
    found: dict[frozenset[int], Path] = {}
    for u in sorted(alive):
        cycle = _shortest_cycle(u, after, alive)
        if cycle is not None:
            base = [x % sharing.size for x in cycle] if sharing.within else cycle
            found.setdefault(frozenset(base), tuple(base))
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


def _shortest_cycle(start: int, after: defaultdict[int, set[int]], alive: set[int]) -> list[int] | None:
    """The channels of one, from ``start`` on."""
    came: dict[int, int] = {}
    queue = deque([start])
    while queue:
        u = queue.popleft()
        for v in sorted(after[u] & alive):
            if v == start:
                back = [u]
                while back[-1] != start:
                    back.append(came[back[-1]])
                return back[::-1]
            if v not in came:
                came[v] = u
                queue.append(v)
    return None
