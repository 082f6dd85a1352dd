"""Traces of high powers, against exact integers."""

from __future__ import annotations

import numpy as np
import pytest

from routeproof.kernel.power_trace import power_trace


@pytest.mark.parametrize("power", [1, 2, 4, 64, 256])
@pytest.mark.parametrize("size", [1, 2, 7, 33])
def test_traces_are_those_of_exact_integers(size: int, power: int) -> None:
    matrix = np.random.default_rng(size * power).integers(0, 40, size=(size, size))
    exact = matrix.astype(object)
    product = exact
    for _ in range(power.bit_length() - 1):
        product = product @ product
    assert power_trace(matrix, power) == int(np.trace(product))


def test_large_entries_and_nothing_at_all() -> None:
    assert power_trace(np.array([[2**31 - 1]]), 128) == (2**31 - 1) ** 128
    assert power_trace(np.zeros((0, 0), dtype=np.int64), 2) == 0
    assert power_trace(np.zeros((3, 3), dtype=np.int64), 8) == 0


@pytest.mark.parametrize(
    ("matrix", "power"),
    [(np.eye(2, dtype=np.int64), 3), (np.ones((2, 3), dtype=np.int64), 2), (-np.eye(2, dtype=np.int64), 2)],
)
def test_what_is_no_power_or_no_matrix_is_refused(matrix: np.ndarray, power: int) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=r"expected|outside"):
        power_trace(matrix, power)
