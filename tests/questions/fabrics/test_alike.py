"""What is regular about a fabric: how many switches of a level are alike, and how each other one differs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from routeproof import check, torus
from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.questions.fabrics.alike import alike_lines
from routeproof.topologies.family import network_from_spec

HOW = "alike: in how many cables lead to which level at which rate (level: cables to the nearest host)"
LEAVES, SPINES = range(1, 6), range(1, 5)
Ends = tuple[int, int]


def dump(missing: Collection[Ends] = (), slow: Collection[Ends] = ()) -> str:
    """What ibnetdiscover prints of five leaves, each with a host at port 1 and spine s at port 10 + s."""
    text = list[str]()

    def switch(ports: Mapping[int, tuple[str, int, str]], guid: str, name: str) -> None:
        text.append(f'Switch 20 "{guid}"\t# "{name}" base port 0 lid {len(text) + 100} lmc 0')
        text.extend(f'[{p}]\t"{other}"[{q}]\t# "x" lid 1 {rate}' for p, (other, q, rate) in ports.items())
        text.append("")

    def rate(cable: Ends) -> str:
        return "4xEDR" if cable in slow else "4xHDR"

    cables = [(x, y) for x in LEAVES for y in SPINES if (x, y) not in missing]
    for x in LEAVES:
        up = {10 + s: (f"S-b{s}", x, rate((x, s))) for one, s in cables if one == x}
        switch({1: (f"H-c{x}", 1, "4xHDR"), **up}, f"S-a{x}", f"leaf{x}")
    for s in SPINES:
        switch({x: (f"S-a{x}", 10 + s, rate((x, s))) for x, y in cables if y == s}, f"S-b{s}", f"spine{s}")
    for x in LEAVES:
        text += [f'Ca 1 "H-c{x}"\t# "host{x}"', f'[1](c{x}) "S-a{x}"[1]\t# lid 1{x} lmc 0 "x" lid 1 4xHDR', ""]
    return "\n".join(text)


def lines_of(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "fabric.topo"
    path.write_text(text)
    return list(check(path).answer.notes)


def test_a_missing_cable_is_told_at_both_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = lines_of(tmp_path, dump([(3, 2)]))
    assert found == [
        HOW,
        "level 1: 4 of 5 switches alike: 1 cable to each of 4 switches of level 2",
        "  leaf3 has 1 fewer cable to level 2 (none to spine2; none at port 12)",
        "level 2: 3 of 4 switches alike: 1 cable to each of 5 switches of level 1",
        "  spine2 has 1 fewer cable to level 1 (none to leaf3; none at port 3)",
    ]
    assert main(["check", str(tmp_path / "fabric.topo")]) == 0
    assert found[2] in capsys.readouterr().out


def test_a_slow_cable_is_named_with_its_rate(tmp_path: Path) -> None:
    found = lines_of(tmp_path, dump(slow=[(1, 4)]))
    assert found[1:3] == [
        "level 1: 4 of 5 switches alike: 1 cable at 200 Gb/s to each of 4 switches of level 2",
        "  leaf1 has 1 fewer cable at 200 Gb/s to level 2, 1 more cable at 100 Gb/s to level 2 (leaf1[14] - spine4[1])",
    ]


def test_switches_that_differ_alike_share_a_line(tmp_path: Path) -> None:
    found = lines_of(tmp_path, dump([(1, 2), (2, 2)]))
    assert found[1] == "level 1: 3 of 5 switches alike: 1 cable to each of 4 switches of level 2"
    assert found[2] == "  leaf1 and leaf2 have each 1 fewer cable to level 2 (none to spine2; none at port 12)"
    assert found[4] == "  spine2 has 2 fewer cables to level 1 (none to leaf1 and leaf2; none at ports 1 and 2)"


def test_all_alike_is_a_line_each() -> None:
    found = alike_lines(network_from_spec("fat-tree:4"))
    assert [x.partition(" alike")[0] for x in found[1:]] == [
        "level 1: 8 of 8 switches",
        "level 2: 8 of 8 switches",
        "level 3: 4 of 4 switches",
    ]


def both(*cables: Ends) -> list[Ends]:
    return [x for u, v in cables for x in ((u, v), (v, u))]


def test_nothing_is_said_where_no_majority_is_alike() -> None:
    assert not alike_lines(Network.of("path", 4, both((0, 1), (1, 2), (2, 3))))


def test_a_level_without_a_majority_is_told_beside_others() -> None:
    star = both((0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4), (3, 5))
    found = alike_lines(Network.of("n", 7, star, source=[1, 2, 3], sink=[1, 2, 3]))
    assert found[1:] == [
        "level 1: 2 of 3 switches alike: 1 cable to each of 2 switches of level 2",
        "  3 has 1 more cable to level 2",
        "level 2: 2 of 3 switches alike: 1 cable to each of 3 switches of level 1",
        "  5 has 2 fewer cables to level 1",
        "no cable leads on to a host from 6",
    ]
    path = both((0, 4), (1, 4), (1, 5), (2, 6), (3, 6), (0, 7), (2, 7), (3, 7), (4, 5))
    assert "level 2: no more than half of its 4 switches are alike" in alike_lines(
        Network.of("n", 8, path, source=range(4), sink=range(4))
    )


def test_as_many_cables_to_other_switches() -> None:
    cables = both((0, 3), (0, 3), (0, 4), (0, 4), (1, 3), (1, 3), (1, 4), (1, 4), (2, 3), (2, 4), (2, 4), (2, 4))
    found = alike_lines(Network.of("n", 5, cables, source=[0, 1, 2], sink=[0, 1, 2]))
    assert found[2] == (
        "  2 has as many cables, but to other numbers of switches: "
        "1 cable to a switch of level 2; 3 cables to a switch of level 2"
    )


def test_channels_of_one_direction_are_cables_of_their_own() -> None:
    ring = [(v, (v + 1) % 5) for v in range(5)]
    assert alike_lines(Network.of("n", 5, ring))[1:] == [
        "level 1: 5 of 5 switches alike: "
        "1 one-way cable from a switch of level 1; 1 one-way cable to a switch of level 1"
    ]


def test_only_networks_are_judged_so(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("1 0 2\n")
    assert not check(path).answer.notes
    assert len(alike_lines(torus(3, 3))) == 2
