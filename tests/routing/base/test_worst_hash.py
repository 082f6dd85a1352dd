"""Whole flows on whichever of their paths is worst: against every permutation and every choice of paths."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.base.worst_hash import WorstHash
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.named.names import named_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import worst_case, worst_case_over
from true_reports import verify

LEAF_SPINE = Network.of(
    "leaf-spine",
    4,  # leaves 0 and 1, spines 2 and 3; the cables of spine 3 are twice as wide
    [(0, 2), (2, 0), (0, 3), (3, 0), (1, 2), (2, 1), (1, 3), (3, 1)],
    bandwidth=[1, 1, 2, 2, 1, 1, 2, 2],
    source=[0, 0, 1, 1],
    sink=[0, 0, 1, 1],
)
SMALL = [
    (LEAF_SPINE, "ecmp"),
    (LEAF_SPINE, "wcmp"),
    (network_from_spec("mesh:2x2"), "minimal:choice=per-hop"),
    (network_from_spec("ring:4"), "ecmp"),
    (network_from_spec("ring:4"), "mix:1/3*dor+2/3*updown"),
    (network_from_spec("mesh:2x2"), "updown"),
    (network_from_spec("mesh:2x2"), "ksp:k=2"),
    (network_from_spec("complete:4"), "ecmp"),
]


def paths_of(routing: Routing) -> dict[tuple[int, int], list[list[int]]]:
    """All paths of every pair of terminals: walks over the pair's loaded channels."""
    network, found = routing.network, {}
    for i, j in itertools.product(range(network.num_terminals), repeat=2):
        start, end = int(network.source[i]), int(network.sink[j])
        used = routing.pair_loads([routing.row_of[i]], [routing.column_of[j]]).as_dict() if start != end else {}
        todo, done = [(start, [])], []
        while todo:
            v, path = todo.pop()
            if v == end:
                done.append(path)
                continue
            todo += [(int(network.head[c]), [*path, c]) for c in used if int(network.tail[c]) == v and c not in path]
        found[i, j] = done
    return found


def by_force(routing: Routing) -> Fraction:
    """The largest load per bandwidth over all permutations and all choices of a path for every flow."""
    network, ways = routing.network, paths_of(routing)
    worst = Fraction(0)
    for image in itertools.permutations(range(network.num_terminals)):
        for chosen in itertools.product(*(ways[i, j] for i, j in enumerate(image))):
            crossed = [c for path in chosen for c in path]
            worst = max([worst, *(crossed.count(c) / network.bandwidth[c] for c in set(crossed))])
    return worst


@pytest.mark.parametrize(("network", "name"), SMALL, ids=[f"{n.name} {r}" for n, r in SMALL])
def test_every_permutation_and_every_choice_of_paths(network: Network, name: str) -> None:
    routing = routing_from_spec(name, network)
    found = worst_case(WorstHash(routing))
    assert found.load == by_force(routing)
    assert found.load >= worst_case(routing).load
    assert found.load * network.bandwidth[found.channel] == int(found.load * network.bandwidth[found.channel])


def test_on_single_paths_nothing_is_left_to_hashes() -> None:
    routing = routing_from_spec("dmodk", network_from_spec("fat-tree:4"))
    every, whole = (worst_case(x, all_channels=True).channel_loads for x in (routing, WorstHash(routing)))
    assert every == whole


@pytest.mark.parametrize(("k", "load"), [(4, 4), (6, 9)])
def test_a_fat_tree_with_ecmp(k: int, load: int) -> None:
    """Ideal splitting loads no cable above 1; hashes can send the flows of a whole pod, k/2 x k/2, up one cable."""
    network = network_from_spec(f"fat-tree:{k}")
    for name in ("ecmp", "updown:root=top"):
        routing = routing_from_spec(name, network)
        assert worst_case(routing).load == 1
        assert worst_case(WorstHash(routing)).load == load


@pytest.mark.parametrize("text", ["sparse:2", "sparse:3"])
def test_sets_of_demands(text: str) -> None:
    """Of K whole flows as many as the worst permutation has, at most K."""
    network = network_from_spec("fat-tree:4")
    routing = WorstHash(routing_from_spec("ecmp", network))
    demands = demands_from_spec([text], network)
    assert isinstance(demands, TransportSet)
    assert worst_case_over(routing, demands).load == int(text[-1])


def test_jobs(tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text("a: 0 1 2 3\nb: 4 5 6 7\n")
    network = network_from_spec("fat-tree:4")
    routing = WorstHash(routing_from_spec("ecmp", network))
    jobs = demands_from_spec([f"within:{tmp_path / 'jobs'}"], network)
    assert isinstance(jobs, TransportSet)
    assert worst_case_over(routing, jobs).load == 2  # of one leaf switch, to the other one of the job
    report = str(tmp_path / "r.json")
    assert main(["worst-case", "fat-tree:4", "-r", "worst-hash:ecmp", "--demands", f"within:{tmp_path / 'jobs'}",
                 "--demands", "sparse:3", "--all-channels", "--json", report]) == 0  # fmt: skip
    assert main(["verify", report]) == 0


def test_a_path_that_comes_back_counts_one_flow_twice() -> None:
    network = network_from_spec("ring:4")
    for name in ("valiant", "mix:1/2*dor+1/2*valiant"):
        with pytest.raises(InputError, match="may cross a channel twice; for whole flows"):
            routing_from_spec(f"worst-hash:{name}", network)
    around = [
        (i, j, Fraction(1), [(i + k) % 4 for k in range((j - i) % 4)]) for i in range(4) for j in range(4) if i != j
    ]
    one_way = Network.of("one way", 4, [(v, (v + 1) % 4) for v in range(4)])
    found = worst_case(WorstHash(TableRouting(one_way, "around", Paths.of(around))))
    assert found.load == 3
    twice = [(i, j, w, [0, 1, 2, 3, 0] if (i, j) == (0, 1) else path) for i, j, w, path in around]
    with pytest.raises(InputError, match="from 0 to 1 may cross a channel twice"):
        WorstHash(TableRouting(one_way, "twice", Paths.of(twice)))


def test_what_needs_packets_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    network = network_from_spec("fat-tree:4")
    bound = routing_from_spec("Worst-Hash:ecmp", network)
    with pytest.raises(InputError, match="a mixture of worst-hash"):
        Mixture([(1, bound)])
    with pytest.raises(InputError, match="has whole flows already"):
        WorstHash(bound)
    for command in ("deadlock", "failures", "simulate load"):
        assert main([*command.split(), "fat-tree:4", "--routing", "worst-hash:ecmp"]) == 2
        assert "packets can follow" in capsys.readouterr().err
    assert main(["worst-case", "fat-tree:4", "-r", "worst-hash:", "-q"]) == 2
    assert main(["worst-case", "fat-tree:4", "-r", "worst-hash:ecmb"]) == 2
    assert "ecmp" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["ecmp", "mix:1/2*ecmp+1/2*updown"])
def test_the_name_makes_it_again(name: str) -> None:
    network = network_from_spec("fat-tree:4")
    bound = routing_from_spec(f"worst-hash:{name}", network)
    assert named_routing(bound.name, network).name == bound.name
    assert routing_from_description(describe_routing(bound), network).name == bound.name


def test_reports_of_routings_in_full(tmp_path: Path) -> None:
    """A report holds the routing that is bounded; the bound is made from it, and called so."""
    network = network_from_spec("complete:4")
    routing = routing_from_spec("ksp:k=2", network)
    given = TableRouting(network, "mine.json", routing.every_path())
    described = describe_routing(WorstHash(given))
    assert described["spec"] == "worst-hash:mine.json"
    again = routing_from_description(described, network)
    assert worst_case(again).load == worst_case(WorstHash(routing)).load
    for wrong in (
        {**described, "spec": "ecmp"},
        {**described, "spec": "worst-hash:other.json"},
        {**described, "more": 1},
        {"spec": "worst-hash:worst-hash:mine.json", "whole_flows_of": described},
        {"spec": described["spec"], "whole_flows_of": "ecmp"},
        {"parts": [["1", described]], "spec": "mix:1*worst-hash:mine.json"},
    ):
        with pytest.raises((InputError, VerificationError)):
            routing_from_description(wrong, network)
    with pytest.raises(VerificationError, match="a name of this package's own"):
        routing_from_description({**described["whole_flows_of"], "spec": "worst-hash:ecmp"}, network)


def test_verify_lets_a_bound_state_loads_only(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    assert main(["worst-case", "fat-tree:4", "-r", "worst-hash:ecmp", "--json", str(path)]) == 0
    plain = tmp_path / "p.json"
    assert main(["worst-case", "fat-tree:4", "-r", "ecmp", "--json", str(plain)]) == 0
    report, other = (json.loads(x.read_text()) for x in (path, plain))
    verify(report)
    assert not any("path_length" in x["quantity"] for x in report["claims"])
    lengths = [x for x in other["claims"] if "path_length" in x["quantity"]]
    with pytest.raises(VerificationError, match="packets cannot follow it"):
        verify({**report, "claims": [*report["claims"], *lengths]})
    with pytest.raises(VerificationError):  # the number of whole flows is not that of the routing
        verify({**report, "subject": other["subject"]})
    with pytest.raises(VerificationError):
        verify({**other, "subject": report["subject"]})
    load = next(x for x in report["claims"] if x["quantity"] == "worst_case_load")
    with pytest.raises(VerificationError):
        verify({**report, "claims": [{**load, "value": "3", "evidence": {**load["evidence"], "ratio": "3"}}]})


def test_the_proof_for_other_checkers_leaves_it_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, proof = str(tmp_path / "r.json"), str(tmp_path / "p.json")
    assert main(["worst-case", "fat-tree:4", "-r", "worst-hash:ecmp", "--json", path]) == 0
    assert main(["verify", path, "--elaborate", proof]) == 2
    assert "whole flows" in capsys.readouterr().err
