"""The oblivious routing that is best for a sample of random traffic, judged on a fresh sample."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.network import Network
from ...core.stage import Stage, silent
from .answer import DesignAnswer, DesignQuestion, known_capacity

if TYPE_CHECKING:
    from ...design.average_case import AverageCaseDesign as Made

__all__ = ["AverageCaseDesign", "answer_design_average_case"]


@dataclass(frozen=True, eq=False)
class AverageCaseDesign(DesignAnswer):
    """``made``: the design, with its average case in its own sample and in a fresh one."""

    made: Made


def answer_design_average_case(
    network: Network,
    question: DesignQuestion,
    *,
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    topology: str | None = None,
    stage: Stage | None = None,
) -> AverageCaseDesign:
    """The routing with the lowest mean, over ``samples`` random matrices, of the largest load per bandwidth.

    ``model``: of random traffic, see ``topologies.traffic_models``; ``seed`` gives the sample, seed + 1 the fresh one.
    ``topology`` and ``stage`` as in ``answer_worst_case``.  Raises InputError for bad options and networks that are too
    large.
    """
    from ...design.average_case import design_average_case
    from ...design.average_case_claims import average_case_claims
    from ...design.program.linear import check_solver

    start = time.perf_counter()
    check_solver()
    best = known_capacity(network)
    with (stage or silent)("rounds") as progress:
        made = design_average_case(
            network, model=model, count=samples, seed=seed, progress=progress, **question.options()
        )
    claims = average_case_claims(made, best)
    asked = {**question.described("average-case"), "traffic_model": model, "samples": samples, "seed": seed}
    named = topology or network.spec or network.name
    return AverageCaseDesign(made.routing, named, asked, claims, time.perf_counter() - start, made)
