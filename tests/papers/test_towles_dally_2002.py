"""Towles & Dally, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), and Stanford memo 121, checked.

Pages are those of the eight-page SPAA paper.  The tolerance is half a unit of the last printed digit unless a test says
otherwise; where we disagree the test states our exact value and the disagreement itself.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from routeproof.core.traffic import Permutation, Traffic
from routeproof.routing.named.spec import routing_from_spec
from routeproof.studies.registry import run_study
from routeproof.studies.towles_dally_2002.five_turns import transition_graph, vertex_probabilities
from routeproof.studies.towles_dally_2002.table_1 import dense_loads, loads_to_add, worst_of_random_permutations
from routeproof.studies.towles_dally_2002.worst_cases import dor_formula, image
from routeproof.symmetry.channel_classes import channel_classes
from routeproof.topologies.family import network_from_spec
from routeproof.worst.capacity import capacity, known_capacity
from routeproof.worst.loads import channel_loads_under, throughput
from routeproof.worst.scan.exact import worst_case


def on(topology, routing):
    return routing_from_spec(routing, network_from_spec(topology))


# -- Sections 2 and 3: throughput, linearity, permutations ------------------------------------------------------


def random_doubly_stochastic(size, rng):
    """A mixture of permutations with random weights that sum to 1."""
    weights = [Fraction(int(x), 100) for x in np.diff([0, *sorted(rng.integers(0, 101, 4)), 100])]
    rows = [[Fraction(0)] * size for _ in range(size)]
    for weight in weights:
        for i, j in enumerate(rng.permutation(size).tolist()):
            rows[i][j] += weight
    return Traffic.of_matrix(rows)


@pytest.mark.parametrize("routing", ["dor", "romm", "valiant"])
def test_theorems_1_and_2_p_3(routing):
    """No doubly-stochastic traffic loads a channel more than its worst permutation; that one, scaled back by
    b / gamma, fills its channel exactly."""
    chosen = on("torus:4x3", routing)
    network = chosen.network
    worst = worst_case(chosen, all_channels=True)
    rng = np.random.default_rng(1)
    for _ in range(20):
        loads = channel_loads_under(chosen, random_doubly_stochastic(12, rng)).load.fractions()
        assert all(x <= y for x, y in zip(loads, worst.channel_loads, strict=True))
    loads = channel_loads_under(chosen, Traffic.of_permutation(worst.permutation))
    assert loads.load.fraction(worst.channel) * worst.throughput == network.bandwidth[worst.channel]
    assert throughput(loads, network) == worst.throughput


# -- Section 4.1, Theorem 3, Figure 4, p. 5 (exact) -------------------------------------------------------------


def test_theorem_3_and_figure_4_p_5():
    """Two focus channels, (0,0) -> (1,0) and (0,0) -> (0,1), give DOR's worst case on the 4,3-ary 2-cube."""
    result = run_study("towles-dally-2002-figure-4")
    assert result.disagreements == ()
    assert result.row("dor on torus:4x3: focus channels").computed == "(0,0) -> (1,0), (0,0) -> (0,1)"
    assert result.row("dor on torus:4x3: number of focus channels").computed == 2
    assert all(row.data.get("equal to all channels", True) for row in result.rows)


def test_ties_towards_plus_break_the_reflection():
    """With ties at k/2 towards +, both directions of an even dimension are focus channels: 1/2, not 2/3, at k = 4."""
    result = run_study("towles-dally-2002-figure-4")
    assert result.row("dor:tie=plus on torus:4x3: number of focus channels").computed == 3
    best = known_capacity(network_from_spec("torus:4x4"))
    assert result.row("dor on torus:4x4: worst case, of capacity").computed * best == Fraction(2, 3)
    assert result.row("dor:tie=plus on torus:4x4: worst case, of capacity").computed * best == Fraction(1, 2)


def test_two_focus_channels_for_dor_on_any_square_torus_p_5():
    for k in (3, 4, 5, 8):
        assert len(channel_classes(on(f"torus:{k}x{k}", "dor"), reversal=False).focus) == 2


def test_in_three_dimensions_the_middle_one_is_worst():
    """Not in the paper, and why x and the last dimension would be too few focus channels for DOR."""
    chosen = on("torus:5x5x5", "dor")
    worst = worst_case(chosen, all_channels=True)
    grid = chosen.network.grid
    by_dimension = [worst.channel_loads[int(grid.channel_at[0, m, 0])] for m in range(3)]
    assert by_dimension[1] == max(by_dimension) > by_dimension[0] == by_dimension[2]


# -- Section 4.2, Figure 5, p. 5-6 (exact) ----------------------------------------------------------------------


@pytest.mark.parametrize("routing", ["dor", "romm", "valiant"])
def test_relative_routing_p_5(routing):
    """gamma of (u+k, v+k) from i+k to j+k is gamma of (u, v) from i to j; (0,0) -> (1,1) runs as (1,2) -> (2,0)."""
    chosen = on("torus:3x3", routing)
    grid = chosen.network.grid
    load, _ = dense_loads(chosen)
    shift = [grid.node((grid.coordinates[v] + (1, 2)) % 3) for v in range(9)]
    moved = np.empty(chosen.network.num_channels, dtype=int)
    for v in range(9):
        moved[grid.channel_at[v].ravel()] = grid.channel_at[shift[v]].ravel()
    for i in range(9):
        for j in range(9):
            assert np.array_equal(load[9 * i + j], load[9 * shift[i] + shift[j]][moved])


# -- Section 5, Table 1, p. 6 (half a unit of the third decimal) ------------------------------------------------

EXACT = {
    "Uniform": (Fraction(1), Fraction(1)),
    "Bit-complement": (Fraction(5, 9), Fraction(25, 69)),
    "Transpose": (Fraction(5, 18), Fraction(5, 9)),
    "Tornado": (Fraction(5, 18), Fraction(5, 18)),
    "Worst-case": (Fraction(5, 18), Fraction(25, 144)),
}


@pytest.fixture(scope="module")
def table_1():
    return run_study("towles-dally-2002-table-1", trials=1000, seeds=(0, 1))


@pytest.mark.parametrize("pattern", EXACT)
def test_table_1_p_6(table_1, pattern):
    dor, romm = table_1.row(f"{pattern}, DOR"), table_1.row(f"{pattern}, ROMM")
    assert (dor.computed, romm.computed) == EXACT[pattern]
    assert dor.agrees is True
    assert romm.agrees is (pattern != "Worst-case")


def test_table_1_worst_case_of_romm_is_truncated_not_rounded(table_1):
    """Printed 0.173; 25/144 = 0.17361... rounds to 0.174.  The printed 62.3 % of DOR's is 5/8 likewise."""
    row = table_1.row("Worst-case, ROMM")
    assert row.published == "0.173"
    assert "truncated" in row.note
    assert table_1.row("Worst-case, ROMM over DOR").computed == Fraction(5, 8)


def test_table_1_worst_case_by_another_solver():
    """The matching of one focus channel by scipy, on loads in integers over one scale (2^53 is far away)."""
    chosen = on("torus:9x9", "romm")
    load, scale = dense_loads(chosen)
    weight = load[:, chosen.network.grid.channel_at[0, 0, 0]].reshape(81, 81)
    row, column = linear_sum_assignment(weight, maximize=True)
    assert Fraction(int(weight[row, column].sum()), scale) == Fraction(32, 5) == worst_case(chosen).load


def test_table_1_random_permutations_are_a_lottery(table_1):
    """Printed 0.255 for ROMM.  Seeds differ, and nothing random comes near the exact worst case."""
    row = table_1.row("Worst of 10^4 permutations, ROMM")
    low, high = row.computed
    assert Fraction(25, 144) < low < high
    assert row.agrees is None
    assert any(x.startswith("Worst of 10^4 permutations, ROMM") for x in table_1.disagreements)


def test_random_permutations_are_what_they_say():
    """The dense sums equal the channel loads of the permutations, one by one."""
    chosen = on("torus:4x3", "romm")
    rng = np.random.default_rng(5)
    drawn = [Traffic.of_permutation(Permutation(rng.permutation(12))) for _ in range(7)]
    lowest = min(throughput(channel_loads_under(chosen, t), chosen.network) for t in drawn)
    assert worst_of_random_permutations(*loads_to_add(chosen), 7, seed=5) == lowest


def test_capacity_of_the_9_ary_2_cube():
    """8k/(k^2-1) = 9/10 with uniform traffic that includes the source; without it 5/18 would read 9/32."""
    network = network_from_spec("torus:9x9")
    assert capacity(network).value == Fraction(9, 10)
    without = Fraction(9, 10) * Fraction(80, 81)
    assert worst_case(on("torus:9x9", "dor")).throughput / without == Fraction(9, 32)


# -- Section 5, trend in k, p. 6 (exact formulas; two printed digits) -------------------------------------------


def test_trend_p_6():
    """Printed: DOR approaches approximately 0.26, ROMM 0.14.  Those are k = 17; DOR tends to 1/4, ROMM falls on."""
    result = run_study("towles-dally-2002-trend")
    for k in range(3, 18):
        assert result.row(f"DOR, k = {k}").computed == dor_formula(k)
    romm = {k: result.row(f"ROMM, k = {k}").computed for k in range(3, 18)}
    assert romm[9] == Fraction(25, 144)
    assert romm[17] == Fraction(81, 578)
    for parity in (range(5, 18, 2), range(6, 18, 2)):
        assert all(romm[a] > romm[b] for a, b in pairwise(parity))
    assert result.row("ROMM, value at k = 17").agrees is True
    assert result.row("DOR, limit").agrees is False
    assert result.row("ROMM, k = 17").data["of DOR"] == str(Fraction(81, 578) / Fraction(9, 34))


def test_romm_falls_below_the_published_limit():
    network = network_from_spec("torus:21x21")
    value = worst_case(routing_from_spec("romm", network)).throughput / known_capacity(network)
    assert value < Fraction(135, 1000)


# -- Figure 8, p. 7 (exact) -------------------------------------------------------------------------------------


def test_figure_8_p_7_nodes_outside_the_row_load_it_under_romm_only():
    """Tornado in the row loads the channel like DOR's worst case; under ROMM pairs outside of the row add to it."""
    network = network_from_spec("torus:9x9")
    row = [network_node for network_node in range(81) if network_node % 9 == 0]
    for name, outside in (("dor", False), ("romm", True)):
        block = routing_from_spec(name, network).channel_loads([0])
        loads = dict(
            zip(zip(block.row.tolist(), block.column.tolist(), strict=True), block.load.fractions(), strict=True)
        )
        tornado = [(node, (node + 4 * 9) % 81) for node in row]
        assert sum(loads.get(pair, Fraction(0)) for pair in tornado) == 4
        assert any(i not in row and j not in row for i, j in loads) is outside
    assert worst_case(routing_from_spec("dor", network)).load == 4


# -- Figure 9, p. 7 (exact) -------------------------------------------------------------------------------------


def test_figure_9_p_7_is_an_exact_worst_case():
    """Read by row and column, as the caption says, the printed permutation reaches 25/144 on one channel."""
    result = run_study("towles-dally-2002-figure-9")
    row = result.row("entry (a, b) is row a, column b: throughput, of capacity")
    assert row.computed == Fraction(25, 144)
    assert row.agrees is True
    assert row.data["busiest channels"] == ["(0,0) -> (1,0)"]


def test_figure_9_read_the_other_way_is_harmless():
    result = run_study("towles-dally-2002-figure-9")
    assert result.row("entry (a, b) is column a, row b: throughput, of capacity").computed == Fraction(200, 573)
    assert sorted(image()) == sorted(image(crossed=True)) == list(range(81))


# -- Section 3.5, 5TURNS, Figure 3, pp. 4-5 (exact) -------------------------------------------------------------


@pytest.mark.parametrize("start", ["virtual", "strict"])
def test_5turns_p_5(start):
    result = run_study("towles-dally-2002-5turns")
    assert result.row(f"{start}: probability of arrival at (3,2)").computed == 1
    assert result.row(f"{start}: a vertex where paths combine, at a node that is also passed in another state").agrees
    assert result.row(f"{start}: loads of turns:limit=4,start={start} equal the formula for gamma").computed == "yes"


def test_5turns_first_hop_p_4():
    """As printed, R(0, 0, 0) holds (0, 1, 0) and (1, 0, 1); as worded, packets always start in x."""
    printed = vertex_probabilities(transition_graph((3, 2), start="virtual"))
    worded = vertex_probabilities(transition_graph((3, 2), start="strict"))
    assert (printed[0, 1, 0], printed[1, 0, 1]) == (Fraction(1, 2), Fraction(1, 2))
    assert worded[0, 1, 0] == 1
    assert (1, 0, 1) not in worded


@pytest.mark.parametrize("start", ["virtual", "strict"])
@pytest.mark.parametrize("goal", [(3, 2), (4, 4), (0, 3), (5, 0), (1, 6)])
def test_5turns_always_arrives_with_less_than_five_turns(start, goal):
    visits = vertex_probabilities(transition_graph(goal, start=start))
    assert sum(p for v, p in visits.items() if v[1:] == goal) == 1
    assert all(0 <= t <= 4 for t, _, _ in visits)
