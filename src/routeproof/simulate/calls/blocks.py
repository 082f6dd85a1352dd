"""Trials of calls as independent pieces of work: a piece is a range of trials, and counts add up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.multistage.call_graph import CallGraph
from ...core.stage import Progress
from .churn import BusyRule, CallRun, check_churn, run_calls
from .together import TogetherRun, run_together, together_added

if TYPE_CHECKING:
    from ...engine import Engine

__all__ = ["added_up", "prepare_calls", "run_block", "run_calls_on", "run_together_block", "run_together_on"]

_BLOCK = 50  # trials in a piece


def run_calls_on(
    engine: Engine,
    graph: CallGraph,
    *,
    trials: int,
    events: int,
    occupancy: Fraction,
    seed: int,
    rule: BusyRule | None = None,
    random_paths: bool = False,
    first: int = 0,
    progress: Progress | None = None,
) -> CallRun:
    """``run_calls`` by an engine; ``progress`` counts pieces of 50 trials.  More trials go on where fewer ended."""
    check_churn(trials=trials, events=events, occupancy=occupancy, seed=seed)
    options = {"events": events, "occupancy": occupancy, "seed": seed, "random_paths": random_paths}
    shared = _shared(graph, rule, options)
    found = None
    for result in _blocks(engine, "trials", run_block, shared, first, trials, progress):
        blocked = result.pop("first_blocked")
        one = CallRun(**result, first_blocked=None if blocked is None else (blocked[0], blocked[1]))
        found = one if found is None else added_up(found, one)
    assert found is not None
    return found


def run_together_on(
    engine: Engine,
    graph: CallGraph,
    *,
    count: int,
    trials: int,
    events: int,
    occupancy: Fraction,
    seed: int,
    rule: BusyRule | None = None,
    random_paths: bool = False,
    first: int = 0,
    progress: Progress | None = None,
) -> TogetherRun:
    """``run_together`` by an engine, likewise."""
    check_churn(trials=trials, events=events, occupancy=occupancy, seed=seed)
    options = {"events": events, "occupancy": occupancy, "seed": seed, "random_paths": random_paths, "count": count}
    shared = _shared(graph, rule, options)
    found = None
    for result in _blocks(engine, "requests at once", run_together_block, shared, first, trials, progress):
        one = TogetherRun(**result)
        found = one if found is None else together_added(found, one)
    assert found is not None
    return found


def _shared(graph: CallGraph, rule: BusyRule | None, options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "graph": {name: getattr(graph, name) for name in CallGraph.__dataclass_fields__},
        "rule": None if rule is None else asdict(rule),
        "options": dict(options),
    }


def _blocks(
    engine: Engine,
    name: str,
    function: Callable[..., dict[str, Any]],
    shared: Mapping[str, Any],
    first: int,
    trials: int,
    progress: Progress | None,
) -> Iterator[dict[str, Any]]:
    from ...engine import Work

    every = range(first, first + trials, _BLOCK)
    pieces = {f"trials from {at}": {"first": at, "trials": min(_BLOCK, first + trials - at)} for at in every}
    work = Work(name, function, pieces, shared=shared, prepare=prepare_calls)
    for _, result in engine.each(work, progress=progress):
        yield result


def prepare_calls(graph: Mapping[str, Any], rule: Mapping[str, Any] | None, options: Mapping[str, Any]) -> Any:
    """What all pieces share: once where they are done."""
    return CallGraph(**graph), None if rule is None else BusyRule(**rule), options


def run_block(ready: Any, first: int, trials: int) -> dict[str, Any]:
    """Trials ``first`` to ``first + trials - 1``."""
    graph, rule, options = ready
    return asdict(run_calls(graph, rule=rule, first=first, trials=trials, **options))


def run_together_block(ready: Any, first: int, trials: int) -> dict[str, Any]:
    """Requests at once after trials ``first`` to ``first + trials - 1``."""
    graph, rule, options = ready
    return asdict(run_together(graph, rule=rule, first=first, trials=trials, **options))


def added_up(one: CallRun, two: CallRun) -> CallRun:
    """Two runs of different trials of one experiment, as one."""
    names = ("trials", "requests", "by_rule", "without_path", "hang_ups", "busy", "failed", "failed_without_path")
    counts = {x: getattr(one, x) + getattr(two, x) for x in names}
    blocked = [x.first_blocked for x in (one, two) if x.first_blocked is not None]
    return replace(one, **counts, first_blocked=min(blocked) if blocked else None)
