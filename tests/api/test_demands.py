"""Sets of demands from Python: the same numbers as by the command, from lists, arrays, frames and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.errors import InputError

TORUS = rp.torus(4, 4)
GIVEN = rp.DOR().on(TORUS)
JOBS = {"a": [0, 1, 2, 3], "b": [8, 9, 10, 11, 12]}


def test_sets_hold_at_once(tmp_path: Path) -> None:
    path = tmp_path / "jobs.txt"
    path.write_text("a: 0 1 2 3\nb: 8 9 10 11 12\n")
    both = rp.demands.sparse(2) & rp.demands.within(JOBS)
    found = rp.worst_case(GIVEN, demands=both)
    assert found.load == rp.worst_case(GIVEN, demands=["sparse:2", f"within:{path}"]).load
    assert found.load == rp.worst_case(GIVEN, demands=rp.demands.given("sparse:2") & rp.demands.within(path)).load
    assert found.load <= rp.worst_case(GIVEN, demands=rp.demands.within(JOBS)).load
    assert rp.worst_case(GIVEN, demands=rp.demands.within(JOBS)).load <= rp.worst_case(GIVEN).load
    assert repr(both) == "<demands: sparse:2 & within>"


def test_reports_of_sets_from_python_verify(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    sets = [
        rp.demands.within(JOBS) & rp.demands.sparse(2), rp.demands.hose([2] * 16), rp.demands.pairs([(0, 5), (5, 0)]),
        rp.demands.matrix({(0, 5): 2}, {(5, 0): 1}), rp.demands.box({(0, 1): 3}, margin=2), rp.demands.routable(),
        rp.demands.sparse("all"), rp.demands.unbalanced(),
    ]  # fmt: skip
    for demands in sets:
        rp.worst_case(GIVEN, demands=demands).write(path)
        assert rp.verify(path)


def test_matrices_come_in_many_forms() -> None:
    pandas = pytest.importorskip("pandas")
    array = np.zeros((16, 16))
    array[0, 5] = 2.5
    frame = pandas.DataFrame(array)
    forms = [array, array.tolist(), frame, {(0, 5): 2.5}, {(0, 5): "5/2"}]
    assert {rp.worst_case(GIVEN, demands=rp.demands.matrix(x)).load for x in forms} == {rp.worst_case(
        GIVEN, demands=rp.demands.matrix(array)
    ).load}  # fmt: skip
    assert rp.worst_case(GIVEN, demands=rp.demands.box(array, margin=2)).load == 5
    assert rp.worst_case(GIVEN, demands=rp.demands.box(array / 2, array)).load == 2.5


def test_compare_over_a_set() -> None:
    routings = [GIVEN, rp.named_routing("valiant", TORUS)]
    found = rp.compare(routings, demands="sparse:2")
    loads = {x.name: found.value("worst_case_load", routing=x.name) for x in routings}
    assert loads == {x.name: rp.worst_case(x, demands="sparse:2").load for x in routings}
    assert [x.name for x in found.routings] == sorted(loads, key=lambda name: loads[name])  # best first


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: rp.demands.sparse(0), "at least one packet"),
        (lambda: rp.demands.sparse(1.5), "a whole number of packets"),
        (lambda: rp.demands.hose([1] * 3), "3 rates"),
        (lambda: rp.demands.within({"a": [0]}), "has one terminal; two at least"),
        (lambda: rp.demands.within({"a": [0, 99]}), "terminal 99"),
        (lambda: rp.demands.within({"a": [0, 1]}) & rp.demands.within({"b": [2, 3]}), "empty|contradict"),
        (lambda: rp.demands.matrix([[0, 1], [1, 0]]), "16 rows of 16; 2 rows given"),
        (lambda: 3, "demands is 3; a set or its text, such as 'sparse:16'"),
        (lambda: [rp.demands.sparse(2)], "demands is .*a set or its text"),
        (lambda: rp.demands.matrix({(0, 0): 1}), "diagonal"),
        (lambda: rp.demands.box({(0, 1): 1}), "two matrices, or one and a margin"),
        (lambda: rp.demands.box({(0, 1): 1}, margin="1/2"), "at least 1"),
        (lambda: rp.demands.routable() & rp.demands.sparse(2), "cannot be combined"),
        (lambda: "sparce:2", "sparse"),
    ],
)
def test_what_is_wrong_is_said(make: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        rp.worst_case(GIVEN, demands=make())  # type: ignore[operator]
    with pytest.raises(InputError, match="one of them was expected"):
        rp.worst_case(GIVEN, model="unbalanced", demands="permutations")


def test_a_comparison_over_rates_has_no_empty_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "petersen", "minimal", "sssp", "--demands", "routable"]) == 0
    said = capsys.readouterr().out
    assert "?" not in said
    assert "a factor on the rates" in said


def test_the_sets_print_their_names() -> None:
    assert "sparse" in repr(rp.demands)
    assert "object at" not in repr(rp.demands)


def test_compare_takes_a_list() -> None:
    with pytest.raises(InputError, match="a list of routings was expected"):
        rp.compare(GIVEN)  # type: ignore[arg-type]
