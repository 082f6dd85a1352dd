"""The oblivious routing with the best worst case, and a proof that no other has a better one."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.network import Network
from ...core.stage import Stage
from .answer import DesignAnswer, DesignQuestion, known_capacity

if TYPE_CHECKING:
    from ...design.result import Design

__all__ = ["WorstCaseDesign", "answer_design_worst_case"]


@dataclass(frozen=True, eq=False)
class WorstCaseDesign(DesignAnswer):
    """``made``: the design, with what no routing can beat."""

    made: Design


def answer_design_worst_case(
    network: Network,
    question: DesignQuestion,
    *,
    solver: str = "auto",
    topology: str | None = None,
    solving: Stage | None = None,
) -> WorstCaseDesign:
    """The routing with the lowest worst-case load per bandwidth over all permutations.

    ``solver``: "auto", "simplex", "interior" or "first-order", as in ``design.worst_case``, for all paths only;
    ``topology`` as in ``answer_worst_case``; ``solving(name)``: entered for each stage of solving.  Raises InputError
    where the solver is missing, for networks that are too large or not connected, and for bad options.
    """
    from ...design.claims import design_claims
    from ...design.program.linear import check_solver
    from ...design.restricted import design_restricted
    from ...design.worst_case import design_worst_case

    start = time.perf_counter()
    check_solver()
    best = known_capacity(network)
    options = question.options()
    paths = options.pop("paths")
    if paths is not None:
        made = design_restricted(network, paths, stage=solving, **options)
    else:
        made = design_worst_case(network, solver=solver, stage=solving, **options)
    asked = question.described("worst-case")
    named = topology or network.spec or network.name
    claims = design_claims(made, best)
    return WorstCaseDesign(made.routing, named, asked, claims, time.perf_counter() - start, made)
