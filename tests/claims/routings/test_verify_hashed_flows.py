"""What is said of hashed flows is checked word by word: bounds may be weaker than what is known, never stronger."""

from __future__ import annotations

from fractions import Fraction

import pytest

from commanded_reports import at, made, refusal
from true_reports import Document, sealed


def of_all(report: Document) -> list[int]:
    return [k for k, x in enumerate(report["claims"]) if x["quantity"] == "overload_probability" and "channel" not in x]


@pytest.mark.parametrize("name", ["hashing", "hashing at random"])
def test_weaker_bounds_hold_and_stronger_ones_do_not(name: str) -> None:
    for k in of_all(made(name)):
        value = Fraction(made(name)["claims"][k]["value"])
        relation = made(name)["claims"][k]["relation"]
        for other, held in ((value / 2, relation in (">=",)), ((value + 1) / 2, relation == "<=")):
            report = made(name)
            if other == value:
                continue
            at(**{f"c{k}_value": str(other)})(report)
            assert (refusal(sealed(report)) is None) == held


def test_an_exact_number_may_be_stated_as_a_bound_only_where_it_is_one() -> None:
    report = made("hashing at random")
    k = of_all(report)[0]
    at(**{f"c{k}_relation": "=="})(report)
    assert "the distributions give" in str(refusal(sealed(report)))
