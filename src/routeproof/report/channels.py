"""The worst case of every single channel as claims: a permutation that reaches it, potentials that prove it."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.claim import Claim, Evidence, Grade
from ..formats import RouteproofWarning
from ..formats.long_fractions import fraction_to_text
from ..formats.packed_ints import pack_ints
from ..routing.base import Routing

if TYPE_CHECKING:
    from ..analysis.exact import ExactSolution
    from ..analysis.worst_case import WorstCase

__all__ = ["MOST_NUMBERS", "channel_claims"]

MOST_NUMBERS = 4_000_000  # channels times terminals: about as many numbers as the evidence holds


def channel_claims(worst: WorstCase) -> list[Claim]:
    """``worst_case_load`` with ``{"channel": c}`` for every channel, from a balanced worst case with ``all_channels``.

    In units of packets per cycle and unit of bandwidth.  Networks on which the evidence would hold more than
    ``MOST_NUMBERS`` numbers, and other models, get none: there is a warning instead.
    """
    if worst.channel_loads is None:
        return []
    network = worst.network
    numbers = network.num_channels * network.num_terminals
    if worst.model.name != "balanced" or numbers > MOST_NUMBERS:
        reason = f"it would hold {numbers} numbers" if worst.model.name == "balanced" else f"{worst.model.name} traffic"
        warnings.warn(
            f"the report leaves out the evidence for each of {network.num_channels} channels ({reason}); "
            f"their loads are printed only",
            RouteproofWarning,
            stacklevel=2,
        )
        return []
    return [_claim(worst, c, load) for c, load in enumerate(worst.channel_loads)]


def _claim(worst: WorstCase, channel: int, load: Fraction) -> Claim:
    from ..analysis.assignment import flow_permutation
    from ..analysis.dense import dense
    from ..analysis.transport import solve_exactly

    routing, rates = worst.routing, worst.model.rates
    block = routing.channel_loads([channel])
    answer = solve_exactly(block.row, block.column, block.load, rates.supply, rates.demand)
    permutation = flow_permutation(routing, block.row, block.column, answer.flow, apart=block.base is not None)
    if permutation is None:
        routing = dense(routing)
        block = routing.channel_loads([channel])
        answer = solve_exactly(block.row, block.column, block.load, rates.supply, rates.demand)
        permutation = flow_permutation(routing, block.row, block.column, answer.flow)
        assert permutation is not None
    data = {"permutation": permutation.image.tolist(), **_potentials(routing, channel, answer)}
    return Claim(
        "worst_case_load",
        "==",
        load,
        Grade.PROVED,
        Evidence("worst-case-channel", data),
        unit="packets per cycle and unit of bandwidth",
        source="Towles & Dally 2002 (SPAA), sec. 2.2 and 3",
        about={"model": worst.model.name, "channel": channel},
    )


def _potentials(routing: Routing, channel: int, solution: ExactSolution) -> dict[str, Any]:
    """The distinct potentials, and for every row and column which of them is its own."""
    values: dict[Fraction, int] = {Fraction(0): 0}
    sides = []
    for numbers, potentials, size in (
        (solution.row, solution.u, len(routing.row_node)),
        (solution.column, solution.v, len(routing.column_node)),
    ):
        index = np.zeros(size, dtype=np.int64)
        for number, x in zip(numbers.tolist(), potentials, strict=True):
            index[number] = values.setdefault(x, len(values))
        sides.append(pack_ints(index))
    texts = [fraction_to_text(x) for x in values]
    return {"channel": channel, "values": texts, "row": sides[0], "column": sides[1]}
