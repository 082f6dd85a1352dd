"""One run on a multistage network: packets, circuits, or what faulty switches leave of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...core.claim import Claim
from ...core.multistage.wiring import Wiring
from ...core.stage import Stage, silent
from ...simulate.multistage.claims import described_wiring
from ...simulate.multistage.runs import WiredRequest, WiredRun, run_circuits, run_faults, run_packets
from ...simulate.packets.slow_permutations import is_adversary
from ..answer import Answer

__all__ = ["WiredAnswer", "answer_circuits", "answer_faults", "answer_packets"]


@dataclass(frozen=True, eq=False)
class WiredAnswer(Answer):
    """``run``: what came of ``asked``."""

    asked: WiredRequest
    run: WiredRun

    @property
    def wiring(self) -> Wiring:
        return self.run.wiring

    @property
    def subject(self) -> dict[str, Any]:
        return {"kind": "multistage", "topology": self.asked.wiring, "wiring": described_wiring(self.wiring)}

    def claims(self) -> Sequence[Claim]:
        return self.run.claims


def answer_packets(asked: WiredRequest, *, stage: Stage | None = None) -> WiredAnswer:
    """Permutations as packets, step by step; ``stage`` as in ``answer_worst_case``.  Raises InputError."""
    searched = any(map(is_adversary, asked.permutation))
    with (stage or silent)("permutations tried" if searched else "packets delivered") as progress:
        return WiredAnswer(asked, run_packets(asked, progress=progress))


def answer_circuits(asked: WiredRequest, *, stage: Stage | None = None) -> WiredAnswer:
    """A permutation as disjoint paths; ``stage`` as in ``answer_worst_case``.  Raises InputError."""
    with (stage or silent)("circuits connected") as progress:
        return WiredAnswer(asked, run_circuits(asked, progress=progress))


def answer_faults(asked: WiredRequest) -> WiredAnswer:
    """Which inputs and outputs survive the faults.  Raises InputError."""
    return WiredAnswer(asked, run_faults(asked))
