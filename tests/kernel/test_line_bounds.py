"""Lines that bound a channel for every number of packets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from routeproof.core.loads import LoadBlock
from routeproof.core.rational import Rationals
from routeproof.kernel.line_bounds import line_constant


def test_nothing_is_rounded_where_bandwidth_and_load_share_a_factor() -> None:
    load = Rationals(np.array([3]), np.array([4]))
    zero, one = np.array([0], dtype=np.int32), np.ones(1, dtype=np.int64)
    block = LoadBlock(zero, np.array([0, 1], dtype=np.int64), zero, zero, load)
    none = np.zeros(0, dtype=np.int64)
    found = line_constant(block, Fraction(2, 3), one, one, scale=1, slope=0, column=none, v=none)
    assert found == Fraction(9, 8)
