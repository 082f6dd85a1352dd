"""Growing, annealing, composing: every graph that comes out is judged, and walked packet by packet."""

from __future__ import annotations

import itertools
from math import inf
from pathlib import Path

import numpy as np
import pytest

from routeproof.core.cube.bounds import least_steps, lower_bounds
from routeproof.core.cube.conditions import judge_conditions
from routeproof.core.cube.destination_graph import Cube, DestinationGraph
from routeproof.core.cube.forms import SlotForm, graph_of_slots
from routeproof.core.errors import InputError
from routeproof.routing.grid.destination_graph import find_meeting
from routeproof.searching.catalogue import composed, lemma_4, two_at_a_time
from routeproof.searching.find import grow_many_one
from routeproof.searching.free_layout import FreeState
from routeproof.searching.permutation import anneal_permutation
from routeproof.searching.question import SearchQuestion, SearchState, StateFile
from routeproof.searching.split_layout import plan_slots, symmetries
from slots import slots_of_graph


def many_one(radix: int, dimensions: int) -> DestinationGraph:
    steps = least_steps(radix, dimensions, many_one=True).steps
    graph = grow_many_one(SearchQuestion("many-one", radix, dimensions, steps, minimum=True, time_limit=inf)).graph
    assert graph is not None
    return graph


CASES = [(2, d) for d in range(1, 10)] + [
    (3, 3),
    (3, 4),
    (3, 5),
    (3, 6),
    (4, 3),
    (4, 4),
    (5, 3),
    (6, 3),
    (7, 3),
    (8, 3),
]


@pytest.mark.parametrize(("radix", "dimensions"), CASES)
def test_many_one_graphs_at_the_bound_of_lemma_1(radix: int, dimensions: int) -> None:
    graph = many_one(radix, dimensions)
    found = judge_conditions(graph)
    assert found.many_one.holds
    assert found.minimum_routing.holds
    assert graph.steps == max(dimensions, -(-(radix**dimensions - 1) // (dimensions * (radix - 1))))
    if graph.cube.num_nodes <= 300:
        assert find_meeting(graph, many_one=True) is None


@pytest.mark.parametrize("symmetry", ["none", "negation", "rotation-2", "rotation-4"])
def test_annealing_with_and_without_symmetry(symmetry: str) -> None:
    radix = 3 if symmetry == "negation" else 2
    found = anneal_permutation(radix, 4, 4, minimum=True, symmetry=symmetry, time_limit=inf)
    assert found.graph is not None
    assert find_meeting(found.graph, many_one=False) is None
    assert judge_conditions(found.graph).minimum_routing.holds


def test_a_tight_graph_of_the_eight_cube_in_moments() -> None:
    found = anneal_permutation(2, 8, 8, minimum=True, time_limit=inf)
    assert found.graph is not None
    assert found.graph.steps == 8


@pytest.mark.parametrize(
    ("radix", "dimensions", "steps", "minimum", "symmetry"),
    [
        (5, 4, 5, True, "none"),
        (8, 3, 4, False, "none"),
        (2, 6, 6, False, "none"),
        (3, 4, 4, True, "negation"),
        (2, 4, 4, True, "mirror-rotation-4"),
        (3, 4, 5, False, "mirror-negation"),
    ],
)
def test_a_free_layout(radix: int, dimensions: int, steps: int, minimum: bool, symmetry: str) -> None:
    found = anneal_permutation(
        radix, dimensions, steps, minimum=minimum, symmetry=symmetry, layout="free", time_limit=inf
    )
    assert found.graph is not None
    assert found.graph.steps == steps
    assert find_meeting(found.graph, many_one=False) is None
    assert judge_conditions(found.graph).minimum_routing.holds or not minimum


def test_a_free_layout_keeps_count() -> None:
    """After thousands of moves, taken and taken back, sums and coverage are those of the trees; so in every group."""
    for radix, dimensions, steps, minimum, symmetry in (
        (2, 5, 4, False, "none"),
        (2, 5, 5, True, "rotation-5"),
        (3, 3, 3, False, "mirror-negation"),
        (3, 3, 4, True, "negation"),
    ):
        state = FreeState(Cube(radix, dimensions), steps, minimum=minimum, symmetry=symmetry)
        state.restart(7)
        cost = state.run(20_000, 30.0, 20.0)
        cover, sums = state.cover.copy(), [state.prefix.copy(), state.suffix.copy()]
        state.restore(state.parent, 7)
        assert state.cost == cost
        assert np.array_equal(state.cover, cover) or cost == 0
        assert np.array_equal(np.concatenate(sums), np.concatenate([state.prefix, state.suffix]))
    with pytest.raises(InputError, match="does not act freely"):
        FreeState(Cube(2, 3), 3, symmetry="mirror-rotation-3")
    with pytest.raises(InputError, match="was expected"):
        FreeState(Cube(2, 4), 3, symmetry="mirror-negation")
    with pytest.raises(InputError, match="auto, split or free was expected"):
        anneal_permutation(2, 4, 4, layout="loose")
    state = FreeState(Cube(2, 4), 4)
    state.restart(0)
    for wrong in (state.parent[1:], np.full(32, 1), np.where(np.arange(32) == 3, 40, state.parent)):
        with pytest.raises(InputError, match=r"no tree|numbers"):
            state.restore(wrong, 0)


@pytest.mark.parametrize("radix", range(2, 12))
def test_lemma_4(radix: int) -> None:
    graph = lemma_4(radix)
    found = judge_conditions(graph)
    assert graph.steps == -(-(radix + 1) // 2) == least_steps(radix, 2, many_one=True).steps
    assert found.c1_prime.holds
    assert found.many_one.holds
    assert found.minimum_routing.holds


@pytest.mark.parametrize(("radix", "a", "b"), [(2, 3, 4), (2, 4, 4), (3, 2, 3), (4, 2, 1), (5, 2, 2), (3, 1, 1)])
def test_theorem_1_and_two_packets_at_a_time(radix: int, a: int, b: int) -> None:
    first, last = many_one(radix, a), many_one(radix, b)
    graph = composed(first, last)
    assert graph.steps == first.steps + last.steps
    found = judge_conditions(graph)
    assert found.permutation.holds
    assert found.minimum_routing.holds
    assert find_meeting(graph, many_one=False) is None
    one, two = two_at_a_time(first, last)
    assert judge_conditions(one).permutation.holds
    assert judge_conditions(two).permutation.holds
    assert max(one.steps, two.steps) == 2 * max(first.steps, last.steps)
    for step in range(min(one.steps, two.steps)):  # no link is wanted by both streams
        assert not (set(one.moves[:, step]) & set(two.moves[:, step])) - {0}


def test_reversing_without_the_waits_first_would_not_do() -> None:
    """Theorem 1's second phase starts with the waits that end a path (the remark in sec. 2)."""
    with pytest.raises(InputError, match="one radix was expected"):
        composed(lemma_4(2), lemma_4(3))
    last = many_one(2, 3)
    graph = composed(lemma_4(2), last)
    two = graph.moves[:8, lemma_4(2).steps :]  # the nodes 00xyz
    assert np.array_equal(two > 0, last.moves[:, ::-1] > 0)


def most_nodes(form: SlotForm) -> int:
    """Every node is a prefix and a suffix: of p prefix slots and q suffix slots there are at most (1 + p) (1 + q)."""
    used = form.vector >= 0
    return int((1 + (used & ~form.suffix).sum()) * (1 + (used & form.suffix).sum()))


@pytest.mark.parametrize(("radix", "dimensions", "steps"), [(2, 5, 5), (3, 3, 3), (4, 3, 4)])
def test_slots_hold_the_whole_graph(radix: int, dimensions: int, steps: int) -> None:
    graph = anneal_permutation(radix, dimensions, steps, minimum=True, time_limit=inf).graph
    assert graph is not None
    form = slots_of_graph(graph)
    again = graph_of_slots(form)
    assert again.steps <= graph.steps
    assert judge_conditions(again).permutation.holds
    assert judge_conditions(again).minimum_routing.holds
    assert graph.cube.num_nodes <= most_nodes(form)


def test_slots_of_an_invalid_graph_are_refused() -> None:
    cube = Cube(2, 4)
    order = {u: [(i + 1, 1) if cube.digits[u, i] else (0, 0) for i in range(4)] for u in range(1, 16)}
    with pytest.raises(InputError, match="share neither prefix nor suffix"):
        slots_of_graph(DestinationGraph.of(2, 4, order))


def test_broken_slots_are_refused() -> None:
    form = slots_of_graph(many_one(2, 3))
    vector = form.vector.copy()
    vector[0, 1] = 7
    with pytest.raises(InputError, match="which no chain of earlier slots makes"):
        graph_of_slots(type(form)(form.cube, vector, form.suffix))
    vector[0, 1] = 8
    with pytest.raises(InputError, match="outside 0 to 7"):
        graph_of_slots(type(form)(form.cube, vector, form.suffix))
    with pytest.raises(InputError, match="is not the sum"):
        graph_of_slots(type(form)(form.cube, form.vector[:2], form.suffix[:2]))


def test_bounds() -> None:
    def best(t: int, d: int, many_one: bool = False) -> tuple[int, str]:
        bound = least_steps(t, d, many_one=many_one)
        return bound.steps, bound.rule

    assert best(2, 6, many_one=True) == (11, "lemma-1")
    assert best(2, 12) == (12, "diameter")
    assert best(2, 13) == (14, "slots")
    assert best(4, 4) == (5, "tight")
    assert best(5, 3) == (4, "tight")
    assert best(4, 3) == (3, "diameter")
    assert {x.rule for x in lower_bounds(4, 4, many_one=False)} == {"diameter", "slots", "tight"}


def test_lemma_b_and_the_slot_bound_on_all_graphs_of_a_tiny_cube() -> None:
    """Every way to route the 2-cube in three steps: C2 by pairs of packets against C2 by slots."""
    ways = {
        1: [[(2, 1)], [(0, 0), (2, 1)], [(0, 0), (0, 0), (2, 1)]],
        2: [[(1, 1)], [(0, 0), (1, 1)], [(0, 0), (0, 0), (1, 1)]],
        3: [
            [*[(0, 0)] * a, x, *[(0, 0)] * b, y]
            for x, y in (((1, 1), (2, 1)), ((2, 1), (1, 1)))
            for a, b in ((0, 0), (0, 1), (1, 0))
        ],
    }
    valid = 0
    for one, two, three in itertools.product(ways[1], ways[2], ways[3]):
        graph = DestinationGraph.of(2, 2, {1: one, 2: two, 3: three})
        holds = judge_conditions(graph).permutation.holds
        assert holds == (find_meeting(graph, many_one=False) is None)
        if holds:
            valid += 1
            assert most_nodes(slots_of_graph(graph)) >= 4
        else:
            with pytest.raises(InputError):
                slots_of_graph(graph)
    assert 0 < valid <= len(ways[1]) * len(ways[2]) * len(ways[3])


def test_symmetries_act_on_all_move_types() -> None:
    for cube in (Cube(2, 6), Cube(3, 4), Cube(5, 2)):
        for name, image in symmetries(cube).items():
            assert np.array_equal(np.sort(image), np.arange(cube.num_nodes)), name
            a, b = np.meshgrid(np.arange(cube.num_nodes), np.arange(cube.num_nodes))
            assert np.array_equal(image[cube.add(a.ravel(), b.ravel())], cube.add(image[a.ravel()], image[b.ravel()]))
    with pytest.raises(InputError, match="was expected"):
        plan_slots(Cube(2, 3), 3, symmetry="rotation-2")


def test_a_search_that_fails_says_how_near_it_came() -> None:
    found = grow_many_one(SearchQuestion("many-one", 2, 4, 3, time_limit=0))
    assert found.graph is None
    assert found.uncovered == 16 - 13
    found = anneal_permutation(4, 3, 3, time_limit=0, iterations=1000)
    assert found.graph is None
    assert found.uncovered > 0


@pytest.mark.parametrize("symmetry", ["none", "rotation-3"])
def test_a_search_goes_on_where_it_was_stopped(symmetry: str, tmp_path: Path) -> None:
    """Stopped at once again and again, with the trees kept in a file, it still gets there."""
    file = StateFile(str(tmp_path / "state.json"), {"seed": 1})
    for _ in range(40):
        found = anneal_permutation(
            2, 9, 9, minimum=True, symmetry=symmetry, time_limit=0, resume=file.read(), keep=file.write
        )
        kept = file.read()
        if found.graph is not None:
            assert judge_conditions(found.graph).permutation.holds
            break
        assert kept is not None
        assert kept.best <= found.uncovered
        if kept.turn > 0 or kept.chunk > 3:
            assert kept.chunk > 0
            if symmetry != "none":
                break
    else:
        pytest.fail("no graph in 8 million moves")


def test_a_state_that_was_edited_is_refused(tmp_path: Path) -> None:
    """Also one that another search left: what is looked for belongs to what was found so far."""
    path = tmp_path / "state.json"
    file = StateFile(str(path), {"seed": 1})
    StateFile(str(path), {"seed": 2}).write(SearchState(2, 1, 7, np.zeros(3, dtype=np.int64)))
    whole = path.read_text()
    edits = {'"seed": 2': '"seed": 1', '"best": 7': '"best": 1', '"digest"': '"old"', '"turn": 2': '"turn": 3'}
    for old, new in edits.items():
        assert old in whole
        path.write_text(whole.replace('"seed": 2', '"seed": 1').replace(old, new))
        with pytest.raises(InputError, match=r"does not match its digest: .*; remove it to start again, or name"):
            file.read()


def test_states_of_other_searches_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    file = StateFile(str(path), {"seed": 1})
    assert file.read() is None
    file.write(SearchState(2, 1, 7, np.zeros(3, dtype=np.int64)))
    with pytest.raises(InputError, match="belongs to another search \\(seed differ\\)"):
        StateFile(str(path), {"seed": 2}).read()
    with pytest.raises(InputError, match="has 3 slots"):
        anneal_permutation(2, 4, 4, symmetry="none", resume=file.read())
    whole = path.read_text()
    for wrong in ("", whole[:40], whole.replace("search-state", "report"), whole.replace('"turn": 2', '"turn": -1')):
        path.write_text(wrong)
        with pytest.raises(InputError, match=r"state\.json"):
            file.read()
    for asked in ("[]", "null", "7"):
        path.write_text(whole.replace('{"seed": 1}', asked))
        with pytest.raises(InputError, match="belongs to another search \\(seed differ\\)"):
            file.read()
    path.write_text(whole.replace('"turn": 2', '"turn": 2.5'))
    with pytest.raises(InputError, match="does not match its digest"):
        file.read()
    slots = len(plan_slots(Cube(2, 4), 4).time)
    for parent in (np.full(slots, slots - 1), np.full(slots, 10**6), np.arange(slots)):
        with pytest.raises(InputError, match="no tree"):
            anneal_permutation(2, 4, 4, symmetry="none", resume=SearchState(0, 1, 9, parent))
