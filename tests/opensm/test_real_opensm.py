"""End to end with the real programs: ibsim simulates a fabric, OpenSM routes it, we judge it and hand tables back.

Debian: ``apt install opensm ibsim-utils infiniband-diags``.  Nothing here needs hardware; without the programs these
tests are skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from infiniband_files import read_ibnetdiscover
from page_commands import commands_of
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.documents.network import first_difference
from routeproof.formats.format import read_network
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.forwarding_tables import read_forwarding_tables, write_forwarding_tables
from routeproof.optimum.tables.exchange import improve_tables
from routeproof.routing.fabrics.forwarding_tables import forwarding_ports, read_forwarding
from routeproof.routing.fabrics.service_levels import read_service_levels
from routeproof.worst.scan.exact import worst_case

PATIENCE = 600.0  # seconds after which a test gives up
SLOW = ("-t", "2000")  # milliseconds that a simulated answer may take: 200 are not enough on a busy machine
PROGRAMS = ("ibsim", "ibsim-run", "opensm", "ibnetdiscover", "iblinkinfo", "dump_fts", "saquery", "smpquery")


def _where(program: str) -> str | None:
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


MISSING = [x for x in PROGRAMS if _where(x) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (Debian: opensm ibsim-utils infiniband-diags)"
)

Link = tuple[str, str]


def _torus(width: int, height: int) -> list[Link]:
    links = []
    for x in range(width):
        for y in range(height):
            links.append((f"s{x}-{y}", f"s{(x + 1) % width}-{y}"))
            links.append((f"s{x}-{y}", f"s{x}-{(y + 1) % height}"))
    return links


def _fat_tree() -> list[Link]:
    return [(f"leaf{a}", f"spine{b}") for a in range(4) for b in range(2) for _ in range(1)]


def _random() -> list[Link]:
    rng = np.random.default_rng(5)
    links: set[Link] = {(f"s{k}", f"s{(k + 1) % 7}") for k in range(7)}
    while len(links) < 12:
        a, b = sorted(rng.choice(7, size=2, replace=False).tolist())
        if b - a not in (1, 6):
            links.add((f"s{a}", f"s{b}"))
    return sorted(links)


def _ring(size: int) -> list[Link]:
    return [(f"s{k}", f"s{(k + 1) % size}") for k in range(size)]


FABRICS = {
    "torus": (_torus(3, 3), 1),
    "fat-tree": (_fat_tree(), 2),
    "random": (_random(), 2),
    "ring": (_ring(5), 1),
    "wide-torus": (_torus(5, 3), 1),
    "block": (_ring(4), 15),  # 64 lids, as many as a block of a forwarding table
}


def _net(links: list[Link], hosts: int, *, cable: str = "", host_cable: str = "") -> str:
    """ibsim's description of a fabric: switches of 20 ports, ``hosts`` at every switch that is no spine.

    ``cable``, ``host_cable``: the widths and speeds that ports may have, as ibsim wants them (`` w=3 s=7``).
    """
    switches: dict[str, list[tuple[str, int]]] = {}
    for a, b in links:
        pa, pb = len(switches.setdefault(a, [])) + 1, len(switches.setdefault(b, [])) + 1
        switches[a].append((b, pb))
        switches[b].append((a, pa))
    tail = []
    for name in switches:
        for k in range(0 if name.startswith("spine") else hosts):
            host = f"{name}-h{k}"
            switches[name].append((host, 1))
            tail.append(f'Hca 1 "{host}"\n[1] "{name}"[{len(switches[name])}]{host_cable}\n')
    lines = []
    for name, ports in switches.items():
        lines.append(f'Switch 20 "{name}"')
        lines += [
            f'[{p}] "{far}"[{q}]{cable if far in switches else host_cable}' for p, (far, q) in enumerate(ports, 1)
        ]
        lines.append("")
    return "\n".join([*lines, *tail])


def wait_until(what: Callable[[], bool], process: subprocess.Popen[bytes], otherwise: str) -> None:
    """Wait until ``what()`` is so; a failure at once where the process has ended."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert process.poll() is None, otherwise
        assert time.monotonic() < end, otherwise
        time.sleep(0.02)


class _Fabric:
    def __init__(self, directory: Path, environment: dict[str, str]) -> None:
        self.directory, self.environment = directory, environment

    def _run(self, *command: str) -> bytes:
        program = str(_where("ibsim-run"))
        process = subprocess.Popen(
            [program, *command], env=self.environment, cwd=self.directory, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            return process.communicate(timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise

    def route(self, engine: str, *more: str, lmc: int = 0) -> bool:
        """Let OpenSM route the fabric once; False where the engine does not apply here."""
        log = self.directory / "opensm.log"
        log.unlink(missing_ok=True)
        command = (
            str(_where("opensm")),
            *SLOW,
            "-R",
            f"{engine},no_fallback",
            "-l",
            str(lmc),
            "-o",
            "-r",
            "-f",
            str(log),
        )
        try:
            self._run(*command, *more)
        except subprocess.TimeoutExpired:
            return False
        return f"{engine} tables configured on all switches" in log.read_text(errors="replace")

    @contextmanager
    def serving(self, engine: str, *more: str, lmc: int = 0) -> Iterator[None]:
        """OpenSM stays and answers questions, with quality of service and its debugging dumps."""
        log = self.directory / "opensm.log"
        log.unlink(missing_ok=True)
        command = [
            str(_where("ibsim-run")), str(_where("opensm")), *SLOW, "-R", f"{engine},no_fallback", "-Q", "-l", str(lmc),
            "-r", "-D", "0x43", "-d", "2", "-f", str(log), *more,  # -d 2: the log is flushed
        ]  # fmt: skip
        process = subprocess.Popen(
            command, env=self.environment, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            wait_until(
                lambda: log.exists() and "SUBNET UP" in log.read_text(errors="replace"),
                process,
                f"OpenSM's {engine} does not come up",
            )
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def path_records(self, network: FabricNetwork) -> Path:
        """What an administrator gets by ``saquery -p``; simulated, long answers are cut short, so pair by pair."""
        lids = [(host.lid, host.lid + (1 << host.lmc)) for host in network.hosts]
        pairs = [f"{a}:{x}" for a, _ in lids for b, end in lids if a != b for x in range(b, end)]
        script = f"for p in {' '.join(pairs)}; do {_where('saquery')} {' '.join(SLOW)} --src-to-dst $p; done"
        file = self.directory / "fabric.paths"
        file.write_bytes(self._run("bash", "-c", script))
        return file

    def lane_tables(self, network: FabricNetwork) -> Path:
        """What ``smpquery sl2vl LID PORT`` says of every port of every switch."""
        ports = [f"{switch.lid} {p}" for switch in network.switches for p in range(1, 6)]
        script = "".join(f"{_where('smpquery')} {' '.join(SLOW)} sl2vl {x}\n" for x in ports)
        file = self.directory / "smpquery.sl2vl"
        file.write_bytes(self._run("bash", "-c", script))
        return file

    def topology(self, *options: str) -> Path:
        """What ibnetdiscover prints with these options."""
        topo = self.directory / f"with{''.join(options)}.topo"
        topo.write_bytes(self._run(str(_where("ibnetdiscover")), *SLOW, *options))
        return topo

    def printed(self, program: str, *options: str) -> Path:
        """What a program of infiniband-diags prints with these options."""
        file = self.directory / f"{program}{''.join(options)}"
        file.write_bytes(self._run(str(_where(program)), *SLOW, *options))
        return file

    def dump(self, name: str) -> tuple[Path, Path]:
        topo, lft = self.directory / f"{name}.topo", self.directory / f"{name}.lft"
        topo.write_bytes(self._run(str(_where("ibnetdiscover")), *SLOW))
        lft.write_bytes(self._run(str(_where("dump_fts")), *SLOW))
        return topo, lft


@contextmanager
def _simulated(kind: str, directory: Path, *, cable: str = "", host_cable: str = "") -> Iterator[_Fabric]:
    net = directory / "net"
    links, hosts = FABRICS[kind]
    net.write_text(_net(links, hosts, cable=cable, host_cable=host_cable))
    environment = {
        **os.environ,
        "IBSIM_SOCKNAME": f"routeproof-{os.getpid()}-{time.monotonic_ns()}",
        "OSM_TMP_DIR": str(directory),
        "OSM_CACHE_DIR": str(directory),
    }
    with open(directory / "ibsim.log", "wb") as log:
        simulator = subprocess.Popen(
            [str(_where("ibsim")), "-s", str(net)],
            env=environment,
            cwd=directory,  # it leaves files where it runs
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
        )
        try:
            wait_until(lambda: "sim>" in (directory / "ibsim.log").read_text(errors="replace"), simulator, "no ibsim")
            yield _Fabric(directory, environment)
        finally:
            simulator.kill()
            simulator.communicate()


def _judge(topo: Path, lft: Path) -> tuple[FabricNetwork, int]:
    net = read_ibnetdiscover(topo)
    return net, int(worst_case(read_forwarding(str(lft), net)).load)


# s: SDR 1, DDR 2, QDR 4; w: 1x 1, 4x 2, 8x 4, 12x 8; sums of those that a port may have.
@pytest.mark.parametrize(
    ("cable", "host_cable", "bandwidth"),
    [(" s=7", " s=3", 2), (" w=11 s=3", " w=3 s=1", 6), (" w=1 s=1", " s=7", Fraction(1, 16)), (" s=1", " s=1", 1)],
)
def test_all_options_of_ibnetdiscover_tell_the_same_rates(
    cable: str, host_cable: str, bandwidth: Fraction, tmp_path: Path
) -> None:
    with _simulated("fat-tree", tmp_path, cable=cable, host_cable=host_cable) as fabric:
        assert fabric.route("minhop")
        plain, *others = (fabric.topology(*x) for x in ((), ("-f",), ("-g",), ("-f", "-g"), ("-s",), ("-m",)))
        ports, *refused = [fabric.topology(x) for x in ("-p", "-l", "-H", "-S")]
    assert "s=" in others[0].read_text()
    assert "Non-Chassis Nodes" in others[1].read_text()
    net = read_ibnetdiscover(plain)
    assert set(net.bandwidth) == {bandwidth}
    for other in others:
        found = read_ibnetdiscover(other)
        assert first_difference(found, net) is None, other
        assert (found.switches, found.hosts) == (net.switches, net.hosts)
    assert _facts(_fabric_in(ports)) == _facts(net)
    for other in refused:
        with pytest.raises(InputError, match="run ibnetdiscover without -"):
            read_network(other)


# Which engines route which fabric: updn and ftree find no roots in the others, and OpenSM then tries for ever.
ANYWHERE = ("minhop", "dor", "lash", "sssp", "dfsssp", "nue")
APPLIES = {"torus": ANYWHERE, "fat-tree": (*ANYWHERE, "updn", "ftree"), "random": ANYWHERE}


@pytest.mark.parametrize("kind", list(APPLIES))
def test_every_engine_is_judged_and_its_tables_go_back(kind: str, tmp_path: Path) -> None:
    for engine in APPLIES[kind]:
        place = tmp_path / engine
        place.mkdir()
        with _simulated(kind, place) as fabric:
            assert fabric.route(engine, "-Q"), f"OpenSM's {engine} does not route the {kind}"
            topo, lft = fabric.dump("first")
            net, load = _judge(topo, lft)
            assert load >= 1
            # Back to OpenSM: written by us, loaded by it, dumped again.
            own = place / "own.lft"
            routing = read_forwarding(str(lft), net)
            write_forwarding_tables(net, forwarding_ports(net, routing), own)
            assert fabric.route("file", "-U", str(own))
            again, table = fabric.dump("again")
            assert _judge(again, table)[1] == load
            first, second = (_hosts_only(x, y) for x, y in ((topo, lft), (again, table)))
            assert first == second


def test_opensm_s_own_dump_says_the_same(tmp_path: Path) -> None:
    """ftree leaves lids of other spines without an entry; the dump's last number is the highest lid all the same."""
    with _simulated("fat-tree", tmp_path) as fabric, fabric.serving("ftree"):
        topo, lft = fabric.dump("first")
    own = tmp_path / "opensm-lfts.dump"
    net = read_ibnetdiscover(topo)
    lines = own.read_text().splitlines()
    assert any(len(x.splitlines()) < net.num_nodes + 8 for x in own.read_text().split("Unicast"))
    assert f"{net.num_nodes + 8} lids dumped" in lines
    assert (read_forwarding_tables(own, net).port == read_forwarding_tables(lft, net).port).all()


def _fabric_in(path: Path) -> FabricNetwork:
    found = read_network(path)
    assert isinstance(found, FabricNetwork)
    return found


def _facts(net: FabricNetwork) -> tuple[object, ...]:
    channels = sorted((net.channel_label(c), net.bandwidth[c]) for c in range(net.num_channels))
    hosts = sorted((x.name, x.guid, x.lid, x.port, net.label(x.switch)) for x in net.hosts)
    return channels, hosts, sorted((x.guid, x.name, x.lid, x.ports) for x in net.switches), net.gbps


@pytest.mark.parametrize("kind", ["fat-tree", "random"])
def test_every_program_says_the_same_of_a_fabric(kind: str, tmp_path: Path) -> None:
    with _simulated(kind, tmp_path, cable=" s=7", host_cable=" s=3") as fabric, fabric.serving("minhop"):
        topo, lft = fabric.dump("first")
        links = [fabric.printed("iblinkinfo"), fabric.printed("iblinkinfo", "-p"), tmp_path / "opensm-subnet.lst"]
        tables = [fabric.printed("dump_fts", "-a"), fabric.printed("dump_fts", "-n"), tmp_path / "opensm.fdbs"]
        lines, down = (fabric.printed("iblinkinfo", x) for x in ("-l", "-d"))
    net = read_ibnetdiscover(topo)
    for file in links:
        found = read_network(file)
        assert isinstance(found, FabricNetwork)
        assert _facts(found) == _facts(net), file
    for file in tables:
        assert (read_forwarding_tables(file, net).port == read_forwarding_tables(lft, net).port).all(), file
    for file in (lines, down):
        with pytest.raises(InputError, match="run iblinkinfo without -"):
            read_network(file)


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_the_dump_directory_is_one_argument(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All that OpenSM leaves there, logs and caches too, with what the other programs print beside it."""
    with _simulated("ring", tmp_path, cable=" s=7", host_cable=" s=3") as fabric, fabric.serving("lash"):
        topo, lft = fabric.dump("first")
        fabric.printed("ibnetdiscover", "-p")
        fabric.printed("iblinkinfo")
        fabric.printed("iblinkinfo", "-l")
        fabric.path_records(read_ibnetdiscover(topo))
    found = _fabric_in(tmp_path)
    assert found.archive is not None
    assert {Path(x).name for x in found.archive.tables} == {"first.lft", "opensm-lfts.dump", "opensm.fdbs"}
    assert main(["worst-case", str(tmp_path)]) == 0
    alone = capsys.readouterr().out.splitlines()[3:9]
    assert main(["worst-case", str(topo), "--routing", str(lft)]) == 0
    assert capsys.readouterr().out.splitlines()[3:9] == alone
    assert main(["deadlock", str(tmp_path)]) == 0
    assert "By service level: no cycle" in capsys.readouterr().out


def test_the_administrators_page_from_the_fabric_to_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "fabric"
    folder.mkdir()
    with _simulated("fat-tree", tmp_path) as fabric:
        assert fabric.route("minhop")
        for path in fabric.dump("fabric"):
            shutil.move(path, folder)
    (tmp_path / "squeue.txt").write_text(
        " JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"
        " 17 gpu train ada R 1:02:03 3 leaf[0-2]-h0\n"
        " 18 gpu my mpi bob R 10:03 2 LEAF1-H1,leaf3-h1.example.net\n"
        " 19 gpu sweep bob PD 0:00 2 (Resources)\n"
    )
    monkeypatch.chdir(tmp_path)
    for words in commands_of("for-infiniband-administrators.md", "From the fabric to the answer"):
        assert main([*words, "--json", "report.json"]) == 0, words
        out = capsys.readouterr().out
        assert "fabric.lft" in out
        assert main(["verify", "report.json"]) == 0
        capsys.readouterr()
    page = (tmp_path / "jobs.html").read_text()
    assert re.search(r"the hot link is (leaf|spine)\d\[\d+\] → (leaf|spine)\d\[\d+\]", page)
    assert re.search(r"\(job 1[78]\)", page)


def test_dump_fts_leaves_out_a_lid_and_the_error_says_so(tmp_path: Path) -> None:
    with _simulated("block", tmp_path) as fabric, fabric.serving("minhop"):
        topo, lft = fabric.dump("first")
    net = read_ibnetdiscover(topo)
    last = next(x for x in net.hosts if x.lid == 64)
    said = f"lid 0x0040 .{last.name}. .*dump_fts leaves out the highest lid.*--without {last.name}$"
    with pytest.raises(InputError, match=said):
        read_forwarding(str(lft), net)
    assert worst_case(read_forwarding(str(tmp_path / "opensm.fdbs"), net)).load == 30
    assert main(["worst-case", str(topo), "--routing", str(lft), "--without", last.name]) == 0


def test_a_fabric_before_a_subnet_manager(tmp_path: Path) -> None:
    with _simulated("random", tmp_path) as fabric:
        topo, links = fabric.printed("ibnetdiscover"), fabric.printed("iblinkinfo")
        assert fabric.route("minhop")
        _, lft = fabric.dump("first")
    net = read_network(topo)
    assert isinstance(net, FabricNetwork)
    with pytest.warns(RouteproofWarning, match="all cables are in the state Initialize, before a subnet manager"):
        found = read_network(links)
    assert isinstance(found, FabricNetwork)
    assert _facts(found) == _facts(net)
    assert main(["worst-case", str(topo), "--routing", "ecmp"]) == 0
    with pytest.raises(InputError, match="have no lids"):
        read_forwarding(str(lft), net)


def _hosts_only(topo: Path, lft: Path) -> dict[tuple[int, int], int]:
    """(switch GUID, host port GUID) to port: lids may be given anew, the tables may not change."""
    net = read_ibnetdiscover(topo)
    port = read_forwarding_tables(lft, net).port
    return {
        (switch.guid, host.guid): int(port[v, host.lid]) for v, switch in enumerate(net.switches) for host in net.hosts
    }


@pytest.mark.parametrize("kind", ["torus", "random"])
def test_improved_tables_are_loaded_and_are_better(kind: str, tmp_path: Path) -> None:
    with _simulated(kind, tmp_path) as fabric:
        assert fabric.route("minhop")
        topo, lft = fabric.dump("first")
        net, before = _judge(topo, lft)
        start = read_forwarding(str(lft), net)
        better = improve_tables(net, start, proposals=20_000).routing
        after = int(worst_case(better).load)
        assert after <= before
        own = tmp_path / "better.lft"
        write_forwarding_tables(net, forwarding_ports(net, better), own)
        assert fabric.route("file", "-U", str(own))
        again, table = fabric.dump("again")
        assert _judge(again, table)[1] == after
        assert _hosts_only(again, table) == _hosts_only(topo, own)


def test_named_routings_on_real_lids_are_loaded(tmp_path: Path) -> None:
    with _simulated("fat-tree", tmp_path) as fabric:
        assert fabric.route("minhop")
        topo, _ = fabric.dump("first")
        net = read_ibnetdiscover(topo)
        for name in ("sssp", "dmodk", "updown:root=top,paths=one", "opensm:ftree"):
            own = tmp_path / "named.lft"
            assert main(["convert", str(topo), "--routing", name, str(own)]) == 0
            assert fabric.route("file", "-U", str(own))
            again, table = fabric.dump("again")
            assert _hosts_only(again, table) == _hosts_only(topo, own)
            assert _judge(again, table)[1] == worst_case(read_forwarding(str(own), net)).load


def test_several_lids_a_port(tmp_path: Path) -> None:
    with _simulated("fat-tree", tmp_path) as fabric:
        assert fabric.route("minhop", lmc=1)
        topo, lft = fabric.dump("two")
        assert main(["worst-case", str(topo), "--routing", str(lft), "--json", str(tmp_path / "report.json")]) == 0
        assert main(["verify", str(tmp_path / "report.json")]) == 0


def test_improved_tables_of_several_lids_are_loaded(tmp_path: Path) -> None:
    with _simulated("random", tmp_path) as fabric:
        assert fabric.route("minhop", lmc=1)
        topo, lft = fabric.dump("first")
        net = read_ibnetdiscover(topo)
        start = read_forwarding(str(lft), net)
        better = improve_tables(net, start, proposals=3000).routing
        after = worst_case(better).load
        assert after <= worst_case(start).load
        own = tmp_path / "better.lft"
        write_forwarding_tables(net, forwarding_ports(net, better), own)
        assert fabric.route("file", "-U", str(own), lmc=1)
        again, table = fabric.dump("again")
        loaded = read_ibnetdiscover(again)
        assert worst_case(read_forwarding(str(table), loaded)).load == after
        ports = [read_forwarding_tables(x, y).port for x, y in ((own, net), (table, loaded))]
        lids = [{h.guid: h.lid for h in x.hosts} for x in (net, loaded)]
        places = [{s.guid: v for v, s in enumerate(x.switches)} for x in (net, loaded)]
        for switch in places[0]:
            for host in lids[0]:
                for k in range(2):
                    one, two = (ports[x][places[x][switch], lids[x][host] + k] for x in range(2))
                    assert one == two


def _verdicts(report: Path) -> dict[str, str]:
    """deadlock_free by what it is about: "" on one lane, "by service level"."""
    claims = json.loads(report.read_text())["claims"]
    return {x.get("lanes", ""): x["value"] for x in claims if x["quantity"] == "deadlock_free"}


# ``several``: does the engine give out more than one level?  Minhop does not, and has a cycle; Nue needs none.
@pytest.mark.parametrize(
    ("kind", "engine", "several", "free", "one_lane"),
    [
        ("ring", "minhop", False, "false", "false"),
        ("ring", "lash", True, "true", "false"),
        ("ring", "nue", False, "true", "true"),
        ("wide-torus", "lash", True, "true", "false"),
        ("wide-torus", "dfsssp", True, "true", "false"),
        ("wide-torus", "torus-2QoS", True, "true", "false"),
    ],
)
def test_service_levels_free_of_deadlock(
    kind: str, engine: str, several: bool, free: str, one_lane: str, tmp_path: Path
) -> None:
    config = tmp_path / "torus.conf"  # switches are numbered as they are named: s0-0, s1-0, s0-1, ...
    config.write_text("torus 5 3 1\nxp_link 0x200000 0x200001\nyp_link 0x200000 0x200002\n")
    more = ("--torus_config", str(config)) if engine == "torus-2QoS" else ()
    with _simulated(kind, tmp_path) as fabric, fabric.serving(engine, *more):
        topo, lft = fabric.dump("fabric")
        net = read_ibnetdiscover(topo)
        paths = fabric.path_records(net)
    lanes = tmp_path / "opensm-sl2vl.dump"
    report = tmp_path / "report.json"
    levels = read_service_levels(str(paths), net)
    assert (len(levels.used()) > 1) == several
    for extra in ([], ["--sl2vl", str(lanes)]):
        arguments = ["deadlock", str(topo), "--routing", str(lft), "--service-levels", str(paths), *extra]
        assert main([*arguments, "--json", str(report)]) == 0
        assert _verdicts(report) == {"by service level": free, "": one_lane}
        assert main(["verify", str(report)]) == 0
    if engine == "lash":  # gives both directions of a pair one level: answers change nothing
        arguments = ["deadlock", str(topo), "--routing", str(lft), "--service-levels", f"{paths},replies=same"]
        assert main([*arguments, "--json", str(report)]) == 0
        assert _verdicts(report)["by service level"] == "true"


def test_minhop_on_a_torus_has_a_cycle(tmp_path: Path) -> None:
    with _simulated("wide-torus", tmp_path) as fabric:
        assert fabric.route("minhop")
        topo, lft = fabric.dump("fabric")
    report = tmp_path / "report.json"
    assert main(["deadlock", str(topo), "--routing", str(lft), "--json", str(report)]) == 0
    assert _verdicts(report) == {"": "false"}
    assert main(["verify", str(report)]) == 0


def test_lanes_decide_not_levels_alone(tmp_path: Path) -> None:
    """The levels of DFSSSP, all of which the administrator's own SL2VL tables put on lane 0."""
    config = tmp_path / "one-lane.conf"
    config.write_text(f"qos TRUE\nqos_sl2vl {','.join(['0'] * 16)}\n")
    with _simulated("ring", tmp_path) as fabric, fabric.serving("dfsssp", "-F", str(config)):
        topo, lft = fabric.dump("fabric")
        net = read_ibnetdiscover(topo)
        paths, asked = fabric.path_records(net), fabric.lane_tables(net)
    arguments = ["deadlock", str(topo), "--routing", str(lft), "--service-levels", str(paths)]
    report = tmp_path / "report.json"
    assert main([*arguments, "--json", str(report)]) == 0
    assert _verdicts(report) == {"by service level": "true", "": "false"}
    for lanes in (asked, tmp_path / "opensm-sl2vl.dump"):
        assert main([*arguments, "--sl2vl", str(lanes), "--json", str(report)]) == 0
        assert _verdicts(report) == {"by service level": "false", "": "false"}
        assert main(["verify", str(report)]) == 0


def test_levels_of_several_lids_a_port(tmp_path: Path) -> None:
    with _simulated("ring", tmp_path) as fabric, fabric.serving("dfsssp", lmc=1):
        topo, lft = fabric.dump("fabric")
        paths = fabric.path_records(read_ibnetdiscover(topo))
    report = tmp_path / "report.json"
    arguments = ["--service-levels", f"{lft}={paths}", "--sl2vl", f"{lft}={tmp_path / 'opensm-sl2vl.dump'}"]
    assert main(["compare", str(topo), str(lft), *arguments, "--json", str(report)]) == 0
    assert _verdicts(report) == {"by service level": "true", "": "false"}
    assert main(["verify", str(report)]) == 0
