"""RLB, RLBth and IVAL on tori: against paths written out from the definitions, and known exact values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.base.routing import Routing
from routeproof.routing.grid.ival import IVAL, without_loops
from routeproof.routing.grid.rlb import RLB
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.grid.lattice import hyperx, mesh, ring, torus
from routeproof.worst.capacity import known_capacity
from routeproof.worst.locality import average_path_length, minimal_average
from routeproof.worst.scan.exact import worst_case

NETWORKS = {x.name: x for x in (torus(4, 4), torus(5, 3), torus(3, 2, 4), torus(4, 2), ring(5), ring(6))}
Weighted = Iterator[tuple[Fraction, list[tuple[int, ...]]]]


def walk(start: tuple[int, ...], moves: list[tuple[int, int, int]], radix: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The nodes visited; a move is (dimension, sign, hops)."""
    nodes, here = [start], list(start)
    for m, sign, hops in moves:
        for _ in range(hops):
            here[m] = (here[m] + sign) % radix[m]
            nodes.append(tuple(here))
    return nodes


def rlb_paths(net: Network, s: tuple[int, ...], t: tuple[int, ...], order: str, *, threshold: bool) -> Weighted:
    radix, dims = net.grid.radix, range(len(s))
    ways = []
    for m, k in enumerate(radix):
        ahead = (t[m] - s[m]) % k
        delta = min(ahead, k - ahead)
        short = Fraction(1) if threshold and 4 * delta < k else Fraction(k - delta, k)
        sign = 1 if ahead == delta else -1
        ways.append([(short, sign, delta), (1 - short, -sign, k - delta)] if delta else [(Fraction(1), 1, 0)])
    orders = list(itertools.permutations(dims)) if order == "random" else [tuple("xyz".index(c) for c in order)]
    for pick in itertools.product(*ways):
        cuts = list(itertools.product(*(range(hops + 1) for _, _, hops in pick)))
        for cut, one, two in itertools.product(cuts, orders, orders):
            moves = [(m, pick[m][1], cut[m]) for m in one] + [(m, pick[m][1], pick[m][2] - cut[m]) for m in two]
            chance = Fraction(1, len(cuts) * len(orders) ** 2)
            for x, _, _ in pick:
                chance *= x
            yield chance, walk(s, moves, radix)


def legs(k: int, a: int, b: int) -> list[tuple[Fraction, int, int]]:
    ahead = (b - a) % k
    if 2 * ahead == k and k > 2:
        return [(Fraction(1, 2), 1, ahead), (Fraction(1, 2), -1, ahead)]
    return [(Fraction(1), 1, ahead)] if 2 * ahead <= k else [(Fraction(1), -1, k - ahead)]


def ival_paths(net: Network, s: tuple[int, ...], t: tuple[int, ...], order: tuple[int, ...], *, same: bool) -> Weighted:
    radix = net.grid.radix
    back = order if same else order[::-1]
    for w in itertools.product(*map(range, radix)):
        first = [legs(k, a, b) for k, a, b in zip(radix, s, w, strict=True)]
        second = [legs(k, a, b) for k, a, b in zip(radix, w, t, strict=True)]
        for one, two in itertools.product(itertools.product(*first), itertools.product(*second)):
            chance = Fraction(1, net.num_nodes)
            for x, _, _ in one + two:
                chance *= x
            moves = [(m, *one[m][1:]) for m in order] + [(m, *two[m][1:]) for m in back]
            path: list[tuple[int, ...]] = []
            for node in walk(s, moves, radix):
                path = [*path[: path.index(node)], node] if node in path else [*path, node]
            yield chance, path


def loads_of(net: Network, paths: Weighted) -> dict[int, Fraction]:
    number = {ends: c for c, ends in enumerate(zip(net.tail.tolist(), net.head.tolist(), strict=True))}
    loads: dict[int, Fraction] = {}
    for chance, path in paths:
        for u, v in itertools.pairwise(path):
            c = number[net.grid.node(u), net.grid.node(v)]
            loads[c] = loads.get(c, Fraction(0)) + chance
    return {c: x for c, x in loads.items() if x}


def pairs_of(net: Network) -> list[tuple[int, int]]:
    """Pairs from two sources; translations give the others.  From the second, every third."""
    last = net.num_nodes - 2
    return [(i, j) for i in (0, last) for j in range(0, net.num_nodes, 1 if i == 0 else 3) if i != j]


def written_out(net: Network, name: str, i: int, j: int) -> dict[int, Fraction]:
    kind, _, text = name.partition(":")
    options = dict(piece.split("=") for piece in text.split(",") if piece)
    s, t = (tuple(net.grid.coordinates[v].tolist()) for v in (i, j))
    natural = tuple(range(len(s)))
    if kind in ("rlb", "rlbth"):
        order = options.get("order", "random")
        return loads_of(net, rlb_paths(net, s, t, order, threshold=kind == "rlbth"))
    orders = [natural]
    if "order" in options:
        orders = list(itertools.permutations(natural)) if options["order"] == "random" else [natural[::-1]]
    found: dict[int, Fraction] = {}
    for order in orders:
        for c, x in loads_of(net, ival_paths(net, s, t, order, same="phases" in options)).items():
            found[c] = found.get(c, Fraction(0)) + x / len(orders)
    return found


def names(net: Network) -> list[str]:
    order = "xyz"[: net.grid.num_dimensions]
    found = ["rlb", "rlbth", f"rlb:order={order}", "ival", f"ival:order={order[::-1]}", "ival:order=random"]
    return [*found, "ival:phases=same"] if net.num_nodes < 20 else found


@pytest.mark.parametrize(("where", "name"), [(x, name) for x, net in NETWORKS.items() for name in names(net)])
def test_loads_and_paths_are_those_of_the_definition(where: str, name: str) -> None:
    net = NETWORKS[where]
    routing = routing_from_spec(name, net)
    routing.check()
    pairs = pairs_of(net)
    block = routing.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    for k, (i, j) in enumerate(pairs):
        expected = written_out(net, name, i, j)
        assert block.as_dict(k) == expected
        if k % 5 == 0:
            assert own_loads(routing, i, j) == expected
    for c in range(0, net.num_channels, 7):
        table = routing.channel_loads([c]).as_dict()
        for k, pair in enumerate(pairs):
            assert table.get(pair, 0) == block.as_dict(k).get(c, 0)


def own_loads(routing: Routing, i: int, j: int) -> dict[int, Fraction]:
    net, loads = routing.network, {}
    paths = routing.paths(i, j)
    assert sum(x for x, _ in paths) == 1
    for x, path in paths:
        assert net.tail[path[0]] == i
        assert net.head[path[-1]] == j
        assert (net.head[path[:-1]] == net.tail[path[1:]]).all()
        for c in path:
            loads[c] = loads.get(c, Fraction(0)) + x
    return loads


@pytest.mark.parametrize("where", ["torus:4x4", "torus:5x3", "torus:4x2", "ring:6"])
def test_symmetry_is_what_all_loads_say(where: str) -> None:
    net = NETWORKS[where]
    for name in names(net):
        routing = routing_from_spec(name, net)
        for g in net.symmetry.generators:
            assert routing.respects(g) == Routing.respects(routing, g), (name, g.name)
        if routing.respects_reversal():
            back = net.reverse
            for i, j in pairs_of(net):
                there = routing.pair_loads([j], [i]).as_dict()
                assert {int(back[c]): x for c, x in routing.pair_loads([i], [j]).as_dict().items()} == there


# -- known values -------------------------------------------------------------------------------------------


def judged(name: str, net: Network) -> tuple[Fraction, Fraction]:
    """(worst load, average length as a fraction of minimal)"""
    routing = routing_from_spec(name, net)
    return worst_case(routing).load, average_path_length(routing) / minimal_average(net)


@pytest.mark.parametrize(
    ("name", "load", "length"),
    [
        ("ival", Fraction(2), Fraction(413, 256)),
        ("ival:order=random", Fraction(2), Fraction(413, 256)),
        ("ival:phases=same", Fraction(2), Fraction(115, 64)),
        ("ival:tie=plus", Fraction(5, 2), Fraction(413, 256)),
        ("rlb:order=xy", Fraction(28821, 8960), Fraction(21, 16)),
        ("rlb:order=random", Fraction(57297, 17920), Fraction(21, 16)),
        ("rlbth:order=xy", Fraction(423299, 125440), Fraction(39, 32)),
        ("rlbth", Fraction(15013, 4480), Fraction(39, 32)),
    ],
)
def test_on_the_8_ary_2_cube(name: str, load: Fraction, length: Fraction) -> None:
    assert judged(name, torus(8, 8)) == (load, length)


@pytest.mark.parametrize("k", [3, 5, 7, 9])
def test_the_length_of_ival_on_odd_radices(k: int) -> None:
    net = torus(k, k)
    load, length = judged("ival", net)
    assert length == Fraction(5, 3) - Fraction(1, 3 * k)
    assert 1 / load == known_capacity(net) / 2


@pytest.mark.parametrize("k", [4, 5, 6, 7])
def test_rings_guarantee_half_of_capacity(k: int) -> None:
    net = ring(k)
    for name in ("rlb", "ival", "valiant"):
        load, _ = judged(name, net)
        assert 1 / load >= known_capacity(net) / 2


def test_loops_are_cut_where_they_close() -> None:
    around = without_loops((0, 0), [(0, 0)] * 4 + [(1, 0)], (4, 4))
    assert around == [((0, 0), 1, 0)]
    back = without_loops((0, 0), [(0, 0), (1, 0), (1, 1), (0, 0)], (4, 4))
    assert back == [((0, 0), 0, 0), ((1, 0), 0, 0)]


def test_names_make_the_same_routing_again() -> None:
    net = torus(4, 4)
    texts = ["rlb", "rlb:order=xy", "rlb:order=yx-xy", "rlbth:order=yx", "ival", "ival:order=yx,phases=same,tie=plus"]
    for text in texts:
        routing = routing_from_spec(text, net)
        assert routing.name == text
        again = routing_from_spec(routing.name, net)
        for c in (0, 9):
            assert again.channel_loads([c]).as_dict() == routing.channel_loads([c]).as_dict()
    assert RLB(order="xy-xy").on(net).name == "rlb:order=xy"
    assert IVAL(order="xy").on(net).name == "ival"
    assert RLB().on(torus(2, 2)).name == "rlb"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RLB().on(mesh(4, 4)), "rlb needs a torus with channels both ways; mesh:4x4 is a mesh"),
        (lambda: RLB(threshold=True).on(ring(5, oneway=True)), "rlbth needs a torus .* one-way torus"),
        (lambda: RLB(order="xz"), "rlb: order is 'xz'"),
        (lambda: RLB(order="xy-yx-xy"), "rlb: order is 'xy-yx-xy'; an order for both phases"),
        (lambda: RLB(order="xyz").on(torus(4, 4)), "names 3 dimensions"),
        (lambda: RLB(threshold="yes"), "rlb: threshold is 'yes'"),
        (lambda: IVAL().on(mesh(4, 4)), "ival needs a torus; mesh:4x4 is a mesh"),
        (lambda: IVAL().on(hyperx(3, 3)), "ival needs a torus; hyperx:3x3 is a hyperx"),
        (lambda: IVAL(phases="both"), "ival: phases is 'both'"),
        (lambda: IVAL(order="zz"), "ival: order is 'zz'"),
        (lambda: IVAL(order="zxy").on(torus(4, 4)), "names 3 dimensions"),
        (lambda: IVAL().on(torus(20, 20, 20)), "would need a table of about"),
        (lambda: IVAL(phases="same").on(torus(16, 16, 16)), "need"),
        (lambda: routing_from_spec("ival:order=yx,order=xy", torus(4, 4)), "given twice"),
    ],
)
def test_bad_input(make, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=words):
        make()


def test_one_way_tori_have_one_way_round() -> None:
    net = torus(4, 3, oneway=True)
    routing = IVAL().on(net)
    routing.check()
    assert np.all([len(path) <= 4 * 3 for j in range(1, 12) for _, path in routing.paths(0, j)])
