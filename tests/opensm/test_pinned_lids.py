"""Tables of two lids a host, to which sources are pinned: the real OpenSM loads them, and says the same of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from routeproof.cli.main import main

sys.path.insert(0, str(Path(__file__).parent))
from test_real_opensm import MISSING, _simulated

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


def _load(report: Path) -> str:
    return next(
        str(x["value"]) for x in json.loads(report.read_text())["claims"]
        if x["quantity"] == "worst_case_load" and x["relation"] == "==" and "among" not in x
    )  # fmt: skip


def test_pinned_lids_are_loaded(tmp_path: Path) -> None:
    report, own, paths = (tmp_path / x for x in ("report.json", "own.lft", "own.path-records"))
    with _simulated("fat-tree", tmp_path) as fabric:
        assert fabric.route("minhop", lmc=1)
        topo, _ = fabric.dump("first")
        design = ["design", str(topo), "--objective", "worst-case", "--paths", "tables", "--lids", "2"]
        pinned = ["--path-selection", "pinned", "--proposals", "200"]
        assert main([*design, *pinned, "--output", str(own), "--json", str(report)]) == 0
        assert main(["verify", str(report)]) == 0
        designed = _load(report)
        assert fabric.route("file", "-U", str(own), lmc=1)
        again, table = fabric.dump("again")
    for fabric_file, tables in ((topo, own), (again, table)):
        routing = f"{tables},path-records={paths}"
        assert main(["worst-case", str(fabric_file), "--routing", routing, "--json", str(report)]) == 0
        assert _load(report) == designed
        assert main(["verify", str(report)]) == 0
