"""Failures that have no number: where terminals are separated, and where the rule does not say what happens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import routeproof as rp
from places import ETHERNET


@pytest.mark.parametrize("repair", ["none", "split", "rebuild"])
def test_no_bound_is_stated_where_no_routing_carries_all(repair: str, tmp_path: Path) -> None:
    """A path of three nodes: every link separates terminals, and 'at least 2' would say that something is kept."""
    found = rp.failures(rp.named_routing("minimal", rp.mesh(3)), repair=repair)
    assert all(x.bound is None for x in found.answer.judged)
    assert not any(x.quantity == "adaptive_load" for x in found.answer.stated)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")


def test_a_failure_that_the_rule_does_not_decide_leaves_the_others_of_a_sample(tmp_path: Path) -> None:
    network = rp.network(str(ETHERNET / "three-tiers-agg11-swp4"))
    routing = rp.named_routing(network.own_routing, network)
    found = rp.failures(routing, links=0, cables=2, samples=6, repair="installed-rule")
    judged = found.answer.judged
    assert sum(not x.is_answered for x in judged) == 1
    assert sum(x.load is not None for x in judged) == len(judged) - 1 > 2
    assert not any(x.quantity in ("retained_throughput", "connected_probability") for x in found.answer.stated)
    found.write(tmp_path / "f.json")
    assert rp.verify(tmp_path / "f.json")


def test_failures_of_small_networks_need_no_scipy() -> None:
    script = (
        "import sys, routeproof as rp; rp.failures(rp.named_routing('dor', rp.mesh(3, 3)), repair='none');"
        "print([x for x in sys.modules if x.startswith('scipy')])"
    )
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout == "[]\n"
