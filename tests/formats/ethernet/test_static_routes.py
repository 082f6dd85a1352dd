"""Routings written as static routes of devices: read back the same; what no device can hold is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from places import ETHERNET, ROOT
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.formats.resolve import resolve_network
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.files.table import routing_writer
from routeproof.routing.named.spec import routing_from_spec

EXAMPLE = ROOT / "examples" / "ethernet"
HOPS = "minimal:choice=per-hop"


def by_name(routing: Routing) -> dict[tuple[str, str, str], Fraction]:
    network, found = routing.network, dict[tuple[str, str, str], Fraction]()
    for i in range(network.num_terminals):
        for j in range(network.num_terminals):
            block = routing.pair_loads([int(routing.row_of[i])], [int(routing.column_of[j])])
            for c, load in block.as_dict().items():
                found[network.terminal_label(i), network.terminal_label(j), network.channel_label(c)] = load
    return found


def fabric(path: Path) -> Network:
    return read_network(path)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        (EXAMPLE, "routes"), (EXAMPLE, HOPS), (EXAMPLE, "sssp"), (EXAMPLE, "random-path:seed=3"),
        (ETHERNET / "leaf-spine", "routes"), (ETHERNET / "leaf-spine", "minimal:choice=per-path"),
        (ETHERNET / "leaf-spine-six", "wcmp"),
    ],
)  # fmt: skip
def test_commands_come_back_as_they_went(folder: Path, name: str, tmp_path: Path) -> None:
    network, new = fabric(folder), str(tmp_path / "new.iproute")
    assert main(["convert", str(folder), "--routing", name, new]) == 0
    assert by_name(routing_from_spec(new, network)) == by_name(routing_from_spec(name, network))


@pytest.mark.parametrize(("name", "ending"), [("routes", ".frr"), ("sssp", ".iproute"), ("sssp", ".sonic")])
def test_three_tiers_come_back_as_they_went(name: str, ending: str, tmp_path: Path) -> None:
    folder = ETHERNET / "three-tiers"
    new = str(tmp_path / f"new{ending}")
    assert main(["convert", str(folder), "--routing", name, new]) == 0
    network = fabric(folder)
    assert by_name(routing_from_spec(new, network)) == by_name(routing_from_spec(name, network))
    report = str(tmp_path / "r.json")
    assert main(["worst-case", str(folder), "--routing", new, "--json", report]) == 0
    assert main(["verify", report]) == 0


def test_hosts_of_one_prefix_that_are_routed_apart_get_routes_of_their_own(tmp_path: Path) -> None:
    new = tmp_path / "new.iproute"
    assert main(["convert", str(EXAMPLE), "--routing", "sssp", str(new)]) == 0
    assert "ip route replace 10.1.2.11 proto static via " in (new / "l1.sh").read_text()


def test_what_devices_cannot_hold_is_refused(tmp_path: Path) -> None:
    network = fabric(EXAMPLE)
    routes = routing_from_spec("routes", network)
    with pytest.raises(InputError, match=r"at l\d no IPv4 address of s1 by swp1 is known that FRR's static routes to "):
        routing_writer(tmp_path / "new.frr")(routes)  # its gateways are of IPv6
    fine = Mixture([(Fraction(1, 1001), routing_from_spec("sssp", network)), (Fraction(1000, 1001), routes)])
    with pytest.raises(InputError, match=r"have the weights \d+:\d+; weights of at most 256 were expected, as design"):
        routing_writer(tmp_path / "new.iproute")(fine)
    tiers = fabric(ETHERNET / "three-tiers")
    uneven = Mixture(
        [(Fraction(1, 3), routing_from_spec("sssp", tiers)), (Fraction(2, 3), routing_from_spec(HOPS, tiers))]
    )
    with pytest.raises(InputError, match=r"depends on where they are from \(those of gpu|have the weights \d"):
        routing_writer(tmp_path / "new.frr")(uneven)
    with pytest.raises(InputError, match=r"depends on where they are from \(those of gpu\d+ and gpu\d+\); one that"):
        routing_writer(tmp_path / "new.iproute")(routing_from_spec("random-path:seed=1", tiers))
    assert not list(tmp_path.iterdir())


def test_weights_are_not_for_frr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "fabric"
    folder.mkdir()
    for file in (ETHERNET / "three-tiers").iterdir():
        (folder / file.name).write_text(file.read_text())
    text = (folder / "cables.csv").read_text().splitlines()
    wide = [text[0] + ",bandwidth", text[1] + ",300G", *(x + ",100G" for x in text[2:])]
    (folder / "cables.csv").write_text("\n".join(wide))
    assert main(["convert", str(folder), "--routing", "wcmp", str(tmp_path / "new.frr")]) == 2
    assert "have the weights 3:1; FRR's static routes have no weights: ip route commands (.iproute) do" in (
        capsys.readouterr().err.replace("\n    ", " ")
    )
    assert main(["convert", str(folder), "--routing", "wcmp", str(tmp_path / "new.iproute")]) == 0


def test_static_routes_are_compared_and_not_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, new = ETHERNET / "three-tiers", str(tmp_path / "new.iproute")
    assert main(["convert", str(folder), "--routing", "routes", new]) == 0
    report = str(tmp_path / "r.json")
    assert main(["compare", str(folder), "routes", new, "--json", report]) == 0
    assert main(["verify", report]) == 0
    capsys.readouterr()
    assert main(["failures", str(folder), "--cables", "1", "--routing", new]) == 0
    assert "no protocol mends them" in " ".join(capsys.readouterr().out.split())


def test_no_routes_are_no_folder(tmp_path: Path) -> None:
    one = resolve_network(f"{EXAMPLE},hosts=h1")
    with pytest.raises(InputError, match="needs no routes"):
        routing_writer(tmp_path / "new.iproute")(routing_from_spec("routes", one))


def test_other_networks_and_places_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "torus:4x4", "--routing", "dor", str(tmp_path / "new.iproute")]) == 2
    assert "need ports and addresses" in capsys.readouterr().err
    new = str(tmp_path / "new.iproute")
    assert main(["convert", str(EXAMPLE), "--routing", "routes", new]) == 0
    assert main(["convert", str(EXAMPLE), "--routing", "routes", new]) == 2
    assert "cannot write" in capsys.readouterr().err
    with pytest.raises(InputError, match="it is there already; the name of a new folder was expected"):
        routing_writer(new)(routing_from_spec("routes", fabric(EXAMPLE)))
    assert main(["worst-case", "torus:4x4", "--routing", new]) == 2
    assert "need ports and addresses" in capsys.readouterr().err
    assert main(["check", new]) == 2
    assert "worst-case FABRIC --routing FOLDER" in capsys.readouterr().err.replace("\n    ", " ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ip route add 10.1.2.0/24 via 10.0.0.1 dev swp1", "'ip route replace PREFIX ...' was expected"),
        ("ip route replace 10.1.2.0/33 via 10.0.0.1 dev swp1", "an address or a prefix"),
        ("ip route replace fd00::/64 via fe80::1 dev swp1", "the command is of IPv4"),
        ("ip route replace 10.1.2.0/24 dev swp1", "'via ADDRESS dev PORT' was expected"),
        ("ip route replace 10.1.2.0/24 via 10.0.0.1 dev swp1 onlink", "'via ADDRESS dev PORT' was expected"),
        ("ip route replace 10.1.2.0/24 nexthop via 10.0.0.1 dev swp1 weight 257", "with a weight of 1 to 256"),
        ("ip route replace 10.1.2.0/24 nexthop via 10.0.0.1 dev swp1 weight 0", "with a weight of 1 to 256"),
        ("ip route replace 10.1.2.0/24 table 7 nexthop via 10.0.0.1 dev swp1", "a next hop is 'table 7"),
        ("ip route replace", "the prefix is"),
        ('ip route replace "10.1.2.0/24', "was expected"),
        ("rm -rf /", "'ip route replace PREFIX ...' was expected"),
        ("ip route replace 10.1.2.0/24 via inet6 fe80::1 dev swp9", "which has no route|leads to"),
    ],
)
def test_other_commands_are_refused_with_their_line(line: str, said: str, tmp_path: Path) -> None:
    new = tmp_path / "new.iproute"
    new.mkdir()
    (new / "l1.sh").write_text(f"#!/bin/sh\n{line}\n")
    with pytest.raises(InputError, match=said):
        routing_from_spec(str(new), fabric(EXAMPLE))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ip route 10.1.2.0/24 10.0.0.1", "'ip route PREFIX ADDRESS PORT' was expected"),
        ("ip route 10.1.2.0/24 fe80::1 swp1", "mixes versions of IP"),
        ("ip route 10.1.2.0/24 10.0.0.1 swp1\nip route 10.1.2.0/24 10.0.0.1 swp1", "line 2: .* is there twice"),
        ("router bgp 65000", "'ip route PREFIX ADDRESS PORT' was expected"),
    ],
)
def test_other_configuration_is_refused_with_its_line(line: str, said: str, tmp_path: Path) -> None:
    new = tmp_path / "new.frr"
    new.mkdir()
    (new / "l1.conf").write_text(f"{line}\n")
    with pytest.raises(InputError, match=said):
        routing_from_spec(str(new), fabric(EXAMPLE))


def test_folders_with_other_things_are_refused(tmp_path: Path) -> None:
    new = tmp_path / "new.iproute"
    new.mkdir()
    with pytest.raises(InputError, match="is empty"):
        routing_from_spec(str(new), fabric(EXAMPLE))
    (new / "l9.sh").write_text("#!/bin/sh\n")
    with pytest.raises(InputError, match="has routes of l9, which is not a device of ethernet"):
        routing_from_spec(str(new), fabric(EXAMPLE))
    (new / "l9.sh").rename(new / "README")
    with pytest.raises(InputError, match=r"is not called after a device, as leaf1\.sh is"):
        routing_from_spec(str(new), fabric(EXAMPLE))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"ROUTE": {}}', "the table STATIC_ROUTE alone"),
        ('{"STATIC_ROUTE": []}', "the table STATIC_ROUTE alone"),
        ('{"STATIC_ROUTE": {"10.1.2.0/24": {}}}', "PREFIX with advertise, ifname, nexthop was expected"),
        ('{"STATIC_ROUTE": {"default|10.1.2.0/24": {"nexthop": 1, "ifname": "a", "advertise": "false"}}}', "texts"),
        (
            '{"STATIC_ROUTE": {"default|10.1.2.0/24": {"nexthop": "1.0.0.1,1.0.0.3", "ifname": "a", "advertise": ""}}}',
            "one port for each address",
        ),
        (
            '{"STATIC_ROUTE": {"default|10.1.2.0/24": {"nexthop": "fe80::1", "ifname": "a", "advertise": ""}}}',
            "another version of IP",
        ),
    ],
)
def test_other_tables_of_sonic_are_refused(text: str, said: str, tmp_path: Path) -> None:
    new = tmp_path / "new.sonic"
    new.mkdir()
    (new / "l1.json").write_text(text)
    with pytest.raises(InputError, match=said):
        routing_from_spec(str(new), fabric(EXAMPLE))
