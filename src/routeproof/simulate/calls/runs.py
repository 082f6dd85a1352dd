"""Calls from texts: what the command line asks for, once, until intervals are narrow, or at every point of a sweep.

What is said of them: counts of a run that anybody can repeat, a probability with its interval, and how the on-line
algorithm came to refuse a call: the shortest sequence of calls that could be made of it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ...claims.calls.blocking import CALL_SEQUENCE
from ...claims.calls.claims import CALL_RUN, CALL_TOGETHER
from ...core.claim import Claim, Interval
from ...core.errors import InputError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ...core.network import Network
from ...core.rational import parse_fraction
from ...core.sampling.intervals import probability_limits
from ...core.sampling.stopping import Stopping, sample_until, stopping_asked
from ...core.spread import Progress, in_blocks
from .churn import BusyRule, CallRun, Churn, Exchange, busy_rule, run_calls
from .together import TogetherRun, run_together

if TYPE_CHECKING:
    from ...engine import Engine

Event = tuple[int, int, int]  # input, output (-1: hangs up), salt
_MOST_REPLAYS = 400


def call_claims(
    run: CallRun, churn: Churn, settings: Mapping[str, Any], stopping: Stopping | None = None
) -> list[Claim]:
    """requests, connected, blocked_by_rule, blocked_without_path, hang_ups, calls_in_progress; blocking_probability of
    a trial's last request, and, under a rule, no_path_probability.

    ``settings``: occupancy, paths, and beta and merger (or None) of the rule; ``first`` where one trial was replayed,
    of which no probability is stated.  ``stopping``: when sampling could end.
    """
    data = {"trials": run.trials, "events": churn.events, "seed": churn.seed, **settings}
    connected = run.requests - run.by_rule - run.without_path
    numbers = {"requests": run.requests, "connected": connected}
    numbers |= {"blocked_by_rule": run.by_rule, "blocked_without_path": run.without_path}
    numbers |= {"hang_ups": run.hang_ups, "calls_in_progress": run.busy}
    claims = CALL_RUN.counted(numbers, data)
    failures = {"blocking_probability": run.failed}
    if settings.get("beta") is not None:
        failures["no_path_probability"] = run.failed_without_path
    for quantity, failed in failures.items() if "first" not in settings else ():
        interval = _probability(failed, run.trials, churn.seed, stopping)
        evidence = {"with": "requests", "failed": failed, **_method(stopping)}
        claims.append(CALL_RUN.claim(interval, evidence, quantity=quantity))
    return claims


def together_claims(
    run: TogetherRun, count: int, seed: int, stopping: Stopping | None = None, *, alone: bool = False
) -> list[Claim]:
    """together_calls, together_connected, together_steps (the most of a trial), all_connected_probability.

    ``stopping``: when sampling could end; ``alone``: one trial was replayed, of which no probability is stated.
    """
    numbers = {"together_calls": run.calls, "together_connected": run.connected, "together_steps": run.steps}
    claims = CALL_TOGETHER.counted(numbers, {"with": "requests", "count": count})
    if not alone:
        data = {"with": "together_calls", "whole": run.whole, **_method(stopping)}
        interval = _probability(run.whole, run.trials, seed, stopping)
        claims.append(CALL_TOGETHER.claim(interval, data, quantity="all_connected_probability"))
    return claims


def _method(stopping: Stopping | None) -> dict[str, Any]:
    return {"method": "Clopper-Pearson", **({} if stopping is None else stopping.data())}


def _probability(hits: int, trials: int, seed: int, stopping: Stopping | None) -> Interval:
    """From independent trials (Clopper & Pearson), the interval wide enough for all the looks of ``stopping``."""
    confidence = 0.99 if stopping is None else stopping.confidence(trials)
    low, high = probability_limits(hits, trials, confidence=confidence)
    return Interval(low, hits / trials, high, trials, seed)


def blocked_sequence(graph: CallGraph, churn: Churn, run: CallRun) -> list[Event] | None:
    """Calls and hang-ups, each along the algorithm's own choice of path, after which the last call is refused.

    They are those of the first trial of ``run`` in which a call was blocked, up to that call, without the events that
    could be left out (in ever smaller portions, up to a number of attempts).  None if no call was blocked.
    """
    if run.first_blocked is None:
        return None
    trial, last = run.first_blocked
    exchange = Exchange(graph, churn.rule)
    _, log, draws = exchange.trial(churn, trial)
    events: list[Event] = []
    busy: set[int] = set()
    for number in range(last + 1):
        i, j, outcome = log[number].tolist()
        if outcome < 0:
            continue
        if j < 0 or i in busy:  # a last request, where all are busy, is made by one that hangs up first
            events.append((i, -1, 0))
            busy.discard(i)
        if j >= 0:
            events.append((i, j, int(draws[3 * number + 2]) | 1 if churn.random_paths else 0))
            if outcome == 0:
                busy.add(i)
    size = len(events) // 2
    replays = 0
    while size and replays < _MOST_REPLAYS:
        at = 0
        while at < len(events) - 1 and replays < _MOST_REPLAYS:
            fewer = events[:at] + events[min(at + size, len(events) - 1) :]
            replays += 1
            if _refuses_last(exchange, fewer):
                events = fewer
            else:
                at += size
        size //= 2
    return events


def _refuses_last(exchange: Exchange, events: list[Event]) -> bool:
    """Do all events but the last go through, and does the last not?"""
    exchange.clear()
    busy: dict[int, int] = {}
    for number, (i, j, salt) in enumerate(events):
        if j < 0:
            if i not in busy:
                return False
            exchange.hang_up(i)
            del busy[i]
            continue
        if i in busy or j in busy.values():
            return False
        refused = exchange.connect(i, j, salt=salt) > 0
        if refused or number == len(events) - 1:
            return refused and number == len(events) - 1
        busy[i] = j
    return False


def sequence_claim(events: list[Event]) -> Claim:
    """always_connects: "false", with events ["connect", input, output, salt] and ["hang-up", input]."""
    listed = [["hang-up", i] if j < 0 else ["connect", i, j, salt] for i, j, salt in events]
    return CALL_SEQUENCE.claim("false", {"with": "requests", "events": listed})


_TRIALS = 200
_BLOCK = 50  # trials in a piece


@dataclass(frozen=True)
class CallRequest:
    """What is to be run, by texts and numbers; ``events``: None for 4 per terminal; ``together``: requests at once.

    ``trials``: None for 200, or with ``until_width`` for 100,000 at most; ``replay``: this trial alone.
    """

    topology: str
    load: int = 1
    trials: int | None = None
    events: int | None = None
    occupancy: str = "9/10"
    seed: int = 1
    paths: str = "first"
    beta: str | None = None
    merger: str = "printed"
    together: int = 0
    until_width: str | None = None
    replay: int | None = None


@dataclass(frozen=True, eq=False)
class Exchanged:
    """A network for calls: its ``wiring`` or else its ``network``, and what a report says of it."""

    wiring: Wiring | None
    network: Network | None
    graph: CallGraph
    described: dict[str, Any]


@dataclass(frozen=True, eq=False)
class CallsDone:
    """What came of it; ``notes``: for people."""

    exchange: Exchanged
    churn: Churn
    run: CallRun
    claims: list[Claim]
    notes: list[str] = field(default_factory=list)


def run_call_request(
    asked: CallRequest,
    *,
    exchange: Exchanged | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> CallsDone:
    """Random churn and requests at once, by ``engine`` if one is given; raises InputError.

    With a width, looks come after 100, 200, 400, ... trials: the same ones, whoever does them.
    """
    share = parse_fraction(asked.occupancy, what="occupancy")
    if asked.replay is not None and (asked.trials is not None or asked.until_width is not None):
        raise InputError("--replay does one trial again; leave --trials and --until-width out")
    if asked.replay is not None and asked.replay < 0:
        raise InputError(f"trial {asked.replay} was to be replayed; trials are numbered from 0")
    stopping = stopping_asked(asked.until_width, asked.trials)
    exchange = exchange_of(asked.topology, asked.load) if exchange is None else exchange
    graph = exchange.graph
    settings: dict[str, Any] = {"occupancy": str(share), "paths": asked.paths}
    rule = None
    if asked.beta is not None:
        beta = parse_fraction(asked.beta, what="beta")
        if exchange.wiring is None:
            raise InputError(f"{asked.topology} is not a multi-Benes network: busy and blocked switches are for those")
        rule = busy_rule(exchange.wiring, beta=beta, merger=asked.merger)
        settings |= {"beta": str(beta), "merger": asked.merger}
    trials = _TRIALS if asked.trials is None else asked.trials
    if asked.replay is not None:
        settings["first"], trials = asked.replay, 1
    events = 4 * graph.terminals if asked.events is None else asked.events
    churn = Churn(events, share, asked.seed, rule, asked.paths == "random")
    found: list[Any] = []  # CallRun, and TogetherRun where requests come at once
    claims: list[Claim] = []

    def look(start: int, stop: int) -> list[Interval]:
        nonlocal found, claims
        first = start + (asked.replay or 0)
        now = _run(engine, graph, churn, asked.together, range(first, first + stop - start), progress)
        found = [operator.add(*x) for x in zip(found, now, strict=True)] if found else now
        claims = call_claims(found[0], churn, settings, stopping)
        for run in found[1:]:
            claims += together_claims(run, asked.together, asked.seed, stopping, alone=asked.replay is not None)
        return [x.value for x in claims if isinstance(x.value, Interval)]

    intervals = sample_until(stopping, trials, look)
    notes = [] if stopping is None else stopping.notes(intervals)
    return CallsDone(exchange, churn, found[0], claims, notes)


def _run(
    engine: Engine | None, graph: CallGraph, churn: Churn, together: int, span: range, progress: Progress | None
) -> list[Any]:
    """``_trials``; with an engine in pieces, which ``progress`` then counts."""
    churn.check(len(span))
    if engine is None:
        return _trials((graph, churn, together), span.start, len(span), progress)
    plain = {name: getattr(graph, name) for name in CallGraph.__dataclass_fields__}
    results = in_blocks(
        engine.spread, "trials", run_block, (span.start, span.stop), _BLOCK,
        shared={"graph": plain, "churn": asdict(churn), "together": together}, prepare=prepare_calls, progress=progress,
    )  # fmt: skip
    kinds = zip((CallRun, TogetherRun), zip(*results, strict=True), strict=False)
    return [functools.reduce(operator.add, (kind(**x) for x in parts)) for kind, parts in kinds]


def _trials(ready: tuple[CallGraph, Churn, int], first: int, count: int, progress: Progress | None = None) -> list[Any]:
    """What came of trials ``first`` to ``first + count - 1``, and of the requests at once after each."""
    graph, churn, together = ready
    if together:
        return [*run_together(graph, churn, count=together, trials=count, first=first, progress=progress)]
    return [run_calls(graph, churn, trials=count, first=first, progress=progress)]


def prepare_calls(graph: Mapping[str, Any], churn: Mapping[str, Any], together: int) -> tuple[CallGraph, Churn, int]:
    """What all pieces share: once where they are done."""
    rule = churn["rule"]
    return CallGraph(**graph), Churn(**{**churn, "rule": None if rule is None else BusyRule(**rule)}), together


def run_block(ready: tuple[CallGraph, Churn, int], first: int, count: int) -> list[dict[str, Any]]:
    return [asdict(x) for x in _trials(ready, first, count)]


def exchange_of(text: str, load: int) -> Exchanged:
    """The wiring or else the network that a text names, and its call graph; raises InputError."""
    import os.path

    from ...formats.documents.network import network_to_document
    from ...formats.resolve import resolve_network, resolve_wiring
    from ...topologies.family import is_wired
    from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
    from ..multistage.runs import described_wiring

    if is_wired(text) or (os.path.isfile(text) and _holds_wiring(text)):
        wiring = resolve_wiring(text)
        described = {"wiring": described_wiring(wiring), "load": load}
        return Exchanged(wiring, None, call_graph_of_wiring(wiring, load=load), described)
    network = resolve_network(text)
    if load != 1:
        raise InputError(
            f"load is {load}; 1 was expected for {network.name}: only every row of a wiring can be left out"
        )
    described = {"network": network.spec or network_to_document(network, attributes=())}
    return Exchanged(None, network, call_graph_of_network(network), described)


def _holds_wiring(path: str) -> bool:
    from ...formats.format import File

    try:
        return File(path).says("routeproof/wiring")
    except InputError:
        return False  # some other format, whose own reader says what is wrong
