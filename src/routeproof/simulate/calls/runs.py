"""Calls from texts: what the command line asks for, once, until intervals are narrow, or at every point of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim, Interval
from ...core.errors import InputError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ...core.network import Network
from ...core.rational import parse_fraction
from ...core.sampling.stopping import MOST_TRIALS, Stopping, parse_width
from ...core.stage import Progress
from .blocks import added_up, run_calls_on, run_together_on
from .churn import BusyRule, CallRun, busy_rule, run_calls
from .claims import call_claims
from .together import TogetherRun, run_together, together_added, together_claims

if TYPE_CHECKING:
    from ...engine import Engine

__all__ = ["CallRequest", "CallsDone", "Exchanged", "exchange_of", "run_call_request"]

_TRIALS = 200


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
    rule: BusyRule | None
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
    stopping = None
    if asked.until_width is not None:
        most = MOST_TRIALS if asked.trials is None else asked.trials
        stopping = Stopping(parse_width(asked.until_width), most)
    exchange = exchange_of(asked.topology, asked.load) if exchange is None else exchange
    graph = exchange.graph
    settings: dict[str, Any] = {"occupancy": str(share), "paths": asked.paths}
    rule = None
    if asked.beta is not None:
        beta = parse_fraction(asked.beta, what="beta")
        if exchange.wiring is None:
            raise InputError(f"{asked.topology} is no multi-Benes network: busy and blocked switches are for those")
        rule = busy_rule(exchange.wiring, beta=beta, merger=asked.merger)
        settings |= {"beta": str(beta), "merger": asked.merger}
    if asked.replay is not None:
        settings["first"] = asked.replay
    options: dict[str, Any] = {
        "events": 4 * graph.terminals if asked.events is None else asked.events,
        "occupancy": share,
        "seed": asked.seed,
        "rule": rule,
        "random_paths": asked.paths == "random",
        "progress": progress,
    }
    run: CallRun | None = None
    once: TogetherRun | None = None
    claims: list[Claim] = []
    for start, stop in _spans(asked, stopping):
        more = {**options, "first": start, "trials": stop - start}
        now = run_calls(graph, **more) if engine is None else run_calls_on(engine, graph, **more)
        run = now if run is None else added_up(run, now)
        if asked.together:
            more["count"] = asked.together
            at_once = run_together(graph, **more) if engine is None else run_together_on(engine, graph, **more)
            once = at_once if once is None else together_added(once, at_once)
        claims = call_claims(run, settings, stopping)
        if once is not None:
            claims += together_claims(once, asked.together, asked.seed, stopping, alone=asked.replay is not None)
        if stopping is not None and stopping.enough(_intervals(claims)):
            break
    assert run is not None
    notes = [] if stopping is None else stopping.notes(_intervals(claims))
    return CallsDone(exchange, rule, run, claims, notes)


def _spans(asked: CallRequest, stopping: Stopping | None) -> list[tuple[int, int]]:
    if stopping is not None:
        return list(stopping.spans())
    if asked.replay is not None:
        return [(asked.replay, asked.replay + 1)]
    return [(0, _TRIALS if asked.trials is None else asked.trials)]


def _intervals(claims: list[Claim]) -> list[Interval]:
    return [x.value for x in claims if isinstance(x.value, Interval)]


def exchange_of(text: str, load: int) -> Exchanged:
    """The wiring or else the network that a text names, and its call graph; raises InputError."""
    import os.path

    from ...formats.documents.network import network_to_document
    from ...formats.resolve import resolve_network
    from ...formats.resolve_cube import resolve_wiring
    from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
    from ...topologies.spec import is_wired
    from ..multistage.claims import described_wiring

    if is_wired(text) or (os.path.isfile(text) and _holds_wiring(text)):
        wiring = resolve_wiring(text)
        described: Mapping[str, Any] = {"wiring": described_wiring(wiring), "load": load}
        return Exchanged(wiring, None, call_graph_of_wiring(wiring, load=load), dict(described))
    network = resolve_network(text)
    if load != 1:
        raise InputError(
            f"load is {load}; 1 was expected for {network.name}: only every row of a wiring can be left out"
        )
    described = {"network": network.spec or network_to_document(network)}
    return Exchanged(None, network, call_graph_of_network(network), dict(described))


def _holds_wiring(path: str) -> bool:
    from ...formats.format import File

    try:
        return File(path).says("routeproof/wiring")
    except InputError:
        return False  # some other format, whose own reader says what is wrong
