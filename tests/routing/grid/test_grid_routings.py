"""DOR, Valiant, ROMM and O1TURN against path enumeration, known worst cases, and their own symmetries."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enumerated import enumerated_loads
from routeproof.core.errors import InputError
from routeproof.core.loads import PairBlock
from routeproof.core.network import Network
from routeproof.core.rational import Rationals
from routeproof.core.symmetry import Automorphism
from routeproof.routing.base.routing import Routing
from routeproof.routing.grid import lists as grid_lists
from routeproof.routing.grid.dor import DOR, O1TURN
from routeproof.routing.grid.valiant import ROMM, Valiant
from routeproof.topologies.grid.lattice import hypercube, hyperx, mesh, ring, torus

NETWORKS = {
    "3x3": torus(3, 3),
    "4x3": torus(4, 3),
    "4x4": torus(4, 4),
    "4x2": torus(4, 2),
    "2x2x2": torus(2, 2, 2),
    "2x4x2": torus(2, 4, 2),
    "ring 5": ring(5),
    "ring 6": ring(6),
    "mesh 3x4": mesh(3, 4),
    "mesh 3x3x2": mesh(3, 3, 2),
    "hyperx 3x3": hyperx(3, 3),
    "hyperx 4x3": hyperx(4, 3),
    "oneway ring 5": ring(5, oneway=True),
    "oneway 3x4": torus(3, 4, oneway=True),
    "oneway ring 2": ring(2, oneway=True),
}
MAKERS = {"dor": DOR, "valiant": Valiant, "romm": ROMM, "o1turn": O1TURN}
SMALL = {"4x4", "4x2", "mesh 3x4", "oneway 3x4", "hyperx 4x3", "2x4x2"}


def make(name: str, net: Network) -> Routing:
    kind, _, text = name.partition(":")
    return MAKERS[kind](**dict(piece.split("=") for piece in text.split(",") if piece)).on(net)


def names(net: Network) -> list[str]:
    found = ["dor", "dor:tie=plus", "dor:order=random", "valiant", "valiant:tie=plus", "romm", "romm:tie=union"]
    if net.grid.num_dimensions == 2:
        found += ["dor:order=yx", "dor:tie=plus,order=random", "o1turn", "o1turn:tie=plus"]
        found += ["romm:order=xy-yx", "romm:order=xy-xy", "romm:tie=union,order=yx-xy"]
    if net.grid.num_dimensions == 3:
        found += ["dor:order=yzx", "romm:order=xyz-xyz", "romm:order=yxz-zxy"]
    return found


CASES = [(where, name) for where, net in NETWORKS.items() for name in names(net)]
SEEN: dict[tuple[str, str], dict[tuple[int, int], dict[int, Fraction]]] = {}


def truth(where: str, name: str) -> dict[tuple[int, int], dict[int, Fraction]]:
    if (where, name) not in SEEN:
        SEEN[where, name] = enumerated_loads(NETWORKS[where], name)
    return SEEN[where, name]


def channel_table(routing: Routing, c: int) -> dict[tuple[int, int], Fraction]:
    """All non-zero loads of a channel, base part added, from ``channel_loads``."""
    block = routing.channel_loads([c])
    found = block.as_dict()
    if block.base is not None:
        size = routing.network.num_nodes
        row, column = block.base.row[0].fractions(), block.base.column[0].fractions()
        for i in range(size):
            for j in range(size):
                if i != j:
                    found[i, j] = found.get((i, j), Fraction(0)) + row[i] + column[j]
        found = {pair: x for pair, x in found.items() if x}
    return found


@pytest.mark.parametrize(("where", "name"), CASES)
def test_loads_are_those_of_all_paths_written_out(where: str, name: str) -> None:
    net, expected = NETWORKS[where], truth(where, name)
    routing = make(name, net)
    pairs = list(expected)
    block = routing.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    for k, pair in enumerate(pairs):
        assert block.as_dict(k) == expected[pair]
        channels = block.channel[block.offset[k] : block.offset[k + 1]]
        assert (np.diff(channels) > 0).all()
    for c in range(net.num_channels):
        assert channel_table(routing, c) == {pair: x[c] for pair, x in expected.items() if c in x}
    routing.check()


@pytest.mark.parametrize(("where", "name"), CASES)
def test_the_own_paths_have_the_loads(where: str, name: str) -> None:
    net, expected = NETWORKS[where], truth(where, name)
    routing = make(name, net)
    for i, j in list(expected)[:: max(1, len(expected) // 12)]:
        loads: dict[int, Fraction] = {}
        paths = routing.paths(i, j)
        assert sum(x for x, _ in paths) == 1
        assert len({tuple(path) for _, path in paths}) == len(paths)
        for x, path in paths:
            assert net.tail[path[0]] == i
            assert net.head[path[-1]] == j
            assert (net.head[path[:-1]] == net.tail[path[1:]]).all()
            for c in path:
                loads[c] = loads.get(c, Fraction(0)) + x
        assert loads == expected[i, j]
    assert routing.paths(0, 0) == [(Fraction(1), [])]


@pytest.mark.parametrize(("where", "name"), [case for case in CASES if case[0] in SMALL])
def test_blocks_are_sorted_and_restricted_rows_are_the_same_loads(where: str, name: str) -> None:
    net = NETWORKS[where]
    routing = make(name, net)
    channels = np.arange(net.num_channels)[::-3]
    block = routing.channel_loads(channels)
    assert block.channel.tolist() == channels.tolist()
    assert block.num_channels == len(channels)
    rows = np.zeros(net.num_nodes, dtype=bool)
    rows[[1, 3, 4]] = True
    part = routing.channel_loads(channels, rows=rows)
    for k, c in enumerate(channels.tolist()):
        one = block.one(k)
        key = one.row.astype(np.int64) * net.num_nodes + one.column
        assert (np.diff(key) > 0).all()
        assert (one.row != one.column).all()
        assert (one.load.num > 0).all()
        assert one.as_dict() == routing.channel_loads([c]).as_dict()
        assert part.as_dict(k) == {pair: x for pair, x in one.as_dict().items() if rows[pair[0]]}
        if block.base is not None:
            assert part.base.row[k].fractions() == block.base.row[k].fractions()
    streamed = list(routing.stream(entries=50))
    assert np.concatenate([b.channel for b in streamed]).tolist() == list(range(net.num_channels))


@pytest.mark.parametrize(("where", "name"), [case for case in CASES if case[0] in SMALL])
def test_beyond_int64_the_loads_are_the_same(where: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net = NETWORKS[where]
    fast, slow = make(name, net), make(name, net)
    pairs = np.arange(net.num_nodes), np.arange(net.num_nodes)[::-1]
    here = fast.channel_loads([0, 5]), fast.pair_loads(*pairs)
    monkeypatch.setattr(grid_lists, "INT_LIMIT", 0)
    there = slow.channel_loads([0, 5]), slow.pair_loads(*pairs)
    for a, b in zip(here, there, strict=True):
        for k in range(2):
            assert a.as_dict(k) == b.as_dict(k)


def test_denominators_beyond_int64_are_exact() -> None:
    """A hypercube of 34 dimensions has denominators lcm(1..34) * 2^34 > 2^62; one dimension's lists show it."""
    scale = math.lcm(*range(1, 35))
    line = grid_lists.Lists(np.array([0, 1]), np.array([0]), np.array([[1, 1, 1, 1]]), np.array([2]), (True, True))
    n = 34
    weight = [[scale // (n * math.comb(n - 1, k)) for k in range(n)] + [0]] * 2
    found = grid_lists.expand_lists([line] * n, np.zeros((1, n), dtype=np.int64), [2] * n, weight, scale)
    assert found.load.den.tolist() == [scale * 2**34]
    assert found.load.fractions() == [Fraction(2 * sum(math.comb(n, k) * weight[0][k] for k in range(n)), scale * 2**n)]


# -- symmetry -----------------------------------------------------------------------------------------------


def automorphism(net: Network, image: np.ndarray, name: str = "g") -> Automorphism:
    number = {ends: c for c, ends in enumerate(zip(net.tail.tolist(), net.head.tolist(), strict=True))}
    channel = [number[int(image[u]), int(image[v])] for u, v in zip(net.tail.tolist(), net.head.tolist(), strict=True)]
    return Automorphism(name, image.astype(np.int32), np.array(channel, dtype=np.int32))


def by_enumeration(net: Network, loads: dict[tuple[int, int], dict[int, Fraction]], g: Automorphism) -> bool:
    return all(
        {int(g.channel[c]): y for c, y in x.items()} == loads[int(g.node[i]), int(g.node[j])]
        for (i, j), x in loads.items()
    )


@pytest.mark.parametrize(("where", "name"), CASES)
def test_respects_is_what_all_pairs_say(where: str, name: str) -> None:
    net = NETWORKS[where]
    routing, loads = make(name, net), truth(where, name)
    gens = list(net.symmetry.generators)
    gens.append(Automorphism("identity", np.arange(net.num_nodes), np.arange(net.num_channels)))
    if len(net.symmetry.generators) > 1:  # products are automorphisms too
        a, b = net.symmetry.generators[0], net.symmetry.generators[-1]
        gens.append(Automorphism("product", a.node[b.node], a.channel[b.channel]))
    for g in gens:
        assert routing.respects(g) == by_enumeration(net, loads, g), g.name
    if routing.respects_reversal():
        back = net.reverse
        for (i, j), x in loads.items():
            assert {int(back[c]): y for c, y in x.items()} == loads[j, i]


def test_the_generic_comparison_agrees() -> None:
    for where in ("3x3", "4x2", "mesh 3x4"):
        net = NETWORKS[where]
        for name in ("dor", "dor:tie=plus", "o1turn", "romm", "romm:order=xy-xy"):
            routing = make(name, net)
            for g in net.symmetry.generators:
                assert routing.respects(g) == Routing.respects(routing, g), (where, name, g.name)


def test_reversal_is_respected_where_orders_and_ties_allow() -> None:
    net = torus(4, 4)
    yes = ("romm", "romm:tie=union", "romm:order=xy-yx", "o1turn", "dor:order=random")
    no = ("dor", "valiant", "romm:order=xy-xy", "o1turn:tie=plus")
    assert [make(name, net).respects_reversal() for name in yes] == [True] * len(yes)
    assert [make(name, net).respects_reversal() for name in no] == [False] * len(no)
    assert not DOR().on(ring(5, oneway=True)).respects_reversal()
    assert DOR().on(ring(6)).respects_reversal()
    assert not DOR(tie="plus").on(ring(6)).respects_reversal()


def test_a_routing_that_loses_packets_fails_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    for net in (torus(4, 4), mesh(3, 3)):
        routing = ROMM().on(net)
        whole = routing.pair_loads

        def lossy(rows: np.ndarray, columns: np.ndarray, whole: Callable[..., PairBlock] = whole) -> PairBlock:
            block = whole(rows, columns)
            num = block.load.num.copy()
            num[-1] -= 1
            return PairBlock(block.offset, block.channel, Rationals(num, block.load.den))

        monkeypatch.setattr(routing, "pair_loads", lossy)
        with pytest.raises(InputError, match=r"routing romm does not deliver from .* at node"):
            routing.check()


def test_dimension_order_breaks_swaps_and_ties_to_plus_break_reflections() -> None:
    net = torus(4, 4)
    g = {x.name: x for x in net.symmetry.generators}
    swap, reflect = g["swap dimensions 0 and 1"], g["reflect dimension 1"]
    assert not DOR().on(net).respects(swap)
    assert DOR(order="random").on(net).respects(swap)
    assert ROMM().on(net).respects(swap)
    assert not ROMM(order="xy-yx").on(net).respects(swap)
    assert DOR().on(net).respects(reflect)
    assert not DOR(tie="plus").on(net).respects(reflect)
    assert DOR(tie="plus").on(torus(5, 5)).respects(torus(5, 5).symmetry.generators[-2])
    assert not Valiant().on(net).respects(swap)
    assert all(ROMM().on(net).respects(x) for x in g.values())


def test_automorphisms_that_mix_dimensions_are_compared_number_by_number() -> None:
    """torus:4x4 is the 4-cube: coordinate values 0, 1, 3, 2 are two bits each.  Some of its 384 automorphisms exchange
    a bit of x with a bit of y, which maps translations to maps that are none."""
    net = torus(4, 4)
    gray = [0, 1, 3, 2]
    to_bits = np.array([gray[x] * 4 + gray[y] for x, y in net.grid.coordinates.tolist()])
    node = np.argsort(to_bits)
    swapped = np.array([(v & 0b1001) | ((v & 0b0100) >> 1) | ((v & 0b0010) << 1) for v in range(16)])
    g = automorphism(net, node[swapped[to_bits]])
    for name in ("dor", "dor:order=random", "romm", "romm:tie=union", "valiant"):
        assert make(name, net).respects(g) == by_enumeration(net, truth("4x4", name), g), name


def test_a_map_that_is_no_automorphism_is_not_respected() -> None:
    net = torus(3, 3)
    g = net.symmetry.generators[0]
    routing = ROMM().on(net)
    assert not routing.respects(Automorphism("nodes stay", np.arange(9), g.channel))
    assert not routing.respects(Automorphism("channels stay", g.node, np.arange(36)))
    assert not routing.respects(Automorphism("all on one", np.zeros(9, dtype=np.int32), g.channel))


@settings(max_examples=30)
@given(st.data())
def test_translation_moves_the_loads_along(data: st.DataObject) -> None:
    net = NETWORKS[data.draw(st.sampled_from(["4x4", "2x4x2", "hyperx 4x3", "oneway 3x4"]))]
    routing = make(data.draw(st.sampled_from(names(net))), net)
    c = data.draw(st.integers(0, net.num_channels - 1))
    shift = [data.draw(st.integers(0, k - 1)) for k in net.grid.radix]
    moved = (net.grid.coordinates + shift) % np.array(net.grid.radix)
    g = automorphism(net, np.ravel_multi_index(tuple(moved.T), net.grid.radix))
    assert routing.respects(g)
    table = channel_table(routing, c)
    image = {(int(g.node[i]), int(g.node[j])): x for (i, j), x in table.items()}
    assert image == channel_table(routing, int(g.channel[c]))


# -- known numbers ------------------------------------------------------------------------------------------


def worst_load(routing: Routing) -> Fraction:
    """The largest load of a channel under any permutation, by assignment on the scaled dense matrix."""
    from scipy.optimize import linear_sum_assignment

    worst = Fraction(0)
    size = routing.network.num_nodes
    at = routing.grid.channel_at[0]
    for c in np.unique(at[at >= 0]).tolist():  # a translation takes every channel to one of these
        block = routing.channel_loads([c])
        scale = math.lcm(*block.load.denominators())
        dense = np.zeros((size, size), dtype=np.int64)
        dense[block.row, block.column] = block.load.scaled(scale)
        rows, columns = linear_sum_assignment(dense, maximize=True)
        worst = max(worst, Fraction(int(dense[rows, columns].sum()), scale))
    return worst


@pytest.mark.parametrize(
    ("name", "radix", "of_capacity"),
    [
        ("romm", 9, Fraction(25, 144)),
        ("romm:order=xy-yx", 9, Fraction(25, 198)),
        ("dor", 9, Fraction(5, 18)),
        ("dor", 4, Fraction(2, 3) / 2),
        ("dor:tie=plus", 4, Fraction(1, 2) / 2),
    ],
)
def test_published_worst_cases(name: str, radix: int, of_capacity: Fraction) -> None:
    """Towles & Dally 2002, sec. 5; capacity is 8k / (k^2 - 1) for odd and 8 / k for even k."""
    capacity = Fraction(8 * radix, radix**2 - 1) if radix % 2 else Fraction(8, radix)
    assert 1 / worst_load(make(name, torus(radix, radix))) / capacity == of_capacity


def test_valiant_has_half_of_capacity_whatever_the_traffic() -> None:
    net = torus(5, 5)
    block = Valiant().on(net).channel_loads(range(net.num_channels))
    assert len(block.row) == 0
    for k in range(net.num_channels):
        # A permutation without fixed points loads every channel alike: twice the uniform load (k^2 - 1) / (8 k).
        assert block.base.row[k].total() + block.base.column[k].total() == 2 * Fraction(24, 40)


def test_large_networks_are_not_enumerated() -> None:
    net = torus(16, 16, 16)
    routing = ROMM().on(net)
    block = routing.channel_loads([0])
    assert len(block.row) == 36 * 87**2
    image = np.random.default_rng(5).permutation(net.num_nodes)
    pairs = routing.pair_loads(np.arange(net.num_nodes), image)
    # Hops are a count of crossings: their sum is the sum of distances.
    gap = np.abs(net.grid.coordinates - net.grid.coordinates[image])
    assert pairs.load.total() == int(np.minimum(gap, 16 - gap).sum())
    cube = ROMM().on(hypercube(10))
    assert cube.pair_loads([0], [1023]).load.total() == 10
    small = ROMM().on(hypercube(5))
    assert sum(x for x, _ in small.decomposition(0, 31)) == 1
    with pytest.raises(InputError, match="to write them all out"):
        small.paths(0, 31)


# -- options and refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("dor:tie=split", "dor"),
        ("dor:order=xy", "dor"),
        ("dor:order=01", "dor"),
        ("dor:order=10,tie=plus", "dor:tie=plus,order=yx"),
        ("dor:order=random", "dor:order=random"),
        ("romm:order=random,tie=split", "romm"),
        ("romm:order=01-10", "romm:order=xy-yx"),
        ("valiant:tie=split", "valiant"),
        ("o1turn:tie=plus", "o1turn:tie=plus"),
    ],
)
def test_names_leave_defaults_out(name: str, canonical: str) -> None:
    assert make(name, torus(3, 3)).name == canonical
    assert make(canonical, torus(3, 3)).name == canonical


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dor:tie=plos", "dor: tie is 'plos'; did you mean 'plus'?"),
        ("dor:tie=union", "dor: tie is 'union'"),
        ("romm:tie=unoin", "did you mean 'union'?"),
        ("valiant:tie=both", "valiant: tie is 'both'; known: plus, split"),
        ("o1turn:tie=splt", "did you mean 'split'?"),
        ("dor:order=randm", "did you mean 'random'?"),
        ("valiant:order=random", "order is 'random'; an order such as 'xy' was expected"),
        ("dor:order=xx", "each dimension from x on must appear once"),
        ("dor:order=yz", "each dimension from x on must appear once"),
        ("dor:order=", "order is ''"),
        ("dor:order=xyz", "names 3 dimensions, torus:3x3 has 2; an order of xy was expected"),
        ("romm:order=xy", "the orders of both phases were expected, as in 'xy-yx'"),
        ("romm:order=xy-yx-xy", "the orders of both phases"),
        ("romm:order=xy-xyz", "the orders of both phases"),
        ("romm:order=x-x", "names 1 dimensions, torus:3x3 has 2"),
        ("romm:order=xy-", "order is ''"),
    ],
)
def test_unknown_options_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        make(name, torus(3, 3))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [DOR, Valiant, ROMM, O1TURN])
@pytest.mark.parametrize("value", [None, 3, ["split"], "SPLIT"])
def test_ties_of_any_type_are_refused_with_one_line(kind: type, value: object) -> None:
    with pytest.raises(InputError, match="tie is"):
        kind(tie=value)


@pytest.mark.parametrize("value", [3, ["x"], ("xy", "yx")])
def test_orders_of_any_type_are_refused_with_one_line(value: object) -> None:
    for kind in (DOR, ROMM):
        with pytest.raises(InputError, match="order is"):
            kind(order=value)


@pytest.mark.parametrize("kind", [DOR, Valiant, ROMM, O1TURN])
def test_networks_without_a_grid_are_refused(kind: type) -> None:
    triangle = Network.of("triangle", 3, [(0, 1), (1, 2), (2, 0)])
    with pytest.raises(InputError, match="triangle has no grid layout; minimal works on any graph"):
        kind().on(triangle)


def test_o1turn_needs_two_dimensions() -> None:
    with pytest.raises(InputError, match="o1turn needs two dimensions; torus:3x3x3 has 3"):
        O1TURN().on(torus(3, 3, 3))


def test_a_grid_that_the_channels_contradict_is_refused() -> None:
    net = torus(3, 3)
    crooked = Network.of("crooked", 9, np.stack([net.head, net.tail], axis=1), grid=net.grid)
    with pytest.raises(InputError, match="says that channel 0 goes from node 0 to node 3"):
        DOR().on(crooked)
    extra = Network.of("extra", 9, [*zip(net.tail.tolist(), net.head.tolist(), strict=True), (0, 4)], grid=net.grid)
    with pytest.raises(InputError, match=r"channel 36 of extra, .* is not part of its grid"):
        DOR().on(extra)
    with pytest.raises(InputError, match="it has 4 nodes"):
        DOR().on(Network.of("small", 4, [(0, 1)], grid=net.grid))


def test_channels_that_do_not_exist_are_refused() -> None:
    with pytest.raises(InputError, match="channel 36 does not exist; channels are 0 to 35"):
        DOR().on(torus(3, 3)).channel_loads([36])
