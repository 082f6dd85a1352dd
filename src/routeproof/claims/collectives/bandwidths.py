"""Algorithm and bus bandwidth of a collective, as NCCL's tests print them: arithmetic on its rate."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ..kind import BOUNDS, Kind, States
from ..proofs.proof import each_way, fraction
from ..reading import check_value
from ..shapes import WHOLE, Keys, Word
from .subject import CABLES, SWITCHES, Ranks
from .written import CollectiveWork

_RATE = "collective_throughput"


def bandwidths(operation: str, rate: Fraction, num_ranks: int) -> dict[str, Fraction]:
    """Size over time, and what a channel at each rank then carries, for ``num_ranks`` ranks.

    The size is what nccl-tests calls so: what all ranks gather, scatter or reduce, what the root of a broadcast sends,
    what a rank sends in an all-to-all.
    """
    n = num_ranks
    size = rate if operation in ("broadcast", "all-to-all") else n * rate
    share = {"broadcast": Fraction(1), "all-reduce": Fraction(2 * (n - 1), n)}.get(operation, Fraction(n - 1, n))
    return {"algorithm_bandwidth": size, "bus_bandwidth": share * size}


def bandwidth_claims(rate: Claim, num_ranks: int) -> list[Claim]:
    """Both bandwidths of a claim about a rate."""
    numbers = bandwidths(rate.about["operation"], rate.number, num_ranks)
    return [
        COLLECTIVE_BANDWIDTH.claim(x, {"from": _RATE}, rate.about, quantity=name, relation=rate.relation)
        for name, x in numbers.items()
    ]


def check_bandwidth(ranks: Ranks, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    if data["from"] != _RATE:
        raise VerificationError("its evidence does not say that it follows from the rate")
    rates = [
        x.number for x in ranks.others
        if (x.quantity, x.relation, dict(x.about)) == (_RATE, claim.relation, dict(claim.about))
    ]  # fmt: skip
    if len(rates) != 1:
        raise VerificationError(f"the report does not state one {_RATE} ({claim.relation}) of the same operation")
    own = bandwidths(claim.about["operation"], rates[0], len(ranks.ranks))
    check_value(claim, own[claim.quantity], "the report's rate makes it")


def elaborate_bandwidth(work: CollectiveWork, claim: Claim) -> None:
    """A multiple of the rate that stands before it in the proof."""

    def one_way(way: str) -> None:
        quantity, value = claim.quantity.partition("_")[0], fraction(claim.number)
        work.proof.claim("bandwidth", quantity=quantity, value=value, of=work.rate(claim.about, way))

    each_way(claim, one_way)


_OPERATION = Word("all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast")
_STATES = States(
    BOUNDS,
    Grade.PROVED,
    Keys({"operation": _OPERATION}, {"root": WHOLE, "switches": SWITCHES, "host_cables": CABLES}),
)
COLLECTIVE_BANDWIDTH = Kind(
    "collective-bandwidth",
    "Arithmetic on the rate of the same collective, as nccl-tests defines it.",
    Keys({"from": Word(_RATE)}),
    {"algorithm_bandwidth": _STATES, "bus_bandwidth": _STATES},
    frozenset({"NVIDIA, nccl-tests, PERFORMANCE.md"}),
    check_bandwidth,
    elaborate=elaborate_bandwidth,
    rests=True,
    subjects=frozenset({"collective"}),
)
