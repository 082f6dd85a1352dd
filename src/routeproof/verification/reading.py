"""Evidence comes from strangers: reading it, with one clear line for whatever is not as it should be.

Which keys there are, and of which types their values, is checked before (``kinds.check_form``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.claim import Claim
from ..core.errors import InputError, VerificationError
from ..core.network import Network
from ..core.permutation import Permutation
from ..core.stage import Progress
from ..formats.documents.long_fractions import fraction_from_text
from ..formats.documents.packed_ints import unpack_ints

__all__ = [
    "Report", "as_channel", "as_fraction", "as_numbers", "as_permutation", "as_scale", "as_terminal", "as_whole",
    "errors_of", "name_of",
]  # fmt: skip


@dataclass(frozen=True)
class Report:
    """What is verified; ``routing``: text of a routing to use in place of the subject's own, where it has one."""

    subject: Mapping[str, Any]
    claims: Sequence[Claim]
    routing: str | None = None
    progress: Progress | None = None

    def check_each(self, check: Callable[[Claim], None]) -> None:
        """Check every claim in turn; an error names the claim."""
        for number, claim in enumerate(self.claims):
            with errors_of(number, claim):
                check(claim)


def name_of(number: int, claim: Claim) -> str:
    return f"claims[{number}] ({claim.quantity[:80]})"


@contextmanager
def errors_of(number: int, claim: Claim) -> Iterator[None]:
    """Errors within it name the claim; malformed evidence (InputError) is a claim without support."""
    try:
        yield
    except (VerificationError, InputError) as error:
        raise VerificationError(f"{name_of(number, claim)}: {error}") from None


def as_fraction(value: object, what: str) -> Fraction:
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    fraction = fraction_from_text(value) if isinstance(value, str) else None
    if fraction is None:
        raise VerificationError(f"{what} is {str(value)[:40]!r}; a fraction string was expected")
    return fraction


def as_scale(value: object, what: str, most: int) -> int:
    """What integers of the evidence are divided by."""
    scale = as_fraction(value, what)
    if scale.denominator != 1 or not 1 <= scale <= most:
        raise VerificationError(f"{what} is {str(value)[:40]}; a whole number from 1 to {most} was expected")
    return int(scale)


def as_whole(value: object, what: str, least: int, most: int | None = None) -> int:
    if type(value) is not int or value < least or (most is not None and value > most):
        wanted = f"from {least}" if most is None else f"from {least} to {most}"
        raise VerificationError(f"{what} is {str(value)[:40]}; a whole number {wanted} was expected")
    return value


def as_numbers(value: object, what: str, size: int) -> npt.NDArray[np.int64]:
    """Packed integers, exactly ``size`` of them."""
    numbers = unpack_ints(value, what=what, max_items=size)
    if len(numbers) != size:
        raise VerificationError(f"{what} has {len(numbers)} entries; {size} were expected")
    return numbers


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
    if type(value) is not int or not 0 <= value < count:
        raise VerificationError(f"{what} {str(value)[:40]} is outside 0 to {count - 1}")
    return value
