"""Samples of failures: drawn again from their seed, each stated in the report, and what follows for all failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Claim, Grade, Interval
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.sampling.stopping import confidence_of_limits
from ...core.sampling.trial_intervals import FAILURE_QUANTITIES, TRIAL_METHODS, trial_interval
from ...formats.documents.packed_ints import unpack_ints
from ...topologies.failures import MOST_FAILURES, Failure, drawn_failures
from ..intervals import check_interval
from ..kind import EXACT, STOPPING, Kind, States
from ..shapes import NUMBERS, TEXT, WHOLE, Keys
from ..work import spend

__all__ = ["KINDS", "cables_told", "check_drawn"]

_COUNTS = {"links": "link", "switches": "switch", "cables": "cable"}


def check_drawn(network: Network, claim: Claim, known: Mapping[Failure, Fraction | None]) -> dict[Failure, int]:
    """The claim about all failures follows from those that its seed draws; ``known``: the loads that were checked.

    Returns how often each was drawn.
    """
    data, value = claim.evidence.data, claim.value
    assert isinstance(value, Interval)
    what = next(x for x in FAILURE_QUANTITIES if x.name == claim.quantity)
    if data["method"] != TRIAL_METHODS[what.kind]:
        raise VerificationError(f"its method is {str(data['method'])[:40]!r}; {TRIAL_METHODS[what.kind]} was expected")
    plain = {name: x for name in _COUNTS if type(x := data.get(name)) is int and x >= 0}
    if len(plain) != len(_COUNTS):
        raise VerificationError("how many links, switches and cables fail must be whole numbers")
    words = " and ".join(f"{n} {_COUNTS[k] if n == 1 else k}" for k, n in plain.items() if n)
    if claim.about["failed"] != words:
        raise VerificationError(f"it must be about {words}")
    if ("opposite" in data) != bool(plain["cables"]):
        raise VerificationError("which channels make a cable belongs to failures of cables, and only to those")
    if value.confidence != 0.99 or not 0 <= value.seed < 1 << 63 or value.trials > MOST_FAILURES:
        raise VerificationError("its confidence, its seed or its number of failures is outside its range")
    opposite = cables_told(network, data) if plain["cables"] else None
    spend(value.trials * 20, f"{value.trials:,} failures drawn again")
    drawn = drawn_failures(network, plain, start=0, stop=value.trials, seed=value.seed, opposite=opposite)
    missing = [x for x in drawn if x not in known]
    if missing or known.get(Failure()) is None:
        raise VerificationError(f"nothing is stated about {missing[0].text if missing else 'the whole network'}")
    whole = known[Failure()]
    assert whole is not None
    loads = [known[x] for x in drawn]
    if what.kind == "probability":
        values = [0.0 if x is None else 1.0 for x in loads]
    else:
        values = [0.0 if x is None else min(1.0, float(whole / x)) for x in loads]
    own = trial_interval(what.kind, values, confidence=confidence_of_limits(data, value))
    check_interval(value, (own.low, own.best, own.high), "the failures give")
    return dict(Counter(drawn))


def cables_told(network: Network, data: Mapping[str, Any]) -> npt.NDArray[np.int64]:
    """Which channels make a cable: of a network by name its own, of one given in full for the report to say; that they
    lead both ways between two nodes is checked."""
    count, rank = network.num_channels, network.bandwidth_rank
    opposite = unpack_ints(data.get("opposite"), what="opposite", max_items=count)
    own = np.arange(count)
    if len(opposite) != count or (opposite < 0).any() or (opposite >= count).any() or (opposite[opposite] != own).any():
        raise VerificationError("opposite does not pair the channels")
    alone = opposite == own
    ends = (network.tail[opposite] == network.head) & (network.head[opposite] == network.tail)
    if not (ends | alone).all():
        c = int(np.argmin(ends | alone))
        raise VerificationError(
            f"channels {c} and {int(opposite[c])} are no cable: they do not join the same two nodes"
        )
    single = {
        (u, v, w) for u, v, w in zip(*(x[alone].tolist() for x in (network.tail, network.head, rank)), strict=True)
    }
    if any((v, u, w) in single for u, v, w in single):
        raise VerificationError("two channels that could be a cable are said to be none")
    if network.spec is not None and not np.array_equal(opposite, network.opposite):
        raise VerificationError(f"its cables are not those of {network.name}")
    return opposite


KINDS: Mapping[str, Kind] = {
    "drawn-failures": Kind(
        Keys({"links": WHOLE, "switches": WHOLE, "cables": WHOLE, "method": TEXT}, {**STOPPING, "opposite": NUMBERS}),
        {x.name: States(EXACT, Grade.SAMPLED, Keys({"failed": TEXT})) for x in FAILURE_QUANTITIES},
        frozenset({"Towles & Dally 2002 (SPAA), sec. 3, on what is left"}),
    )
}
