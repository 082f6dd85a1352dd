"""``--until-width``, the same on every verb that samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ...core.sampling.stopping import Stopping

__all__ = ["UntilWidth", "stopping_asked"]

UntilWidth = Annotated[
    str | None,
    typer.Option(
        "--until-width",
        metavar="W",
        help="Sample until every interval is at most W wide (0.01), or so much of its best estimate (5%).",
    ),
]


def stopping_asked(until_width: str | None, most: int | None) -> Stopping | None:
    """What the options ask for: at most ``most`` trials (100,000); None where no width is asked for."""
    if until_width is None:
        return None
    from ...core.sampling.stopping import MOST_TRIALS, Stopping, parse_width

    return Stopping(parse_width(until_width), MOST_TRIALS if most is None else most)
