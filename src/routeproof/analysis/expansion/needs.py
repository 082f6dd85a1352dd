"""Which (alpha, beta) the theorems on multibutterflies need, and how far the measured splitters go.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 2 (beta > 1, as expansion means, and L = 1 / (2 alpha)), sec.
3 (beta > d/2, delta = 2 beta / d - 1), sec. 4 (beta' = beta - floor(d/2) > 1, epsilon = 2 alpha (beta' - 1)), sec. 5
(beta > 2d/3 + 2/3, L > 1 / (2 alpha (3 beta - 2d - 2))).  The theorems want one (alpha, beta) for *all* splitters; here
it is that of the splitters at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .claims import Expansion

__all__ = ["Need", "theorem_needs"]


@dataclass(frozen=True)
class Need:
    """How far the splitters go for one theorem.

    ``condition`` on ``beta`` with ``bound``: more than this is needed.  ``below``: every splitter has it for alpha
    below this; ``beta``: its least beta there, None where no subset is that small, so that expansion says nothing.
    ``gives``: what follows for the algorithm, as text, with alpha at (not below) its limit.
    """

    theorem: str
    condition: str
    bound: Fraction
    below: Fraction
    beta: Fraction | None
    gives: str


def theorem_needs(found: Sequence[Expansion], degree: int) -> list[Need]:
    """For packets, circuits, faults and calls; ``degree``: d, edges up (or down) of a switch.

    From exact least neighbourhoods where they are known, else from the proved lower bounds; splitters beyond 64 inputs
    without such bounds count as having no expansion.
    """
    d = Fraction(degree)
    half = degree // 2
    rules = [
        ("packets (Theorem 1)", "beta > 1", Fraction(1)),
        ("circuits (Theorem 2)", f"beta > d/2 = {d / 2}", d / 2),
        ("faults (section 4)", f"beta > floor(d/2) + 1 = {half + 1}", Fraction(half + 1)),
        ("calls (section 5)", f"beta > 2d/3 + 2/3 = {(2 * d + 2) / 3}", (2 * d + 2) / 3),
    ]
    needs = []
    for theorem, condition, bound in rules:
        limit, beta = Fraction(1, 2), None
        for one in found:
            limit = min(limit, Fraction(_subsets(one, bound) + 1, one.inputs))
        for one in found:
            sizes = -(-limit.numerator * one.inputs // limit.denominator) - 1  # subsets with k < limit * M
            least = [Fraction(x, k) for k, x in enumerate(_known(one)[:sizes], 1)]
            beta = min([*least, beta] if beta is not None else least, default=None)
        needs.append(Need(theorem, condition, bound, limit, beta, _gives(theorem, d, half, limit, beta)))
    return needs


def _known(found: Expansion) -> Sequence[int]:
    return found.worst.least if found.exact else found.below


def _subsets(found: Expansion, bound: Fraction) -> int:
    """The largest size, at most M/2, up to which every subset has more than ``bound`` outputs per input."""
    most = 0
    for k, outputs in enumerate(_known(found)[: found.inputs // 2], 1):
        if not Fraction(outputs, k) > bound:
            break
        most = k
    return most


def _gives(theorem: str, d: Fraction, half: int, limit: Fraction, beta: Fraction | None) -> str:
    if beta is None:
        return ""
    load = f"L > {1 / (2 * limit)}"
    if theorem.startswith("circuits"):
        return f"{load}, delta = {2 * beta / d - 1}"
    if theorem.startswith("faults"):
        return f"{load}, epsilon < {2 * limit * (beta - half - 1)}"
    if theorem.startswith("calls"):
        return f"L > {1 / (2 * limit * (3 * beta - 2 * d - 2))}"
    return load
