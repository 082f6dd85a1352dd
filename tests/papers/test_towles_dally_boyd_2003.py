"""Towles, Dally & Boyd, Throughput-Centric Routing Algorithm Design (SPAA '03): the existing algorithms and IVAL.

Tolerance: half a unit of the last printed digit, except where a test says otherwise.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from routeproof.routing.named.spec import routing_from_spec
from routeproof.studies.registry import run_study
from routeproof.studies.towles_dally_boyd_2003.figure_4 import ival_length
from routeproof.studies.towles_dally_boyd_2003.table_1 import judge, mixed_length
from routeproof.topologies.grid.lattice import torus
from routeproof.worst.deadlock.channels import deadlock
from routeproof.worst.scan.exact import worst_case


@pytest.fixture(scope="module")
def table():
    return run_study("towles-dally-boyd-2003-table-1")


def test_table_1_points_of_figure_1(table):
    expected = {
        "DOR": (Fraction(2, 7), 1),
        "VAL": (Fraction(1, 2), Fraction(63, 32)),
        "ROMM, random orders": (Fraction(5, 24), 1),
        "RLB, both phases xy": (Fraction(8960, 28821), Fraction(21, 16)),
        "RLB, random orders": (Fraction(17920, 57297), Fraction(21, 16)),
        "RLBth, random orders": (Fraction(4480, 15013), Fraction(39, 32)),
        "IVAL": (Fraction(1, 2), Fraction(413, 256)),
    }
    for title, (worst, length) in expected.items():
        assert table.row(f"{title}: worst case").computed == worst
        assert table.row(f"{title}: path length").computed == length
    assert table.row("IVAL's path length below VAL's 2").agrees


def test_sec_5_2_virtual_channels(table):
    for title, count in (("DOR", 2), ("VAL", 4), ("IVAL", 4), ("2TURN", 4)):
        assert table.row(f"{title}: virtual channels that suffice").computed == count
    for name in ("dor", "valiant", "ival"):
        assert not deadlock(routing_from_spec(name, torus(4, 4))).free  # without them


def test_sec_5_3_interpolation(table):
    """DOR and IVAL share a worst-case permutation: the worst load of a mixture is the mean (footnote 5)."""
    assert table.row("half DOR, half IVAL: worst load").computed == Fraction(11, 4)
    shorter = table.row("DOR with IVAL at the worst case of RLB, random orders: shorter by")
    assert shorter.agrees
    # Roughly 12 % against RLBth is 12.95 or 13.7 % by our exact points.
    assert table.row("DOR with IVAL at the worst case of RLBth, random orders: shorter by").agrees is False


def test_interpolated_lengths_are_those_of_the_mixture():
    net = torus(5, 5)
    dor, ival, half = (judge(net, name) for name in ("dor", "ival", "mix:1/2*dor+1/2*ival"))
    assert mixed_length(dor, ival, half.load) == half.length


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7, 8])
def test_figure_4_lengths_of_ival(k):
    assert judge(torus(k, k), "ival").length == ival_length(k)


def test_figure_4_has_no_limit_at_1_64():
    assert ival_length(13) == Fraction(64, 39)
    assert ival_length(10**6 + 1) > Fraction(1666, 1000)


def test_figure_4_2turn_and_the_optimum():
    result = run_study("towles-dally-boyd-2003-figure-4", ks=(3, 4, 5, 6, 8), solved=(3, 4, 5, 6, 8))
    expected = {
        3: ("14/9", "14/9"),
        4: ("27/20", "27/20"),
        5: ("39/25", "592/375"),
        6: ("545/378", "545/378"),
        8: ("11359/7680", "95/64"),
    }
    for k, (optimum, turns) in expected.items():
        assert result.row(f"optimum, k = {k}: path length").computed == Fraction(optimum)
        assert result.row(f"2TURN, k = {k}: path length").computed == Fraction(turns)
    for k in (4, 6, 8):
        assert result.row(f"2TURN, k = {k}: above the optimum by").agrees


def test_figure_1_and_figure_5_on_the_4_ary_2_cube():
    one = run_study("towles-dally-boyd-2003-figure-1", k=4)
    assert one.row("corners of the curve").computed == 6
    assert one.row("IVAL: path length above the curve").computed == Fraction(49, 32) / Fraction(27, 20) - 1
    assert one.row("2TURN: path length above the curve").computed == 0
    assert one.row("DOR has the best worst case of any minimal routing").agrees
    five = run_study("towles-dally-boyd-2003-figure-5", k=4)
    for name in ("IVAL", "2TURN"):
        assert five.row(f"half DOR, half {name}: worst load").agrees
    assert five.row("DOR with 2TURN: at most above the optimal length").computed >= 0


def test_figure_6_in_small():
    six = run_study("towles-dally-boyd-2003-figure-6", k=4, samples=20, points=2)
    low, high = six.row("VAL: fresh sample").computed
    assert low <= Fraction(1, 2) <= high
    best = six.row("optimum 1 of 2: own sample").computed
    assert all(row.computed[1] <= best[1] for row in six.rows if row.label.endswith("own sample"))


def test_loop_removal_does_no_harm():
    """Sec. 5.2: removing loops only reduces channel loads."""
    for k in (4, 5):
        net = torus(k, k)
        half = worst_case(routing_from_spec("valiant", net)).load
        for name in ("ival", "ival:phases=same"):
            assert worst_case(routing_from_spec(name, net)).load <= half
