"""What is said of a sampled claim: its own confidence, ends rounded outwards, no probability rounded to 0 or 1."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from routeproof.core.claim import Claim, Evidence, Grade, Interval
from routeproof.questions.simulate.wired import RepeatedAnswer
from routeproof.report.html.tables import claims_html
from routeproof.report.terminal.simulated import sweep_parts
from routeproof.report.terminal.table import claims_table


def printed(*parts: Any) -> str:
    screen = io.StringIO()
    console = Console(file=screen, width=200)
    for part in parts:
        console.print(part)
    return screen.getvalue()


def sampled(value: Interval, **about: Any) -> Claim:
    return Claim("connected_fraction", "==", value, Grade.SAMPLED, Evidence("sampled"), "", about)


@pytest.mark.parametrize(
    ("confidence", "words"),
    [(0.99, "99 % interval"), (0.9851, "98.51 % interval"), (0.995, "99.5 % interval"), (0.9999999, "99.99999 % int")],
)
def test_a_claim_is_printed_with_its_own_confidence(confidence: float, words: str) -> None:
    claim = sampled(Interval(0.25, 0.3, 0.5, 100, 1, confidence))
    assert words in printed(claims_table([claim]))
    assert words in claims_html([claim])


def test_a_probability_is_not_rounded_to_certainty() -> None:
    claim = sampled(Interval(0.0000123, 0.000021, 0.0000314, 10**6, 1))
    other = sampled(Interval(0.9999123, 0.999976, 0.9999999, 10**6, 1))
    for text in (printed(claims_table([claim, other])), claims_html([claim, other])):
        assert "0.00001 .. 0.0001" in text
        assert "about 0.00002" in text
        assert "0.9999 .. 0.9999999" in text
        assert "about 0.99998" in text


def test_points_of_several_confidences_are_told_so() -> None:
    claims = [
        sampled(Interval(0.2, 0.3, 0.5, 50, 1, x), point={"n": str(k)}) for k, x in enumerate((0.99, 0.9851, 0.99))
    ]
    answer = RepeatedAnswer(about={"topology": "points"}, stated=claims, variables={"n": ["0", "1", "2"]})
    assert "98.51 %, 99 % intervals, each by itself" in printed(*sweep_parts(answer))
