"""What a sample of failures says of all of them: a probability and a mean, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ..core.claim import Claim, Evidence, Grade, Interval
from ..core.network import Network
from ..core.sampling.stopping import Stopping
from ..core.sampling.trial_intervals import FAILURE_QUANTITIES, TRIAL_METHODS, trial_interval
from ..formats.documents.packed_ints import pack_ints

__all__ = ["sampled_failure_claims", "sampled_failure_intervals"]

_SOURCE = "Towles & Dally 2002 (SPAA), sec. 3, on what is left"


def sampled_failure_intervals(
    loads: Sequence[Fraction | None], whole: Fraction, seed: int, stopping: Stopping | None = None
) -> list[Interval]:
    """The probability that a failure leaves all terminals connected, and the mean of the worst-case throughput that is
    left, as a fraction (at most 1) of that of the whole network; 0 where terminals are separated.

    ``loads``: worst-case loads after the failures in the order drawn, None where terminals are separated; ``whole``:
    that of the whole network; ``stopping``: when sampling could end.
    """
    confidence = 0.99 if stopping is None else stopping.confidence(len(loads))
    connected = [0.0 if x is None else 1.0 for x in loads]
    retained = [0.0 if x is None else min(1.0, float(whole / x)) for x in loads]
    columns = {"connected_probability": connected, "retained_throughput": retained}
    return [trial_interval(x.kind, columns[x.name], confidence=confidence, seed=seed) for x in FAILURE_QUANTITIES]


def sampled_failure_claims(
    network: Network,
    counts: Mapping[str, int],
    intervals: Sequence[Interval],
    failed: str,
    stopping: Stopping | None = None,
) -> list[Claim]:
    """``connected_probability`` and ``retained_throughput`` of failures of ``counts`` links, switches and cables."""
    claims = []
    for what, interval in zip(FAILURE_QUANTITIES, intervals, strict=True):
        data = {**counts, "method": TRIAL_METHODS[what.kind], **({} if stopping is None else stopping.data())}
        if counts.get("cables"):
            data["opposite"] = pack_ints(network.opposite)
        evidence = Evidence("drawn-failures", data)
        claims.append(Claim(what.name, "==", interval, Grade.SAMPLED, evidence, _SOURCE, {"failed": failed}))
    return claims
