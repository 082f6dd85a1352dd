"""What goes wrong with dumps on their way from a switch to the command: one line each, exit 2, nothing guessed.

A case damages a folder of dumps that is good, of Ethernet devices or of an InfiniBand fabric, and says which words the
one line on standard error has.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from places import ETHERNET, INFINIBAND
from routeproof.cli.main import main

Damage = Callable[[Path], None]


def change(name: str, old: str, new: str, count: int = -1) -> Damage:
    def damage(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, count))

    return damage


def cut(name: str, part: float) -> Damage:
    def damage(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(len(content) * part)])

    return damage


def encoded(name: str, encoding: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes((folder / name).read_text().encode(encoding))

    return damage


def written(name: str, content: bytes) -> Damage:
    return lambda folder: void((folder / name).write_bytes(content))


def inserted(name: str, content: bytes) -> Damage:
    def damage(folder: Path) -> None:
        whole = (folder / name).read_bytes()
        half = len(whole) // 2
        (folder / name).write_bytes(whole[:half] + content + whole[half:])

    return damage


def packed(name: str) -> Damage:
    return lambda folder: void((folder / name).write_bytes(gzip.compress((folder / name).read_bytes())))


def sparse(name: str, size: int = 10 * 10**9) -> Damage:
    return lambda folder: os.truncate(folder / name, size)


def removed(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def copied(name: str, other: str) -> Damage:
    return lambda folder: void(shutil.copy(folder / name, folder / other))


def pipe(name: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)

    return damage


def unrelated(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    for k in range(3000):
        (folder / f"note{k:04d}.txt").write_text(f"{k}: nothing of interest\n")


def loop_of_links(folder: Path) -> None:
    (folder / "loop").symlink_to(folder)
    (folder / "a").symlink_to(folder / "b")
    (folder / "b").symlink_to(folder / "a")


def routed(device: str, prefix: str, interface: str) -> Damage:
    """The only next hop of a route is now that interface ("": there is no such route any more)."""

    def damage(folder: Path) -> None:
        path = folder / f"{device}.routes.json"
        routes: dict[str, Any] = json.loads(path.read_text())
        if not interface:
            del routes[prefix]
        else:
            (route,) = routes[prefix]
            hop = {"fib": True, "interfaceName": interface, "ip": "fe80::1", "active": True, "weight": 1}
            route["nexthops"] = [hop]
        path.write_text(json.dumps(routes))

    return damage


def void(_: object) -> None:
    """What a damage returns."""


@dataclass(frozen=True)
class Case:
    kind: str
    damage: Damage
    said: str


SOURCES = {"ethernet": ETHERNET / "leaf-spine", "infiniband": INFINIBAND}
FILES = {"ethernet": "*", "infiniband": "ring5.*"}
SPARSE = r"is 10\.0 GB; at most [\d.]+ MB are expected"

CASES: dict[str, Case] = {
    "routes cut off": Case("ethernet", cut("leaf1.routes.json", 0.6), r"leaf1\.routes\.json"),
    "neighbours cut off": Case("ethernet", cut("leaf1.lldp.json", 0.6), r"leaf1\.lldp\.json"),
    "cut to nothing": Case("ethernet", cut("leaf1.lldp.json", 0), r"leaf1\.lldp\.json is empty"),
    "UTF-16": Case("ethernet", encoded("leaf1.routes.json", "utf-16"), r"leaf1\.routes\.json .*UTF-16"),
    "UTF-16 without mark": Case("ethernet", encoded("leaf1.routes.json", "utf-16-le"), r"leaf1\.routes\.json"),
    "a byte of Latin-1": Case("ethernet", inserted("leaf1.lldp.json", b"\xe9"), r"leaf1\.lldp\.json"),
    "NUL bytes": Case("ethernet", inserted("leaf1.lldp.json", b"\0\0\0"), r"leaf1\.lldp\.json"),
    "packed": Case("ethernet", packed("leaf1.routes.json"), r"leaf1\.routes\.json .*gzip"),
    "binary": Case("ethernet", written("leaf1.routes.json", bytes(range(256)) * 9), r"leaf1\.routes\.json"),
    "an error message in the dump": Case(
        "ethernet", written("leaf1.routes.json", b"% Unknown command: show ip route json\n"), r"leaf1"
    ),
    "10 GB of routes": Case("ethernet", sparse("leaf1.routes.json"), SPARSE),
    "10 GB of neighbours": Case("ethernet", sparse("leaf1.lldp.json"), SPARSE),
    "10 GB beside": Case("ethernet", lambda x: (written("core", b"\0")(x), sparse("core")(x))[1], r"core"),
    "a FIFO": Case("ethernet", pipe("leaf1.routes.json"), r"leaf1\.routes\.json is a FIFO"),
    "thousands of unrelated files": Case("ethernet", unrelated, r"neither"),
    "links in a circle": Case("ethernet", loop_of_links, r"link"),
    "two dumps of a device": Case("ethernet", copied("leaf1.routes.json", "leaf1.old.json"), r"has a route already"),
    "routes of another day": Case(
        "ethernet", change("leaf1.routes.json", '"swp1"', '"swp7"'), r"leaf1.*swp7.*(no cable|no link)"
    ),
    "neighbour seen by one end": Case("ethernet", change("leaf1.lldp.json", '"swp1"', '"swp5"'), r"one end|swp5"),
    "a loop": Case("ethernet", routed("leaf1", "10.1.3.0/26", "swp11"), r"leaf1.*10\.1\.3\.0/26|10\.1\.3\.0/26.*leaf1"),
    "a black hole": Case("ethernet", routed("leaf1", "10.1.3.0/26", ""), r"leaf1.*no route|no route.*leaf1"),
    "topology cut off": Case("infiniband", cut("ring5.topo", 0.6), r"ring5\.topo"),
    "topology cut in a line": Case("infiniband", cut("ring5.topo", 0.61), r"ring5\.topo"),
    "tables cut off": Case("infiniband", cut("ring5.lft", 0.6), r"ring5\.lft.*cut off"),
    "levels cut to nothing": Case("infiniband", cut("ring5.paths", 0), r"ring5\.paths is empty"),
    "UTF-16, InfiniBand": Case("infiniband", encoded("ring5.lft", "utf-16"), r"ring5\.lft .*UTF-16"),
    "UTF-16 without mark, InfiniBand": Case("infiniband", encoded("ring5.lft", "utf-16-le"), r"ring5\.lft"),
    "a byte of Latin-1, InfiniBand": Case("infiniband", inserted("ring5.lft", b"\xe9"), r"ring5\.lft.*UTF-8"),
    "NUL bytes, InfiniBand": Case("infiniband", inserted("ring5.lft", b"\0\0\0"), r"ring5\.lft"),
    "packed, InfiniBand": Case("infiniband", packed("ring5.lft"), r"ring5\.lft .*gzip"),
    "binary, InfiniBand": Case("infiniband", written("ring5.lft", bytes(range(256)) * 9), r"ring5\.lft"),
    "10 GB of tables": Case("infiniband", sparse("ring5.lft"), SPARSE),
    "10 GB of cables": Case("infiniband", sparse("ring5.topo"), SPARSE),
    "a FIFO, InfiniBand": Case("infiniband", pipe("ring5.lft"), r"ring5\.lft is a FIFO"),
    "unrelated, InfiniBand": Case("infiniband", unrelated, r"neither"),
    "links in a circle, InfiniBand": Case("infiniband", loop_of_links, r"link"),
    "a lid of another day": Case(
        "infiniband", change("ring5.topo", "lid 9 ", "lid 19 "), r"ring5\.lft.*lid 0x0009 belongs to no port"
    ),
    "a cable of another day": Case("infiniband", change("ring5.lft", "0x0005 001", "0x0005 003"), r"ring5\.lft|s2"),
    "mixed": Case(
        "infiniband", lambda x: void(shutil.copy(SOURCES["ethernet"] / "leaf1.lldp.json", x)), r"two networks"
    ),
    "cable of one end": Case("infiniband", change("ring5.topo", '[1]\t"S-0000000000200001"[2]', ""), r"ring5\.topo"),
}


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    kind = CASES[request.getfixturevalue("name")].kind
    place = tmp_path / "fabric"
    place.mkdir()
    for path in SOURCES[kind].glob(FILES[kind]):
        if path.is_dir():
            shutil.copytree(path, place / path.name)
        else:
            shutil.copy(path, place)
    return place


@pytest.mark.parametrize("name", CASES)
def test_one_clear_line(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    CASES[name].damage(folder)
    assert main(["worst-case", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert len(err) < 600
    assert re.search(CASES[name].said, err), err
