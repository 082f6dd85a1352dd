"""What a worst case consists of, apart from how it is found and from what is claimed of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ...core.network import Network
from ...core.permutation import Permutation
from ...routing.base.routing import Routing
from .channel_classes import ChannelClasses
from .exact_optimum import ExactSolution
from .models import Model
from .sweep_types import Bounds
from .transport import Weights

__all__ = ["WorstCaseParts"]


@dataclass(frozen=True, eq=False)
class WorstCaseParts:
    """The parts of a ``worst_case.WorstCase``, which says what each is; ``bounds`` and ``exact`` are its proof."""

    routing: Routing
    model: Model
    load: Fraction
    throughput: Fraction
    channel: int
    worst_channels: list[int]
    worst_focus: list[int]
    permutation: Permutation | None
    traffic: list[tuple[int, int, Fraction]] | None
    channel_loads: list[Fraction] | None
    classes: ChannelClasses
    weights: Weights
    bounds: Bounds = field(repr=False)
    exact: dict[int, ExactSolution] = field(repr=False)

    @property
    def network(self) -> Network:
        return self.routing.network

    @property
    def symmetry_used(self) -> tuple[str, ...]:
        return self.classes.names

    @property
    def num_focus_channels(self) -> int:
        return len(self.classes.focus)
