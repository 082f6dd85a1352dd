"""A worst case that pairs the HCAs of one server is answered across servers, unless all permutations are asked for."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.formats.format import write_network

ENDS = [(0, 1), (1, 0), (1, 2), (2, 1)]


def line(*names: str, at: tuple[int, ...] = (0, 0, 1, 1, 2)) -> Network:
    """Three switches in a line."""
    return Network.of("line", 3, ENDS, source=at, sink=at, terminal_labels=names)


SERVER = line("n1 mlx5_0", "n1 mlx5_1", "n1 mlx5_2", "n1 mlx5_3", "n2 mlx5_0")


def test_one_server_on_both_sides_of_a_cable() -> None:
    found = rp.worst_case(rp.named_routing("minimal", SERVER))
    assert found.load == 1  # of its own traffic the cable would carry 2
    assert rp.worst_case(rp.named_routing("minimal", SERVER), demands="permutations").load == 2


def test_names_that_tell_no_server() -> None:
    found = rp.worst_case(rp.named_routing("minimal", line("a", "b", "c", "d", "e")))
    assert found.load == 2


def test_traffic_across_servers_that_is_as_bad_stays_the_worst_of_all_permutations() -> None:
    net = line("n1 mlx5_0", "n2 mlx5_0", "n1 mlx5_1", "n2 mlx5_1", "n3 mlx5_0")
    found = rp.worst_case(rp.named_routing("minimal", net))
    assert found.load == Fraction(2)


def test_the_report_names_the_set_and_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_network(SERVER, "net.json")
    assert main(["worst-case", "net.json", "--routing", "minimal", "--json", "r.json"]) == 0
    printed = capsys.readouterr().out
    assert "worst-case channel load over servers" in printed
    assert "--demands permutations counts it, too" in printed
    assert main(["verify", "r.json"]) == 0
    assert json.loads(Path("r.json").read_text())["subject"]["demands"]["servers"] == [[0, 1, 2, 3]]
    capsys.readouterr()


def test_of_one_server_alone_all_permutations_are_meant() -> None:
    net = line("n1 mlx5_0", "n1 mlx5_1", "n1 mlx5_2", "n1 mlx5_3", "n1 mlx5_4")
    found = rp.worst_case(rp.named_routing("minimal", net))
    assert found.load == rp.worst_case(rp.named_routing("minimal", net), demands="permutations").load == 2
