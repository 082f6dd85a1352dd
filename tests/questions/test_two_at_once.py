"""All pairs of links or cables that fail together: bounds against all of them judged, reports, and forgeries."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.questions.failures import two_at_once
from routeproof.routing.base.two_failures import TwoFailures, both
from routeproof.topologies.failures import all_failures
from routeproof.worst.failures import base_of, solve_failures
from true_reports import sealed, verify

CASES = [
    ("random-regular:8,degree=4,seed=3", "minimal", "links", None),
    ("torus:3x3,dead-links=0-1", "minimal", "links", None),
    ("mesh:3x4", "minimal", "links", None),
    ("mesh:3x4", "dor", "links", "split"),
    ("complete:6,bandwidth=3/2,concentration=2", "ecmp", "links", None),
    ("mesh:3x4", "ecmp:choice=per-hop", "links", None),
    ("dragonfly:2,4,2,groups=2", "minimal", "cables", None),
    ("hyperx:3x3,bandwidth=1x2", "ecmp:choice=per-hop", "cables", None),
]


def _judged(case: tuple[str, str, str, str | None], monkeypatch: pytest.MonkeyPatch, least: int) -> Any:
    topology, routing, of, repair = case
    monkeypatch.setattr(two_at_once, "JUDGED_ALL", least)
    monkeypatch.setattr(two_at_once, "_BEGIN", 4)
    network = rp.network(topology)
    counts = {"links": 0, "cables": 0} | {of: 2}
    return rp.failures(rp.named_routing(routing, network), **counts, repair=repair)


@pytest.mark.parametrize("case", CASES, ids=[" ".join(map(str, x)) for x in CASES])
def test_the_worst_pair_is_that_of_all_pairs_judged(
    case: tuple[str, str, str, str | None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    every = _judged(case, monkeypatch, 10**9).answer
    found = _judged(case, monkeypatch, 0)
    pairs = found.answer.pairs
    assert every.pairs is None
    assert pairs.count == len(every.judged)
    assert len(found.answer.judged) < pairs.count
    assert max(x.load or 0 for x in found.answer.judged) == max(x.load or 0 for x in every.judged)
    claim = next(x for x in found.answer.stated if x.evidence.kind == "every-failure")
    assert (claim.relation, claim.value) == ("==", max(x.load or 0 for x in every.judged))
    assert claim.about["failed"] == f"any 2 of the {case[2]}"
    apart = {x.failure for x in every.judged if x.lost is not None}
    symmetric = found.answer.stated[0].evidence.data["symmetry"]
    if not symmetric.get("found") and not symmetric.get("declared"):
        assert {x.failure for x in found.answer.judged if x.lost is not None} == apart
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")
    assert f"the worst failure of two at once of the {case[2]}" in found.page().html


@pytest.mark.parametrize(
    ("topology", "routing", "repair"),
    [("random-regular:8,degree=4,seed=3", "minimal", "rebuild"), ("mesh:3x3", "dor", "split"),
     ("mesh:3x3,bandwidth=1x2", "ecmp:choice=per-hop", "rebuild")],
)  # fmt: skip
def test_every_bound_holds(topology: str, routing: str, repair: str) -> None:
    network = rp.network(topology)
    base = base_of(rp.named_routing(routing, network), repair)
    parts = all_failures(network, links=1)
    two = TwoFailures(base.rerouting, base.potentials, base.rates.supply, base.rates.demand, parts)
    width = np.array([float(x) for x in network.bandwidth])
    for e, one in enumerate(parts):
        for f, bound in two.after(e, range(e)):
            result = solve_failures(base, failures=[([], both(one, parts[f]).channels(network))])[0]
            assert (bound is None) == ("lost" in result or "cut" in result)
            if bound is not None:
                load = Fraction(result["load"])
                assert load <= (bound / width).max() / base.potentials.scale + 1e-9
                assert load <= two.most()


def test_bridges_are_judged_as_before_and_refused_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    """One link alone that separates terminals makes most pairs do so."""
    case = ("fat-tree:4,levels=2,hosts", "minimal", "links", None)
    assert _judged(case, monkeypatch, 0).answer.pairs is None
    monkeypatch.setattr(two_at_once, "MOST_FAILURES", 10)
    with pytest.raises(InputError, match="alone separates terminals, or cuts or lengthens paths"):
        _judged(case, monkeypatch, 0)


def test_too_long_is_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_at_once, "_MOST_SECONDS", 1e-6)
    with pytest.raises(InputError, match=r"bounds after [0-9]+ pairs of failures would take about"):
        _judged(CASES[0], monkeypatch, 0)


def test_interrupted_it_gives_an_interval(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    @contextmanager
    def interrupted() -> Any:
        yield SimpleNamespace(happened=True)

    monkeypatch.setattr(two_at_once, "held_interrupts", interrupted)
    found = _judged(CASES[0], monkeypatch, 0)
    least, most = (x for x in found.answer.stated if x.evidence.kind == "every-failure")
    assert (least.relation, most.relation) == (">=", "<=")
    true = max(x.load or 0 for x in _judged(CASES[0], monkeypatch, 10**9).answer.judged)
    assert least.value <= true <= most.value == found.answer.pairs.most
    assert "the worst of the failures judged" in found.page().html
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")


Change = Callable[[dict[str, Any]], Any]
_FORGED: list[tuple[Change, str]] = [
    (lambda x: x["claims"].pop(_at(x, x["claims"][0]["value"])), "no bound rules it out|not the largest load"),
    (lambda x: x["claims"][0].update(value="100"), "it is not the largest load"),
    (lambda x: x["claims"][0]["evidence"].update(at_once=3), "two failures at once are bounded"),
    (lambda x: x["claims"][0]["evidence"].pop("at_once"), "it must be about any of the links"),
    (lambda x: x["claims"][0].update(failed="any 2 of the cables"), "it must be about any 2 of the links"),
    (lambda x: x["claims"][0].update(relation="<="), "bounds of all pairs give"),
    (lambda x: (_least(x), x["claims"][0].update(value=x["claims"][1]["value"])), "and no bound rules it out"),
]


def _at(document: dict[str, Any], value: str) -> int:
    some = [k for k, x in enumerate(document["claims"]) if x["quantity"] == "worst_case_load" and k]
    return next(k for k in some if document["claims"][k]["value"] == value)


def _least(document: dict[str, Any]) -> None:
    """Of all pairs that are stated the least one alone is left."""
    some = [x for x in document["claims"][1:] if x["quantity"] == "worst_case_load"]
    document["claims"][1:] = [min(some, key=lambda x: Fraction(x["value"]))]


@pytest.mark.parametrize(("change", "why"), _FORGED, ids=range(len(_FORGED)))
def test_forgeries_are_refused(change: Change, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _judged(CASES[0], monkeypatch, 0).write(tmp_path / "f.json")
    document = json.loads((tmp_path / "f.json").read_text())
    change(document)
    with pytest.raises(VerificationError, match=why):
        verify(sealed(document))


def test_a_rule_that_cuts_pairs_is_not_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _judged(("ring:6", "minimal", "links", "none"), monkeypatch, 0).answer.pairs is None


def test_the_command_says_what_was_judged(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(two_at_once, "JUDGED_ALL", 0)
    assert main(["failures", "complete:12", "-r", "minimal", "--links", "2", "--top", "1"]) == 0
    said = capsys.readouterr().out
    assert "all 2,145 pairs of links: " in said
    assert "all others alike or ruled out by bounds" in said
    assert "least harm" not in said


def test_what_is_told_of_the_pairs_judged_is_not_told_of_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mesh has four corners: one of the pairs of links that cut them off is judged, and stands for all four."""
    monkeypatch.setattr(two_at_once, "JUDGED_ALL", 0)
    assert main(["failures", "mesh:3x4", "-r", "minimal", "--links", "2"]) == 0
    said = capsys.readouterr().out
    assert "of the failures judged separate terminals" in said
    assert "the worst case is that of all pairs; some that were not judged may be worse than the next ones here" in said
    assert "alike  " not in said
    found = _judged(("mesh:3x4", "minimal", "links", None), monkeypatch, 0)
    html = found.page().html
    assert "of the failures judged separate" in html
    assert "some that were not judged may be worse than the next ones here" in html
