"""Reports of ``split``: the test of a measured split of flows, carried out again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..core.checks.splits import TESTS, check_split, p_value, tolerance
from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.rational import parse_fraction
from .kind import BOUNDS, EXACT, Kind, States
from .reading import Report, check_bounds, check_value, errors_at, name_of
from .shapes import TEXT, Keys, Word
from .work import spend

_STEPS = 20  # of one flow on one member, about


def verify_split(report: Report) -> None:
    """Check every claim; raises InputError for a split that cannot be judged."""
    counts, weights = report.subject["counts"], report.subject["weights"]
    try:
        check_split(counts, weights)
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None
    for number, claim in enumerate(report.claims):
        with errors_at(name_of(number, claim)):
            spend(_STEPS * sum(counts) * len(counts), "the test of a split")
            _check(counts, weights, claim)


def _check(counts: list[int], weights: list[int], claim: Claim) -> None:
    if claim.quantity == "split_tolerance":
        own, least = tolerance(sum(counts), weights, _level(claim))
        check_value(claim, own, "the distribution gives")
        if claim.relation == "==" and not least:
            raise VerificationError("less may do as well; what is proved is an upper bound")
        return
    chance = p_value(counts, weights, claim.about["test"])
    if claim.quantity == "split_p_value":
        check_bounds(claim, chance)
        return
    level = _level(claim)
    if not chance.low > level and not chance.high <= level:
        raise VerificationError("the bounds on its p-value do not decide it")
    check_value(claim, "true" if chance.low > level else "false", "its p-value and level make it")


def _level(claim: Claim) -> Fraction:
    try:
        level = parse_fraction(claim.about["level"], what="its level")
    except InputError as error:
        raise VerificationError(str(error)) from None
    if not 0 < level < 1 or str(level) != claim.about["level"]:
        raise VerificationError(f"its level is {claim.about['level'][:40]!r}; a fraction between 0 and 1 was expected")
    return level


_TEST = Word(*TESTS)
KINDS: Mapping[str, Kind] = {
    "split": Kind(
        Keys({}),
        {
            "split_p_value": States(BOUNDS, Grade.PROVED, Keys({"test": _TEST})),
            "split_within_chance": States(
                EXACT, Grade.PROVED, Keys({"test": _TEST, "level": TEXT}), words=("true", "false")
            ),
            "split_tolerance": States(("==", "<="), Grade.PROVED, Keys({"level": TEXT})),
        },
        frozenset(),
    )
}
