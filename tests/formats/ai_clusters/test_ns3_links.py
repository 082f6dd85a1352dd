"""Lists of links for ns-3: SimAI's topologies, those of ASTRA-sim's ns-3 and of HPCC."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.formats.rated import gbps_of
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.datacenter.rails import rail_optimized
from routeproof.worst.scan.exact import worst_case

RING = "4 0 4\n\n" + "".join(f"{k} {(k + 1) % 4} 25Gbps 0.005ms 0\n" for k in range(4))
LEAVES = (
    "6 2 5\n4 5\n" + "".join(f"{k} {4 + k // 2} 100Gbps 1000ns 0.000000\n" for k in range(4)) + "4 5 200Gbps 1us 0\n"
)


def written(tmp_path: Path, text: str, name: str = "net") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def rails(servers: int, gpus: int, spines: int, *, planes: int = 1, nics: str = "400Gbps") -> str:
    """What SimAI's generator writes of one segment: NVSwitches, leaves (plane by plane), spines; all both ways."""
    count = servers * gpus
    leaf, spine = count + servers, count + servers + planes * gpus
    links = []
    for g in range(count):
        links.append(f"{g} {count + g // gpus} 2880Gbps 0.000025ms 0")
        links += [f"{g} {leaf + p * gpus + g % gpus} {nics} 0.0005ms 0" for p in range(planes)]
    for p, x, s in product(range(planes), range(gpus), range(spines)):
        links.append(f"{leaf + p * gpus + x} {spine + p * spines + s} 400Gbps 0.0005ms 0")
    nodes = spine + planes * spines
    head = f"{nodes} {gpus} {servers} {planes * (gpus + spines)} {len(links)} H100"
    return "\n".join([head, " ".join(map(str, range(count, nodes))) + " ", *links]) + "\n"


def edges(network: Network) -> set[tuple[int, int, Fraction]]:
    return set(zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True))


@pytest.mark.parametrize("planes", [1, 2])
def test_simai_clusters_are_rail_optimized_ones(planes: int, tmp_path: Path) -> None:
    nics = "400Gbps" if planes == 1 else "200Gbps"
    found = read_network(written(tmp_path, rails(3, 4, 2, planes=planes, nics=nics)))
    same = rail_optimized(3, 4, spines=2, planes=planes, nvlink=Fraction(2880, 400), uplink=1)
    assert edges(found) == edges(same)
    assert found.source.tolist() == found.sink.tolist() == list(range(12))
    assert found.gbps == 400
    assert found.label(7) == "server1.gpu3"
    assert found.label(12) == "nvswitch12"
    loads = [worst_case(routing_from_spec("minimal", x)).load for x in (found, same)]
    assert loads[0] == loads[1]


def test_hosts_of_one_link_are_terminals_on_their_switch(tmp_path: Path) -> None:
    found = read_network(written(tmp_path, LEAVES))
    assert edges(found) == {(0, 1, Fraction(2)), (1, 0, Fraction(2))}
    assert found.source.tolist() == [0, 0, 1, 1]
    assert found.terminal_labels == ("host0", "host1", "host2", "host3")
    assert (found.gbps, found.host_bandwidth) == (100, 1)


def test_nodes_joined_to_each_other_stay_nodes_in_gbps(tmp_path: Path) -> None:
    found = read_network(written(tmp_path, RING))
    assert edges(found) == {(u, v, Fraction(25)) for k in range(4) for u, v in ((k, (k + 1) % 4), ((k + 1) % 4, k))}


def test_bandwidth_as_in_the_file_or_one_for_all(tmp_path: Path) -> None:
    path = written(tmp_path, LEAVES)
    assert set(resolve_network(f"{path},bandwidth=gbps").bandwidth) == {200}
    assert set(resolve_network(f"{path},bandwidth=3").bandwidth) == {3}
    with pytest.raises(InputError, match=r"gbps .rates as in the file. or a number"):
        resolve_network(f"{path},bandwidth=metric")


def test_unlike_hosts_are_said(tmp_path: Path) -> None:
    with pytest.warns(RouteproofWarning, match="100 to 400 Gb/s; bandwidth 1 is the slowest"):
        found = read_network(written(tmp_path, LEAVES.replace("0 4 100Gbps", "0 4 400Gbps")))
    assert found.gbps == 100


def test_what_follows_the_links_is_not_read_and_said(tmp_path: Path) -> None:
    """HPCC's own topology.txt ends in more links than its first line has, and in notes."""
    with pytest.warns(RouteproofWarning, match="line 8 and what follows is not used: line 1 has 5 links"):
        found = read_network(written(tmp_path, LEAVES + "0 99 25Gbps 1us 0\nFirst line: nodes, switches, links\n"))
    assert found.num_channels == 2


@pytest.mark.parametrize(
    ("text", "gbps"),
    [
        ("400Gbps", 400),
        ("25Gb/s", 25),
        ("50GB/s", 400),
        ("100Mbps", "1/10"),
        ("1.5GiB/s", "12.884901888"),
        ("8bps", "8e-9"),
    ],
)
def test_rates_of_ns3(text: str, gbps: object) -> None:
    assert gbps_of(text, what="rate") == Fraction(str(gbps))


@pytest.mark.parametrize(
    ("change", "to", "message"),
    [
        ("0 4 100Gbps 1000ns 0.000000", "0 4 100Gbps 1000ns 0.01", "line 3: error rate '0.01'; no exact bandwidth"),
        ("0 4 100Gbps", "0 4 100", "line 3: rate is '100'; a rate such as 400Gbps was expected"),
        ("0 4 100Gbps", "0 4 0Gbps", "a rate above 0"),
        ("0 4 100Gbps", "0 6 100Gbps", "line 3: a node is 6, and there are 6 nodes"),
        ("0 4 100Gbps", "1 4 100Gbps", "line 4: nodes 1 and 4 are joined in line 3 already"),
        ("0 4 100Gbps", "0 0 100Gbps", "line 3: node 0 is joined to itself"),
        ("0 4 100Gbps 1000ns", "0 4 100Gbps soon", "line 3: delay is 'soon'; a time"),
        ("0 4 100Gbps 1000ns 0.000000\n", "", "line 1 has 5 links, and 4 are listed; is the file whole"),
        ("6 2 5", "7 2 5", "node 6 has no link"),
        ("4 5\n", "4\n", "line 3: a switch is '100Gbps'"),
        ("4 5\n", "4 4\n", "switch 4 is listed twice"),
        ("4 5\n", "4 5 3\n", "line 2: 3 switches, where line 1 has 2"),
        ("6 2 5", "6 8 5", "line 1: 8 switches among 6 nodes"),
        ("1us 0\n", "1us\n", "line 7 has 4 words; two nodes, rate, delay and error rate"),
    ],
)
def test_what_is_wrong_is_one_line(change: str, to: str, message: str, tmp_path: Path) -> None:
    assert change in LEAVES
    with pytest.raises(InputError, match=message):
        read_network(written(tmp_path, LEAVES.replace(change, to)))


@pytest.mark.parametrize(("file", "name"), [("RailOnly_p64a0.5_400Gbps_H100", None), ("fat.txt", "fat")])
def test_the_name_of_a_simai_file_is_whole(file: str, name: str | None, tmp_path: Path) -> None:
    assert read_network(written(tmp_path, LEAVES, file)).name == (name or file)


def test_gpus_fill_their_servers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="6 GPUs in servers of 4; whole servers expected"):
        read_network(written(tmp_path, rails(3, 2, 1).replace(" 2 3 ", " 4 3 ", 1)))


def test_a_file_just_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, report = written(tmp_path, rails(2, 2, 1), "Spectrum-X_4g_2gps_400Gbps_H100"), tmp_path / "report.json"
    assert main(["worst-case", str(path), "--routing", "minimal", "--json", str(report)]) == 0
    assert "bandwidth 1 is 400 Gb/s" in capsys.readouterr().out
    assert main(["verify", str(report)]) == 0
    capsys.readouterr()
    assert main(["check", str(path), "--json", "-"]) == 0
    claims = {x["quantity"]: x["value"] for x in json.loads(capsys.readouterr().out)["claims"]}
    assert claims["num_nodes"] == "9"
    assert main(["check", str(path)]) == 0
    assert "read as: a list of links for ns-3 (SimAI, HPCC)" in capsys.readouterr().out
