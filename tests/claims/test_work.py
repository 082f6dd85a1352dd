"""A small report can ask for days of work: it is counted before it is begun, or takes no longer than it is counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from routeproof.claims.reading import Report
from routeproof.claims.routings.loads_simulated import replay_load
from routeproof.claims.work import limited, spend
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.traffic import Traffic
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import document_to_claims
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification.report import check_report
from true_reports import Document, sealed, verify


@pytest.fixture
def report(tmp_path: Path) -> Callable[[str], Document]:
    """The report that a command writes."""

    def made(command: str) -> Document:
        path = tmp_path / "report.json"
        assert main([*command.split(), "--quiet", "--json", str(path)]) == 0
        return json.loads(path.read_text())

    return made


def test_what_is_left_is_told_and_never_grows() -> None:
    with limited(3_000_000):
        spend(2_000_000, "one")
        with pytest.raises(InputError, match=r"two would take about 2 s, and 1 s are left; a report may ask for 600 s"):
            spend(2_000_000, "two")
        spend(-5_000_000, "three")
        with pytest.raises(InputError, match=r"four would take about over 10\^9 s, and 1 s"):
            spend(comb(10_000, 5_000), "four")
    with limited(None):
        spend(comb(10_000, 5_000), "any amount")


def test_calls_cost_more_on_larger_networks(report: Callable[[str], Document]) -> None:
    document = report("simulate calls multi-benes:8,d=2,seed=7 --trials 2")
    name = "multi-benes:4096,d=2,seed=7"
    document["subject"].update(topology=name, exchange={"wiring": {"spec": name}, "load": 1})
    document["claims"][0]["evidence"].update(trials=1000, events=2000)
    with pytest.raises(VerificationError, match=r"1,000 trials of 2,000 events would take about 1,\d\d\d s"):
        verify(sealed(document))


def test_cancellations_end_when_nothing_is_left_to_cancel(report: Callable[[str], Document]) -> None:
    """However many levels a cancellation may go before the next phase."""
    document = report("simulate circuits multibutterfly:8,d=2,seed=7 -p bit-reversal --load 2 --algorithm pipelined")
    first = document["claims"][0]
    first["evidence"]["distance"] = 1 << 20
    by_name = {x["quantity"]: x for x in document["claims"]}
    steps, phases = (int(by_name[x]["value"]) for x in ("steps", "stages"))
    by_name["bit_steps"]["value"] = str(3 * steps + phases * (1 + (1 << 20)))
    assert verify(sealed(document)) == len(document["claims"])


def test_permutations_are_counted_on_the_smallest_network(report: Callable[[str], Document]) -> None:
    document = report("simulate packets butterfly:1 -p bit-reversal")
    many = 1 << 20
    images = np.tile(np.array([1, 2], dtype=np.int64), many)
    document["claims"][0]["evidence"].update(permutations=many, packets=2 * many, images=pack_ints(images))
    with limited(100_000_000), pytest.raises(VerificationError, match="its run would take about"):
        check_report(Report(*document_to_claims(sealed(document))))


@pytest.mark.parametrize(("order", "most", "what"), [("fifo", 50_000, "ways"), ("farthest-first", 9_000, "distances")])
def test_a_simulation_is_counted_by_its_packets_too(order: str, most: int, what: str) -> None:
    network = network_from_spec("torus:8x8")
    routing = routing_from_spec("valiant", network)
    with limited(most), pytest.raises(InputError, match=f"finding the {what} of its"):
        replay_load(network, routing, Traffic.uniform(64), rate=Fraction(1), order=order, ends=[0, 10], seed=1)


def test_a_cube_has_a_size_before_its_formula_is_written_down(report: Callable[[str], Document]) -> None:
    document = report("search permutation --radix 4 --dimensions 4 --steps 4")
    document["subject"].update(radix=10**400, dimensions=3)
    document["claims"][0].update(value="4", source="")
    document["claims"][0]["evidence"] = {"kind": "refutation", "formula": [10**400, 3], "lemmas": pack_ints([0])}
    with pytest.raises(InputError, match="the report's subject: a cube of"):
        verify(sealed(document))
