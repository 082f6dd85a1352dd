"""The average case of any routing: its mean throughput over a sample of random traffic, with a confidence interval.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 3.3.  The mean here is that of throughputs; the paper minimises the mean
of the maximum loads (9), whose reciprocal is close to it, and which is returned besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..core.claim import Claim, Evidence, Grade, Interval
from ..core.errors import InputError
from ..routing.base import Routing
from .dense import dense

__all__ = ["average_case", "average_case_claim"]

Float64 = npt.NDArray[np.float64]
_QUANTILE = 2.5758293035489004  # of the normal distribution: 99 %, both sides
_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), sec. 3.3"


def average_case(routing: Routing, sample: Float64, *, seed: int) -> tuple[Interval, float]:
    """(the mean throughput with its 99 % confidence interval, the mean of the maximum load) of any routing by node.

    ``sample``: float64, shape (count, N * N), as ``topologies.traffic_models.sample_traffic`` makes it from ``seed``.
    Raises InputError for routings that tell terminals of one node apart, and traffic that loads nothing.
    """
    network = routing.network
    if not routing.by_node:
        raise InputError(f"the average case of {routing.name} is not judged: terminals of one node are routed apart")
    if routing.channel_loads([0], rows=np.zeros(len(routing.row_node), dtype=bool)).base is not None:
        routing = dense(routing)
    width = np.array([float(b) for b in network.bandwidth])
    top = np.zeros(len(sample))
    for block in routing.stream():
        for k in range(block.num_channels):
            one = block.one(k)
            load = one.load.num.astype(np.float64) / one.load.den.astype(np.float64)
            at = one.row.astype(np.int64) * network.num_nodes + one.column
            top = np.maximum(top, sample[:, at] @ load / width[int(one.channel[0])])
    if not (top > 0).all():
        raise InputError("some traffic of the sample loads nothing: its throughput has no bound")
    each = 1 / top
    mean = float(each.mean())
    spread = float(each.std(ddof=1)) / len(each) ** 0.5 * _QUANTILE if len(each) > 1 else mean
    return Interval(max(0.0, mean - spread), mean, mean + spread, len(each), seed), float(top.mean())


def average_case_claim(
    interval: Interval,
    *,
    model: str,
    capacity: float | None,
    about: Mapping[str, str],
    routing: Mapping[str, object] | None = None,
) -> Claim:
    """``average_case_throughput``, of capacity where that is known; ``about`` says more than the traffic ``model``.

    ``routing``: its description, where it is not the routing that the report is about.
    """
    quantity = "average_case_throughput" + ("" if capacity is None else "_of_capacity")
    unit = "packets per cycle and terminal" if capacity is None else "of capacity"
    data: dict[str, object] = {"traffic": model, "samples": interval.trials, "seed": interval.seed}
    if routing is not None:
        data["routing"] = dict(routing)
    value = interval
    if capacity is not None:
        low, best, high = (x / capacity for x in (interval.low, interval.best, interval.high))
        value = replace(interval, low=low, best=best, high=high)
    evidence = Evidence("random-traffic", data)
    return Claim(quantity, "==", value, Grade.SAMPLED, evidence, unit, _SOURCE, {"traffic": model, **about})
