"""nTURNS: few turns, as printed and as worded, and routings of displacements in general."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from brute_routing import all_loads
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.symmetry import Automorphism
from routeproof.routing.base.routing import Routing
from routeproof.routing.function.incremental import Incremental
from routeproof.routing.graph.per_hop import MinimalPerHop
from routeproof.routing.grid.relative import RelativeRouting
from routeproof.routing.grid.turns import Turns
from routeproof.topologies.family import network_from_spec


def paths_of_5turns(a: int, b: int, limit: int, strict: bool) -> dict[str, Fraction]:
    """All words in x and y with their probabilities, by recursion on the definition itself."""

    def in_reach(t: int, x: int, y: int) -> bool:
        if t > limit:
            return False
        if (x, y) == (a, b):
            return True
        on = (x + 1, y) if t % 2 == 0 else (x, y + 1)
        off = (x, y + 1) if t % 2 == 0 else (x + 1, y)
        return (on[0] <= a and on[1] <= b and in_reach(t, *on)) or (
            off[0] <= a and off[1] <= b and in_reach(t + 1, *off)
        )

    def go(t: int, x: int, y: int, word: str, weight: Fraction) -> None:
        if (x, y) == (a, b):
            found[word] = found.get(word, Fraction(0)) + weight
            return
        moves = []
        for letter, spot in (("x", (x + 1, y)), ("y", (x, y + 1))):
            state = t if (letter == "y") == bool(t % 2) else t + 1
            if spot[0] <= a and spot[1] <= b and in_reach(state, *spot):
                moves.append((letter, state, spot))
        if strict and not word and a > 0:
            moves = [m for m in moves if m[0] == "x"]
        for letter, state, spot in moves:
            go(state, *spot, word + letter, weight / len(moves))

    found: dict[str, Fraction] = {}
    go(0, 0, 0, "", Fraction(1))
    return found


def changes(word: str) -> int:
    return sum(u != v for u, v in pairwise(word))


def loads_of_words(net: Network, words: dict[str, Fraction], i: int) -> dict[int, Fraction]:
    assert net.grid is not None
    loads: dict[int, Fraction] = {}
    for word, weight in words.items():
        at = i
        for letter in word:
            c = int(net.grid.channel_at[at, 0 if letter == "x" else 1, 0])
            loads[c] = loads.get(c, Fraction(0)) + weight
            at = int(net.head[c])
    return loads


@pytest.mark.parametrize("start", ["virtual", "strict"])
def test_figure_3_of_the_paper(start: str) -> None:
    """From (0,0) to (3,2), 5TURNS: t = 0 .. 4."""
    words = paths_of_5turns(3, 2, 4, start == "strict")
    # xyxyx takes four turns; yxyxx three, and one more for turning at the source: allowed as printed, not as worded.
    assert ("yxyxx" in words) is (start == "virtual")
    assert {"xxxyy", "xyxyx", "xyxxy"} <= set(words)
    assert max(changes(w) + (w[0] == "y") for w in words) == 4
    net = network_from_spec("mesh:4x3")
    assert net.grid is not None
    routing = Turns(limit=4, start=start).on(net)
    goal = net.grid.node((3, 2))
    assert routing.pair_loads([0], [goal]).as_dict() == loads_of_words(net, words, 0)
    assert routing.name == f"turns:limit=4,start={start}"


@pytest.mark.parametrize(("limit", "start"), list(product([1, 2, 3, 4, 9], ["virtual", "strict"])))
def test_loads_are_those_of_all_words(limit: int, start: str) -> None:
    net = network_from_spec("mesh:4x5")
    assert net.grid is not None
    routing = Turns(limit=limit, start=start).on(net)
    for a, b in product(range(4), range(5)):
        if a + b:
            words = paths_of_5turns(a, b, limit, start == "strict")
            assert sum(words.values()) == 1
            assert routing.pair_loads([0], [net.grid.node((a, b))]).as_dict() == loads_of_words(net, words, 0)


def as_function(radix: tuple[int, int], kind: str, limit: int, start: str):
    """The same algorithm as an incremental function: state (turns so far, signs), None at the source."""

    def ways(k: int, here: int, there: int) -> list[tuple[int, Fraction]]:
        if kind == "mesh":
            return [(1 if there >= here else -1, Fraction(1))]
        d = (there - here) % k
        if k == 2 or 2 * d < k:
            return [(1, Fraction(1))]
        if 2 * d > k:
            return [(-1, Fraction(1))]
        return [(1, Fraction(1, 2)), (-1, Fraction(1, 2))]

    def routing(state, node, destination):
        here, there = divmod(node, radix[1]), divmod(destination, radix[1])
        if state is None:
            options = [
                (p * q, (0, (sx, sy)))
                for sx, p in ways(radix[0], here[0], there[0])
                for sy, q in ways(radix[1], here[1], there[1])
            ]
        else:
            options = [(Fraction(1), state)]
        answer = []
        for weight, (t, signs) in options:
            left = [
                (there[m] - here[m]) * signs[m] % radix[m] if kind == "torus" else abs(there[m] - here[m])
                for m in (0, 1)
            ]
            moves = []
            for m in (0, 1):
                turned = t + (t % 2 != m)
                if left[m] and turned + (left[1 - m] > 0) <= limit:
                    moves.append((turned, m))
            if state is None and start == "strict" and left[0]:
                moves = [(0, 0)]
            for turned, m in moves:
                spot = list(here)
                spot[m] = (spot[m] + signs[m]) % radix[m]
                answer.append((weight / len(moves), (turned, signs), spot[0] * radix[1] + spot[1]))
        return answer

    return routing


@pytest.mark.parametrize("spec", ["mesh:3x4", "torus:4x3", "torus:5x4", "torus:2x4"])
@pytest.mark.parametrize("start", ["virtual", "strict"])
def test_the_function_and_the_name_agree(spec: str, start: str) -> None:
    net = network_from_spec(spec)
    assert net.grid is not None
    for limit in (1, 2, 4):
        function = as_function(net.grid.radix, net.grid.kind, limit, start)
        assert all_loads(Incremental(function).on(net)) == all_loads(Turns(limit=limit, start=start).on(net))


def test_one_turn_is_dimension_order_and_many_turns_are_random_minimal() -> None:
    from routeproof.routing.grid.dor import DOR

    for spec in ("torus:4x5", "mesh:4x3", "torus:5x3,oneway"):
        net = network_from_spec(spec)
        assert all_loads(Turns(limit=1).on(net)) == all_loads(DOR().on(net))
        assert all_loads(Turns(limit=1, start="strict").on(net)) == all_loads(DOR().on(net))
    for spec in ("torus:5x5", "mesh:4x3"):
        net = network_from_spec(spec)
        assert all_loads(Turns(limit=100).on(net)) == all_loads(MinimalPerHop(net))


@pytest.mark.parametrize("spec", ["torus:4x4", "torus:5x5", "torus:2x3", "mesh:3x3", "torus:3x4,oneway"])
@pytest.mark.parametrize("limit", [1, 2, 4, 100])
def test_symmetries_are_judged_as_by_comparing_everything(spec: str, limit: int) -> None:
    net = network_from_spec(spec)
    routing = Turns(limit=limit).on(net)
    assert net.symmetry is not None
    generators = list(net.symmetry.generators)
    # Products too: a reflection about another axis, a swap with a translation.
    for g, h in product(net.symmetry.generators, repeat=2):
        generators.append(Automorphism(f"{g.name} {h.name}", g.node[h.node], g.channel[h.channel]))
    verdicts = set()
    for g in generators:
        verdict = routing.respects(g)
        assert verdict == Routing.respects(routing, g)
        verdicts.add(verdict)
    swappable = any("swap" in g.name for g in net.symmetry.generators)
    assert verdicts == ({True, False} if swappable and limit <= 2 else {True})


def test_symmetries_that_move_no_axis_to_an_axis_are_compared_channel_by_channel() -> None:
    """The 4 x 4 torus is the 4-cube, which has automorphisms that mix the coordinates."""
    net = network_from_spec("torus:4x4")
    gray = [0, 1, 3, 2]
    code = np.array([4 * gray[v // 4] + gray[v % 4] for v in range(16)])
    back = np.argsort(code)
    swapped = np.array([(x & 0b1001) | (x & 0b0100) >> 1 | (x & 0b0010) << 1 for x in range(16)])
    node = back[swapped[code]].astype(np.int32)
    to = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(net.tail, net.head, strict=True))}
    channel = np.array(
        [to[int(node[u]), int(node[v])] for u, v in zip(net.tail, net.head, strict=True)], dtype=np.int32
    )
    g = Automorphism("mixed", node, channel)
    routing = Turns(limit=2).on(net)
    assert routing._linear_part(g) is None
    assert routing.respects(g) == Routing.respects(routing, g)
    assert not routing.respects(g)


def test_a_false_symmetry_is_refused() -> None:
    net = network_from_spec("mesh:3x3")
    shift = Automorphism("shift", np.roll(np.arange(9, dtype=np.int32), 1), np.arange(24, dtype=np.int32))
    with pytest.raises(InputError, match="not an automorphism"):
        Turns().on(net).respects(shift)


def test_rows_can_be_restricted() -> None:
    routing = Turns().on(network_from_spec("torus:4x3"))
    rows = np.arange(12) % 3 == 0
    for c in range(0, 48, 5):
        full = routing.channel_loads([c]).as_dict()
        assert routing.channel_loads([c], rows=rows).as_dict() == {k: x for k, x in full.items() if rows[k[0]]}


def test_16_by_16_is_quick_and_delivers() -> None:
    routing = Turns().on(network_from_spec("torus:16x16"))
    routing.check()
    assert routing.channel_loads([0]).load.total() == routing.channel_loads([4 * 137]).load.total()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limit": 0}, "limit is 0; at least 1 turn"),
        ({"limit": True}, "limit is True"),
        ({"limit": "4"}, "limit is '4'"),
        ({"start": "vitual"}, "start is 'vitual'; did you mean 'virtual'?"),
    ],
)
def test_options_are_checked(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        Turns(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["torus:3x3x3", "hyperx:3x3", "ring:5", "petersen"])
def test_only_two_dimensional_tori_and_meshes(spec: str) -> None:
    with pytest.raises(InputError, match="needs a torus"):
        Turns().on(network_from_spec(spec))


def test_a_table_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(InputError, match="that is too large"):
        Turns().on(network_from_spec("mesh:60x60"))


def test_a_hyperx_has_no_displacements_here() -> None:
    with pytest.raises(InputError, match="is a HyperX"):
        RelativeRouting(network_from_spec("hyperx:3x3"), "mine", {})


def test_displacements_that_do_not_deliver_are_found() -> None:
    net = network_from_spec("torus:3x3")
    steps = {(0, 1): {((0, 0), 1, 0): Fraction(1)}}
    with pytest.raises(InputError, match=r"no path from \(0,0\) to \(0,2\)"):
        RelativeRouting(net, "mine", steps).check()
