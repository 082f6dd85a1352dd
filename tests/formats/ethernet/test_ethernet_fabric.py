"""Directories of Ethernet devices: real dumps (FRR 8.4 in network namespaces), hand-made ones, and what is wrong."""

from __future__ import annotations

import ipaddress
import json
import random
import shutil
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from places import ETHERNET
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.ethernet.routes import Route, RouteTable, prefix_of
from routeproof.formats.format import read_network
from routeproof.routing.base.routing import Routing
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.routing.tables.group_table import GroupTableRouting
from routeproof.worst.scan.exact import worst_case

REAL = ETHERNET / "leaf-spine"
CABLES = ["device,port,device,port", "l1,u1,s1,d1", "l1,u2,s2,d1", "l2,u1,s1,d2", "l2,u2,s2,d2"]
HOSTS = ["name,address,device,port", "a,10.1.1.2,l1,h1", "b,10.1.1.3,l1,h2", "c,10.1.2.2,l2,h1", "d,10.1.2.3,l2,h2"]
Routes = dict[str, dict[str, Any]]


def tables() -> Routes:
    """device -> prefix -> "connected interface" or [(interface, weight)]."""
    return {
        "l1": {"10.1.1.0/24": "br", "10.1.2.0/24": [("u1", 1), ("u2", 1)]},
        "l2": {"10.1.2.0/24": "br", "10.1.1.0/24": [("u1", 1), ("u2", 1)]},
        "s1": {"10.1.1.0/24": [("d1", 1)], "10.1.2.0/24": [("d2", 1)]},
        "s2": {"10.1.1.0/24": [("d1", 1)], "10.1.2.0/24": [("d2", 1)]},
    }


def frr(routes: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for prefix, to in routes.items():
        hops: list[dict[str, Any]]
        if isinstance(to, str):
            hops = [{"fib": True, "directlyConnected": True, "interfaceName": to, "active": True}]
        else:
            hops = [{"fib": True, "ip": "fe80::1", "interfaceName": x, "weight": w} for x, w in to]
        entry = {"prefix": prefix, "protocol": "connected" if isinstance(to, str) else "bgp", "nexthops": hops}
        found[prefix] = [{**entry, "selected": True, "installed": True}]
    return found


def fabric(folder: Path, routes: Routes, cables: list[str] = CABLES, hosts: list[str] | None = HOSTS) -> Path:
    for device, table in routes.items():
        (folder / f"{device}.routes.json").write_text(json.dumps(frr(table)))
    (folder / "cables.csv").write_text("\n".join(cables))
    if hosts:
        (folder / "hosts.csv").write_text("\n".join(hosts))
    return folder


def routing(folder: Path) -> GroupTableRouting:
    network = read_network(folder)
    assert isinstance(network, EthernetNetwork)
    return routing_of_routes(network)


def loads(of: Routing, i: str, j: str) -> dict[str, Fraction]:
    names = of.network.terminal_labels
    assert names is not None
    row, column = int(of.row_of[names.index(i)]), int(of.column_of[names.index(j)])
    return {of.network.channel_label(c): x for c, x in of.pair_loads([row], [column]).as_dict().items()}


class TestRealDumps:
    def test_hosts_cables_and_ecmp(self) -> None:
        found = routing(REAL)
        network = found.network
        assert network.terminal_labels == ("h1", "h2", "h3", "h4")
        assert (network.num_nodes, network.num_channels) == (5, 14)
        found.check()
        third, names = Fraction(1, 3), network.labels
        assert names is not None
        assert loads(found, "h4", "h1") == {
            "leaf3[swp1] -> spine1[swp3]": third,
            "leaf3[swp2] -> spine2[swp3]": third,
            "leaf3[swp3] -> spine2[swp4]": third,
            "spine1[swp1] -> leaf1[swp1]": third,
            "spine2[swp1] -> leaf1[swp2]": 2 * third,
        }
        assert worst_case(found).load == Fraction(7, 6)

    def test_the_command_finds_the_routes_and_verifies(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        report = str(tmp_path / "report.json")
        assert main(["worst-case", str(REAL), "--json", report]) == 0
        assert "7/6" in capsys.readouterr().out
        assert main(["verify", report]) == 0
        assert main(["deadlock", str(REAL), "--json", report]) == 0
        assert main(["verify", report]) == 0
        assert main(["check", str(REAL)]) == 0

    def test_linux_dumps_alone_say_the_same_as_frr(self, tmp_path: Path) -> None:
        folder = tmp_path / "x"
        shutil.copytree(REAL, folder)
        group = json.loads((folder / "spine1" / "nexthop.json").read_text())
        routes = json.loads((folder / "spine1" / "routes.json").read_text())
        for route in routes:  # by number alone: looked up in the file of next hops
            if "nhid" in route:
                assert any(x["id"] == route["nhid"] for x in group)
                for key in ("dev", "via", "nexthops"):
                    route.pop(key, None)
        (folder / "spine1" / "routes.json").write_text(json.dumps(routes))
        assert loads(routing(folder), "h3", "h1") == loads(routing(REAL), "h3", "h1")
        (folder / "spine1" / "nexthop.json").unlink()
        with pytest.raises(InputError, match="which is not there: add the output of ip -j nexthop"):
            read_network(folder)

    def test_a_truncated_file_is_named(self, tmp_path: Path) -> None:
        folder = tmp_path / "x"
        shutil.copytree(REAL, folder)
        text = (folder / "leaf2.routes.json").read_text()
        (folder / "leaf2.routes.json").write_text(text[: len(text) // 2])
        with pytest.raises(InputError, match=r"leaf2\.routes\.json"):
            read_network(folder)

    def test_lldp_of_one_side(self, tmp_path: Path) -> None:
        folder = tmp_path / "x"
        shutil.copytree(REAL, folder)
        seen = json.loads((folder / "leaf2.lldp.json").read_text())
        seen["lldp"]["interface"] = [x for x in seen["lldp"]["interface"] if "swp1" not in x]
        (folder / "leaf2.lldp.json").write_text(json.dumps(seen))
        with pytest.raises(InputError, match="a cable seen from one end only"):
            read_network(folder)
        (folder / "leaf2.lldp.json").unlink()  # not asked at all: the other ends say enough of the cables
        with (
            pytest.warns(RouteproofWarning, match="seen from one end, the other was not asked"),
            pytest.warns(RouteproofWarning, match="hosts there do not count"),
        ):
            assert read_network(folder).num_channels == 14


class TestForwarding:
    def test_weights(self, tmp_path: Path) -> None:
        routes = tables()
        routes["l1"]["10.1.2.0/24"] = [("u1", 3), ("u2", 1)]
        found = routing(fabric(tmp_path, routes))
        assert loads(found, "a", "c") == {
            "l1[u1] -> s1[d1]": Fraction(3, 4),
            "s1[d2] -> l2[u1]": Fraction(3, 4),
            "l1[u2] -> s2[d1]": Fraction(1, 4),
            "s2[d2] -> l2[u2]": Fraction(1, 4),
        }
        assert worst_case(found).load == Fraction(3, 2)

    def test_the_longest_prefix_and_hosts_of_one_device_routed_unlike(self, tmp_path: Path) -> None:
        routes = tables()
        routes["l1"]["10.1.2.3/32"] = [("u2", 1)]
        routes["l1"]["0.0.0.0/0"] = [("u1", 1)]
        found = routing(fabric(tmp_path, routes))
        assert set(loads(found, "a", "d")) == {"l1[u2] -> s2[d1]", "s2[d2] -> l2[u2]"}
        assert len(loads(found, "a", "c")) == 4
        found.check()
        report = tmp_path / "r.json"
        assert main(["worst-case", str(tmp_path), "--json", str(report)]) == 0
        assert main(["verify", str(report)]) == 0

    def test_longest_prefix_match_against_brute_force(self) -> None:
        rng = random.Random(7)
        texts = {
            f"10.{rng.randrange(4)}.{rng.randrange(4)}.{rng.randrange(8)}/{rng.randrange(8, 33)}" for _ in range(99)
        }
        nets = {ipaddress.ip_network(x, strict=False) for x in texts}
        table = RouteTable((Route(prefix_of(str(x), what="x"), ()) for x in nets), what="x")
        for _ in range(300):
            address = ipaddress.ip_address(f"10.{rng.randrange(4)}.{rng.randrange(4)}.{rng.randrange(8)}")
            wanted = max((x for x in nets if address in x), key=lambda x: x.prefixlen, default=None)
            found = table.route_to(prefix_of(str(address), what="x"))
            assert (found and found.prefix) == (wanted and prefix_of(str(wanted), what="x"))

    def test_worst_case_of_every_channel_by_brute_force(self, tmp_path: Path) -> None:
        from itertools import permutations

        routes = tables()
        routes["l1"]["10.1.2.0/24"] = [("u1", 2), ("u2", 1)]
        routes["l2"]["10.1.1.3/32"] = [("u1", 1)]
        found = routing(fabric(tmp_path, routes))
        names = "abcd"
        each = {(i, j): loads(found, i, j) if i != j else {} for i in names for j in names}
        best = max(
            sum((each[i, j].get(c, Fraction(0)) for i, j in zip(names, p, strict=True)), Fraction(0))
            for p in permutations(names)
            for c in map(found.network.channel_label, range(found.network.num_channels))
        )
        assert worst_case(found).load == best

    def test_without_names_every_connected_prefix_is_a_host(self, tmp_path: Path) -> None:
        with pytest.warns(RouteproofWarning, match="no host is named"):
            network = read_network(fabric(tmp_path, tables(), hosts=None))
        assert network.terminal_labels == ("l1 10.1.1.0/24", "l2 10.1.2.0/24")

    def test_bandwidths_of_cables(self, tmp_path: Path) -> None:
        cables = [f"{x},{y}" for x, y in zip(CABLES, ("bandwidth", "400G", "400G", "100", "400G"), strict=True)]
        network = read_network(fabric(tmp_path, tables(), [*cables, "l1,h1,a,eth0,100G"]))
        assert sorted(set(network.bandwidth)) == [1, 4]


def _loop(routes: Routes) -> None:
    routes["s1"]["10.1.2.0/24"] = [("d1", 1)]


def _black_hole(routes: Routes) -> None:
    del routes["s2"]["10.1.2.0/24"]


def _two_places(routes: Routes) -> None:
    routes["s1"]["10.1.2.0/24"] = "br"


def _no_cable(routes: Routes) -> None:
    routes["s1"]["10.1.2.0/24"] = [("d9", 1)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_loop, r"packets for c \(10\.1\.2\.2\) go round in the loop .*10\.1\.2\.0/24"),
        (_black_hole, r"c \(10\.1\.2\.2\) are lost at s2 \(on the way from l1\), which has no route"),
        (_two_places, r"lost at s1 .*delivers them at its own port br \(10\.1\.2\.0/24\)"),
        (_no_cable, r"lost at s1 .*10\.1\.2\.0/24 leads to fe80::1 by d9, where no cable is known"),
    ],
)
def test_routes_that_loop_or_drop(change: Any, says: str, tmp_path: Path) -> None:
    routes = tables()
    change(routes)
    with pytest.raises(InputError, match=says):
        routing(fabric(tmp_path, routes))
    assert main(["worst-case", str(tmp_path), "--routing", "ecmp"]) == 0


@pytest.mark.parametrize(
    ("cables", "hosts", "says"),
    [
        ([*CABLES, "l1,u1,s2,d7"], HOSTS, "port u1 of l1 leads to s2 d7, and elsewhere to s1 d1"),
        ([*CABLES, "l1,u1"], HOSTS, "line 6 has 2 columns; 4 were expected"),
        (["device,port,device,port"], HOSTS, "has no cable between devices"),
        (CABLES, [*HOSTS, "e,10.9.9.9,,"], "e .* is connected at no device; say where"),
        (CABLES, [*HOSTS, "e,10.1.1.9,l7,p"], "e is at l7, which has no routes here"),
        (CABLES, [*HOSTS, "e,nonsense,l1,p"], "address is 'nonsense'"),
        (CABLES, [*HOSTS, "a,10.1.1.2,l1,h1"], "twice"),
    ],
)
def test_lists_that_are_wrong(cables: list[str], hosts: list[str], says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says):
        read_network(fabric(tmp_path, tables(), cables, hosts))


def test_a_next_hop_that_the_neighbour_is_not(tmp_path: Path) -> None:
    folder = fabric(tmp_path, {**tables(), "s1": {**tables()["s1"], "10.0.0.1/32": "lo"}})
    table = frr(tables()["l1"])
    table["10.1.2.0/24"][0]["nexthops"][0]["ip"] = "10.0.0.9"
    (folder / "l1.routes.json").write_text(json.dumps(table))
    with pytest.raises(InputError, match=r"l1 10\.1\.2\.0/24 goes to 10\.0\.0\.9 by u1, and s1 .* no such address"):
        routing(folder)


def test_routes_need_such_a_directory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["worst-case", "torus:3x3", "--routing", "routes"]) == 2
    assert "has no routes" in capsys.readouterr().err
    assert main(["worst-case", str(tmp_path), "--routing", "routes"]) == 2
    assert "no dump of a network" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        '[{"dst": "10.1.1.0/24", "nexthops": 7}]',
        '[{"dst": "10.1.1.0/24", "nexthops": ["swp1"]}]',
        '[{"dst": "10.1.1.0/24", "dev": 7}]',
        '[{"dst": "10.1.1.0/24", "dev": "swp1", "flags": null}]',
        '[{"dst": "10.1.1.0/99", "dev": "swp1"}]',
        '{"10.1.1.0/24": [7]}',
        '{"10.1.1.0/24": [{"selected": true, "nexthops": 7}]}',
        '{"10.1.1.0/24": [{"selected": true, "nexthops": [{"fib": true, "weight": 0, "interfaceName": "x"}]}]}',
        '{"lldp": {"interface": [7]}}',
        '{"lldp": {"interface": [{"swp1": {"chassis": {}}}]}}',
    ],
)
def test_files_that_are_not_what_they_seem(text: str, tmp_path: Path) -> None:
    folder = fabric(tmp_path, tables())
    (folder / "l3.json").write_text(text)
    with pytest.raises(InputError, match=r"l3\.json"):
        read_network(folder)


def linux(*to_l1: dict[str, Any]) -> list[dict[str, Any]]:
    """The routes of l2 as Linux prints them; ``to_l1``: more keys of each route to the hosts of l1."""
    own = {"dst": "10.1.2.0/24", "dev": "br", "protocol": "kernel", "scope": "link"}
    both = [{"gateway": "fe80::1", "dev": x, "weight": 1, "flags": []} for x in ("u1", "u2")]
    return [own, *({"dst": "10.1.1.0/24", "protocol": "bgp", "nexthops": both, **more} for more in to_l1)]


class TestRoutesThatAreNotForAllPackets:
    """What a route says besides prefix and next hops is never left out where packets take it."""

    @pytest.mark.parametrize(
        ("routes", "says"),
        [
            (linux({"tos": "0x10", "metric": 0}, {"metric": 20}), "for packets with tos '0x10' alone"),
            (linux({"from": "10.1.2.0/25"}), "for packets with from '10.1.2.0/25' alone"),
            (linux({"nexthops": [{"gateway": "10.9.9.9", "dev": "u1", "encap": "mpls"}]}), "puts packets into 'mpls'"),
            (linux({"nexthops": [{"dev": "u1", "flags": []}, {"dev": "u2", "flags": ["linkdown"]}]}), "u2 is down"),
        ],
    )
    def test_of_linux(self, routes: list[dict[str, Any]], says: str, tmp_path: Path) -> None:
        folder = fabric(tmp_path, tables())
        (folder / "l2.routes.json").write_text(json.dumps(routes))
        with pytest.raises(InputError, match=rf"lost at l2, whose route 10\.1\.1\.0/24 cannot be followed: .*{says}"):
            routing(folder)

    def test_of_linux_all_is_well_without(self, tmp_path: Path) -> None:
        folder = fabric(tmp_path, tables())
        expected = loads(routing(folder), "c", "a")
        down = {"dst": "172.17.0.0/16", "dev": "docker0", "protocol": "kernel", "scope": "link", "flags": ["linkdown"]}
        (folder / "l2.routes.json").write_text(json.dumps([*linux({"metric": 5}, {"tos": "all", "metric": 20}), down]))
        assert loads(routing(folder), "c", "a") == expected
        (folder / "hosts.csv").unlink()
        with pytest.warns(RouteproofWarning, match="no host is named"):
            assert read_network(folder).terminal_labels == ("l1 10.1.1.0/24", "l2 10.1.2.0/24")

    @pytest.mark.parametrize(
        ("more", "says"),
        [
            ({"labels": [16005]}, r"puts labels on packets \(16005\)"),
            ({"linkDown": True}, "the link of u1 is down"),
            ({"vrf": "blue"}, "in the VRF 'blue'"),
            ({"seg6": {"segs": "fc00::1"}}, "SRv6"),
            ({"labels": [3], "vrf": "default"}, ""),
        ],
    )
    def test_of_frr(self, more: dict[str, Any], says: str, tmp_path: Path) -> None:
        folder = fabric(tmp_path, tables())
        expected = loads(routing(folder), "c", "a")
        table = frr(tables()["l2"])
        table["10.1.1.0/24"][0]["nexthops"][0].update(more)
        (folder / "l2.routes.json").write_text(json.dumps(table))
        if not says:
            assert loads(routing(folder), "c", "a") == expected
            return
        with pytest.raises(InputError, match=rf"lost at l2, whose route 10\.1\.1\.0/24 cannot be followed: .*{says}"):
            routing(folder)


def test_a_cable_has_one_bandwidth(tmp_path: Path) -> None:
    cables = [f"{x},{y}" for x, y in zip(CABLES, ("bandwidth", *["100"] * 4), strict=True)]
    assert read_network(fabric(tmp_path, tables(), [*cables, "s1,d1,l1,u1,100G"])).num_channels == 8
    with pytest.raises(InputError, match="line 6: the cable at s1 d1 has bandwidth 40, and elsewhere 100"):
        read_network(fabric(tmp_path, tables(), [*cables, "s1,d1,l1,u1,40"]))


def test_an_address_has_one_host(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a and e are both 10\.1\.1\.2"):
        read_network(fabric(tmp_path, tables(), hosts=[*HOSTS, "e,10.1.1.2,l1,h9"]))


def test_longer_prefixes_inside_one_that_stands_for_a_host(tmp_path: Path) -> None:
    routes = tables()
    routes["l1"]["10.1.1.1/32"] = "br"  # the leaf's own address
    routes["l2"]["10.1.1.128/25"] = [("u1", 1)]
    with pytest.warns(RouteproofWarning) as found:
        read_network(fabric(tmp_path, routes, hosts=None))
    said = " ".join(str(x.message) for x in found)
    assert "do not take: 10.1.1.128/25 at l2" in said
    assert "10.1.1.1" not in said.replace("10.1.1.128/25", "")


def test_hosts_that_no_neighbour_shows_are_a_line_that_names_their_prefix(tmp_path: Path) -> None:
    """Without leaf2's LLDP nothing shows h3: what is left looks better than the fabric is, so it must be said."""
    shutil.copytree(ETHERNET / "leaf-spine", tmp_path / "fabric")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_network(tmp_path / "fabric")
    (tmp_path / "fabric" / "leaf2.lldp.json").unlink()
    with (
        pytest.warns(RouteproofWarning, match="2 cables are seen from one end"),
        pytest.warns(RouteproofWarning, match=r"hosts there do not count: 10\.1\.2\.0/26 at leaf2; add the LLDP"),
    ):
        assert read_network(tmp_path / "fabric").num_terminals == 3
