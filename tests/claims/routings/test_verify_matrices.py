"""Claims about lists of matrices and boxes: true ones hold, and whatever is changed is refused for its own reason."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from commanded_reports import Document, Forgery, at, check_forgery, forged, honest, made, refusal
from true_reports import sealed


@honest("matrix", "box")
def test_true_claims_hold(name: str) -> None:
    assert refusal(made(name)) is None


def test_the_larger_of_two_matrices_counts() -> None:
    document = made("matrix")
    entries = document["subject"]["demands"]["matrices"]
    (name,) = entries
    entries["half"] = [[i, j, str(Fraction(x) / 2)] for i, j, x in entries[name]]
    assert refusal(sealed(document)) is None
    entries["double"] = [[i, j, str(2 * Fraction(x))] for i, j, x in entries[name]]
    assert "another one" in str(refusal(sealed(document)))


def first_entry(value: Any) -> Any:
    def change(document: Document) -> None:
        (entries,) = document["subject"]["demands"]["matrices"].values()
        entries[0] = value

    return change


def text(of_all: str, **subject: Any) -> Any:
    """Another name of the set, in the subject and in all claims."""

    def change(document: Document) -> None:
        document["subject"]["demands"] |= {"text": of_all, **subject}
        for claim in document["claims"]:
            if "demands" in claim:
                claim["demands"] = of_all

    return change


FORGERIES: list[Forgery] = [
    ("matrix", at(c0_value="1"), "it is 1; channel"),
    ("matrix", at(c0_evidence__channel=99), "the number of a channel"),
    ("matrix", at(c0_evidence__matrix="x"), "which the set of demands does not have"),
    ("matrix", at(c0_demands="matrix:other"), "not that of the report's subject"),
    ("matrix", at(c0_demands="permutations"), "not that of the report's subject"),
    ("matrix", first_entry([0, 0, "1"]), "sends to itself"),
    ("matrix", first_entry([0, 1, "-1"]), "cannot be negative"),
    ("matrix", first_entry([0, 3, "1"]), "terminals are 0 to 2"),
    ("matrix", first_entry([0, 2, "1"]), "a second entry"),
    ("matrix", text("permutations"), "its unit is"),
    ("matrix", text("matrix:x", sends="1"), "matrices are the whole of a set"),
    ("box", text("permutations"), "its unit is"),
    ("box", text("routable"), "is not a set"),
    ("box", text("box:x & sparse:3"), "is not that of"),
    ("box", at(c0_value="1"), "it is 1; channel"),
    ("box", at(s_demands__limits=[[0, 1, "2", "1"]]), "0 <= low <= high expected"),
    ("box", at(s_demands__limits=[]), "the set is empty"),
    ("box", at(s_demands=None), "is null"),
    ("sparse", at(s_demands__total="1"), "the total is 1"),
    ("sparse", text("permutations"), "the total is 2"),
    ("sparse", text("sparse:3"), "the total is 2"),
    ("sparse", text("pairs:x & sparse:2"), "do not say the same of 'pairs'"),
    ("sparse", at(s_demands__sends="1/2"), "is not that of"),
    ("sparse", at(c0_job="a"), "there is no job"),
    ("jobs", text("sparse:3"), "do not say the same of 'within'"),
    ("jobs", at(c0_job="c"), "there is no job"),
    ("permutations", text("sparse:4"), "the total is None"),
    ("hose set", text("permutations"), "its unit is"),
    ("hose set", text("hose:x & sparse:1"), "the total is None"),
    ("any rate", at(c0_demands="permutations"), "its qualifier.demands"),
    ("routable", at(c0_demands="permutations"), "demands"),
]


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
