"""Path records and SL2VL tables of a simulated fabric (OpenSM's lash on a ring of five), and what damage does."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infiniband_files import read_ibnetdiscover
from places import INFINIBAND
from routeproof.core.errors import InputError
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.service_levels import read_path_levels
from routeproof.formats.infiniband.sl2vl import read_lane_tables

PATHS = (INFINIBAND / "ring5.paths").read_text()
LANES = (INFINIBAND / "ring5.sl2vl").read_text()
FABRIC = read_ibnetdiscover(INFINIBAND / "ring5.topo")
LEVEL = read_path_levels(INFINIBAND / "ring5.paths", FABRIC).level


def as_dump(text: str, network: FabricNetwork) -> str:
    """The same records as OpenSM's plugin dump_pr writes them."""
    records = re.findall(r"dlid\.+(\d+)\s+slid\.+(\d+)[^P]*?\tsl\.+0x(\w)", text)
    parts = []
    for host in network.hosts:
        parts.append(f'Channel Adapter 0x{host.guid:016x}, base LID {host.lid}, "{host.name}", port 1')
        parts.append("# LID  : SL : MTU : RATE")
        parts += [f"0x{int(d):04X} : {int(s, 16):<2d} : 4   : 3   " for d, i, s in records if int(i) == host.lid]
        parts.append("")
    return "\n".join(parts)


DUMP = as_dump(PATHS, FABRIC)


def levels(tmp_path: Path, text: str | bytes, **more: bool) -> np.ndarray:
    path = tmp_path / "given.paths"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_path_levels(path, FABRIC, **more).level


def lanes(tmp_path: Path, text: str) -> tuple[np.ndarray, ...]:
    path = tmp_path / "given.sl2vl"
    path.write_text(text, newline="")
    return read_lane_tables(path, FABRIC)


def test_levels_are_those_of_the_records() -> None:
    assert LEVEL.shape == (1, 5, 5)
    names = {host.name: t for t, host in enumerate(FABRIC.hosts)}
    assert np.bincount(LEVEL.ravel()).tolist() == [5, 12, 8]
    lids = {host.lid: t for t, host in enumerate(FABRIC.hosts)}
    for record in PATHS.split("PathRecord dump:")[1:]:
        field = dict(re.findall(r"(\w+)\.{2,}(.*)", record))
        i, j = lids[int(field["slid"])], lids[int(field["dlid"])]
        assert LEVEL[0, i, j] == 1 << int(field["sl"], 16)
    assert names["s0-h0"] in lids.values()


@pytest.mark.parametrize("text", [PATHS, DUMP], ids=["saquery", "dump_pr"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_endings_and_both_forms(text: str, end: str, tmp_path: Path) -> None:
    assert np.array_equal(levels(tmp_path, text.replace("\n", end)), LEVEL)
    mixed = "".join(line + ("\r\n" if k % 3 else "\n") for k, line in enumerate(text.splitlines()))
    assert np.array_equal(levels(tmp_path, "\ufeff# a remark\n".encode()[3:] + mixed.encode()), LEVEL)


def test_two_levels_of_one_pair_are_both_taken(tmp_path: Path) -> None:
    host = FABRIC.hosts[0]
    other = FABRIC.hosts[1]
    more = f'Channel Adapter 0x{host.guid:016x}, base LID {host.lid}, "x", port 1\n0x{other.lid:04X} : 12 : 4 : 3\n'
    assert levels(tmp_path, PATHS + more)[0, 0, 1] == LEVEL[0, 0, 1] | 1 << 12


def test_switches_are_passed_over(tmp_path: Path) -> None:
    switch, host = FABRIC.switches[0], FABRIC.hosts[0]
    more = (
        f'Switch 0x{switch.guid:016x}, base LID {switch.lid}, "s", port 0\n0x{host.lid:04X} : 3  : 4   : 3\n'
        f"0x{switch.lid:04X} : 3  : 4   : 3   \n"
    )
    assert np.array_equal(levels(tmp_path, DUMP + more), LEVEL)
    with pytest.raises(InputError, match="the paths of switches only"):
        levels(tmp_path, more)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "slid....................SLID\n",
            "slid....................77\n",
            r"line 6: lid 77 belongs to no port of ring5",
        ),
        ("slid....................SLID\n", "slid....................0\n", r"line 6: a record of lid 0.*--src-to-dst"),
        ("sl......................0x0", "sl......................0x10", r"line 12: the service level is 16; 0 to 15"),
        ("sl......................0x0", "sl......................", r"line 12: sl is ''; a number was expected"),
        ("\t\tsl......................0x0\n", "", r"line 1: the record that begins here has no sl \(cut off\?\)"),
        ("\t\tmtu", "\t\tslid....................2\n\t\tmtu", r"line 13: a second slid in the record of line 1"),
        ("PathRecord dump:", "PathRecord", r"line 1: 'PathRecord' is not a line of path records"),
    ],
)
def test_wrong_records_of_saquery(old: str, new: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        levels(tmp_path, PATHS.replace(old.replace("SLID", re.findall(r"slid\.+(\d+)", PATHS)[0]), new, 1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"0x0002 : 0  :", "0x0002 : 16 :", r"line \d+: the service level is 16"),
        (r"0x0002 : 0  :", "0x0002 : 200:", r"line \d+: the service level is 200"),
        (r"0x0002 :", "0x0077 :", r"line \d+: lid 0x0077 belongs to no port of ring5"),
        (r"0x0002 : 0", "0x0002", r"line \d+: .* is not a line of path records"),
        (r"^Channel.*\n", "", r"line 2: a path before any port"),
        (r"base LID \d+", "base LID 99", r"line 1: lid 99 belongs to no port"),
        (r"0x0000000000100", "0x0000000000200", r"line 1: lid 0x\w+ belongs to port GUID .* paths of another fabric"),
        (r"0x0002 : (0 |1 ) .*\n", "0x0002 : UNREACHABLE\n", r"no path record from .* \(lid \d+\) to s0-h0 \(lid 2\)"),
    ],
)
def test_wrong_lines_of_dump_pr(old: str, new: str, words: str, tmp_path: Path) -> None:
    text = re.sub(old, new, DUMP, count=1)
    assert text != DUMP
    with pytest.raises(InputError, match=words):
        levels(tmp_path, text)


def test_missing_pairs_are_named_or_allowed(tmp_path: Path) -> None:
    half = PATHS[: PATHS.rindex("PathRecord")]
    with pytest.raises(InputError, match=r"has no path record from .* \(lid \d+\) to .*,missing=none"):
        levels(tmp_path, half)
    found = levels(tmp_path, half, allow_missing=True)
    assert (found != LEVEL).sum() == 1
    with pytest.raises(InputError, match="no path record of two hosts"):
        levels(tmp_path, "")


def test_lanes_of_all_three_forms(tmp_path: Path) -> None:
    dump = lanes(tmp_path, LANES)
    assert [x.shape for x in dump] == [(4, 4, 16)] * 5
    assert dump[0][1, 2].tolist() == [*range(8), *range(8)]
    number = {switch.guid: v for v, switch in enumerate(FABRIC.switches)}
    smp, sa, v = [], [], -1
    for line in LANES.splitlines():
        if line.startswith("Switch"):
            v = number[int(line[7:25], 16)]
            smp.append(f"# SL2VL table: Lid {FABRIC.switches[v].lid}")
        elif line.startswith("Channel"):
            v = -1
        elif re.match(r"\d", line) and v >= 0:
            ports, _, row = line.partition(":")
            a, b = map(int, ports.split())
            values = "".join(f"{int(x):2d}|" for x in row.split())
            smp.append(f"ports: in {a:2d}, out {b:2d}: |{values}")
            sa.append(
                f"SL2VLTableRecord dump:\n\t\tLID........................{FABRIC.switches[v].lid}\n"
                f"\t\tInPort.....................{a}\n\t\tOutPort....................{b}\n"
                f"\t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n\t\tVL:{values}"
            )
    for text in ("\n".join(smp), "\n".join(sa), LANES.replace("\n", "\r\n")):
        assert all(np.array_equal(x, y) for x, y in zip(lanes(tmp_path, text), dump, strict=True))
    with pytest.raises(InputError, match=r"line \d+: the record that begins here has no lanes"):
        lanes(tmp_path, "\n".join(sa).rpartition("\n")[0])
    with pytest.raises(
        InputError, match=r"line 1: the record that begins here has no LID and no InPort and no OutPort"
    ):
        lanes(tmp_path, "SL2VLTableRecord dump:\n\t\tVL: 0| 0|")
    with pytest.raises(InputError, match=r"line 1: a table of 'DR path.*give smpquery sl2vl the lid"):
        lanes(tmp_path, "# SL2VL table: DR path slid 0; dlid 0; 0,1\n")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"0   1   : 0 ", "0   1   : 16", r"line 4: virtual lane 16; 0 to 15 was expected"),
        (r"0   1   : 0 ", "0   1   : ", r"line 4: 15 lanes; one for each of 16"),
        (r"0   1   :", "0   9   :", r"line 4: port 9 of s0, which has ports 0 to 3"),
        (r"0   1   : 0  1", "1   1   : 3  1", r"line 5: s0 has other lanes from port 1 to 1 in an earlier"),
        (r"0x0000000000200000", "0x0000000000300000", r"line 1: ring5 has no switch with the GUID"),
        (r"^Switch.*\n", "", r"line 3: the ports of no switch"),
        (r"^Switch", "Swatch", r"line 1: 'Swatch.* is not a line of tables"),
    ],
)
def test_wrong_lanes(old: str, new: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        lanes(tmp_path, re.sub(old, new, LANES, count=1))


def test_no_lanes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no table of a switch"):
        lanes(tmp_path, LANES[LANES.index("Channel") : LANES.index("Switch", 9)])


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """Some bytes cut out, put in, or doubled."""
    for _ in range(draw(st.integers(1, 3))):
        low = draw(st.integers(0, len(text)))
        high = min(len(text), low + draw(st.integers(0, 400)))
        new = draw(
            st.sampled_from(["", text[low:high] * 2, "\n", "0x", "PathRecord dump:\n", "7", "\x00", "....", "|"])
        )
        text = text[:low] + new + text[high:]
    return text


fuzz = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@fuzz
@given(st.one_of(damaged(PATHS), damaged(DUMP)))
def test_damaged_levels_are_refused_or_whole(tmp_path: Path, text: str) -> None:
    """Never a traceback, never fewer pairs than there are."""
    try:
        found = levels(tmp_path, text)
    except InputError as error:
        lines = str(error).splitlines()
        found = np.ones((1, 5, 5)) if len(lines) == 1 else np.zeros((1, 5, 5))
    assert ((found != 0) | np.eye(5, dtype=bool)).all()


@fuzz
@given(damaged(LANES))
def test_damaged_lanes_are_refused_or_tables(tmp_path: Path, text: str) -> None:
    try:
        found = lanes(tmp_path, text)
    except InputError as error:
        found = () if len(str(error).splitlines()) == 1 else (np.array([99]),)
    assert all(((x <= 15) | (x == 255)).all() for x in found)
