"""The average case of any routing: its mean throughput over random traffic, with a confidence interval.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 3.3.  The mean here is that of throughputs; the paper minimises the mean
of the maximum loads (9), whose reciprocal is close to it, and which is returned besides.

What differs: a throughput counts as at most what the network's bandwidth allows uniform traffic along shortest paths
(the capacity, where all channels are alike; conventions §32).  Traffic that stays at its nodes has a throughput without
bound, and so would the mean.  Every throughput then lies between the exact worst case and this, so that the interval
has a proof (``core.sampling.intervals.mean_limits``).

Matrix number k follows from (seed, k) alone (``topologies.traffic_models``): a range of matrices is a piece of work
that depends on nothing else, and any matrix can be drawn again.  The throughput of a permutation is exact before it is
rounded to a float; other matrices are drawn in floating point, so their throughputs are formed in it, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Float64
from ..core.claim import Claim, Interval
from ..core.errors import InputError
from ..core.sampling.intervals import mean_limits, normal_limits
from ..core.sampling.stopping import Stopping, sample_until
from ..core.spread import Progress, Spread, in_blocks
from ..core.traffic import Permutation, Traffic
from ..routing.base.routing import Routing
from ..routing.base.views import dense
from ..routing.grid.two_turns import check_not_made_for
from ..topologies.traffic_models import check_model, drawn_image, draws_permutations, sample_traffic
from .loads import channel_loads_under, largest_load
from .locality import minimal_average
from .scan.scan import described, made_again

_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), sec. 3.3"
_CLOSE = 1e-9
_BLOCK = 100  # matrices in a piece, at most
_MOST_CELLS = 1 << 22  # of the matrices of a piece: 2,048 x 2,048


@dataclass(frozen=True)
class AverageThroughput(Interval):
    """``least`` and ``most``: no throughput counts as less or more; ``normal``: the interval of the normal
    approximation, which is narrower and has no proof."""

    least: Fraction = Fraction(0)
    most: Fraction = Fraction(1)
    normal: tuple[float, float] = (0.0, 0.0)

    def own(self) -> AverageThroughput:
        """The mean of the sample itself: for routings that were made for the sample, of which it says nothing more."""
        return replace(self, low=self.best, high=self.best, normal=(self.best, self.best))


def average_case(
    routing: Routing, sample: Float64, *, seed: int, worst_load: Fraction | None = None
) -> tuple[AverageThroughput, float]:
    """(the mean throughput with its 99 % confidence interval, the mean of the maximum load) of any routing.

    ``sample``: float64, shape (count, rows * columns of the routing), as ``topologies.traffic_models.sample_traffic``
    makes it from ``seed``.  ``worst_load``: the worst-case load of the routing, if it is known already.
    """
    limits = throughput_range(routing, worst_load)
    top = largest_loads(routing, sample)
    return average_limits(top, limits, seed=seed), float(top.mean())


def throughput_range(routing: Routing, worst_load: Fraction | None = None) -> tuple[Fraction, Fraction]:
    """(least, most) of a throughput as it counts here: the worst case, exactly; and bandwidth over hops."""
    from .scan.exact import worst_case

    network = routing.network
    load = worst_case(routing).load if worst_load is None else worst_load
    hops = minimal_average(network) * network.num_terminals
    if not hops:
        raise InputError(f"no traffic of {network.name} crosses a channel: there is no average case")
    return (1 / load if load else Fraction(0)), sum(network.bandwidth, Fraction(0)) / hops


def largest_loads(routing: Routing, sample: Float64) -> Float64:
    """float64, shape (count,): the largest load per bandwidth under every matrix of ``sample``, by rows and columns."""
    network, columns = routing.network, len(routing.column_node)
    routing = dense(routing)
    width = np.array([float(b) for b in network.bandwidth])
    top = np.zeros(len(sample))
    for block in routing.stream():
        for k in range(block.num_channels):
            one = block.one(k)
            load = one.load.num.astype(np.float64) / one.load.den.astype(np.float64)
            at = one.row.astype(np.int64) * columns + one.column
            top = np.maximum(top, sample[:, at] @ load / width[int(one.channel[0])])
    return top


def average_limits(
    top: Float64, limits: tuple[Fraction, Fraction], *, seed: int, stopping: Stopping | None = None
) -> AverageThroughput:
    """The mean throughput from the largest loads ``top``, in the order drawn; ``stopping``: when sampling could end."""
    least, most = limits
    with np.errstate(divide="ignore"):
        each = np.minimum(1 / top, float(most))
    if (each < float(least) * (1 - _CLOSE)).any():
        raise ArithmeticError("a throughput lies below the worst case")  # the two disagree: a bug
    each = np.maximum(each, float(least))
    confidence = 0.99 if stopping is None else stopping.confidence(len(each))
    low, high = mean_limits(each, least=least, most=most, confidence=confidence)
    best = min(max(low, float(each.mean())), high)
    normal = normal_limits(each, confidence=confidence) if len(each) > 1 else (low, high)
    return AverageThroughput(low, best, high, len(each), seed, least=least, most=most, normal=normal)


def average_case_claim(
    average: AverageThroughput,
    *,
    model: str,
    capacity: float | None,
    about: Mapping[str, str],
    routing: Mapping[str, object] | None = None,
    stopping: Stopping | None = None,
) -> Claim:
    """``average_case_throughput``, of capacity where that is known; ``about`` says more than the traffic ``model``.

    ``routing``: its description, where it is not the routing that the report is about.
    """
    from ..claims.routings.average_case import RANDOM_TRAFFIC

    quantity = "average_case_throughput" + ("" if capacity is None else "_of_capacity")
    scale = 1.0 if capacity is None else capacity
    data: dict[str, Any] = {"traffic": model, "samples": average.trials, "seed": average.seed}
    data |= {"least": str(average.least), "most": str(average.most), "method": "betting"}
    data["normal_approximation"] = [x / scale for x in average.normal]
    if stopping is not None:
        data |= stopping.data()
    if routing is not None:
        data["routing"] = dict(routing)
    low, best, high = (x / scale for x in (average.low, average.best, average.high))
    if scale != 1 and average.low < average.high:  # outwards
        low, high = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
    value = Interval(low, best, high, average.trials, average.seed, average.confidence)
    return RANDOM_TRAFFIC.claim(value, data, {"traffic": model, **about}, quantity=quantity)


def sampled_average_case(
    routing: Routing,
    model: str,
    *,
    samples: int = 100,
    seed: int = 0,
    stopping: Stopping | None = None,
    worst_load: Fraction | None = None,
    spread: Spread | None = None,
    progress: Progress | None = None,
) -> AverageThroughput:
    """The mean throughput over ``samples`` random matrices, or as many as ``stopping`` wants.

    ``spread``: does ranges of up to 100 matrices elsewhere, such as an engine's; ``progress`` counts ranges.
    Raises InputError for an unknown model, bad counts, sampled loads, matrices of more than 2,048 x 2,048 numbers (of
    models that draw no permutations), and a routing that was made for this very sample.
    """
    check_model(model, samples, seed)
    check_not_made_for(routing.name, traffic=model, seed=seed)
    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled; the average case is judged from exact loads")
    cells = len(routing.row_node) * len(routing.column_node)
    if draws_permutations(model):
        cells = routing.network.num_terminals
    elif max(cells, routing.network.num_terminals**2) > _MOST_CELLS:
        raise InputError(
            f"{routing.name} on {routing.network.name} takes matrices of {len(routing.row_node):,} x "
            f"{len(routing.column_node):,} numbers, too many for the model {model}; permutation, shift and ring are "
            f"drawn for any network"
        )
    limits = throughput_range(routing, worst_load)
    ready = {"routing": routing, "model": model, "seed": seed}
    shared = {} if spread is None else {**ready, "routing": described(routing)}
    size = max(1, min(_BLOCK, _MOST_CELLS // cells))
    tops = [np.zeros(0)]

    def look(start: int, stop: int) -> list[AverageThroughput]:
        span = start, stop
        tops.extend(
            in_blocks(
                spread, "matrices", measure_matrices, span, size,
                shared=shared, prepare=prepare_matrices, ready=ready, progress=progress
            )
        )  # fmt: skip
        return [average_limits(np.concatenate(tops), limits, seed=seed, stopping=stopping)]

    return sample_until(stopping, samples, look)[0]


def prepare_matrices(routing: Mapping[str, Any], model: str, seed: int) -> Mapping[str, Any]:
    """What all pieces share, made once where they are done."""
    return {"routing": made_again(routing), "model": model, "seed": seed}


def measure_matrices(ready: Mapping[str, Any], first: int, count: int) -> npt.NDArray[np.float64]:
    """float64, shape (count,): the largest load per bandwidth under each matrix from number ``first`` on."""
    routing: Routing = ready["routing"]
    network, model, seed = routing.network, ready["model"], ready["seed"]
    if not draws_permutations(model):
        return largest_loads(routing, sample_traffic(network, model, count=count, seed=seed, first=first, ends=routing))
    top = np.zeros(count)
    for k in range(count):
        image = drawn_image(model, network.num_terminals, seed=seed, number=first + k)
        traffic = Traffic.of_permutation(Permutation(image), name=model)
        top[k] = largest_load(channel_loads_under(routing, traffic), network)
    return top
