"""The vertex of a packing in fractions: against lengths that are rounded, where these are long."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof import Network, complete, mesh, ring
from routeproof.core.rational import Rationals
from routeproof.worst.routable.loads import PairLoads
from routeproof.worst.routable.packing import Packing, certified_flow


def odd_loads(network: Network, seed: int) -> PairLoads:
    rng = np.random.default_rng(seed)
    size = network.num_nodes
    source, destination = np.nonzero(~np.eye(size, dtype=bool))
    num, den = rng.integers(1, 10**8, len(source)), rng.integers(10**8, 10**9, len(source))
    return PairLoads(network, source, destination, Rationals(num, den), num / den, source, destination)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("network", [ring(4), complete(4), mesh(3, 2)], ids=lambda x: x.name)
def test_the_vertex_is_exact(network: Network, seed: int) -> None:
    loads, packing = odd_loads(network, seed), Packing(network)
    packed = packing.maximise(loads, enough=0.0, vertex=True)
    _, amounts = packing.vertex(loads)
    value, flow = certified_flow(network, amounts, loads)
    assert all(isinstance(x.amount, Fraction) for x in flow)
    assert float(value) == pytest.approx(packed.value, rel=1e-8)
    assert float(value) == pytest.approx(packed.bound, rel=1e-8)


def test_lengths_of_the_vertex_prove_what_its_flow_makes() -> None:
    network = mesh(3, 2)
    source, destination = np.nonzero(~np.eye(6, dtype=bool))
    num, den = np.random.default_rng(7).integers(1, 60, (2, len(source)))
    loads = PairLoads(network, source, destination, Rationals(num, den), num / den, source, destination)
    packing = Packing(network)
    packing.maximise(loads, enough=0.0, vertex=True)
    length, amounts = packing.vertex(loads)
    assert length is not None
    assert loads.bound(length) == certified_flow(network, amounts, loads)[0]
