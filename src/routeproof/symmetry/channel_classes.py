"""Focus channels: one channel of each class of channels equivalent under symmetry, and the transportation problem of
one of a large network, folded by the channel's stabiliser.

A symmetry that leaves the channel where it is and that the routing respects permutes sources and destinations without
changing loads.  An optimal dual is then constant on orbits, so sources and destinations collapse to orbits, with the
largest load between two orbits as weight.  A 16 x 16 x 16 torus has 4,096 nodes but 360 orbits of sources that matter.

Source: Towles & Dally 2002 (SPAA), sec. 4.1, Theorem 3, with reversal of paths as a further symmetry: where
load(c; i, j) = load(reverse(c); j, i), a channel and its opposite have the same worst case.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import InputError
from ..core.loads import LoadBlock
from ..core.rational import Rationals
from ..core.symmetry import Automorphism, from_node_image, orbit_labels
from ..graphs.exact_transport import ExactSolution
from ..graphs.transport import solve_block, solve_exactly
from ..graphs.transport_arrays import Channels, Rates
from .automorphisms import generators_of

_FIND_UP_TO_NODES = 20_000


@dataclass(frozen=True, eq=False)
class ChannelClasses:
    """``label``: int32 (C,), the focus channel of every channel; the generators that made it; ``found`` says that
    they were searched for rather than declared with the topology; ``reversal``: opposites are alike too."""

    label: npt.NDArray[np.int32]
    generators: tuple[Automorphism, ...]
    reversal: bool
    found: bool

    @cached_property
    def focus(self) -> npt.NDArray[np.int32]:
        return np.unique(self.label)

    @property
    def names(self) -> tuple[str, ...]:
        own = tuple(g.name for g in self.generators)
        if self.found and own:
            own = (f"{len(own)} {'automorphism' if len(own) == 1 else 'automorphisms'} found",)
        return own + (("reversal of paths",) if self.reversal else ())

    def stabiliser(self, channel: int) -> list[Automorphism]:
        """Those generators that leave ``channel`` where it is."""
        return [g for g in self.generators if int(g.channel[channel]) == channel]


def channel_classes(
    routing: Any, *, mode: str = "auto", rates_uniform: bool = True, reversal: bool = True
) -> ChannelClasses:
    """Classes of channels under every declared symmetry that the ``routing`` (a ``Routing``) is checked to respect.

    Where none is declared, the network's automorphisms are found; those declared by a network that a report cannot name
    are written in full, like found ones.  A declared symmetry that the *network* does not have is an error; one that
    the routing does not respect is left out.  ``mode``: "auto" or "none".
    """
    if mode not in ("auto", "none"):
        raise InputError(f"symmetry is '{mode}'; auto or none was expected")
    network = routing.network
    label = np.arange(network.num_channels, dtype=np.int32)
    if mode == "none" or not rates_uniform:
        return ChannelClasses(label, (), False, False)
    candidates: list[Automorphism] = []
    declared = network.symmetry is not None
    if routing.by_node and (declared or network.num_nodes <= _FIND_UP_TO_NODES):
        candidates, _ = generators_of(network, kind=routing.channel_kind, blocks=routing.node_blocks)
    found = routing.by_node and (network.spec is None if declared else bool(candidates))
    if declared and found:  # a report holds the network in full, which says nothing of its symmetry
        candidates = [from_node_image(network, g.node, name=g.name) for g in candidates]
    kept = tuple(g for g in candidates if routing.respects(g))
    images = [g.channel for g in kept]
    opposite = network.reverse if reversal and np.array_equal(network.supply, network.demand) else None
    both_ways = opposite is not None and routing.respects_reversal()
    if opposite is not None and both_ways:
        images.append(opposite)
    return ChannelClasses(orbit_labels(len(label), images) if images else label, kept, both_ways, found)


def solve_folded(routing: Any, channel: int, classes: ChannelClasses, rates: Rates) -> ExactSolution | None:
    """The exact optimum of ``channel`` on all rows and columns (supply and demand constant on orbits); None where no
    symmetry leaves the channel where it is, rows are not the nodes, or there are base loads.

    The flow of the answer refers to the entries of ``routing.channel_loads([channel])``; it is found on those that are
    tight.
    """
    stabiliser = classes.stabiliser(channel)
    if not stabiliser or len(routing.row_node) != routing.network.num_nodes or routing.has_base:
        return None
    orbit = orbit_labels(routing.network.num_nodes, [g.node for g in stabiliser])
    names, class_of = np.unique(orbit, return_inverse=True)
    block = routing.channel_loads([channel], rows=orbit == np.arange(len(orbit)))
    class_supply, class_demand = (
        np.bincount(class_of, weights=x, minlength=len(names)).astype(np.int64) for x in (rates.supply, rates.demand)
    )
    row, column, load = _largest(class_of[block.row], class_of[block.column], block.load, len(names))
    small = solve_exactly(row, column, load, class_supply, class_demand)
    u_of = dict.fromkeys(range(len(names)), Fraction(0)) | dict(zip(small.row.tolist(), small.u, strict=True))
    v_of = dict.fromkeys(range(len(names)), Fraction(0)) | dict(zip(small.column.tolist(), small.v, strict=True))
    whole = routing.channel_loads([channel])
    flow = _unfold(whole, class_of, list(u_of.values()), list(v_of.values()), rates)
    rows, columns = np.unique(whole.row), np.unique(whole.column)
    u, v = [u_of[k] for k in class_of[rows].tolist()], [v_of[k] for k in class_of[columns].tolist()]
    return ExactSolution(small.value, rows, columns, u, v, flow)


def _largest(
    row: npt.NDArray[np.intp], column: npt.NDArray[np.intp], load: Rationals, count: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Rationals]:
    """The largest load of every (row, column) pair, sorted by row.

    Floats choose; where two loads of a pair lie within their rounding, exact fractions do.
    """
    key = row.astype(np.int64) * count + column
    size = load.num.astype(np.float64) / load.den.astype(np.float64)
    order = np.lexsort((size, key))
    key, size = key[order], size[order]
    last = np.ones(len(key), dtype=bool)
    last[:-1] = key[1:] != key[:-1]
    chosen = order[last]
    # Runner-up within rounding but not the same fraction: decide exactly.
    ends = np.nonzero(last)[0]
    before = ends - 1
    close = (before >= 0) & (key[before] == key[ends]) & (size[before] > size[ends] * (1 - 1e-12))
    for at in np.nonzero(close)[0].tolist():
        e = int(ends[at])
        best = load.fraction(int(order[e]))
        p = e - 1
        while p >= 0 and key[p] == key[e] and size[p] > size[e] * (1 - 1e-12):
            a, b = int(load.num[order[p]]), int(load.den[order[p]])
            if a * best.denominator > best.numerator * b:
                best = Fraction(a, b)
                chosen[at] = order[p]
            p -= 1
    unique = key[ends]
    return (unique // count).astype(np.int32), (unique % count).astype(np.int32), load[chosen]


def _unfold(
    block: LoadBlock, class_of: npt.NDArray[np.intp], u_of: list[Fraction], v_of: list[Fraction], rates: Rates
) -> Int64:
    """A flow on the channel's own entries that meets the folded optimum: a matching on the tight entries."""
    load, row_class, column_class = block.load, class_of[block.row], class_of[block.column]
    whole = _whole(load, u_of, v_of)
    if whole is not None:
        u_int, v_int, weight_int = whole
        tight = np.nonzero(u_int[row_class] + v_int[column_class] == weight_int)[0]
    else:
        u, v = (np.array([float(x) for x in potentials]) for potentials in (u_of, v_of))
        weight = load.num.astype(np.float64) / load.den.astype(np.float64)
        slack = u[row_class] + v[column_class] - weight
        tight = np.nonzero(slack <= 1e-10 * (1.0 + weight))[0]
        # The kernels need integers: 2**40 per unit, with tight entries made exactly tight.
        u_int, v_int = (np.rint(x * float(1 << 40)).astype(np.int64) for x in (u, v))
    made = u_int[row_class[tight]] + v_int[column_class[tight]]
    row, column = block.row[tight], block.column[tight]
    start_v = np.zeros(len(rates.demand), dtype=np.int64)
    start_v[column] = v_int[column_class[tight]]
    channels = Channels(np.array([0, len(tight)], dtype=np.int64), row, column, made, rates.supply, rates.demand)
    flow = np.zeros(len(block.row), dtype=np.int64)
    flow[tight] = solve_block(channels, stop=np.array([-1]), start_v=start_v, full=True).flow
    return flow


def _whole(load: Rationals, u_of: list[Fraction], v_of: list[Fraction]) -> tuple[Int64, Int64, Int64] | None:
    """Potentials and loads as whole numbers over one denominator; None where 64 bits do not hold them."""
    if load.num.dtype == object or load.den.dtype == object or not len(load.num):
        return None
    common = lcm(*np.unique(load.den).tolist(), *{x.denominator for x in (*u_of, *v_of)})
    top = max([*u_of, *v_of]) * common
    if max(int(top), int(load.num.max()) * (common // int(load.den.min()))) >= 1 << 60:
        return None
    u = np.array([int(x * common) for x in u_of], dtype=np.int64)
    v = np.array([int(x * common) for x in v_of], dtype=np.int64)
    return u, v, load.num * (common // load.den)
