"""Claims of the kind ``sparse-curve``: the worst case over at most K packets, for every K.

Lines bound every channel from above, each for all K at once; packets that reach a corner show that it is reached.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.loads import LoadBlock
from ...core.rational import as_int_array, shown
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.multipliers import line_constant
from ..context import Context
from ..kind import ANALYSES, EXACT, OF_SET, WORST, Kind, States
from ..proofs.images import images, maps_of, moved
from ..proofs.proof import NotElaborated, expect_bytes, number, numbers
from ..proofs.work import Work
from ..proofs.written import demand, written_transport
from ..reading import as_channel, as_fraction, as_numbers, as_whole
from ..shapes import ANY, WHOLE, Keys, ListOf, Word
from .terminal_rates import demand_in, named_set
from .worst_case import SYMMETRY, check_loaded
from .written_potentials import Potentials

_MOST_SCALE = 1 << 4096


def check_curve(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """With this many packets in all, some load a channel so, and no lines let any channel carry more."""
    demands = named_set(context, claim)
    if demands.most_packets is None:
        raise VerificationError("its set of demands is not sparse:all")
    packets = as_whole(claim.about["packets"], "packets", 1, demands.most_packets)
    _check_packets(context, demands, packets, value, data)
    if context.curve is None:
        holder = [x for x in context.others if x.evidence.kind == "sparse-curve" and "lines" in x.evidence.data]
        if len(holder) != 1:
            raise VerificationError(f"{len(holder)} claims hold the lines that bound the channels; one was expected")
        context.curve = _bounds(context, demands, holder[0].evidence.data)
    most = context.curve[packets]
    if value != most:
        raise VerificationError(f"it is {shown(value)}; the lines bound what {packets} packets make by {shown(most)}")


def _check_packets(
    context: Context, demands: DemandSet, packets: int, value: Fraction, data: Mapping[str, Any]
) -> None:
    """The packets are admitted, and load the channel with ``value``."""
    network = context.network
    c, sent = as_channel(network, data["channel"]), demand_in(network, data["traffic"])
    demands.at(packets).check_admits(sent)
    check_loaded(context, c, sent, value, "its packets load")


def _bounds(context: Context, demands: DemandSet, data: Mapping[str, Any]) -> list[Fraction]:
    """The most that K packets can make of any channel, for K from 0: of each channel the least of its lines."""
    limits: TransportSet = demands.limiting
    over, idle = context.through(limits)
    sends, receives = limits.sends, limits.receives
    if idle or sends is None or receives is None:
        raise VerificationError("its set of demands has no limits of rows and columns, or another limit of its total")
    ones = [int(x) for x in sends], [int(x) for x in receives]
    supply, demand = over.by_row(ones[0]), over.by_column(ones[1])
    uniform = limits.allows_all and len(set(sends)) == 1 and len(set(receives)) == 1
    label = over.classes(data["symmetry"], uniform=uniform, symmetric=sends == receives)
    most = [Fraction(0)] * ((demands.most_packets or 0) + 1)
    proved: set[int] = set()
    by_pair = "loads" in data
    for place, item in enumerate(data["lines"]):
        c = as_channel(context.network, item["channel"])
        if c in proved:
            raise VerificationError(f"lines[{place}]: channel {c} has lines already")
        proved.add(c)
        (block,) = over.stream(np.array([c]), by_pair=by_pair)
        lines = [
            _line(block, context.network.bandwidth[c], supply, demand, line, f"lines[{place}]")
            for line in item["bounds"]
        ]
        if not lines:
            raise VerificationError(f"lines[{place}]: channel {c} has no line")
        for k in range(1, len(most)):
            most[k] = max(most[k], min(constant + slope * k for constant, slope in lines))
    missing = np.setdiff1d(np.unique(label), label[np.array(sorted(proved), dtype=np.int64)])
    if missing.size:
        c = int(missing[0])
        raise VerificationError(f"channel {c} ({context.network.channel_label(c)}) has no line in the evidence")
    return most


def _line(block: Any, bandwidth: Fraction, supply: Any, demand: Any, line: Any, what: str) -> tuple[Fraction, Fraction]:
    """(its value with no packets, its slope), from [scale, slope, columns, potentials]."""
    if not isinstance(line, list) or len(line) != 4:
        raise VerificationError(f"{what}: a line must be [scale, slope, columns, potentials]")
    scale = _multiplier(line[0], f"{what}: the scale of a line")
    if not scale:
        raise VerificationError(f"{what}: the scale of a line is 0; a positive number was expected")
    slope = _multiplier(line[1], f"{what}: the slope of a line")
    column = unpack_ints(line[2], what=f"{what}: columns", max_items=len(demand))
    if isinstance(line[3], list):
        v = as_int_array([_multiplier(x, f"{what}: a potential") for x in line[3]])
    else:
        v = as_numbers(line[3], f"{what}: potentials", len(column))
    constant = line_constant(block, bandwidth, supply, demand, scale=scale, slope=slope, column=column, v=v)
    return constant, Fraction(slope, scale)


def _multiplier(value: object, what: str) -> int:
    found = as_fraction(value, what)
    if found.denominator != 1 or not 0 <= found <= _MOST_SCALE:
        raise VerificationError(f"{what} is {str(value)[:40]}; a whole number >= 0 of at most 4096 bits was expected")
    return int(found)


def elaborate_curve(work: Work, claim: Claim) -> None:
    """A corner: its packets load the channel so, and of every channel the line that is lowest there bounds it."""
    context, network = work.context, work.network
    demands, data = named_set(context, claim), claim.evidence.data
    packets = int(claim.about["packets"])
    at_most: TransportSet = demands.at(packets).transport
    limits: TransportSet = demands.limiting
    expect_bytes(8 * network.num_channels * 2 * network.num_terminals, f"the worst case on {network.name}")
    position = work.proof.set_of(written_transport(at_most, at_most.text))
    work.at_least(claim, position, int(data["channel"]), demand(demand_in(network, data["traffic"])))
    lines = next(x.evidence.data for x in context.others if "lines" in x.evidence.data)
    over, _ = context.through(limits)
    evidence = [
        [c, number(scale), numbers(u), numbers(v), number(x)]
        for c, (scale, u, v, x) in _written_lines(over, limits, lines, packets)
    ]
    if len(evidence) < network.num_channels:
        raise NotElaborated("the lines of some channels follow from others by more than images")
    work.at_most(claim, position, evidence)


def _written_lines(
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
        lines = [_read_line(x, len(receives)) for x in item["bounds"]]

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


def _read_line(line: Sequence[Any], columns: int) -> _Line:
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


SPARSE_CURVE = Kind(
    "sparse-curve",
    "Packets that load one channel this much, and multipliers that bound every channel for every number "
    "of packets at once.",
    Keys(
        {"channel": WHOLE, "traffic": ListOf(ANY)},
        {
            "symmetry": SYMMETRY,
            "loads": Word("by-pair"),
            "lines": ListOf(Keys({"channel": WHOLE, "bounds": ListOf(ANY)})),
        },
    ),
    {"worst_case_load": States(EXACT, Grade.PROVED, Keys(OF_SET.needed, {"packets": WHOLE}))},
    WORST,
    check_curve,
    subjects=ANALYSES,
    whole_flows=True,
    elaborate=elaborate_curve,
)
