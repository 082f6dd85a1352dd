"""Real dumps of a simulated fabric, and what becomes of them when they are damaged."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infiniband_files import parse_ibnetdiscover, read_ibnetdiscover
from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.forwarding_tables import NO_PORT, read_forwarding_tables, write_forwarding_tables
from routeproof.formats.infiniband.service_levels import read_path_levels
from routeproof.formats.resolve import resolve_network
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.fabrics.forwarding_tables import forwarding_ports, read_forwarding
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.scan.exact import worst_case

TOPO = (INFINIBAND / "ring3.topo").read_text()
LFT = (INFINIBAND / "ring3.lft").read_text()


def fabric(text: str = TOPO, **more: str | int | Fraction) -> FabricNetwork:
    return parse_ibnetdiscover(text, what="it", name="ring3", **more)


def tables(tmp_path: Path, text: str, network: FabricNetwork | None = None) -> None:
    path = tmp_path / "damaged.lft"
    path.write_text(text, newline="")
    read_forwarding(str(path), network or fabric())


def test_a_real_fabric() -> None:
    net = fabric()
    assert (net.num_nodes, net.num_channels, net.num_terminals) == (3, 8, 6)
    assert net.labels == ("s2", "s1", "s0")
    assert net.terminal_labels == ("h5", "h4", "h3", "h2", "h1", "h0")
    assert set(net.bandwidth) == {1}
    assert net.channel_label(0) == "s2[3] -> s0[4]"
    assert [(x.name, x.lid, x.lmc, x.port) for x in net.hosts[:2]] == [("h5", 9, 0, 2), ("h4", 8, 0, 1)]
    assert np.array_equal(net.tail[net.opposite], net.head)


def test_a_real_table_and_its_worst_case() -> None:
    net = resolve_network(str(INFINIBAND / "ring3.topo"))
    found = worst_case(routing_from_spec(str(INFINIBAND / "ring3.lft"), net))
    assert found.load == 2
    image = found.permutation
    assert image is not None


def test_two_lids_a_port_are_a_mixture() -> None:
    net = resolve_network(str(INFINIBAND / "ring3-lmc1.topo"))
    routing = routing_from_spec(str(INFINIBAND / "ring3-lmc1.lft"), net)
    assert isinstance(routing, Mixture)
    assert [weight for weight, _ in routing.parts] == [Fraction(1, 2)] * 2
    routing.check()
    # From s1 to the hosts at s0 there are two cables, one for either lid.
    names = {net.terminal_label(t): t for t in range(6)}
    paths = routing.paths(int(routing.row_of[names["h2"]]), int(routing.column_of[names["h0"]]))
    assert sorted(net.channel_label(c) for _, (c,) in paths) == ["s1[4] -> s0[3]", "s1[6] -> s0[5]"]
    assert [weight for weight, _ in paths] == [Fraction(1, 2)] * 2


@pytest.mark.parametrize("name", ["ring3", "ring3-lmc1"])
def test_tables_come_back_as_they_went(name: str, tmp_path: Path) -> None:
    net = read_ibnetdiscover(INFINIBAND / f"{name}.topo")
    routing = read_forwarding(str(INFINIBAND / f"{name}.lft"), net)
    path = tmp_path / "again.lft"
    write_forwarding_tables(net, forwarding_ports(net, routing), path)
    first, second = (read_forwarding_tables(x, net).port for x in (INFINIBAND / f"{name}.lft", path))
    hosts = [lid for host in net.hosts for lid in range(host.lid, host.lid + (1 << host.lmc))]
    assert np.array_equal(first[:, hosts], second[:, hosts])
    assert read_forwarding_tables(path, net).line.tolist()[0] == 1


def test_bandwidths() -> None:
    text = TOPO.replace('"s0" lid 1 4xSDR', '"s0" lid 1 4xEDR').replace('# "s2" lid 4 4xSDR', '# "s2" lid 4 4xEDR')
    text = text.replace(
        '[3]\t"S-0000000000200001"[4]\t\t# "s1" lid 3 4xSDR', '[3]\t"S-0000000000200001"[4] # "s1" 4xEDR'
    )
    text = text.replace(
        '[5]\t"S-0000000000200001"[6]\t\t# "s1" lid 3 4xSDR', '[5]\t"S-0000000000200001"[6] # "s1" 4xEDR'
    )
    text = text.replace(
        '[4]\t"S-0000000000200002"[3]\t\t# "s2" lid 4 4xSDR', '[4]\t"S-0000000000200002"[3] # "s2" 4xEDR'
    )
    text = text.replace(
        '[4]\t"S-0000000000200001"[3]\t\t# "s1" lid 3 4xSDR', '[4]\t"S-0000000000200001"[3] # "s1" 4xEDR'
    )
    text = "\n".join(x if not x.startswith("[1](") else x.replace("4xEDR", "4xSDR") for x in text.splitlines())
    assert set(fabric(text).bandwidth) == {Fraction(25, 2)}  # 100 Gb/s over 8 Gb/s
    assert set(fabric(text, bandwidth="gbps").bandwidth) == {Fraction(100)}
    assert set(fabric(text, bandwidth=3).bandwidth) == {Fraction(3)}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('[3]\t"S-0000000000200002"[4]\t\t# "s2" lid 4 4xSDR\n', "", "line 14: .*seen from one end only"),
        ('"S-0000000000200002"[4]', '"S-0000000000200002"[3]', "line 14: .*which in line 23 leads to"),
        ('"S-0000000000200001"\t\t#', '"S-0000000000200002"\t\t#', "line 20: .* has the GUID of line 10"),
        ("[1](100001) ", "[1](100003) ", "port GUID 100003"),
        ("lid 2 lmc 0", "lid 5 lmc 0", "lid 5 belongs to line 71 already"),
        ("4xSDR", "5xSDR", "line 11: a cable of '5xSDR'"),
        ("4xSDR", "4xFOO", "line 11: a cable of '4xFOO'"),
        ("[1]\t", "[9]\t", "line 11: port 9 of .*ports 1 to 8"),
        ("base port 0 lid 4 lmc 0", "base port", "line 10: .*cut off"),
        ("\nvendid", "\nwhat is this", "line 6: 'what is this"),
        ('# "h5"', '# "h4"', None),
        ("\n", "\r\n", None),
    ],
)
def test_damaged_fabrics(old: str, new: str, said: str | None) -> None:
    text = TOPO.replace(old, new) if old == "\n" else TOPO.replace(old, new, 1)
    if said is None:
        names = fabric(text).terminal_labels
        assert names is not None
        assert len(set(names)) == 6
        return
    with pytest.raises(InputError, match=said) as caught:
        fabric(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "0x0002 003 :",
            "0x0002 007 :",
            r"lid 0x0002 \(h0\) is not reached from switch s2: .*port 7, which has no cable",
        ),
        ("0x0002 003 :", "0x0002 001 :", r"to host h4"),
        ("0x0002 003 :", "0x0002 004 :", None),
        ("0x0009 002 :", "0x0009 003 :", r"lid 0x0009 \(h5\) does not reach its host"),
        ("0x0002 003 :", "0x0002 009 :", r"line 5: .*port that it does not have"),
        ("0x0002 003 :", "0x0003 003 :", r"line 6: lid 0x0003 is in the table of s2 twice"),
        ("0x0002 003 :", "0x0012 003 :", r"line 5: lid 0x0012 belongs to no port"),
        ("0000000000100001: 'h0'", "0000000000100031: 'h0'", r"line 5: .*0x0000000000100031.*another fabric"),
        ("guid 0x0000000000200002", "guid 0x0000000000300002", r"line 1: .*no switch with the GUID"),
        ("guid 0x0000000000200002", "guid 0x0000000000200001", r"line 14: a second table of s1"),
        ("9 valid lids", "8 valid lids", r"line 13: '8 valid lids dumped' where 9 were found"),
        ("0x0002 003 :", "0x00", r"line 5: .*cut off"),
        ("0x0002 003 :", "ibwarn: timeout", r"line 5: 'ibwarn"),
        ("Unicast", "Multicast", r"line 1: a table of multicast groups"),
    ],
)
def test_damaged_tables(old: str, new: str, said: str | None, tmp_path: Path) -> None:
    if said is None:
        tables(tmp_path, LFT.replace(old, new, 1))
        return
    with pytest.raises(InputError, match=said) as caught:
        tables(tmp_path, LFT.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_opensm_counts_up_to_the_highest_lid(tmp_path: Path) -> None:
    """``opensm-lfts.dump`` ends a table with the highest lid, however many lids lead nowhere and have no line."""
    lines = [x for x in LFT.splitlines() if x.startswith(("Unicast", "0x"))]
    where = [k for k, x in enumerate(lines) if x.startswith("Unicast")]
    gone = next(k for k, x in enumerate(lines) if x.startswith("0x0003"))  # of one switch, to another switch
    dumped = []
    for k, x in enumerate(lines):
        if k in where[1:]:
            dumped.append("9 lids dumped")
        if k != gone:
            dumped.append(x.replace("[0x0-0x9]", "[0-9]").replace(" : (", " # ").rstrip(")"))
    text = "\n".join([*dumped, "9 lids dumped", ""])
    tables(tmp_path, text)
    with pytest.raises(InputError, match="'7 lids dumped' where"):
        tables(tmp_path, text.replace("9 lids dumped", "7 lids dumped", 1))


def test_loops_are_named(tmp_path: Path) -> None:
    first, second, rest = LFT.split("Unicast")[1:]
    text = "Unicast".join(
        ["", first.replace("0x0002 003", "0x0002 004"), second.replace("0x0002 004", "0x0002 003"), rest]
    )
    with pytest.raises(InputError, match=r"lid 0x0002 \(h0\).*loop s2 -> s1 -> s2"):
        tables(tmp_path, text)


def test_lines_may_end_in_any_way_and_comments_are_skipped(tmp_path: Path) -> None:
    for end in ("\r\n", "\r"):
        tables(tmp_path, LFT.replace("\n", end))
    tables(tmp_path, "# made by hand\n\n" + LFT.replace("\n", "\r\n", 7))
    tables(tmp_path, LFT.replace("0x0002 003 :", "0x2 3 :"))
    without = "\n".join(x.split(" : ")[0] for x in LFT.splitlines() if "dumped" not in x)
    tables(tmp_path, without)


def test_a_dump_that_ends_too_early_is_never_taken_for_a_whole_one(tmp_path: Path) -> None:
    lines = LFT.splitlines(keepends=True)
    for count in range(len(lines)):
        with pytest.raises(InputError):
            tables(tmp_path, "".join(lines[:count]))
    lines = TOPO.splitlines(keepends=True)
    last = max(k for k, x in enumerate(lines) if x.startswith("[1](1"))
    for count in range(last + 1):
        with pytest.raises(InputError):
            fabric("".join(lines[:count]))


@settings(max_examples=150)
@given(st.data())
def test_nothing_but_one_line_comes_of_noise(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([TOPO, LFT]))
    at = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 40))
    noise = data.draw(st.text(st.sampled_from("0x19aS-[]()\"'# \t\r\nlid\u2028é\x00"), max_size=12))
    damaged = text[:at] + noise + text[at + length :]
    said = ""
    try:
        if text is TOPO:
            fabric(damaged)
        else:
            tables(tmp_path_factory.mktemp("noise"), damaged)
    except InputError as error:
        said = str(error)
    assert len(said.splitlines()) <= 1


def test_tables_need_a_fabric() -> None:
    with pytest.raises(InputError, match="give the output of ibnetdiscover as the topology"):
        routing_from_spec(str(INFINIBAND / "ring3.lft"), resolve_network("ring:3"))


def test_from_dumps_to_better_tables_on_the_command_line(tmp_path: Path) -> None:
    topo, lft = str(INFINIBAND / "ring3.topo"), str(INFINIBAND / "ring3.lft")
    better, report = str(tmp_path / "better.lft"), str(tmp_path / "report.json")
    verb = ["design", topo, "--objective", "worst-case", "--paths", "tables", "--start", lft, "--proposals", "500"]
    assert main([*verb, "--output", better, "--json", report]) == 0
    assert main(["verify", report]) == 0
    assert main(["compare", topo, lft, better, "--json", report]) == 0
    assert main(["verify", report]) == 0
    assert main(["convert", topo, "--routing", "minimal", better]) == 2
    assert main(["convert", "ring:3", "--routing", lft, better]) == 2


def test_switches_with_several_lids(tmp_path: Path) -> None:
    """An enhanced port 0 has an LMC, too (opensm with lmc_esp0)."""
    old = '"s2" base port 0 lid 4 lmc 0'
    assert old in TOPO
    path = tmp_path / "ring3.topo"
    path.write_text(TOPO.replace(old, '"s2" enhanced port 0 lid 12 lmc 1'))
    network = read_ibnetdiscover(path)
    assert [list(x.lids) for x in network.switches if x.name == "s2"] == [[12, 13]]
    (tmp_path / "in.lft").write_text(LFT.replace("0x0004", "0x000d"))
    routing = read_forwarding(str(tmp_path / "in.lft"), network)
    write_forwarding_tables(network, forwarding_ports(network, routing), tmp_path / "out.lft")
    port = read_forwarding_tables(tmp_path / "out.lft", network).port
    assert port[:, 12].tolist() == port[:, 13].tolist()
    assert port[:, 12].min() == 0
    assert port[:, 14].tolist() == [NO_PORT] * 3
    levels = tmp_path / "levels"
    levels.write_text('Switch 0x0000000000200002, base LID 13, "s2", port 0\n0x0002 : 0  : 4   : 3   \n')
    with pytest.raises(InputError, match="no path record of two hosts"):
        read_path_levels(levels, network)
    with pytest.raises(InputError, match="lid 5 belongs to line"):
        fabric(TOPO.replace(old, '"s2" enhanced port 0 lid 4 lmc 1'))


def test_the_description_of_a_simulated_fabric_is_not_its_topology(tmp_path: Path) -> None:
    (tmp_path / "net").write_text('Switch\t8 "Switch1"\n[1]\t"Hca1"[1]\n\nHca\t2 "Hca1"\n[1]\t"Switch1"[1]\n')
    with pytest.raises(InputError, match=r"line 1: .* is a line of ibsim's own language: start ibsim -s FILE"):
        read_ibnetdiscover(tmp_path / "net")
