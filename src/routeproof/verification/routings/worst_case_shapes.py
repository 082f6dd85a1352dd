"""The form of the evidence for a worst case, of a routing or of what failures leave of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...core.claim import Grade
from ..kind import EXACT, States
from ..shapes import ANY, BOUND, FLAG, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Word

__all__ = ["BALANCED", "BOUNDS_OF_GROUP", "MODELS", "OF_CHANNEL", "PERMUTATION", "POTENTIALS", "SYMMETRY", "WORST_CASE"]

MODELS, BALANCED = Word("balanced", "unbalanced", "hose"), Word("balanced")
OF_CHANNEL: Mapping[str, States] = {
    "worst_case_load": States(EXACT, Grade.PROVED, Keys({"model": BALANCED, "channel": WHOLE}))
}
"""What is stated of the worst case of one channel."""
SYMMETRY = Either(
    "found",
    Keys({"found": ListOf(NUMBERS)}, {"reversal": FLAG}),
    Keys({"declared": ListOf(TEXT)}, {"reversal": FLAG}),
)
BOUNDS_OF_GROUP = Keys({"scale": BOUND, "channel": NUMBERS, "shift": NUMBERS, "quantum": NUMBERS})
POTENTIALS = Keys({"channel": WHOLE, "values": ListOf(BOUND), "row": NUMBERS, "column": NUMBERS})
PERMUTATION = Keys({"channel": WHOLE, "permutation": NUMBERS})
_WITNESS = Either("traffic", Keys({"channel": WHOLE, "traffic": ListOf(ANY)}), PERMUTATION)


class _OrNothing:
    """The witness of a rate of 1 that no traffic turns into an overload: there is none."""

    def check(self, value: object, what: str) -> None:
        if value is not None:
            _WITNESS.check(value, what)


class _Model:
    """The traffic model of a worst case, with the rates that it needs and no others."""

    _KEYS: ClassVar[Mapping[str, Keys]] = {
        "balanced": Keys({"name": TEXT}),
        "unbalanced": Keys({"name": TEXT, "rate": BOUND}),
        "hose": Keys({"name": TEXT, "ingress": ListOf(BOUND), "egress": ListOf(BOUND)}),
    }

    def check(self, value: object, what: str) -> None:
        Keys({"name": MODELS}, {"rate": ANY, "ingress": ANY, "egress": ANY}).check(value, what)
        assert isinstance(value, Mapping)
        self._KEYS[value["name"]].check(value, what)


WORST_CASE = Keys(
    {
        "model": _Model(),
        "ratio": BOUND,
        "witness": _OrNothing(),
        "symmetry": SYMMETRY,
        "bounds": ListOf(BOUNDS_OF_GROUP),
        "exact": ListOf(POTENTIALS),
    },
    {"loads": Word("by-pair")},
)
