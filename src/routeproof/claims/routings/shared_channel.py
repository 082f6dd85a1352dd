"""Claims of the kind ``shared-channel``: whether packets of two jobs cross one channel.

"true" names the channel and a pair of each job; for "false" the channels of all pairs inside all jobs are looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...demand_sets.transport import TransportSet
from ..context import Context
from ..kind import ANALYSES, EXACT, YES_OR_NO, Kind, States
from ..proofs.proof import NotElaborated
from ..proofs.work import Work
from ..reading import as_channel, as_terminal
from ..shapes import ANY, TEXT, WHOLE, Keys, ListOf
from .terminal_rates import named_set
from .worst_case import used_by


def check_shared(context: Context, claim: Claim, value: str, data: Mapping[str, Any]) -> None:
    demands: TransportSet | None = named_set(context, claim).transport
    if demands is None or demands.group is None:
        raise VerificationError("its set of demands has no jobs")
    if demands.box is not None:
        raise VerificationError("which pairs of a box can send is not judged")
    if (value == "true") != ("channel" in data) or (data and set(data) != {"channel", "jobs", "pairs"}):
        raise VerificationError("a channel, two jobs and a pair of each are what shows that jobs share a channel")
    if value == "false":
        _check_none(context, demands)
        return
    c, jobs, pairs = as_channel(context.network, data["channel"]), data["jobs"], data["pairs"]
    if len(jobs) != 2 or jobs[0] == jobs[1] or len(pairs) != 2:
        raise VerificationError("two different jobs, and a pair of each, were expected")
    for job, pair in zip(jobs, pairs, strict=True):
        if not isinstance(pair, list) or len(pair) != 2:
            raise VerificationError("a pair must be [source, destination]")
        i, j = (as_terminal(context.network, x) for x in pair)
        silent = demands.sends is not None and not demands.sends[i]
        silent |= demands.receives is not None and not demands.receives[j]
        if silent or not demands.only(job).allows(i, j):
            raise VerificationError(f"terminals {i} and {j} are not a pair of job {job[:40]!r}")
        block = context.routing.pair_loads(context.routing.row_of[[i]], context.routing.column_of[[j]])
        if not block.as_dict(0).get(c, Fraction(0)):
            raise VerificationError(f"no packet from terminal {i} to {j} crosses channel {c}")


def _check_none(context: Context, demands: TransportSet) -> None:
    used = np.full(context.network.num_channels, -1, dtype=np.int64)
    for k, job in enumerate(demands.jobs):
        for channel, crossed in used_by(context, demands, job, np.arange(len(used))):
            mine = channel[crossed]
            again = mine[used[mine] >= 0]
            if len(again):
                c = int(again[0])
                raise VerificationError(f"jobs {demands.jobs[used[c]][:40]!r} and {job[:40]!r} share channel {c}")
            used[mine] = k


def elaborate_shared(work: Work, claim: Claim) -> None:
    """Who sends and who receives in each job."""
    demands, data = named_set(work.context, claim).transport, claim.evidence.data
    assert demands is not None
    assert demands.group is not None
    if demands.pairs is not None or demands.apart is not None:
        raise NotElaborated("not all pairs inside its jobs may send, and the format lists no such pairs")
    sides = [[x is None or bool(x[t]) for t in range(demands.size)] for x in (demands.sends, demands.receives)]
    members = [np.flatnonzero(demands.group == k).tolist() for k in range(len(demands.jobs))]
    jobs = [[[t for t in own if may[t]] for may in sides] for own in members]
    crossed = [data["channel"], *data["pairs"]] if data else None
    work.proof.claim("shared-channel", routing=work.routing, jobs=jobs, crossed=crossed)


SHARED_CHANNEL = Kind(
    "shared-channel",
    "A channel, with a pair of terminals of each of two jobs whose packets cross it; or, where there is "
    "none, the channels of all pairs inside the jobs, looked up again.",
    Keys({}, {"channel": WHOLE, "jobs": ListOf(TEXT), "pairs": ListOf(ANY)}),
    {"jobs_share_channels": States(EXACT, Grade.PROVED, Keys({"demands": TEXT}), words=YES_OR_NO)},
    frozenset(),
    check_shared,
    subjects=ANALYSES,
    whole_flows=True,
    elaborate=elaborate_shared,
)
