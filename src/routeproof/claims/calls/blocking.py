"""Whether calls can be blocked: states of disjoint paths that block, refutations of their existence, calls that the
on-line algorithm refuses."""

from __future__ import annotations

from ...core.claim import Claim
from ...core.errors import VerificationError
from ...core.multistage.call_graph import blocking_formula, check_call_path, is_joined
from ...kernel.refutation import check_refutation
from ..kind import CALLS, Kind, answers
from ..proofs.written import written_lemmas
from ..reading import as_lemmas, as_whole
from ..shapes import ANY, NUMBERS, WHOLE, Keys, ListOf, Word
from .claims import CallRun, CallsWork
from .replays import ReplayedExchange

_MOST_LITERALS = 50_000_000


def _check_state(run: CallRun, claim: Claim) -> None:
    """strictly_nonblocking is "false": calls are connected and given up one after the other; at the end the idle pair
    must be cut off."""
    graph, data = run.graph, claim.evidence.data
    calls: dict[int, list[int]] = {}
    outputs: dict[int, int] = {}
    for number, event in enumerate(data["events"]):
        if len(event) != 2 or event[0] not in ("connect", "hang-up"):
            raise VerificationError(f"event {number} is neither a connection nor a hang-up")
        what, who = event
        if what == "hang-up":
            if who not in calls:
                raise VerificationError(f"event {number}: input {str(who)[:20]} makes no call that could end")
            del calls[who], outputs[who]
            continue
        if not isinstance(who, list):
            raise VerificationError(f"event {number}: a call is a list of places")
        used = {v for path in calls.values() for v in path}
        try:
            i, j = check_call_path(graph, who, used)
        except VerificationError as error:
            raise VerificationError(f"event {number}: {error}") from None
        calls[i], outputs[i] = who, j
    for name, busy in (("input", calls.keys()), ("output", outputs.values())):
        if not 0 <= data[name] < graph.terminals or data[name] in busy:
            raise VerificationError(f"its {name} {data[name]} is not an idle terminal")
    i, j = data["input"], data["output"]
    if is_joined(graph, i, j, {v for path in calls.values() for v in path}):
        raise VerificationError(f"input {i} can still call output {j}: a free path joins them")


def _check_refutation(run: CallRun, claim: Claim) -> None:
    """strictly_nonblocking is "true"."""
    count = as_whole(claim.evidence.data["literals"], "the length of its refutation", 0, _MOST_LITERALS)
    formula = blocking_formula(run.graph)
    check_refutation(formula.num_variables, formula.clauses, as_lemmas(claim.evidence.data["lemmas"], count))


def _check_sequence(run: CallRun, claim: Claim) -> None:
    """always_connects is "false": all calls but the last get through; the last, between idle terminals, does not."""
    graph = run.graph
    exchange = ReplayedExchange(graph, run.caps)
    outputs: dict[int, int] = {}
    refused = False
    for number, event in enumerate(claim.evidence.data["events"]):
        if refused:
            raise VerificationError(f"event {number - 1}: a call is refused before the last one")
        whole = all(type(x) is int and x >= 0 for x in event[1:])
        if whole and len(event) == 2 and event[0] == "hang-up" and event[1] in outputs:
            exchange.end(event[1])
            del outputs[event[1]]
        elif whole and len(event) == 4 and event[0] == "connect" and max(event[1], event[2]) < graph.terminals:
            _, i, j, salt = event
            if i in outputs or j in outputs.values() or salt >= 1 << 64:
                raise VerificationError(f"event {number}: a terminal that is not idle calls or is called")
            if salt and run.settings["paths"] != "random":
                raise VerificationError(f"event {number}: it takes a path at random; calls take the first free one")
            refused = exchange.begin(i, j, salt) > 0
            if not refused:
                outputs[i] = j
        else:
            raise VerificationError(f"event {number} is neither a call nor the end of one in progress")
    if not refused:
        raise VerificationError("the last call gets through")


def elaborate_state(work: CallsWork, claim: Claim) -> None:
    """The calls that are there at the end, all at once."""
    data, calls = claim.evidence.data, dict[int, list[int]]()
    for what, who in data["events"]:
        if what == "hang-up":
            del calls[who]
        else:
            calls[who[0]] = who
    ends = {"from": data["input"], "to": data["output"]}
    work.proof.claim("blocked-call", calls=list(calls.values()), **ends)


def elaborate_refutation(work: CallsWork, claim: Claim) -> None:
    formula, data = blocking_formula(work.graph), claim.evidence.data
    lemmas = as_lemmas(data["lemmas"], data["literals"])
    work.proof.claim("never-blocked", lemmas=written_lemmas(formula.num_variables, formula.clauses, lemmas))


_EVENTS = ListOf(ListOf(ANY))
CALL_WITNESS = Kind(
    "call-witness",
    "Calls along disjoint paths that leave no free path from an idle input to an idle output.",
    Keys({"events": _EVENTS, "input": WHOLE, "output": WHOLE}),
    answers("strictly_nonblocking", "false"),
    CALLS,
    _check_state,
    elaborate=elaborate_state,
    subjects=frozenset({"calls"}),
)
CALL_REFUTATION = Kind(
    "call-refutation",
    "A refutation: every lemma follows by unit propagation, and the last one is the empty clause, so that"
    " no calls block another one.",
    Keys({"lemmas": NUMBERS, "literals": WHOLE}),
    answers("strictly_nonblocking", "true"),
    CALLS,
    _check_refutation,
    elaborate=elaborate_refutation,
    subjects=frozenset({"calls"}),
)
CALL_SEQUENCE = Kind(
    "call-sequence",
    "Calls and hang-ups, replayed by other code, after which the on-line algorithm refuses a call.",
    Keys({"with": Word("requests"), "events": _EVENTS}),
    answers("always_connects", "false"),
    CALLS,
    _check_sequence,
    subjects=frozenset({"calls"}),
)
