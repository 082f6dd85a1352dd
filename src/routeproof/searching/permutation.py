"""Permutation graphs by simulated annealing, one try after the other or eight at a time.

A try depends on its number alone, so an engine can make tries anywhere.  Of those that find a graph the first counts:
the answer does not depend on who made them, nor on how many did.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..formats.documents.destination_graph import graph_from_document, graph_to_document
from .free_layout import FreeState
from .question import SearchQuestion, SearchResult, SearchState, judged
from .split_layout import Slots, SplitState, plan_slots, symmetries

if TYPE_CHECKING:
    from ..engine import Engine

_CHUNK = 200_000
_KEEP_EVERY = 5.0
_AT_ONCE = 8


@dataclass(frozen=True)
class Annealing(SearchQuestion):
    """How a permutation graph is annealed.

    ``symmetry``: a name of ``split_layout.symmetries`` under which the trees are invariant, ``none``, or ``auto``: none
    and all that fit, in turns.  ``mixed``: see ``plan_slots``.  ``layout``: ``split`` for the plans of ``plan_slots``,
    ``free`` where annealing chooses the kind of each slot (``free_layout``), too, and ``auto`` for both in turns, if
    neither ``symmetry`` nor ``mixed`` are asked for.  Restarts of ``iterations`` moves, then twice as many, and so on,
    while the temperature (in orbits of nodes uncovered) falls from ``hot`` to ``cold``; ``most_tries``: how many
    restarts to make.
    """

    mixed: int | None = None
    iterations: int = 2_000_000
    hot: float = 1.4
    cold: float = 0.5
    most_tries: int | None = None


def anneal_permutation(
    radix: int,
    dimensions: int,
    steps: int,
    *,
    resume: SearchState | None = None,
    keep: Callable[[SearchState], None] | None = None,
    progress: Callable[[str], None] | None = None,
    **settings: Any,
) -> SearchResult:
    """A permutation graph of ``steps`` steps, judged by C2, or the nearest miss within the time limit.

    ``settings``: the other fields of ``Annealing``.  One seed and enough time give one answer.  ``keep`` is called now
    and then, and at the end, with where the search stands; ``resume`` goes on from there, with the same trees but other
    random numbers.
    """
    asked = Annealing("permutation", radix, dimensions, steps, **settings)
    start = time.monotonic()
    nodes, states, first_try = asked.cube.num_nodes, _states(asked), asked.first_try
    best, tries, kept = nodes, 0, start
    if resume is not None:
        first_try, best = resume.turn, min(best, resume.best)
    while asked.most_tries is None or tries < asked.most_tries:
        turn = first_try + tries
        state, seed = states[turn % len(states)], asked.seed + 1_000_003 * turn
        state.restart(seed)
        done = 0
        if resume is not None and resume.chunk:
            state.restore(resume.parent, seed + 7_919 * resume.chunk)
            done, resume = resume.chunk, None
        tries += 1
        chunks = max(1, round(asked.iterations * 2.0 ** (turn // len(states)) / _CHUNK))
        for k in range(done, chunks):
            hot, cold = (state.scale * asked.hot * (asked.cold / asked.hot) ** (x / chunks) for x in (k, k + 1))
            try:
                cost = state.run(_CHUNK, hot, cold)
            except KeyboardInterrupt:
                if keep is not None:
                    keep(SearchState(turn, k, best, state.parent))
                raise
            best, now = min(best, cost), time.monotonic()
            over = cost > 0 and now - start >= asked.time_limit
            if keep is not None and (over or now - kept > _KEEP_EVERY):
                keep(SearchState(turn, k + 1, best, state.parent))
                kept = now
            if progress is not None:
                progress(f"try {turn + 1}: {cost} of {nodes} nodes without a path, at best {best}")
            if cost == 0:
                return SearchResult(judged(state.graph(), asked), tries=tries, seconds=time.monotonic() - start)
            if over:
                return SearchResult(None, uncovered=best, tries=tries, seconds=now - start)
    return SearchResult(None, uncovered=best, tries=tries, seconds=time.monotonic() - start)


def _states(asked: Annealing) -> list[SplitState | FreeState]:
    """What to anneal in turns: for t > 2 the free layout comes second, for t = 2 last."""
    cube, steps, layout = asked.cube, asked.steps, asked.layout
    if layout not in ("auto", "split", "free"):
        raise InputError(f"layout is '{layout[:40]}'; auto, split or free was expected")
    if layout == "free":
        name = "none" if asked.symmetry == "auto" else asked.symmetry
        return [FreeState(cube, steps, minimum=asked.minimum, symmetry=name)]
    states: list[SplitState | FreeState] = [SplitState(x, asked.minimum) for x in _plans(asked)]
    if layout == "auto" and asked.symmetry == "auto" and asked.mixed is None:
        states.insert(1 if cube.radix > 2 else len(states), FreeState(cube, steps, minimum=asked.minimum))
    return states


def _plans(asked: Annealing) -> list[Slots]:
    """The plans to try in turns; with ``auto`` at least the one without symmetry."""
    cube, steps, mixed = asked.cube, asked.steps, asked.mixed
    if asked.symmetry != "auto":
        return [plan_slots(cube, steps, symmetry=asked.symmetry, mixed=mixed)]
    plans = [plan_slots(cube, steps, mixed=mixed)]
    if mixed is None and steps % 2 + 2 < steps:
        plans.append(plan_slots(cube, steps, mixed=steps % 2 + 2))
    for name in symmetries(cube):
        try:
            plans.append(plan_slots(cube, steps, symmetry=name, mixed=mixed))
        except InputError:  # it does not act freely
            continue
    return plans


def anneal_on_engine(
    engine: Engine, asked: SearchQuestion, *, progress: Callable[[str], None] | None = None
) -> SearchResult:
    """``anneal_permutation`` by an engine.  Time is looked at between eight tries and the next, never within one."""
    from ..engine import Work

    start = time.monotonic()
    nodes, tries = asked.radix**asked.dimensions, 0
    best = nodes
    while True:
        turns = range(asked.first_try + tries, asked.first_try + tries + _AT_ONCE)
        pieces = {f"try {k + 1}": {"turn": k} for k in turns}
        work = Work(f"tries {turns[0] + 1} to {turns[-1] + 1}", one_try, pieces, shared=asked.settings())
        for tried, result in enumerate(engine.run(work).values(), 1):
            best = min(best, int(result["uncovered"]))
            if result["graph"] is not None:
                graph = graph_from_document(result["graph"], what="a graph that was found")
                return SearchResult(graph, tries=tries + tried, seconds=time.monotonic() - start)
        tries += _AT_ONCE
        if progress is not None:
            progress(f"{asked.first_try + tries} tries: at best {best} of {nodes} nodes without a path")
        if time.monotonic() - start >= asked.time_limit:
            return SearchResult(None, uncovered=best, tries=tries, seconds=time.monotonic() - start)


def one_try(turn: int, **asked: Any) -> dict[str, Any]:
    """Try number ``turn`` of a search, to its end: the graph's document or None, and the nodes left without a path."""
    found = anneal_permutation(**asked, first_try=turn, most_tries=1, time_limit=float("inf"))
    return {"uncovered": found.uncovered, "graph": None if found.graph is None else graph_to_document(found.graph)}
