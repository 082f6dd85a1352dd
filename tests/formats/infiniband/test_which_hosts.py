"""Which hosts of a fabric take part: aggregation nodes, ``hosts=``, ``without=``, and the other dumps of one fabric.

``sharp3.*``: three switches in a ring, two hosts each, and a SHARP aggregation node, as OpenSM 3.3.23 routed it on
ibsim.
"""

from __future__ import annotations

import itertools
import json
import re
import warnings
from pathlib import Path

import pytest

from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.format import read_network
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.forwarding_tables import read_forwarding_tables
from routeproof.formats.resolve import resolve_network
from routeproof.routing.fabrics.forwarding_tables import read_forwarding
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.scan.exact import worst_case

TOPO, TABLES = str(INFINIBAND / "sharp3.topo"), str(INFINIBAND / "sharp3.lft")
AGGREGATION = "Mellanox Technologies Aggregation Node"


def fabric(text: str) -> FabricNetwork:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RouteproofWarning)
        found = resolve_network(text)
    assert isinstance(found, FabricNetwork)
    return found


def names(text: str) -> set[str]:
    return set(fabric(text).terminal_labels or ())


def test_an_aggregation_node_is_left_out_with_a_line_that_says_so() -> None:
    with pytest.warns(RouteproofWarning, match=rf"a SHARP aggregation node is left out \({AGGREGATION}\); hosts=\*"):
        net = resolve_network(TOPO)
    assert set(net.terminal_labels or ()) == {f"h{k}" for k in range(6)}


def test_all_hosts_on_request() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RouteproofWarning)
        net = resolve_network(f"{TOPO},hosts=*")
    assert AGGREGATION in (net.terminal_labels or ())
    assert net.num_terminals == 7


def test_several_aggregation_nodes(tmp_path: Path) -> None:
    text = Path(TOPO).read_text().replace('"h5"', f'"{AGGREGATION}"')
    (tmp_path / "two.topo").write_text(text)
    with pytest.warns(RouteproofWarning, match=r"2 SHARP aggregation nodes are left out \(Mellanox.* and others\)"):
        net = resolve_network(str(tmp_path / "two.topo"))
    assert net.num_terminals == 5


@pytest.mark.parametrize(
    ("option", "left"),
    [
        ("without=h0", "12345"),
        ("without=h[0-1,4]", "235"),
        ("without=h0;h[4-5]", "123"),
        ("hosts=h?", "012345"),
        ("hosts=h[0-3],without=h2", "013"),
        ("without=*[3-4]", "0125"),
    ],
)
def test_names_patterns_and_lists(option: str, left: str) -> None:
    assert names(f"{TOPO},{option}") == {f"h{k}" for k in left}


def test_a_file_of_names(tmp_path: Path) -> None:
    (tmp_path / "storage").write_text("# storage servers\nh1\nh[3-4]  # new ones\n")
    assert names(f"{TOPO},without={tmp_path / 'storage'}") == {"h0", "h2", "h5"}
    (tmp_path / "none").write_text("# nobody\n")
    with pytest.raises(InputError, match="none names no host"):
        fabric(f"{TOPO},without={tmp_path / 'none'}")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("without=h9", "without: no host is called 'h9'; did you mean 'h[0-5]'"),
        ("hosts=g*", r"hosts: no host is called 'g\*'; "),
        ("without=s2", r"'s2' is a switch; .*dead-nodes="),
        ("without=*", "leaves no host"),
        ("without=h0;;h1", "an empty pattern"),
        ("without=h[3-1]", "goes down"),
    ],
)
def test_what_names_no_host_is_refused(option: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        fabric(f"{TOPO},{option}")


def test_the_options_of_the_command_say_the_same(tmp_path: Path) -> None:
    reports = [tmp_path / "one.json", tmp_path / "two.json"]
    for words, report in zip([["--without", "h[0,1],h2"], ["--hosts", "h[3-5]"]], reports, strict=True):
        assert main(["worst-case", TOPO, "--routing", TABLES, *words, "--json", str(report)]) == 0
        assert main(["verify", str(report)]) == 0
    one, two = (json.loads(x.read_text()) for x in reports)
    assert one["subject"]["topology"] == f"{TOPO},without=h[0,1];h2"
    assert [x["value"] for x in one["claims"]] == [x["value"] for x in two["claims"]]
    assert one["subject"]["network"]["terminal_labels"] == ["h5", "h4", "h3"]


def test_the_unit_is_that_of_the_hosts_that_take_part(tmp_path: Path) -> None:
    text = Path(TOPO).read_text().replace('"h4" lid 8 4xSDR', '"h4" lid 8 1xSDR')
    text = text.replace('lid 8 lmc 0 "s2" lid 4 4xSDR', 'lid 8 lmc 0 "s2" lid 4 1xSDR')
    (tmp_path / "slow.topo").write_text(text)
    whole, rest = fabric(str(tmp_path / "slow.topo")), fabric(f"{tmp_path / 'slow.topo'},without=h4")
    assert (whole.gbps, rest.gbps) == (2, 8)
    assert (max(whole.bandwidth), max(rest.bandwidth)) == (16, 4)


def test_tables_serve_without_some_hosts_and_switches() -> None:
    """All subsets of hosts: the worst case of the rest is never worse, and the tables say the same of it."""
    loads = {}
    for left in itertools.combinations(range(6), 4):
        net = fabric(f"{TOPO},hosts={';'.join(f'h{k}' for k in left)}")
        loads[left] = worst_case(read_forwarding(TABLES, net)).load
    assert max(loads.values()) <= worst_case(read_forwarding(TABLES, fabric(TOPO))).load
    net = fabric(f"{TOPO},dead-nodes=s2")
    assert net.num_terminals == 4
    routing = read_forwarding(TABLES, net)
    assert worst_case(routing).load == 1  # two hosts each, two cables: one for each destination


def test_a_cable_that_is_dead_is_a_dead_end_of_the_tables() -> None:
    net = fabric(f"{TOPO},dead-links=s0[4]-s2[3]")
    assert net.num_channels == 6
    with pytest.raises(InputError, match="which has no cable"):
        read_forwarding(TABLES, net)


def test_tables_for_opensm_hold_the_hosts_that_were_left_out(tmp_path: Path) -> None:
    assert main(["convert", f"{TOPO},without=h5", "--routing", TABLES, str(tmp_path / "out.lft")]) == 0
    net = fabric(f"{TOPO},hosts=*")
    again = read_forwarding_tables(tmp_path / "out.lft", net)
    first = read_forwarding_tables(TABLES, net)
    for host in net.hosts:
        assert (again.port[:, host.lid] != 255).all()
        if host.name not in ("h5", AGGREGATION):
            assert (again.port[:, host.lid] == first.port[:, host.lid]).all()
    assert worst_case(read_forwarding(str(tmp_path / "out.lft"), net)).load >= 1


def test_a_report_without_some_hosts_verifies(tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    assert main(["worst-case", f"{TOPO},without=h[0-1]", "--routing", TABLES, "--json", report]) == 0
    assert main(["verify", report]) == 0


# -- the other dumps of the same fabric -------------------------------------------------------------------------------


def facts(net: FabricNetwork) -> tuple[object, ...]:
    channels = sorted((net.channel_label(c), net.bandwidth[c]) for c in range(net.num_channels))
    hosts = sorted((x.name, x.guid, x.lid, x.port, net.label(x.switch)) for x in net.hosts)
    return channels, hosts, sorted((x.guid, x.name, x.lid, x.ports) for x in net.switches), net.gbps


@pytest.mark.parametrize("name", ["sharp3.lst", "sharp3.linkinfo"])
def test_other_dumps_say_the_same(name: str, tmp_path: Path) -> None:
    assert facts(fabric(str(INFINIBAND / name))) == facts(fabric(TOPO))
    bare = tmp_path / "nameless"  # known by what it says
    bare.write_text((INFINIBAND / name).read_text().replace("\n", "\r\n"), newline="")
    assert facts(fabric(str(bare))) == facts(fabric(TOPO))


def test_routes_of_opensm_say_the_same_as_its_tables() -> None:
    net = fabric(TOPO)
    ways = [read_forwarding_tables(INFINIBAND / f"sharp3.{x}", net).port for x in ("lft", "fdbs")]
    hosts = [x.lid for x in net.hosts]
    assert (ways[0][:, hosts] == ways[1][:, hosts]).all()
    assert routing_from_spec(str(INFINIBAND / "sharp3.fdbs"), net).network is net


def test_routes_of_opensm_with_gaps_and_longer_ways(tmp_path: Path) -> None:
    text = (INFINIBAND / "sharp3.fdbs").read_text()
    text = text.replace("0x0005 : 002  : 01   : yes", "0x0005 : 002  : 03   : No 1 hop path possible via port 4!", 1)
    text = text.replace("LID    : Port", "0x0B00 : UNREACHABLE\nLID    : Port").replace(
        "0x0001 : 000  : 00   : yes", "0x0001 : 000  : HOPS UNKNOWN", 1
    )
    (tmp_path / "opensm.fdbs").write_text(text)
    net = fabric(TOPO)
    found = read_forwarding_tables(tmp_path / "opensm.fdbs", net).port
    assert (found == read_forwarding_tables(INFINIBAND / "sharp3.fdbs", net).port).all()
    (tmp_path / "opensm.fdbs").write_text(text[:-8])
    with pytest.raises(InputError, match=r"line 39: .*cut off\?"):
        read_forwarding_tables(tmp_path / "opensm.fdbs", net)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "sharp3.lst",
            "PN:03 } { SW Ports:08",
            "PN:03 } { SX Ports:08",
            "line 4: .*not a line of opensm-subnet",
        ),
        ("sharp3.lst", "SPD=2.5", "SPD=3", "line 1: a cable of PHY=4x SPD=3; .*expected"),
        ("sharp3.lst", "SPD=2.5", "SPD=??", "a cable of PHY=4x SPD=\\?\\?: .*bandwidth=1"),
        ("sharp3.lst", "{h1} LID:0005", "{h1} LID:0006", "line 12: port 1 of 'h1' is another one than in line 3"),
        ("sharp3.linkinfo", "2.5 Gbps", "3.5 Gbps", "line 2: a cable of '4X 3.5 Gbps'"),
        (
            "sharp3.linkinfo",
            'Gbps Active/  LinkUp)==>       4    2[  ] "s2"',
            "x",
            "line 4: .*a line of iblinkinfo",
        ),
        (
            "sharp3.linkinfo",
            '9    1[  ] "h5"',
            '9    1[  ] "h6"',
            "no line leads back; run iblinkinfo for the",
        ),
    ],
)
def test_damaged_dumps_are_refused_by_line(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    text = (INFINIBAND / name).read_text()
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=said) as caught:
        fabric(f"{tmp_path / name},hosts=h?")
    assert "\n" not in str(caught.value)


def test_other_output_of_iblinkinfo_says_what_to_run(tmp_path: Path) -> None:
    line = (
        '0x000000000010000d "                            an"     10    1[  ] ==( 4X           2.5 Gbps Active/  LinkUp)'
        '==>  0x0000000000200002      4    5[  ] "s2" ( )\n'
    )
    (tmp_path / "lines").write_text(line)
    with pytest.raises(InputError, match=r"line 1: .*run iblinkinfo without -l"):
        read_network(tmp_path / "lines")
    whole = (INFINIBAND / "sharp3.linkinfo").read_text().splitlines()
    down = [x for x in whole if "Down" in x or x.startswith("Switch")]
    (tmp_path / "down").write_text("\n".join(down) + "\n")
    with pytest.raises(InputError, match="run iblinkinfo without -d"):
        read_network(tmp_path / "down")


# -- dumps that lack a host, and fabrics without lids ----------------------------------------------------------------


def blocks(tmp_path: Path) -> tuple[str, str]:
    """The same fabric where h5 has lid 64, and what dump_fts prints of it: up to lid 63."""
    topo, tables = Path(TOPO).read_text().replace("lid 9", "lid 64"), Path(TABLES).read_text()
    lines = [x.replace("[0x0-0xa]", "[0x0-0x40]").replace("10 valid", "9 valid") for x in tables.splitlines()]
    (tmp_path / "block.topo").write_text(topo)
    (tmp_path / "block.lft").write_text("\n".join(x for x in lines if not x.startswith("0x0009")) + "\n")
    return str(tmp_path / "block.topo"), str(tmp_path / "block.lft")


def test_the_highest_lid_that_dump_fts_leaves_out(tmp_path: Path) -> None:
    topo, tables = blocks(tmp_path)
    said = "lid 0x0040 .h5. does.*dump_fts leaves out the highest lid where it is a multiple of 64: .*--without h5"
    with pytest.raises(InputError, match=said):
        read_forwarding(tables, fabric(topo))
    assert worst_case(read_forwarding(tables, fabric(f"{topo},without=h5"))).load == 1


def test_a_broken_dump_offers_to_leave_the_host_out(tmp_path: Path) -> None:
    text = Path(TABLES).read_text().replace("0x0006 003", "0x0006 007", 1)
    (tmp_path / "hole.lft").write_text(text)
    with pytest.raises(InputError, match=r"lid 0x0006 .h2. .*; leave this host out: --without h2$"):
        read_forwarding(str(tmp_path / "hole.lft"), fabric(TOPO))


def test_invalid_lids_and_lids_of_nobody_are_passed_over(tmp_path: Path) -> None:
    """``dump_fts -a`` prints lid 0 and gaps; OpenSM keeps entries for hosts that are gone."""
    net = fabric(TOPO)
    text = (
        Path(TABLES)
        .read_text()
        .replace("0x0001 ", "0x0000 255 : (path #0 - illegal port)\n0x0020 003 # unknown node and type\n0x0001 ")
    )
    (tmp_path / "all.lft").write_text(text.replace("10 valid lids", "12 lids"))
    found = read_forwarding_tables(tmp_path / "all.lft", net).port
    assert (found == read_forwarding_tables(TABLES, net).port).all()


def test_a_fabric_without_lids(tmp_path: Path) -> None:
    for none in ("0", "65535"):
        text = re.sub(r"\blid \d+", f"lid {none}", Path(TOPO).read_text())
        (tmp_path / "new.topo").write_text(text)
        net = fabric(str(tmp_path / "new.topo"))
        assert worst_case(routing_from_spec("ecmp", net)).load == 2
        with pytest.raises(InputError, match=r"have no lids, .*after a subnet manager"):
            read_forwarding(TABLES, net)


def test_tables_that_could_not_be_written_are_refused_before_the_search(tmp_path: Path, capsys) -> None:
    text = re.sub(r"\blid \d+", "lid 0", Path(TOPO).read_text())
    (tmp_path / "new.topo").write_text(text)
    words = ["design", str(tmp_path / "new.topo"), "--objective", "worst-case", "--paths", "tables"]
    assert main([*words, "--proposals", "1000000000000", "--output", str(tmp_path / "out.lft")]) == 2
    assert "need lids, and switch s2 of new has none" in " ".join(capsys.readouterr().err.split())


def test_several_lids_a_port_where_the_fabric_s_file_does_not_say_so(tmp_path: Path) -> None:
    text = (INFINIBAND / "ring3-lmc1.topo").read_text().replace("lmc 1", "lmc 0")
    (tmp_path / "one.topo").write_text(text)
    with pytest.raises(InputError, match=r"it is another lid of h0 \(lid 2\): .*\(LMC\)"):
        read_forwarding(str(INFINIBAND / "ring3-lmc1.lft"), fabric(str(tmp_path / "one.topo")))
