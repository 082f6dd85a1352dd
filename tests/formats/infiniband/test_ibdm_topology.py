"""Planned topologies as ibdmchk and ibdiagnet read them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.formats.infiniband.fabric import FabricNetwork

PLAN = """# Topology file of two leaves, two spines and four hosts
MTS3600 leaf-1
   P1 -4x-10G-> MT26428 node-1 P1
   P2 -4x-5G-> MT26428 node-2 P1   # an old cable
   P19 -4x-10G-> MTS3600 spine-1 P1
   P20 -4x-10G-> MTS3600 spine-2 P1

MTS3600 leaf-2
   P1 -4x-10G-> MT26428 node-3 P1
   P2 -4X-10G-> MT26428 node-3 P2
   P3 -4x-10G-> MT26428 node-4 P1
   P19 -12x-5G-> MTS3600 spine-1 P2
   P20 -4x-10G-> MTS3600 spine-2 P2
"""


def read(tmp_path: Path, text: str) -> Network:
    path = tmp_path / "plan.topo"
    path.write_text(text)
    return read_network(path)


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_switches_hosts_and_rates(tmp_path: Path) -> None:
    net = read(tmp_path, PLAN)
    assert isinstance(net, FabricNetwork)
    assert set(net.labels or ()) == {"leaf-1", "leaf-2", "spine-1", "spine-2"}
    assert set(net.terminal_labels or ()) == {"node-1", "node-2", "node-3/P1", "node-3/P2", "node-4"}
    rates = {net.channel_label(c): net.bandwidth[c] * (net.gbps or 0) for c in range(net.num_channels)}
    assert rates["leaf-1[19] -> spine-1[1]"] == 32
    assert rates["leaf-2[19] -> spine-1[2]"] == rates["spine-1[2] -> leaf-2[19]"] == 48
    assert dict(zip(net.terminal_labels or (), net.host_widths or (), strict=True))["node-2"] == 1
    assert net.gbps == 16
    load = rp.worst_case(rp.named_routing("ecmp", net), demands="hose:cables").load
    assert load == Fraction(3, 4)  # node-1 and node-2 to leaf-2: 48 Gb/s, half over each spine of 32


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_a_cable_may_stand_in_both_sections(tmp_path: Path) -> None:
    both = PLAN + "\nMTS3600 spine-1\n   P1 -4x-10G-> MTS3600 leaf-1 P19\n   P2 -12x-5G-> MTS3600 leaf-2 P19\n"
    one, other = (read(tmp_path, x) for x in (PLAN, both))
    channels = [sorted((x.channel_label(c), x.bandwidth[c]) for c in range(x.num_channels)) for x in (one, other)]
    assert channels[0] == channels[1]


def test_cables_without_rates_are_equal(tmp_path: Path) -> None:
    net = read(tmp_path, re.sub(r"-\d+[xX]-\d+G->", "->", PLAN))
    assert set(net.bandwidth) == {1}
    assert net.gbps is None


def test_the_example_of_the_manual_page(tmp_path: Path) -> None:
    text = "MTS2400 S-1\n   P1 -> MT23108 H-1 P1\n   P2 -> MT23108 H-1 P2\n   P24 -> MT23108 H-2 P1\n"
    net = read(tmp_path, text)
    assert net.labels == ("S-1",)
    assert set(net.terminal_labels or ()) == {"H-1/P1", "H-1/P2", "H-2"}


def test_a_small_switch_is_told_by_its_section(tmp_path: Path) -> None:
    net = read(tmp_path, "SW a\n  P1 -> HCA x P1\n  P2 -> HCA y P1\n")
    assert (net.labels, net.num_terminals) == (("a",), 2)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "P1 -4x-10G-> MT26428 node-1 P1",
            "L1/P1 -> MT26428 node-1 P1",
            "line 3: 'port L1/P1' of .* of several boards",
        ),
        ("MTS3600 leaf-1\n", "MTS3600 leaf-1 CFG: leaf1=R\n", r"line 2: 'CFG: leaf1=R' of .* boards"),
        ("-4x-5G->", "-5x-5G->", "line 4: .*; a system .* or a cable .* was expected"),
        ("-4x-5G->", "->", "line 4: port 2 of .* has no width and speed such as 4xEDR, as other cables have"),
        ("MTS3600 spine-2 P1", "MTS3600 spine-1 P1", "line 6: port P1 of spine-1 has another cable in line 5"),
        ("P20 -4x-10G-> MTS3600 spine-2 P1", "P19 -4x-10G-> MTS3600 spine-2 P1", "port P19 of leaf-1 has another"),
        ("MT26428 node-4", "MTS3600 node-3", "node-3 is of type MT26428 and of type MTS3600"),
        ("MTS3600 leaf-1\n   P1 -4x", "   P1 -4x", "a cable before any system|whitespace|is not a line"),
        (PLAN, "MTS3600 leaf-1\n   P1 -> MT26428 node-1 P1\n   P2 -4x>", "line 3: 'P2 -4x>'"),
        (PLAN, "A x\n  P1 -> A y P1\n", "a cable from x to y; which is a switch"),
    ],
)
@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_broken_plans(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in PLAN
    with pytest.raises(InputError, match=said) as caught:
        read(tmp_path, PLAN.replace(old, new, 1))
    assert "\n" not in str(caught.value)
