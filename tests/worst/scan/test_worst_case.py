"""The exact worst case: against all permutations, with and without symmetry, under the laws that it must obey."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.rational import Rationals
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import WorstCase, worst_case


def routed(topology: str, routing: str) -> Routing:
    return routing_from_spec(routing, network_from_spec(topology))


def by_brute_force(routing: Routing) -> list[Fraction]:
    """For every channel the largest load per bandwidth over all T! permutations."""
    network = routing.network
    size = network.num_terminals
    loads = []
    for i in range(size):
        line = []
        for j in range(size):
            same = network.source[i] == network.sink[j]
            pair = {} if same else routing.pair_loads([routing.row_of[i]], [routing.column_of[j]]).as_dict()
            line.append(pair)
        loads.append(line)
    best = []
    for c in range(network.num_channels):
        table = [[loads[i][j].get(c, Fraction(0)) for j in range(size)] for i in range(size)]
        scale = np.lcm.reduce(np.array([x.denominator for row in table for x in row], dtype=object))
        whole = [[int(x * scale) for x in row] for row in table]
        top = max(sum(whole[i][p[i]] for i in range(size)) for p in itertools.permutations(range(size)))
        best.append(Fraction(top, scale) / network.bandwidth[c])
    return best


def witnessed(result: WorstCase) -> Fraction:
    """The load per bandwidth that the witness really puts on its channel, by summing pair loads."""
    routing, c = result.routing, result.channel
    network = routing.network
    assert result.permutation is not None
    total = Fraction(0)
    for i, j in enumerate(result.permutation.image.tolist()):
        if network.source[i] != network.sink[j]:
            total += routing.pair_loads([routing.row_of[i]], [routing.column_of[j]]).as_dict().get(c, Fraction(0))
    return total / network.bandwidth[c]


TINY = [
    ("ring:6", "dor"),
    ("ring:6", "dor:tie=plus"),
    ("ring:5,oneway", "dor"),
    ("ring:6", "valiant"),
    ("torus:3x2", "romm"),
    ("torus:3x2", "o1turn"),
    ("torus:3x2,bandwidth=3/2x1", "valiant"),
    ("mesh:3x2", "dor"),
    ("mesh:2x3", "romm"),
    ("mesh:2x3", "turns:limit=1"),
    ("mesh:3x2", "mix:1/3*dor+2/3*valiant"),
    ("hyperx:3x2", "romm"),
    ("complete:6", "valiant"),
    ("kautz:2,2", "minimal"),
    ("kautz:2,2", "minimal:choice=per-hop"),
    ("random-regular:6,degree=3,seed=2", "valiant"),
    ("torus:3x2,dead-links=0-1", "minimal"),
]


@pytest.mark.parametrize(("topology", "routing"), TINY)
@pytest.mark.parametrize("symmetry", ["auto", "none"])
def test_equals_the_best_of_all_permutations(topology: str, routing: str, symmetry: str) -> None:
    subject = routed(topology, routing)
    expected = by_brute_force(subject)
    result = worst_case(subject, symmetry=symmetry, all_channels=True)
    assert result.channel_loads == expected
    assert result.load == max(expected)
    assert result.throughput == 1 / max(expected)
    assert witnessed(result) == result.load
    assert result.worst_channels == [c for c, x in enumerate(expected) if x == max(expected)]
    assert worst_case(subject, symmetry=symmetry).load == max(expected)


@pytest.mark.parametrize(
    ("topology", "routing", "value"),
    [
        ("torus:9x9", "romm", Fraction(5, 32)),  # 25/144 of a capacity of 9/10
        ("torus:9x9", "dor", Fraction(1, 4)),  # 5/18 of it
        ("torus:9x9", "romm:order=xy-yx", Fraction(25, 198) * Fraction(9, 10)),
        ("torus:4x4", "dor", Fraction(2, 3)),
        ("torus:4x4", "dor:tie=plus", Fraction(1, 2)),
        ("torus:8x8", "valiant", Fraction(1, 2)),
        ("torus:16x16x16", "dor", Fraction(1, 112)),
        ("complete:8", "valiant", Fraction(4, 1)),
    ],
)
def test_known_throughputs(topology: str, routing: str, value: Fraction) -> None:
    assert worst_case(routed(topology, routing)).throughput == value


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7, 8])
def test_dimension_order_on_a_torus_is_at_the_closed_form(k: int) -> None:
    capacity = Fraction(8 * k, k * k - 1) if k % 2 else Fraction(8, k)
    share = Fraction(k + 1, 4 * k) if k % 2 else Fraction(k, 4 * (k - 1))
    assert worst_case(routed(f"torus:{k}x{k}", "dor")).throughput == share * capacity


def test_the_middle_of_three_dimensions_is_worst() -> None:
    result = worst_case(routed("torus:5x5x5", "dor"))
    grid = result.network.grid
    assert grid is not None
    a, b = (grid.coordinates[end[result.channel]] for end in (result.network.tail, result.network.head))
    assert (a != b).tolist() == [False, True, False]


def relabelled(network: Network, order: np.ndarray) -> Network:
    """The same network with node v called order[v] and its channels in another order; terminals keep their numbers."""
    channels = np.random.default_rng(1).permutation(network.num_channels)
    return replace(
        network,
        tail=order[network.tail][channels].astype(np.int32),
        head=order[network.head][channels].astype(np.int32),
        bandwidth=tuple(network.bandwidth[c] for c in channels),
        source=order[network.source].astype(np.int32),
        sink=order[network.sink].astype(np.int32),
        grid=None,
        symmetry=None,
        spec=None,
    )


@pytest.mark.parametrize("choice", ["per-path", "per-hop"])
def test_relabelling_nodes_and_channels_changes_nothing(choice: str) -> None:
    network = network_from_spec("random-regular:24,degree=3,seed=5")
    spec = f"minimal:choice={choice}"
    expected = sorted(worst_case(routing_from_spec(spec, network), all_channels=True).channel_loads or [])
    order = np.random.default_rng(0).permutation(network.num_nodes)
    other = routing_from_spec(spec, relabelled(network, order))
    assert sorted(worst_case(other, all_channels=True).channel_loads or []) == expected


def test_scaling_bandwidth_scales_throughput() -> None:
    network = network_from_spec("random-regular:20,degree=3,seed=5")
    rng = np.random.default_rng(2)
    widths = [Fraction(int(x), 7) for x in rng.integers(1, 9, network.num_channels)]
    first = replace(network, bandwidth=tuple(widths))
    second = replace(network, bandwidth=tuple(x * Fraction(5, 3) for x in widths))
    a, b = (worst_case(routing_from_spec("minimal", n)) for n in (first, second))
    assert b.throughput == a.throughput * Fraction(5, 3)
    assert a.channel == b.channel
    # The ratio is minimised, not the load maximised: brute force over channels.
    loads = worst_case(routing_from_spec("minimal", replace(network, bandwidth=(Fraction(1),) * len(widths))),
                       all_channels=True, symmetry="none").channel_loads  # fmt: skip
    assert loads is not None
    assert a.throughput == min(w / x for w, x in zip(widths, loads, strict=True) if x)


def test_unequal_bandwidth_stops_symmetry_that_does_not_hold() -> None:
    network = network_from_spec("torus:4x4")
    with pytest.raises(InputError, match="does not respect bandwidth"):
        worst_case(routing_from_spec("dor", replace(network, bandwidth=(Fraction(2), *network.bandwidth[1:]))))
    plain = replace(network, bandwidth=(Fraction(1, 2), *network.bandwidth[1:]), symmetry=None)
    assert worst_case(routing_from_spec("dor", plain)).channel == 0


@settings(max_examples=25)
@given(st.data())
def test_a_mixture_is_never_worse_than_the_mixture_of_the_worst(data: st.DataObject) -> None:
    topology = data.draw(st.sampled_from(["torus:4x3", "mesh:3x3", "torus:5x2"]))
    one, two = (data.draw(st.sampled_from(["dor", "romm", "valiant", "o1turn", "minimal"])) for _ in range(2))
    weight = Fraction(data.draw(st.integers(0, 5)) + 1, 7)
    mixed = worst_case(routed(topology, f"mix:{weight}*{one}+{1 - weight}*{two}")).load
    loads = [worst_case(routed(topology, x)).load for x in (one, two)]
    assert mixed <= weight * loads[0] + (1 - weight) * loads[1]


def test_terminals_on_one_node_share_a_row() -> None:
    """Two hosts on each of three switches in a one-way ring: packets between hosts of a switch stay there."""
    network = Network.of("hosts", 3, [(0, 1), (1, 2), (2, 0)], source=[0, 0, 1, 1, 2, 2], sink=[0, 0, 1, 1, 2, 2])
    routing = routing_from_spec("minimal", network)
    assert worst_case(routing, all_channels=True).channel_loads == by_brute_force(routing) == [Fraction(4)] * 3


def test_sources_apart_from_sinks_and_parallel_channels() -> None:
    channels = [(0, 2), (0, 2), (1, 2), (2, 3), (2, 4), (2, 4)]
    network = Network.of("cross", 5, channels, bandwidth=[Fraction(1)] * 6, source=[0, 1, 0], sink=[3, 4, 4])
    routing = routing_from_spec("minimal", network)
    result = worst_case(routing, all_channels=True)
    assert result.channel_loads == by_brute_force(routing)


# -- other models -----------------------------------------------------------------------------------------------


def linear_program(routing: Routing, c: int, supply: list[Fraction], demand: list[Fraction]) -> float:
    from scipy.optimize import linprog

    network = routing.network
    size = network.num_terminals
    gain = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            if network.source[i] != network.sink[j]:
                pair = routing.pair_loads([routing.row_of[i]], [routing.column_of[j]]).as_dict()
                gain[i, j] = float(pair.get(c, 0))
    rows = np.kron(np.eye(size), np.ones(size))
    columns = np.kron(np.ones(size), np.eye(size))
    limits = [float(x) for x in (*supply, *demand)]
    return -float(linprog(-gain.ravel(), A_ub=np.vstack([rows, columns]), b_ub=limits, method="highs").fun)


@pytest.mark.parametrize(
    ("topology", "routing"),
    [("mesh:3x3", "minimal"), ("kautz:2,3", "minimal"), ("torus:4x2", "romm"), ("ring:5", "valiant"),
     ("random-regular:8,degree=3,seed=1", "minimal:choice=per-hop")],
)  # fmt: skip
def test_unbalanced_throughput_is_the_first_rate_that_saturates(topology: str, routing: str) -> None:
    subject = routed(topology, routing)
    size = subject.network.num_terminals
    for symmetry in ("auto", "none"):
        result = worst_case(subject, model="unbalanced", symmetry=symmetry)
        rate = result.throughput
        ones = [Fraction(1)] * size
        at = [linear_program(subject, c, [rate] * size, ones) for c in range(subject.network.num_channels)]
        assert max(at) == pytest.approx(1, abs=1e-7) if rate < 1 else max(at) <= 1 + 1e-7
        assert rate <= worst_case(subject).throughput
        less = rate * Fraction(999, 1000)  # and a smaller rate saturates nothing
        at = [linear_program(subject, c, [less] * size, ones) for c in range(subject.network.num_channels)]
        assert max(at) < 1 - 1e-6


@pytest.mark.parametrize("symmetry", ["auto", "none"])
def test_unbalanced_throughput_is_where_a_channel_is_first_full_though_never_overloaded(symmetry: str) -> None:
    """On a line, the channel into the last node can be filled by the two nodes behind it at rate 1/2."""
    assert worst_case(routed("mesh:3", "dor"), model="unbalanced", symmetry=symmetry).throughput == Fraction(1, 2)


def test_unbalanced_throughput_stops_at_one() -> None:
    result = worst_case(routed("complete:4,bandwidth=9", "minimal"), model="unbalanced")
    assert result.throughput == 1
    assert result.traffic is None


def test_hose_rates_are_exact_and_agree_with_linear_programs() -> None:
    subject = routed("mesh:3x2", "romm")
    rng = np.random.default_rng(4)
    ingress = [Fraction(int(x), 6) for x in rng.integers(0, 7, 6)]
    egress = [Fraction(int(x), 5) for x in rng.integers(1, 7, 6)]
    result = worst_case(subject, model="hose", rates=(ingress, egress))
    best = max(linear_program(subject, c, ingress, egress) for c in range(subject.network.num_channels))
    assert float(result.load) == pytest.approx(best, abs=1e-9)
    assert result.traffic is not None
    carried = Fraction(0)
    for i, j, x in result.traffic:
        pair = subject.pair_loads([i], [j]).as_dict()
        carried += x * pair.get(result.channel, Fraction(0))
    assert carried == result.load


def test_a_hose_of_ones_is_balanced() -> None:
    subject = routed("torus:4x3", "romm")
    ones = [Fraction(1)] * 12
    assert worst_case(subject, model="hose", rates=(ones, ones)).load == worst_case(subject).load


# -- exactness --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [3, 20, 700])
def test_near_ties_are_decided_exactly_whatever_the_denominators(digits: int) -> None:
    """Two ways around a ring of six with weights a hair from one half: which direction is worse?"""
    from routeproof.core.paths import Paths
    from routeproof.routing.tables.path_tables import TableRouting

    network = network_from_spec("ring:6")
    grid = network.grid
    assert grid is not None
    hair = Fraction(1, 10**digits)
    entries = []
    for i, j in itertools.permutations(range(6), 2):
        for sign, slot, weight in ((1, 0, Fraction(1, 2) + hair), (-1, 1, Fraction(1, 2) - hair)):
            at, channels = i, []
            while at != j:
                channels.append(int(grid.channel_at[at, 0, slot]))
                at = (at + sign) % 6
            entries.append((i, j, weight, channels))
    routing = TableRouting(network, "hair", Paths.of(entries))
    result = worst_case(routing, symmetry="none", all_channels=True)
    assert result.channel_loads == by_brute_force(routing)
    assert result.load == max(result.channel_loads or [])


def test_large_folded_problem_equals_the_plain_one() -> None:
    """Above 512 nodes the focus channel's problem is folded by its stabiliser; the number is the same."""
    for spec in ("dor", "romm", "minimal"):
        subject = routed("torus:24x24", spec)
        plain = worst_case(subject, symmetry="none") if spec == "minimal" else None
        folded = worst_case(subject)
        assert witnessed_on_rows(folded) == folded.load
        if plain is not None:
            assert plain.load == folded.load


def witnessed_on_rows(result: WorstCase) -> Fraction:
    assert result.permutation is not None
    block = result.routing.channel_loads([result.channel])
    image = result.permutation.image
    hit = image[block.row] == block.column
    return Rationals(block.load.num[hit], block.load.den[hit]).total()


def test_the_number_of_workers_changes_nothing() -> None:
    subject = routed("random-regular:96,degree=4,seed=3", "minimal")
    results = [worst_case(subject, workers=n, all_channels=True) for n in (1, 2, 3)]
    assert len({tuple(r.channel_loads or ()) for r in results}) == 1
    assert len({r.channel for r in results}) == 1


# -- bad input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "balancd"}, "did you mean 'balanced'"),
        ({"model": "hose"}, "rates"),
        ({"rates": ([Fraction(1)], [Fraction(1)])}, "hose"),
        ({"model": "hose", "rates": ([Fraction(1)], [Fraction(1)])}, "1 ingress rates for 5"),
        ({"model": "hose", "rates": ([Fraction(-1)] * 5, [Fraction(1)] * 5)}, "negative"),
        ({"symmetry": "some"}, "auto or none"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        worst_case(routed("ring:5", "dor"), **options)  # type: ignore[arg-type]


def test_a_network_without_traffic_has_no_worst_case() -> None:
    lonely = Network.of("lonely", 2, [(0, 1), (1, 0)], source=[0], sink=[0])
    with pytest.raises(InputError, match="no worst case"):
        worst_case(routing_from_spec("minimal", lonely))
