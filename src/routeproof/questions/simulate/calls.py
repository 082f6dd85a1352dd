"""Calls on a multistage network: how often one is blocked, whether one can be, and whether all fit at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core.claim import Claim
from ...core.errors import InputError
from ...core.multistage.call_graph import CallGraph
from ...core.spread import Stage
from ...formats.resolve import resolve_permutations
from ...simulate.calls.blocking import decide_strict, find_blocking_state, strict_claim
from ...simulate.calls.claims import blocked_sequence, sequence_claim
from ...simulate.calls.rearranging import realised_claim, rearrangeable_claim, rearranger
from ...simulate.calls.runs import CallRequest, CallsDone, exchange_of, run_call_request
from ..answer import ALONE, Answer, Setting


@dataclass(frozen=True)
class CallsQuestion:
    """``asked``: random calls; beside these:

    - ``strict``: decide in ``time_limit`` seconds whether any call can ever be blocked;
    - ``adversary``: so many tries of a search for calls that block another;
    - ``permutation``: connect it, all calls at once; ``rearrangeable``: go through all permutations.
    """

    asked: CallRequest
    strict: bool = False
    time_limit: float = 60.0
    adversary: int = 0
    permutation: tuple[str, ...] = ()
    rearrangeable: bool = False


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CallsAnswer(Answer):
    """``done``: the random calls."""

    question: CallsQuestion
    done: CallsDone

    @property
    def graph(self) -> CallGraph:
        return self.done.exchange.graph

    @property
    def subject(self) -> dict[str, Any]:
        exchange = self.done.exchange.described
        return {"kind": "calls", "topology": self.question.asked.topology, "exchange": exchange}


def answer_calls(question: CallsQuestion, *, setting: Setting = ALONE) -> CallsAnswer:
    """Random calls, and what else is asked for.  Raises InputError."""
    asked, step = question.asked, setting.stage
    if question.adversary < 0:
        raise InputError(f"--adversary is {question.adversary}; a number of tries, or 0 for none, was expected")
    if not question.time_limit > 0:
        raise InputError(f"--time-limit is {question.time_limit}; more than 0 seconds was expected")
    exchange = exchange_of(asked.topology, asked.load)
    graph = exchange.graph
    at_once = question.permutation or question.rearrangeable
    how = rearranger(graph, exchange.wiring, exchange.network) if at_once else None
    with step("trials") as progress:
        done = run_call_request(asked, exchange=exchange, engine=setting.engine, progress=progress)
    claims, notes = [*done.claims], [*done.notes]
    sequence = blocked_sequence(graph, done.churn, done.run)
    if sequence is not None:
        claims.append(sequence_claim(sequence))
    verdicts, words = _blocking(question, graph, step)
    claims += verdicts
    notes += words
    if how is not None and question.permutation:
        images = resolve_permutations(question.permutation, graph.terminals)
        if len(images) > 1:
            raise InputError(f"{len(images)} permutations were given; one was expected: calls hold their switches")
        claims.append(realised_claim(how, images[0]))
    if how is not None and question.rearrangeable:
        claims.append(rearrangeable_claim(how))
    return CallsAnswer(question=question, done=done, stated=claims, notes=notes)


def _blocking(question: CallsQuestion, graph: CallGraph, step: Stage) -> tuple[list[Claim], list[str]]:
    """Can a call ever be blocked?  Decided, or searched for where that is not."""
    notes = []
    if question.strict:
        verdict = decide_strict(graph, time_limit=question.time_limit)
        if verdict is not None:
            return [strict_claim(verdict)], []
        limit = f"{question.time_limit:g} s"
        notes.append(f"Strict-sense nonblocking: undecided after {limit}; a longer --time-limit may help.")
    if question.adversary:
        with step("tries of the adversary") as progress:
            state = find_blocking_state(graph, tries=question.adversary, seed=question.asked.seed, progress=progress)
        if state is not None:
            return [strict_claim(state)], notes
        notes.append(f"The adversary found no blocking state in {question.adversary} tries, which proves nothing.")
    return [], notes
