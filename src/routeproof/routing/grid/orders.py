"""Dimension orders: their names, their ranks, and how often a random order puts given dimensions first."""

from __future__ import annotations

import math

from ...core.errors import InputError, did_you_mean

TIE_HELP = "split (either way alike) or plus, at distance k/2 of an even torus dimension"

_LETTERS = "xyzw"

Order = tuple[int, ...] | None
"""The dimensions in the order in which they are routed; None is a uniformly random order."""


def parse_order(routing: str, text: object, example: str = "xy") -> tuple[int, ...]:
    """The order that ``text`` spells: letters x, y, z, w or digits from 0, each dimension once.

    Raises InputError for anything else; ``example`` is what the message proposes.
    """
    if not isinstance(text, str) or not text or any(c not in _LETTERS and c not in "0123456789" for c in text):
        hint = did_you_mean(str(text), ("random",)) if isinstance(text, str) else ""
        proposal = hint if hint.startswith("did") else f"'random' or an order such as '{example}' was expected"
        raise InputError(f"{routing}: order is {text!r}; {proposal}")
    order = tuple(_LETTERS.index(c) if c in _LETTERS else int(c) for c in text)
    if sorted(order) != list(range(len(order))):
        raise InputError(
            f"{routing}: order is {text!r}; each dimension from {'x' if text[0] in _LETTERS else '0'} on must appear "
            f"once, as in '{example}'"
        )
    return order


def order_text(order: tuple[int, ...]) -> str:
    """The shortest spelling: letters up to four dimensions, else digits."""
    return "".join(_LETTERS[r] if len(order) <= len(_LETTERS) else str(r) for r in order)


def phase_orders(routing: str, text: object, *, both: bool = False) -> tuple[Order, Order]:
    """The orders of two phases: ``random``, one order such as ``xy`` for both (unless ``both`` are expected), or both
    such as ``xy-yx``.

    Raises InputError for anything else.
    """
    if text == "random":
        return None, None
    phases = text.split("-") if isinstance(text, str) else [text]
    orders = [parse_order(routing, phase, "xy-yx" if both else "xy") for phase in phases]
    if len(orders) > 2 or (both and len(orders) < 2) or len(orders[0]) != len(orders[-1]):
        wanted = "an order for both phases, as in 'xy', the orders of both, as in 'xy-yx', or 'random' was expected"
        if both:
            wanted = "the orders of both phases were expected, as in 'xy-yx', or 'random'"
        raise InputError(f"{routing}: order is {text!r}; {wanted}")
    return orders[0], orders[-1]


def phase_orders_text(orders: tuple[Order, Order]) -> str:
    """The shortest text that ``phase_orders`` reads as these orders."""
    one, two = orders
    if one is None or two is None:
        return "random"
    return order_text(one) if one == two else f"{order_text(one)}-{order_text(two)}"


def check_order_fits(routing: str, order: tuple[int, ...], num_dimensions: int, network: str) -> None:
    """Raise InputError unless ``order`` names every dimension of the network."""
    if len(order) != num_dimensions:
        wanted = order_text(tuple(range(num_dimensions))) if num_dimensions <= 10 else f"{num_dimensions} dimensions"
        raise InputError(
            f"{routing}: order '{order_text(order)}' names {len(order)} dimensions, {network} has {num_dimensions}; "
            f"an order of {wanted} was expected"
        )


def rank_weights(order: Order, num_dimensions: int, scale: int) -> list[int]:
    """``scale`` times the probability that a given set of dimensions is exactly what is routed before a given one.

    By the set's size: k! (n-1-k)! / n! = 1 / (n C(n-1, k)) for a random order of n dimensions.  For a fixed order the
    set is known beforehand, so everything is counted under size 0.  The list has n + 1 entries, the last 0.
    ``scale`` must be a multiple of lcm(1 .. n), which n C(n-1, k) divides, where the order is random.
    """
    n = num_dimensions
    if order is not None:
        return [scale] + [0] * n
    return [scale // (n * math.comb(n - 1, k)) for k in range(n)] + [0]
