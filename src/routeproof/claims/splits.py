"""Reports of ``split``: the test of a measured split of flows, worked out a second time.

The numbers are those of ``kernel.splits``, found otherwise: members draw one after the other, terms come from the
other end, divisions from stars and bars.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.rational import parse_fraction
from ..kernel.independent_flows import Chance
from ..kernel.splits import TESTS, check_split
from .chances import in_turn
from .kind import BOUNDS, EXACT, VERIFIED, Kind, States, SubjectKind
from .proofs.proof import NotElaborated, Proof, Writing, fraction
from .reading import Report, check_bounds, check_value
from .shapes import TEXT, WHOLE, Keys, ListOf, Word
from .work import spend

_STEPS = 20  # of one flow on one member, about
_MOST_DIVISIONS, _MOST_STEPS = 200_000, 6_000_000


def verify_split(report: Report) -> None:
    """Check every claim; raises InputError for a split that cannot be judged."""
    counts, weights = report.subject["counts"], report.subject["weights"]
    try:
        check_split(counts, weights)
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None
    report.check_each(lambda claim: _check(counts, weights, claim))


def _check(counts: list[int], weights: list[int], claim: Claim) -> None:
    spend(_STEPS * sum(counts) * len(counts), "the test of a split")
    if claim.quantity == "split_tolerance":
        level, n = _level(claim), sum(counts)
        own = claim.value
        if not isinstance(own, Fraction) or own.denominator != 1 or own < 1:
            raise VerificationError(f"its tolerance is {str(own)[:40]}; a whole number of flows was expected")
        if _reached(n, weights, own).high > level:
            raise VerificationError(f"{own} flows or more away is likelier than {claim.about['level']}")
        if claim.relation == "==" and not _reached(n, weights, own - 1).low > level:
            raise VerificationError("less may do as well; what is proved is an upper bound")
        return
    chance = _p_value(counts, weights, claim.about["test"])
    if claim.quantity == "split_p_value":
        check_bounds(claim, chance)
        return
    level = _level(claim)
    if not chance.low > level and not chance.high <= level:
        raise VerificationError("the bounds on its p-value do not decide it")
    check_value(claim, "true" if chance.low > level else "false", "its p-value and level make it")


def _p_value(counts: Sequence[int], weights: Sequence[int], test: str) -> Chance:
    n, total = sum(counts), sum(weights)
    if test == "deviation":
        return _reached(n, weights, max(abs(k - Fraction(n * w, total)) for k, w in zip(counts, weights, strict=True)))
    if len(weights) == 2:
        terms = _binomial(n, weights[0], weights[1])
        likely = sum(x for x in terms if x <= terms[counts[0]])
    else:
        members = len(weights)
        if math.comb(n + members - 1, members - 1) > _MOST_DIVISIONS:
            raise VerificationError("there are too many splits to go through")
        mine, likely = _ways(counts, weights), 0
        for bars in combinations(range(n + members - 1), members - 1):
            ways = _ways([b - a - 1 for a, b in pairwise((-1, *bars, n + members - 1))], weights)
            likely += ways if ways <= mine else 0
    return Chance(*[Fraction(likely, total**n)] * 2)


def _ways(counts: Sequence[int], weights: Sequence[int]) -> int:
    found, left = 1, sum(counts)
    for k, w in zip(counts, weights, strict=True):
        found, left = found * math.comb(left, k) * w**k, left - k
    return found


def _binomial(n: int, weight: int, rest: int) -> list[int]:
    """The ways in which 0, 1, ... n flows take a member, from the last term down."""
    terms = [weight**n]
    for k in range(n, 0, -1):
        terms.append(terms[-1] * k * rest // ((n - k + 1) * weight))
    return terms[::-1]


def _reached(n: int, weights: Sequence[int], deviation: Fraction) -> Chance:
    """The probability that some member is as far from its share, or farther."""
    total = sum(weights)
    if deviation <= 0:
        return Chance(Fraction(1), Fraction(1))
    nearer = []
    for w in weights:
        share = Fraction(n * w, total)
        nearer.append((max(0, math.floor(share - deviation) + 1), min(n, math.ceil(share + deviation) - 1)))
    if len(weights) > 2 and (n + 1) * sum(max(0, b - a + 1) for a, b in nearer) <= _MOST_STEPS:
        away = 1 - Fraction(in_turn(n, weights, nearer), total**n)
        return Chance(away, away)
    alone = {}
    for w, (a, b) in zip(weights, nearer, strict=True):
        if w not in alone:
            alone[w] = 1 - Fraction(sum(_binomial(n, w, total - w)[a : b + 1]), total**n)
    if len(weights) == 2:
        return Chance(alone[weights[0]], alone[weights[0]])
    return Chance(max(alone.values()), min(Fraction(1), sum((alone[w] for w in weights), Fraction(0))))


def _level(claim: Claim) -> Fraction:
    try:
        level = parse_fraction(claim.about["level"], what="its level")
    except InputError as error:
        raise VerificationError(str(error)) from None
    if not 0 < level < 1 or str(level) != claim.about["level"]:
        raise VerificationError(f"its level is {claim.about['level'][:40]!r}; a fraction between 0 and 1 was expected")
    return level


class SplitWork(Writing):
    """A proof about a split, which has no network."""

    def __init__(self, proof: Proof, report: Report) -> None:
        self.proof, self.counts, self.weights = proof, report.subject["counts"], report.subject["weights"]

    def say(self, side: str, value: Fraction, away: Fraction | int | None = None) -> None:
        far = None if away is None else fraction(Fraction(away))
        about = {"flows": sum(self.counts), "weights": self.weights, "counts": self.counts if away is None else None}
        self.proof.claim("split-chance", **about, away=far, side=side, value=fraction(value))


def elaborate_split(work: SplitWork, claim: Claim) -> None:
    counts, weights, value = work.counts, work.weights, claim.value
    n, total = sum(counts), sum(weights)
    said: Sequence[tuple[str, Fraction, Fraction | int | None]]
    if claim.quantity == "split_tolerance":
        level, own = _level(claim), int(claim.number)
        chances = [_reached(n, weights, claim.number), _reached(n, weights, claim.number - 1)]
        said = [("at-most", level, own), ("above", level, own - 1)][: 1 + (claim.relation == "==")]
    else:
        test = claim.about["test"]
        chances = [_p_value(counts, weights, test)]
        share = (abs(k - Fraction(n * w, total)) for k, w in zip(counts, weights, strict=True))
        away = None if test == "likelihood" else max(share)
        if claim.quantity == "split_p_value":
            said = [(x, claim.number, away) for x in ("at-most", "at-least")]
        else:
            said = [("above" if value == "true" else "at-most", _level(claim), away)]
    if any(x.low < x.high for x in chances):
        raise NotElaborated("its probability lies between bounds; the format adds up exact ones")
    for one in said:
        work.say(*one)


_TEST = Word(*TESTS)
SPLIT = Kind(
    "split",
    "The probabilities of splits under a fair hash, added up again in whole numbers.",
    Keys({}),
    {
        "split_p_value": States(BOUNDS, Grade.PROVED, Keys({"test": _TEST})),
        "split_within_chance": States(
            EXACT, Grade.PROVED, Keys({"test": _TEST, "level": TEXT}), words=("true", "false")
        ),
        "split_tolerance": States(("==", "<="), Grade.PROVED, Keys({"level": TEXT})),
    },
    frozenset(),
    subjects=frozenset({"split"}),
    elaborate=elaborate_split,
)
SPLIT_SUBJECT = SubjectKind("split", verify_split, Keys({"counts": ListOf(WHOLE), "weights": ListOf(WHOLE)}, VERIFIED))
