"""The worst case of single channels: by a proof of its own, by a proof that it shares with other channels, or by a
checked symmetry that maps it to another channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.errors import VerificationError
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.matched_loads import check_matched_loads
from ...kernel.multipliers import check_column_potentials
from ..context import Context
from ..kind import ANALYSES, WORST, Kind
from ..proofs.images import moved, moved_demand
from ..proofs.proof import NotElaborated, number, numbers
from ..proofs.work import Shared, Work
from ..proofs.written import Demand, demand, permutations, written_transport
from ..reading import as_channel, as_numbers, as_scale, check_value
from ..shapes import ANY, BOUND, NUMBERS, WHOLE, Either, Keys, ListOf, Shape, Word
from .terminal_rates import TerminalRates, rates_over, set_of
from .worst_case import OF_CHANNEL, Bound, check_exact, check_same, check_witness
from .written_potentials import exact_potentials, rounded_potentials, sent_in, set_name

_MOST_PACKETS = 1 << 24


def _check_own(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Exact potentials and a permutation, both for this channel."""
    _channel(context, claim, data["channel"])
    demands = set_of(context, claim)
    if demands is None or demands.is_permutations:
        over, rates = context, TerminalRates.one_each(context)
    else:
        over, rates = rates_over(context, demands)
    check_witness(context, data, value, rates, demands)
    check_exact(over, data, Bound(value, rates, "loads" in data))


def _check_same_class(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """The worst case equals that of another channel, to which checked symmetry maps this one."""
    c, focus = _channel(context, claim, data["channel"]), as_channel(context.network, data["focus"])
    demands = set_of(context, claim)
    if demands is not None and not demands.is_symmetric:
        raise VerificationError("its set of demands is not the same from every channel that symmetry maps to another")
    check_same(context, claim, c, focus)


def _check_shared(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """Of every channel of a group: potentials from above, packets that reach it from below.

    The claim itself is about the first of them; what is proved of all is kept for the claims that refer to it.
    """
    network = context.network
    most = network.num_channels
    channels = unpack_ints(data["channel"], what="channel", max_items=most)
    if not len(channels):
        raise VerificationError("its evidence is about no channel")
    first, last = int(channels[0]), int(channels[-1])
    if first < 0 or last >= most or (np.diff(channels) <= 0).any():
        raise VerificationError(f"its evidence must be about different channels of 0 to {most - 1}, in ascending order")
    _channel(context, claim, first)
    _check_balanced(context, claim)
    load, shift, count = (as_numbers(data[what], what, len(channels)) for what in ("load", "shift", "count"))
    rates = TerminalRates.one_each(context)
    quantum = unpack_ints(data["quantum"], what="quantum", max_items=len(channels) * len(rates.demand))
    if int(count.min()) < 0 or int(count.max()) > network.num_terminals or int(count.sum()) > _MOST_PACKETS:
        raise VerificationError(
            f"count holds {int(count.min())} to {int(count.max())}; lots of packets, at most as many as terminals and "
            f"{_MOST_PACKETS:,} in all, were expected"
        )
    row, column, amount = (as_numbers(data[what], what, int(count.sum())) for what in ("row", "column", "amount"))
    scale = as_scale(data["scale"], "scale", 1 << 60)
    at = used = sent = 0
    for block in context.stream(channels, by_pair=False):
        if block.base is not None:
            raise VerificationError("its loads have a part that every pair shares, which this evidence leaves out")
        context.note(block)
        part = slice(at, at + block.num_channels)
        lots = slice(sent, sent + int(count[part].sum()))
        used += check_column_potentials(
            block, rates.supply, rates.demand, scale=scale, shift=shift[part], quantum=quantum[used:],
            limit=load[part].tolist(),
        )  # fmt: skip
        check_matched_loads(
            block, rates.supply, rates.demand, scale=scale, claimed=load[part], count=count[part],
            row=row[lots], column=column[lots], amount=amount[lots],
        )  # fmt: skip
        at, sent = part.stop, lots.stop
        if context.progress is not None:
            context.progress(min(len(context.proved) + at, most), most)
    if used != len(quantum):
        raise VerificationError(f"quantum holds {len(quantum)} potentials; the loads need {used}")
    for c, x in zip(channels.tolist(), load.tolist(), strict=True):
        context.proved[first, c] = Fraction(x, scale) / network.bandwidth[c]
    check_value(claim, context.proved[first, first], f"the evidence proves for channel {first}")


def _check_among(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """The worst case is proved by the evidence of another channel's claim."""
    c, other = _channel(context, claim, data["channel"]), as_channel(context.network, data["with"])
    _check_balanced(context, claim)
    if (other, c) not in context.proved:
        raise VerificationError(f"no evidence in the claim about channel {other} is about channel {c}, too")
    check_value(claim, context.proved[other, c], f"the evidence proves for channel {c}")


def _check_balanced(context: Context, claim: Claim) -> None:
    demands = set_of(context, claim)
    if demands is not None and not demands.is_permutations:
        raise VerificationError("evidence that channels share is about permutations, not about another set of demands")


def _channel(context: Context, claim: Claim, value: object) -> int:
    """The channel of the evidence, which is the claim's."""
    c = as_channel(context.network, value)
    if claim.about["channel"] != c:
        raise VerificationError(f"it is about channel {claim.about['channel']}, its evidence about channel {c}")
    return c


def elaborate_channel(work: Work, claim: Claim) -> None:
    """The worst case of one channel, by a proof of its own or one that it shares; or by the image of that of another
    channel, which symmetry maps to it."""
    of, image = claim, None
    if claim.evidence.kind == "same-class":
        c, focus = claim.evidence.data["channel"], claim.evidence.data["focus"]
        of, image = _other(work, claim, focus), work.images_of_classes[c]
    context, data = work.context, of.evidence.data
    demands = set_of(context, claim)
    if demands is None or demands.is_permutations:
        over, rates = context, TerminalRates.one_each(context)
        written = permutations(work.network.num_terminals)
    else:
        over, rates = rates_over(context, demands)
        written = written_transport(demands, set_name(claim, demands))
    label = work.alike(written) if image is not None else None
    if label is not None and label[claim.about["channel"]] == label[of.about["channel"]]:
        work.says_the_same(claim, int(claim.about["channel"]), of)
        return
    if of.evidence.kind == "worst-case-channel":
        c, (scale, u, v, x) = exact_potentials(over, data, rates, "loads" in data)
        sent: Demand = sent_in(work, data)
    else:
        c, x = int(of.about["channel"]), 0
        (scale, u, v), sent = _of_group(work, of)[c]
    if image is not None:
        c, (u, v), sent = int(image.channel[c]), moved(image, u, v), moved_demand(image, work.network, sent)
    row_of, column_of = over.routing.row_of.tolist(), over.routing.column_of.tolist()
    evidence = [[c, number(scale), numbers(u[k] for k in row_of), numbers(v[k] for k in column_of), number(x)]]
    position = work.proof.set_of(written)
    work.at_most(claim, position, evidence, [c])
    work.at_least(claim, position, c, demand(sent))


def _other(work: Work, claim: Claim, channel: int) -> Claim:
    found = work.context.same_of(claim, channel)
    if found is None:
        raise NotElaborated(f"the report has no evidence for channel {channel}, on which it rests")
    return found


def _of_group(work: Work, claim: Claim) -> Mapping[int, Shared]:
    """By channel: potentials by row and column with their scale, and packets of terminals, of the group's evidence."""
    data = claim.evidence.data
    first = data["with"] if "with" in data else claim.about["channel"]
    if first not in work.shared:
        group = _other(work, claim, first).evidence.data
        work.shared[first] = dict(_each_of_group(work.context, group))
    return work.shared[first]


def _each_of_group(context: Context, data: Mapping[str, Any]) -> Iterator[tuple[int, Shared]]:
    rates, routing = TerminalRates.one_each(context), context.routing
    most, scale = context.network.num_channels, int(as_scale(data["scale"], "scale", 1 << 60))
    names = ("channel", "shift", "count", "quantum", "row", "column", "amount")
    channels, shift, count, quantum, *lots = (
        unpack_ints(data[what], what=what, max_items=max(_MOST_PACKETS, most * len(rates.demand))) for what in names
    )
    used = sent = 0
    blocks = (x.one(k) for x in context.stream(channels, by_pair=False) for k in range(x.num_channels))
    for k, block in enumerate(blocks):
        u, v, taken = rounded_potentials(block, rates, scale, quantum[used:], int(shift[k]))
        packets = zip(*(x[sent : sent + int(count[k])].tolist() for x in lots), strict=True)
        used, sent = used + taken, sent + int(count[k])
        yield int(channels[k]), ((scale, u, v), _of_terminals(packets, routing.row_of, routing.column_of))


def _of_terminals(packets: Iterable[tuple[int, int, int]], row_of: Int32, column_of: Int32) -> Demand:
    """One packet to a terminal of the row, from a terminal of the column, none twice."""
    senders, receivers = ([np.flatnonzero(x == k).tolist() for k in range(max(x) + 1)] for x in (row_of, column_of))
    return {
        (senders[row].pop(), receivers[column].pop()): Fraction(1)
        for row, column, amount in packets for _ in range(amount)
    }  # fmt: skip


_FOLLOWING = ("row_after", "column_after", "row_start", "column_start")
_REACHED: Mapping[str, Shape] = {"loads": Word("by-pair"), "permutation": NUMBERS, "traffic": ListOf(ANY)}
WORST_CASE_CHANNEL = Kind(
    "worst-case-channel",
    "A permutation that loads the channel this much, and dual potentials that bound its load from above.",
    Either(
        "values",
        Keys({"channel": WHOLE, "values": ListOf(BOUND), "row": NUMBERS, "column": NUMBERS}, _REACHED),
        Keys({"channel": WHOLE, "scale": BOUND, **dict.fromkeys(_FOLLOWING, NUMBERS)}, _REACHED),
    ),
    OF_CHANNEL,
    WORST,
    _check_own,
    subjects=ANALYSES,
    whole_flows=True,
    elaborate=elaborate_channel,
)
SAME_CLASS = Kind(
    "same-class",
    "A symmetry, which is checked, maps the channel to another one, whose claim has the evidence.",
    Keys({"channel": WHOLE, "focus": WHOLE}),
    OF_CHANNEL,
    WORST,
    _check_same_class,
    rests=True,
    subjects=ANALYSES,
    whole_flows=True,
    elaborate=elaborate_channel,
)
WORST_CASE_CHANNELS = Kind(
    "worst-case-channels",
    "For each channel of a group, packets that load it this much, and dual potentials that bound its load from above.",
    Keys(
        {
            "scale": BOUND,
            "channel": NUMBERS,
            "load": NUMBERS,
            "shift": NUMBERS,
            "quantum": NUMBERS,
            "count": NUMBERS,
            "row": NUMBERS,
            "column": NUMBERS,
            "amount": NUMBERS,
        }
    ),
    OF_CHANNEL,
    WORST,
    _check_shared,
    subjects=ANALYSES,
    whole_flows=True,
    elaborate=elaborate_channel,
)
WORST_CASE_AMONG = Kind(
    "worst-case-among",
    "The packets and potentials of this channel are in the evidence of another channel's claim.",
    Keys({"channel": WHOLE, "with": WHOLE}),
    OF_CHANNEL,
    WORST,
    _check_among,
    rests=True,
    subjects=ANALYSES,
    whole_flows=True,
    elaborate=elaborate_channel,
)
