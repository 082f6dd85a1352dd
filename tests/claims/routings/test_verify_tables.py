"""Claims about the best tables: what is designed verifies, and changed evidence is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import RouteproofError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from true_reports import sealed, verify

pytest.importorskip("pysat")


def report(tmp_path: Path, topology: str, *more: str, paths: str = "tables") -> dict[str, Any]:
    path = tmp_path / "tables.json"
    asked = ["design", topology, "--objective", "worst-case", "--paths", paths, "--proposals", "2000"]
    assert main([*asked, *more, "--json", str(path)]) == 0
    return dict(json.loads(path.read_text()))


def of_tables(data: dict[str, Any], relation: str = "==", among: str = "tables") -> dict[str, Any]:
    return next(
        x
        for x in data["claims"]
        if x["quantity"] == "worst_case_load" and x["relation"] == relation and x.get("among") == among
    )


def refused(data: dict[str, Any], message: str) -> None:
    with pytest.raises(RouteproofError, match=message):
        verify(sealed(data))


def test_counting(tmp_path: Path) -> None:
    data = report(tmp_path, "fat-tree:4,levels=2")
    verify(data)
    for key, value, message in [
        ("exit", 9, "its exit is not inside|to"),
        ("inside", pack_ints([0, 1]), "elsewhere"),
        ("inside", pack_ints([99]), "does not have"),
        ("inside", pack_ints([]), "its exit is not inside"),
    ]:
        changed = copy.deepcopy(data)
        of_tables(changed)["evidence"]["bound"][key] = value
        refused(changed, message)


def test_refutation(tmp_path: Path) -> None:
    data = report(tmp_path, "hypercube:3")
    verify(data)
    bound = of_tables(data)["evidence"]["bound"]
    flat = unpack_ints(bound["lemmas"], what="lemmas", max_items=bound["literals"]).tolist()
    changed = copy.deepcopy(data)
    of_tables(changed)["evidence"]["bound"] = {"lemmas": pack_ints([0]), "literals": 1}
    refused(changed, "lemma 1 does not follow")
    changed = copy.deepcopy(data)
    of_tables(changed)["evidence"]["bound"] = {"lemmas": pack_ints(flat[:20]), "literals": 20}
    refused(changed, "cut off")
    changed = copy.deepcopy(data)
    of_tables(changed)["value"] = "3"
    refused(changed, "does not follow|contradiction|another value|literal")
    changed = copy.deepcopy(data)  # a bound above what the routing has
    claim = of_tables(changed)
    claim["relation"], claim["value"] = ">=", "3"
    claim["evidence"] = {"kind": "tables-bound", "bound": bound}
    refused(changed, "does not follow|contradiction|literal")


def test_rounded_and_counted(tmp_path: Path) -> None:
    data = report(tmp_path, "ring:8")
    verify(data)
    claim = of_tables(data)
    claim["relation"], claim["value"] = ">=", "2"
    claim["evidence"] = {"kind": "tables-bound", "bound": {"rounded": ["worst_case_load"]}}
    data["claims"] = [
        x for x in data["claims"] if (x["quantity"], x.get("among")) != ("worst_case_throughput", "tables")
    ]
    verify(sealed(data))
    for bound, value, message in [
        ({"rounded": ["worst_case_load"]}, "4", "for all oblivious routings makes it 2"),
        ({"counted": "paths"}, "1", ""),
        ({"counted": "paths"}, "2", "counting paths does not prove at least 2"),
        ({"counted": "meetings", "multiplier": "2"}, "2", ""),
        ({"counted": "meetings", "multiplier": "2"}, "3", "counting meetings does not prove at least 3"),
        ({"counted": "meetings", "multiplier": "50"}, "2", "counting meetings does not prove at least 2"),
        ({"counted": "meetings", "multiplier": "-1"}, "2", "its multiplier is negative"),
        ({"counted": "paths", "multiplier": "1"}, "1", "meetings"),
    ]:
        changed = copy.deepcopy(data)
        claim = of_tables(changed, ">=")
        claim["evidence"]["bound"], claim["value"] = bound, value
        if message:
            refused(changed, message)
        else:
            verify(sealed(changed))


def test_the_routing_must_be_a_table(tmp_path: Path) -> None:
    data = report(tmp_path, "fat-tree:4,levels=2")
    path = tmp_path / "ecmp.json"
    assert main(["worst-case", "fat-tree:4,levels=2", "--routing", "ecmp", "--json", str(path)]) == 0
    other = json.loads(path.read_text())
    data["subject"]["routing"] = other["subject"]["routing"]
    data["claims"] = [*other["claims"], of_tables(data)]
    refused(data, "not a table of one next channel|at most")


def test_single_paths(tmp_path: Path) -> None:
    data = report(tmp_path, "fat-tree:4,levels=2", "--output", str(tmp_path / "paths.json"), paths="single")
    verify(data)
    assert main(["worst-case", "fat-tree:4,levels=2", "--routing", str(tmp_path / "paths.json")]) == 0
    for change, message in [
        ({"value": "3"}, "lemma|another value|contradiction|literal"),
        ({"value": "1"}, "worst case of 2"),
        ({"lids": 2, "selection": "pinned"}, "have no lids"),
        ({"among": "tables"}, "not a table of one next channel|lemma|literal"),
    ]:
        changed = copy.deepcopy(data)
        of_tables(changed, among="single-paths").update(change)
        refused(changed, message)
    path = tmp_path / "ecmp.json"
    assert main(["worst-case", "fat-tree:4,levels=2", "--routing", "ecmp", "--json", str(path)]) == 0
    other = json.loads(path.read_text())
    data["subject"]["routing"] = other["subject"]["routing"]
    data["claims"] = [*other["claims"], of_tables(data, among="single-paths")]
    refused(data, "splits the packets of a pair|at most")
