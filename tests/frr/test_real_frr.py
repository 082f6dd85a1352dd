"""End to end with the real programs: FRR routes a fabric in network namespaces, lldpd sees its cables, we judge it.

Debian: ``apt install frr lldpd``, as root.  Without them, or without namespaces, these tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from page_commands import commands_of
from places import ETHERNET
from routeproof.cli.main import main
from routeproof.formats.documents.network import first_difference
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.format import read_network
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.worst.scan.exact import worst_case

SCRIPT = Path(__file__).with_name("leaf_spine.sh")
PROGRAMS = ("vtysh", "lldpd", "lldpcli", "ip", "unshare", "bash")
WHERE = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
MISSING = [x for x in PROGRAMS if shutil.which(x, path=WHERE) is None]


def why_not() -> str:
    if MISSING:
        return f"not installed: {', '.join(MISSING)} (Debian: frr lldpd)"
    if os.geteuid() != 0:
        return "network namespaces need root"
    tried = subprocess.run(["ip", "netns", "add", f"rptry{os.getpid()}"], capture_output=True, env={"PATH": WHERE})
    if tried.returncode == 0:
        subprocess.run(["ip", "netns", "del", f"rptry{os.getpid()}"], check=True, env={"PATH": WHERE})
    return "" if tried.returncode == 0 else "network namespaces are not permitted here"


def test_what_frr_routes_now_is_what_it_routed_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    out = tmp_path / "leaf-spine"
    out.mkdir()
    more = tmp_path / "more"
    subprocess.run(
        ["bash", str(SCRIPT), str(out), str(more)], check=True, timeout=600, env={"PATH": WHERE}, capture_output=True
    )
    network, committed = read_network(out), read_network(ETHERNET / "leaf-spine")
    assert isinstance(network, EthernetNetwork)
    assert first_difference(network, committed) is None
    assert network.terminal_labels == committed.terminal_labels
    assert worst_case(routing_of_routes(network)).load == Fraction(7, 6)
    report = str(tmp_path / "report.json")
    assert main(["worst-case", str(out), "--json", report]) == 0
    assert main(["verify", report]) == 0
    for form in ("text", "six", "linux"):
        other = read_network(more / form)
        assert isinstance(other, EthernetNetwork)
        assert worst_case(routing_of_routes(other)).load == Fraction(7, 6)
        assert sorted(map(other.channel_label, range(14))) == sorted(map(network.channel_label, range(14)))
        assert other.terminal_labels == network.terminal_labels

    # the operators' page, from the switch to the answer
    shutil.copytree(out, tmp_path / "fabric")
    (tmp_path / "squeue.txt").write_text(
        " JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"
        " 17 gpu train ada R 1:02:03 2 h[1,3]\n"
        " 18 gpu my mpi bob R 10:03 2 H2,h4.example.net\n"
        " 19 gpu sweep bob PD 0:00 2 (Resources)\n"
    )
    monkeypatch.chdir(tmp_path)
    for words in commands_of("for-ethernet-operators.md", "From the switch to the answer"):
        assert main([*words, "--json", report]) == 0, words
        assert main(["verify", report]) == 0
    page = (tmp_path / "jobs.html").read_text()
    assert "the hot link is spine2[swp1] → leaf1[swp2]" in page
    assert "h4 ⇒ h2 (job 18)" in page
