"""Random requests on random multibutterflies with faults, for comparison with slow implementations."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from routeproof.core.multistage.wiring import Wiring
from routeproof.simulate.multistage.survivors import survive
from routeproof.topologies.multistage.banyan import multibutterfly
from routeproof.topologies.multistage.fault_patterns import faults_from_text


@dataclass(frozen=True)
class Case:
    """``image``: by terminal, -1 where nothing is sent; ``wanted``: the same by row; ``dead``: switches that fell."""

    wiring: Wiring
    load: int
    image: Any
    alive: Any
    wanted: dict[int, int]
    dead: set[tuple[int, int]]


def faulty_case(n: int, d: int, seed: int, *, load: int, holes: bool, faults: int) -> Case:
    """2^n inputs; requests from or to a switch that does not survive are left out."""
    wiring = multibutterfly(1 << n, d=d, seed=seed)
    rng = np.random.default_rng(seed)
    image = rng.permutation((1 << n) // load)
    if holes:
        image[rng.random(len(image)) < 0.4] = -1
    faulty = faults_from_text(f"random:count={min(faults, n << n)},seed={seed}", wiring)
    alive = survive(wiring, faulty, epsilon=Fraction(1, 4), threshold=d).alive
    image = np.where((image >= 0) & alive[0, ::load] & alive[-1, image * load], image, -1)
    wanted = {t * load: int(image[t]) * load for t in range(len(image)) if image[t] >= 0}
    return Case(wiring, load, image, alive, wanted, {(level, row) for level, row in np.argwhere(~alive).tolist()})
