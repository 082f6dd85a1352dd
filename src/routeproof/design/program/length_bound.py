"""A bound on the average path length, as a multiple of the shortest possible average."""

from __future__ import annotations

from fractions import Fraction

from ...core.checks.multipliers import shown
from ...core.errors import InputError

__all__ = ["check_length_bound"]

_MOST = 1_000_000


def check_length_bound(path_length: Fraction, minimal: Fraction) -> None:
    """Raise InputError for a multiple that no routing keeps within, or that bounds nothing; ``minimal`` in hops."""
    if path_length < 1:
        raise InputError(
            f"no routing has an average path length of {shown(path_length)} times the minimal one; "
            f"the smallest feasible is 1 ({minimal} hops)"
        )
    if path_length > _MOST:
        raise InputError(
            f"an average path length of {shown(path_length)} times the minimal one bounds nothing; "
            f"at most {_MOST:,} was expected"
        )
