"""The worst case over at most K packets, for every corner of the curve: each over its own set."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...core.loads import LoadBlock
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.multipliers import line_constant
from ..context import Context
from ..routings.worst_case import demand_in, named_set
from .images import images, maps_of, moved
from .proof import NotElaborated, expect_bytes, number, numbers
from .work import Work
from .worst_case import Potentials
from .written import demand, written_transport


def elaborate_curve(work: Work, claim: Claim) -> None:
    """A corner: its packets load the channel so, and of every channel the line that is lowest there bounds it."""
    context, network, value = work.context, work.network, claim.value
    demands, data = named_set(context, claim), claim.evidence.data
    assert isinstance(value, Fraction)
    packets = int(claim.about["packets"])
    at_most: TransportSet = demands.at(packets).transport
    limits: TransportSet = demands.limiting
    expect_bytes(8 * network.num_channels * 2 * network.num_terminals, f"the worst case on {network.name}")
    position = work.proof.set_of(written_transport(at_most, at_most.text))
    about = {"routing": work.routing, "demands": position}
    sent = demand_in(network, data["traffic"])
    least = work.claim("worst-case-at-least", value, **about, channel=int(data["channel"]), demand=demand(sent))
    work.states(claim, ">=", least)
    lines = next(x.evidence.data for x in context.others if "lines" in x.evidence.data)
    over, _ = context.through(limits)
    evidence = [
        [c, number(scale), numbers(u), numbers(v), number(x)]
        for c, (scale, u, v, x) in _multipliers(over, limits, lines, packets)
    ]
    if len(evidence) < network.num_channels:
        raise NotElaborated("the lines of some channels follow from others by more than images")
    work.states(claim, "<=", work.claim("worst-case-at-most", value, **about, channels=None, evidence=evidence))


def _multipliers(
    over: Context, limits: TransportSet, data: Mapping[str, Any], packets: int
) -> list[tuple[int, Potentials]]:
    """Of every channel, with multipliers by terminal."""
    routing = over.routing
    supply = over.by_row([int(x) for x in limits.sends or ()])
    receives = over.by_column([int(x) for x in limits.receives or ()])
    proved: dict[int, Potentials] = {}
    for item in data["lines"]:
        c = int(item["channel"])
        (block,) = over.stream(np.array([c]), by_pair="loads" in data)
        bandwidth = over.network.bandwidth[c]
        lines = [_numbers(x, len(receives)) for x in item["bounds"]]

        def height(line: _Line, block: LoadBlock = block, bandwidth: Fraction = bandwidth) -> Fraction:
            scale, slope, column, v = line
            constant = line_constant(
                block, bandwidth, supply, receives, scale=scale, slope=slope, column=column, v=np.array(v, dtype=object)
            )
            return constant + Fraction(slope * packets, scale)

        proved[c] = _of_line(block, bandwidth, min(lines, key=height), len(supply), receives.tolist())
    row_of, column_of = routing.row_of.tolist(), routing.column_of.tolist()
    found = []
    for c, image in sorted(images(over.network, proved, maps_of(over, data["symmetry"])).items()):
        scale, u, v, x = proved[image.of]
        if image.of != c:
            u, v = moved(image, u, v)
        found.append((c, (scale, [u[k] for k in row_of], [v[k] for k in column_of], x)))
    return found


_Line = tuple[int, int, Any, list[int]]


def _numbers(line: Sequence[Any], columns: int) -> _Line:
    scale, slope = int(line[0]), int(line[1])
    column = unpack_ints(line[2], what="columns", max_items=columns)
    v = [int(x) for x in line[3]] if isinstance(line[3], list) else unpack_ints(line[3], what="v", max_items=columns)
    return scale, slope, column, [int(x) for x in v]


def _of_line(block: LoadBlock, bandwidth: Fraction, line: _Line, rows: int, receives: list[int]) -> Potentials:
    """Multipliers of loads, where the line has them per bandwidth; every row pays for what its pairs leave, and columns
    that receive nothing for their own, which costs nothing."""
    scale, slope, column, own = line
    loads = block.load.fractions()
    unit = math.lcm(scale * bandwidth.denominator, *{x.denominator for x in loads})
    whole: Callable[[int], int] = lambda x: int(x * bandwidth / scale * unit)  # noqa: E731
    total = whole(slope)
    u, v = [0] * rows, [0] * len(receives)
    for j, x in zip(column.tolist(), own, strict=True):
        v[j] = whole(x)
    for i, j, load in zip(block.row.tolist(), block.column.tolist(), loads, strict=True):
        if receives[j]:
            u[i] = max(u[i], int(load * unit) - v[j] - total)
        else:
            v[j] = max(v[j], int(load * unit))
    return unit, u, v, total


ELABORATED: Mapping[str, Callable[[Work, Claim], None]] = {"sparse-curve": elaborate_curve}
