"""``opensm:ENGINE``: the real program on networks that are no dumps; without it these tests are skipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.formats.infiniband.as_fabric import as_fabric
from routeproof.routing.fabrics.opensm import not_installed
from routeproof.routing.named.names import named_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.studies.registry import run_study

real = pytest.mark.skipif(bool(not_installed()), reason=f"not installed: {not_installed()}")


def test_a_network_is_a_fabric_with_the_same_channels() -> None:
    network = rp.network("fat-tree:4")
    fabric = as_fabric(network)
    assert fabric.tail.tolist() == network.tail.tolist()
    assert sorted({x.lid for x in (*fabric.switches, *fabric.hosts)}) == list(range(1, 37))
    for c in range(network.num_channels):
        back = int(fabric.opposite[c])
        assert (fabric.tail[c], fabric.head[c]) == (fabric.head[back], fabric.tail[back])
        assert fabric.ports_of(c) == fabric.ports_of(back)[::-1]


@pytest.mark.parametrize("topology", ["kautz:2,2", "butterfly:2"])
def test_what_is_no_fabric_is_refused(topology: str) -> None:
    with pytest.raises(rp.InputError, match=r"cables, with a channel each way|sends and receives at different nodes"):
        as_fabric(rp.network(topology))


def test_reports_run_no_program() -> None:
    with pytest.raises(rp.InputError, match="made by another program, which is not run here"):
        named_routing("opensm:minhop", rp.network("torus:3x3"))


@real
@pytest.mark.parametrize("engine", ["minhop", "dfsssp"])
def test_the_tables_are_judged_and_verified(engine: str, tmp_path: Path) -> None:
    report = str(tmp_path / "r.json")
    assert main(["worst-case", "torus:3x3", "--routing", f"opensm:{engine}", "--json", report]) == 0
    assert main(["verify", report]) == 0


@real
def test_engines_that_do_not_apply_are_refused_at_once() -> None:
    with pytest.raises(rp.InputError, match=r"OpenSM's engine ftree does not route it: .*root"):
        routing_from_spec("opensm:ftree", rp.network("torus:3x3"))


@real
def test_a_topology_alone_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "r.json"
    assert main(["compare", "leaf-spine:2,3,2", "--json", str(report)]) == 0
    assert "Use " in capsys.readouterr().out
    assert "opensm:minhop" in json.loads(report.read_text())["subject"]["routings"]
    assert main(["verify", str(report)]) == 0


@real
def test_the_study_puts_what_an_engine_says_beside_what_is_proved() -> None:
    found = run_study("opensm", networks=["complete:4"], engines=["dfsssp", "ftree"], seconds=10_000)
    assert found.row("complete:4, dfsssp, guarantee").computed == 1
    lanes = found.row("complete:4, dfsssp, least lanes")
    assert (lanes.computed, lanes.data["says_that_it_needs"], lanes.data["free_on_one_lane"]) == (1, 1, True)
    assert "root" in found.row("complete:4, ftree").data["why"]
    assert found.row("complete:4, any tables, at most").computed == 1
    assert found.sheet is not None
    assert {len(line) for line in found.sheet.lines} == {len(found.sheet.heads)}
