"""From multipliers to adversaries: whole numbers that the checker can verify."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.checks.adversary import supporting_line
from ..core.checks.supporting_line import AdversaryPair, SupportingLine
from ..core.rational import as_int_array
from ..formats.documents.packed_ints import pack_ints
from .program.exact import ExactPoint, NotExactError

if TYPE_CHECKING:
    from ..routing.path_sets.path_set import PathSet
    from .program.flow_program import FlowProgram
    from .program.orbits import Reduction

_LARGEST = 1 << 120
_FINE = 1 << 34


class Adversary:
    """Adversaries for one pair of every class, the weight of hops beside them, and the line that they prove."""

    def __init__(
        self, reduction: Reduction, pairs: Sequence[AdversaryPair], hops: int, paths: PathSet | None = None
    ) -> None:
        self.reduction, self.pairs, self.hops, self.paths = reduction, list(pairs), hops, paths
        self.line: SupportingLine = supporting_line(
            reduction.network,
            self.pairs,
            hops=hops,
            generators=reduction.generators,
            reversal=reduction.reversal,
            distance=None if paths is None else paths.distance,
        )

    def least_load(self, most_length: Fraction | None = None) -> Fraction:
        """No routing with an average path length of at most ``most_length`` has a lower load."""
        return max(self.line.least_load(most_length) or Fraction(0), Fraction(0))

    def data(self) -> dict[str, Any]:
        """As evidence: {"symmetry", "hops", "pairs": [{"source", "destination", "traffic"}, ...]}."""
        own = self.reduction
        symmetry: dict[str, Any] = {"reversal": own.reversal}
        if own.names is not None:
            symmetry["declared"] = own.names
        else:
            symmetry["found"] = [pack_ints(g.node) for g in own.generators]
        pairs = [
            {"source": p.source, "destination": p.destination, "traffic": pack_ints(p.traffic, wide=True)}
            for p in self.pairs
        ]
        restricted = {} if self.paths is None else {"paths": self.paths.name}
        return {"symmetry": symmetry, "hops": self.hops, **restricted, "pairs": pairs}


def adversary_from_exact(program: FlowProgram, dual: ExactPoint, *, hops: Fraction) -> Adversary:
    """The adversaries of exact multipliers, where a hop costs ``hops``; NotExactError where they are too long."""
    shares = _shares(program)
    common = hops.denominator
    for rows, share in shares:
        for row, k in zip(rows.tolist(), share.tolist(), strict=True):
            if dual.num[row]:
                common = lcm(common, Fraction(int(dual.num[row]), dual.den * k).denominator)
        if common > _LARGEST:
            raise NotExactError("its multipliers are too long")
    pairs = []
    for pair, match, (rows, share) in zip(program.reduction.pairs, program.match, shares, strict=True):
        values = {
            row: int(dual.num[row]) * common // (dual.den * k)
            for row, k in zip(rows.tolist(), share.tolist(), strict=True)
        }
        if max(values.values(), default=0) > _LARGEST:
            raise NotExactError("its multipliers are too long")
        traffic = as_int_array([values[r] if r >= 0 else 0 for r in match.tolist()])
        pairs.append(AdversaryPair(pair.source, pair.destination, traffic))
    return Adversary(program.reduction, pairs, int(hops * common), program.allowed)


def adversary_from_floats(program: FlowProgram, y: npt.NDArray[np.float64], *, hops: float) -> Adversary:
    """The adversaries of approximate multipliers, rounded down to whole numbers: a bound somewhat below theirs."""
    shares = _shares(program)
    parts = [np.maximum(y[rows], 0.0) / share for rows, share in shares]
    top = max([hops, *(float(x.max(initial=0.0)) for x in parts)])
    scale = float(_FINE) / top if top > 0 else 0.0
    pairs = []
    for pair, match, (rows, _), part in zip(program.reduction.pairs, program.match, shares, parts, strict=True):
        value = np.zeros(program.program.num_rows + 1, dtype=np.int64)
        value[rows] = np.floor(part * scale).astype(np.int64)
        pairs.append(AdversaryPair(pair.source, pair.destination, np.where(match >= 0, value[match], 0)))
    return Adversary(program.reduction, pairs, int(hops * scale), program.allowed)


def _shares(program: FlowProgram) -> list[tuple[Int64, Int64]]:
    """For every pair class its rows, and among how many (pair, channel) the multiplier of each is shared."""
    result = []
    for pair, match in zip(program.reduction.pairs, program.match, strict=True):
        rows, members = np.unique(match[match >= 0], return_counts=True)
        result.append((rows, members.astype(np.int64) * pair.size))
    return result
