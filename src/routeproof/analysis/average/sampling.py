"""The average case of any routing by pieces: ranges of random matrices, until the interval is as narrow as asked.

Matrix number k follows from (seed, k) alone (``topologies.traffic_models``): a piece depends on nothing else, and any
matrix can be drawn again.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.sampling.stopping import Stopping, sample_until
from ...core.spread import Spread, in_blocks
from ...core.stage import Progress
from ...routing.base.routing import Routing
from ...routing.made_for import check_not_made_for
from ...topologies.traffic_models import check_model, sample_traffic
from ..worst_case.spread import described, made_again
from .mean import AverageThroughput, average_limits, largest_loads, throughput_range

__all__ = ["judge_matrices", "prepare_matrices", "sampled_average_case"]

_BLOCK = 100  # matrices in a piece, at most
_MOST_CELLS = 1 << 22  # of the matrices of a piece
_MOST_NODES = 2048


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
    Raises InputError for an unknown model, bad counts, sampled loads, networks of more than 2,048 nodes, and a routing
    that was made for this very sample.
    """
    check_model(model, samples, seed)
    check_not_made_for(routing.name, traffic=model, seed=seed)
    network = routing.network
    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled; the average case is judged from exact loads")
    if network.num_nodes > _MOST_NODES:
        raise InputError(
            f"{network.name} has {network.num_nodes:,} nodes; random matrices are drawn for at most {_MOST_NODES:,}"
        )
    limits = throughput_range(routing, worst_load)
    ready = {"routing": routing, "model": model, "seed": seed}
    shared = {} if spread is None else {**ready, "routing": described(routing)}
    size = max(1, min(_BLOCK, _MOST_CELLS // routing.network.num_nodes**2))
    tops = [np.zeros(0)]

    def look(start: int, stop: int) -> list[AverageThroughput]:
        span = start, stop
        tops.extend(
            in_blocks(
                spread, "matrices", judge_matrices, span, size,
                shared=shared, prepare=prepare_matrices, ready=ready, progress=progress,
            )
        )  # fmt: skip
        return [average_limits(np.concatenate(tops), limits, seed=seed, stopping=stopping)]

    return sample_until(stopping, samples, look)[0]


def prepare_matrices(routing: Mapping[str, Any], model: str, seed: int) -> Mapping[str, Any]:
    """What all pieces share, made once where they are done."""
    return {"routing": made_again(routing), "model": model, "seed": seed}


def judge_matrices(ready: Mapping[str, Any], first: int, count: int) -> npt.NDArray[np.float64]:
    """float64, shape (count,): the largest load per bandwidth under each matrix from number ``first`` on."""
    routing: Routing = ready["routing"]
    sample = sample_traffic(routing.network, ready["model"], count=count, seed=ready["seed"], first=first)
    return largest_loads(routing, sample)
