"""What ``failures --repair opensm:ENGINE`` says is what OpenSM installs when each cable is taken out of a running
fabric.

Debian: ``apt install opensm ibsim-utils infiniband-diags``; without the programs the tests are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from test_real_opensm import FABRICS, MISSING, SLOW, _net, _where, wait_until

from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.faults import Faults
from routeproof.formats.format import read_network
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.ibsim import ibsim_text, kept_lids
from routeproof.routing.base.routing import Routing
from routeproof.routing.fabrics import opensm
from routeproof.routing.fabrics.forwarding_tables import read_forwarding
from routeproof.routing.named.described import routing_from_description
from routeproof.topologies.failures import Failure
from routeproof.worst.scan.exact import worst_case

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (Debian: opensm ibsim-utils infiniband-diags)"
)


class Running:
    """ibsim with a fabric whose cables can be taken out and put back; OpenSM runs on it again and again."""

    def __init__(self, place: Path, simulator: subprocess.Popen[bytes], environment: dict[str, str]) -> None:
        self.place, self.simulator, self.environment = place, simulator, environment

    def say(self, words: str) -> None:
        assert self.simulator.stdin is not None
        before = (self.place / "ibsim.log").read_text(errors="replace").count("sim>")
        self.simulator.stdin.write(f"{words}\n".encode())
        self.simulator.stdin.flush()
        wait_until(
            lambda: (self.place / "ibsim.log").read_text(errors="replace").count("sim>") > before,
            self.simulator,
            f"ibsim does not take {words}",
        )

    def run(self, *command: str) -> bytes:
        return subprocess.run(
            [str(_where("ibsim-run")), *command], env=self.environment, cwd=self.place, check=True, timeout=600,
            capture_output=True,
        ).stdout  # fmt: skip

    def route(self, engine: str) -> None:
        self.run(str(_where("opensm")), *SLOW, "-R", f"{engine},no_fallback", "-o", "-f", str(self.place / "log"))

    def dump(self, folder: Path) -> Path:
        folder.mkdir()
        (folder / "fabric.topo").write_bytes(self.run(str(_where("ibnetdiscover")), *SLOW))
        (folder / "fabric.lft").write_bytes(self.run(str(_where("dump_fts")), *SLOW))
        return folder


@contextmanager
def running(kind: str, place: Path) -> Iterator[Running]:
    links, hosts = FABRICS[kind]
    (place / "net").write_text(_net(links, hosts))
    environment = {
        **os.environ, "IBSIM_SOCKNAME": f"routeproof-{os.getpid()}-{kind}", "OSM_TMP_DIR": str(place),
        "OSM_CACHE_DIR": str(place),
    }  # fmt: skip
    with (
        open(place / "ibsim.log", "wb") as log,
        subprocess.Popen(
            [str(_where("ibsim")), "-s", "net"],
            env=environment,
            cwd=place,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
        ) as simulator,
    ):
        try:
            wait_until(lambda: "sim>" in (place / "ibsim.log").read_text(errors="replace"), simulator, "no ibsim")
            yield Running(place, simulator, environment)
        finally:
            simulator.kill()


def fabric(path: Path) -> FabricNetwork:
    found = read_network(path)
    assert isinstance(found, FabricNetwork)
    return found


def loads_by_name(routing: Routing) -> dict[tuple[str, str], dict[str, Fraction]]:
    network = routing.network
    names = [network.terminal_label(t) for t in range(network.num_terminals)]
    found = {}
    for i, here in enumerate(names):
        for j, there in enumerate(names):
            if network.source[i] != network.sink[j]:
                loads = routing.pair_loads([int(routing.row_of[i])], [int(routing.column_of[j])]).as_dict()
                found[here, there] = {network.channel_label(c): x for c, x in loads.items()}
    return found


@pytest.mark.parametrize(("kind", "engine"), [("fat-tree", "minhop"), ("random", "minhop"), ("torus", "dor")])
def test_every_cable_taken_out_of_a_running_fabric(kind: str, engine: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    with running(kind, tmp_path) as sim:
        sim.route(engine)
        folder = sim.dump(tmp_path / "whole")
        network = fabric(folder)
        words = ["failures", str(folder), "--cables", "1", "--repair", f"opensm:{engine}"]
        assert main([*words, "--json", str(report)]) == 0
        assert main(["verify", str(report)]) == 0
        single = [
            x for x in json.loads(report.read_text())["claims"]
            if x["quantity"] == "worst_case_load" and x["evidence"]["kind"] == "failure"
        ]  # fmt: skip
        assert len(single) == len(FABRICS[kind][0])
        for k, claim in enumerate(single):
            failure = Failure.of(claim["evidence"])
            c = failure.cables[0][0]
            (port, far), u, v = network.ports_of(c), int(network.tail[c]), int(network.head[c])
            ends = f'"{network.label(u)}"[{port}]', f'"{network.label(v)}"[{far}]'
            sim.say(f"Unlink {ends[0]}")
            sim.route(engine)
            after = sim.dump(tmp_path / f"after{k}")
            installed = read_forwarding(str(after / "fabric.lft"), fabric(after))
            left = Faults((), failure.channels(network)).survivors(network).network
            predicted = routing_from_description(claim["evidence"]["routing"], left)
            assert loads_by_name(predicted) == loads_by_name(installed), failure.named(network)
            assert worst_case(installed).load == Fraction(claim["value"])
            sim.say(f"Link {ends[0]} {ends[1]}")


def test_a_fabric_is_written_for_ibsim_with_guids_ports_and_lids() -> None:
    network = fabric(INFINIBAND / "ring5.topo")
    text = ibsim_text(network)
    assert text.count("switchguid=") == len(network.switches)
    assert text.count("[") == 4 * len(network.hosts) + 2 * network.num_channels
    assert all(f"({x.guid:x})" in text for x in network.hosts)
    lids = dict(line.split()[:2] for line in kept_lids(network).splitlines() if line)
    assert all(int(lids[f"0x{x.guid:016x}"], 16) == x.lid for x in (*network.hosts, *network.switches))


def test_without_the_programs_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opensm, "PROGRAMS", ("ibsim", "no-such-program"))
    with pytest.raises(InputError, match=r"no-such-program is not installed here \(Debian: opensm ibsim-utils\)$"):
        opensm.opensm_version("minhop")
    with pytest.raises(InputError, match="an engine of OpenSM was expected"):
        opensm.opensm_version("min hop")
