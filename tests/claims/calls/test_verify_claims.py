"""Reports about calls verify by another implementation, and corrupted ones are refused by name."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from routeproof.claims.calls.claims import CallRun, verify_calls
from routeproof.claims.calls.rearrangements import check_permutations
from routeproof.claims.reading import Report
from routeproof.claims.work import limited
from routeproof.cli.main import main
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.documents.report import digest
from routeproof.formats.documents.wiring import write_wiring
from routeproof.topologies.multistage.banyan import multi_benes
from routeproof.topologies.multistage.call_graphs import call_graph_of_network
from routeproof.verification import verify_report

SHORT = ["--trials", "20"]
PATIENT = ["--time-limit", "1e9"]
REPORTS = {
    "proved": ["clos:3,2,3", "--strict", *PATIENT, *SHORT],
    "blocked": ["clos:4,3,3", "--strict", *PATIENT, "--paths", "random", *SHORT],
    "rule": ["wiring.json", "-L", "4", "--beta", "3", "--merger", "argument", "--seed", "5", "--together", "3", *SHORT],
    "looping": ["benes:2", "--rearrangeable", "-p", "bit-reversal", *SHORT],
    "adversary": ["multi-benes:16,d=2,seed=1", "--adversary", "20", "--occupancy", "1", *SHORT],
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("reports")
    with contextlib.chdir(where):
        write_wiring(multi_benes(64, d=4, seed=3), "wiring.json")
        for name, arguments in REPORTS.items():
            with contextlib.redirect_stdout(io.StringIO()):
                assert main(["simulate", "calls", *arguments, "--json", f"{name}.json"]) == 0
    return where


@pytest.mark.parametrize("name", REPORTS)
def test_reports_verify(name: str, reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_report(str(reports / f"{name}.json"))
    assert main(["verify", str(reports / f"{name}.json")]) == 0


def corrupted(path: Path, change: Any) -> str:
    document = json.loads(path.read_text())
    change(document)
    for entry in (document["subject"], *document["claims"]):
        entry["digest"] = digest(entry)
    other = path.with_name("corrupted.json")
    other.write_text(json.dumps(document))
    return str(other)


@pytest.mark.parametrize("name", REPORTS)
def test_no_number_can_be_changed(name: str, reports: Path) -> None:
    for k, claim in enumerate(json.loads((reports / f"{name}.json").read_text())["claims"]):

        def change(document: Any, k: int = k, old: Any = claim["value"]) -> None:
            new: Any = {"true": "false", "false": "true"}.get(old) if old in ("true", "false") else None
            if isinstance(old, dict):
                new = {**old, "high": old["high"] - 0.01} if old["high"] < 1 else {**old, "low": old["low"] + 0.01}
            document["claims"][k]["value"] = new or str(int(old) + 1)

        with pytest.raises(VerificationError, match=rf"claims\[{k}\]"):
            verify_report(corrupted(reports / f"{name}.json", change))


def _setting(key: str, value: Any) -> Any:
    def change(document: Any) -> None:
        document["claims"][0]["evidence"][key] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _setting("seed", 6),
        _setting("occupancy", "1/2"),
        _setting("merger", "printed"),
        _setting("beta", "5"),
        _setting("trials", 0),
        _setting("events", -1),
        _setting("paths", "best"),
    ],
)
def test_no_setting_can_be_changed(change: Any, reports: Path) -> None:
    with pytest.raises(VerificationError, match=r"claims\[0\]"):
        verify_report(corrupted(reports / "rule.json", change))


@pytest.mark.parametrize(("quantity", "key"), [("requests", "trials"), ("together_calls", "count")])
def test_no_quantity_is_stated_twice(quantity: str, key: str, reports: Path) -> None:
    """The evidence of the second one would be read by nobody."""

    def twice(document: Any) -> None:
        told = next(x for x in document["claims"] if x["quantity"] == quantity)
        document["claims"].append({**told, "evidence": {**told["evidence"], key: 99_999}})

    with pytest.raises(VerificationError, match="one run states each quantity once"):
        verify_report(corrupted(reports / "rule.json", twice))


def test_a_refutation_is_of_one_network(reports: Path) -> None:
    def other(document: Any) -> None:
        document["subject"]["exchange"]["network"] = document["subject"]["topology"] = "clos:2,2,3"

    with pytest.raises(VerificationError, match=r"claims\["):
        verify_report(corrupted(reports / "proved.json", other))


def test_a_refused_call_is_refused_again(reports: Path) -> None:
    def claim(document: Any) -> Any:
        return next(x for x in document["claims"] if x["quantity"] == "always_connects")

    def without_the_last(document: Any) -> None:
        claim(document)["evidence"]["events"].pop()

    def without_the_first(document: Any) -> None:
        claim(document)["evidence"]["events"].pop(0)

    def busy(document: Any) -> None:
        events = claim(document)["evidence"]["events"]
        events.insert(1, events[0])

    def nonsense(document: Any) -> None:
        claim(document)["evidence"]["events"].insert(0, ["hang-up", 0])

    for change, words in (
        (without_the_last, "the last call gets through"),
        (without_the_first, "gets through|neither a call|refused before"),
        (busy, "not idle|refused before"),
        (nonsense, "neither a call"),
    ):
        with pytest.raises(VerificationError, match=words):
            verify_report(corrupted(reports / "adversary.json", change))


ODD = {
    "uneven": (4, [(0, 1), (0, 2), (1, 3)], [0, 0], [3, 3], "which are not joined"),
    "no channel into an output": (2, [(0, 1)], [0, 0], [0, 1], "its network is not such"),
    "no channel out of an input": (3, [(0, 1)], [0, 2], [1, 1], "its network is not such"),
}


@pytest.mark.parametrize("name", ODD)
def test_permutations_on_a_network_that_is_no_clos_network(name: str) -> None:
    nodes, ends, source, sink, words = ODD[name]
    graph = call_graph_of_network(Network.of("odd", nodes, ends, source=source, sink=sink))
    evidence = Evidence("all-permutations", {"permutations": 2})
    claim = Claim("rearrangeable", "==", "true", Grade.EXHAUSTED, evidence)
    with pytest.raises(VerificationError, match=words):
        check_permutations(CallRun(graph), claim)


@pytest.mark.parametrize("error", [StopIteration(), RecursionError("too deep"), KeyError(1), ZeroDivisionError()])
def test_what_a_checker_stumbles_over_is_one_line(error: Exception, reports: Path) -> None:
    with (
        mock.patch("routeproof.claims.calls.rearrangements.check_call_path", side_effect=error),
        pytest.raises(VerificationError, match="could not make sense of the report"),
    ):
        verify_report(str(reports / "looping.json"))


@pytest.mark.parametrize("name", ["clos:300,300,300", "multi-benes:16384,d=2,seed=1"])
def test_the_size_of_an_exchange_is_counted_before_it_is_made(name: str) -> None:
    exchange = {"wiring": {"spec": name}, "load": 1} if name.startswith("multi") else {"network": name}
    with limited(20_000_000), pytest.raises(InputError, match="joining its"):
        verify_calls(Report({"exchange": exchange}, []))
