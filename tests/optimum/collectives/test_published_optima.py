"""Rates of all-gathers that others print, as fractions; units are GB/s."""

from __future__ import annotations

from fractions import Fraction

import pytest

from collective_by_cuts import carried
from gpu_boxes import a100, dgx1, dgx2_pair, mi250
from routeproof.core.collective import broadcasts_of
from routeproof.core.network import Network
from routeproof.optimum.collectives.result import best_broadcasts

F = Fraction
PUBLISHED = {
    "one box of A100": (a100(1), F(2400, 7), "342.86"),
    "two boxes of A100": (a100(2), F(1040, 3), "346.67"),
    "four boxes of A100": (a100(4), F(800, 3), "266.67"),
    "one box of MI250": (mi250(1), F(2400, 7), "342.86"),
    "two boxes of MI250": (mi250(2), F(5312, 15), "354.13"),
    "two DGX-2": (dgx2_pair(), F(4000, 31), "129.03"),  # TE-CCL prints 129.032 and does not know that it is the best
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_all_gathers(name: str) -> None:
    """ForestColl's table (Zhao et al. 2024) and TE-CCL's results: the algorithm bandwidth, N times the rate."""
    network, bandwidth, printed = PUBLISHED[name]
    best = best_broadcasts(broadcasts_of(network, "all-gather"))
    assert best.rate == best.cut.rate == bandwidth / network.num_terminals
    assert f"{float(bandwidth):.2f}" == printed
    if best.symmetry is None:
        assert carried(best.task, best.trees) == best.rate


def test_dgx1() -> None:
    """SCCL's best schedule for an all-gather on a DGX-1, (C, S, R) = (6, 3, 7), sends 6 chunks in 7 rounds: optimal."""
    assert rate(dgx1()) == F(25 * 6, 7)


def rate(network: Network) -> Fraction:
    return best_broadcasts(broadcasts_of(network, "all-gather")).rate
