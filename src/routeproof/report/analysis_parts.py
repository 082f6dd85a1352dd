"""What an analysis consists of, apart from how it is made and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..core.claim import Claim
from ..core.network import Network
from ..routing.base.routing import Routing

if TYPE_CHECKING:
    from ..analysis.worst_case.exact import WorstCase

__all__ = ["AnalysisParts"]


@dataclass(frozen=True, eq=False)
class AnalysisParts:
    """The parts of an ``analyse.Analysis``, which says what each is; ``seconds``: how long it took."""

    routing: Routing
    worst_case: WorstCase
    capacity: Fraction | None
    claims: Sequence[Claim]
    seconds: float

    @property
    def network(self) -> Network:
        return self.routing.network
