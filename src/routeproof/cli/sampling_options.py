"""``--until-width``, the same on every verb that samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..core.stopping import Stopping

__all__ = ["UntilWidth", "stopping_asked"]

UntilWidth = Annotated[
    str | None,
    typer.Option(
        "--until-width",
        metavar="W",
        help="Sample until every interval is at most W wide (0.01), or so much of its best estimate (5%).",
    ),
]


def stopping_asked(until_width: str | None, most: int | None, *, first: int) -> Stopping | None:
    """What the options ask for: looks at ``first`` trials, twice as many, ..., ``most`` (100,000), or None."""
    if until_width is None:
        return None
    from ..core.stopping import MOST_TRIALS, Stopping, parse_width

    return Stopping(parse_width(until_width), first, MOST_TRIALS if most is None else most)
