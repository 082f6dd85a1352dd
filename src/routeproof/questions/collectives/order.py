"""``--order``: which rank is next to whom, as given, the best of some random orders, or one that is searched for."""

from __future__ import annotations

from ...core.errors import InputError
from ..question import Option

ORDER = Option(
    value="given|random:N|search",
    text="With --algorithm: the order of the ranks: as given, the best of N random ones and the given one, or one "
    "that is searched for (of up to 7 ranks the best of all).",
    names=("--order",),
    kind=str | None,
    python="The order of the ranks: 'given', 'random:N' (the best of N random ones and the given one) or 'search'.",
)


def random_orders(text: str | None) -> int:
    """How many random orders are tried; 0 for the other ways.  Raises InputError for what is no way."""
    from ...formats.text_files import brief

    if text in (None, "given", "search"):
        return 0
    kind, _, rest = str(text).partition(":")
    if kind != "random" or not (rest.isascii() and rest.isdigit() and 0 < int(rest) <= 1_000_000):
        raise InputError(f"--order is {brief(text)}; given, search, or random:N with N from 1 to 1000000 was expected")
    return int(rest)
