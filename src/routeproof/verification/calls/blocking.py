"""Whether calls can be blocked: states of disjoint paths that block, refutations of their existence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.checks.refutation import check_refutation
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph, blocking_formula, check_call_path, is_joined
from ...formats.documents.packed_ints import unpack_ints
from ..kind import Kind, answers
from ..reading import as_list
from ..shapes import ANY, NUMBERS, WHOLE, Keys, ListOf
from ..sources import CALLS
from .call_run import CallRun

__all__ = ["KINDS", "check_strict"]

_MOST_LITERALS = 50_000_000


def check_strict(run: CallRun, claim: Claim) -> None:
    """strictly_nonblocking is "false" by a state that blocks, "true" by a refutation."""
    if claim.relation != "==" or claim.unit or claim.about or claim.grade is not Grade.PROVED:
        raise VerificationError("it says ==, of the whole network, and is PROVED")
    kind = claim.evidence.kind
    if claim.value == "false" and kind == "call-witness":
        _check_state(run.graph, claim)
    elif claim.value == "true" and kind == "call-refutation":
        _check_refutation(run.graph, claim)
    else:
        raise VerificationError(f"it is {str(claim.value)[:40]}, which evidence of the kind {kind[:40]!r} cannot show")


def _check_state(graph: CallGraph, claim: Claim) -> None:
    """Calls are connected and given up one after the other; at the end the idle pair must be cut off."""
    calls: dict[int, list[int]] = {}
    outputs: dict[int, int] = {}
    for number, event in enumerate(as_list(claim.evidence.data, "events")):
        if not isinstance(event, list) or len(event) != 2 or event[0] not in ("connect", "hang-up"):
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
    i, j = (_idle(graph, claim, x, busy) for x, busy in (("input", set(calls)), ("output", set(outputs.values()))))
    if is_joined(graph, i, j, {v for path in calls.values() for v in path}):
        raise VerificationError(f"input {i} can still call output {j}: a free path joins them")


def _idle(graph: CallGraph, claim: Claim, name: str, busy: set[int]) -> int:
    terminal = claim.evidence.data.get(name)
    if type(terminal) is not int or not 0 <= terminal < graph.terminals or terminal in busy:
        raise VerificationError(f"its {name} {str(terminal)[:20]} is no idle terminal")
    return terminal


def _check_refutation(graph: CallGraph, claim: Claim) -> None:
    count = claim.evidence.data.get("literals")
    if type(count) is not int or not 0 <= count <= _MOST_LITERALS:
        raise VerificationError("its refutation has no length")
    flat = unpack_ints(claim.evidence.data.get("lemmas"), what="lemmas", max_items=count)
    ends = np.nonzero(flat == 0)[0].tolist()
    formula = blocking_formula(graph)
    lemmas = (flat[a:b].tolist() for a, b in zip([0, *(x + 1 for x in ends)], ends, strict=False))
    check_refutation(formula.num_variables, formula.clauses, lemmas)


KINDS: Mapping[str, Kind] = {
    "call-witness": Kind(
        Keys({"events": ListOf(ListOf(ANY)), "input": WHOLE, "output": WHOLE}),
        answers("strictly_nonblocking"),
        CALLS,
        check_strict,
    ),
    "call-refutation": Kind(
        Keys({"lemmas": NUMBERS, "literals": WHOLE}), answers("strictly_nonblocking"), CALLS, check_strict
    ),
}
