"""Calls on a multistage network: how often one is blocked, whether one can be, and whether all fit at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ...core.spread import Stage
from ..answer import ALONE, Answer, Setting, Shown
from ..question import Question, argument, flag, option, question, spelled
from ..shared import JSON_CLAIMS, UNTIL_WIDTH
from .wired import LOAD, PERMUTATIONS, SWEEP, swept, texts_of

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...core.multistage.call_graph import CallGraph
    from ...simulate.calls.runs import CallRequest, CallsDone


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CallsAnswer(Answer):
    """``done``: the random calls on the network ``topology``."""

    shown = Shown("terminal.simulated:calls_parts")

    topology: str
    done: CallsDone

    @property
    def graph(self) -> CallGraph:
        return self.done.exchange.graph

    @property
    def subject(self) -> dict[str, Any]:
        return {"kind": "calls", "topology": self.topology, "exchange": self.done.exchange.described}


@question
class Calls(Question[Answer]):
    """Connect calls one by one and hang up: how often is one blocked, and can one be blocked at all?

    The probability that a request is blocked is sampled, from one request in each trial. --strict and --adversary look
    for calls along paths of their own choice that cut an idle input off from an idle output. --permutation
    and --rearrangeable connect all calls at once, on Benes networks (looping algorithm) and Clos networks.

    For example: routeproof simulate calls multi-benes:64,d=2,seed=7 --load 4 --occupancy 9/10

        >>> import routeproof as rp
        >>> rp.simulate_calls("clos:3,2,2", trials=20, strict=True).value("strictly_nonblocking")
        'true'

    Raises InputError for networks that calls cannot run on.
    """

    verb, place, function, long = "simulate calls", 133, "simulate_calls", "asked"

    topology: str = argument(
        "TOPOLOGY",
        "multi-benes:64,d=2,seed=7, benes:4, clos:5,3,3, cantor:3, another network without cycles, or a file.",
    )
    _: KW_ONLY
    load: int = spelled(LOAD, default=1)
    trials: int | None = option(
        "N",
        "Independent trials, each from an empty network (200; with --until-width at most 100000).",
        default=None,
    )
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    replay: int | None = option("K", "Trial number K alone, as it was among the others.", default=None)
    events: int | None = option("N", "Events of a trial before its request; default: 4 per terminal.", default=None)
    occupancy: str = option("P", "The fraction of the inputs that would be busy unblocked.", default="9/10")
    seed: int = option("S", "The seed of the trials, and of the adversary.", default=1)
    paths: str = option(
        None, "Which free path a call takes: the first one, or a random one.", default="first",
        choices=("first", "random"),
    )  # fmt: skip
    beta: str | None = option("B", "Avoid switches that the rule of busy and blocked ones rules out.", default=None)
    merger: str = option(
        None, "The rule in the first half: 4B - d - 2 as printed, or 4B - 2d - 2.", default="printed",
        choices=("printed", "argument"),
    )  # fmt: skip
    strict: bool = flag(
        "Decide whether any call can ever be blocked, with proof (small networks).", "--strict", default=False
    )
    time_limit: float = option("SECONDS", "How long --strict may take.", default=60.0)
    adversary: int = option("TRIES", "Search for calls that block another; 0: do not.", default=0)
    together: int = option("K", "After each trial, K requests at once; 0: none (wirings).", default=0)
    permutation: str | Sequence[str] = spelled(PERMUTATIONS, default=())
    rearrangeable: bool = flag(
        "Go through all permutations (Benes and Clos networks, few terminals).", "--rearrangeable", default=False
    )
    sweep: Sequence[str] = spelled(SWEEP, default=())
    json: str | None = spelled(JSON_CLAIMS, init=False)

    @property
    def title(self) -> str:
        return f"calls on {self.topology}"

    @property
    def engine(self) -> str:
        return "always" if self.sweep else "asked"

    @property
    def asked(self) -> CallRequest:
        """The random calls."""
        from ...simulate.calls.runs import CallRequest

        return CallRequest(**{x.name: getattr(self, x.name) for x in fields(CallRequest)})

    def __post_init__(self) -> None:
        one_network = self.strict or self.adversary or self.permutation or self.rearrangeable
        if self.sweep and (one_network or self.replay is not None):
            raise InputError(
                "--sweep goes with random calls; leave --strict, --adversary, --permutation, --rearrangeable and "
                "--replay out"
            )
        if self.adversary < 0:
            raise InputError(f"--adversary is {self.adversary}; a number of tries, or 0 for none, was expected")
        if not self.time_limit > 0:
            raise InputError(f"--time-limit is {self.time_limit}; more than 0 seconds was expected")

    def answer(self, setting: Setting = ALONE) -> Answer:
        return swept("calls", self.asked, self.sweep, setting) if self.sweep else self._once(setting)

    def _once(self, setting: Setting) -> CallsAnswer:
        """Random calls, and what else is asked for."""
        from ...formats.resolve import resolve_permutations
        from ...simulate.calls.rearranging import realised_claim, rearrangeable_claim, rearranger
        from ...simulate.calls.runs import blocked_sequence, exchange_of, run_call_request, sequence_claim

        permutation = texts_of(self.permutation)
        exchange = exchange_of(self.topology, self.load)
        graph = exchange.graph
        at_once = permutation or self.rearrangeable
        how = rearranger(graph, exchange.wiring, exchange.network) if at_once else None
        with setting.stage("trials") as progress:
            done = run_call_request(self.asked, exchange=exchange, engine=setting.engine, progress=progress)
        claims, notes = [*done.claims], [*done.notes]
        sequence = blocked_sequence(graph, done.churn, done.run)
        if sequence is not None:
            claims.append(sequence_claim(sequence))
        verdicts, words = self._blocking(graph, setting.stage)
        claims += verdicts
        notes += words
        if how is not None and permutation:
            images = resolve_permutations(permutation, graph.terminals)
            if len(images) > 1:
                raise InputError(f"{len(images)} permutations were given; one was expected: calls hold their switches")
            claims.append(realised_claim(how, images[0]))
        if how is not None and self.rearrangeable:
            claims.append(rearrangeable_claim(how))
        return CallsAnswer(topology=self.topology, done=done, stated=claims, notes=notes)

    def _blocking(self, graph: CallGraph, step: Stage) -> tuple[list[Claim], list[str]]:
        """Can a call ever be blocked?  Decided, or searched for where that is not."""
        from ...simulate.calls.blocking import decide_strict, find_blocking_state, strict_claim

        notes = []
        if self.strict:
            verdict = decide_strict(graph, time_limit=self.time_limit)
            if verdict is not None:
                return [strict_claim(verdict)], []
            limit = f"{self.time_limit:g} s"
            notes.append(f"Strict-sense nonblocking: undecided after {limit}; a longer --time-limit may help.")
        if self.adversary:
            with step("tries of the adversary") as progress:
                state = find_blocking_state(graph, tries=self.adversary, seed=self.seed, progress=progress)
            if state is not None:
                return [strict_claim(state)], notes
            notes.append(f"The adversary found no blocking state in {self.adversary} tries, which proves nothing.")
        return [], notes
