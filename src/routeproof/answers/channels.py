"""The worst case of every single channel as claims: a permutation that reaches it, potentials that prove it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core.claim import Claim
from ..formats import RouteproofWarning

if TYPE_CHECKING:
    from ..analysis.worst_case.result import WorstCase

__all__ = ["FEW_NUMBERS", "MOST_NUMBERS", "channel_claims"]

FEW_NUMBERS = 200_000  # focus channels times terminals: up to here each channel has evidence of its own
MOST_NUMBERS = 8_000_000  # above, there is none where channels cannot share it


def channel_claims(worst: WorstCase, progress: Callable[[int, int], None] | None = None) -> list[Claim]:
    """``worst_case_load`` with ``{"channel": c}`` for every channel, from a balanced worst case with ``all_channels``.

    In units of packets per cycle and unit of bandwidth.  Evidence of its own for each, a permutation among it, holds
    about as many numbers as there are focus channels times terminals: above ``FEW_NUMBERS`` it is shared where it can
    be (``analysis.worst_case.shared_proofs``).  Where it cannot, networks above ``MOST_NUMBERS`` get no claims, as
    other models do: there is a warning instead.  ``progress(done, total)`` is called now and then, in channels.
    """
    if worst.channel_loads is None:
        return []
    from ..analysis.worst_case.evidence import channel_claims as claims_of
    from ..analysis.worst_case.shared_proofs import can_share

    network = worst.network
    numbers = worst.num_focus_channels * network.num_terminals
    shared = numbers > FEW_NUMBERS and can_share(worst)
    if worst.model.name != "balanced" or (numbers > MOST_NUMBERS and not shared):
        reason = f"it would hold {numbers} numbers" if worst.model.name == "balanced" else f"{worst.model.name} traffic"
        warnings.warn(
            f"the report leaves out the evidence for each of {network.num_channels} channels ({reason}); "
            f"their loads are printed only",
            RouteproofWarning,
            stacklevel=2,
        )
        return []
    return claims_of(worst, shared=shared, progress=progress)
