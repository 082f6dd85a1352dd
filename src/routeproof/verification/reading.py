"""Evidence comes from strangers: reading it, with one clear line for whatever is not as it should be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..core.checks.multipliers import shown
from ..core.claim import Claim
from ..core.errors import VerificationError
from ..core.network import Network
from ..core.permutation import Permutation
from ..formats.documents.long_fractions import fraction_from_text
from ..formats.documents.packed_ints import unpack_ints

__all__ = ["as_channel", "as_fraction", "as_list", "as_mapping", "as_permutation", "as_terminal", "stated"]


def stated(claim: Claim) -> str:
    """The value that the claim states, short enough for a message."""
    return shown(claim.value) if isinstance(claim.value, Fraction) else str(claim.value)[:80]


def as_mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    if not isinstance(value, Mapping):
        raise VerificationError(f"its evidence has no '{key}'; an object was expected")
    return value


def as_list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise VerificationError(f"its evidence has no '{key}'; a list was expected")
    return value


def as_fraction(value: object, what: str) -> Fraction:
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    fraction = fraction_from_text(value) if isinstance(value, str) else None
    if fraction is None:
        raise VerificationError(f"{what} is {str(value)[:40]!r}; a fraction string was expected")
    return fraction


def as_permutation(value: object, size: int) -> Permutation:
    """A list of terminals, or the same packed."""
    if isinstance(value, str):
        value = unpack_ints(value, what="its permutation", max_items=size).tolist()
    if not isinstance(value, list) or len(value) != size:
        raise VerificationError(f"its permutation must be a list of {size} terminals")
    if any(isinstance(x, bool) or not isinstance(x, int) or abs(x) > 1 << 40 for x in value):
        raise VerificationError("its permutation must hold numbers of terminals")
    return Permutation(value)


def as_channel(network: Network, value: object) -> int:
    return _number(value, network.num_channels, "channel")


def as_terminal(network: Network, value: object) -> int:
    return _number(value, network.num_terminals, "terminal")


def _number(value: object, count: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise VerificationError(f"{what} {str(value)[:40]} is outside 0 to {count - 1}")
    return value
