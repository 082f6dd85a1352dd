"""The time of a schedule on a network, and how many times the optimum it is, as claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...claims.schedules.times import SCHEDULE_RATIO, SCHEDULE_TIME, TIME, Times, ratio_end
from ...core.claim import Claim


def time_claims(times: Times) -> list[Claim]:
    """One equation where the busiest channel and the phases meet, else both ends."""
    (channel, low), high = times.busiest(), times.in_phases()
    if low == high:
        return [SCHEDULE_TIME.claim(low, {"channel": channel}, times.about)]
    return [
        SCHEDULE_TIME.claim(high, {}, times.about, relation="<="),
        SCHEDULE_TIME.claim(low, {"channel": channel}, times.about, relation=">="),
    ]


def ratio_claims(stated: Sequence[Claim], about: Mapping[str, Any]) -> list[Claim]:
    """What the claims about time and rate make of the time relative to the optimum; ``about``: what the rate is of."""
    ends = {relation: ratio_end(stated, relation, about) for relation in ("<=", ">=")}
    known = {relation: x for relation, x in ends.items() if x is not None}
    if len(known) == len(ends) and len(set(known.values())) == 1:
        known = {"==": known["<="]}
    own = {k: x for k, x in about.items() if k == "host_cables"}
    return [SCHEDULE_RATIO.claim(x, {"from": TIME}, own, relation=relation) for relation, x in known.items()]
