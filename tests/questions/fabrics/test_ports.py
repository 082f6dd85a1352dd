"""A fabric's ports against those of its intent, both lists of cables: swapped ports, other ports, ports not named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from routeproof import check, read_network, write_network
from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.questions.fabrics.cabling import CablingAnswer
from routeproof.topologies.ports import Ports

HEAD = "device,port,device,port,bandwidth,kind"
HOSTS = [f"leaf{x},1,host{x},,,host" for x in range(1, 4)]
CABLES = [f"leaf{x},{10 + s},spine{s},{x},1,cable" for x in range(1, 4) for s in (1, 2)]


def written(path: Path, cables: list[str]) -> Path:
    path.write_text("\n".join([HEAD, *cables, *HOSTS, ""]))
    return path


def asked(tmp_path: Path, found: list[str], intended: list[str] = CABLES) -> CablingAnswer:
    fabric, intent = written(tmp_path / "fabric.csv", found), written(tmp_path / "intent.csv", intended)
    answer = check(fabric, intent=str(intent), costs=0).answer
    assert isinstance(answer, CablingAnswer)
    return answer


def ports_of(answer: CablingAnswer) -> Ports:
    assert answer.ports is not None
    return answer.ports


def changed(*edits: tuple[str, str], cables: list[str] = CABLES) -> list[str]:
    text = "\n".join(cables)
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.split("\n")


def test_every_port_is_as_intended_in_any_order_and_either_way_round(tmp_path: Path) -> None:
    turned = [",".join((c, d, a, b, *rest)) for a, b, c, d, *rest in (x.split(",") for x in CABLES)]
    random.Random(1).shuffle(turned)
    found = ports_of(asked(tmp_path, turned))
    assert (found.compared, found.differ, found.whole) == (6, 0, True)


def test_swapped_ports_are_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edits = ("leaf2,11,spine1", "leaf2,12,spine1"), ("leaf2,12,spine2", "leaf2,11,spine2")
    answer = asked(tmp_path, changed(*edits))
    assert [len(x.cables) for x in ports_of(answer).others] == [2]
    assert not answer.found.cables
    report = str(tmp_path / "r.json")
    files = [str(tmp_path / x) for x in ("fabric.csv", "intent.csv")]
    assert main(["check", files[0], "--intent", files[1], "--costs", "0", "--json", report]) == 0
    text = capsys.readouterr().out
    assert "Found: 1 pair of ports swapped. The guarantee is that of the intent" in text
    row = next(x.split("   ") for x in text.splitlines() if x.startswith("swapped ports"))
    assert row[1:] == [
        "spine1[2] - leaf2[12]; spine2[2] - leaf2[11]",
        "spine1[2] - leaf2[11]; spine2[2] - leaf2[12]",
    ]
    assert main(["verify", report]) == 0


def test_a_cable_at_another_port(tmp_path: Path) -> None:
    other = ports_of(asked(tmp_path, changed(("leaf3,12,", "leaf3,19,")))).others
    assert [[x[1:] for x in one.cables] for one in other] == [[(("3", "19"), ("3", "12"))]]


def test_a_missing_cable_is_no_other_port(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    double = [*CABLES, "leaf1,21,spine1,21,1,cable", "leaf1,22,spine1,22,1,cable"]
    answer = asked(tmp_path, changed(cables=double[:-2] + double[-1:]), double)
    assert answer.found.counts()["cables_missing"] == 1
    assert not ports_of(answer).differ
    files = [str(tmp_path / x) for x in ("fabric.csv", "intent.csv")]
    assert main(["check", files[0], "--intent", files[1], "--costs", "0"]) == 0
    assert "leaf1[21] - spine1[21]" in capsys.readouterr().out
    other = asked(tmp_path, [*CABLES, "leaf1,29,spine1,22,1,cable"], double)
    assert (ports_of(other).differ, ports_of(other).lost) == (1, {})  # which one is missing is not known


def test_parallel_cables_are_paired_with_the_fewest_differences(tmp_path: Path) -> None:
    double = [*CABLES, "leaf1,21,spine1,21,1,cable", "leaf1,22,spine1,22,1,cable"]
    crossed = changed(("21,spine1,21", "21,spine1,22"), ("22,spine1,22", "22,spine1,21"), cables=double)
    assert [len(x.cables) for x in ports_of(asked(tmp_path, crossed, double)).others] == [2]


def test_what_is_not_named_is_no_deviation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blank = changed(("leaf1,11,spine1,1,", "leaf1,,spine1,7,"), ("leaf3,12,spine2,3,", "leaf3,,spine2,,"))
    found = ports_of(asked(tmp_path, CABLES, blank))
    assert (found.compared, found.differ, found.whole) == (5, 1, False)
    files = [str(tmp_path / x) for x in ("fabric.csv", "intent.csv")]
    assert main(["check", files[0], "--intent", files[1], "--costs", "0"]) == 0
    assert "leaf1[11] - spine1[1]   leaf1[?] - spine1[7]" in capsys.readouterr().out


def test_another_numbering_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = [f"leaf{x},eth{s},spine{s},eth{x},1,cable" for x in range(1, 4) for s in (1, 2)]
    assert ports_of(asked(tmp_path, CABLES, other)).differ == 6
    files = [str(tmp_path / x) for x in ("fabric.csv", "intent.csv")]
    assert main(["check", files[0], "--intent", files[1], "--costs", "0"]) == 0
    text = capsys.readouterr().out
    assert "ports: 6 of 6 cables are at others than intended, too many to list" in text
    assert "Every cable, speed, switch and host is as intended." in text


def test_ports_are_kept_by_lists_and_are_no_numbers(tmp_path: Path) -> None:
    path = written(tmp_path / "one.csv", [x.replace(",1", ",2/1") for x in CABLES])
    network: Network = read_network(path)
    write_network(network, tmp_path / "two.csv")
    again, cables = ((x.read_text().splitlines()[1:7]) for x in (tmp_path / "two.csv", path))
    assert sorted(x.split(",")[1:4:2] for x in again) == sorted(x.split(",")[1:4:2] for x in cables)
    write_network(network, tmp_path / "net.json")
    assert not read_network(tmp_path / "net.json").channel_attributes
