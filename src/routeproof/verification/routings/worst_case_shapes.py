"""The form of the evidence for a worst case, of a routing or of what failures leave of it."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.claim import Grade
from ..kind import EXACT, States
from ..shapes import ANY, BOUND, FLAG, NUMBERS, TEXT, WHOLE, Cases, Either, Keys, ListOf, OrNull, Word

__all__ = ["BALANCED", "BOUNDS_OF_GROUP", "MODELS", "OF_CHANNEL", "PERMUTATION", "POTENTIALS", "SYMMETRY", "WORST_CASE"]

MODELS, BALANCED = Word("balanced", "unbalanced", "hose"), Word("balanced")
OF_CHANNEL: Mapping[str, States] = {
    "worst_case_load": States(EXACT, Grade.PROVED, Keys({"model": BALANCED, "channel": WHOLE}))
}
"""What is stated of the worst case of one channel."""
SYMMETRY = Either(
    "found", Keys({"found": ListOf(NUMBERS)}, {"reversal": FLAG}), Keys({"declared": ListOf(TEXT)}, {"reversal": FLAG})
)
BOUNDS_OF_GROUP = Keys({"scale": BOUND, "channel": NUMBERS, "shift": NUMBERS, "quantum": NUMBERS})
POTENTIALS = Keys({"channel": WHOLE, "values": ListOf(BOUND), "row": NUMBERS, "column": NUMBERS})
PERMUTATION = Keys({"channel": WHOLE, "permutation": NUMBERS})
_WITNESS = Either("traffic", Keys({"channel": WHOLE, "traffic": ListOf(ANY)}), PERMUTATION)
WORST_CASE = Keys(
    {
        "model": Cases(
            "name",
            {
                "balanced": {},
                "unbalanced": {"rate": BOUND},
                "hose": {"ingress": ListOf(BOUND), "egress": ListOf(BOUND)},
            },
        ),
        "ratio": BOUND,
        "witness": OrNull(_WITNESS),  # a rate of 1, which overloads nothing, has none
        "symmetry": SYMMETRY,
        "bounds": ListOf(BOUNDS_OF_GROUP),
        "exact": ListOf(POTENTIALS),
    },
    {"loads": Word("by-pair")},
)
