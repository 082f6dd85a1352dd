"""Reports about multistage networks verify by another implementation, and corrupted ones are refused by name."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import VerificationError
from routeproof.core.multistage.wiring import splitter_of
from routeproof.formats.documents.report import digest
from routeproof.formats.documents.wiring import splitter_to_document
from routeproof.topologies.multistage.banyan import multibutterfly
from routeproof.verification import verify_report

FAULTS = ["--faults", "random:count=6,seed=2", "--threshold", "2"]
REPORTS = {
    "packets": ["simulate", "packets", "multibutterfly:64,d=2,seed=7", "-p", "shuffle", "-p", "random:seed=1", "-L4"],
    "survivors": ["simulate", "packets", "multibutterfly:64,d=2,seed=7", "-p", "random:seed=1", "-L", "3", *FAULTS],
    "greedy": ["simulate", "packets", "butterfly:6", "-p", "bit-reversal", "--algorithm", "greedy"],
    "circuits": ["simulate", "circuits", "multibutterfly:64,d=2,seed=7", "-p", "random:seed=1", "-L", "4", *FAULTS],
    "pipelined": ["simulate", "circuits", "multibutterfly:64,d=2,seed=7", "-p", "random:seed=1", "-L", "2", *FAULTS,
                  "--algorithm", "pipelined"],
    "faults": ["simulate", "faults", "multibutterfly:64,d=2,seed=7", *FAULTS],
    "expansion": ["expansion", "multibutterfly:16,d=2,seed=7"],
    "splitter": ["expansion", "drawn-splitter.json", "--unique", "3"],
    "bounds": ["expansion", "multibutterfly:128,d=2,seed=7", "--level", "0", "--block", "0", "--unique", "0"],
}  # fmt: skip


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("reports")
    splitter = splitter_of(multibutterfly(32, d=3, seed=7), level=0, block=0, direction=0)
    with contextlib.chdir(where):
        Path("drawn-splitter.json").write_text(json.dumps(splitter_to_document(splitter)))
        for name, arguments in REPORTS.items():
            with contextlib.redirect_stdout(io.StringIO()):
                assert main([*arguments, "--json", f"{name}.json"]) == 0
    return where


@pytest.mark.parametrize("name", REPORTS)
def test_reports_verify(name: str, reports: Path) -> None:
    assert verify_report(str(reports / f"{name}.json"))


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
    """Every claim of the short reports, some claims of the long ones, one up."""
    count = len(json.loads((reports / f"{name}.json").read_text())["claims"])
    for k in range(0, count, max(1, count // 8)):

        def change(document: Any, k: int = k) -> None:
            value = document["claims"][k]["value"]
            document["claims"][k]["value"] = "false" if value == "true" else str(int(value.split("/")[0]) + 1)

        with pytest.raises(VerificationError, match=rf"claims\[{k}\]"):
            verify_report(corrupted(reports / f"{name}.json", change))


def _wiring(document: Any) -> None:
    document["subject"]["wiring"]["spec"] = "multibutterfly:64,d=2,seed=8"


def _load(document: Any) -> None:
    document["claims"][0]["evidence"]["load"] = 2


def _grade(document: Any) -> None:
    document["claims"][1]["grade"] = "PROVED"


def _unit(document: Any) -> None:
    document["claims"][1]["unit"] = "stages "


def _quantity(document: Any) -> None:
    document["claims"][2]["quantity"] = "worst_case_load"


def _stranger(document: Any) -> None:
    document["claims"][2]["evidence"] = {"kind": "packet-run", "with": "moves"}


@pytest.mark.parametrize("change", [_wiring, _load, _grade, _unit, _quantity, _stranger])
def test_no_setting_can_be_changed(change: Any, reports: Path) -> None:
    with pytest.raises(VerificationError):
        verify_report(corrupted(reports / "packets.json", change))


def test_no_fault_can_be_left_out_and_no_survivor_added(reports: Path) -> None:
    def fewer(document: Any) -> None:
        document["claims"][0]["evidence"]["faults"].pop()

    def more(document: Any) -> None:
        listed = document["claims"][0]["evidence"]["list"]
        listed[-1] = (listed[-1] + 1) % 64

    for change in (fewer, more):
        with pytest.raises(VerificationError):
            verify_report(corrupted(reports / "faults.json", change))
