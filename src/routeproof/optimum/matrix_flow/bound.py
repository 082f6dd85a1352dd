"""Lengths of channels as the lower side of a design over matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.network import Network
from ...demand_sets.hull import Hull
from ...formats.documents.packed_ints import pack_ints
from ...kernel.gauges import gauge_of_matrices
from ...kernel.shortest_paths import Lengths
from ...routing.path_sets.path_set import PathSet
from ..bound import Bound


class MatrixBound(Bound):
    """``lengths``: whole numbers (C,) for every matrix; ``hops``: what a hop costs beside them."""

    def __init__(
        self,
        network: Network,
        demands: Hull,
        lengths: Sequence[Lengths],
        *,
        hops: int = 0,
        paths: PathSet | None = None,
    ) -> None:
        self.lengths = list(lengths)
        together = max(int(network.supply.max()), int(network.demand.max())) > 1
        self.terminals_alike = together and len(demands.matrices) > 1
        self.prove(network, gauge_of_matrices(network, demands.matrices, self.lengths), hops, paths)

    def data(self) -> dict[str, Any]:
        """{"hops", "lengths": one packed list for every matrix, in the order of the set}."""
        return {**self.meant(), "lengths": [pack_ints(x, wide=True) for x in self.lengths]}
