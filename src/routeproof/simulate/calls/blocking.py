"""Can a call ever be blocked?  Decided exactly for small networks; an adversary's search for large ones.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 5, for what strict-sense nonblocking means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...claims.calls.blocking import CALL_REFUTATION, CALL_WITNESS
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.multistage.call_graph import BlockingFormula, CallGraph, blocking_formula, is_joined
from ...core.spread import Progress
from ...formats.documents.packed_ints import pack_ints
from ...searching.satisfiability import answer_clauses

_MOST_CLAUSES = 500_000


@dataclass(frozen=True)
class BlockingState:
    """Calls along disjoint paths of vertices, and an input and an output, both idle, that no free path joins."""

    paths: tuple[tuple[int, ...], ...]
    input: int
    output: int


def decide_strict(graph: CallGraph, *, time_limit: float = 60.0) -> BlockingState | list[list[int]] | None:
    """A blocking state, or lemmas that refute the existence of one (checked by unit propagation); None if time is over.

    A solver answers the clauses of ``core.multistage.call_graph.blocking_formula``; neither answer rests on it.  Raises
    InputError where python-sat is not installed, or for a network too large for the question.
    """
    formula = blocking_formula(graph)
    if len(formula.clauses) > _MOST_CLAUSES:
        raise InputError(
            f"{graph.name} gives {len(formula.clauses)} clauses; at most {_MOST_CLAUSES} are decided: use --adversary"
        )
    model, lemmas = answer_clauses(
        formula.num_variables, formula.clauses, time_limit=time_limit, what="deciding whether a network blocks"
    )
    return lemmas if model is None else _shortened(graph, _state(graph, formula, model))


def _state(graph: CallGraph, formula: BlockingFormula, model: set[int]) -> BlockingState:
    after = {
        v: w for k, (v, w) in enumerate(zip(formula.tail, formula.head, strict=True)) if formula.first_edge + k in model
    }
    paths = []
    for i in range(graph.terminals):
        if i in after:
            path = [i]
            while path[-1] in after:
                path.append(after[path[-1]])
            paths.append(tuple(path))
    size = graph.terminals
    inputs = [t for t in range(size) if t + 1 in model]
    outputs = [t for t in range(size) if size + t + 1 in model]
    return BlockingState(tuple(paths), inputs[0], outputs[0])


def _shortened(graph: CallGraph, state: BlockingState) -> BlockingState:
    """Without the calls that are not needed to block."""
    paths = list(state.paths)
    for path in state.paths:
        left = [x for x in paths if x is not path]
        if not is_joined(graph, state.input, state.output, {v for x in left for v in x}):
            paths = left
    return BlockingState(tuple(paths), state.input, state.output)


def find_blocking_state(
    graph: CallGraph, *, tries: int, seed: int, progress: Progress | None = None
) -> BlockingState | None:
    """An adversary who also chooses the paths: a blocking state, or None after so many tries (which proves nothing).

    Each try picks an idle pair and, as long as a free path joins it, puts a call of other terminals through a switch
    of that path, where some free path allows it.  Calls that turn out not to be needed are left out.
    """
    if tries < 1:
        raise InputError(f"the adversary has {tries} tries; at least 1 was expected")
    heads = [graph.heads(v) for v in range(graph.num_vertices)]
    tails: list[list[int]] = [[] for _ in heads]
    for v, there in enumerate(heads):
        for w in there:
            tails[w].append(v)
    low, high = graph.low.tolist(), graph.high.tolist()
    last = graph.num_vertices - graph.terminals
    rng = np.random.default_rng(seed)

    def walk(v: int, ways: Sequence[Sequence[int]], used: set[int], wanted: Callable[[int], bool], j: int) -> list[int]:
        """A random path, depth first, from ``v`` to a vertex that is wanted (towards output ``j``, -1: any)."""
        seen, path = {v}, [v]
        waiting = [iter(rng.permutation(len(ways[v])).tolist())]
        while path:
            k = next(waiting[-1], None)
            if k is None:
                path.pop()
                waiting.pop()
                continue
            w = ways[path[-1]][k]
            if w in seen or w in used or (j >= 0 and not low[w] <= j <= high[w]):
                continue
            seen.add(w)
            path.append(w)
            if wanted(w):
                return path
            waiting.append(iter(rng.permutation(len(ways[w])).tolist()))
        return []

    for number in range(tries):
        if progress is not None:
            progress(number, tries)
        i, j = (int(x) for x in rng.integers(graph.terminals, size=2))
        goal = graph.output(j)
        used: set[int] = set()
        calls: list[tuple[int, ...]] = []
        while True:
            way = walk(i, heads, used, lambda w, goal=goal: w == goal, j)  # type: ignore[misc]
            if not way:
                return _shortened(graph, BlockingState(tuple(calls), i, j))
            kept = used | {i, goal}
            for v in rng.permutation(np.array(way[1:-1], dtype=np.int64)).tolist():
                back = walk(v, tails, kept, lambda w: w < graph.terminals, -1)
                on = walk(v, heads, kept, lambda w: w >= last, -1) if back else []
                if on:
                    calls.append((*back[::-1], *on[1:]))
                    used.update(calls[-1])
                    break
            else:
                break  # nothing can go through any switch of this path: it is safe from these calls
    return None


def strict_claim(found: BlockingState | list[list[int]]) -> Claim:
    """strictly_nonblocking: "false" with the calls that block, or "true" with a refutation of all such states."""
    if isinstance(found, BlockingState):
        events = [["connect", list(path)] for path in found.paths]
        data = {"events": events, "input": found.input, "output": found.output}
        return CALL_WITNESS.claim("false", data)
    flat = np.array([x for lemma in found for x in (*lemma, 0)], dtype=np.int64)
    data = {"lemmas": pack_ints(flat), "literals": len(flat)}
    return CALL_REFUTATION.claim("true", data)
