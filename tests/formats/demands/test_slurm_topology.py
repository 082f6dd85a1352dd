"""SLURM's topology.conf as groups of hosts: the manual's examples, and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.demands.jobs import read_jobs
from routeproof.formats.demands.slurm_topology import blocks_of
from routeproof.formats.demands.spec import demands_from_spec

TREE = """# topology/tree, as in topology.conf(5)
SwitchName=s0 Nodes=dev[0-1]
switchname=s1 nodes="dev[2-3]" LinkSpeed=100
SwitchName=s2 Nodes=dev4
SwitchName=s3 Switches=s[0-2]
"""
BLOCKS = "BlockName=b1 Nodes=dev[0-2]\nBlockName=b2 Nodes=dev[3-4]\nBlockSizes=2,4\n"
HOSTS = [f"dev{k}" for k in range(5)]
NET = Network.of(
    "two", 2, [(0, 1), (1, 0)], source=[0, 0, 0, 1, 1], sink=[0, 0, 0, 1, 1], terminal_labels=tuple(HOSTS)
)  # fmt: skip


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "topology.conf"
    path.write_text(text)
    return path


def test_leaf_switches(tmp_path: Path) -> None:
    found = read_jobs(written(tmp_path, TREE), NET)
    assert found.terminals == {"s0": (0, 1), "s1": (2, 3)}
    assert found.alone == ("s2",)


def test_blocks_and_rings(tmp_path: Path) -> None:
    assert read_jobs(written(tmp_path, BLOCKS), NET).terminals == {"b1": (0, 1, 2), "b2": (3, 4)}
    rings = BLOCKS.replace("BlockName", "RingName").replace("BlockSizes=2,4\n", "")
    assert read_jobs(written(tmp_path, rings), NET).terminals == {"b1": (0, 1, 2), "b2": (3, 4)}


def test_between_racks_tells_which_are_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, TREE)
    with pytest.warns(RouteproofWarning, match="of one host are left out: s2"):
        demands = demands_from_spec([f"between:{path}"], NET).transport
    assert {(i, j) for i in range(5) for j in range(5) if demands.allows(i, j)} == {
        (i, j) for i in range(4) for j in range(4) if i // 2 != j // 2
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SwitchName=s0 Nodes=a\nSwitchName=s0 Nodes=b\n", "line 2: 's0' is there twice"),
        ("SwitchName=s0 Nodes=a Switches=s1\n", "line 1: 's0' has Nodes and Switches, or neither"),
        ("SwitchName=s0\n", "has Nodes and Switches, or neither"),
        ("SwitchName=s0 Colour=red Nodes=a\n", "line 1: colour beside switchname; linkspeed, nodes, switches"),
        ("SwitchName=s0 Nodes=a Nodes=b\n", "Nodes twice"),
        ("SwitchName=s0 Nodes=a[1-\n", "has a bracket without its other one"),
        ("SwitchName=s0 Nodes=a,a\n", "names a host twice"),
        ("SwitchName=s0 Switches=s1\n", "line 1: switch 's1' is named, and no line has SwitchName=s1"),
        ("SwitchName=s0 Nodes\n", "line 1: 'Nodes'; Key=value"),
        ("SwitchName=s0 Nodes=a\nNodes=b\n", "line 2: 'Nodes=b'; SwitchName=, BlockName= or RingName="),
        ("BlockName=b Switches=s\n", "switches beside blockname; nodes was expected"),
    ],
)
def test_damaged_files(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason.replace("[", r"\[")):
        blocks_of(text, what="file topology.conf")


def test_other_files_are_none() -> None:
    assert blocks_of("a: n1 n2\n", what="file jobs") is None
    assert blocks_of("", what="file jobs") is None
