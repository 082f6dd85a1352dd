"""What the rounds reached, made exact where its numbers are short enough, else rounded."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int64
from ...lp.exact import ExactPoint, NotExactError, exact_dual, exact_primal
from ...routing.classes.path_classes import ClassLoads, PathClassRouting
from ...symmetry.pair_classes import Reduction
from ..program.flow_program import open_classes
from ..program.flows import classes_from_exact, routing_from_classes
from ..program.path_variables import designed_name, with_paths_of
from ..program.rounding import rounded_flows
from .flows import flows_from_exact, flows_from_floats
from .program import RatioProgram
from .rounds import Rounds

_EXACT_COLUMNS = 20_000  # beyond this factors take minutes
_MOST_BITS = 4_000  # of a denominator
_MOST_SUM = 1 << 53


@dataclass(frozen=True, eq=False)
class Solution:
    """``classes``: what the routing does for one pair of every class; ``flows``: the adversaries, by channel.

    ``length``: (C, C), lengths for every channel, in ``whole`` numbers or not; ``routing``: with explicit paths, where
    these are of a set (then ``classes`` are not asked for)."""

    reduction: Reduction
    classes: list[ClassLoads]
    flows: dict[int, npt.NDArray[Any]]
    length: npt.NDArray[Any]
    whole: bool
    routing: PathClassRouting | None = None


def solution_of(program: RatioProgram, rounds: Rounds) -> Solution:
    if rounds.complete and program.base.num_columns <= _EXACT_COLUMNS:
        with suppress(NotExactError):
            return _exact(program, rounds)
    x = rounds.x if rounds.complete else rounds.proposal.x
    flows = flows_from_floats(program, rounds.rows, rounds.proposal.y)
    length = np.maximum(x[program.length], 0.0)
    routing, classes = None, list[ClassLoads]()
    if program.variables is not None:
        routing = program.variables.routing_from_floats(designed_name(program.allowed), x)
    else:
        classes = _rounded(program, x)
        routing = _with_paths(program, classes)
    return Solution(program.reduction, classes, flows, _for_all(program, length), whole=False, routing=routing)


def _exact(program: RatioProgram, rounds: Rounds) -> Solution:
    every = program.with_rows(rounds.rows)
    point, dual = exact_primal(every, rounds.proposal), exact_dual(every, rounds.proposal)
    if point.den.bit_length() > _MOST_BITS:
        raise NotExactError("its flows are too long for a report")
    flows = flows_from_exact(program, rounds.rows, dual)
    classes = classes_from_exact(program.reduction, program.flow, point)
    if program.variables is not None:
        routing: PathClassRouting | None = program.variables.routing_from_exact(designed_name(program.allowed), point)
    else:
        routing = _with_paths(program, classes)
    lengths = [_shortened(point, columns) for columns in program.length]
    whole = all(int(x.sum()) < _MOST_SUM for x in lengths)
    length = np.stack([x.astype(np.int64 if whole else np.float64) for x in lengths])
    return Solution(program.reduction, classes, flows, _for_all(program, length), whole, routing)


def _with_paths(program: RatioProgram, classes: list[ClassLoads]) -> PathClassRouting | None:
    """The paths of the flows, where these are limited to channels."""
    if program.allowed is None:
        return None
    own = routing_from_classes(program.reduction, classes)
    return with_paths_of(own, designed_name(program.allowed), program.allowed)


def _shortened(point: ExactPoint, columns: Int64) -> npt.NDArray[Any]:
    """The point's numbers in these columns, without their common factor."""
    found = point.num[columns]
    common = gcd(*(int(x) for x in found)) or 1
    return np.array([*(int(x) // common for x in found), None], dtype=object)[:-1]


def _rounded(program: RatioProgram, x: Float64) -> list[ClassLoads]:
    def flows() -> Any:
        for k, (pair, columns) in enumerate(zip(program.reduction.pairs, program.flow, strict=True)):
            variable, count = open_classes(program.reduction.network, pair, program.allowed)
            amount = np.zeros(count)
            live = variable >= 0
            amount[variable[live]] = np.maximum(x[columns[live]], 0.0)
            yield k, variable, amount

    return rounded_flows(program.reduction, flows())


def _for_all(program: RatioProgram, length: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(C, C): from lengths (F, C) of focus channels those of every channel."""
    network = program.reduction.network
    opposite = network.reverse if program.reduction.reversal else None
    number = {c: k for k, c in enumerate(program.focus.tolist())}
    found = np.zeros((network.num_channels, network.num_channels), dtype=length.dtype)
    for c, r in enumerate(program.orbits.rep.tolist()):
        if r in number:
            found[c] = length[number[r]][program.orbits.to[c].node]
    if opposite is not None:
        for c, r in enumerate(program.orbits.rep.tolist()):
            if r not in number:
                found[c] = found[opposite[c]][opposite]
    return found
