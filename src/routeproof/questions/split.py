"""Is a measured split of flows within chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ..core.errors import InputError
from .answer import ALONE, PlainAnswer, Setting, Shown, ends, timed
from .question import Question, argument, option, question, spelled
from .shared import JSON_REPORT

if TYPE_CHECKING:
    from fractions import Fraction

    from ..kernel.independent_flows import Chance


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SplitAnswer(PlainAnswer):
    shown = Shown("terminal.hashing:split_parts")

    counts: Sequence[int]
    weights: Sequence[int]
    test: str
    level: Fraction
    chance: Chance
    tolerated: int


def _numbers(text: str, what: str) -> list[int]:
    parts = text.replace(",", ":").split(":")
    if not all(x.strip().isascii() and x.strip().isdecimal() and len(x.strip()) <= 9 for x in parts):
        raise InputError(f"{what} is {text[:40]!r}; whole numbers with colons between, such as 47:53, were expected")
    return [int(x) for x in parts]


@question
class Split(Question[SplitAnswer]):
    """Is a measured split of flows within chance? The exact test of a fair hash, binomial or multinomial, two-sided.

    Count flows, not packets or bytes: packets of one flow go together. --weights are those of a weighted group (WCMP).

    For example: routeproof split 47:53

        >>> import routeproof as rp
        >>> round(float(rp.split([47, 53]).p_value), 4)
        0.6173

    Raises InputError.
    """

    verb, place, function = "split", 60, "split"

    counts: Sequence[int] = argument(
        "COUNTS", "How many flows each member carries, as in 47:53.", kind=str,
        read=lambda _, text: _numbers(text, "the split"), python="How many flows each member carries.",
    )  # fmt: skip
    _: KW_ONLY
    weights: Sequence[int] | None = option(
        "WEIGHTS", "The members' weights, as in 3:1 (default: all alike).", default=None, kind=str | None,
        read=lambda _, text: None if text is None else _numbers(text, "--weights"),
    )  # fmt: skip
    level: Fraction | str = option(
        "LEVEL", "What is rarer than this is not chance: 1%, 0.01 or 1/100.", default="1%", kind=str
    )
    test: str | None = option(
        "likelihood|deviation",
        "Splits that are no likelier, or with a member as far from its share (default: likelihood if it can be).",
        default=None,
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"split {':'.join(map(str, self.counts))}"

    @timed
    def answer(self, setting: Setting = ALONE) -> SplitAnswer:  # noqa: ARG002  # it takes no time
        from ..claims.splits import SPLIT
        from ..kernel.splits import check_split, p_value, tolerance, usual_test

        counts, weights, level, test = self.counts, self.weights, self.level, self.test
        given = [1] * len(counts) if weights is None else list(weights)
        check_split(counts, given)
        limit = level_of(level)
        chosen = usual_test(counts) if test is None else test
        if chosen not in ("likelihood", "deviation"):
            raise InputError(f"--test is {chosen[:40]!r}; likelihood or deviation was expected")
        chance, about = p_value(counts, given, chosen), {"test": chosen}
        stated = [
            SPLIT.claim(x, None, about, quantity="split_p_value", relation=relation)
            for relation, x in ends(*chance).items()
        ]
        limits = {"level": str(limit)}
        within = "true" if chance.low > limit else "false" if chance.high <= limit else None
        if within is not None:
            stated.append(SPLIT.claim(within, None, {**about, **limits}, quantity="split_within_chance"))
        tolerated, least = tolerance(sum(counts), given, limit)
        relation = "==" if least else "<="
        stated.append(SPLIT.claim(tolerated, None, limits, quantity="split_tolerance", relation=relation))
        subject = {"kind": "split", "counts": list(counts), "weights": given}
        return SplitAnswer(
            about=subject, stated=tuple(stated), counts=counts, weights=given, test=chosen, level=limit, chance=chance,
            tolerated=tolerated,
        )  # fmt: skip


def level_of(level: Fraction | str) -> Fraction:
    """``1%``, ``0.01``, ``1/100``; raises InputError unless it is between 0 and 1."""
    from ..core.rational import parse_fraction

    text = str(level).strip()
    found = parse_fraction(text.removesuffix("%").strip(), what="--level")
    found = found / 100 if text.endswith("%") else found
    if not 0 < found < 1 or found.denominator > 10**12:
        raise InputError(f"--level is {text[:40]}; more than 0 and less than 1, such as 1%, was expected")
    return found
