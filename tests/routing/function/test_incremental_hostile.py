"""Routing functions that go wrong: each in one line that names state, node and destination."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.function.incremental import Channel, Incremental, load_function
from routeproof.topologies.grid.lattice import ring

AT_3_FOR_0 = r"at node 3 in state None for destination 0: "


def on_ring(wrong):
    """Clockwise on the 5-ring, except at node 3 towards 0."""

    def function(state, node, destination):
        if (node, destination) == (3, 0):
            return wrong() if callable(wrong) else wrong
        return [(1, None, (node + 1) % 5)]

    return Incremental(function).on(ring(5))


def refusal(wrong) -> str:
    with pytest.raises(InputError) as caught:
        on_ring(wrong)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    return str(caught.value)


class BadText:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "loses the packet: it returned nothing"),
        (None, "returned None; "),
        (7, "returned 7; [(probability, next state, next node), ...] was expected"),
        ([7], r"returned the choice 7; (probability, next state, next node) was expected"),
        ([(1, None)], "returned the choice (1, None); "),
        ([(1, None, 1)], "chose node 1, which is not a neighbour; channels lead to 2, 4"),
        ([(1, None, 5)], "chose node 5; nodes are 0 to 4"),
        ([(1, None, -1)], "chose node -1; nodes are 0 to 4"),
        ([(1, None, True)], "chose True as the next hop"),
        ([(1, None, 4.0)], "chose 4.0 as the next hop"),
        ([(1, None, None)], "chose None as the next hop"),
        ([(1, None, BadText())], "chose <BadText> as the next hop"),
        ([(1, None, Channel(99))], "chose channel 99; channels are 0 to 9"),
        ([(1, None, Channel(0))], "chose channel 0, which leaves node 0"),
        ([(1, None, Channel("x"))], "chose channel x; channels are"),
        ([(1, None, Channel(True))], "chose channel True; channels are"),
        ([("1/2", None, 4)], "gives probabilities that sum to 1/2; exactly 1 was expected"),
        ([(0.1, None, 4), (0.9, None, 2)], "gives probabilities that sum to 36028797018963969/36028797018963968"),
        ([(0, None, 4), (1, None, 2)], "gives the next node 4 the probability 0; leave out what never happens"),
        ([(-1, None, 4), (2, None, 2)], "gives the next node 4 the probability -1"),
        ([(math.nan, None, 4)], "a probability is nan; a finite number was expected"),
        ([(math.inf, None, 4)], "a probability is inf"),
        ([("one", None, 4)], "a probability is 'one'"),
        ([(True, None, 4)], "a probability is True"),
        ([(1, [1, 2], 4)], "state [1, 2] is of type list, which cannot be hashed; use numbers, strings or tuples"),
        (lambda: 1 / 0, "raised ZeroDivisionError: division by zero"),
        (lambda: sys.intern(5), "raised TypeError: intern"),
        (lambda: (x for x in iter(int, 1)), "returned more than 100,000 choices"),
    ],
)
def test_a_wrong_answer_is_named(wrong, message) -> None:
    text = refusal(wrong)
    assert "at node 3 in state" in text
    assert "for destination 0: " in text
    assert message in text


def test_a_message_of_many_lines_becomes_one() -> None:
    def wrong():
        raise ValueError("first\nsecond\n" + "x" * 10_000)

    assert "raised ValueError: first second xxx" in refusal(wrong)


@pytest.mark.parametrize("error", [SystemExit(0), SystemExit("bye"), BaseException("odd"), GeneratorExit()])
def test_a_function_that_exits_is_refused_and_not_obeyed(error) -> None:
    def wrong():
        raise error

    assert f"{AT_3_FOR_0}raised {type(error).__name__}" in refusal(wrong)


def test_an_interrupt_inside_the_function_stays_one() -> None:
    def wrong():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        on_ring(wrong)


class Counter:
    """A state that hashes by what it holds, though that can change."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counter) and self.value == other.value


def test_a_state_that_is_changed_in_place_is_refused() -> None:
    def counts(state, node, destination):
        state.value += 1
        return [(1, state, (node + 1) % 5)]

    with pytest.raises(InputError, match="has changed the state that it was given; return a new one"):
        Incremental(counts, Counter(0)).on(ring(5))


def test_a_bad_next_state_is_not_mistaken_for_the_packets_state() -> None:
    with pytest.raises(InputError, match=r"in state None for destination 0: state \[\] is of type list"):
        Incremental(lambda s, v, d: [(1, [], (v + 1) % 5)]).on(ring(5))


def test_a_state_of_none_gets_a_hint() -> None:
    with pytest.raises(InputError, match=r"raised TypeError: .*packets start in state None: give .* 'start'"):
        Incremental(lambda s, v, d: [(1, s + 1, (v + 1) % 5)]).on(ring(5))


def test_a_function_of_other_arguments_is_told_which_it_gets() -> None:
    said = r"raised TypeError: .* positional arguments.*; it is called as function\(state, node, destination\)"
    with pytest.raises(InputError, match=said):
        Incremental(lambda s, v: [(1, s, (v + 1) % 5)]).on(ring(5))


def test_parallel_channels_must_be_told_apart() -> None:
    net = Network.of("twins", 2, [(0, 1), (0, 1), (1, 0)])
    with pytest.raises(InputError, match=r"2 parallel channels lead there: say which by Channel\(0\) or Channel\(1\)"):
        Incremental(lambda s, v, d: [(1, s, 1 - v)]).on(net)


def test_a_loop_that_is_never_left_is_named() -> None:
    def pingpong(state, node, destination):
        if destination == 0 and node in (2, 3):
            return [(1, state, 5 - node)]
        return [(1, state, (node + 1) % 5)]

    with pytest.raises(
        InputError, match=r"for ever in the loop of nodes \(states\) [23] \(None\) -> [23] \(None\) -> "
    ):
        Incremental(pingpong).on(ring(5))


def test_a_loop_with_choices_but_no_exit_is_refused() -> None:
    def trapped(state, node, destination):
        if state == "lost" or (node, destination) == (3, 0):
            # Past the destination without being done, for ever, by chance this way or that.
            return [("1/2", "lost", (node + 1) % 5), ("1/2", "lost", (node - 1) % 5)]
        return [] if node == destination else [(1, None, (node + 1) % 5)]

    trapped.passes_destination = True
    with pytest.raises(InputError, match=r"never delivers: .* \(lost\)"):
        Incremental(trapped).on(ring(5))


def test_a_long_loop_is_shortened() -> None:
    net = Network.of("circle", 41, [(v, (v + 1) % 40) for v in range(40)] + [(0, 40), (40, 0)])
    with pytest.raises(InputError, match=r"\.\.\. 33 more") as caught:
        Incremental(lambda s, v, d: [(1, s, 0 if v == 40 else (v + 1) % 40)]).on(net)
    assert len(str(caught.value)) < 500


def test_too_many_states_point_to_sampling() -> None:
    def history(state, node, destination):
        past = (*(state or ()), node)
        return [("1/2", past, (node + 1) % 5), ("1/2", past, (node - 1) % 5)]

    with pytest.raises(InputError, match=r"more than 1,000 pairs of state and node; raise the limit .* or sample"):
        Incremental(history, max_states=1000).on(ring(5))
    with pytest.raises(InputError, match="states is 0"):
        Incremental(history, max_states=0)


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(InputError, match="int is of type int; a function was expected"):
        Incremental(5).on(ring(5))  # type: ignore[arg-type]


# -- by name ------------------------------------------------------------------------------------------------


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    created = []

    def write(name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(text)
        created.append(name)

    yield write
    for name in created:
        sys.modules.pop(name, None)
    while str(tmp_path) in sys.path:  # the function may import its neighbours when called, so the path stays
        sys.path.remove(str(tmp_path))


def test_a_function_is_found_in_the_current_directory(module) -> None:
    module("my_routes_1", "def clockwise(state, node, destination):\n    return [(1, state, (node + 1) % 5)]\n")
    function = load_function("my_routes_1:clockwise")
    routing = Incremental(function).on(ring(5))
    assert routing.name == "my_routes_1:clockwise"
    assert routing.pair_loads([0], [4]).load.total() == 4


@pytest.mark.parametrize(
    ("name", "text", "asked", "message"),
    [
        ("my_routes_2", "", "my_route_2:f", "no module 'my_route_2' in .*; did you mean 'my_routes_2'?"),
        (
            "my_routes_3",
            "def clockwise(): pass",
            "my_routes_3:clokwise",
            "has no 'clokwise'; did you mean 'clockwise'?",
        ),
        ("my_routes_4", "", "my_routes_4:f", "has no 'f'; it has no functions"),
        ("my_routes_5", "f = 3", "my_routes_5:f", "'my_routes_5:f' is of type int; a function was expected"),
        ("my_routes_6", "1 / 0", "my_routes_6:f", "raised ZeroDivisionError: division by zero"),
        ("my_routes_7", "def f(:", "my_routes_7:f", "raised SyntaxError: "),
        ("my_routes_8", "raise SystemExit(3)", "my_routes_8:f", "raised SystemExit: 3"),
        ("my_routes_9", "import no_such_thing", "my_routes_9:f", "cannot be imported: No module named 'no_such_thing'"),
        ("my_routes_10", "", "my_routes_10:a.b", "file.py:function was expected"),
        ("my_routes_11", "", "no_package.inner:f", "no module 'no_package.inner'"),
        ("my_routes_12", "", "my_routes_12.inner:f", "'my_routes_12.inner'"),
    ],
)
def test_a_name_that_leads_nowhere_is_explained(module, name, text, asked, message) -> None:
    module(name, text)
    with pytest.raises(InputError, match=message.replace("?", r"\?")) as caught:
        load_function(asked)
    assert "\n" not in str(caught.value)


def test_fractions_of_thousands_of_bits_are_right_or_refused() -> None:
    tiny = Fraction(1, 3**2000)
    routing = on_ring([(tiny, None, 2), (1 - tiny, None, 4)])  # 2 sends it back: a loop with an exit
    loads = routing.pair_loads([3], [0]).as_dict()
    assert tiny / (1 - tiny) in loads.values()
    assert "(a fraction of 3," in refusal([(tiny, None, 2), (1 - 2 * tiny, None, 4)])
