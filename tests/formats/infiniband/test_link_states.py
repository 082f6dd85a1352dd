"""States of ports in every dump that has them: the same cables carry no packets, and a line names them."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from infiniband_files import db_csv
from places import INFINIBAND
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.format import read_network
from routeproof.formats.infiniband.fabric import FabricNetwork

Cables = set[frozenset[str]]
LOGICAL = {"Down": ("1", "DWN"), "Initialize": ("2", "INI"), "Armed": ("3", "ARM")}
PHYSICAL = {
    "Sleep": "1", "Polling": "2", "Disabled": "3", "PortConfigurationTraining": "4", "LinkErrorRecovery": "6",
    "PhyTest": "7",
}  # fmt: skip


def read(path: Path) -> tuple[FabricNetwork, list[str]]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        network = read_network(path)
    assert isinstance(network, FabricNetwork)
    return network, [str(x.message) for x in said if "carry no packets" in str(x.message)]


def cables(network: FabricNetwork) -> Cables:
    return {
        frozenset((f"{network.label(u)}/{p}", f"{network.label(v)}/{q}"))
        for u, p, v, q in zip(
            network.tail.tolist(), network.port.tolist(), network.head.tolist(), network.far_port.tolist(), strict=True
        )
    }


def linkinfo(logical: str, physical: str, switch: str, port: int) -> str:
    """The state of one end, at s0, s1 or s2."""
    text = (INFINIBAND / "sharp3.linkinfo").read_text()
    lid = {"s0": 1, "s1": 3, "s2": 4}[switch]
    form = re.compile(rf"(?<= {lid}    {port}\[  \])(.*)Active/  LinkUp")
    assert form.search(text)
    return form.sub(rf"\g<1>{logical}/{physical:>8}", text)


def lst(logical: str, physical: str, switch: str, port: int) -> str:  # it has none
    lines = (INFINIBAND / "sharp3.lst").read_text().splitlines()
    form = re.compile(rf"\{{ SW.* \{{{switch}\}} LID:\w+ PN:0{port} \}} \{{ ")
    (k,) = [k for k, line in enumerate(lines) if form.match(line) and f"{{{switch}}}" in line[: len(line) // 2]]
    lines[k] = lines[k].replace("LOG=ACT", f"LOG={LOGICAL.get(logical, ('', 'ACT'))[1]}")
    return "\n".join(lines) + "\n"


def db(logical: str, physical: str, switch: str, port: int) -> str:
    network, _ = read(INFINIBAND / "sharp3.topo")
    guid = {name: x.guid for name, x in zip(network.labels or (), network.switches, strict=True)}[switch]
    states = f"{PHYSICAL.get(physical, '5')},{LOGICAL.get(logical, ('4', ''))[0]}"
    form = re.compile(rf"^(0x{guid:016x},0x{guid:016x},{port},.*),5,4$", re.MULTILINE)
    text, count = form.subn(rf"\g<1>,{states}", db_csv(network))
    assert count == 1
    return text


FORMS: dict[str, Callable[[str, str, str, int], str]] = {"linkinfo": linkinfo, "lst": lst, "db_csv": db}
STATES = [*((x, "LinkUp", x) for x in LOGICAL), *(("Active", x, x) for x in PHYSICAL), ("Down", "Polling", "Down")]


# opensm-subnet.lst has no physical states
CASES = [(form, *states) for form in FORMS for states in STATES if form != "lst" or states[0] != "Active"]


@pytest.mark.parametrize(("ending", "logical", "physical", "named"), CASES)
def test_one_end_that_is_not_active(ending: str, logical: str, physical: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{ending}"
    path.write_text(FORMS[ending](logical, physical, "s1", 6))
    network, said = read(path)
    whole, silent = read(INFINIBAND / "sharp3.topo")
    assert not silent
    assert cables(whole) - cables(network) == {frozenset(("s1/6", "s0/5"))}
    assert len(said) == 1
    assert re.search(rf"left out \(1\): port \d of '?s\d.* \({named}\)$", said[0]), said
    assert len(network.hosts) == len(whole.hosts)


@pytest.mark.parametrize("ending", FORMS)
def test_a_host_whose_cable_is_not_active_is_named(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{ending}"
    path.write_text(FORMS[ending]("Armed", "LinkUp", "s2", 2))
    network, said = read(path)
    assert "h5" not in {x.name for x in network.hosts}
    assert "hosts without another cable, which do not count: h5" in said[0]


@pytest.mark.parametrize("ending", FORMS)
def test_nothing_is_active(ending: str, tmp_path: Path) -> None:
    text = FORMS[ending]("Active", "LinkUp", "s1", 6)

    def written(state: str, short: str, number: int) -> Path:
        pairs = (("Active/", f"{state}/"), ("LOG=ACT", f"LOG={short}"), (",5,4\n", f",5,{number}\n"))
        now = text
        for old, new in pairs:
            now = now.replace(old, new)
        path = tmp_path / f"x.{ending}"
        path.write_text(now)
        return path

    with pytest.raises(InputError, match=r"no cable that carries packets, .*\(Armed\); is a subnet manager running"):
        read_network(written("Armed", "ARM", 3))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        network = read_network(written("Initialize", "INI", 2))
    assert network.num_channels == read(INFINIBAND / "sharp3.topo")[0].num_channels
    assert any("all cables are in the state Initialize, before a subnet manager" in str(x.message) for x in said)


@pytest.mark.parametrize(
    ("ending", "old", "new"),
    [("linkinfo", "Active/  LinkUp", "Actve/  LinkUp"), ("db_csv", ",5,4\n", ",5,9\n"), ("db_csv", ",5,4\n", ",x,4\n")],
)
def test_what_is_no_state(ending: str, old: str, new: str, tmp_path: Path) -> None:
    text = FORMS[ending]("Active", "LinkUp", "s1", 6).replace(old, new)
    (tmp_path / f"x.{ending}").write_text(text)
    with pytest.raises(InputError, match=r"line \d+: a port is in the state '(Actve|9|x)'; one of "):
        read_network(tmp_path / f"x.{ending}")


def test_links_of_ufm(tmp_path: Path) -> None:
    rows = [
        {"source_guid": f"{a:016x}", "source_port": p, "destination_guid": f"{b:016x}", "destination_port": q,
         "width": "4x", "severity": "Info", "logical_state": "Active"}
        for a, p, b, q in ((1, 1, 11, 1), (1, 2, 12, 1), (1, 3, 2, 3), (1, 4, 2, 4), (2, 1, 13, 1))
    ]  # fmt: skip
    path = tmp_path / "links.json"
    path.write_text(json.dumps(rows))
    whole, said = read(path)
    assert (whole.num_channels, said) == (4, [])
    path.write_text(json.dumps([*rows[:3], {**rows[3], "logical_state": "Initialize"}, rows[4]]))
    network, said = read(path)
    assert network.num_channels == 2
    assert "(Initialize)" in said[0]
    path.write_text(json.dumps([*rows[:3], {**rows[3], "severity": "Critical"}, rows[4]]))
    with (
        pytest.warns(RouteproofWarning, match=r"another severity than Info are taken to work: row 4 \(Critical\)"),
        pytest.warns(RouteproofWarning, match="does not say how fast"),
    ):
        read_network(path)
