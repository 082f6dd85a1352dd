"""From the multipliers of paths to adversaries: whole flows that the checker can verify."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64
from ...core.network import Network
from ...core.rational import as_int_array
from ...core.symmetry import orbit_labels
from ...formats.documents.packed_ints import pack_ints
from ...kernel.gauges import Flows, gauge_of_flows
from ...lp.exact import ExactPoint, NotExactError
from ...routing.path_sets.path_set import PathSet
from ...symmetry.automorphisms import ClassSymmetry
from ..design import Bound
from .program import PathRow, RatioProgram

_LARGEST = 1 << 120
_FINE = 1 << 34


class FlowAdversary(Bound):
    """Flows against one channel of every class, the weight of hops beside them, and the line that they prove."""

    def __init__(
        self, network: Network, flows: Flows, symmetry: ClassSymmetry, hops: int = 0, paths: PathSet | None = None
    ) -> None:
        self.network, self.flows, self.symmetry = network, dict(flows), symmetry
        gauged = gauge_of_flows(
            network, self.flows, generators=symmetry.generators, reversal=symmetry.reversal
        )  # fmt: skip
        self.prove(network, gauged, hops, paths)

    def data(self) -> dict[str, Any]:
        """As evidence: {"symmetry", "hops", "flows": [{"channel", "flow"}, ...]}."""
        flows = [{"channel": c, "flow": pack_ints(x.ravel(), wide=True)} for c, x in self.flows.items()]
        return {"symmetry": self.symmetry.described(), **self.meant(), "flows": flows}


def flows_from_exact(program: RatioProgram, rows: Sequence[PathRow], dual: ExactPoint) -> dict[int, npt.NDArray[Any]]:
    """The adversaries of exact multipliers; raises NotExactError where they are too long."""
    first = program.base.num_rows
    amounts = [dual.fraction(first + r) / int(program.members[row.focus]) for r, row in enumerate(rows)]
    common = lcm(*(x.denominator for x in amounts))
    if common > _LARGEST:
        raise NotExactError("its multipliers are too long")
    return _flows(program, rows, [int(x * common) for x in amounts])


def flows_from_floats(program: RatioProgram, rows: Sequence[PathRow], y: Float64) -> dict[int, npt.NDArray[Any]]:
    """The adversaries of approximate multipliers, rounded down to whole numbers."""
    focus = [row.focus for row in rows]
    amounts = np.maximum(y[program.base.num_rows :], 0.0) / program.members[focus]
    top = float(amounts.max(initial=0.0))
    scale = float(_FINE) / top if top > 0 else 0.0
    return _flows(program, rows, np.floor(amounts * scale).astype(np.int64).tolist())


def _flows(program: RatioProgram, rows: Sequence[PathRow], amounts: Sequence[int]) -> dict[int, npt.NDArray[Any]]:
    """The flows along paths, averaged over the symmetries that fix their channel, all times one whole number."""
    network = program.reduction.network
    nodes, count = network.num_nodes, network.num_channels
    sums = [np.zeros((nodes, count), dtype=object) for _ in program.focus]
    turns = [_turn(program, int(c)) for c in program.focus]
    for row, amount in zip(rows, amounts, strict=True):
        if not amount:
            continue
        own, turn = sums[row.focus], turns[row.focus]
        own[row.source, list(row.path)] += amount if turn is not None else 2 * amount
        if turn is not None:
            node, channel = turn
            own[node[row.destination], channel[list(row.path)]] += amount
    labels, spread, common = [], [], 1
    key = np.arange(nodes * count).reshape(nodes, count)
    for fixing in program.fixing:
        label = orbit_labels(nodes * count, [key[g.channel][:, g.node].ravel() for g in fixing])
        labels.append(label)
        spread.append(np.bincount(label, minlength=nodes * count))
        common = lcm(common, *np.unique(spread[-1][label]).tolist())
    result = {}
    for k, c in enumerate(program.focus.tolist()):
        total = np.zeros(nodes * count, dtype=object)
        used = np.flatnonzero(sums[k].ravel() != 0)
        np.add.at(total, labels[k][used], sums[k].ravel()[used])
        each = [
            int(x) * (common // int(n)) if x else 0 for x, n in zip(total.tolist(), spread[k].tolist(), strict=True)
        ]
        if max(each, default=0) > _LARGEST:
            raise NotExactError("its multipliers are too long")
        if any(each):
            result[c] = as_int_array([each[at] for at in labels[k].tolist()]).reshape(nodes, count)
    return result


def _turn(program: RatioProgram, channel: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]] | None:
    """(nodes, channels): a symmetry that reverses paths and leaves ``channel``, a representative, where it is; None
    where there is none."""
    opposite = program.reduction.network.reverse if program.reduction.reversal else None
    if opposite is None or int(program.orbits.rep[opposite[channel]]) != channel:
        return None
    back = program.orbits.to[int(opposite[channel])]
    return back.channel, back.node[opposite]
