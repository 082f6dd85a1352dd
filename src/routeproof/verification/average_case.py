"""Average cases, run again: evidence of the kind ``random-traffic`` names the traffic model, the seed and the number of
matrices, and may carry a routing of its own.

Every matrix is drawn again and every load is formed again, from dense pair loads.  That the interval holds for all
traffic is what its grade says, SAMPLED, and not what is verified.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..core.check import shown, without_base
from ..core.claim import Claim, Grade, Interval
from ..core.errors import VerificationError
from ..routing.base import Routing
from ..topologies.traffic_models import TRAFFIC_MODELS, sample_traffic
from .context import Context
from .reading import as_mapping

__all__ = ["check_average_case"]

_QUANTITIES = {
    "average_case_throughput": "packets per cycle and terminal",
    "average_case_throughput_of_capacity": "of capacity",
}
_SAMPLES = (None, "optimised", "fresh")
_TINY = Fraction(1, 1 << 40)
_MOST_CELLS = 1 << 28
_CLOSE = 1e-9
_QUANTILE = 2.5758293035489004  # of the normal distribution: 99 %, both sides


def check_average_case(context: Context, claim: Claim) -> None:
    """Raises VerificationError where another interval comes out."""
    data, value = claim.evidence.data, claim.value
    unit = _QUANTITIES.get(claim.quantity)
    if unit is None or claim.unit != unit or claim.relation != "==":
        raise VerificationError(f"random traffic says nothing about {claim.quantity[:60]} {claim.relation[:4]}")
    if claim.grade is not Grade.SAMPLED or not isinstance(value, Interval):
        raise VerificationError("an interval, graded SAMPLED, was expected")
    if set(claim.about) - {"traffic", "sample", "routing"} or claim.about.get("sample") not in _SAMPLES:
        raise VerificationError("it may be about traffic, a routing, and the sample: optimised, fresh or none")
    model, samples, seed = data.get("traffic"), data.get("samples"), data.get("seed")
    if not isinstance(model, str) or model not in TRAFFIC_MODELS or claim.about.get("traffic") != model:
        raise VerificationError("its evidence names no traffic model, or another one than the claim")
    for number in (samples, seed):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << 40:
            raise VerificationError("'samples' and 'seed' must be whole numbers")
    assert isinstance(samples, int)
    assert isinstance(seed, int)
    if (value.trials, value.seed, value.confidence) != (samples, seed, 0.99):
        raise VerificationError("its evidence names another sample than its value, or another confidence than 99 %")
    if samples * context.network.num_nodes**2 > _MOST_CELLS:
        raise VerificationError(f"{samples:,} matrices are too many to be drawn again")
    routing = _routing(context, claim)
    each = 1 / _largest_loads(routing, sample_traffic(context.network, model, count=samples, seed=seed))
    mean = float(each.mean())
    spread = float(each.std(ddof=1)) / samples**0.5 * _QUANTILE if samples > 1 else mean
    scale = 1.0
    if claim.quantity.endswith("of_capacity"):
        capacity = context.other("capacity")
        if not _TINY < capacity < 1 / _TINY:  # that claim is judged on its own
            raise VerificationError(f"the capacity is stated as {shown(capacity)}")
        scale = float(capacity)
    found = (max(0.0, mean - spread) / scale, mean / scale, (mean + spread) / scale)
    for name, stated, own in zip(("low", "best", "high"), (value.low, value.best, value.high), found, strict=True):
        if not abs(stated - own) <= _CLOSE * max(1.0, own):
            raise VerificationError(f"its {name} is {stated!r}; the sample, drawn again, gives {own!r}")


def _routing(context: Context, claim: Claim) -> Routing:
    from ..routing.described import routing_from_description

    if "routing" not in claim.evidence.data:
        return context.routing
    described = as_mapping(claim.evidence.data, "routing")
    name = claim.about.get("routing")
    if name is not None and name != described.get("spec"):
        raise VerificationError("it is about another routing than its evidence holds")
    routing = routing_from_description(described, context.network)
    routing.check()
    return routing


def _largest_loads(
    routing: Routing, sample: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """float64 (count,): the largest load per bandwidth under each matrix."""
    if not routing.by_node:
        raise VerificationError(f"the average case of {routing.name} is not judged: terminals of one node differ")
    network = routing.network
    count, n = len(sample), network.num_nodes
    by_pair = sample.reshape(count, n, n)
    top = np.zeros(count)
    for block in routing.stream():
        pairs = without_base(block, routing.row_node, routing.column_node)
        for k in range(pairs.num_channels):
            one = pairs.one(k)
            rates = by_pair[:, one.row, one.column]
            loads = np.array([float(x) for x in one.load.fractions()])
            width: Fraction = network.bandwidth[int(one.channel[0])]
            np.maximum(top, rates @ loads / float(width), out=top)
    if not (top > 0).all():
        raise VerificationError("some traffic of the sample loads nothing")
    return top
