"""One run of calls, done again: what its claims are held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...core.claim import Claim, Interval
from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ..intervals import check_share

__all__ = ["CallRun", "check_probability"]


@dataclass(frozen=True, eq=False)
class CallRun:
    """The run that ``settings`` describe on ``graph`` (of ``wiring``, if it is one of ours).

    - ``counts``: requests and what became of them, over all trials;
    - ``together``: the counts of the requests at once after each trial, None where the report has none;
    - ``caps``: the most lost neighbours that a switch of a splitter, of a merger, may have; None without such a rule.
    """

    graph: CallGraph
    wiring: Wiring | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    together: Mapping[str, int] | None = None
    caps: tuple[int, int] | None = None


def check_probability(run: CallRun, claim: Claim, hits: int, key: str) -> None:
    """The claim's interval follows from the run, in which ``hits`` trials count; its evidence says so by ``key``."""
    value, settings = claim.value, run.settings
    assert isinstance(value, Interval)
    if "first" in settings:
        raise VerificationError("its trials are not the first ones, which a probability is taken from")
    if value.confidence != 0.99 or (value.trials, value.seed) != (settings["trials"], settings["seed"]):
        raise VerificationError("its trials, seed or confidence are not those of the run")
    if claim.evidence.data.get(key) != hits:
        raise VerificationError(f"its {key!r} is {str(claim.evidence.data.get(key))[:40]}; the run gives {hits}")
    check_share(claim, hits, settings["trials"], "trials give")
