"""Which routing to use, in one sentence: what it says is what is claimed, ties included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.claim import Claim
from routeproof.questions.compare import Compare
from routeproof.questions.ranked import lanes_claimed, load_claimed, rank, recommendation


def _sentence(topology: str, *names: str, **more: object) -> str:
    network = rp.network(topology)
    routings = [rp.named_routing(x, network) for x in names]
    return Compare(routings, best=True, time_limit=5.0, **more).answer().recommended  # type: ignore[arg-type]


def test_the_best_worst_case_is_named_with_the_next() -> None:
    said = _sentence("torus:4x4", "dor", "valiant", virtual_channels=True)
    assert said.startswith("Use valiant: its worst-case throughput over all permutations, 1, is the highest of the 2")
    assert "(next: dor, 2/3)" in said
    assert said.endswith(
        "its packets can deadlock on one virtual lane, and cannot on the 4 that its paths are given here."
    )


def test_ties_are_said_and_today_is_kept() -> None:
    said = _sentence("fat-tree:4", "dmodk", "sssp", today="sssp")
    assert said.startswith(
        "Keep sssp: its worst-case throughput over all permutations, 1/3, is the same for all 2 comp"
    )
    assert "dmodk equals it in all that was compared" in said


def test_a_tie_is_told_apart_by_uniform_traffic() -> None:
    said = _sentence("fat-tree:4", "minimal", "updown:root=top", "dmodk")
    assert "is that of updown:root=top, and the highest of the 3 compared" in said


def test_what_can_deadlock_is_not_said_to_be_free() -> None:
    said = _sentence("torus:4x4", "valiant", "updown")
    assert "on one virtual lane its packets can deadlock, and no assignment of more is known here" in said
    assert "the best of those that cannot is updown, " in said


def test_without_deadlock_nothing_is_said_of_it() -> None:
    assert _sentence("torus:4x4", "valiant", "dor", deadlock=False).endswith("deadlock is not judged.")


def _of(routing: object) -> Sequence[Claim]:
    return Compare([routing]).answer().by_routing[0]  # type: ignore[list-item]


def test_the_order_is_that_of_worst_case_alone() -> None:
    network = rp.network("torus:4x4")
    for name in ("dor", "valiant", "o1turn"):
        routing = rp.named_routing(name, network)
        claims = _of(routing)
        assert load_claimed(claims) == rp.worst_case(routing).value("worst_case_load") == rank(claims)[0]


def test_lanes_of_other_paths_are_not_those_of_the_routing() -> None:
    """Valiant's own paths on a fat tree can deadlock; those of the same loads without cycles need one lane."""
    network = rp.network("fat-tree:4")
    claims = Compare([rp.named_routing("valiant", network)], virtual_channels=True).answer().by_routing[0]
    assert lanes_claimed(claims) is None


def test_unlimited() -> None:
    network = rp.network("leaf-spine:4,1,1")
    routings = [rp.named_routing(x, network) for x in ("ecmp", "sssp")]
    try:
        said = Compare(routings, best=True).answer().recommended
    except rp.InputError:
        return  # nothing is loaded: no worst case is stated
    assert "unlimited" in said
    assert recommendation([("a", []), ("b", [])]).startswith("Use a: ")


def test_worst_cases_known_between_two_numbers_are_ranked_by_what_is_guaranteed_and_nothing_is_advised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("routeproof.worst.routable.ratio._EXACT_UP_TO", 0)
    monkeypatch.setattr("routeproof.worst.routable.ratio._INTERVAL", Fraction(1, 2))
    assert main(["compare", "mesh:4x4", "dor", "valiant", "--demands", "routable", "--no-deadlock"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"dor +>= 1/5 .*\n *valiant +2/13", printed)
    assert "Use " not in printed
    assert "nor which routing is best" in printed
