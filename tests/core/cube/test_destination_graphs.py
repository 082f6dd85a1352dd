"""Destination graphs and their conditions, against all packets of small cubes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.cube.conditions import Meeting, check_meeting, judge_conditions
from routeproof.core.cube.destination_graph import Cube, DestinationGraph, Move, Schedule
from routeproof.core.errors import InputError
from routeproof.core.paths import check_paths
from routeproof.core.traffic import Permutation
from routeproof.routing.grid.destination_graph import DestinationGraphRouting, find_meeting
from routeproof.topologies.grid.lattice import hyperx

FIGURE_1: dict[int, list[Move]] = {  # a permutation graph that is no many-one graph, in the spirit of Figure 1
    0b001: [(3, 1)],
    0b010: [(2, 1)],
    0b100: [(1, 1)],
    0b011: [(2, 1), (3, 1)],
    0b101: [(1, 1), (0, 0), (3, 1)],
    0b110: [(1, 1), (2, 1)],
    0b111: [(1, 1), (2, 1), (3, 1)],
}


def shuffled(radix: int, dimensions: int, seed: int, waits: int) -> DestinationGraph:
    """Shortest paths in random order with random waits; some with a detour."""
    rng = np.random.default_rng(seed)
    cube = Cube(radix, dimensions)
    paths: dict[int, list[Move]] = {}
    for u in range(1, cube.num_nodes):
        moves: list[Move] = [(i + 1, int(x)) for i, x in enumerate(cube.digits[u]) if x]
        if rng.random() < 0.1:
            moves += [(1, 1), (1, radix - 1)]
        moves += [(0, 0)] * int(rng.integers(0, waits + 1))
        paths[u] = [moves[k] for k in rng.permutation(len(moves))]
    return DestinationGraph.of(radix, dimensions, paths)


def graphs() -> st.SearchStrategy[DestinationGraph]:
    cubes = st.sampled_from([(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1), (4, 2)])
    return st.builds(lambda c, s, w: shuffled(*c, s, w), cubes, st.integers(0, 10**6), st.integers(0, 9))


@settings(max_examples=120)
@given(graphs())
def test_conditions_say_what_walking_all_packets_says(graph: DestinationGraph) -> None:
    found = judge_conditions(graph)
    for verdict, many_one in ((found.many_one, True), (found.permutation, False)):
        meeting = find_meeting(graph, many_one=many_one)
        assert (meeting is None) == verdict.holds
        if meeting is not None:
            assert verdict.meeting is not None
            check_meeting(graph, meeting)
            check_meeting(graph, verdict.meeting)
    assert found.many_one.holds or not found.c1_prime.holds
    assert found.permutation.holds or not found.c2_prime.holds
    assert found.permutation.holds or not found.many_one.holds


@settings(max_examples=60)
@given(graphs())
def test_the_permutation_of_a_verdict_has_the_conflict(graph: DestinationGraph) -> None:
    verdict = judge_conditions(graph).permutation
    routing = DestinationGraphRouting(hyperx(*(graph.radix,) * graph.dimensions), "graph", graph)
    if verdict.holds:
        rng = np.random.default_rng(1)
        schedule = routing.schedule(Permutation(rng.permutation(graph.cube.num_nodes)))
        check_paths(schedule.network, schedule.paths)
        assert not schedule.conflicts()
        return
    assert verdict.permutation is not None
    assert verdict.meeting is not None
    schedule = routing.schedule(Permutation(verdict.permutation))
    met = [set(packets) for step, _, packets in schedule.conflicts() if step == verdict.step]
    origins = {origin for origin, _ in verdict.meeting.packets}
    assert any(origins <= packets for packets in met)
    assert schedule.network.bandwidth[schedule.conflicts()[0][1]] == 1


def test_every_permutation_of_a_small_cube_is_routed_by_a_valid_graph() -> None:
    graph = DestinationGraph.of(2, 2, {1: [(2, 1)], 2: [(1, 1)], 3: [(1, 1), (2, 1)]})
    assert judge_conditions(graph).permutation.holds
    routing = DestinationGraphRouting(hyperx(2, 2), "graph", graph)
    for image in itertools.permutations(range(4)):
        schedule = routing.schedule(Permutation(image))
        check_paths(schedule.network, schedule.paths)
        assert not schedule.conflicts()
        assert schedule.paths.sink.tolist() == list(image)
        assert (schedule.steps > 0) == (image != (0, 1, 2, 3))


def test_a_permutation_graph_that_is_no_many_one_graph() -> None:
    graph = DestinationGraph.of(2, 3, FIGURE_1)
    found = judge_conditions(graph)
    assert found.permutation.holds
    assert found.minimum_routing.holds
    assert graph.steps == 3
    assert not found.many_one.holds
    assert found.many_one.reason == ("the packets 100 to 001 and 110 to 001 meet at step 3 on the link 000 -> 001")
    assert not found.c1_prime.holds


def test_members_two_and_three_of_a_slot_can_conflict() -> None:
    """b shares a prefix with a, c shares a suffix with a, and b and c share neither."""
    paths: dict[int, list[Move]] = {u: [] for u in range(1, 32)}
    cube = Cube(2, 5)
    for late, u in enumerate(range(1, 32)):  # everybody alone, far away from everybody else
        paths[u] = [(0, 0)] * (10 * late + 10) + [(i + 1, 1) for i in range(5) if cube.digits[u, i]]
    paths[0b11100] = [(1, 1), (2, 1), (3, 1)]  # a: prefix 10000, suffix 00100 at step 2
    paths[0b11010] = [(1, 1), (2, 1), (4, 1)]  # b: prefix 10000
    paths[0b01101] = [(5, 1), (2, 1), (3, 1)]  # c: suffix 00100
    found = judge_conditions(DestinationGraph.of(2, 5, paths)).permutation
    assert not found.holds
    assert set(found.nodes) == {0b11010, 0b01101}


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        ({1: [(2, 1)], 2: [(1, 1)], 3: [(1, 1)]}, "the path of node 11 ends at 01, not at 0"),
        ({1: [(2, 1)], 2: [(1, 1)]}, "node 11 has no path"),
        ({1: [(2, 1)], 2: [(3, 1)], 3: []}, r"node 10: step 1: move \[3, 1\] is out of range"),
        ({1: [(2, 1)], 2: [(1, 2)], 3: []}, r"node 10: step 1: move \[1, 2\] is out of range"),
        ({0: [(1, 1), (1, 1)], 1: [(2, 1)], 2: [(1, 1)], 3: [(1, 1), (2, 1)]}, "node 00 is the destination"),
        ({4: []}, "node 4 does not exist"),
    ],
)
def test_graphs_that_make_no_sense_are_refused(paths: dict[int, list[Move]], words: str) -> None:
    with pytest.raises(InputError, match=words):
        DestinationGraph.of(2, 2, paths)


def test_meetings_that_do_not_happen_are_refused() -> None:
    graph = DestinationGraph.of(2, 3, FIGURE_1)
    true = Meeting(((4, 1), (6, 1)), 3, 0, 1)
    check_meeting(graph, true)
    for wrong in (
        Meeting(((4, 1), (4, 1)), 3, 0, 1),
        Meeting(((4, 1), (5, 1)), 3, 0, 1),
        Meeting(((4, 1), (6, 1)), 2, 0, 1),
        Meeting(((4, 1), (6, 1)), 3, 0, 2),
        Meeting(((4, 1), (6, 1)), 4, 0, 1),
        Meeting(((4, 1), (8, 1)), 3, 0, 1),
        Meeting(((2, 1), (6, 1)), 3, 0, 0),
    ):
        with pytest.raises(InputError):
            check_meeting(graph, wrong)


def test_a_schedule_refuses_steps_that_fall() -> None:
    graph = DestinationGraph.of(2, 2, {1: [(2, 1)], 2: [(1, 1)], 3: [(1, 1), (2, 1)]})
    schedule = DestinationGraphRouting(hyperx(2, 2), "graph", graph).schedule(Permutation([3, 2, 1, 0]))
    assert schedule.steps == 2
    with pytest.raises(InputError, match="at steps 2 and then 2"):
        Schedule(schedule.network, schedule.paths, np.full(len(schedule.step), 2, dtype=np.int32))
    with pytest.raises(InputError, match="steps count from 1"):
        Schedule(schedule.network, schedule.paths, schedule.step - 1)


def test_cubes_have_limits() -> None:
    for radix, dimensions in ((2, 17), (1, 3), (2, 0), (70000, 1), (10**4000, 2)):
        with pytest.raises(InputError):
            Cube(radix, dimensions)
    assert Cube(11, 2).label(12) == "1,1"
