"""``routeproof split``: is a measured split of flows over the members of a group within chance?"""

from __future__ import annotations

from typing import Annotated

from ..frame import outcome
from ..frame.arguments import JsonReport, argument, option


def split(
    counts: Annotated[str, argument("COUNTS", "How many flows each member carries, as in 47:53.")],
    weights: Annotated[str | None, option("WEIGHTS", "The members' weights, as in 3:1 (default: all alike).")] = None,
    level: Annotated[str, option("LEVEL", "What is rarer than this is not chance: 1%, 0.01 or 1/100.")] = "1%",
    test: Annotated[
        str | None,
        option(
            "likelihood|deviation",
            "Splits that are no likelier, or with a member as far from its share (default: likelihood if it can be).",
        ),
    ] = None,
    json: JsonReport = None,
) -> None:
    """Is a measured split of flows within chance? The exact test of a fair hash, binomial or multinomial, two-sided.

    Count flows, not packets or bytes: packets of one flow go together. --weights are those of a weighted group (WCMP).

    For example: routeproof split 47:53
    """
    from ...answers.hashing import answer_split
    from ...report.terminal.hashing import split_parts

    found = _numbers(counts, "the split")
    given = None if weights is None else _numbers(weights, "--weights")
    outcome.finish(answer_split(found, weights=given, level=level, test=test), split_parts, json=json)


def _numbers(text: str, what: str) -> list[int]:
    from ...core.errors import InputError

    parts = text.replace(",", ":").split(":")
    if not all(x.strip().isascii() and x.strip().isdecimal() and len(x.strip()) <= 9 for x in parts):
        raise InputError(f"{what} is {text[:40]!r}; whole numbers with colons between, such as 47:53, were expected")
    return [int(x) for x in parts]
