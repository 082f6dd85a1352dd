"""Hosts at several switches (MLAG, anycast gateways): listed, seen by LLDP, and what is still refused."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_ethernet_fabric import fabric, frr, loads, routing

from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.format import read_network
from routeproof.routing.base.hop_by_hop import HopByHop, HopRule
from routeproof.routing.fabrics.installed_rule import rule_of
from routeproof.routing.tables.group_table import GroupTableRouting
from routeproof.topologies.failures import Failure, cables_of, links_of, switches_of
from routeproof.topologies.two_nodes import loopbacks
from routeproof.worst.scan.exact import worst_case

UP = [("u1", 1), ("u2", 1)]
TABLES: dict[str, dict[str, Any]] = {
    "l1": {"10.1.1.0/24": "vlan10", "10.1.2.0/24": UP},
    "l2": {"10.1.1.0/24": "vlan10", "10.1.2.0/24": UP},
    "l3": {"10.1.2.0/24": "vlan20", "10.1.1.0/24": UP},
    **{s: {"10.1.1.0/24": [("d1", 1), ("d2", 1)], "10.1.2.0/24": [("d3", 1)]} for s in ("s1", "s2")},
}
CABLES = ["device,port,device,port", *(f"l{k},u{s},s{s},d{k}" for k in (1, 2, 3) for s in (1, 2))]
HOSTS = [
    "name,address,device,port", "a,10.1.1.2,l1,h1", "a,10.1.1.2,l2,h1", "b,10.1.1.3,l1,h2", "b,10.1.1.3,l2,h2",
    "c,10.1.2.2,l3,h1", "d,10.1.2.3,l3,h2",
]  # fmt: skip


def mlag(folder: Path, cables: list[str] = CABLES, hosts: list[str] | None = HOSTS) -> GroupTableRouting:
    with pytest.warns(RouteproofWarning, match=r"hosts with several ports send by all of them alike, .*: a, b"):
        return routing(fabric(folder, TABLES, cables, hosts))


def seen(folder: Path, devices: str = "l1 l2") -> Path:
    """LLDP of two leaves, where hosts are seen at one port of each."""
    for leaf in devices.split():
        each = [
            {port: {"chassis": {x: {"mgmt-ip": [f"10.1.1.{k}"]}}, "port": {"id": {"value": "e1"}}}}
            for port, x, k in (("h1", "a", 2), ("h2", "b", 3))
        ]
        (folder / f"{leaf}.lldp.json").write_text(json.dumps({"lldp": {"interface": each}}))
    return folder


def test_packets_go_in_and_out_by_both_ports(tmp_path: Path) -> None:
    found = mlag(tmp_path)
    found.check()
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    to_a = loads(found, "c", "a")
    assert to_a["s1[d1] -> l1[u1]"] == to_a["s2[d2] -> l2[u2]"] == quarter
    assert to_a["l1[h1] -> a[1]"] == to_a["l2[h1] -> a[2]"] == half
    assert loads(found, "a", "b") == {
        "a.sends[1] -> l1[h1]": half, "a.sends[2] -> l2[h1]": half, "l1[h2] -> b[1]": half, "l2[h2] -> b[2]": half,
    }  # fmt: skip
    network = found.network
    assert [network.label(v) for v in switches_of(network)] == ["l1", "l2", "l3", "s1", "s2"]
    assert worst_case(found).load == 1


def test_nothing_is_forwarded_by_such_a_host(tmp_path: Path) -> None:
    network = mlag(tmp_path).network
    inside = {network.label(v) for v in set(network.tail.tolist()) & set(network.head.tolist())}
    assert inside == {"l1", "l2", "l3", "s1", "s2"}


@pytest.mark.filterwarnings("ignore:.*(left out, without routes|no neighbour is a host)")
def test_neighbours_seen_at_both_switches_are_such_hosts(tmp_path: Path) -> None:
    listed, folder = tmp_path / "list", tmp_path / "lldp"
    listed.mkdir()
    folder.mkdir()
    by_list = mlag(listed)
    cables = [*CABLES, "l3,h1,c,e1", "l3,h2,d,e1"]
    found = mlag(seen(folder), cables, None)
    assert set(found.network.terminal_labels or ()) == {"a", "b"}
    assert worst_case(found).load <= worst_case(by_list).load
    lines = ["name,address", "a,10.1.1.2", "b,10.1.1.3", "c,10.1.2.2", "d,10.1.2.3"]
    again = mlag(folder, cables, lines)
    assert worst_case(again).load == worst_case(by_list).load
    assert loads(again, "c", "a") == loads(by_list, "c", "a")


def test_ports_and_bandwidths_of_listed_cables(tmp_path: Path) -> None:
    cables = [x + (",bandwidth" if x.startswith("device") else ",100") for x in CABLES]
    cables += [f"l{k},h{n},{x},eth{k},50" for k in (1, 2) for n, x in ((1, "a"), (2, "b"))]
    network = mlag(tmp_path, [*cables, "l3,h1,c,e1,50", "l3,h2,d,e1,50"]).network
    at = {network.channel_label(c): b for c, b in enumerate(network.bandwidth)}
    assert at["l2[h1] -> a[eth2]"] == at["b.sends[eth1] -> l1[h2]"] == 1
    assert at["l1[u1] -> s1[d1]"] == 2
    assert network.host_bandwidth == 1


@pytest.mark.parametrize(
    ("hosts", "says"),
    [
        ([*HOSTS[:3], "a,10.1.1.2,l2,h1"], r"has host a\[.*\] twice; each"),
        (
            ["name,address,device,port", "a,10.1.2.2,l1,h1", "a,10.1.2.2,l3,h1"],
            r"has host a\[.*\] twice; each",
        ),
        ([*HOSTS, "l1,10.1.1.9,l1,h3", "l1,10.1.1.9,l2,h3"], "l1 is a device with routes, too"),
        ([*HOSTS, "e,10.1.1.9,l1,h3"], "lost at l2 .*delivers them at its own port vlan10"),
    ],
)
@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_what_is_not_at_both(hosts: list[str], says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says):
        routing(fabric(tmp_path, TABLES, CABLES, hosts))


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_what_a_drained_switch_of_the_pair_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fabric(tmp_path, TABLES, CABLES, HOSTS)
    assert main(["plan", str(tmp_path), "--drain", "l1", "--repair", "none"]) == 0
    assert "Draining l1" in capsys.readouterr().out
    assert main(["convert", str(tmp_path), "--routing", "ecmp", str(tmp_path / "new.iproute")]) == 0
    assert "via inet6 fe80::1 dev u1" in (tmp_path / "new.iproute" / "l3.sh").read_text()
    assert not (tmp_path / "new.iproute" / "a.sends.sh").exists()
    assert main(["failures", str(tmp_path), "--switches", "1"]) == 0
    assert "switch a" not in capsys.readouterr().out


def test_a_real_host_route_of_a_switch_stays(tmp_path: Path) -> None:
    tables = {**TABLES, "l1": {**TABLES["l1"], "10.1.1.2/32": [("h1", 1)]}}
    fabric(tmp_path, tables, CABLES, HOSTS)
    (tmp_path / "l1.routes.json").write_text(json.dumps(frr(tables["l1"])))
    with pytest.warns(RouteproofWarning, match="several ports"):
        assert read_network(tmp_path).num_terminals == 4


@pytest.mark.parametrize(
    ("dead", "gone"),
    [
        ("l1,u1,s1,d1", ["l1 10.1.2.0/24 u1", "s1 10.1.1.0/24 d1"]),
        ("l3,u2,s2,d3", ["l3 10.1.1.0/24 u2", "s2 10.1.2.0/24 d3", "l1 10.1.2.0/24 u2", "l2 10.1.2.0/24 u2"]),
    ],
)
def test_the_rule_makes_what_the_devices_install_after_a_failure(dead: str, gone: list[str], tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    (tmp_path / "after").mkdir()
    now = mlag(tmp_path / "before")
    network, rule = now.network, rule_of(now).rule
    assert rule is not None
    assert rule.hosts
    leaf, up, spine, down = dead.split(",")
    lost = next(x for x in cables_of(network) if network.channel_label(x[0]) == f"{leaf}[{up}] -> {spine}[{down}]")
    made = HopByHop(now, rule)
    found = made.patched(made.after((), lost))
    kept: dict[str, dict[str, Any]] = {v: {**some} for v, some in TABLES.items()}
    for device, prefix, port in (x.split() for x in gone):
        kept[device][prefix] = [x for x in kept[device][prefix] if x[0] != port]
    kept = {v: {x: y for x, y in some.items() if y} for v, some in kept.items()}
    with pytest.warns(RouteproofWarning, match="several ports"):
        real = routing(fabric(tmp_path / "after", kept, [x for x in CABLES if x != dead], HOSTS))
    for i, j in permutations("abcd", 2):
        assert loads(found, i, j) == loads(real, i, j)


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_failures_of_hosts_with_several_ports(tmp_path: Path) -> None:
    fabric(tmp_path, TABLES, CABLES, HOSTS)
    report = tmp_path / "report.json"
    assert main(["failures", str(tmp_path), "--cables", "1", "--json", str(report)]) == 0
    claims = json.loads(report.read_text())["claims"]
    entries = next(x for x in claims if x["quantity"] == "entries_by_rule")
    assert entries["value"] == "14"  # of the five switches
    cut = [x["value"] for x in claims if x["quantity"] == "pairs_cut"]
    assert cut == ["3", "3"]  # what a host's cable brings from three other hosts is lost
    assert main(["verify", str(report)]) == 0
    assert main(["plan", str(tmp_path), "--drain", "s1", "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0


def test_a_rule_without_such_hosts_mends_their_cables_as_all_others(tmp_path: Path) -> None:
    now = mlag(tmp_path)
    made = HopByHop(now, HopRule.plain(now.network))
    found = made.after((), cables_of(now.network)[0])  # a - l1
    assert found.cut is not None
    assert not found.cut.any()
    assert loads(made.patched(found), "c", "a")["l2[h1] -> a[2]"] == 1


def test_what_a_host_sends_to_itself_loads_no_cable(tmp_path: Path) -> None:
    found = mlag(tmp_path)
    network = found.network
    inside = [network.channel_label(c) for c in np.flatnonzero(loopbacks(network)).tolist()]
    assert set(loads(found, "a", "a")) == {x for x in inside if x.startswith("a")}
    assert len(cables_of(network)) == 10
    assert len(links_of(network)) == 10
    assert Failure(cables=(cables_of(network)[0],)).named(network) == "a - l1"
