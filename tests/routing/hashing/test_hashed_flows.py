"""Hashed flows: probabilities and draws, against all choices of all flows on small networks."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.sampling.seeded import threshold, word
from routeproof.core.traffic import Permutation
from routeproof.routing.base.routing import Routing
from routeproof.routing.hashing import flows as module
from routeproof.routing.hashing.draws import drawn
from routeproof.routing.hashing.flows import Flows, next_shares
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.patterns import traffic_pattern

LEAF_SPINE = Network.of(
    "leaf-spine",
    5,  # leaves 0, 1 and 2, spines 3 and 4; the cables of spine 4 are twice as wide
    [(v, s) for v in range(3) for s in (3, 4)] + [(s, v) for v in range(3) for s in (3, 4)],
    bandwidth=[1, 2] * 6,
    source=[0, 0, 1, 1, 2],
    sink=[0, 0, 1, 1, 2],
)
CASES: list[tuple[Network, str, str, int]] = [
    (LEAF_SPINE, "ecmp", "shift:by=2", 1),
    (LEAF_SPINE, "wcmp", "shift:by=2", 1),
    (LEAF_SPINE, "ecmp", "shift:by=1", 2),
    (network_from_spec("mesh:2x3"), "minimal", "ring", 1),
    (network_from_spec("mesh:2x3"), "minimal:choice=per-hop", "bit-complement", 1),
    (network_from_spec("mesh:2x3"), "o1turn", "bit-complement", 2),
    (network_from_spec("complete:4"), "ksp:k=2", "shift:by=1", 1),
    (network_from_spec("ring:4"), "mix:1/3*ecmp+2/3*updown", "shift:by=2", 1),
]
NAMES = [f"{n.name} {r} {t} {k}" for n, r, t, k in CASES]


def made(network: Network, routing: str, pattern: str, each: int) -> Flows:
    permutation = traffic_pattern(pattern, network).permutation
    assert permutation is not None
    return Flows(routing_from_spec(routing, network), permutation, each)


def ways(routing: Routing, i: int, j: int) -> list[tuple[Fraction, list[int]]]:
    """The paths of a pair of terminals: as the routing lists them, else by walking, an independent choice a node."""
    network = routing.network
    row, column = int(routing.row_of[i]), int(routing.column_of[j])
    if routing.has_explicit_paths:
        return routing.paths(row, column)
    load = routing.pair_loads([row], [column]).as_dict()

    def walk(v: int) -> list[tuple[Fraction, list[int]]]:
        if v == network.sink[j]:
            return [(Fraction(1), [])]
        out = [c for c in load if network.tail[c] == v]
        total = sum(load[c] for c in out)
        return [(load[c] / total * w, [c, *path]) for c in out for w, path in walk(int(network.head[c]))]

    return walk(int(network.source[i]))


def by_force(flows: Flows) -> tuple[dict[Fraction, Fraction], dict[int, dict[Fraction, Fraction]]]:
    """The distributions of the largest load and of every channel's load, per bandwidth, over all choices."""
    network, routing = flows.network, flows.routing
    every = [
        ways(routing, i, j)
        for i, j in enumerate(flows.permutation.image.tolist())
        if network.source[i] != network.sink[j]
        for _ in range(flows.each)
    ]
    top: dict[Fraction, Fraction] = {}
    own: dict[int, dict[Fraction, Fraction]] = {c: {} for c in range(network.num_channels)}
    for outcome in itertools.product(*every):
        weight = Fraction(1)
        for w, _ in outcome:
            weight *= w
        crossed = [c for _, path in outcome for c in path]
        load = {c: Fraction(crossed.count(c), flows.each) / network.bandwidth[c] for c in own}
        for c, x in load.items():
            own[c][x] = own[c].get(x, Fraction(0)) + weight
        largest = max(load.values())
        top[largest] = top.get(largest, Fraction(0)) + weight
    return top, own


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_all_choices_of_all_flows(case: tuple[Network, str, str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    flows = made(*case)
    top, own = by_force(flows)
    assert flows.mean == sum(x * p for x, p in top.items())
    assert flows.most >= max(top)
    for least in sorted({*top, max(top) + 1, min(top) / 2}):
        exact = sum((p for x, p in top.items() if x >= least), Fraction(0))
        assert flows.reaches(least) == (exact, exact)
        for c, chances in own.items():
            wanted = sum((p for x, p in chances.items() if x >= least), Fraction(0))
            assert flows.channel_reaches(c, least) == wanted
    for c, x in flows.expected.items():
        assert x == sum(y * p for y, p in own[c].items())
    monkeypatch.setattr(module, "_MOST_STEPS", 0)  # then stages bound it
    bounded = made(*case)
    assert bounded.mean is None
    for least in top:
        exact = sum((p for x, p in top.items() if x >= least), Fraction(0))
        low, high = bounded.reaches(least)
        assert low <= exact <= high


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_no_flow_crosses_two_channels_of_a_stage(case: tuple[Network, str, str, int]) -> None:
    flows = made(*case)
    stage_of = {c: k for k, classes in enumerate(flows.stages) for _, chance in classes for c in chance}
    for i, j in enumerate(flows.permutation.image.tolist()):
        if flows.network.source[i] != flows.network.sink[j]:
            for _, path in ways(flows.routing, i, j):
                assert len({stage_of[c] for c in path}) == len(path)


def test_stages_of_a_clos_network_are_exact() -> None:
    """Up from a leaf and down to a leaf: each is one multinomial distribution, all leaves independent."""
    network = network_from_spec("fat-tree:4")
    flows = made(network, "ecmp", "shift:by=4", 1)
    assert len(flows.stages) == 4
    # Both flows of a leaf switch on one of two uplinks: 1/2, at eight switches.
    one = 1 - Fraction(1, 2) ** 8
    assert flows.reaches(Fraction(2)).low >= one
    assert flows.reaches(Fraction(5)) == (0, 0)
    assert flows.channel_reaches(0, Fraction(2)) == Fraction(1, 4)


def slow_draw(flows: Flows, seed: int, trial: int) -> Fraction:
    """One trial, word by word."""
    network, routing = flows.network, flows.routing
    count = [0] * network.num_channels
    number = 0
    for row, column, many in flows.pairs:
        load = routing.pair_loads([row], [column]).as_dict()
        for _ in range(many):
            if routing.has_explicit_paths:
                below, draw = Fraction(0), word(seed, trial, 64 * number)
                paths = routing.paths(row, column)
                taken: list[int] | None = None
                for w, path in paths:
                    below += w
                    if taken is None and (below == 1 or draw < threshold(below.numerator, below.denominator)):
                        taken = path
                for c in taken or []:
                    count[c] += 1
            else:
                v, hop = int(routing.row_node[row]), 0
                while v != int(routing.column_node[column]):
                    out = [(c, x) for c, x in load.items() if int(network.tail[c]) == v]
                    below, total, draw = Fraction(0), sum(x for _, x in out), word(seed, trial, 64 * number + hop)
                    taken = None
                    for c, x in out:
                        below += x / total
                        if taken is None and (below == 1 or draw < threshold(below.numerator, below.denominator)):
                            taken = [c]
                    assert taken is not None
                    count[taken[0]] += 1
                    v, hop = int(network.head[taken[0]]), hop + 1
            number += 1
    return max(Fraction(n, flows.each) / network.bandwidth[c] for c, n in enumerate(count))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_draws_are_those_of_the_words(case: tuple[Network, str, str, int]) -> None:
    flows = made(*case)
    assert drawn(flows, seed=3, trials=20) == [slow_draw(flows, 3, t) for t in range(20)]


def test_what_is_refused() -> None:
    network = network_from_spec("ring:4")
    for name, why in (("valiant", "make a cycle"), ("worst-hash:ecmp", "packets can follow")):
        with pytest.raises(InputError, match=why):
            _ = made(network, name, "shift:by=1", 1).loads
    with pytest.raises(InputError, match="no flow of this permutation"):
        _ = Flows(routing_from_spec("ecmp", network), Permutation([0, 1, 2, 3]), 1).pairs
    with pytest.raises(InputError, match="flows of each"):
        made(network, "ecmp", "shift:by=1", 10**6)
    with pytest.raises(InputError, match="no second tier"):
        next_shares(routing_from_spec("ecmp", network), 0, 1)
