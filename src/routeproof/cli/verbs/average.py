"""``worst-case --traffic-model``: the average case of the routing beside its worst case."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.claim import Claim
    from ...engine import Engine
    from ...routing.base.routing import Routing

__all__ = ["average_beside", "average_shown"]

_SAMPLES = 100


def average_beside(
    routing: Routing,
    stated: Any,
    *,
    model: str,
    samples: int | None,
    until_width: str | None,
    seed: int,
    engine: Engine | None,
) -> tuple[Claim, list[str]]:
    """The claim, of capacity where ``stated`` has one, and lines for people; ``stated``: the claims on the worst
    case."""
    from ...analysis.average.mean import average_case_claim
    from ...analysis.average.sampling import sampled_average_case
    from ...core.sampling.stopping import stopping_asked
    from ..frame.progress import counted

    known = {x.quantity: x.value for x in stated if x.relation == "==" and isinstance(x.value, Fraction)}
    stopping = stopping_asked(until_width, samples)
    with counted("random matrices") as progress:
        average = sampled_average_case(
            routing,
            model,
            samples=_SAMPLES if samples is None else samples,
            seed=seed,
            stopping=stopping,
            worst_load=known.get("worst_case_load"),
            spread=None if engine is None else engine.spread,
            progress=progress,
        )
    capacity = known.get("capacity")
    claim = average_case_claim(
        average, model=model, capacity=None if capacity is None else float(capacity), about={}, stopping=stopping
    )
    return claim, [] if stopping is None else stopping.told([average])


def average_shown(claim: Claim) -> list[RenderableType]:
    """Below the page of the worst case."""
    from rich.text import Text

    from ...report.terminal.table import claims_table, normal_text

    return [Text(), claims_table([claim]), Text(normal_text(claim), style="dim")]
