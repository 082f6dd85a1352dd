"""Evidence comes from strangers: reading it, holding claims against what it gives, one clear line for what is wrong.

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

from ..core.claim import Claim, Interval
from ..core.errors import InputError, VerificationError
from ..core.network import Network
from ..core.rational import shown
from ..core.sampling.intervals import probability_limits
from ..core.sampling.stopping import confidence_of_limits
from ..core.sampling.trial_intervals import TRIAL_METHODS, trial_interval
from ..core.spread import Progress
from ..core.traffic import Permutation
from ..formats.documents.json_text import fraction_from_text
from ..formats.documents.packed_ints import unpack_ints
from ..kernel.independent_flows import Chance

_CLOSE = 1e-9  # other versions of numpy add up in another order


@dataclass(frozen=True)
class Report:
    """What is verified; ``routing``: text of a routing to use in place of the subject's own, where it has one."""

    subject: Mapping[str, Any]
    claims: Sequence[Claim]
    routing: str | None = None
    progress: Progress | None = None

    def check_each(self, check: Callable[[Claim], None], *, shown: bool = False) -> None:
        """Check every claim in turn; an error names the claim.  ``shown``: ``progress`` counts the claims."""
        for number, claim in enumerate(self.claims):
            with errors_at(name_of(number, claim)):
                check(claim)
            if shown and self.progress is not None:
                self.progress(number + 1, len(self.claims))


def name_of(number: int, claim: Claim) -> str:
    return f"claims[{number}] ({claim.quantity[:80]})"


@contextmanager
def errors_at(where: str) -> Iterator[None]:
    """Errors within it begin with ``where``; malformed evidence (InputError) is a claim without support."""
    try:
        yield
    except (VerificationError, InputError) as error:
        raise VerificationError(f"{where}: {error}") from None


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


def as_lemmas(value: object, most: int) -> Iterator[list[int]]:
    """The lemmas of a refutation: literals, packed, each lemma ended by a 0; at most ``most`` numbers in all."""
    flat = unpack_ints(value, what="its refutation", max_items=most)
    ends = np.nonzero(flat == 0)[0].tolist()
    if len(flat) and flat[-1]:
        raise VerificationError("its refutation ends within a lemma: it is cut off")
    return (flat[a:b].tolist() for a, b in zip([0, *(x + 1 for x in ends)], ends, strict=False))


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
    return as_whole(value, "the number of a channel", 0, network.num_channels - 1)


def as_terminal(network: Network, value: object) -> int:
    return as_whole(value, "the number of a terminal", 0, network.num_terminals - 1)


def stated(claim: Claim) -> str:
    """The value that the claim states, short enough for a message."""
    return shown(claim.value) if isinstance(claim.value, Fraction) else str(claim.value)[:80]


def check_value(claim: Claim, own: Fraction | int | str, what: str) -> None:
    """Raise VerificationError unless the claim states ``own``; ``what``: what gives it ("the run gives")."""
    if claim.value != own:
        value = own if isinstance(own, str) else shown(Fraction(own))
        raise VerificationError(f"it is {stated(claim)}; {what} {value}")


def check_bounds(claim: Claim, own: Chance) -> None:
    """Raise VerificationError unless the claim holds of a probability that lies between the ends of ``own``."""
    value, (low, high) = claim.number, own
    if not {"==": low == high == value, "<=": high <= value, ">=": low >= value}[claim.relation]:
        found = shown(low) if low == high else f"from {shown(low)} to {shown(high)}"
        raise VerificationError(f"it is {claim.relation} {shown(value)}; the distributions give {found}"[:300])


def check_close(name: str, reported: float, own: float, what: str) -> None:
    """Raise VerificationError unless ``reported`` is ``own``; ``what`` as in ``check_value``."""
    if not abs(reported - own) <= _CLOSE * max(1.0, abs(own)):
        raise VerificationError(f"its {name} is {reported}; {what} {own}")


def check_interval(value: Interval, own: tuple[float, float, float], what: str) -> None:
    """``own``: low, best and high; ``what`` as in ``check_value``."""
    for name, number in zip(("low", "best", "high"), own, strict=True):
        check_close(name, getattr(value, name), number, what)


def check_sample(claim: Claim, trials: int, seed: int, what: str = "another sample") -> None:
    """Raise VerificationError unless the claim's interval is of these trials, and holds in 99 % of all cases."""
    value = claim.interval
    if (value.trials, value.seed, value.confidence) != (trials, seed, 0.99):
        raise VerificationError(f"its evidence names {what} than its value, or another confidence than 99 %")


def check_share(claim: Claim, hits: int, trials: int, what: str) -> None:
    """A probability that was estimated from ``hits`` of ``trials`` trials, with limits by Clopper & Pearson."""
    value = claim.interval
    low, high = probability_limits(hits, trials, confidence=confidence_of_limits(claim.evidence.data, value))
    check_interval(value, (low, hits / trials, high), f"{hits} of {trials} {what}")


def check_trials(claim: Claim, kind: str, values: Sequence[float], what: str) -> None:
    """An interval from the ``values`` of all trials, by the method for this kind of quantity (``trial_intervals``)."""
    value, method = claim.interval, claim.evidence.data["method"]
    if method != TRIAL_METHODS[kind]:
        raise VerificationError(f"its method is {str(method)[:40]!r}; {TRIAL_METHODS[kind]} was expected")
    own = trial_interval(kind, values, confidence=confidence_of_limits(claim.evidence.data, value))
    check_interval(value, (own.low, own.best, own.high), what)
