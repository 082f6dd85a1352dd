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


def grown(name: str, size: int = 10 * 10**9) -> Damage:
    """So many bytes: what is there, lines of blanks, and then nothing that any disk holds."""

    def damage(folder: Path) -> None:
        with (folder / name).open("ab") as file:
            file.write(b" \n" * 50_000)
        os.truncate(folder / name, size)

    return damage


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


def links_to_one_another(folder: Path) -> None:
    (folder / "a").symlink_to(folder / "b")
    (folder / "b").symlink_to(folder / "a")


def back_again(folder: Path) -> None:
    """spine1 sends what is for leaf3 back to leaf1."""
    path = folder / "spine1" / "routes.json"
    routes = json.loads(path.read_text())
    to_leaf1 = next(x["via"] for x in routes if x["dst"] == "10.1.1.0/26")
    for route in routes:
        if route["dst"] == "10.1.3.0/26":
            route.update(via=to_leaf1, dev="swp1")
    path.write_text(json.dumps(routes))


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


def round_trip(folder: Path) -> None:
    """Switch s2 sends what is for s1-h0 back to s3, which sends it to s2."""
    path = folder / "ring5.lft"
    before, s2, rest = re.split(r"(?<=\(s2\):\n)|(?<=dumped) *\n(?=Unicast lids.*\(s1\))", path.read_text(), maxsplit=2)
    line = re.search(r"^0x0005 \d+", s2, re.MULTILINE)
    assert line is not None
    assert line[0] == "0x0005 001"
    path.write_text(f"{before}{s2.replace(line[0], '0x0005 002', 1)}\n{rest}")


def void(_: object) -> None:
    """What a damage returns."""


@dataclass(frozen=True)
class Case:
    kind: str
    damage: Damage
    said: str


SOURCES = {"ethernet": ETHERNET / "leaf-spine", "infiniband": INFINIBAND}
FILES = {"ethernet": "*", "infiniband": "ring5.*"}
LATIN = (INFINIBAND / "ring5.topo").read_bytes().replace(b'"s3"', b'"s\xe93"')
FAILED = b"% Unknown command: show ip route json\n"
TOO_LARGE = r"is 10\.0 GB; at most [\d.]+ [MG]B are expected"

CASES: dict[str, Case] = {
    # files of Ethernet devices
    "routes cut off": Case(
        "ethernet", cut("leaf1.routes.json", 0.6), r"leaf1\.routes\.json .* ends too early, .* cut off"
    ),
    "neighbours cut off": Case(
        "ethernet", cut("leaf1.lldp.json", 0.6), r"leaf1\.lldp\.json .* ends too early, .* cut off"
    ),
    "UTF-16": Case("ethernet", encoded("leaf1.routes.json", "utf-16"), r"leaf1\.routes\.json is text in UTF-16.*iconv"),
    "UTF-16, no mark": Case(
        "ethernet", encoded("leaf1.routes.json", "utf-16-le"), r"leaf1\.routes\.json is text in UTF-16"
    ),
    "UTF-16, big end": Case(
        "ethernet", encoded("leaf1.routes.json", "utf-16-be"), r"leaf1\.routes\.json is text in UTF-16"
    ),
    "Latin-1": Case(
        "ethernet", inserted("leaf1.lldp.json", b"\xe9"), r"leaf1\.lldp\.json is not text in UTF-8: byte 2429"
    ),
    "NUL bytes": Case(
        "ethernet", inserted("leaf1.lldp.json", b"\0\0\0"), r"leaf1\.lldp\.json is no text.*byte 2429 is 0"
    ),
    "packed": Case(
        "ethernet", packed("leaf1.routes.json"), r"leaf1\.routes\.json is packed \(gzip\): unpack it with gunzip"
    ),
    "binary": Case("ethernet", written("leaf1.routes.json", bytes(range(256)) * 9), r"leaf1\.routes\.json is no text"),
    "what a command says that fails": Case(
        "ethernet", written("leaf1.routes.json", FAILED), r"leaf1\.routes\.json is not valid JSON: .*'% Unknown command"
    ),
    "10 GB of routes": Case("ethernet", grown("leaf1.routes.json"), TOO_LARGE),
    "10 GB of neighbours": Case("ethernet", grown("leaf1.lldp.json"), TOO_LARGE),
    "a memory dump beside": Case("ethernet", written("core", b"\x7fELF\2\1\1\0\0"), r"core is no text.*byte 7 is 0"),
    "a FIFO": Case("ethernet", pipe("leaf1.routes.json"), r"leaf1\.routes\.json is a FIFO"),
    "unrelated files": Case("ethernet", unrelated, r"no dump of a network among its 3,000 files; .* was expected"),
    "a link in a circle": Case("ethernet", loop_of_links, r"loop is a link to a directory that it is in"),
    "links to one another": Case("ethernet", links_to_one_another, r"cannot read .*fabric/a: too many levels"),
    "a link to nothing": Case(
        "ethernet",
        lambda x: (x / "leaf4.lldp.json").symlink_to("gone"),
        r"leaf4\.lldp\.json is a link to a file that is not",
    ),
    "two dumps of a device": Case(
        "ethernet",
        copied("leaf1.routes.json", "leaf1.old.json"),
        r"10\.0\.0\.1 has a route already, from .*leaf1\.old\.json",
    ),
    "routes of another day": Case(
        "ethernet",
        change("leaf1.routes.json", '"swp1"', '"swp7"'),
        r"lost at leaf1, .* by swp7, where no cable is known",
    ),
    "seen by one end": Case(
        "ethernet",
        change("leaf1.lldp.json", '"swp1"', '"swp5"'),
        r"port swp5 of leaf1 .* a cable seen from one end only",
    ),
    "a loop": Case("ethernet", back_again, r"for h4 \(10\.1\.3\.2\) go round .*leaf1.* by the route 10\.1\.3\.0/26"),
    "delivered where nobody is": Case(
        "ethernet", routed("leaf1", "10.1.3.0/26", "swp11"), r"lost at leaf1, .* its own port swp11 \(10\.1\.3\.0/26\)"
    ),
    "a black hole": Case(
        "ethernet",
        routed("leaf1", "10.1.3.0/26", ""),
        r"for h4 \(10\.1\.3\.2\) are lost at leaf1, which has no route to it",
    ),
    # files of an InfiniBand fabric
    "topology cut off": Case("infiniband", cut("ring5.topo", 0.6), r"ring5\.topo, line 47: .*cut off"),
    "topology cut in a line": Case("infiniband", cut("ring5.topo", 0.61), r"ring5\.topo, line \d+: .*cut off"),
    "tables cut off": Case(
        "infiniband", cut("ring5.lft", 0.6), r"ring5\.lft, line 42: .* is not a line of forwarding tables"
    ),
    "tables cut to nothing": Case(
        "infiniband", cut("ring5.lft", 0), r"fabric has no file with forwarding tables, which dump"
    ),
    "topology cut to nothing": Case("infiniband", cut("ring5.topo", 0), r"no topology: add what ibnetdiscover prints"),
    "tables in UTF-16": Case("infiniband", encoded("ring5.lft", "utf-16"), r"ring5\.lft is text in UTF-16"),
    "tables in UTF-16, no mark": Case("infiniband", encoded("ring5.lft", "utf-16-le"), r"ring5\.lft is text in UTF-16"),
    "topology in Latin-1": Case(
        "infiniband", written("ring5.topo", LATIN), r"ring5\.topo is not text in UTF-8: byte 225 is 0xe9; .* -f LATIN1"
    ),
    "NUL bytes in tables": Case("infiniband", inserted("ring5.lft", b"\0\0"), r"ring5\.lft is no text.*byte \d+ is 0"),
    "tables packed": Case("infiniband", packed("ring5.lft"), r"ring5\.lft is packed \(gzip\): unpack it with gunzip"),
    "binary tables": Case("infiniband", written("ring5.lft", bytes(range(256)) * 9), r"ring5\.lft is no text"),
    "100 GB of tables": Case("infiniband", grown("ring5.lft", 10**11), r"is 100\.0 GB; at most [\d.]+ GB are expected"),
    "10 GB in a line": Case("infiniband", grown("ring5.lft"), r"ring5\.lft has a line of more than \d+ bytes: no dump"),
    "10 GB of cables": Case("infiniband", grown("ring5.topo"), TOO_LARGE),
    "tables in a FIFO": Case("infiniband", pipe("ring5.lft"), r"ring5\.lft is a FIFO"),
    "a link in a circle beside a topology": Case(
        "infiniband", loop_of_links, r"loop is a link to a directory that it is in"
    ),
    "a lid of another day": Case(
        "infiniband", change("ring5.topo", "lid 9 ", "lid 19 "), r"ring5\.lft, line \d+: lid 0x0009 belongs to no port"
    ),
    "a port of another day": Case(
        "infiniband",
        change("ring5.lft", "0x0005 001", "0x0005 003"),
        r"lid 0x0005 \(s1-h0\) is not reached from switch s3: .* to port 3, to host s3-h0",
    ),
    "a loop of lids": Case(
        "infiniband", round_trip, r"lid 0x0005 \(s1-h0\) is not reached from switch s[23]: .*(s2.*s3|s3.*s2)"
    ),
    "a cable of one end": Case(
        "infiniband",
        change("ring5.topo", '[1]\t"S-0000000000200001"[2]', ""),
        r"ring5\.topo, line 39: .* seen from one end",
    ),
    "two kinds": Case(
        "infiniband", lambda x: void(shutil.copy(SOURCES["ethernet"] / "leaf1.lldp.json", x)), r"two networks"
    ),
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
