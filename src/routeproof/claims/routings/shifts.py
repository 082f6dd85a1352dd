"""The throughput of the worst shift: every terminal t sends to t + k, for the worst k.  All N - 1 shifts, in the
numbering of the terminals, are the phases of an all-to-all by linear shifts; the loads of all are added up again.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import shown
from ...core.schedules.phases import phases_of
from ..context import Context
from ..kind import ANALYSES, EXACT, Kind, States
from ..phase_loads import judged_phases
from ..proofs.work import Work
from ..proofs.written import demand, matrices
from ..reading import as_whole, check_value
from ..shapes import WHOLE, Keys


def check_worst_shift(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    size = context.network.num_terminals
    shifts = list(judged_phases(context.routing, phases_of("linear-shift", "all-to-all", size), np.arange(size)))
    if not shifts:
        raise VerificationError(f"{context.network.name} has {size} terminals: there are no shifts")
    first = max(range(len(shifts)), key=lambda k: shifts[k].load)
    by, worst = as_whole(data["by"], "by", 1, size - 1), shifts[first].load
    if by != first + 1 or data["channel"] != shifts[first].channel:
        raise VerificationError(
            f"the first of the worst shifts is that by {first + 1}, which loads channel {shifts[first].channel} with "
            f"{shown(worst)}; not that by {by} and channel {data['channel']}"
        )
    if not worst:
        raise VerificationError("no shift loads a channel")
    check_value(claim, 1 / worst, "the loads of all shifts make it")


def elaborate_worst_shift(work: Work, claim: Claim) -> None:
    """The shifts are a set of matrices, of which the worst one loads its channel so much, and no other more."""
    size, data = work.network.num_terminals, claim.evidence.data
    shifts = {f"shift by {k}": {(t, (t + k) % size): Fraction(1) for t in range(size)} for k in range(1, size)}
    because = [int(k == data["by"]) for k in range(1, size)]
    sent = demand(shifts[f"shift by {data['by']}"], because)
    about = {"routing": work.routing, "demands": work.proof.set_of(matrices("shifts", shifts))}
    load = 1 / claim.number
    most = work.claim("worst-case-at-most", load, **about, channels=None, evidence=[])
    least = work.claim("worst-case-at-least", load, **about, channel=data["channel"], demand=sent)
    work.quotient(claim, ">=", "throughput-at-least", most)
    work.quotient(claim, "<=", "throughput-at-most", least)


WORST_SHIFT = Kind(
    "worst-shift",
    "A shift whose load no other one passes; all are added up from the routing's pair loads.",
    Keys({"by": WHOLE, "channel": WHOLE}),
    {"worst_shift_throughput": States(EXACT, Grade.PROVED)},
    frozenset({"Zahavi 2012 (J. Parallel Distrib. Comput. 72)"}),
    check_worst_shift,
    subjects=ANALYSES,
    elaborate=elaborate_worst_shift,
)
