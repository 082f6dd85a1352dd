"""Random trials on multistage networks for people: how many, and the intervals that they give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.simulate.wired import RepeatedAnswer
from ...core.claim import Interval
from .escape import printable
from .numbers import trials_text
from .sweep import sweep_parts
from .table import claims_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["trials_parts"]


def trials_parts(answer: RepeatedAnswer) -> list[RenderableType]:
    """The intervals of trials, or of trials at every point of a sweep."""
    from rich.text import Text

    notes = [Text(x) for x in answer.notes]
    if answer.variables:
        return [*sweep_parts(answer), *notes]
    claims = answer.claims()
    count = claims[0].value.trials if isinstance(claims[0].value, Interval) else 0
    return [
        Text(f"{printable(answer.topology)}: {trials_text(count)}", style="bold"),
        claims_table(claims),
        *notes,
        Text("a trial alone: its number in the place of {trial}, without --trials", style="dim"),
    ]
