"""Channel loads and throughput against the plain double sum of the definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.traffic import Permutation, Traffic
from routeproof.routing.base.routing import Ends
from routeproof.worst import load_sums
from routeproof.worst.loads import busiest_channels, channel_loads_under, throughput, traffic_claims
from tiny_routings import TableRouting, WithBase, random_table, shortest_table


def by_definition(routing, traffic):
    """sum over i, j of rate(i, j) times the pair load, with Fractions and no cleverness."""
    network = routing.network
    total = [Fraction(0)] * network.num_channels
    for i in range(network.num_terminals):
        for j in range(network.num_terminals):
            if network.source[i] == network.sink[j]:
                continue
            block = routing.pair_loads([routing.row_of[i]], [routing.column_of[j]])
            for c, x in block.as_dict().items():
                total[c] += traffic.rate(i, j) * x
    return total


def ring(k, **more):
    return Network.of(
        f"ring {k}", k, [(i, (i + 1) % k) for i in range(k)] + [(i, (i - 1) % k) for i in range(k)], **more
    )


def base_for(network, rng, rows, columns):
    def some(count):
        return [
            [Fraction(int(rng.integers(0, 5)), int(rng.choice([1, 2, 9]))) for _ in range(count)]
            for _ in range(network.num_channels)
        ]

    return some(rows), some(columns)


def traffics(size, rng):
    permutation = Permutation(rng.permutation(size))
    # An average of permutations, half of the traffic left out: doubly substochastic.
    rows = [[Fraction(0)] * size for _ in range(size)]
    for _ in range(3):
        for i, j in enumerate(rng.permutation(size).tolist()):
            rows[i][j] += Fraction(1, 6)
    return [Traffic.uniform(size), Traffic.of_permutation(permutation), Traffic.of_matrix(rows)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("based", [False, True])
def test_loads_equal_the_definition(seed, based):
    rng = np.random.default_rng(seed)
    network = ring(5)
    table = random_table(network, rng)
    routing = WithBase(network, table, *base_for(network, rng, 5, 5)) if based else TableRouting(network, table)
    for traffic in traffics(5, rng):
        assert channel_loads_under(routing, traffic).load.fractions() == by_definition(routing, traffic)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("based", [False, True])
def test_several_terminals_share_rows_and_nodes(seed, based):
    """Two terminals at node 1, one row for nodes 0 and 1, senders that do not receive where they send."""
    rng = np.random.default_rng(seed)
    network = ring(4, source=[0, 1, 1, 2, 3], sink=[0, 1, 3, 2, 1])
    table = random_table(network, rng)
    routing = WithBase(network, table, *base_for(network, rng, 4, 4)) if based else TableRouting(network, table)
    for traffic in traffics(5, rng):
        assert channel_loads_under(routing, traffic).load.fractions() == by_definition(routing, traffic)


@pytest.mark.parametrize("based", [False, True])
def test_rows_need_not_be_nodes(based):
    """Rows per terminal (two of them at one node), columns in an order of their own."""
    rng = np.random.default_rng(1)
    network = ring(3, source=[0, 0, 1, 2], sink=[2, 1, 0, 0])
    row_node, column_node = [0, 0, 1, 2], [0, 2, 1]
    table = {
        (i, j): {c: Fraction(int(rng.integers(1, 5)), 3) for c in range(6) if rng.random() < 0.6}
        for i in range(4)
        for j in range(3)
        if row_node[i] != column_node[j]
    }
    given = ([0, 1, 2, 3], [1, 2, 0, 0], row_node, column_node)
    ends = Ends(*(np.array(x, dtype=np.int32) for x in given), by_node=False)
    routing = TableRouting(network, table, ends=ends)
    if based:
        routing = WithBase(network, table, *base_for(network, rng, 4, 3), ends=ends)
    for traffic in traffics(4, rng):
        assert channel_loads_under(routing, traffic).load.fractions() == by_definition(routing, traffic)


@pytest.mark.parametrize("size", [2**40, 2**62, 2**70, 10**40])
def test_numbers_beyond_64_bits_are_exact(size):
    rng = np.random.default_rng(size % 97)
    network = ring(4)
    table = {
        pair: {c: x * Fraction(size + c, size - pair[0] - 3) for c, x in loads.items()}
        for pair, loads in random_table(network, rng).items()
    }
    routing = TableRouting(network, table)
    for traffic in traffics(4, rng):
        assert channel_loads_under(routing, traffic).load.fractions() == by_definition(routing, traffic)


def test_many_primes_make_no_common_denominator():
    """Denominators whose least common multiple has hundreds of bits are summed channel by channel."""
    rng = np.random.default_rng(3)
    primes = [p for p in range(2, 400) if all(p % q for q in range(2, p))]
    network = ring(7)
    routing = TableRouting(network, random_table(network, rng, denominators=primes))
    for traffic in traffics(7, rng):
        assert channel_loads_under(routing, traffic).load.fractions() == by_definition(routing, traffic)


def test_rates_beyond_64_bits_are_exact():
    network = ring(3)
    routing = TableRouting(network, shortest_table(network))
    tiny = Fraction(1, 3**60)
    traffic = Traffic.of_matrix([[tiny * (i + 2 * j + 1) for j in range(3)] for i in range(3)])
    assert channel_loads_under(routing, traffic).load.fractions() == by_definition(routing, traffic)


def test_chunks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(5)
    network = ring(6)
    routing = WithBase(network, random_table(network, rng), *base_for(network, rng, 6, 6))
    choices = traffics(6, rng)
    whole = [channel_loads_under(routing, t).load.fractions() for t in choices]
    monkeypatch.setattr(load_sums, "_ENTRIES", 3)
    seen = []
    parts = [
        channel_loads_under(routing, t, progress=lambda done, total: seen.append((done, total))).load.fractions()
        for t in choices
    ]
    assert parts == whole
    assert (12, 12) in seen
    assert all(0 < done <= total for done, total in seen)


@pytest.mark.parametrize("based", [False, True])
def test_loads_that_are_only_bounded_at_first_come_out_the_same(monkeypatch, based):
    """Where fractions grow long only candidates for the busiest channel are made exact; nothing else may change."""
    rng = np.random.default_rng(6)
    primes = [p for p in range(2, 100) if all(p % q for q in range(2, p))]
    widths = [Fraction(int(x), 7) for x in rng.integers(1, 9, 12)]
    network = ring(6, bandwidth=widths)
    table = random_table(network, rng, denominators=[*primes, 2**70])
    routing = WithBase(network, table, *base_for(network, rng, 6, 6)) if based else TableRouting(network, table)
    for traffic in traffics(6, rng):
        plain = channel_loads_under(routing, traffic)
        with monkeypatch.context() as patch:
            patch.setattr(load_sums, "is_cheap", lambda part: False)
            found = channel_loads_under(routing, traffic)
        wanted = by_definition(routing, traffic)
        low, high = found.bounds()
        assert all(int(a) <= x * found.bound_unit <= int(b) for a, x, b in zip(low, wanted, high, strict=True))
        assert throughput(found, network) == throughput(plain, network)
        assert busiest_channels(found, network).tolist() == busiest_channels(plain, network).tolist()
        assert found.exact([7, 2, 7]).fractions() == [wanted[7], wanted[2], wanted[7]]
        assert found.load.fractions() == wanted
        assert found.total == plain.total == sum(wanted)


def test_only_candidates_are_made_exact(monkeypatch):
    network = ring(6)
    routing = TableRouting(network, random_table(network, np.random.default_rng(2)))
    monkeypatch.setattr(load_sums, "is_cheap", lambda part: False)
    found = channel_loads_under(routing, Traffic.uniform(6))
    asked = []
    original = routing.channel_loads
    routing.channel_loads = lambda channels, **more: asked.extend(channels) or original(channels, **more)
    assert throughput(found, network) == 1 / max(by_definition(routing, Traffic.uniform(6)))
    assert 0 < len(asked) < 3


def test_orbits_are_copied_from_their_representative():
    network = ring(6)
    rotation = TableRouting(network, {(i, j): {c: Fraction(1) for c in range(6) if (c - i) % 6 < (j - i) % 6}
                                      for i in range(6) for j in range(6) if i != j})  # fmt: skip
    orbits = [0] * 6 + [6] * 6
    asked = []
    original = rotation.channel_loads
    rotation.channel_loads = lambda channels, **more: asked.extend(channels) or original(channels, **more)
    reduced = channel_loads_under(rotation, Traffic.uniform(6), orbits=orbits)
    assert sorted(asked) == [0, 6]
    assert reduced.load.fractions() == by_definition(rotation, Traffic.uniform(6))
    with pytest.raises(InputError, match="uniform traffic only"):
        channel_loads_under(rotation, traffics(6, np.random.default_rng(0))[1], orbits=orbits)
    with pytest.raises(InputError, match="one representative"):
        channel_loads_under(rotation, Traffic.uniform(6), orbits=[1, 0] * 6)


@settings(max_examples=30)
@given(st.permutations(range(5)), st.permutations(range(5)), st.integers(1, 6))
def test_mixing_traffic_mixes_loads(first, second, weight):
    """Loads are linear in the traffic (Towles & Dally 2002, sec. 3.1)."""
    network = ring(5)
    routing = TableRouting(network, random_table(network, np.random.default_rng(8)))
    a, b = Fraction(weight, 7), 1 - Fraction(weight, 7)
    rows = [[a * (first[i] == j) + b * (second[i] == j) for j in range(5)] for i in range(5)]
    mixed = channel_loads_under(routing, Traffic.of_matrix(rows)).load.fractions()
    one = channel_loads_under(routing, Traffic.of_permutation(Permutation(first))).load.fractions()
    two = channel_loads_under(routing, Traffic.of_permutation(Permutation(second))).load.fractions()
    assert mixed == [a * x + b * y for x, y in zip(one, two, strict=True)]


def test_throughput_is_the_smallest_ratio_not_the_largest_load():
    """Channel 0 carries more, but channel 1 is thinner."""
    network = Network.of("pair", 2, [(0, 1), (1, 0)], bandwidth=[Fraction(4), Fraction(1, 2)])
    routing = TableRouting(network, {(0, 1): {0: Fraction(3)}, (1, 0): {1: Fraction(1)}})
    swap = Traffic.of_permutation(Permutation([1, 0]), name="swap")
    found = channel_loads_under(routing, swap)
    assert throughput(found, network) == Fraction(1, 2)
    assert busiest_channels(found, network).tolist() == [1]


def test_scaling_bandwidth_scales_throughput():
    rng = np.random.default_rng(2)
    widths = [Fraction(int(x), 3) for x in rng.integers(1, 9, 10)]
    table = random_table(ring(5), rng)
    thin, thick = ring(5, bandwidth=widths), ring(5, bandwidth=[7 * x for x in widths])
    for traffic in traffics(5, rng):
        one = channel_loads_under(TableRouting(thin, table), traffic)
        two = channel_loads_under(TableRouting(thick, table), traffic)
        assert 7 * throughput(one, thin) == throughput(two, thick)
        assert busiest_channels(one, thin).tolist() == busiest_channels(two, thick).tolist()


def test_all_busiest_channels_are_named():
    network = ring(4)
    everywhere = TableRouting(network, shortest_table(network))
    found = channel_loads_under(everywhere, Traffic.of_permutation(Permutation([1, 2, 3, 0])))
    assert busiest_channels(found, network).tolist() == [0, 1, 2, 3]


def test_claims_hold_the_traffic_in_full():
    network = ring(4)
    routing = TableRouting(network, shortest_table(network))
    shift = Traffic.of_permutation(Permutation([1, 2, 3, 0]), name="neighbor")
    found = channel_loads_under(routing, shift)
    absolute, relative = traffic_claims(routing, shift, found, Fraction(2))
    assert (absolute.quantity, absolute.value) == ("throughput", Fraction(1))
    assert (relative.quantity, relative.value) == ("throughput_of_capacity", Fraction(1, 2))
    assert absolute.about == {"traffic": "neighbor"}
    assert absolute.evidence.kind == "traffic-loads"
    assert absolute.evidence.data == {"channel": 0, "load": "1", "traffic": "neighbor", "permutation": [1, 2, 3, 0]}
    assert [c.quantity for c in traffic_claims(routing, shift, found)] == ["throughput"]
    matrix = Traffic.of_matrix([[Fraction(1, 4)] * 4] * 4, name="mine")
    claim = traffic_claims(routing, matrix, channel_loads_under(routing, matrix))[0]
    assert claim.evidence.data["matrix"] == [["1/4"] * 4] * 4


def test_sampled_loads_prove_nothing():
    network = ring(4)
    routing = TableRouting(network, shortest_table(network))
    routing.is_sampled = True
    with pytest.raises(InputError, match="loads of table are sampled"):
        traffic_claims(routing, Traffic.uniform(4), channel_loads_under(routing, Traffic.uniform(4)))


def test_what_has_no_throughput_is_refused():
    network = ring(4)
    routing = TableRouting(network, shortest_table(network))
    with pytest.raises(InputError, match="for 3 terminals; ring 4 has 4"):
        channel_loads_under(routing, Traffic.uniform(3))
    at_home = channel_loads_under(routing, Traffic.of_permutation(Permutation(range(4)), name="identity"))
    assert busiest_channels(at_home, network).tolist() == []
    with pytest.raises(InputError, match="identity loads no channel"):
        throughput(at_home, network)
    with pytest.raises(InputError, match="8 loads for the 6 channels"):
        throughput(at_home, ring(3))
