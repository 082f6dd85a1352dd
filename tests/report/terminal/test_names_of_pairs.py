"""How pairs of terminals are called on the terminal."""

from __future__ import annotations

from dataclasses import replace

from routeproof import mesh
from routeproof.report.terminal.parts import pair_text
from routeproof.topologies.family import network_from_spec


def test_hosts_have_their_names_also_where_there_are_as_many_as_switches() -> None:
    network = mesh(2, 2)
    assert pair_text(network, 0, 3) == "(0,0) => (1,1)"
    assert pair_text(replace(network, terminal_labels=("a", "b", "c", "d")), 0, 3) == "a => d"


def test_terminals_without_names_are_where_they_are() -> None:
    assert pair_text(network_from_spec("fat-tree:2"), 0, 1).startswith("terminal 0 at ")
