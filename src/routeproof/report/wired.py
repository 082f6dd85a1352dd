"""What simulations on multistage networks print: what was run, then the claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..core.claim import Claim
from ..core.wiring import Wiring
from ..simulate.packets import PacketRun
from .escape import printable
from .table import claims_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["headline", "packets_shown"]


def headline(wiring: Wiring) -> str:
    """``multibutterfly:64,d=2,seed=7: 64 inputs, 448 switches, multiplicity 2``."""
    switches = (wiring.num_edge_levels + 1) * wiring.inputs
    return f"{printable(wiring.name)}: {wiring.inputs} inputs, {switches} switches, multiplicity {wiring.multiplicity}"


def packets_shown(
    wiring: Wiring, images: npt.NDArray[np.int32], run: PacketRun, claims: Sequence[Claim]
) -> list[RenderableType]:
    from rich.text import Text

    count = len(images)
    what = "one permutation" if count == 1 else f"{count} permutations"
    partial = " (partial: not all inputs send)" if run.packets < images.size else ""
    left = run.packets - run.delivered
    parts: list[RenderableType] = [
        Text(headline(wiring), style="bold"),
        Text(f"{run.packets} packets of {what}{partial}" + (f"; {left} never arrive" if left else "")),
        claims_table(claims),
    ]
    return parts
