"""From multipliers to adversaries: whole numbers that the checker can verify."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.rational import as_int_array
from ..demand_sets.demand_set import GivenDemands, PairDemand
from ..demand_sets.permutations import permutations
from ..formats.documents.packed_ints import pack_ints
from ..kernel.port_gauge import AdversaryPair, least_weights
from ..kernel.ports import Ports
from ..lp.exact import ExactPoint, NotExactError
from ..symmetry.pair_classes import Reduction
from .design import Bound

if TYPE_CHECKING:
    from ..routing.path_sets.path_set import PathSet
    from .program.flow_program import Ends, FlowProgram

_LARGEST = 1 << 120
_FINE = 1 << 34


class Adversary(Bound):
    """Adversaries for one pair of every class, the weight of hops beside them, and the line that they prove.

    ``pairs``: of nodes or, where the reduction has the ports of a set of demands, of its rows and columns; ``weight``:
    phi of every channel, for sets with least demands, made larger where the pairs need it.
    """

    def __init__(
        self,
        reduction: Reduction,
        pairs: Sequence[AdversaryPair],
        hops: int,
        paths: PathSet | None = None,
        weight: Sequence[int] | None = None,
    ) -> None:
        self.reduction, self.pairs = reduction, list(pairs)
        symmetry: dict[str, Any] = {"generators": reduction.generators, "reversal": reduction.reversal}
        network, ports = reduction.network, reduction.ports or Ports.of_nodes(reduction.network)
        self.terminals_alike = not ports.by_node
        self.weight: npt.NDArray[Any] | None = None
        if reduction.ports is not None:
            self.pairs = [x for x in self.pairs if x.traffic.any()]
        if ports.low:
            needed = least_weights(network, ports, self.pairs, **symmetry)
            given = weight or [0] * network.num_channels
            self.weight = as_int_array([max(x, math.ceil(y)) for x, y in zip(given, needed, strict=True)])
        demands = reduction.demands or permutations(network.num_terminals)
        sent = [PairDemand(*self._ends(x), x.traffic, reduction.ports is not None, "") for x in self.pairs]
        self.prove(network, demands.gauge(network, GivenDemands(sent, weight=self.weight, **symmetry)), hops, paths)

    def data(self) -> dict[str, Any]:
        """As evidence: {"symmetry", "hops", "pairs": [{"source", "destination", "traffic"}, ...]}; of ports, "from"
        and "to" name terminals."""
        names = ("source", "destination") if self.reduction.ports is None else ("from", "to")
        pairs: list[dict[str, Any]] = [
            {**dict(zip(names, self._ends(p), strict=True)), "traffic": pack_ints(p.traffic, wide=True)}
            for p in self.pairs
        ]
        weights = {} if self.weight is None else {"weights": pack_ints(self.weight, wide=True)}
        return {"symmetry": self.reduction.symmetry.described(), **self.meant(), **weights, "pairs": pairs}

    def _ends(self, pair: AdversaryPair) -> tuple[int, int]:
        """Two nodes, or two terminals that stand for their ports."""
        ports = self.reduction.ports
        if ports is None:
            return pair.source, pair.destination
        return int(ports.row_name[pair.source]), int(ports.column_name[pair.destination])


def adversary_from_exact(program: FlowProgram, dual: ExactPoint, *, hops: Fraction) -> Adversary:
    """The adversaries of exact multipliers, where a hop costs ``hops``; NotExactError where they are too long."""
    shares = _shares(program)
    weight = _weights(program, [dual.fraction(r) for r in program.load_row.values()])
    common = lcm(hops.denominator, *(x.denominator for x in weight))
    for rows, share in shares:
        for row, k in zip(rows.tolist(), share.tolist(), strict=True):
            if dual.num[row]:
                common = lcm(common, Fraction(int(dual.num[row]), dual.den * k).denominator)
        if common > _LARGEST:
            raise NotExactError("its multipliers are too long")
    pairs = []
    for ends, match, (rows, share) in zip(program.ends, program.match, shares, strict=True):
        values = {
            row: int(dual.num[row]) * common // (dual.den * k)
            for row, k in zip(rows.tolist(), share.tolist(), strict=True)
        }
        if max(values.values(), default=0) > _LARGEST:
            raise NotExactError("its multipliers are too long")
        traffic = as_int_array([values[r] if r >= 0 else 0 for r in match.tolist()])
        pairs.append(AdversaryPair(ends.source, ends.destination, traffic))
    whole = [int(x * common) for x in weight]
    if max(whole, default=0) > _LARGEST:
        raise NotExactError("its multipliers are too long")
    try:
        return Adversary(program.reduction, pairs, int(hops * common), program.allowed, whole)
    except VerificationError as error:  # what the basis stands for is no optimum
        raise NotExactError(str(error)) from None


def adversary_from_floats(program: FlowProgram, y: npt.NDArray[np.float64], *, hops: float) -> Adversary:
    """The adversaries of approximate multipliers, rounded down to whole numbers: a bound somewhat below theirs."""
    shares = _shares(program)
    parts = [np.maximum(y[rows], 0.0) / share for rows, share in shares]
    weight = _weights(program, [Fraction(max(0.0, float(y[r]))) for r in program.load_row.values()])
    top = max([hops, *(float(x.max(initial=0.0)) for x in parts), *map(float, weight)])
    scale = float(_FINE) / top if top > 0 else 0.0
    pairs = []
    for ends, match, (rows, _), part in zip(program.ends, program.match, shares, parts, strict=True):
        value = np.zeros(program.program.num_rows + 1, dtype=np.int64)
        value[rows] = np.floor(part * scale).astype(np.int64)
        traffic = _without_forbidden(program, ends, np.where(match >= 0, value[match], 0))
        pairs.append(AdversaryPair(ends.source, ends.destination, traffic))
    whole = [math.ceil(float(x) * scale) for x in weight]
    return Adversary(program.reduction, pairs, int(hops * scale), program.allowed, whole)


def _without_forbidden(program: FlowProgram, ends: Ends, traffic: Int64) -> Int64:
    """Nothing where rounding alone makes traffic of ports that may send no more."""
    ports = program.reduction.ports
    if ports is None:
        return traffic
    limits = [
        None if ports.sends is None else ports.sends[ends.source],
        None if ports.receives is None else ports.receives[ends.destination],
        ports.total,
    ]
    return np.zeros_like(traffic) if 0 in limits else traffic


def _weights(program: FlowProgram, multipliers: Sequence[Fraction]) -> list[Fraction]:
    """phi of every channel, from the multipliers of the loads, for sets with least demands; else nothing."""
    own = program.reduction
    if own.ports is None or not own.ports.low:
        return []
    spread = np.bincount(own.focus, minlength=len(own.focus))
    each = dict(zip(program.load_row, multipliers, strict=True))
    return [each[c] * program.unit / int(spread[c]) for c in own.focus.tolist()]


def _shares(program: FlowProgram) -> list[tuple[Int64, Int64]]:
    """For every sender and receiver its rows, and among how many (pair, channel) the multiplier of each is shared."""
    result = []
    for ends, match in zip(program.ends, program.match, strict=True):
        rows, members = np.unique(match[match >= 0], return_counts=True)
        result.append((rows, members.astype(np.int64) * program.reduction.pairs[ends.pair].size))
    return result
