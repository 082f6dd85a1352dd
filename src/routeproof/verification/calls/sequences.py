"""A call that the on-line algorithm refuses: everything that led to it, once more."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.claim import Claim
from ...core.errors import VerificationError
from ..kind import Kind, answers
from ..reading import as_list
from ..shapes import ANY, Keys, ListOf, Word
from ..sources import CALLS
from .call_run import CallRun
from .replays import ReplayedExchange

__all__ = ["KINDS", "check_sequence"]


def check_sequence(run: CallRun, claim: Claim) -> None:
    """always_connects is "false": all calls but the last get through; the last, between idle terminals, does not."""
    if claim.value != "false":
        raise VerificationError('a refused call proves that it is "false"')
    graph, random_paths = run.graph, run.settings["paths"] == "random"
    exchange = ReplayedExchange(graph, run.caps)
    events = as_list(claim.evidence.data, "events")
    outputs: dict[int, int] = {}
    refused = False
    for number, event in enumerate(events):
        if refused:
            raise VerificationError(f"event {number - 1}: a call is refused before the last one")
        whole = isinstance(event, list) and all(type(x) is int and x >= 0 for x in event[1:])
        if whole and len(event) == 2 and event[0] == "hang-up" and event[1] in outputs:
            exchange.end(event[1])
            del outputs[event[1]]
        elif whole and len(event) == 4 and event[0] == "connect" and max(event[1], event[2]) < graph.terminals:
            _, i, j, salt = event
            if i in outputs or j in outputs.values() or salt >= 1 << 64:
                raise VerificationError(f"event {number}: a terminal that is not idle calls or is called")
            if salt and not random_paths:
                raise VerificationError(f"event {number}: it takes a path at random; calls take the first free one")
            refused = exchange.begin(i, j, salt) > 0
            if not refused:
                outputs[i] = j
        else:
            raise VerificationError(f"event {number} is neither a call nor the end of one in progress")
    if not refused:
        raise VerificationError("the last call gets through")


KINDS: Mapping[str, Kind] = {
    "call-sequence": Kind(
        Keys({"with": Word("requests"), "events": ListOf(ListOf(ANY))}),
        answers("always_connects"),
        CALLS,
        check_sequence,
    )
}
