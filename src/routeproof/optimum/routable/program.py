"""The linear program of the best oblivious ratio, reduced by symmetry: columns, and rows that are made when asked for.

For every channel c there are lengths l_c(e) >= 0 of all channels, and

    flow of c from i to j <= sum of l_c(e) along P, for every path P from i to j,
    sum_e bandwidth(e) l_c(e) <= bandwidth(c) * w.

The multipliers of the paths are a demand that loads c, carried along them within phi_c times the bandwidths, where
phi_c is that of the last row.  One focus channel stands for every class of channels, one length for every class under
the symmetries that fix it.

Source: Applegate & Cohen 2003 (SIGCOMM), theorem 1, with paths as rows in place of potentials: few of them are tight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.arrays import Int64
from ...core.symmetry import Automorphism, orbit_labels
from ...lp.exact import Program, Triplets
from ...machine.memory import check_memory
from ...routing.path_sets.path_set import PathSet
from ...symmetry.groups import OrbitTree, stabiliser, tree
from ...symmetry.pair_classes import Reduction
from ..program.flow_program import flow_columns, flow_rows, flows_of_pairs, hop_cost, needed_unit
from ..program.path_variables import PathVariables

_PAIR_BYTES = 4  # of a channel's image, held for every pair of nodes
_TRIPLE_BYTES = 64  # of a focus channel and a pair of nodes: distances, first channels, what they are compared with
_ROW_BYTES = 2_000  # of a row, its coefficients and the solver's factors


class PathRow(NamedTuple):
    """The flow of the ``focus``-th channel from ``source`` to ``destination`` is at most as long as ``path``."""

    focus: int
    source: int
    destination: int
    path: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RatioProgram:
    """Column 0 is the ratio w; ``flow`` as in ``flow_program.FlowProgram``.

    - ``focus``: int64 (F,), the channels that stand for all, of which each stands for ``members``;
    - ``flow_at``: int64 (F, N, N), the column of their flow for every pair, -1 where there is none;
    - ``length``: int64 (F, C), the columns of their lengths;
    - ``base``: the program without paths; its last F rows say what all lengths of a focus channel may take;
    - ``fixing``: for every focus channel generators of the symmetries that leave it where it is; ``orbits``: of
      channels;
    - ``allowed``: the paths that routings may use, None for all; ``variables``: theirs, where they are listed.
    """

    reduction: Reduction
    base: Program
    flow: list[Int64]
    focus: Int64
    members: Int64
    flow_at: Int64
    length: Int64
    fixing: list[list[Automorphism]]
    orbits: OrbitTree
    allowed: PathSet | None = None
    variables: PathVariables | None = None

    @property
    def hops(self) -> Int64:
        """The cost that makes the objective T^2 times the average path length."""
        return hop_cost(self.reduction, self.flow, self.base.num_columns)

    def coefficients(self, row: PathRow) -> tuple[int, tuple[int, ...]]:
        """The column of the flow, and those of the path's lengths, sorted; some may come several times."""
        k = row.focus
        return int(self.flow_at[k, row.source, row.destination]), tuple(sorted(self.length[k, list(row.path)].tolist()))

    def with_rows(self, rows: Sequence[PathRow]) -> Program:
        """The program with these paths as its last rows."""
        base, entries = self.base, Triplets()
        entries.add(np.repeat(np.arange(base.num_rows), np.diff(base.start)), base.column, base.value)
        for r, row in enumerate(rows, base.num_rows):
            flow, lengths = self.coefficients(row)
            entries.add(r, flow, -1)
            entries.add(r, lengths, 1)
        made = entries.program(base.num_columns, base.num_equal, [*base.bound.tolist(), *[0] * len(rows)])
        return made.asking(base.cost, base.upper)


def ratio_program(reduction: Reduction, allowed: PathSet | None = None) -> RatioProgram:
    """Minimise w, over the routings with ``allowed`` paths if given.

    Raises InputError where it would not fit in memory, or bandwidths are too long.
    """
    network = reduction.network
    unit = needed_unit(network)
    nodes, count = network.num_nodes, network.num_channels
    focus = np.unique(reduction.focus).astype(np.int64)
    needed = nodes**2 * (count * _PAIR_BYTES + len(focus) * _TRIPLE_BYTES) + reduction.num_flows * _ROW_BYTES
    what = f"{len(focus):,} channels that stand for all, {nodes:,} nodes, {reduction.num_flows:,} flow variables"
    check_memory(needed, f"the oblivious ratio's program for {network.name} ({what})")
    flow, end = flow_columns(reduction, 1, allowed)
    elements = [Automorphism(g.name, g.channel, g.node) for g in reduction.generators]
    one = Automorphism("", np.arange(count, dtype=np.int32), np.arange(nodes, dtype=np.int32))
    orbits = tree(elements, one)
    fixing = [stabiliser(orbits, elements, c) for c in focus.tolist()]
    length = np.zeros((len(focus), count), dtype=np.int64)
    for k, some in enumerate(fixing):
        _, number = np.unique(orbit_labels(count, [g.node for g in some]), return_inverse=True)
        length[k] = number + end
        end += int(number.max()) + 1
    entries = Triplets()
    bound, variables, end = flow_rows(reduction, flow, allowed, end, entries)
    num_equal = len(bound)
    for k, c in enumerate(focus.tolist()):
        entries.add(num_equal + k, 0, int(network.bandwidth[c] * unit))
        entries.add(num_equal + k, length[k], [-int(b * unit) for b in network.bandwidth])
    base = entries.program(end, num_equal, bound + [0] * len(focus))
    members = np.bincount(reduction.focus, minlength=count)[focus]
    flow_at = flows_of_pairs(reduction, flow, focus)
    return RatioProgram(
        reduction, base, flow, focus, members, flow_at, length, fixing, orbits, allowed, variables
    )  # fmt: skip
