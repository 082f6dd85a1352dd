"""Mixtures of routings, and Valiant's routing on networks without a grid."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_routing import all_loads
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.graph.minimal import Minimal
from routeproof.routing.graph.valiant import AnyGraphValiant
from routeproof.routing.grid.dor import DOR, O1TURN
from routeproof.routing.grid.turns import Turns
from routeproof.routing.grid.valiant import ROMM, Valiant
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.tables.next_hop import NextHop
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.family import network_from_spec

HALF = Fraction(1, 2)
NETWORK = network_from_spec("torus:4x3")
ROUTINGS: list[Routing] = [
    DOR().on(NETWORK),
    Valiant().on(NETWORK),
    ROMM().on(NETWORK),
    Minimal().on(NETWORK),
    Minimal(choice="per-hop").on(NETWORK),
    Turns(limit=2).on(NETWORK),
    AnyGraphValiant(NETWORK),
]
LOADS = [all_loads(routing) for routing in ROUTINGS]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, len(ROUTINGS) - 1)), min_size=1, max_size=4))
def test_loads_are_the_weighted_sums(parts: list[tuple[int, int]]) -> None:
    total = sum(w for w, _ in parts)
    mixture = Mixture([(Fraction(w, total), ROUTINGS[k]) for w, k in parts])
    wanted: dict[tuple[int, int, int], Fraction] = {}
    for w, k in parts:
        for key, load in LOADS[k].items():
            wanted[key] = wanted.get(key, Fraction(0)) + Fraction(w, total) * load
    assert all_loads(mixture) == wanted


@settings(max_examples=25)
@given(st.fractions(0, 1), st.permutations(range(12)), st.integers(0, 47))
def test_the_load_of_a_permutation_is_convex(weight: Fraction, image: list[int], c: int) -> None:
    if weight in (0, 1):
        return
    mixture = Mixture([(weight, ROUTINGS[2]), (1 - weight, ROUTINGS[0])])

    def total(loads: dict[tuple[int, int, int], Fraction]) -> Fraction:
        return sum((loads.get((c, i, j), Fraction(0)) for i, j in enumerate(image)), Fraction(0))

    block = mixture.channel_loads([c]).as_dict()
    mixed = sum((block.get((i, j), Fraction(0)) for i, j in enumerate(image)), Fraction(0))
    assert mixed == weight * total(LOADS[2]) + (1 - weight) * total(LOADS[0])
    assert mixed <= max(total(LOADS[2]), total(LOADS[0]))


def test_weights_of_thousands_of_bits_are_exact() -> None:
    tiny = Fraction(1, 5**2000)
    loads = all_loads(Mixture([(tiny, ROUTINGS[1]), (1 - tiny, ROUTINGS[0])]))
    for key in LOADS[1]:
        assert loads[key] == tiny * LOADS[1][key] + (1 - tiny) * LOADS[0].get(key, 0)


def test_rows_can_be_restricted_and_streams_agree() -> None:
    mixture = Mixture([(HALF, ROUTINGS[0]), (HALF, ROUTINGS[1])])
    rows = np.arange(12) % 2 == 0
    for c in (0, 17, 47):
        full = mixture.channel_loads([c])
        some = mixture.channel_loads([c], rows=rows)
        assert some.as_dict() == {k: x for k, x in full.as_dict().items() if rows[k[0]]}
        assert some.base is not None
        assert full.base is not None
        assert some.base.row[0].fractions() == full.base.row[0].fractions()
    seen = [c for block in mixture.stream(entries=50) for c in block.channel.tolist()]
    assert seen == list(range(48))


def test_paths_are_put_together() -> None:
    o1turn = O1TURN().on(NETWORK)
    yx = DOR(order="yx").on(NETWORK)
    mixture = Mixture([(HALF, o1turn), (HALF, yx)])
    paths = mixture.decomposition(0, 4)
    assert [w for w, _ in paths] == [Fraction(3, 4), Fraction(1, 4)]
    assert paths[0][1] == yx.paths(0, 4)[0][1]
    assert mixture.decomposition(3, 3) == [(1, [])]


def test_it_respects_what_all_parts_respect() -> None:
    square = network_from_spec("torus:3x3")
    assert square.symmetry is not None
    for parts in (["dor", "romm"], ["minimal", "romm"]):
        made = {"dor": DOR(), "romm": ROMM(), "minimal": Minimal()}
        routings = [made[name].on(square) for name in parts]
        mixture = Mixture([(HALF, routing) for routing in routings])
        for g in square.symmetry.generators:
            assert mixture.respects(g) == all(routing.respects(g) for routing in routings)
    assert Mixture([(1, ROMM().on(square))]).respects_reversal() == ROMM().on(square).respects_reversal()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "a mixture of no routings"),
        ([(HALF, ROUTINGS[0])], "sum to 1/2; exactly 1 was expected"),
        ([(Fraction(3, 2), ROUTINGS[0]), (-HALF, ROUTINGS[1])], "weight of valiant in a mixture is -1/2"),
        ([(0, ROUTINGS[0]), (1, ROUTINGS[1])], "weight of dor in a mixture is 0"),
        ([("x", ROUTINGS[0])], "the weight of dor is 'x'"),
        ([(HALF, ROUTINGS[0]), (HALF, DOR().on(network_from_spec("torus:3x4")))], "a mixture needs one network"),
    ],
)
def test_wrong_parts_are_refused(parts: list[tuple[Fraction, Routing]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Mixture(parts)


def fabric() -> Network:
    """Switches 0 and 1 joined by channels 0, 1 (up) and 2, 3 (down); two terminals at each."""
    return Network.of("fabric", 2, [(0, 1), (0, 1), (1, 0), (1, 0)], source=[0, 0, 1, 1], sink=[0, 0, 1, 1])


def test_parts_with_different_rows_meet_at_terminals() -> None:
    net = fabric()
    forwarding = NextHop([[-1, -1, 0, 1], [2, 3, -1, -1]], columns="terminal").on(net)
    table = TableRouting(
        net,
        "table",
        Paths.of(
            [(i, j, 1, [0 if i == 0 else 1] if i < 2 else [2]) for i in range(4) for j in range(4) if i // 2 != j // 2]
        ),
    )
    parts: list[tuple[Fraction, Routing]] = [
        (Fraction(1, 2), forwarding),
        (Fraction(1, 3), table),
        (Fraction(1, 12), Minimal().on(net)),
        (Fraction(1, 12), AnyGraphValiant(net)),
    ]
    mixture = Mixture(parts)
    assert not mixture.by_node
    assert mixture.row_of.tolist() == mixture.column_of.tolist() == [0, 1, 2, 3]
    loads = all_loads(mixture)
    for i in range(4):
        for j in range(4):
            if i // 2 == j // 2:
                continue
            wanted = [Fraction(0)] * 4
            for weight, routing in parts:
                block = routing.pair_loads([routing.row_of[i]], [routing.column_of[j]])
                for c, load in block.as_dict().items():
                    wanted[c] += weight * load
            assert {c: x for c, x in enumerate(wanted) if x} == {
                c: x for (c, a, b), x in loads.items() if (a, b) == (i, j)
            }
    rows = np.array([True, False, False, True])
    for c in range(4):
        full = mixture.channel_loads([c]).as_dict()
        assert mixture.channel_loads([c], rows=rows).as_dict() == {k: x for k, x in full.items() if rows[k[0]]}
    assert sum(w for w, _ in mixture.decomposition(0, 3)) == 1
    again = routing_from_description(describe_routing(mixture), net)
    assert all_loads(again) == loads


def test_a_mixture_of_names_is_described_by_name() -> None:
    mixture = Mixture([(HALF, ROUTINGS[0]), (HALF, ROUTINGS[1])])
    assert describe_routing(mixture) == {"spec": "mix:1/2*dor+1/2*valiant"}
    assert all_loads(routing_from_description(describe_routing(mixture), NETWORK)) == all_loads(mixture)


# -- Valiant on any network ---------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["petersen", "kautz:2,3", "ring:5,oneway", "complete:4"])
def test_valiant_on_any_network_is_the_mean_over_intermediates(spec: str) -> None:
    net = network_from_spec(spec)
    minimal = all_loads(Minimal().on(net))
    size = net.num_nodes
    wanted: dict[tuple[int, int, int], Fraction] = {}
    for c in range(net.num_channels):
        for i in range(size):
            for j in range(size):
                load = sum((minimal.get((c, i, m), 0) + minimal.get((c, m, j), 0) for m in range(size)), Fraction(0))
                if i != j and load:
                    wanted[c, i, j] = load / size
    routing = AnyGraphValiant(net)
    assert all_loads(routing) == wanted
    if net.symmetry is not None:
        for g in net.symmetry.generators:
            assert routing.respects(g)
    if routing.respects_reversal():
        assert net.reverse is not None
        assert {(int(net.reverse[c]), j, i): x for (c, i, j), x in wanted.items()} == wanted


def star() -> Network:
    """Hosts 0, 1, 2 around switch 3; host 2 has two terminals."""
    channels = [(h, 3) for h in range(3)] + [(3, h) for h in range(3)]
    return Network.of("star", 4, channels, source=[0, 1, 2, 2], sink=[0, 1, 2, 2])


def test_only_nodes_with_terminals_are_intermediates() -> None:
    routing = AnyGraphValiant(star())
    assert routing.intermediates.tolist() == [0, 1, 2]
    loads = all_loads(routing)
    # From 0 to 1: through 0, 1 or 2, one third each; through 2 its channels are crossed as well.
    third = Fraction(1, 3)
    assert {c: x for (c, i, j), x in loads.items() if (i, j) == (0, 1)} == {0: 1, 4: 1, 2: third, 5: third}


def test_valiant_needs_somebody_who_sends_and_receives() -> None:
    net = Network.of("butterfly", 4, [(0, 2), (0, 3), (1, 2), (1, 3)], source=[0, 1], sink=[2, 3])
    with pytest.raises(InputError, match="send and receive at different nodes"):
        AnyGraphValiant(net)
    assert len(list(AnyGraphValiant(star()).stream(entries=8))) == 6
    assert AnyGraphValiant(star()).channel_loads([]).num_channels == 0
