"""Orders and cycles of channel dependencies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.claim import Claim
from ..reading import as_numbers
from .work import Work


def elaborate_order(work: Work, claim: Claim) -> None:
    order = as_numbers(claim.evidence.data["number"], "number", work.network.num_channels).tolist()
    work.proof.claim("deadlock-free", routing=_routing(work, claim), virtual=1, order=[order])


def elaborate_cycle(work: Work, claim: Claim) -> None:
    data: Mapping[str, Any] = claim.evidence.data
    ends = [_ends(work, *packet) for packet in data["packets"]]
    cycle = [[c, 0, i, j] for c, (i, j) in zip(data["cycle"], ends, strict=True)]
    work.proof.claim("deadlock", routing=_routing(work, claim), cycle=cycle)


def _routing(work: Work, claim: Claim) -> int:
    if claim.about["paths"] != "own":
        return work.routing
    return work.routing_by_paths


def _ends(work: Work, row: int, column: int) -> tuple[int, int]:
    """A pair of the routing in the proof: nodes, or the first terminals of the row and column."""
    routing = work.context.routing
    if routing.by_node:
        return row, column
    return int(np.flatnonzero(routing.row_of == row)[0]), int(np.flatnonzero(routing.column_of == column)[0])


ELABORATED = {"channel-order": elaborate_order, "channel-cycle": elaborate_cycle}
