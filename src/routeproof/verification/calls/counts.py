"""Calls that come and go: every trial done again, and what its counts say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim
from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ..reading import as_fraction, stated
from ..work import spend
from .call_run import CallRun, check_probability
from .replays import replay_calls

if TYPE_CHECKING:
    from .together import Together

from ...core.claim import Grade
from ..kind import EXACT, STOPPING, Kind, States, counts
from ..shapes import ANY, BOUND, WHOLE, Keys, Word
from ..sources import CALLS

__all__ = ["CALL_COUNTS", "KINDS", "caps_of", "check_counts", "run_again"]

CALL_COUNTS = ("requests", "connected", "blocked_by_rule", "blocked_without_path", "hang_ups", "calls_in_progress")
_NUMBERS = ("trials", "events", "seed", "first")
_MOST_EVENTS = 100_000_000


def run_again(
    wiring: Wiring | None,
    graph: CallGraph,
    data: Mapping[str, Any],
    after: Together | None,
    progress: Callable[[int, int], None] | None,
) -> dict[str, int]:
    trials, events, seed, start = (data.get(x, 0 if x == "first" else None) for x in _NUMBERS)
    for name, value, least in zip(_NUMBERS, (trials, events, seed, start), (1, 0, 0, 0), strict=True):
        if type(value) is not int or value < least:
            raise VerificationError(f"its {name} is {str(value)[:40]}; at least {least} was expected")
    assert isinstance(trials, int)
    assert isinstance(events, int)
    assert isinstance(seed, int)
    assert isinstance(start, int)
    if trials * (events + 1) > _MOST_EVENTS:
        raise VerificationError(f"its {trials} trials have more events than are done again here")
    # A call looks for its path; a rule of blocked switches goes through all of them after every change.
    caps = caps_of(wiring, data)
    each = 40 + graph.num_vertices // (200 if caps is None else 20)
    at_once = 0 if after is None else 20 * min(after.count, graph.terminals) * int(graph.level.max())
    spend(trials * (200 + (events + 1) * each + at_once), f"{trials:,} trials of {events:,} events")
    occupancy = as_fraction(data.get("occupancy"), "occupancy")
    if not 0 < occupancy <= 1 or data.get("paths") not in ("first", "random"):
        raise VerificationError("its occupancy or its choice of paths is outside its range")
    counts = replay_calls(
        graph,
        trials=trials,
        events=events,
        occupancy=occupancy,
        seed=seed,
        random_paths=data["paths"] == "random",
        caps=caps,
        first=start,
        after=after,
        progress=progress,
    )
    counts["connected"] = counts["requests"] - counts["blocked_by_rule"] - counts["blocked_without_path"]
    return counts


def caps_of(wiring: Wiring | None, data: Mapping[str, Any]) -> tuple[int, int] | None:
    """The most lost neighbours that a switch may have, at splitters and mergers."""
    if data.get("beta") is None:
        if "merger" in data:
            raise VerificationError("it names a threshold of mergers, but no rule that has one")
        return None
    beta = as_fraction(data["beta"], "beta")
    if wiring is None or not wiring.reversed_levels:
        raise VerificationError("a rule of busy and blocked switches is for multi-Benes networks")
    d = wiring.multiplicity
    if not Fraction(d + 1, 2) <= beta <= d or data.get("merger") not in ("printed", "argument"):
        raise VerificationError("its beta or its threshold of mergers is outside its range")
    twice = 1 if data["merger"] == "printed" else 2
    return int((2 * beta - d - 1) // 1), int((4 * beta - twice * d - 2) // 1)


def check_counts(run: CallRun, claim: Claim) -> None:
    """Counts of the run done again, or the interval that follows from them."""
    counts = run.counts
    if claim.quantity in CALL_COUNTS:
        if claim.value != Fraction(counts[claim.quantity]):
            raise VerificationError(f"it is {stated(claim)}; the run gives {counts[claim.quantity]}")
        return
    key = {"blocking_probability": "failed", "no_path_probability": "failed_without_path"}[claim.quantity]
    check_probability(run, claim, counts[key], "failed")


_RUN = Keys(
    {"trials": WHOLE, "events": WHOLE, "seed": WHOLE, "occupancy": BOUND, "paths": Word("first", "random")},
    {"first": WHOLE, "beta": BOUND, "merger": Word("printed", "argument")},
)
_FAILED = Keys({"with": Word("requests"), "failed": WHOLE, "method": Word("Clopper-Pearson")}, STOPPING)
_PROBABILITY = States(EXACT, Grade.SAMPLED, evidence=_FAILED)
KINDS: Mapping[str, Kind] = {
    "call-run": Kind(
        ANY,
        {
            **counts(CALL_COUNTS, _RUN),
            "blocking_probability": _PROBABILITY,
            "no_path_probability": _PROBABILITY,
        },
        CALLS,
        check_counts,
    )
}
