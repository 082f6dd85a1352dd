"""Claims about collectives in phases: verified, and refused wherever they are damaged."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import collective_reports
from answered_reports import reports_of, verify
from routeproof.claims.choice import Choice
from routeproof.claims.collectives.sentences import rates, times
from routeproof.claims.sentences import Field
from routeproof.core.errors import RouteproofError
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import document_to_claims
from routeproof.questions.collectives.phased import CollectiveTime
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

F = Fraction


def question(topology: str, routing: str, algorithm: str, **more: Any) -> CollectiveTime:
    return CollectiveTime(routing_from_spec(routing, network_from_spec(topology)), algorithm=algorithm, **more)


CASES = {
    "ring": lambda: question("torus:4x4", "dor", "ring"),
    "doubling": lambda: question("torus:4x4", "dor", "recursive-doubling", alpha=F(1, 2), ranks=[*range(1, 16), 0]),
    "halves": lambda: question("torus:3x3", "romm", "linear-shift", operation="all-reduce"),
    "tree": lambda: question("mesh:2x3", "dor", "tree", root=4),
    "bruck": lambda: question("mesh:2x3", "valiant", "bruck"),
    "shifts": lambda: question("fat-tree:4", "dmodk", "linear-shift"),
    "orders": lambda: question("mesh:2x3", "dor", "ring", order="random:5", seed=2),
    "interval": lambda: question("mesh:2x3", "dor", "ring", operation="all-reduce"),
    "mixture": lambda: question("torus:3x3", "mix:1/3*dor+2/3*valiant", "ring"),
    "unsettled": lambda: question("torus:9x9", "dor", "ring"),
}


report = reports_of(lambda name: CASES[name]().answer())


def claim(document: dict[str, Any], quantity: str) -> dict[str, Any]:
    return next(x for x in document["claims"] if x["quantity"] == quantity)


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_verifies(name: str) -> None:
    verify(report(name))


def test_numbers() -> None:
    values = {k: {x["quantity"]: x["value"] for x in report(k)["claims"] if "algorithm" in x} for k in CASES}
    assert values["ring"] == {"collective_time": "15", "phase_load": "1", "times_optimal": "4"}
    assert values["shifts"] == {"collective_time": "15/16", "phase_load": "1", "times_optimal": "15/14"}
    assert set(values["unsettled"]) == {"collective_time", "phase_load"}


def value_of(quantity: str, value: str) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        claim(document, quantity)["value"] = value

    return change


def other_load(document: dict[str, Any]) -> None:
    claim(document, "collective_time")["evidence"]["load"][0] = "2"


def fewer_loads(document: dict[str, Any]) -> None:
    claim(document, "collective_time")["evidence"]["load"].pop()


def other_channel(document: dict[str, Any]) -> None:
    claim(document, "collective_time")["evidence"]["channel"] = pack_ints([1, *[0] * 14])


def other_phase(document: dict[str, Any]) -> None:
    claim(document, "phase_load")["evidence"]["phase"] = 15


def later_phase(document: dict[str, Any]) -> None:
    claim(document, "phase_load")["evidence"]["phase"] = 1


def other_busiest(document: dict[str, Any]) -> None:
    claim(document, "phase_load")["evidence"]["channel"] += 1


def other_algorithm(document: dict[str, Any]) -> None:
    for x in document["claims"]:
        if "algorithm" in x:
            x["algorithm"] = "bruck"


def unknown_algorithm(document: dict[str, Any]) -> None:
    claim(document, "collective_time")["algorithm"] = "magic"


def latency(document: dict[str, Any]) -> None:
    claim(document, "collective_time")["alpha"] = "1"


def no_latency(document: dict[str, Any]) -> None:
    claim(document, "collective_time")["alpha"] = "0"


def rooted(document: dict[str, Any]) -> None:
    claim(document, "collective_time")["root"] = 1


def other_routing(document: dict[str, Any]) -> None:
    document["subject"]["routing"] = {"spec": "minimal:choice=per-hop"}


def no_routing(document: dict[str, Any]) -> None:
    del document["subject"]["routing"]


def other_order(document: dict[str, Any]) -> None:
    document["subject"]["ranks"] = [1, 0, *range(2, 16)]


def bound_only(document: dict[str, Any]) -> None:
    claim(document, "times_optimal")["relation"] = "<="
    claim(document, "times_optimal")["value"] = "1"


def no_rate(document: dict[str, Any]) -> None:
    document["claims"] = [x for x in document["claims"] if x["quantity"] != "collective_throughput"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (value_of("collective_time", "7/8"), "its phases make it 15/16"),
        (value_of("phase_load", "1/2"), "its phases make it 1"),
        (value_of("times_optimal", "1"), "the report's time and rate make it 15/14"),
        (other_load, "phase 0 loads a channel with 1, not 2"),
        (fewer_loads, "14 loads for 15 phases"),
        (other_channel, "the first of the busiest channels of phase 0 is"),
        (other_phase, "the phase|phase is"),
        (other_busiest, "the first of the worst phases is 0"),
        (later_phase, "the first of the worst phases is 0"),
        (other_algorithm, "15"),
        (unknown_algorithm, "magic"),
        (latency, "its phases make it 255/16"),
        (no_latency, "a latency above 0 was expected"),
        (rooted, "with a root"),
        (other_routing, "phase 0 loads a channel with 1"),
        (no_routing, "does not say which routing"),
        (other_order, "phase"),
        (bound_only, "the report's time and rate make it 15/14"),
        (no_rate, "does not state collective_throughput"),
    ],
)
def test_what_is_damaged_is_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    document = report("shifts")
    change(document)
    with pytest.raises(RouteproofError, match=message):
        verify(document)


def test_a_root_that_is_no_rank() -> None:
    document = report("tree")
    for x in document["claims"]:
        x["root"] = 9
    with pytest.raises(RouteproofError, match="root"):
        verify(document)


def test_a_routing_that_no_claim_needs_must_make_sense() -> None:
    document = report("shifts")
    document["claims"] = [x for x in document["claims"] if x["quantity"] == "collective_throughput"]
    document["subject"]["routing"] = {"spec": "dor"}
    with pytest.raises(RouteproofError, match="dor"):
        verify(document)


def sentence(name: str) -> list[str]:
    return list(times(Choice(document_to_claims(report(name))[1]), Plain()))


class Plain(Field):
    def number(self, value: Fraction) -> str:
        return str(value)

    def keeps(self, share: Fraction, least: str = "") -> str:
        return f"{least}{share}"


def test_sentences_say_the_whole_statement() -> None:
    assert sentence("doubling") == [
        "An all-gather by recursive-doubling takes 17 cycles for one unit of a rank, with a latency of 1/2 a phase, "
        "68/15 times the least of all schedules without latency; the worst phase loads a channel with 1 a message."
    ]
    assert sentence("tree")[0].startswith("A broadcast from terminal 4 by tree takes ")
    assert "switches neither add nor copy" in sentence("halves")[0]
    assert "times" not in sentence("unsettled")[0]


def test_sentences_say_that_switches_copy_nothing_where_the_proof_needs_it() -> None:
    """A broadcast over the fork is twice as fast where its switch copies."""
    apart, copied = (
        list(rates(Choice(document_to_claims(collective_reports.report(x))[1]), Plain())) for x in ("fork", "multicast")
    )
    assert apart == [
        "A broadcast from terminal 0 can go on at 1/2 fresh units per cycle, and no schedule is faster, "
        "if switches copy nothing."
    ]
    assert copied == [
        "A broadcast from terminal 0, if switches copy, can go on at 1 fresh unit per cycle, and no schedule is faster."
    ]
