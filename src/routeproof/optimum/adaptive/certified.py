"""From lengths in floats to whole lengths, and what they prove of a demand, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network
from ...demand_sets.demand_set import Demand
from ...kernel.gauges import proved_load
from ...routing.path_sets.path_set import PathSet

_FINE = 1 << 24
_SCALES = 120
_WORK = 4_000_000  # (pair of nodes, scale) that are tried


@dataclass(frozen=True, eq=False)
class HardDemand:
    """One admitted demand, and whole lengths of channels (int64, (C,)) under which no flow of it is below ``load``.

    ``flow``: [source, destination, amount, channels] each, of a demand that is admitted because it is carried so.
    """

    demand: Demand
    length: Int64
    load: Fraction
    flow: Sequence[tuple[int, int, Fraction, list[int]]] = ()


def certified(network: Network, demand: Demand, length: Float64, paths: PathSet | None = None) -> HardDemand:
    """The best whole lengths near these: small numbers, among which exact optima are, and fine ones.

    ``paths``: those that flows may use, where not all are meant.
    """
    top = float(length.max(initial=0.0)) or 1.0
    part = length / top
    least = float(part[part > 1e-6].min(initial=1.0))
    work = network.num_nodes**2 if paths is None else 200 * len(demand) + 1
    count = int(min(_SCALES, max(8, _WORK // work)))
    small = [k / least for k in range(1, 9) if k / least < 1e6]
    best: HardDemand | None = None
    seen: set[bytes] = set()
    for scale in [float(_FINE), *range(1, count + 1), *small]:
        whole = np.rint(part * scale).astype(np.int64)
        key = whole.tobytes()
        if not whole.any() or key in seen:
            continue
        seen.add(key)
        load = proved_load(network, demand, whole, None if paths is None else paths.distance)
        if best is None or load > best.load or (load == best.load and whole.max() < best.length.max()):
            best = HardDemand(demand, whole, load)
    assert best is not None
    return best
