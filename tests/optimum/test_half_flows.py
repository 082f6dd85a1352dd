"""Half flows: the best routing over all permutations where channels are equal in both directions."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.core.errors import VerificationError
from routeproof.core.network import Network
from routeproof.core.spread import silent
from routeproof.demand_sets.permutations import permutations
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import digest
from routeproof.graphs.shortest import Joined
from routeproof.kernel.potentials import line_of_potentials
from routeproof.machine.deadlines import Deadline
from routeproof.optimum.design import designed
from routeproof.optimum.half_flows.design import UNIT, HalfFlowMethod, half_of_capacity, whole_half_flows
from routeproof.optimum.half_flows.exact import ExactHalfFlows
from routeproof.optimum.half_flows.interior import InteriorHalfFlows
from routeproof.optimum.half_flows.splitting import SplitHalfFlows
from routeproof.optimum.worst_case import design_worst_case, least_load
from routeproof.routing.tables.half_flows import HalfFlowRouting
from routeproof.worst.scan.exact import worst_case

NEAR = Fraction(1, 10**5)


def random_network(seed: int) -> Network:
    """Up to 7 nodes, links of bandwidth 1 to 4 (the same in both directions), 0 to 2 terminals at a node."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 8))
    links = {(int(rng.integers(v)), v) for v in range(1, size)}
    links |= {(u, v) for u in range(size) for v in range(u + 1, size) if rng.random() < 0.4}
    ends = [end for u, v in sorted(links) for end in ((u, v), (v, u))]
    wide = [Fraction(int(x)) for x in np.repeat(rng.integers(1, 5, len(links)), 2)]
    at = [v for v in range(size) for _ in range(int(rng.integers(3)))]
    at = at if len(set(at)) > 1 else [0, size - 1]
    return Network.of(f"random {seed}", size, ends, bandwidth=wide, source=at, sink=at)


@pytest.mark.parametrize("seed", range(12))
def test_the_interval_closes_on_the_exact_optimum(seed: int) -> None:
    """The program over a flow for every pair, solved exactly by the simplex method, shares nothing with half flows."""
    some = random_network(seed)
    exact = design_worst_case(some, solver="simplex")
    made = design_worst_case(some, solver="half-flows")
    assert exact.gap == 0
    assert made.least_load <= exact.load <= made.load
    assert made.gap <= NEAR
    assert worst_case(made.routing, symmetry="none").load == made.load


@pytest.mark.parametrize("seed", range(12))
def test_an_exact_vertex_is_the_exact_optimum(seed: int) -> None:
    some = random_network(seed)
    method = ExactHalfFlows(some, Deadline(None))
    made = designed(method, shortest=False, stage=silent)
    made.routing.check()
    assert made.load == made.least_load == design_worst_case(some, solver="simplex").load
    assert made.load == worst_case(made.routing, symmetry="none").load


@pytest.mark.parametrize(
    ("text", "load"),
    [("mesh:8x8", 4), ("xpander:4,3,seed=1", Fraction(49, 40)), ("twisted-torus:4x8x8", Fraction(23, 16))],
)
def test_exact_vertices_of_networks_with_symmetry(text: str, load: Fraction) -> None:
    """On the mesh cycles are taken out of the flows of pairs; at xpander not all nodes look alike."""
    made = designed(ExactHalfFlows(network(text), Deadline(None)), shortest=False, stage=silent)
    made.routing.check()
    assert made.load == made.least_load == load


@pytest.mark.parametrize("size", [20, 24])  # before the interior-point method, and before half flows
def test_small_networks_without_symmetry_are_solved_exactly(size: int) -> None:
    made = design_worst_case(network(f"random-regular:{size},degree=5,seed=1"))
    assert made.load == made.least_load == worst_case(made.routing, symmetry="none").load


def test_exact_vertices_are_for_few_variables() -> None:
    with pytest.raises(InputError, match="variables"):
        ExactHalfFlows(network("random-regular:64,degree=6,seed=1"), Deadline(None))


@pytest.mark.parametrize(
    ("text", "load"), [("torus:9x9", Fraction(20, 9)), ("hyperx:2x5", Fraction(1)), ("mesh:3x3", None)]
)
def test_distances_prove_half_of_capacity_where_all_nodes_look_alike(text: str, load: Fraction | None) -> None:
    bound = half_of_capacity(network(text))
    assert (None if bound is None else bound.least_load()) == load


@pytest.mark.parametrize("text", ["hypercube:3", "torus:4x4", "complete:5"])
def test_distances_from_one_node_are_moved_to_all(text: str) -> None:
    net, one = network(text), np.ones(network(text).num_channels, dtype=np.int64)
    bound = half_of_capacity(net)
    assert bound is not None
    hops = Joined(net).distances(one.astype(np.float64))
    assert (bound.potential * hops.max() == hops * bound.potential.max()).all()


@pytest.mark.parametrize("seed", range(12))
def test_splitting_proves_an_interval_around_the_exact_optimum(seed: int) -> None:
    some = random_network(seed)
    exact = design_worst_case(some, solver="simplex").load
    made = designed(HalfFlowMethod(some, None, Deadline(None), soon=True), shortest=False, stage=silent)
    assert made.least_load <= exact <= made.load
    assert made.gap <= Fraction(2, 1000)
    assert worst_case(made.routing, symmetry="none").load == made.load


def test_what_is_large_or_in_haste_is_split(monkeypatch: pytest.MonkeyPatch) -> None:
    some = network("random-regular:20,degree=3,seed=1")
    assert isinstance(HalfFlowMethod(some, None, Deadline(None)).own, InteriorHalfFlows)
    assert isinstance(HalfFlowMethod(some, None, Deadline(1e-6)).own, SplitHalfFlows)
    monkeypatch.setattr("routeproof.optimum.half_flows.design.free_memory", lambda: 10**8)
    assert isinstance(HalfFlowMethod(some, None, Deadline(None)).own, SplitHalfFlows)


def reachable_everywhere(made: HalfFlowRouting) -> bool:
    """By its definition: whatever a pair loads, one of its packets can get to."""
    net = made.network
    for i in made.differences.node:
        for j in made.differences.node:
            block = made.pair_loads([i], [j])
            ends = [(int(net.tail[c]), int(net.head[c])) for c in block.channel]
            seen = {int(i)}
            for _ in ends:
                seen |= {b for a, b in ends if a in seen}
            if any(a not in seen for a, _ in ends):
                return False
    return True


def test_flows_that_no_packet_reaches_are_found() -> None:
    """Small whole flows, that are often alike, against the definition."""
    found = set()
    rng = np.random.default_rng(5)
    for seed in range(80):
        some = random_network(seed)
        assert some.reverse is not None
        links = np.flatnonzero(np.arange(some.num_channels) < some.reverse)
        nodes = np.flatnonzero(some.supply)
        flow = rng.choice([0.0, 0.0, 0.5], (len(nodes), len(links)))
        made = HalfFlowRouting(some, "whole", whole_half_flows(some, nodes, links, flow), UNIT)
        try:
            made.check()
        except InputError:
            found.add(False)
            assert not reachable_everywhere(made)
        else:
            found.add(True)
            assert reachable_everywhere(made)
    assert found == {False, True}


@pytest.mark.parametrize(("text", "load"), [("torus:4x4", 1), ("petersen", 1), ("mesh:3x3", Fraction(7, 6))])
def test_known_optima(text: str, load: Fraction) -> None:
    made = design_worst_case(network(text), solver="half-flows")
    assert made.least_load <= load <= made.load <= load * (1 + NEAR)


def test_a_network_without_symmetry_is_left_to_it() -> None:
    made = design_worst_case(network("random-regular:40,degree=4,seed=3"))
    assert made.gap <= NEAR
    assert set(made.load_adversary.data()) == {"potentials"}


def test_the_bound_that_nobody_asked_for_is_theirs_where_they_are_quick() -> None:
    """Its linear program of 53,000 cells is not even begun."""
    some = network("random-regular:24,degree=4,seed=1")
    claim, words = least_load(some)
    made = design_worst_case(some, solver="interior")
    assert claim is not None
    assert words == f"no oblivious routing has a worst-case load below {claim.value}"
    assert 1 <= made.load / claim.value <= 1 + NEAR


def test_the_set_of_all_permutations_is_designed_for_likewise() -> None:
    some = network("random-regular:40,degree=4,seed=3")
    assert design_worst_case(some, demands=permutations(40), symmetry="none", time_limit=1e-9).least_load


def test_a_singular_system_ends_it_without_a_warning() -> None:
    tail, head = (1, 1, 0, 1, 3, 1, 2, 2, 1, 3, 0, 1, 1, 3), (0, 3, 1, 0, 1, 3, 1, 1, 3, 1, 1, 2, 2, 1)
    wide = [Fraction(x, 6) for x in (42, 15, 6, 6, 18, 18, 6, 2, 12, 15, 42, 2, 6, 12)]
    at = [1, 0, 1, 2, 3, 1, 1, 1, 0]
    some = Network.of("tree", 4, zip(tail, head, strict=True), bandwidth=wide, source=at, sink=at)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert design_worst_case(some, solver="half-flows").gap <= NEAR


@pytest.mark.parametrize("seed", range(6))
def test_any_potentials_prove_something_true(seed: int) -> None:
    """On any network whose nodes send as much as they receive, one-way channels too."""
    rng = np.random.default_rng(seed)
    some = random_network(seed)
    if seed % 2:  # a ring in one direction besides
        extra = [(v, (v + 1) % some.num_nodes) for v in range(some.num_nodes)]
        ends = [*zip(some.tail.tolist(), some.head.tolist(), strict=True), *extra]
        some = Network.of("one way", some.num_nodes, ends, source=some.source, sink=some.sink)
    rows = int((some.supply > 0).sum())
    best = design_worst_case(some, solver="simplex").load
    for large in (3, 1 << 20, 1 << 55):
        potential = rng.integers(-large, large, (rows, some.num_nodes))
        far = np.abs(np.arange(some.num_nodes) - np.flatnonzero(some.supply)[:, None])
        for tried in (potential, far.astype(np.int64) * large):
            line = line_of_potentials(some, tried)
            assert line.load >= 0
            assert line.total <= best * line.load


def test_the_theorem_by_its_definition() -> None:
    """Row sums, column sums and path lengths of the adversaries, written out."""
    some = random_network(4)
    rng = np.random.default_rng(4)
    nodes = np.flatnonzero(some.supply)
    potential = rng.integers(-9, 10, (len(nodes), some.num_nodes))
    terminals = [k for k, v in enumerate(nodes.tolist()) for _ in range(int(some.supply[v]))]
    cost = Fraction(0)
    for c in range(some.num_channels):
        along = [int(potential[k, some.head[c]] - potential[k, some.tail[c]]) for k in terminals]
        sent = np.array([[max(0, x - y) for y in along] for x in along])
        line = max(int(sent.sum(axis=0).max()), int(sent.sum(axis=1).max()))
        cost += some.bandwidth[c] * line
    worth = sum(
        int(potential[i, nodes[j]] - potential[i, nodes[i]] + potential[j, nodes[i]] - potential[j, nodes[j]])
        for i in terminals for j in terminals
    )  # fmt: skip
    assert line_of_potentials(some, potential).load == cost
    assert line_of_potentials(some, potential).total == worth


def _report(path: Path, *more: str) -> dict[str, Any]:
    words = ["design", "random-regular:8,degree=3,seed=2", "--objective", "worst-case", "--solver", "half-flows"]
    assert main([*words, "--json", str(path), *more]) == 0
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_the_report_verifies_and_false_ones_do_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    report = _report(path)
    assert main(["verify", str(path)]) == 0
    lower = next(x for x in report["claims"] if x["evidence"]["kind"] == "adversary")
    good = lower["evidence"]["potentials"]
    numbers = unpack_ints(good, what="", max_items=1 << 20)
    for bad in (numbers[:-1], np.append(numbers, 0), np.zeros_like(numbers), -numbers, np.roll(numbers, 1)):
        lower["evidence"]["potentials"] = pack_ints(bad)
        lower["digest"] = digest(lower)
        path.write_text(json.dumps(report))
        assert main(["verify", str(path)]) == 1
    assert "potentials" in capsys.readouterr().err


def test_its_worst_case_is_proved_by_medians_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    report = _report(path)
    text = json.dumps(report)
    upper = next(x for x in report["claims"] if x["evidence"]["kind"] == "reached")
    good = unpack_ints(upper["evidence"]["worst-case"]["medians"], what="", max_items=1 << 20)
    flow = unpack_ints(report["subject"]["routing"]["half_flows"]["flow"], what="", max_items=1 << 20)
    links, large = np.arange(len(good)), 1 << 40
    cases: list[tuple[dict[str, Any], str]] = [
        ({"medians": pack_ints(good + large)}, "by its medians some channel may carry"),
        ({"medians": pack_ints(good[:-1])}, "medians; 12 were expected"),
        ({"medians": pack_ints(np.append(good, 0))}, "medians"),
        ({"medians": pack_ints(good), "loads": "by-pair"}, "has potentials besides"),
    ]
    for change, words in cases:
        upper["evidence"]["worst-case"].update(change)
        upper["digest"] = digest(upper)
        path.write_text(json.dumps(report))
        assert main(["verify", str(path)]) == 1
        assert words in capsys.readouterr().err
    other = json.loads(text)
    circle = flow.reshape(-1, len(links)).copy()
    circle[0] += 1
    other["subject"]["routing"]["half_flows"]["flow"] = pack_ints(circle.ravel())
    other["subject"]["digest"] = digest(other["subject"])
    path.write_text(json.dumps(other))
    assert main(["verify", str(path)]) == 2
    assert "does not end as that of node" in capsys.readouterr().err


def test_medians_prove_nothing_of_other_routings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    assert main(["worst-case", "petersen", "--routing", "minimal", "--json", str(path)]) == 0
    report = json.loads(path.read_text())
    claim = next(x for x in report["claims"] if x["evidence"]["kind"] == "worst-case")
    claim["evidence"].update(medians=pack_ints(np.zeros(15, dtype=np.int64)), bounds=[], exact=[])
    claim["digest"] = digest(claim)
    path.write_text(json.dumps(report))
    assert main(["verify", str(path)]) == 1
    assert "of half flows" in capsys.readouterr().err


def test_what_it_is_not_for(monkeypatch: pytest.MonkeyPatch) -> None:
    one_way = Network.of("ring", 3, [(0, 1), (1, 2), (2, 0)], source=range(3), sink=range(3))
    lonely = Network.of("lonely", 4, [(0, 1), (1, 0), (2, 3), (3, 2)], source=[0, 1], sink=[0, 1])
    for some, more in (
        (one_way, {}),
        (lonely, {}),
        (network("petersen"), {"shortest": True}),
        (network("petersen"), {"path_length": 2}),
    ):
        with pytest.raises(InputError, match="half-flows"):
            design_worst_case(some, solver="half-flows", **more)  # type: ignore[arg-type]
    apart = Network.of("apart", 2, [(0, 1), (1, 0)], source=[0, 0], sink=[1, 1])
    with pytest.raises(VerificationError, match="equally many"):
        line_of_potentials(apart, np.zeros((1, 2), dtype=np.int64))
    monkeypatch.setattr("routeproof.machine.memory.free_memory", lambda: 1000)
    with pytest.raises(InputError, match="memory"):
        design_worst_case(network("petersen"), solver="half-flows")


def test_cycles_behind_a_bridge_are_taken_out_pair_by_pair() -> None:
    links = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 4)]
    ends = [end for u, v in links for end in ((u, v), (v, u))]
    made = design_worst_case(
        Network.of("bridge", 7, ends, source=[0, 0, 1, 2, 5], sink=[0, 0, 1, 2, 5]), solver="half-flows"
    )
    made.routing.check()
    assert made.gap <= NEAR


def test_time_and_interrupts_end_it_with_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    made = design_worst_case(network("random-regular:20,degree=4,seed=1"), solver="half-flows", time_limit=1e-9)
    assert not made.complete
    assert made.least_load  # by distances in hops
    step, seen = HalfFlowMethod, []

    def stop(self: HalfFlowMethod, show: object) -> None:
        seen.append(show)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.own, "step", lambda pool: (_ for _ in ()).throw(KeyboardInterrupt))
            step_solve(self, show)

    step_solve = step.solve
    monkeypatch.setattr(HalfFlowMethod, "solve", stop)
    made = design_worst_case(network("petersen"), solver="half-flows")
    assert seen
    assert not made.complete
