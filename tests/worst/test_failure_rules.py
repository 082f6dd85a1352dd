"""Failures by each rule: against networks on which what failed is left out by hand, and by brute force."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from places import ETHERNET
from routeproof import failures, verify
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.faults import Faults, pair_farther
from routeproof.core.graph import hops_from
from routeproof.core.network import Network
from routeproof.core.traffic import Traffic
from routeproof.formats.documents.report import digest
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.format import read_network
from routeproof.routing.base.hop_by_hop import HopByHop, HopRule, entries_of
from routeproof.routing.base.repair import NoRepair
from routeproof.routing.base.uniform_after import UniformAfter
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.routing.fabrics.installed_rule import rule_of
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.failures import Failure, all_failures
from routeproof.topologies.family import network_from_spec
from routeproof.worst.failures import base_of, solve_failures
from routeproof.worst.loads import channel_loads_under
from routeproof.worst.rerouting_bound import bounds_of
from routeproof.worst.scan.exact import worst_case

ECMP = "ecmp:choice=per-hop"
CASES = [
    ("fat-tree:4", {"cables": 1}),
    ("petersen", {"cables": 1}),
    ("torus:4x3,bandwidth=2x1,concentration=2", {"links": 1}),
    ("random-regular:12,degree=3,seed=5", {"switches": 1}),
    ("dragonfly:1,2,2,groups=3", {"cables": 1}),
    ("mesh:3x2", {"links": 1, "switches": 1}),
    ("ring:5,oneway", {"links": 1}),
]


@pytest.mark.parametrize(("topology", "counts"), CASES)
def test_the_rule_on_what_is_left_is_ecmp_made_anew(topology: str, counts: dict[str, int]) -> None:
    network = network_from_spec(topology)
    routing = routing_from_spec(ECMP, network)
    base = base_of(routing, "installed-rule", HopRule.plain(network).describe())
    some = all_failures(network, **counts)[:12]
    results = solve_failures(base, failures=[(list(x.nodes), x.channels(network)) for x in some])
    for failure, result in zip(some, results, strict=True):
        left = Faults(failure.nodes, failure.channels(network)).survivors(network).network
        try:
            again = routing_from_spec(ECMP, left)
        except InputError:
            assert result["cut"] > 0
            continue
        assert "cut" not in result
        assert Fraction(result["load"]) == worst_case(again).load, failure.text
        uniform = channel_loads_under(again, Traffic.uniform(left.num_terminals))
        assert Fraction(result["uniform"]) == max(
            x / w for x, w in zip(uniform.load.fractions(), left.bandwidth, strict=True)
        )


@pytest.mark.parametrize(("topology", "name"), [("mesh:3x2", "dor"), ("ring:5", "ecmp:choice=per-hop")])
def test_nobody_reroutes_by_brute_force(topology: str, name: str) -> None:
    """Pairs that meet what failed are counted; the worst permutation of the others is the worst of all."""
    network = network_from_spec(topology)
    routing = routing_from_spec(name, network)
    size = network.num_terminals
    some = all_failures(network, links=1)
    results = solve_failures(base_of(routing, "none"), failures=[([], x.channels(network)) for x in some])
    for failure, result in zip(some, results, strict=True):
        dead = set(failure.channels(network))
        loads = {
            (i, j): routing.pair_loads([i], [j]).as_dict()
            for i, j in itertools.product(range(size), repeat=2)
            if i != j
        }
        cut = {pair for pair, load in loads.items() if dead & load.keys()}
        assert result["cut"] == len(cut)
        worst = max(
            sum(loads[i, image[i]].get(c, Fraction(0)) for i in range(size) if (i, image[i]) in loads.keys() - cut)
            / network.bandwidth[c]
            for image in itertools.permutations(range(size))
            for c in range(network.num_channels)
        )
        assert Fraction(result["load"]) == worst, failure.text


@pytest.mark.parametrize(("topology", "counts"), CASES)
def test_no_routing_goes_below_the_bound(topology: str, counts: dict[str, int]) -> None:
    network = network_from_spec(topology)
    bounds = bounds_of(network)
    for failure in all_failures(network, **counts)[:8]:
        nodes, channels = Faults(failure.nodes, failure.channels(network)).alive(network)
        found = bounds.after(~channels, nodes[network.source] & nodes[network.sink])
        left = Faults(failure.nodes, failure.channels(network)).survivors(network).network
        for name in ("minimal", ECMP, "valiant"):
            try:
                load = worst_case(routing_from_spec(name, left)).load
            except InputError:
                continue
            assert found is not None
            assert found[0] <= load, (failure.text, name)


def bundled() -> Network:
    """Two leaves below two spines; leaf 0 has two cables to spine 2, which are one port channel."""
    ends = [(0, 2), (0, 2), (0, 3), (1, 2), (1, 3)]
    both = [x for a, b in ends for x in ((a, b), (b, a))]
    return Network.of("bundled", 4, both, source=[0, 0, 1, 1], sink=[0, 0, 1, 1])


def test_a_port_channel_is_one_next_hop() -> None:
    network = bundled()
    bundle = np.arange(10, dtype=np.int32)
    bundle[2], bundle[3] = 0, 1
    routing = routing_from_spec(ECMP, network)
    one = HopByHop(routing, HopRule(bundle, np.ones(10, dtype=np.int64)))
    plain = HopByHop(routing, HopRule.plain(network))
    for repair, share in ((one, Fraction(1, 2)), (plain, Fraction(1, 3))):
        found = repair.after([], [])
        assert repair.rule.shares([0, 2, 4])[4] == share
        assert not len(found.row)


def test_weights_are_kept_and_sums_are_one() -> None:
    network = bundled()
    weight = np.ones(10, dtype=np.int64)
    weight[4] = 3
    rule = HopRule(np.arange(10, dtype=np.int32), weight)
    assert rule.shares([0, 2, 4]) == {0: Fraction(1, 5), 2: Fraction(1, 5), 4: Fraction(3, 5)}
    again = HopRule.of(rule.describe(), network)
    assert again.shares([0, 2, 4]) == rule.shares([0, 2, 4])
    assert rule.kept_by(np.arange(10, dtype=np.int32))
    assert not rule.kept_by(np.array([4, 5, 2, 3, 0, 1, 6, 7, 8, 9], dtype=np.int32))


def test_entries_are_compared_one_by_one() -> None:
    network = read_network(ETHERNET / "leaf-spine")
    assert isinstance(network, EthernetNetwork)
    routing = routing_of_routes(network)
    assert entries_of(routing, HopRule.plain(network)) == 12 == rule_of(routing).entries
    count = network.num_channels
    uneven = HopRule(np.arange(count, dtype=np.int32), np.arange(1, count + 1))
    with pytest.raises(InputError, match=r"go to .*, and the rule sends them to .*"):
        entries_of(routing, uneven)


def test_longer_paths_are_left_open_where_nobody_knows() -> None:
    network = network_from_spec("ring:5")
    routing = routing_from_spec(ECMP, network)
    for longer in (True, False):
        base = base_of(routing, "installed-rule", HopRule.plain(network, longer=longer).describe())
        result = solve_failures(base, failures=[([], Failure(links=((0, 1),)).channels(network))])[0]
        assert ("undecided" in result) != longer
        assert ("load" in result) == longer


@pytest.mark.parametrize(("topology", "counts"), CASES)
def test_paths_get_longer_where_the_rule_finds_them_longer(topology: str, counts: dict[str, int]) -> None:
    """With the faults alone, and by brute force, as with the loads of all pairs."""
    network = network_from_spec(topology)
    base = base_of(routing_from_spec(ECMP, network), "installed-rule", HopRule.plain(network, longer=False).describe())
    ends = network.tail, network.head
    for failure in all_failures(network, **counts)[:12]:
        nodes, channels = list(failure.nodes), failure.channels(network)
        alive = Faults(nodes, channels).alive(network)
        near = [[hops_from(network.num_nodes, *(x[c] for x in ends), v) for v in range(network.num_nodes)]
                for c in (slice(None), alive[1])]  # fmt: skip
        kept = sorted({int(v) for v in network.source if alive[0][v]})
        farther = [(i, j) for i in kept for j in kept if near[1][i][j] > near[0][i][j]]
        found = pair_farther(network, nodes, channels)
        assert (found in farther) if farther else found is None
        result = solve_failures(base, failures=[(nodes, channels)])[0]
        if "cut" not in result and "nothing" not in result:
            assert ("undecided" in result) == (found is not None)


def test_uniform_traffic_without_a_failure() -> None:
    network = network_from_spec("torus:4x3")
    routing = routing_from_spec("dor", network)
    repair = NoRepair(routing)
    whole = channel_loads_under(routing, Traffic.uniform(12)).load.fractions()
    assert UniformAfter(repair).load(repair.after([], [])) == max(whole)


def test_a_failure_whose_pairs_are_cut_needs_its_worst_case_too(tmp_path: Path) -> None:
    """Else the worst failure could be left out of the worst of all."""
    routing = routing_from_spec("dor", network_from_spec("mesh:5"))
    path = tmp_path / "report.json"
    failures(routing, repair="none").write(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    loads = {Fraction(x["value"]) for x in document["claims"] if x["quantity"] == "worst_case_load"}
    worst, second = sorted(loads)[::-1][:2]
    kept = []
    for entry in document["claims"]:
        if entry["quantity"] == "worst_case_load":
            every = entry["evidence"]["kind"] == "every-failure"
            if not every and Fraction(entry["value"]) == worst:
                continue
            entry["value"] = str(second) if every else entry["value"]
        kept.append({**entry, "digest": digest(entry)})
    path.write_text(json.dumps({**document, "claims": kept}), encoding="utf-8")
    with pytest.raises(VerificationError, match="nothing is stated about"):
        verify(path)
