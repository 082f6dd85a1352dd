"""What ibdiagnet and ibnetdiscover -p print, against the same fabric as ibnetdiscover prints it.

Real dumps of ibsim and OpenSM, and files of ibdiagnet's forms that are made from them.
"""

from __future__ import annotations

import re
import shutil
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import routeproof as rp
from infiniband_files import db_csv, even_uplinks, fdbs, read_ibnetdiscover
from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.formats.infiniband.adaptive_groups import read_adaptive_groups
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.forwarding_tables import read_forwarding_tables
from routeproof.formats.infiniband.service_levels import read_path_levels
from routeproof.formats.infiniband.sl2vl import read_lane_tables
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec

NET = read_ibnetdiscover(INFINIBAND / "leaf-spine.topo")
TABLES = read_forwarding_tables(INFINIBAND / "leaf-spine.lft", NET)


def facts(net: Network) -> tuple[object, ...]:
    assert isinstance(net, FabricNetwork)
    channels = sorted((net.channel_label(c), net.bandwidth[c]) for c in range(net.num_channels))
    hosts = sorted((x.name, x.guid, x.lid, x.lmc, x.port, net.label(x.switch)) for x in net.hosts)
    return channels, hosts, sorted((x.guid, x.name, x.lid, x.ports) for x in net.switches), net.gbps, net.host_bandwidth


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An ibdiagnet archive with groups of adaptive routing: all cables upwards at every leaf."""
    place = tmp_path / "ibdiagnet2"
    place.mkdir()
    written(place / "ibdiagnet2.db_csv", db_csv(NET))
    shutil.copy(INFINIBAND / "leaf-spine.lst", place / "ibdiagnet2.lst")
    written(place / "ibdiagnet2.fdbs", fdbs(NET, TABLES.port))
    written(place / "ibdiagnet2.far", even_uplinks(NET, TABLES.port))
    return place


def quiet(place: Path) -> tuple[Network, Routing]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = rp.network(str(place))
        return network, routing_from_spec("tables", network)


class TestTopologies:
    @pytest.mark.parametrize("name", ["leaf-spine.ports", "leaf-spine.lst"])
    def test_real_dumps_say_the_same(self, name: str) -> None:
        assert facts(read_network(INFINIBAND / name)) == facts(NET)

    def test_db_csv(self, tmp_path: Path) -> None:
        assert facts(read_network(written(tmp_path / "a", db_csv(NET)))) == facts(NET)

    def test_db_csv_tells_how_many_lids_a_port_has(self, tmp_path: Path) -> None:
        net = read_ibnetdiscover(INFINIBAND / "ring3-lmc1.topo")
        again = read_network(written(tmp_path / "a", db_csv(net, lmc=1)))
        assert facts(again) == facts(net)

    @pytest.mark.parametrize(("active", "rate"), [(2052, 400), (0x404, 200), (0x204, 100), (0x10001, 40), (4, 32)])
    def test_speeds_of_db_csv(self, active: int, rate: int, tmp_path: Path) -> None:
        text = re.sub(r"(0x[0-9a-f]+,0x[0-9a-f]+,\d+,0x0,0x0,0,\d+,2),\d+,", rf"\g<1>,{active},", db_csv(NET))
        net = read_network(written(tmp_path / "a.db_csv", text))
        assert net.gbps == rate

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_lst_of_ibdiagnet(self, end: str, tmp_path: Path) -> None:
        text = (INFINIBAND / "leaf-spine.lst").read_text()
        text = re.sub(r"(GUID|VenID|DevID|Rev|LID|PN):(\w+)", lambda x: f"{x[1]}:{x[2].lower()}", text)
        assert "000e" in text
        path = tmp_path / "ibdiagnet2.lst"
        path.write_text(text, newline=end)
        assert facts(read_network(path)) == facts(NET)

    def test_lst_without_speeds_has_equal_cables(self, tmp_path: Path) -> None:
        text = re.sub(r" SPD=\S+", "", (INFINIBAND / "leaf-spine.lst").read_text())
        net = read_network(written(tmp_path / "a.lst", text))
        assert set(net.bandwidth) == {1}
        assert net.gbps is None

    def test_lst_without_names(self, tmp_path: Path) -> None:
        text = re.sub(r"\{[\w-]+\}", "", (INFINIBAND / "leaf-spine.lst").read_text())
        names = read_network(written(tmp_path / "a.lst", text)).terminal_labels
        assert names is not None
        assert len(set(names)) == 8

    @pytest.mark.parametrize(
        ("name", "old", "new", "said"),
        [
            ("ports", "SW     9  4 0x", "SW     9  5 0x", "line 1: port 1 of .* leads to"),
            ("ports", "CA    13  1 0x000000000010000d", "CA    13  1", "line 2: .* is not a line of ibnetdiscover -p"),
            ("ports", "CA    13  1", "XX    13  1", "is not a line of ibnetdiscover -p"),
            ("ports", "4x DDR", "4x WDR", "line 1: a cable of '4xWDR'"),
            ("ports", "CA    13 ", "CA    14 ", "lid 14 belongs to line 1 already"),
            ("lst", "PHY=4x", "PHY=5x", "line 1: a cable of PHY=5x"),
            ("lst", "LOG=ACT", "LOG=XYZ", "line 1: .* is not a line of"),
            ("db_csv", "END_LINKS", "", "cells; 4 were expected in LINKS"),
            ("db_csv", "START_PORTS", "START_PORT", "has no table PORTS"),
            ("db_csv", "LinkSpeedActv", "Speed", "the table PORTS has no column LinkSpeedActv"),
            ("db_csv", ",2,2,0,5,4", ",2,32,0,5,4", "LinkWidthActv 2 and LinkSpeedActv 32"),
            ("db_csv", ',2,1,1,0x', ',9,1,1,0x', "NodeType is '9'"),
            ("db_csv", "START_LINKS\n", "START_LINKS\nx", "the table LINKS has no column NodeGuid1"),
            ("db_csv", "0x0000000000100000,1,0x", "0x0000000000100009,1,0x", "is there already|not among the NODES"),
        ],
    )  # fmt: skip
    def test_broken_files(self, name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
        text = db_csv(NET) if name == "db_csv" else (INFINIBAND / f"leaf-spine.{name}").read_text()
        assert old in text
        path = written(tmp_path / f"a.{name}", text.replace(old, new, 1))
        with pytest.raises(InputError, match=said) as caught:
            read_network(path)
        assert "\n" not in str(caught.value)


class TestTables:
    def test_fdbs_of_ibdiagnet(self, tmp_path: Path) -> None:
        again = read_forwarding_tables(written(tmp_path / "a.fdbs", fdbs(NET, TABLES.port)), NET)
        lids = [lid for x in (*NET.switches, *NET.hosts) for lid in x.lids]
        assert np.array_equal(again.port[:, lids], TABLES.port[:, lids])

    def test_private_tables_are_refused(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.fdbs", fdbs(NET, TABLES.port).replace("PLFT_NUM: 0", "PLFT_NUM: 1"))
        with pytest.raises(InputError, match=r"line 4: a private table \('PLFT_NUM: 1'\)"):
            read_forwarding_tables(path, NET)

    def test_slvl_of_ibdiagnet(self, tmp_path: Path) -> None:
        dump = INFINIBAND / "leaf-spine.sl2vl"
        lines, guid = [], ""
        for line in dump.read_text().splitlines():
            if found := re.match(r"\w.* (0x[0-9a-f]{16}), base LID", line):
                guid = found[1]
            elif found := re.match(r"(\d+) +(\d+) +:(.*)", line):
                lanes = [f"{int(x):x}" for x in found[3].split()]
                pairs = " ".join(f"0x{lanes[k]}{lanes[k + 1]}" for k in range(0, 16, 2))
                lines.append(f"{guid} {found[1]} {found[2]} {pairs}")
        path = written(tmp_path / "ibdiagnet.slvl", "\n".join(lines) + "\n")
        for one, other in zip(read_lane_tables(dump, NET), read_lane_tables(path, NET), strict=True):
            assert np.array_equal(one, other)

    def test_psl_of_ibdiagnet(self, tmp_path: Path) -> None:
        rows = [
            f"0x{a.node:016x} {b.lid} {(k + m) % 3}" for k, a in enumerate(NET.hosts) for m, b in enumerate(NET.hosts)
        ]
        path = written(tmp_path / "ibdiagnet.psl", "\n".join(rows) + "\n")
        level = read_path_levels(path, NET).level[0]
        for k in range(8):
            assert level[k].tolist() == [1 << (k + m) % 3 for m in range(8)]
        with pytest.raises(InputError, match=r"line 1: .* has no node with the GUID 0x00000000dead0000"):
            read_path_levels(written(path, f"0x00000000dead0000 {NET.hosts[0].lid} 0\n"), NET)


class TestAdaptiveRouting:
    def test_groups_are_read(self, archive: Path) -> None:
        found = read_adaptive_groups(archive / "ibdiagnet2.far", NET)
        assert found.adaptive == 4 * 6  # at every leaf the hosts of the other leaves
        for v, switch in enumerate(NET.switches):
            for k, lid in enumerate(found.lids.tolist()):
                ports = found.ports[found.choice[v, k]]
                host = next(x for x in NET.hosts if x.lid == lid)
                is_far = switch.name.startswith("leaf") and host.switch != v
                assert ports == ((1, 2) if is_far else (TABLES.port[v, lid],))

    def test_an_even_split_is_what_ecmp_is_here(self, archive: Path) -> None:
        network, routing = quiet(archive)
        found = rp.worst_case(routing).load
        assert found == rp.worst_case(routing_from_spec("ecmp", network)).load == Fraction(1, 2)

    def test_the_line_says_what_is_judged(self, archive: Path) -> None:
        network = rp.network(str(archive))
        with pytest.warns(rp.RouteproofWarning, match="24 of 48 entries name several ports; packets are split evenly"):
            routing_from_spec("tables", network)

    def test_ideal_adaptive_routing_over_the_groups(
        self, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        report = tmp_path / "report.json"
        assert main(["adaptive", str(archive), "--paths", "tables", "--json", str(report)]) == 0
        assert re.search(r"ideal adaptive channel load over permutations.* 1/2 ", capsys.readouterr().out)
        assert main(["verify", str(report)]) == 0

    def test_without_groups_the_tables_count(self, archive: Path) -> None:
        (archive / "ibdiagnet2.far").unlink()
        assert rp.worst_case(quiet(archive)[1]).load == 1

    def test_two_lids_a_port(self, tmp_path: Path) -> None:
        net = read_ibnetdiscover(INFINIBAND / "ring3-lmc1.topo")
        tables = read_forwarding_tables(INFINIBAND / "ring3-lmc1.lft", net)
        text = even_uplinks(net, tables.port).replace("Free", "Static")
        shutil.copy(INFINIBAND / "ring3-lmc1.topo", tmp_path)
        written(tmp_path / "a.far", text)
        given = routing_from_spec(str(INFINIBAND / "ring3-lmc1.lft"), net)
        assert rp.worst_case(quiet(tmp_path)[1]).load == rp.worst_case(given).load

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("PLFT_NUM: 0", "PLFT_NUM: 2", "a private table"),
            ("Free        7", "Free        8", "has group 8, which has no ports here"),
            ("7         0           0       1, 2, ", "7 0 0 1, 9,", "by port 9, where no cable to a switch is"),
            ("7         0           0       1, 2, ", "7 0 0 1, 99,", "leaves leaf3 by port 99"),
            ("7         0           0       1, 2, ", "7 0 0 1, 3,", r"by port 3, to host leaf3-h\d"),
            ("0x000e    4             Static", "0x000e    3             Static", "does not reach its host"),
            ("0x000e ", "0x001e ", "lid 0x001e belongs to no port"),
            ("Free        7", "Somehow     7", "is not a line of ibdiagnet2.far"),
            ("Switch 0x0000000000200005", "Switch 0x0000000000200055", "has no switch with the GUID"),
            ("Switch 0x0000000000200004", "Switch 0x0000000000200005", "leaf3 a second time"),
            (
                "LFT Definition:\nPLFT_NUM: 0, top:0xe\nLID       Static Port   Lid State   Group",
                "",
                "line 12: a lid before any",
            ),
        ],
    )
    def test_broken_groups(self, old: str, new: str, said: str, archive: Path) -> None:
        path = archive / "ibdiagnet2.far"
        assert old in path.read_text()
        written(path, path.read_text().replace(old, new, 1))
        (archive / "ibdiagnet2.fdbs").unlink()
        with pytest.raises(InputError, match=said) as caught:
            quiet(archive)
        assert "\n" not in str(caught.value)

    def test_groups_of_another_day_than_the_tables(self, archive: Path) -> None:
        path = archive / "ibdiagnet2.fdbs"
        lid = NET.hosts[0].lid
        begin, _, rest = path.read_text().partition("Switch 0x0000000000200004")
        changed = re.sub(rf"0x{lid:04x} : \d+", f"0x{lid:04x} : 009", rest, count=1)
        written(path, f"{begin}Switch 0x0000000000200004{changed}")
        with pytest.raises(InputError, match=r"to port 9 in .*, which is not among its ports in .* one day"):
            quiet(archive)

    def test_packets_that_go_round(self, archive: Path) -> None:
        path = archive / "ibdiagnet2.far"
        (archive / "ibdiagnet2.fdbs").unlink()
        text = path.read_text()
        spine = NET.switches[next(v for v, x in enumerate(NET.switches) if x.name == "spine0")]
        lid = next(x.lid for x in NET.hosts if x.name == "leaf3-h1")
        begin, _, rest = text.partition(f"Switch 0x{spine.guid:016x}")
        wrong = re.sub(rf"0x{lid:04x}    \d+", f"0x{lid:04x}    1", rest, count=1)
        written(path, f"{begin}Switch 0x{spine.guid:016x}{wrong}")
        with pytest.raises(InputError, match="do not arrive: they may go round in a cycle"):
            quiet(archive)
