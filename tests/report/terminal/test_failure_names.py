"""What failed is printed by name: switches, links with the ports of their cables, and the hosts that are lost."""

from __future__ import annotations

import pytest

from places import INFINIBAND
from routeproof.cli.main import main

FABRIC = str(INFINIBAND / "ring3.topo")


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (["--links", "1"], ["s2[4] - s1[3] ", "s1[4,6] - s0[3,5] "]),
        (["--cables", "1"], ["s1[4] - s0[3] ", "s1[6] - s0[5] "]),
        (["--switches", "1"], ["hosts lost", "switch s2  2: h5, h4"]),
        (["--links", "2"], ["s2[4] - s1[3]; s1[4,6] - s0[3,5] ", "no path from s2 to s1; cut off 2: h3, h2"]),
    ],
)
def test_failures_of_a_fabric_by_name(words: list[str], rows: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["failures", FABRIC, "--routing", "ecmp", *words]) == 0
    out = capsys.readouterr().out
    assert "dead-" not in out
    for row in rows:
        assert row in out


def test_a_network_without_names_shows_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["failures", "petersen", "--routing", "ecmp"]) == 0
    assert "dead-links=0-1 " in capsys.readouterr().out


def test_parallel_channels_without_ports_keep_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["failures", "dragonfly:2,4,2,groups=2", "--routing", "minimal", "--cables", "1"]) == 0
    out = capsys.readouterr().out
    assert "g0.0 - g1.0 #" in out
    assert "g0.0 - g0.1 " in out


def test_what_is_printed_can_be_removed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", f"{FABRIC},dead-links=s1[4,6] - s0[3,5]", "--routing", "ecmp"]) == 0
    assert "4 channels, 6 terminals" in capsys.readouterr().out


def test_the_worst_of_those_that_have_a_worst_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["failures", "fat-tree:4,hosts", "--routing", "minimal"]) == 0
    assert "worst case of those that have one: 1/2" in capsys.readouterr().out
    assert main(["failures", "fat-tree:4", "--routing", "minimal"]) == 0
    assert "worst case of all of them: 1/2" in capsys.readouterr().out
