"""Reports of ``split``: the test of a measured split of flows, carried out again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..core.checks.splits import TESTS, check_split, p_value, tolerance
from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.rational import parse_fraction
from .kind import EXACT, Kind, States
from .reading import Report, check_value, errors_at, name_of
from .shapes import TEXT, Keys, Word
from .work import spend

_STEPS = 200  # of one flow on one member, about


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
        check_value(claim, tolerance(sum(counts), weights, _level(claim)), "the distribution gives")
        return
    value = p_value(counts, weights, claim.about["test"])
    if claim.quantity == "split_p_value":
        check_value(claim, value, "the distribution gives")
    else:
        check_value(claim, "true" if value > _level(claim) else "false", "its p-value and level make it")


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
            "split_p_value": States(EXACT, Grade.PROVED, Keys({"test": _TEST})),
            "split_within_chance": States(
                EXACT, Grade.PROVED, Keys({"test": _TEST, "level": TEXT}), words=("true", "false")
            ),
            "split_tolerance": States(EXACT, Grade.PROVED, Keys({"level": TEXT})),
        },
        frozenset(),
    )
}
