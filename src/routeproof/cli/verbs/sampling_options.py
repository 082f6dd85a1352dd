"""``--until-width``, the same on every verb that samples."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["UntilWidth"]

UntilWidth = Annotated[
    str | None,
    typer.Option(
        "--until-width",
        metavar="W",
        help="Sample until every interval is at most W wide (0.01), or this fraction of its best estimate (5%).",
    ),
]
