"""The heaviest assignment of small whole weights, by the kernels, against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from routeproof.graphs.transport import heaviest_assignment


@pytest.mark.parametrize("seed", range(30))
def test_it_is_as_heavy_as_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 15))
    weight = rng.integers(0, 6, size=(rows, rows + int(rng.integers(0, 4)))) * (rng.random() < 0.9)
    column = heaviest_assignment(weight)
    assert len(set(column.tolist())) == rows
    assert weight[np.arange(rows), column].sum() == weight[linear_sum_assignment(weight, maximize=True)].sum()
