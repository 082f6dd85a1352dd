"""``hose:cables``: every host sends and receives what its own cable carries."""

from __future__ import annotations

import json
import shutil
import warnings
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp
from places import ETHERNET, INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.spec import routing_from_spec

LFT = str(INFINIBAND / "ring3.lft")


@pytest.fixture
def mixed(tmp_path: Path) -> str:
    """The ring of three switches with h0 at 100 Gb/s, h1 at 16, the others at 8, and 32 between switches."""
    lines = []
    for line in (INFINIBAND / "ring3.topo").read_text().splitlines():
        between = '"S-' in line and line.startswith("[") and not line.startswith("[1](")
        h0 = line.startswith("[1](100001)") or '"H-0000000000100000"' in line
        h1 = line.startswith("[1](100003)") or '"H-0000000000100002"' in line
        rate = "4xQDR" if between else "4xEDR" if h0 else "4xDDR" if h1 else "4xSDR"
        lines.append(line.replace("4xSDR", rate))
    path = tmp_path / "mixed.topo"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def network(text: str) -> Network:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return resolve_network(text)


def cables(net: Network) -> TransportSet:
    found = demands_from_spec(["hose:cables"], net)
    assert isinstance(found, TransportSet)
    return found


def test_rates_are_those_of_the_cables(mixed: str) -> None:
    net = network(mixed)
    assert net.host_widths is not None
    rates = dict(zip(net.terminal_labels or (), net.host_widths, strict=True))
    assert rates == {"h0": Fraction(25, 2), "h1": 2, "h2": 1, "h3": 1, "h4": 1, "h5": 1}
    assert cables(net).sends == cables(net).receives == net.host_widths
    assert set(net.bandwidth) == {4}


def test_the_unit_changes_nothing(mixed: str) -> None:
    loads = []
    for text in (mixed, f"{mixed},bandwidth=gbps"):
        net = network(text)
        loads.append(rp.worst_case(routing_from_spec(LFT, net), demands="hose:cables").load)
    assert loads[0] == loads[1]
    assert network(f"{mixed},bandwidth=gbps").host_widths == (8, 8, 8, 8, 16, 100)


def test_the_same_as_a_file_of_these_rates(mixed: str, tmp_path: Path) -> None:
    net = network(mixed)
    path = tmp_path / "rates"
    path.write_text("".join(f"{x} {x}\n" for x in net.host_widths or ()))
    routing = routing_from_spec(LFT, net)
    loads = [rp.worst_case(routing, demands=x).load for x in ("hose:cables", f"hose:{path}")]
    assert loads[0] == loads[1]


def test_a_worst_demand_by_hand(mixed: str) -> None:
    """What leaves s0 for s1 is at most what h2 and h3 receive, what enters s0 at most what four hosts of 1 send."""
    net = network(mixed)
    found = rp.worst_case(routing_from_spec(LFT, net), demands="hose:cables")
    into_s0 = Fraction(2)  # of the hosts at one switch, each 1: over one cable of 4
    assert found.load == into_s0 / 4


def test_equal_cables_are_permutations(tmp_path: Path) -> None:
    shutil.copy(INFINIBAND / "ring3.topo", tmp_path)
    net = network(str(tmp_path / "ring3.topo"))
    routing = routing_from_spec(LFT, net)
    assert rp.worst_case(routing, demands="hose:cables").load == rp.worst_case(routing).load
    alike = network(f"{tmp_path / 'ring3.topo'},bandwidth=3")
    assert alike.host_widths == (3,) * 6
    assert alike.host_bandwidth == 3


def test_hosts_that_are_left_out_take_their_cables_with_them(mixed: str) -> None:
    net = network(f"{mixed},dead-nodes=s2")
    assert net.host_widths == (1, 1, 2, Fraction(25, 2))
    assert network(f"{mixed},without=h0").host_widths == (1, 1, 1, 1, 2)


def test_report_is_verified(mixed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert main(["worst-case", mixed, "--routing", LFT, "--demands", "hose:cables", "--json", str(report)]) == 0
    shown = capsys.readouterr().out
    assert "the worst traffic asks 16 of a channel that carries 32" in shown
    assert "bandwidth 4, 32 Gb/s" in shown
    assert main(["verify", str(report)]) == 0
    document = json.loads(report.read_text())
    text = json.dumps(document).replace('"25/2"', '"27/2"')
    assert text != json.dumps(document)
    report.write_text(text)
    assert main(["verify", str(report)]) != 0


@pytest.mark.parametrize("text", ["torus:4x4", "fat-tree:4", "petersen"])
def test_networks_without_cables_of_hosts(text: str) -> None:
    with pytest.raises(InputError, match=r"does not say what the hosts' own cables carry; .* or hose:FILE"):
        cables(network(text))


def test_ethernet(tmp_path: Path) -> None:
    shutil.copytree(ETHERNET / "leaf-spine", tmp_path / "fabric")
    with pytest.raises(InputError, match=r"does not say what the hosts' own cables carry"):
        cables(network(str(tmp_path / "fabric")))


def test_a_file_of_that_name(mixed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cables").write_text("1 1\n" * 6)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"hose:\./cables is the file"):
        cables(network(mixed))
    assert demands_from_spec(["hose:./cables"], network(mixed))


def test_no_unit(mixed: str) -> None:
    with pytest.raises(InputError, match="no unit= was expected"):
        demands_from_spec(["hose:cables,unit=2"], network(mixed))
