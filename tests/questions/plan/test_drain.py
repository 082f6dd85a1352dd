"""A drained switch: against the network without it, by brute force, and by every name that a switch has."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from places import ETHERNET, ROOT
from routeproof import plan, verify
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.faults import Faults
from routeproof.core.network import Network
from routeproof.formats.documents.report import digest
from routeproof.formats.format import read_network
from routeproof.questions.plan.drain import DrainAnswer
from routeproof.routing.base.repair import NoRepair
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.removal import nodes_named
from routeproof.worst.scan.exact import worst_case

INFINIBAND = ROOT / "examples" / "infiniband"


def drains(routing: Routing, *names: int | str, repair: str | None = None) -> DrainAnswer:
    return plan(routing, drain=names, repair=repair).answer  # type: ignore[no-any-return]


def named(topology: str, routing: str = "ecmp:choice=per-hop") -> Routing:
    return routing_from_spec(routing, network_from_spec(topology))


@pytest.mark.parametrize("topology", ["fat-tree:4", "petersen", "torus:3x3", "random-regular:10,degree=3,seed=2"])
@pytest.mark.parametrize("drained", [(0,), (4,), (2, 7)])
def test_by_a_name_it_is_the_worst_case_without_the_switch(topology: str, drained: tuple[int, ...]) -> None:
    routing = named(topology)
    left = Faults(drained).survivors(routing.network).network
    answer = drains(routing, *drained)
    assert answer.repair == "rebuild"
    known = answer.drains[-1].judged
    assert known.failure.nodes == drained
    assert answer.whole == worst_case(routing).load
    assert known.load == worst_case(routing_from_spec("ecmp:choice=per-hop", left)).load


@pytest.mark.parametrize("topology", ["mesh:3x2", "ring:5"])
def test_without_repair_every_permutation_is_tried(topology: str) -> None:
    routing = named(topology)
    network, table = routing.network, routing.pair_table()
    size = network.num_terminals
    loads = np.zeros((network.num_channels, size, size))
    block = table.channel_loads(np.arange(network.num_channels))
    for c in range(network.num_channels):
        some = slice(block.offset[c], block.offset[c + 1])
        loads[c][block.row[some], block.column[some]] = block.load[some].num / block.load[some].den
    for drained in range(size):
        found = NoRepair(routing).after([drained], [])
        alive = found.terminals.copy()
        kept = loads.copy()
        kept[:, found.row, found.column] = 0
        kept[:, ~alive, :] = 0
        kept[:, :, ~alive] = 0
        best = max(kept[:, range(size), x].sum(axis=1).max() for x in itertools.permutations(range(size)))
        judged = drains(routing, drained, repair="none").drains[0].judged
        assert judged.load is not None
        assert float(judged.load) == pytest.approx(best)


@pytest.mark.parametrize(
    ("routing", "names", "repair"),
    [
        (named("fat-tree:4,hosts", "minimal"), ["L1.0", "L3.0"], None),
        (named("fat-tree:4", "minimal"), ["L2.0"], "split"),
        (named("mesh:3x3", "dor"), [4], "none"),
        (routing_from_spec("routes", read_network(str(ETHERNET / "three-tiers"))), ["core1", "agg11"], None),
        (routing_from_spec("tables", read_network(str(INFINIBAND))), ["s1"], None),
    ],
    ids=["cut-off", "split", "none", "installed-rule", "tables"],
)
def test_reports_verify_and_forged_ones_do_not(
    routing: Routing, names: list[int | str], repair: str | None, tmp_path: Path
) -> None:
    result = plan(routing, drain=names, repair=repair)
    path = tmp_path / "plan.json"
    result.write(path)
    assert len(verify(path)) == len(result.claims())
    document = json.loads(path.read_text())
    claim = next(x for x in document["claims"] if x["quantity"] == "worst_case_load" and x["failed"] != "nothing")
    claim["value"] = str(Fraction(claim["value"]) * Fraction(6, 7))
    claim["digest"] = digest({key: x for key, x in claim.items() if key != "digest"})
    path.write_text(json.dumps(document))
    with pytest.raises(VerificationError):
        verify(path)


def test_hosts_that_are_cut_off_are_told_and_left_out() -> None:
    (drain,) = drains(named("fat-tree:4,hosts", "minimal"), "L1.0").drains
    assert (list(drain.hosts), list(drain.cut_off)) == ([], [0, 1])
    assert drain.judged.lost is not None
    left = Faults([0, *drain.without.failure.nodes]).survivors(network_from_spec("fat-tree:4,hosts")).network  # type: ignore[union-attr]
    assert drain.known is not None
    assert drain.known.load == worst_case(routing_from_spec("minimal", left)).load


def test_each_alone_then_all_together() -> None:
    answer = drains(named("fat-tree:4"), "L3.0", "L3.3", "L3.0")
    assert [x.drained.nodes for x in answer.drains] == [(16,), (19,), (16, 19)]


def test_every_name_that_a_switch_has() -> None:
    network = read_network(str(INFINIBAND))
    switch = network.switches[1]  # type: ignore[attr-defined]
    for text in (
        "s1",
        '"s1"',
        "1",
        f"lid {switch.lid}",
        f"LID:{switch.lid}",
        f"0x{switch.guid:x}",
        f"S-{switch.guid:016x}",
    ):
        assert nodes_named(network, text, "--drain") == [1]


def test_default_names_of_vendors_hold_semicolons_and_slashes() -> None:
    labels = ["MF0;switch:MQM8700/U1", "MF0;switch:MQM8700/U2", "a", "b"]
    network = Network.of("named", 4, [(u, v) for u in range(4) for v in range(4) if u != v], labels=labels)
    assert nodes_named(network, labels[0], "--drain") == [0]
    assert nodes_named(network, f'"{labels[1]}"', "--drain") == [1]
    assert nodes_named(network, "MF0;*", "--drain") == [0, 1]
    with pytest.raises(InputError, match="did you mean 'MF0;switch:MQM8700/U1'"):
        nodes_named(network, "MF0;switch:MQM8700/U11", "--drain")


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        ([], "plan needs what is planned"),
        (["L9.0"], "no node is called 'L9.0'; did you mean"),
        ([99], "there is no node 99; nodes are 0 to 19"),
    ],
)
def test_drains_that_make_no_sense(names: list[int | str], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        plan(named("fat-tree:4"), drain=names)


def test_hosts_that_all_share_a_switch_use_no_cable() -> None:
    with pytest.raises(InputError, match="all terminals that are left are at 1: no cable is used"):
        plan(named("mesh:2,concentration=2"), drain=[0])


def test_what_leaves_nobody_together_is_left_out() -> None:
    answer = drains(named("ring:3,concentration=2"), 0, 2)
    assert [x.drained.nodes for x in answer.drains] == [(0,), (2,)]
    assert answer.notes == ["left out: without 0 and 2 all terminals that are left are at 1: no cable is used"]


def test_a_wildcard_drains_each_alone() -> None:
    answer = drains(named("leaf-spine:4,3,2"), "?*")
    assert [x.drained.nodes for x in answer.drains] == [(v,) for v in range(5)]
    assert answer.notes == ["left out: without L1.0, L1.1, L1.2 and 2 more no terminal of leaf-spine:4,3,2 is left"]


@pytest.mark.parametrize("topology", ["mesh:3x4", "torus:3x3"])
def test_today_is_what_the_routing_carries_today_also_where_another_one_takes_its_place(topology: str) -> None:
    routing = named(topology, "valiant")  # without a grid it goes other ways
    assert drains(routing, 1, repair="rebuild").whole == worst_case(routing).load


def test_a_routing_that_cannot_be_made_again_is_told_so() -> None:
    with pytest.raises(InputError, match=r"without \(0,1\) the routing cannot be made again: dor needs a torus"):
        drains(named("torus:4x4", "dor"), 1, repair="rebuild")
