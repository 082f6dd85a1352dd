"""The worst shift: compared with all shifts one by one, and refused where it is another one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from routeproof.claims.collectives.shifts import check_worst_shift
from routeproof.claims.context import Context
from routeproof.core.errors import VerificationError
from routeproof.core.traffic import Permutation, Traffic
from routeproof.worst.loads import channel_loads_under
from routeproof.worst.phase_loads import worst_shift_claim


def _routing(topology: str, name: str) -> Any:
    network = rp.network(topology)
    return rp.named_routing(name, network)


@pytest.mark.parametrize(
    ("topology", "name"),
    [("torus:3x4", "dor"), ("fat-tree:4", "sssp"), ("leaf-spine:3,3,2,oversubscription=2", "ecmp")],
)
def test_it_is_the_worst_of_all_shifts(topology: str, name: str) -> None:
    routing = _routing(topology, name)
    network = routing.network
    size = network.num_terminals
    worst = 0
    for by in range(1, size):
        shift = Traffic.of_permutation(Permutation((np.arange(size) + by) % size), name="a shift")
        loads = channel_loads_under(routing, shift).exact(range(network.num_channels))
        worst = max(worst, *(loads.fraction(c) / network.bandwidth[c] for c in range(network.num_channels)))
    claim = worst_shift_claim(routing)
    assert claim is not None
    assert claim.value == 1 / worst
    check_worst_shift(Context(routing, [claim]), claim, claim.value, claim.evidence.data)


def test_another_shift_and_another_number_are_refused() -> None:
    routing = _routing("torus:3x4", "dor")
    claim = worst_shift_claim(routing)
    assert claim is not None
    data = dict(claim.evidence.data)
    for wrong in ({**data, "by": int(data["by"]) % 11 + 1}, {**data, "channel": int(data["channel"]) + 1}):
        with pytest.raises(VerificationError, match="the first of the worst shifts is"):
            check_worst_shift(Context(routing, [claim]), claim, claim.value, wrong)
    better = replace(claim, value=claim.value * 2)
    with pytest.raises(VerificationError):
        check_worst_shift(Context(routing, [better]), better, better.value, data)
