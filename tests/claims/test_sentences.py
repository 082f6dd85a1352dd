"""Sentences mean the claims that they are made of, whatever stands beside those, and in whatever order."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from commanded_reports import made
from routeproof.claims.words import among, quantity_text
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.formats.documents.report import document_to_claims
from routeproof.report.html.choices import choices_html
from routeproof.report.html.headline import headline
from routeproof.report.html.tables import cards_html
from routeproof.report.html.view import network_of
from routeproof.report.terminal.subject_words import given_names

REPORTS = [
    "worst case", "unbalanced", "hose", "sparse", "curve", "curve of jobs", "two jobs", "matrix", "box", "routable",
    "design", "interval", "few paths", "few entries", "routable design", "ideal", "ideal interval", "comparison",
    "deadlock", "virtual", "failures", "failures of few", "failures of a matrix", "graph document", "tradeoff of jobs",
    "capacity", "hashing", "load", "timed schedule", "deep schedule", "racing schedule",
]  # fmt: skip
DECOYS: Mapping[str, tuple[Any, str]] = {
    "demands": ("within:decoy.txt", "decoy.txt"),
    "job": ("decoy-job", "decoy-job"),
    "across": ("decoy-across", "decoy-across"),
    "packets": (977, "977"),
    "within": ("average_path_length <= 977/7", "977/7"),
    "paths": ("decoy-paths", "decoy-paths"),
    "routing": ("decoy-routing", "decoy-routing"),
    "flows": ("whole", "whole flows"),
    "traffic": ("decoy-traffic", "decoy-traffic"),
    "lanes": ("by service level", "service level"),
    "channel": (0, "channel 0"),
    "failed": ("decoy", "decoy"),
    "graphs": ("many-one", "many-one"),
    "model": ("unbalanced", "unbalanced"),
}
"""A qualifier that another claim has, and what a sentence about that one says."""


def report(name: str) -> tuple[dict[str, Any], list[Claim]]:
    subject, claims = document_to_claims(made(name))
    return subject, list(claims)


def told(subject: Mapping[str, Any], claims: Sequence[Claim]) -> list[str]:
    quoted = given_names(subject, claims)
    text = headline(subject, claims, network_of(subject, None), None, quoted)
    return re.split(r"(?<=\.) (?=[A-Z0-9])", text) if text else []


def other(claim: Claim, key: str) -> Claim:
    """Another claim, which differs in one qualifier and says something else."""
    value: Any = claim.value
    if isinstance(value, Fraction):
        value = 7 * value + Fraction(1, 3)
    elif value in ("true", "false"):
        value = {"true": "false", "false": "true"}[value]
    return replace(claim, about={**claim.about, key: DECOYS[key][0]}, value=value)


@pytest.mark.parametrize("name", REPORTS)
def test_the_order_of_claims_says_nothing(name: str) -> None:
    subject, claims = report(name)
    before = told(subject, claims)
    assert told(subject, claims[::-1]) == before
    for seed in range(3):
        mixed = claims[:]
        random.Random(seed).shuffle(mixed)
        assert told(subject, mixed) == before


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("key", DECOYS)
def test_another_claim_first_or_last_changes_no_meaning(name: str, key: str) -> None:
    """What is said is what was said before, or names what the other claim is about."""
    subject, claims = report(name)
    before = told(subject, claims)
    more = [other(x, key) for x in claims if x.about.get(key) != DECOYS[key][0]]
    for some in ([*more, *claims], [*claims, *more]):
        for said in told(subject, some):
            plain = said.replace(", if flows split as the routing says", "")  # said beside whole flows
            plain = re.sub(r" (of the set|over) ('[^']*'|\S+)(?= (collide|does not))", "", plain)  # beside another set
            assert plain in before or DECOYS[key][1] in said, said


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("key", DECOYS)
def test_every_qualifier_of_a_sentence_is_said(name: str, key: str) -> None:
    """Of claims that all have one more qualifier, a sentence names it, or there is none."""
    subject, claims = report(name)
    before = told(subject, claims)
    some = [x if key in x.about else replace(x, about={**x.about, key: DECOYS[key][0]}) for x in claims]
    same = {said for said in before if key == "model"}
    for said in told(subject, some):
        kept = [x for x in claims if key in x.about and x.about[key] != DECOYS[key][0]]
        assert said in same or DECOYS[key][1] in said or (kept and said in told(subject, kept)), said


@pytest.mark.parametrize("name", ["few paths", "comparison", "failures", "two jobs"])
def test_a_claim_left_out_makes_no_sentence_stronger(name: str) -> None:
    """Bounds and equations never come from elsewhere: without a claim, its numbers are not said of another one."""
    subject, claims = report(name)
    for k in range(len(claims)):
        for said in told(subject, [*claims[:k], *claims[k + 1 :]]):
            numbers = set(re.findall(r"\d+/\d+", said))
            assert numbers <= {y for x in claims for y in _numbers(x)}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("timed all-to-all", "Every execution of this schedule ends if every connection holds at least 1 message."),
        ("timed all-to-all", "Every rank ends with what the collective asks for."),
        ("deep schedule", "Every execution of this schedule ends if every connection holds at least 2 messages."),
        ("waiting schedule", "This schedule hangs: steps of it wait for one another, however many messages its "),
        (
            "racing schedule",
            "This schedule has a race: two steps that touch one chunk, one of them writing, run in no ",
        ),
        ("wrong schedule", "A rank ends with something else than the collective asks for."),
    ],
)
def test_a_schedule_says_what_its_executions_do(name: str, said: str) -> None:
    """Nothing of packets and virtual channels: its steps wait for one another, whatever the routing below."""
    subject, claims = report(name)
    text = " ".join(told(subject, claims))
    assert said in text
    assert "acket" not in text
    assert "virtual" not in text


def _numbers(claim: Claim) -> set[str]:
    values = [claim.value, 1 / claim.value if isinstance(claim.value, Fraction) and claim.value else None]
    return {str(x) for x in values} | set(re.findall(r"\d+/\d+", str(claim.about)))


def test_two_statements_are_never_the_same_words() -> None:
    long = "within:" + "a" * 90
    abouts: list[dict[str, Any]] = [
        {"demands": long}, {"demands": f"{long} & sparse:1"}, {"demands": long, "job": "b"}, {"demands": "sparse:2"},
        {"demands": "sparse:2", "within": "average_path_length <= 6/5"}, {"demands": "sparse:2", "paths": "minimal"},
        {"model": "balanced"}, {"model": "balanced", "flows": "whole"}, {"model": "unbalanced"},
    ]  # fmt: skip
    made = [_load("==", Fraction(1), x) for x in abouts]
    assert len({quantity_text(x) for x in made}) == len(abouts)
    assert len({repr(x) for x in made}) == len(abouts)
    assert long in quantity_text(made[0])


def _load(relation: str, value: Fraction, about: Mapping[str, Any], kind: str = "worst-case", **data: Any) -> Claim:
    return Claim("worst_case_load", relation, value, Grade.PROVED, Evidence(kind, data), about=dict(about))


def test_a_bound_names_the_routings_that_it_means() -> None:
    over = {"demands": "sparse:2"}
    assert among(_load("==", Fraction(1), over, "optimum", adversary={})) == ""
    limit = {"within": {"average_path_length": "6/5"}, "paths": "minimal"}
    for claim in (
        _load("==", Fraction(1), over, "optimum", adversary=limit),
        _load(">=", Fraction(1), {**over, "within": "average_path_length <= 6/5", "paths": "minimal"}, "adversary"),
    ):
        words = " with paths minimal whose average path length is at most 6/5 hops (1 times minimal)"
        assert among(claim, minimal=Fraction(6, 5)) == words
    length = Claim(
        "average_path_length", ">=", Fraction(2), Grade.PROVED, Evidence("adversary"),
        about={**over, "within": "worst_case_load <= 3/2"},
    )  # fmt: skip
    assert among(length) == " whose worst-case channel load over sparse:2 is at most 3/2"


def test_cards_do_not_mix_two_sets() -> None:
    """The other end of an interval is of the same set, and what a card says it is about comes with its number."""
    claims = [
        _load("<=", Fraction(3), {"demands": "sparse:2"}, "reached"),
        _load(">=", Fraction(1), {"demands": "sparse:3"}, "adversary"),
        _load(">=", Fraction(2), {"demands": "sparse:2"}, "adversary"),
    ]
    for some in (claims, claims[::-1]):
        cards = cards_html(some).split("<li>")
        two = next(x for x in cards if "over sparse:2<" in x)
        assert "&gt;= 2" in two or "&gt;=2" in two
        assert "&gt;= 1" not in two


def test_a_table_of_routings_tells_two_verdicts_apart() -> None:
    subject, claims = report("comparison")
    verdict = next(x for x in claims if x.quantity == "deadlock_free")
    flipped = "true" if verdict.value == "false" else "false"
    more = replace(verdict, about={**verdict.about, "paths": "of-loads"}, value=flipped)
    for some in ([*claims, more], [more, *claims]):
        table = choices_html(subject, some, network_of(subject, None), None, ())
        assert "paths of-loads" in table
