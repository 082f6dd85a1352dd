"""Which claims a sentence is about: chosen by what they state, whatever their order and whatever stands beside.

A claim is chosen by its quantity, its relation and exactly its qualifiers.  Of several bounds that differ in nothing
else, the tightest speaks; of equations that contradict each other, none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.claim import Claim
from .words import USUAL, qualifiers_text

OWN = ("==", ">=")
"""Relations of a throughput that a routing is known to have."""


class Choice:
    """The claims of a report, to be chosen from; those about single channels are for tables."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = [x for x in claims if "channel" not in x.about]

    def just(self, quantity: str, relation: str = "==", about: Mapping[str, Any] | None = None) -> Claim | None:
        """The claim that states just this, about just this; None where there is none."""
        wanted = {} if about is None else dict(about)
        found = [x for x in self.claims if (x.quantity, x.relation) == (quantity, relation) and dict(x.about) == wanted]
        if len({str(x.value) for x in found}) > 1:
            if relation == "==" or not all(isinstance(x.value, Fraction) for x in found):
                return None
            found.sort(key=_number, reverse=relation == ">=")
        return found[0] if found else None

    def number(self, quantity: str, relation: str = "==", about: Mapping[str, Any] | None = None) -> Fraction | None:
        """Its value, where that is an exact number."""
        claim = self.just(quantity, relation, about)
        return claim.value if claim is not None and isinstance(claim.value, Fraction) else None

    def abouts(
        self, quantity: str, may: Collection[str], relations: Collection[str] = OWN, must: Collection[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """What the claims of this quantity are about, each once, in an order of their own: those whose qualifiers are
        among ``may``, with all of ``must``."""
        found = {
            repr(sorted(x.about.items(), key=str)): dict(x.about)
            for x in self.claims
            if x.quantity == quantity and x.relation in relations and set(must) <= set(x.about) <= {*may, *must}
        }
        yield from sorted(found.values(), key=_order)


def _number(claim: Claim) -> Fraction:
    return claim.value if isinstance(claim.value, Fraction) else Fraction(0)


def _order(about: Mapping[str, Any]) -> tuple[int, str]:
    """What goes without saying comes first, then what has few qualifiers."""
    return sum(USUAL.get(k) != x for k, x in about.items()), qualifiers_text(about)
