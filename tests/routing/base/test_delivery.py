"""Loads off the way are found however many pairs are looked at together."""

from __future__ import annotations

import numpy as np
import pytest

from routeproof import mesh
from routeproof.core.errors import InputError
from routeproof.core.loads import PairBlock
from routeproof.core.rational import Rationals
from routeproof.routing.base import delivery


@pytest.mark.parametrize("cells", [1, 9, 1 << 24])
def test_a_cycle_apart_is_named(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "_CELLS", cells)
    network = mesh(4)
    channel = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(network.tail, network.head, strict=True))}
    good = [channel[0, 1]]
    bad = sorted([channel[0, 1], channel[2, 3], channel[3, 2]])
    block = PairBlock(np.array([0, 1, 2, 5]), np.array([*good, *good, *bad], dtype=np.int32), Rationals.ones(5))
    start, end = np.array([0, 0, 0], dtype=np.int32), np.array([1, 1, 1], dtype=np.int32)
    with pytest.raises(InputError, match=r"routing r loads (2 -> 3|3 -> 2) from 0 to 1, but no packet"):
        delivery.check_delivery(network, "r", start, end, block)
    fine = PairBlock(np.array([0, 1, 2]), np.array([*good, *good], dtype=np.int32), Rationals.ones(2))
    delivery.check_delivery(network, "r", start[:2], end[:2], fine)
