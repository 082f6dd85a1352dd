"""What a worst case is, apart from how it is found (``exact``) and how it is stated (``evidence``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ...core.display import small_table
from ...core.network import Network
from ...core.permutation import Permutation
from ...routing.base.routing import Routing
from .channel_classes import ChannelClasses
from .exact_optimum import ExactSolution
from .models import Model
from .sweep_block import Bounds
from .transport import Weights

__all__ = ["WorstCase"]


@dataclass(frozen=True, eq=False)
class WorstCase:
    """The exact worst case of ``routing`` under ``model``.

    - ``load``: the largest load per unit of bandwidth that admissible traffic can put on a channel (for the unbalanced
      model: at the rate ``throughput``, so 1 unless nothing saturates);
    - ``throughput``: the rate that is guaranteed to saturate no channel, 1 / load (unbalanced: at most 1; hose: the
      factor by which all rates may grow);
    - ``channel``: a worst channel, ``worst_channels``: all of them that are known (every one where ``all_channels`` was
      asked for, else those proved equal by symmetry or solved to the end);
    - ``permutation`` (balanced) or ``traffic`` ([(i, j, rate)], other models): the witness; None where even full rate
      saturates nothing;
    - ``worst_focus``: the focus channels among the worst;
    - ``channel_loads``: the exact worst load per bandwidth of every channel, where asked for;
    - ``classes``: the focus channels and the symmetry that made them;
    - ``bounds``, ``exact``: the proof.
    """

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

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [
            ("worst-case load", str(self.load) if self.load.denominator < 10**30 else f"about {float(self.load):.6g}"),
            ("guaranteed throughput", f"{float(self.throughput):.6g}"),
            ("worst channel", self.network.channel_label(self.channel)),
            ("traffic model", self.model.name),
            ("focus channels", f"{self.num_focus_channels} for {self.network.num_channels} channels"),
        ]
        return small_table(f"{self.routing.name} on {self.network.name}", (), rows)
