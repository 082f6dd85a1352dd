"""Claims of the kinds ``worst-case-channels`` and ``worst-case-among``: single channels that share their evidence."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.checks.matched_loads import check_matched_loads
from ...core.checks.multipliers import check_column_potentials, shown
from ...core.claim import Claim
from ...core.errors import VerificationError
from ...formats.documents.packed_ints import unpack_ints
from ..context import Context
from ..kind import Kind
from ..reading import as_channel, as_fraction
from ..shapes import BOUND, NUMBERS, WHOLE, Keys
from ..sources import WORST
from .worst_case import TerminalRates
from .worst_case_shapes import OF_CHANNEL

__all__ = ["KINDS", "check_among_channels", "check_shared_channels"]

Int64 = npt.NDArray[np.int64]
_MOST_PACKETS = 1 << 24


def check_shared_channels(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The exact worst case of every channel of a group: potentials from above, packets that reach it from below.

    The claim itself is about the first of them; what is proved of all is kept for the claims that refer to it.
    """
    network = context.network
    most = network.num_channels
    channels = unpack_ints(data.get("channel"), what="channel", max_items=most)
    if not len(channels):
        raise VerificationError("its evidence is about no channel")
    first, last = int(channels[0]), int(channels[-1])
    if first < 0 or last >= most or (np.diff(channels) <= 0).any():
        raise VerificationError(f"its evidence must be about different channels of 0 to {most - 1}, in ascending order")
    _check_about(claim, first)
    load, shift, count = (_numbers(data, what, len(channels)) for what in ("load", "shift", "count"))
    rates = TerminalRates.alike(context)
    quantum = unpack_ints(data.get("quantum"), what="quantum", max_items=len(channels) * len(rates.demand))
    if int(count.min()) < 0 or int(count.max()) > network.num_terminals or int(count.sum()) > _MOST_PACKETS:
        raise VerificationError(
            f"count holds {int(count.min())} to {int(count.max())}; lots of packets, at most as many as terminals and "
            f"{_MOST_PACKETS:,} in all, were expected"
        )
    row, column, amount = (_numbers(data, what, int(count.sum())) for what in ("row", "column", "amount"))
    scale = as_fraction(data.get("scale"), "scale")
    if scale.denominator != 1 or not 1 <= scale <= 1 << 60:
        raise VerificationError("scale is no whole number up to 2^60")
    at = used = sent = 0
    for block in context.stream(channels, by_pair=False):
        if block.base is not None:
            raise VerificationError("its loads have a part that every pair shares, which this evidence leaves out")
        context.note(block)
        part = slice(at, at + block.num_channels)
        lots = slice(sent, sent + int(count[part].sum()))
        used += check_column_potentials(
            block, rates.supply, rates.demand, scale=int(scale), shift=shift[part], quantum=quantum[used:],
            limit=load[part].tolist(),
        )  # fmt: skip
        check_matched_loads(
            block, rates.supply, rates.demand, scale=int(scale), claimed=load[part], count=count[part],
            row=row[lots], column=column[lots], amount=amount[lots],
        )  # fmt: skip
        at, sent = part.stop, lots.stop
        if context.progress is not None:
            context.progress(min(len(context.proved) + at, most), most)
    if used != len(quantum):
        raise VerificationError(f"quantum holds {len(quantum)} potentials; the loads need {used}")
    for c, x in zip(channels.tolist(), load.tolist(), strict=True):
        context.proved[first, c] = Fraction(x, int(scale)) / network.bandwidth[c]
    _check_value(context, first, first, value)


def check_among_channels(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The exact worst case of one channel, proved by the evidence of another one's claim."""
    c, other = (as_channel(context.network, data.get(key)) for key in ("channel", "with"))
    _check_about(claim, c)
    if (other, c) not in context.proved:
        raise VerificationError(f"no evidence in the claim about channel {other} is about channel {c}, too")
    _check_value(context, other, c, value)


def _check_value(context: Context, first: int, channel: int, value: Fraction) -> None:
    if context.proved[first, channel] != value:
        proved = shown(context.proved[first, channel])
        raise VerificationError(f"it is {shown(value)}; the evidence proves {proved} for channel {channel}")


def _check_about(claim: Claim, channel: int) -> None:
    if claim.quantity != "worst_case_load" or claim.about.get("model") != "balanced":
        raise VerificationError(f"evidence of the kind '{claim.evidence.kind}' is for worst_case_load, balanced")
    if claim.about.get("channel") != channel:
        raise VerificationError(
            f"it is about channel {claim.about.get('channel')}, its evidence about channel {channel}"
        )


def _numbers(data: Mapping[str, Any], what: str, size: int) -> Int64:
    numbers = unpack_ints(data.get(what), what=what, max_items=size)
    if len(numbers) != size:
        raise VerificationError(f"{what} holds {len(numbers)} numbers; {size} were expected")
    return numbers


KINDS: Mapping[str, Kind] = {
    "worst-case-channels": Kind(
        Keys({
            "scale": BOUND, "channel": NUMBERS, "load": NUMBERS, "shift": NUMBERS, "quantum": NUMBERS,
            "count": NUMBERS, "row": NUMBERS, "column": NUMBERS, "amount": NUMBERS,
        }),
        OF_CHANNEL,
        WORST,
        check_shared_channels,
    ),
    "worst-case-among": Kind(
        Keys({"channel": WHOLE, "with": WHOLE}), OF_CHANNEL, WORST, check_among_channels, rests=True
    ),
}  # fmt: skip
