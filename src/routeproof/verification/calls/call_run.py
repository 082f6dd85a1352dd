"""One run of calls, done again: what its claims are held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring

__all__ = ["CallRun"]


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
