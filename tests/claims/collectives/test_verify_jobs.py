"""Claims about jobs with a collective each: verified, and refused wherever they are damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from answered_reports import reports_of, verify
from routeproof.claims.choice import Choice
from routeproof.claims.collectives.sentences import jobs as sentences
from routeproof.claims.sentences import Field
from routeproof.core.errors import InputError, RouteproofError
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import document_to_claims
from routeproof.questions.collectives.jobs import CollectiveJobs
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

F = Fraction
LINE = {"a": [0, 2, 4], "b": [1, 3, 5]}


def question(topology: str, routing: str, algorithm: str, **more: Any) -> CollectiveJobs:
    jobs = more.pop("jobs", LINE)
    return CollectiveJobs(
        routing_from_spec(routing, network_from_spec(topology)), jobs=jobs, algorithm=algorithm, **more
    )


CASES = {
    "line": lambda: question("mesh:6", "dor", "ring,b=tree", alpha=F(1, 2)),
    "cables": lambda: question("torus:3x3", "valiant", "a=bruck:all-gather,b=ring:all-reduce", host_cables=F(1, 3)),
    "three": lambda: question("fat-tree:4", "dmodk", "linear-shift", jobs={**LINE, "c d": [6, 12, 9, 15]}),
    "one": lambda: question("torus:4x4", "romm", "recursive-doubling", jobs={"alone": [0, 5, 10, 15]}),
}


report = reports_of(lambda name: CASES[name]().answer())


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_verifies(name: str) -> None:
    verify(report(name))


def test_numbers_by_hand() -> None:
    """On a line a ring of 0, 2, 4 puts one message on every channel to the right and, back from 4, one to the left."""
    values = {(x["quantity"], x.get("job"), x["relation"]): x["value"] for x in report("line")["claims"]}
    assert values == {
        ("aligned_load", None, "=="): "2",
        ("collective_time", "a", "=="): "3",  # two phases of 1/2 + 1
        ("collective_time", "a", "<="): "5",
        ("collective_time", "b", "=="): "3",
        ("collective_time", "b", "<="): "5",
        ("others_load", "a", "=="): "1",
        ("others_load", "b", "=="): "1",
    }


def test_one_job_alone() -> None:
    values = {(x["quantity"], x["relation"]): x["value"] for x in report("one")["claims"]}
    assert values["collective_time", "=="] == values["collective_time", "<="]
    assert values["others_load", "=="] == "0"


Change = Callable[[dict[str, Any]], None]


def _value(number: int, value: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        document["claims"][number]["value"] = value

    return change


def _data(number: int, key: str, value: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        document["claims"][number]["evidence"][key] = value

    return change


def _about(number: int, key: str, value: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        document["claims"][number][key] = value

    return change


def _job(name: str, key: str, value: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        document["subject"]["jobs"][name][key] = value

    return change


def _jobs(value: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        document["subject"]["jobs"] = value

    return change


DAMAGES = [
    (_value(0, "1"), "the worst phases make it 2"),
    (_value(1, "2"), "its phases make it 3"),
    (_value(2, "4"), "its phases make it 5"),
    (_value(3, "1/2"), "the other jobs make it 1"),
    (_data(0, "channel", 0), "the first channel that makes it so is"),
    (_data(0, "phase", pack_ints([1, 1])), "job a takes most of it in phase 0, not 1"),
    (_data(0, "phase", pack_ints([0])), "phase has 1 entries; 2 were expected"),
    (_data(1, "channel", pack_ints([7])), "the first channel that makes phase 0 so long is"),
    (_data(2, "channel", pack_ints([-1])), "the first channel that makes phase 0 so long is"),
    (_data(3, "phase", pack_ints([0, 0])), "job a takes most of it in phase -1, not 0"),
    (_about(1, "job", "c"), "the report has no job c"),
    (_about(1, "algorithm", "bruck"), "job a does all-gather by ring"),
    (_about(1, "host_cables", "counted"), "differ on whether the ranks' own cables count"),
    (_about(1, "alpha", "-1"), "a latency above 0 was expected"),
    (_job("a", "ranks", [0, 2, 1]), "terminal 1 is in the jobs a and b"),
    (_job("a", "ranks", [0, 2, 2]), "ranks 1 and 2 are both terminal 2"),
    (_job("a", "ranks", [0, 2, 99]), "rank 2 is terminal 99"),
    (_job("a", "algorithm", "recursive-doubling"), "takes a power of two of ranks"),
    (_job("a", "algorithm", "snake"), "algorithm is 'snake'"),
    (_job("a", "more", 1), "which nothing checks"),
    (_jobs({}), "no object of 1 to 4,096 jobs"),
    (_jobs([1]), "no object of 1 to 4,096 jobs"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGES)
def test_damaged_reports_are_refused(change: Change, message: str) -> None:
    document = report("line")
    change(document)
    with pytest.raises(RouteproofError, match=message):
        verify(document)


class _Plain(Field):
    def number(self, value: Fraction) -> str:
        return str(value)

    def keeps(self, share: Fraction, least: str = "") -> str:
        return f"{least}{share}"


def test_sentences() -> None:
    _, claims = document_to_claims(report("line"))
    assert next(sentences(Choice(claims), _Plain())) == (
        "Job a: An all-gather by ring takes 3 cycles alone, with a latency of 1/2 a phase, and at most 5 beside the "
        "other jobs, whatever phases of theirs it meets, if every job sends each phase evenly over its time."
    )


def test_phases_of_its_own(tmp_path: Path) -> None:
    """A ring that is written down takes as long as the ring; it is run again, and refused where it is damaged."""
    ring = [
        [{"from": r, "to": (r + 1) % 3, "pieces": [(r - k) % 3]} for r in range(3)] for k in range(2)
    ]  # fmt: skip
    path = tmp_path / "own.json"
    path.write_text(json.dumps(
        {"format": "routeproof/phases", "operation": "all-gather", "ranks": 3, "chunks": 1, "phases": ring}
    ))  # fmt: skip
    found = question("mesh:6", "dor", f"ring,b={path}").answer()
    both = question("mesh:6", "dor", "ring").answer()
    assert [(x.quantity, x.value) for x in found.stated] == [(x.quantity, x.value) for x in both.stated]
    written = reports_of(lambda _: found)
    verify(written(""))
    for change, message in (
        (_job("b", "algorithm", "ring"), "phases of its own are of the algorithm own"),
        (_job("b", "operation", "reduce-scatter"), "its phases are all-gather, and its operation is reduce-scatter"),
        (_job("b", "ranks", [1, 3]), "its phases are of 3 ranks; 2 take part"),
        (lambda x: x["subject"]["jobs"]["b"]["phases"]["phases"][1].pop(), "rank 0 lacks piece 1, which rank 1 had"),
        (lambda x: x["subject"]["jobs"]["b"].pop("phases"), "phases of its own are of the algorithm own"),
    ):
        document = written("")
        change(document)
        with pytest.raises(RouteproofError, match=message):
            verify(document)


@pytest.mark.parametrize(
    ("algorithm", "more", "message"),
    [
        ("ring,b=nowhere.json", {}, "the algorithm is 'nowhere.json', and no file has that name"),
        ("ring,b={own}", {"jobs": {"a": [0, 2, 4], "b": [1, 3]}}, "job b: its phases are for 3 ranks, and it has 2"),
        ("ring,b={own}", {"operation": "reduce-scatter"}, "--operation is reduce-scatter, and the phases of"),
        ("ring:all-gather,b={own}:all-gather", {}, "and no file has that name"),
    ],
)
def test_phases_of_its_own_that_do_not_fit(tmp_path: Path, algorithm: str, more: dict[str, Any], message: str) -> None:
    path = tmp_path / "own.json"
    sent = [{"from": r, "to": x, "pieces": [r]} for r in range(3) for x in range(3) if x != r]
    path.write_text(json.dumps(
        {"format": "routeproof/phases", "operation": "all-gather", "ranks": 3, "chunks": 1, "phases": [sent]}
    ))  # fmt: skip
    with pytest.raises(InputError, match=message):
        question("mesh:6", "dor", algorithm.replace("{own}", str(path)), **more).answer()
