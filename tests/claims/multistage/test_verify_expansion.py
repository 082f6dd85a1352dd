"""Expansion of splitters. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("splitter", at(c8_value="3"), "it is 3; the least neighbourhoods give 2"),
    ("splitter", at(c0_subset_size=99), "its subset_size is outside the splitter"),
    ("splitter", at(c12_value="1/2"), "its subset has another fraction of unique neighbours"),
    ("splitter", at(c8_evidence__from=["expansion"]), "does not say that it follows from the least neighbourhoods"),
    ("spectrum", at(c1_evidence__power=3), "its power is not a power of two up to 1024"),
    ("spectrum", at(c1_evidence__eigenvalue="1/1048576"), "its eigenvalue is below the second eigenvalue's bound"),
    ("spectrum", at(c1_value="2"), "it is 2; the spectrum gives 1"),
    ("splitter", at(c8_alpha="0"), "it is not a statement about subsets of at most alpha times all inputs"),
]


@honest("splitter", "splitters", "spectrum")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
