"""The oblivious routing that reaches the network's capacity: the best throughput under uniform traffic."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.network import Network
from ...core.stage import Stage
from ..worst_case import answer_worst_case
from .answer import DesignAnswer, DesignQuestion

if TYPE_CHECKING:
    from ...design.uniform import UniformDesign

__all__ = ["CapacityDesign", "answer_design_capacity"]


@dataclass(frozen=True, eq=False)
class CapacityDesign(DesignAnswer):
    """``made``: the design, with what no routing can beat."""

    made: UniformDesign


def answer_design_capacity(
    network: Network, question: DesignQuestion, *, topology: str | None = None, solving: Stage | None = None
) -> CapacityDesign:
    """The routing with the best throughput under uniform traffic; arguments and errors as in
    ``answer_design_worst_case``."""
    from ...design.program.linear import check_solver
    from ...design.uniform import design_capacity, uniform_claims

    start = time.perf_counter()
    check_solver()
    made = design_capacity(network, stage=solving, **question.options())
    claims = [*answer_worst_case(made.routing).stated, *uniform_claims(made)]
    asked = question.described("capacity")
    named = topology or network.spec or network.name
    return CapacityDesign(made.routing, named, asked, claims, time.perf_counter() - start, made)
