"""The bound of benchmarks/pairs_of_links.py, beside what every pair of links that fails makes of the worst case."""

import sys
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_no_pair_of_links_does_more_harm_than_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    from pairs_of_links import Pairs

    monkeypatch.delitem(sys.modules, "pairs_of_links")
    pairs, met = Pairs(rp.network("random-regular:10,degree=4,seed=2")), 0
    scale = pairs.base.potentials.scale
    for e in range(len(pairs.singles)):
        for f, bound in pairs.bounds(e):
            load = pairs.load(e, f)
            assert load <= Fraction(bound, scale)
            met += bound <= load * scale * Fraction(1001, 1000)
    assert met  # and for some it is the load
