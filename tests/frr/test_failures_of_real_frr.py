"""What ``failures`` predicts is what FRR installs: every cable of three fabrics goes down in turn.

Debian: ``apt install frr``, as root.  Without it, or without namespaces, the test is skipped; what FRR installed once
stands in ``tests/data/ethernet/three-tiers*`` for everybody.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from test_real_frr import WHERE, why_not

from places import ETHERNET
from routeproof.cli.main import main
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.format import read_network
from routeproof.routing.base.hop_by_hop import HopByHop
from routeproof.routing.base.routing import Routing
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.routing.fabrics.installed_rule import rule_of
from routeproof.topologies.failures import Failure, cables_of
from routeproof.worst.scan.exact import worst_case

SCRIPT = Path(__file__).with_name("failing_cables.sh")
ONE_OF_EACH = ("agg11:swp4", "leaf11:swp1")  # agg11 - core1, leaf11 - agg11
CABLES = {"three-tiers": 20, "two-cables": 7, "uneven": 8}
Loads = dict[tuple[str, str], dict[str, Fraction]]


def fabric(path: Path) -> EthernetNetwork:
    network = read_network(path)
    assert isinstance(network, EthernetNetwork)
    return network


def loads_by_name(routing: Routing) -> Loads:
    """What every pair of hosts loads, all by name."""
    network = routing.network
    found: Loads = {}
    for i in range(network.num_terminals):
        for j in range(network.num_terminals):
            if network.source[i] == network.sink[j]:
                continue
            block = routing.pair_loads([int(routing.row_of[i])], [int(routing.column_of[j])])
            loads = block.as_dict()
            found[network.terminal_label(i), network.terminal_label(j)] = {
                network.channel_label(c): x for c, x in loads.items()
            }
    return found


def check_predictions(healthy: Path, cables: Mapping[str, Path]) -> dict[str, Fraction]:
    """Every pair of hosts loads what was predicted, on every channel, after each failure of a cable ("device:port", and
    what was installed then); returns the loads of the worst cases."""
    network = fabric(healthy)
    routing = routing_of_routes(network)
    rule = rule_of(routing).rule
    assert rule is not None
    repair = HopByHop(routing, rule)
    loads = {}
    for name, after in cables.items():
        device, port = name.split(":")
        channel = network.channel_at[network.labels.index(device) if network.labels else -1, port]
        cable = next(x for x in cables_of(network) if channel in x)
        predicted = repair.patched(repair.after((), Failure(cables=(cable,)).channels(network)))
        installed = routing_of_routes(fabric(after))
        assert installed.network.num_channels == network.num_channels - 2
        assert loads_by_name(predicted) == loads_by_name(installed), name
        loads[name] = worst_case(installed).load
    return loads


def told(healthy: Path, tmp_path: Path) -> dict[str, Fraction]:
    """What the command says: the load after the failure of every cable, by one channel of it."""
    report = tmp_path / "failures.json"
    assert main(["failures", str(healthy), "--cables", "1", "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    document = json.loads(report.read_text())
    assert document["subject"]["repair"] == "installed-rule"
    return {
        x["failed"]: Fraction(x["value"])
        for x in document["claims"]
        if x["quantity"] == "worst_case_load" and x["evidence"]["kind"] == "failure"
    }


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_what_frr_installed_once_is_predicted(name: str) -> None:
    healthy, after = ETHERNET / "three-tiers", ETHERNET / f"three-tiers-{name.replace(':', '-')}"
    assert check_predictions(healthy, {name: after}) == {name: {"agg11:swp4": 3, "leaf11:swp1": 2}[name]}


def test_split_would_promise_more_than_frr_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The cable agg11 - core1: all shortest paths alike would keep 1/2, FRR keeps 1/3."""
    report = tmp_path / "split.json"
    words = ["failures", str(ETHERNET / "three-tiers"), "--cables", "1"]
    assert main([*words, "--repair", "split", "--json", str(report)]) == 0
    assert "a hypothesis" in capsys.readouterr().out
    worst = next(x for x in json.loads(report.read_text())["claims"] if x["failed"] == "any of the cables")
    assert Fraction(worst["value"]) == 2
    assert max(told(ETHERNET / "three-tiers", tmp_path).values()) == 3
    out = capsys.readouterr().out
    assert "all 78 next-hop groups that packets come to are what equal-cost multipath over shortest paths makes" in out
    assert "hypothesis" not in out


@pytest.mark.parametrize("kind", sorted(CABLES))
def test_every_cable_of_a_real_fabric(kind: str, tmp_path: Path) -> None:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    subprocess.run(["bash", str(SCRIPT), kind, str(tmp_path)], check=True, timeout=3000, env={"PATH": WHERE})
    after = {x.name.replace("-", ":"): x for x in tmp_path.iterdir() if x.name != "healthy"}
    loads = check_predictions(tmp_path / "healthy", after)
    assert len(loads) == CABLES[kind]
    said = told(tmp_path / "healthy", tmp_path)
    assert set(said.values()) == set(loads.values())
