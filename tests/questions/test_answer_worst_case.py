"""The claims about one routing, and the page that shows them."""

from __future__ import annotations

import io
import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from rich.console import Console

from routeproof.core.claim import Claim, Evidence, Grade, Interval
from routeproof.core.errors import InputError
from routeproof.formats.documents.report import claims_to_document
from routeproof.formats.resolve import resolve_network, resolve_traffic
from routeproof.optimum import capacity as design_capacity
from routeproof.questions.answer import Setting
from routeproof.questions.worst_case import WorstCaseAnswer, answer_worst_case
from routeproof.report.terminal.summary import summary
from routeproof.report.terminal.table import claims_table, grade_text
from routeproof.routing.function.incremental import Sampled
from routeproof.routing.named.spec import routing_from_spec
from true_reports import verify


def printed(*parts: Any, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
    for part in parts:
        console.print(part)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def run(network: str, routing: str, **options: Any) -> WorstCaseAnswer:
    return answer_worst_case(routing_from_spec(routing, resolve_network(network)), **options)


def value(analysis: WorstCaseAnswer, quantity: str, **about: Any) -> Any:
    found = [x for x in analysis.stated if x.quantity == quantity and about.items() <= dict(x.about).items()]
    assert len(found) == 1, found
    return found[0].value


def test_fractions_of_capacity_follow_from_capacity() -> None:
    net = resolve_network("torus:4x4")
    traffics = [resolve_traffic(x, net) for x in ("tornado", "uniform", "transpose")]
    found = answer_worst_case(routing_from_spec("valiant", net), traffics=traffics)
    capacity = value(found, "capacity")
    assert found.capacity == capacity == 2
    assert value(found, "worst_case_throughput_of_capacity") * capacity == value(found, "worst_case_throughput")
    for name in ("uniform", "tornado", "transpose"):
        share = value(found, "throughput_of_capacity", traffic=name)
        assert share * capacity == value(found, "throughput", traffic=name)


def test_without_a_capacity_nothing_is_a_fraction_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design_capacity, "capacity_if_possible", lambda network, seconds=None: None)
    found = run("random-regular:24,degree=3,seed=2", "minimal")
    assert found.capacity is None
    assert [x.relation for x in found.stated if x.quantity == "capacity"] == [">=", "<="]
    assert not [x for x in found.stated if x.quantity.endswith("of_capacity")]
    assert "not settled" in printed(*summary(found))


def test_every_long_piece_of_work_is_announced() -> None:
    names: list[str] = []

    def stage(name: str) -> AbstractContextManager[None]:
        names.append(name)
        return nullcontext()

    net = resolve_network("ring:5")
    answer_worst_case(
        routing_from_spec("dor", net), traffics=[resolve_traffic("tornado", net)], setting=Setting(stage=stage)
    )
    assert names == ["worst case", "uniform traffic", "traffic tornado"]


@pytest.mark.parametrize(
    ("network", "routing"),
    [("torus:3x3", "valiant"), ("petersen", "minimal"), ("mesh:4", "dor"), ("complete:4", "minimal:choice=per-hop")],
)
@pytest.mark.parametrize("width", [20, 80, 200])
def test_the_page_fits_any_width_and_keeps_its_words(network: str, routing: str, width: int) -> None:
    text = printed(*summary(run(network, routing, all_channels=True)), width=width)
    assert max(map(len, text.splitlines())) <= width
    if width >= 80:
        assert "PROVED" in text
        assert "worst permutation" in text


def _claim(claimed: Any, grade: Grade) -> Claim:
    return Claim("throughput", "==", claimed, grade, Evidence("x"))


def test_grades_are_never_printed_alike() -> None:
    interval = Interval(0.25, 0.26, 0.27, 100, 7)
    texts = [
        grade_text(claim)
        for claim in (
            _claim(Fraction(1), Grade.PROVED),
            _claim(Fraction(1), Grade.EXHAUSTED),
            _claim(interval, Grade.SAMPLED),
        )
    ]
    assert len({x.plain for x in texts}) == len({str(x.style) for x in texts}) == 3
    assert "no proof" in texts[2].plain


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_an_exact_value_is_shown_in_full_or_named(width: int) -> None:
    exact = Fraction(1606268664001, 912743900000)
    text = printed(claims_table([_claim(exact, Grade.PROVED)]), width=width)
    assert "…" not in text.replace("throughp…", "")
    assert str(exact) in "".join(text.split()) or width < 80
    assert "(30/10 digits)" in printed(claims_table([_claim(Fraction(10**29, 3**20), Grade.PROVED)]))


def both_ways(state: Any, node: int, destination: int) -> list[tuple[Any, Any, int]]:
    """Around a ring of six, either way with probability 1/2."""
    if state is None:
        return [("1/2", 1, (node + 1) % 6), ("1/2", -1, (node - 1) % 6)]
    return [(1, state, (node + state) % 6)]


def test_sampled_intervals_hold_the_exact_values() -> None:
    """At 99 % each, one interval in a hundred may fail; Hoeffding's are wide, so none does here."""
    net = resolve_network("ring:6")
    exact = {"worst_case_load": 2.5, "worst_case_throughput": 0.4, "throughput": 0.8}
    for seed in range(12):
        found = answer_worst_case(Sampled(both_ways, samples=100, seed=seed).on(net))
        for quantity, truth in exact.items():
            interval = value(found, quantity)
            assert isinstance(interval, Interval)
            assert interval.low <= truth <= interval.high
            assert interval.low <= interval.best <= interval.high
        assert {x.grade for x in found.stated} == {Grade.SAMPLED, Grade.PROVED}
        assert value(found, "capacity") == Fraction(4, 3)
        assert "PROVED" not in [x.grade.value for x in found.stated if x.quantity != "capacity"]


def test_more_samples_make_narrower_intervals() -> None:
    net = resolve_network("ring:6")
    widths = []
    for samples in (20, 200, 2000):
        interval = value(answer_worst_case(Sampled(both_ways, samples=samples, seed=1).on(net)), "worst_case_load")
        widths.append(interval.high - interval.low)
    assert widths[0] > widths[1] > widths[2]


def test_sampled_loads_go_with_the_balanced_model_alone() -> None:
    routing = Sampled(both_ways, samples=10, seed=1).on(resolve_network("ring:6"))
    with pytest.raises(InputError, match="balanced model"):
        answer_worst_case(routing, model="unbalanced")


def test_a_network_of_ones_own_that_declares_its_symmetry_gives_a_report_that_verifies() -> None:
    torus = resolve_network("torus:4x4")
    assert torus.symmetry is not None
    network = replace(torus, spec=None, grid=None, name="mine")
    answer = answer_worst_case(routing_from_spec("minimal", network))
    document = json.loads(json.dumps(claims_to_document(answer.subject, answer.claims())))
    assert verify(document) == len(answer.claims())
