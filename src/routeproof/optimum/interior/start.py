"""Where the interior-point method starts: inside, both sides feasible (nearly), all products of about one size.

Flows: the electrical current of every pair, and a little both ways on every channel.  Potentials: half the largest flow
that each must exceed (where two stand above a flow), raised until all channels have the same load.  Multipliers: the
same traffic for all pairs on every channel, a little less than is admissible.  A constant start instead took some ten
rounds to become feasible.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64
from .blocks import Blocks
from .system import PotentialSystem

_ROOM = 0.05  # how much of load and of traffic is left free


@dataclass(frozen=True, eq=False)
class Start:
    """All unknowns of ``interior``, positive but for ``node``."""

    x: Float64
    s: Float64
    p: Float64
    t: Float64
    y: Float64
    z: Float64
    v: Float64
    u: Float64
    node: Float64

    def dearer(self, price: float, cost: Float64) -> Start:
        """The same point when the load costs ``price`` instead of 1, and flows ``cost`` instead of nothing."""
        return replace(
            self, y=price * self.y, z=price * self.z + cost, v=price * self.v, u=price * self.u, node=price * self.node
        )


def start_point(blocks: Blocks, system: PotentialSystem, loads: Any, cost: Float64, price: Float64) -> Start:
    """``loads``: A, scaled; ``price``: of every potential (only the last one, w, has one)."""
    x, little = _flows(blocks, system)
    top = np.zeros(len(price))
    for at in blocks.cover.T:
        np.maximum.at(top, at, blocks.up(x))
    p = (top + little) / blocks.cover.shape[1]
    p[-1] = 0.0
    used = -(loads @ p)
    entry = loads.tocoo()
    more = np.full(len(p), np.inf)
    np.minimum.at(more, entry.col, (float(used.max()) / used)[entry.row])
    p *= np.where(np.isfinite(more), more, 1.0)
    p[-1] = float(used.max()) * (1 + _ROOM)
    members = blocks.up(blocks.members.astype(np.float64))
    size = np.bincount(np.searchsorted(blocks.focus, blocks.reduction.focus), minlength=len(blocks.focus))
    u = (1 - _ROOM) * price[-1] * size / size.sum()
    most = np.maximum(-(loads.T @ u), 0.0)
    share = most / np.maximum(blocks.under(members), 1.0)
    y = members * (1 - 2 * _ROOM) * share[blocks.cover].min(axis=1)
    y = np.maximum(y, 1e-3 * float(y.mean()))
    v = price - blocks.under(y) - loads.T @ u
    v = np.maximum(v, 1e-3 * float(np.abs(v).mean()))
    return Start(
        x, blocks.over(p) - blocks.up(x), p, loads @ p, y, cost + blocks.down(y), v, u, np.zeros(len(blocks.right))
    )


def _flows(blocks: Blocks, system: PotentialSystem) -> tuple[Float64, float]:
    """Positive flows, nearly conserved, and about how large one is."""
    members = blocks.members.astype(np.float64)
    system.factor_flows(1.0 / members)
    current = blocks.rise(system.laplace(blocks.right)) / members
    against = _opposites(blocks)
    both = against >= 0
    x = np.maximum(np.where(both, current - current[against], current), 0.0)
    little = float(x @ members) / float(members.sum())
    return np.where(both, x + little, np.maximum(x, 0.1 * little)), little


def _opposites(blocks: Blocks) -> npt.NDArray[np.int64]:
    """For every variable that of the opposite channel, for the same pair; -1 where there is none."""
    found = np.full(blocks.num_variables, -1, dtype=np.int64)
    opposite = blocks.reduction.network.reverse
    if opposite is None:
        return found
    for k in range(len(blocks.first) - 1):
        variable = blocks.variable[k].astype(np.int64)
        here = np.nonzero(variable >= 0)[0]
        back = variable[opposite[here]]
        found[blocks.first[k] + variable[here]] = np.where(back >= 0, back + blocks.first[k], -1)
    return found
