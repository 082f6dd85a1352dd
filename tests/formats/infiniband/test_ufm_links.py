"""UFM's list of links, as CSV and as its REST API answers."""

from __future__ import annotations

import csv
import io
import json
import warnings
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.format import read_network

LEAVES, SPINES = (0xA1, 0xA2), (0xB1, 0xB2)


def links() -> list[dict[str, str]]:
    """Two leaves with two hosts each, two spines."""
    found = []

    def add(a: int, p: int, name: str, b: int, q: int, far: str) -> None:
        found.append({
            "source_guid": f"{a:016x}", "source_port": str(p), "destination_guid": f"{b:016x}",
            "destination_port": str(q), "width": "4x", "severity": "Info", "source_port_node_description": name,
            "destination_port_node_description": far,
        })  # fmt: skip

    for k, leaf in enumerate(LEAVES):
        for h in (1, 2):
            add(leaf, h, f"leaf-{k}:1/{h}/1", 0x1000 + 16 * k + h, 1, f"node{k}{h} mlx5_0")
        for m, spine in enumerate(SPINES):
            add(leaf, 33 + m, f"leaf-{k}:33/1", spine, 33 + k, f"spine-{m}:{33 + k}")
    return found


def written(tmp_path: Path, some: list[dict[str, str]], *, as_json: bool = False) -> Network:
    path = tmp_path / ("links.json" if as_json else "links.csv")
    if as_json:
        path.write_text(json.dumps(some))
    else:
        text = io.StringIO()
        writer = csv.DictWriter(text, list(some[0]))
        writer.writeheader()
        writer.writerows(some)
        path.write_text(text.getvalue())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_network(path)


def test_a_line_says_that_speeds_are_not_told(tmp_path: Path) -> None:
    path = tmp_path / "links.json"
    path.write_text(json.dumps(links()))
    with pytest.warns(rp.RouteproofWarning, match="does not say how fast links are: all are taken as equal"):
        read_network(path)


@pytest.mark.parametrize("as_json", [True, False])
def test_switches_and_hosts(as_json: bool, tmp_path: Path) -> None:
    net = written(tmp_path, links(), as_json=as_json)
    assert net.labels == ("leaf-0", "leaf-1", "spine-0", "spine-1")
    assert set(net.terminal_labels or ()) == {f"node{k}{h} mlx5_0" for k in (0, 1) for h in (1, 2)}
    channels = {net.channel_label(c) for c in range(net.num_channels)}
    assert "leaf-0[34] -> spine-1[33]" in channels
    assert len(channels) == 8
    assert rp.worst_case(rp.named_routing("ecmp", net)).load == 1


def test_links_may_be_listed_from_both_ends(tmp_path: Path) -> None:
    def turned(link: dict[str, str]) -> dict[str, str]:
        swap = {"source": "destination", "destination": "source"}
        return {"_".join([swap.get(x.split("_")[0], x.split("_")[0]), *x.split("_")[1:]]): y for x, y in link.items()}

    both = written(tmp_path, [*links(), *map(turned, links())], as_json=True)
    assert both.num_channels == 8


def test_headings_of_other_letters(tmp_path: Path) -> None:
    some = [{x.replace("_", " ").title(): y for x, y in link.items()} for link in links()]
    assert written(tmp_path, some).num_terminals == 4


@pytest.mark.parametrize(
    ("row", "change", "said"),
    [
        (0, {"source_guid": "xyz"}, "row 1: source_guid is 'xyz'"),
        (1, {"destination_port": "0"}, "row 2: destination_port is '0'"),
        (1, {"source_port": "1"}, "row 2: port 1 of 00000000000000a1 has another cable in row 1"),
        (3, {"width": "1x"}, "links of width '4x' .row 1. and '1x' .row 4., without their speeds"),
        (0, {"source_guid": "00000000000000a9"}, "row 1: a link between .* which is not said"),
    ],
)
def test_broken_lists(row: int, change: dict[str, str], said: str, tmp_path: Path) -> None:
    some = links()
    some[row] |= change
    with pytest.raises(InputError, match=said) as caught:
        written(tmp_path, some)
    assert "\n" not in str(caught.value)


def test_unequal_widths_taken_alike(tmp_path: Path) -> None:
    some = links()
    some[3] |= {"width": "1x"}
    path = tmp_path / "links.json"
    path.write_text(json.dumps(some))
    assert set(read_network(path, bandwidth=1).bandwidth) == {1}
