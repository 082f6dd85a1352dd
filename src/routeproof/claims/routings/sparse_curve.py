"""Claims of the kind ``sparse-curve``: the worst case over at most K packets, for every K.

Lines bound every channel from above, each for all K at once; packets that reach a corner show that it is reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import as_int_array, shown
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.multipliers import line_constant
from ..context import Context
from ..kind import ANALYSES, EXACT, WORST, Kind, States
from ..reading import as_channel, as_fraction, as_numbers, as_whole
from ..shapes import ANY, WHOLE, Keys, ListOf, Word
from .worst_case import OF_SET, SYMMETRY, check_loaded, demand_in, named_set

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
    for number, item in enumerate(data["lines"]):
        c = as_channel(context.network, item["channel"])
        if c in proved:
            raise VerificationError(f"lines[{number}]: channel {c} has lines already")
        proved.add(c)
        (block,) = over.stream(np.array([c]), by_pair=by_pair)
        lines = [
            _line(block, context.network.bandwidth[c], supply, demand, line, f"lines[{number}]")
            for line in item["bounds"]
        ]
        if not lines:
            raise VerificationError(f"lines[{number}]: channel {c} has no line")
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
)
