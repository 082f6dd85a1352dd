"""Lists of cables: what is written comes back the same, by names; damaged lists are refused by line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from places import ROOT
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.format import read_network, write_network
from routeproof.formats.resolve import resolve_network

HEAD = "device,port,device,port,bandwidth,kind\n"


def facts(network: Network) -> tuple[Counter[object], set[tuple[str, str]]]:
    ends = zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True)
    channels = Counter[object]((network.label(u), network.label(v), width) for u, v, width in ends)
    names = network.terminal_labels or [f"host{t}" for t in range(network.num_terminals)]
    return channels, {(name, network.label(int(v))) for name, v in zip(names, network.source, strict=True)}


@pytest.mark.parametrize(
    "text",
    ["fat-tree:4", "torus:3x3,bandwidth=2x1", "leaf-spine:2,3,2,cables=1", "examples/infiniband", "examples/ethernet"],
)
def test_lists_come_back_as_they_went(text: str, tmp_path: Path) -> None:
    text = str(ROOT / text) if text.startswith("examples") else text
    path = tmp_path / "intent.csv"
    assert main(["convert", text, str(path)]) == 0
    assert facts(read_network(path)) == facts(resolve_network(text))


def test_a_changed_list_is_an_intent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, report = tmp_path / "intent.csv", str(tmp_path / "r.json")
    assert main(["convert", str(ROOT / "examples" / "infiniband"), str(path)]) == 0
    lines = path.read_text().splitlines()
    assert lines[1] == "s2,3,s0,4,1,cable"
    path.write_text("\n".join([lines[0], "s2,5,s0,6,1,cable", *lines[1:]]))
    capsys.readouterr()
    assert main(["check", str(ROOT / "examples" / "infiniband"), "--intent", str(path), "--json", report]) == 0
    assert "1 cable missing" in capsys.readouterr().out
    assert main(["verify", report]) == 0


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "has no cable"),
        ("a,1,b,1,1,link\n", "line 2: two devices, and cable or host"),
        ("a,1,a,2,1,cable\n", "line 2: two devices"),
        ("a,1,b,1,0,cable\n", "line 2: bandwidth"),
        ("a,1,b,1,1,cable\na,1,c,1,1,cable\n", "line 3: port '1' of 'a' has a cable already"),
        ("a,1,b,1,1,cable\na,2,h,,,host\nb,2,h,,,host\n", "line 4: host 'h' is there already"),
        ("a,1,b,1,1,cable\na,2,b,,,host\n", "'b' is a host and a switch"),
        ("a,1,b,1,4,cable\na,2,b,2,,cable\n", "line 3: the cable has no bandwidth, and others have"),
        ("a,1,b,1,,cable\na,2,b,2,4,cable\n", "line 2: the cable has no bandwidth, and others have"),
        ("a,1,b,1,1,cable\na,2,h,,fast,host\n", "line 3: bandwidth is 'fast'"),
        ("a,1,b,1,1\n", "line 2 has 5 columns; 6 were expected"),
    ],
)
def test_damaged_lists_are_refused(lines: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "intent.csv"
    path.write_text(HEAD + lines)
    with pytest.raises(InputError, match=said):
        read_network(path)


@pytest.mark.parametrize("first", ["", "source,destination,path,weight,hop,channel,virtual_channel\n"])
def test_a_list_without_its_first_line_loses_no_cable(first: str, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(first + ("0,1,0,1/2,0,0,0\n" if first else "a,1,b,1,1,cable\n"))
    with pytest.raises(InputError, match=r"line 1 is .*; device,port,device,port,bandwidth,kind was expected"):
        resolve_network(str(path))


def test_what_a_list_says_of_hosts_cables_is_not_dropped_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "intent.csv"
    path.write_text(HEAD + "a,1,b,1,100,cable\na,2,h,,400,host\nb,2,i,,,host\n")
    with pytest.warns(UserWarning, match="bandwidths of hosts' cables are not used .*line 3"):
        assert read_network(path).bandwidth == (100, 100)


@pytest.mark.parametrize(
    ("text", "said"), [("ring:3,oneway", "without one back"), ("butterfly:2", "without one back|receive")]
)
def test_what_no_list_holds_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        write_network(resolve_network(text), tmp_path / "intent.csv")
    assert not list(tmp_path.iterdir())
