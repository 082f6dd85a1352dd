"""The worst case of every single channel as claims: a permutation that reaches it, potentials that prove it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from ..core.claim import Claim
from ..formats import RouteproofWarning

if TYPE_CHECKING:
    from ..analysis.worst_case import WorstCase

__all__ = ["MOST_NUMBERS", "channel_claims"]

MOST_NUMBERS = 8_000_000  # focus channels times terminals: about as many numbers as the evidence holds


def channel_claims(worst: WorstCase) -> list[Claim]:
    """``worst_case_load`` with ``{"channel": c}`` for every channel, from a balanced worst case with ``all_channels``.

    In units of packets per cycle and unit of bandwidth.  Networks on which the evidence would hold more than
    ``MOST_NUMBERS`` numbers, and other models, get none: there is a warning instead.
    """
    if worst.channel_loads is None:
        return []
    network = worst.network
    numbers = worst.num_focus_channels * network.num_terminals
    if worst.model.name != "balanced" or numbers > MOST_NUMBERS:
        reason = f"it would hold {numbers} numbers" if worst.model.name == "balanced" else f"{worst.model.name} traffic"
        warnings.warn(
            f"the report leaves out the evidence for each of {network.num_channels} channels ({reason}); "
            f"their loads are printed only",
            RouteproofWarning,
            stacklevel=2,
        )
        return []
    from ..analysis.evidence import channel_claims as claims_of

    return claims_of(worst)
