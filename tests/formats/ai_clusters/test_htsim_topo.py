"""htsim's ``.topo`` files, against fat trees known otherwise and against the wiring written out anew."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.formats.graphs.networkx_graph import to_networkx
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.datacenter.fat_tree import fat_tree
from routeproof.worst.scan.exact import worst_case

TEST = """Nodes 8
Tiers 3
Podsize 4

Tier 0
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 2
Downlink_Latency_ns 1000

Tier 1
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 4
Downlink_Latency_ns 1000
Bundle 1

Tier 2
Downlink_speed_Gbps 100
Radix_Down 4
Downlink_Latency_ns 1000
Bundle 2
"""
LEAF_SPINE = """# four to one
Nodes 32
Tiers 2
Podsize 32
Tier 0
Downlink_speed_Gbps 100
Radix_Down 8
Radix_Up 2
Oversubscribed 4
Queue_Up 30
Tier 1
Downlink_speed_Gbps 100
Radix_Down 4
Switch_Latency_ns 0
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "net.topo"
    path.write_text(text)
    return path


def links(network: Network) -> Counter[tuple[str, str, Fraction]]:
    ends = ((network.label(int(u)), network.label(int(v))) for u, v in zip(network.tail, network.head, strict=True))
    return Counter((u, v, b) for (u, v), b in zip(ends, network.bandwidth, strict=True))


def test_the_wiring_of_htsims_own_example(tmp_path: Path) -> None:
    found = read_network(written(tmp_path, TEST))
    wanted: Counter[tuple[str, str, Fraction]] = Counter()
    for pod in range(2):
        for t in range(2):
            for a in range(2):
                wanted[f"tor{2 * pod + t}", f"agg{2 * pod + a}", Fraction(1)] += 1
        for a in range(2):
            for core in (a, a + 2):
                wanted[f"agg{2 * pod + a}", f"core{core}", Fraction(1, 2)] += 2
    assert links(found) == wanted + Counter({(v, u, b): k for (u, v, b), k in wanted.items()})
    assert found.source.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert (found.gbps, found.host_bandwidth) == (200, 1)


def full(k: int) -> str:
    h = k // 2
    return (
        f"Nodes {k**3 // 4}\nTiers 3\nPodsize {h * h}\n"
        f"Tier 0\nDownlink_speed_Gbps 100\nRadix_Down {h}\nRadix_Up {h}\n"
        f"Tier 1\nDownlink_speed_Gbps 100\nRadix_Down {h}\nRadix_Up {h}\n"
        f"Tier 2\nDownlink_speed_Gbps 100\nRadix_Down {k}\n"
    )


@pytest.mark.parametrize("k", [2, 4, 8])
def test_full_fat_trees_are_those_of_al_fares(k: int, tmp_path: Path) -> None:
    found, same = read_network(written(tmp_path, full(k))), fat_tree(k)
    assert found.num_terminals == same.num_terminals
    assert nx.is_isomorphic(nx.Graph(to_networkx(found)), nx.Graph(to_networkx(same)))
    assert (
        worst_case(routing_from_spec("minimal", found)).load == worst_case(routing_from_spec("minimal", same)).load == 1
    )


def test_oversubscription_four_is_the_worst_load(tmp_path: Path) -> None:
    found = read_network(written(tmp_path, LEAF_SPINE))
    assert (found.num_nodes, found.num_channels, found.num_terminals) == (6, 16, 32)
    assert worst_case(routing_from_spec("minimal", found)).load == 4
    assert set(resolve_network(f"{tmp_path / 'net.topo'},bandwidth=gbps").bandwidth) == {100}


@pytest.mark.parametrize(
    ("text", "change", "to", "message"),
    [
        (TEST, "Bundle 2", "Bundle 1",
         "tier 1 reaches 8 switches of tier 2, not 4; Radix_Down 2 of tier 2 was expected"),
        (TEST, "Nodes 8", "Nodes 9", "9 nodes in pods of 4: 9 is not divisible by 4"),
        (TEST, "Radix_Up 4", "Radix_Up 2",
         "tier 1: 2 links down of 200 Gb/s and 2 up of 100 Gb/s are 2:1, and Oversubscri"),
        (TEST, "Radix_Up 4\n", "", "tier 1 has no Radix_up"),
        (TEST, "Tier 2", "Tier 1", "line 18: tier 1 again"),
        (TEST, "Tier 2", "Tier 3", "line 18: tier 3; 0, 1 and 2"),
        (TEST, "Tiers 3", "Tiers 2", "Tiers 2, and blocks of tiers .0, 1, 2."),
        (TEST, "Podsize 4\n", "", "has no Podsize"),
        (TEST, "Bundle 1", "Bundled 1", "line 16: 'Bundled' of a tier is unknown; did you mean 'bundle'"),
        (TEST, "Bundle 1", "Bundle 0", "line 16: Bundle is 0"),
        (TEST, "Bundle 1", "Bundle one", "line 16: Bundle is 'one'; a whole number"),
        (TEST, "Bundle 1", "Bundle 1\nBundle 1", "line 17: Bundle is stated twice"),
        (TEST, "Radix_Down 4", "Radix_Down 4\nRadix_Up 4", "tier 2 is the highest and has Radix_Up 4"),
        (TEST, "Nodes 8", "Nodes 8 9", "line 1: 3 words; a name and a number"),
        (LEAF_SPINE, "Podsize 32", "Podsize 16", "2 pods of two tiers are not joined; Podsize 32 was expected"),
        (LEAF_SPINE, "Oversubscribed 4\n", "",
         "8 links down of 100 Gb/s and 2 up of 100 Gb/s are 4:1, and Oversubscribed says 1"),
        (LEAF_SPINE, "Radix_Down 4", "Radix_Down 2", "its links up reach 2 switches of tier 1, and a pod has 4"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_one_line(text: str, change: str, to: str, message: str, tmp_path: Path) -> None:
    assert change in text
    with pytest.raises(InputError, match=message):
        read_network(written(tmp_path, text.replace(change, to)))
