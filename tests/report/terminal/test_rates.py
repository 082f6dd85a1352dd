"""Throughputs in Gb/s where a dump states speeds, and only there."""

from __future__ import annotations

import pytest

from places import INFINIBAND
from routeproof.cli.main import main

FABRIC, TABLES = str(INFINIBAND / "ring3.topo"), str(INFINIBAND / "ring3.lft")


def printed(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["worst-case", text, "--routing", TABLES]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_per_host(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(FABRIC, capsys)
    assert "bandwidth 1 is 8 Gb/s" in out
    assert "per host 4 (worst case), 8 (uniform); the slowest host's cable carries 8" in out


def test_bounds_of_tables_are_not_said_of_the_routing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", FABRIC, "--objective", "worst-case", "--paths", "tables", "--start", TABLES]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "worst-case throughput, among tables 1/2" in out
    assert "per host 4 (worst case), 8 (uniform); the slowest host's cable carries 8" in out


def test_bandwidths_that_are_gbps_already(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(f"{FABRIC},bandwidth=gbps", capsys)
    assert "bandwidth in Gb/s" in out
    assert "per host 4 (worst case), 8 (uniform); the slowest host's cable carries 8" in out


def test_nothing_where_no_speed_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Gb/s" not in printed(f"{FABRIC},bandwidth=1", capsys)
