"""Claims of the kind ``worst-case``: a witness from below, potentials from above."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.loads import LoadBlock
from ...core.rational import shown
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.differences import most_of_medians
from ...kernel.multipliers import base_load, check_column_potentials, check_potentials, load_under
from ...kernel.reused_bounds import limits_of
from ...routing.base.views import largest_loads
from ..kind import ANALYSES, EXACT, OF_JOBS, OF_SET, WORST, Kind, States
from ..reading import as_channel, as_fraction, as_permutation
from ..shapes import ANY, BOUND, FLAG, NUMBERS, TEXT, WHOLE, Cases, Either, Keys, ListOf, OrNull, Word, brief
from .terminal_rates import TerminalRates, demand_in, potentials_of, rates_of, rates_over, set_of

if TYPE_CHECKING:
    from ..context import Context
    from ..proofs.work import Work


class Bound(NamedTuple):
    """What is to be proved of every channel: at most ``ratio`` per unit of bandwidth, under ``rates``.

    ``by_pair``: potentials are for loads written out pair by pair; ``rising``: a bound that is met with equality must
    grow with what terminals send, so that less cannot meet it.
    """

    ratio: Fraction
    rates: TerminalRates
    by_pair: bool = False
    rising: bool = False


def check_worst_case(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The largest load per bandwidth (or, unbalanced, the largest rate that overloads nothing) is ``value``."""
    model = data["model"]
    name = model["name"]
    demands = None if claim.about.get("demands") == "unbalanced" else set_of(context, claim)
    if demands is None and claim.about.get("model", claim.about.get("demands")) != name:
        raise VerificationError(f"it is about {brief(dict(claim.about))}, its evidence about {name!r}")
    if demands is not None and name != ("balanced" if demands.is_permutations else "demands"):
        raise VerificationError(f"it is about a set of demands, its evidence about the model {name!r}")
    wanted = "worst_case_throughput" if name == "unbalanced" else "worst_case_load"
    if claim.quantity != wanted:
        raise VerificationError(f"evidence of the kind 'worst-case' under the {name} model is for {wanted}")
    ratio = as_fraction(data["ratio"], "ratio")
    if name == "unbalanced":
        rate = as_fraction(model["rate"], "model.rate")
        if rate != value or not 0 < rate <= 1:
            raise VerificationError(f"it is {shown(value)}, its evidence is for the rate {shown(rate)}")
        if ratio > 1 or (ratio < 1 and rate < 1):
            raise VerificationError(f"at the rate {shown(rate)} the worst load is {shown(ratio)}; 1 was expected")
    elif ratio != value:
        raise VerificationError(f"it is {shown(value)}, its evidence is for {shown(ratio)}")
    if demands is None or name == "balanced":
        over, rates = context, rates_of(context, model)
    else:
        over, rates = rates_over(context, demands)
    uniform = rates.every and len(set(rates.sends)) == 1 and len(set(rates.receives)) == 1
    symmetric = rates.sends == rates.receives and name != "unbalanced"  # at rate 1 they are, but not below
    label = over.classes(data["symmetry"], uniform=uniform, symmetric=symmetric)
    if data["witness"] is not None:
        check_witness(context, data["witness"], ratio, rates, demands)
    elif not (name == "unbalanced" and value == 1):
        raise VerificationError("there is no witness: a permutation or traffic that reaches the number")
    if "medians" in data:
        check_medians(context, data, name, ratio)
        return
    # A rate that saturates must be the smallest: below it, every channel stays below its bandwidth.
    bound = Bound(ratio, rates, "loads" in data, rising=name == "unbalanced" and ratio == 1)
    proved = np.array(sorted(check_proofs(over, data, bound)), dtype=np.int64)
    missing = np.setdiff1d(np.unique(label), label[proved])
    if "across" in claim.about:
        job = claim.about["across"]
        missing = missing[_used(context, job, missing)]
        if not _used(context, job, np.array([data["witness"]["channel"]])).all():
            raise VerificationError(f"the channel of its witness is not one of job {brief(job)}")
    if name == "demands":
        missing = missing[~_bounded_by_rows(over, missing, bound)]
    elif name == "balanced" and context.routing.spans is not None:
        spans = context.routing.spans
        most = np.minimum(spans.sources, spans.columns)
        missing = missing[(most > limits_of(context.network, ratio, 1))[missing]]
    if missing.size:
        c = int(missing[0])
        raise VerificationError(f"channel {c} ({context.network.channel_label(c)}) has no proof in the evidence")


def check_medians(context: Context, data: Mapping[str, Any], model: str, ratio: Fraction) -> None:
    """No permutation loads a channel with more than ``ratio``, by a number for every link: all channels at once."""
    loads, network = context.routing.differences, context.network
    if loads is None or model != "balanced" or data["bounds"] or data["exact"] or "loads" in data:
        raise VerificationError(
            "medians prove all of a worst case over permutations, and of a routing of half flows; its evidence is of "
            "another one, or has potentials besides"
        )
    middle = unpack_ints(data["medians"], what="medians", max_items=len(loads.link))
    if len(middle) != len(loads.link):
        raise VerificationError(f"it has {len(middle)} medians; {len(loads.link)} were expected")
    found = most_of_medians(network, loads, middle)
    if found > ratio:
        raise VerificationError(f"by its medians some channel may carry {shown(found)}, more than {shown(ratio)}")


def _used(context: Context, job: str, channels: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Which of the channels do packets of the job cross?"""
    demands: TransportSet | None = None if context.demands is None else context.demands.transport
    if demands is None:
        raise VerificationError("it is about the channels of a job; its set of demands has no jobs")
    return np.concatenate([np.zeros(0, dtype=bool), *(used for _, used in used_by(context, demands, job, channels))])


def used_by(
    context: Context, demands: TransportSet, job: str, channels: npt.NDArray[np.integer]
) -> Iterator[tuple[Int32, npt.NDArray[np.bool_]]]:
    """(some of the channels, which of them packets of the job cross): of terminals that may send and receive at all."""
    alone = replace(demands.only(job), total=None)
    over, _ = context.through(alone)
    sends, receives = (
        [1] * alone.size if x is None else [int(y > 0) for y in x] for x in (alone.sends, alone.receives)
    )
    supply, demand = over.by_row(sends), over.by_column(receives)
    for block in over.stream(channels, by_pair=True):
        live = (supply[block.row] > 0) & (demand[block.column] > 0) & (block.load.num > 0)
        yield block.channel, np.bincount(block.segment[live], minlength=block.num_channels) > 0


def _bounded_by_rows(context: Context, channels: npt.NDArray[np.integer], bound: Bound) -> npt.NDArray[np.bool_]:
    """Which of the channels stay at or below the ratio if every row sends all that it may to where its load is largest?
    Those need no potentials."""
    ratio, rates, by_pair, _ = bound
    found = []
    for block in context.stream(channels, by_pair=by_pair):
        live = (rates.supply[block.row] > 0) & (rates.demand[block.column] > 0) & (block.load.num > 0)
        total = [Fraction(0)] * block.num_channels
        largest: dict[tuple[int, int], Fraction] = {}
        ends = zip(block.segment[live].tolist(), block.row[live].tolist(), strict=True)
        for key, load in zip(ends, block.load[live].fractions(), strict=True):
            largest[key] = max(largest.get(key, load), load)
        for (k, i), load in largest.items():
            total[k] += load * int(rates.supply[i])
        width = [context.network.bandwidth[c] for c in block.channel.tolist()]
        found += [
            x <= ratio * b * rates.unit - _paid(block, k, rates)
            for k, (x, b) in enumerate(zip(total, width, strict=True))
        ]
    return np.array(found, dtype=bool)


def check_witness(
    context: Context,
    witness: Mapping[str, Any],
    ratio: Fraction,
    rates: TerminalRates,
    demands: TransportSet | None = None,
) -> None:
    """The witness (under the balanced model a permutation, else traffic) is admissible and loads its channel so."""
    network = context.network
    c = as_channel(network, witness["channel"])
    if rates.balanced and "permutation" in witness:
        image = as_permutation(witness["permutation"], network.num_terminals).image
        ones = ((i, j) for i, j in enumerate(image.tolist()) if rates.sends[i] and rates.receives[j])
        sent = dict.fromkeys(ones, Fraction(1))
    elif not rates.balanced and "traffic" in witness:
        sent = demand_in(network, witness["traffic"])
        _check_rates(sent, rates)
        if demands is not None:
            demands.check_admits(sent)
    else:
        raise VerificationError("its witness is of another traffic model: a permutation under balanced, else traffic")
    check_loaded(context, c, sent, ratio, "the witness loads")


def check_loaded(
    context: Context,
    c: int,
    sent: Mapping[tuple[int, int], Fraction],
    value: Fraction,
    what: str,
    *,
    by_pair: bool = False,
) -> None:
    """What terminals send loads channel c with ``value`` per bandwidth; ``what``: the message begins so."""
    routing, network = context.routing, context.network
    (block,) = context.stream(np.array([c]), by_pair=by_pair)
    row_of, column_of = routing.row_of.tolist(), routing.column_of.tolist()
    pairs = [(row_of[i], column_of[j], x) for (i, j), x in sent.items()]
    found = load_under(block, pairs, routing.row_node, routing.column_node) / network.bandwidth[c]
    if found != value:
        raise VerificationError(
            f"{what} channel {c} ({network.channel_label(c)}) with {shown(found)} per unit of bandwidth, not with "
            f"{shown(value)}"
        )


def check_same(context: Context, claim: Claim, c: int, focus: int) -> None:
    """The claim says of channel c what another one says of ``focus``, to which checked symmetry maps c."""
    if context.label[c] != context.label[focus]:
        raise VerificationError(f"no checked symmetry maps channel {c} to channel {focus}")
    other = context.same_of(claim, focus)
    if other is None:
        raise VerificationError(f"the report has no claim with evidence for channel {focus}, which it refers to")
    if other.value != claim.value:
        raise VerificationError(f"channel {focus}, which symmetry maps it to, has another value")


def _check_rates(sent: Mapping[tuple[int, int], Fraction], rates: TerminalRates) -> None:
    size = len(rates.sends)
    out, into = [Fraction(0)] * size, [Fraction(0)] * size
    for (i, j), x in sent.items():
        out[i] += x
        into[j] += x
    for t in range(size):
        if out[t] * rates.unit > rates.sends[t] or into[t] * rates.unit > rates.receives[t]:
            raise VerificationError(f"the witness's traffic sends or receives too much at terminal {t}")


def check_proofs(context: Context, data: Mapping[str, Any], bound: Bound) -> set[int]:
    """Check all proofs of the evidence; returns the channels that they cover."""
    proved: set[int] = set()
    for number, group in enumerate(data["bounds"]):
        proved.update(_check_group(context, group, f"bounds[{number}]", bound))
    proved.update(check_exact(context, item, bound) for item in data["exact"])
    return proved


def _paid(block: LoadBlock, k: int, rates: TerminalRates) -> Fraction:
    """What the block's k-th channel carries whatever the traffic is: its base part, less what idle packets pretend."""
    paid = base_load(block, k, rates.supply, rates.demand)
    return paid - rates.idle * largest_loads(block.one(k)).fraction(0) if rates.idle else paid


def _check_group(context: Context, group: Mapping[str, Any], what: str, bound: Bound) -> list[int]:
    ratio, rates, by_pair, rising = bound
    network = context.network
    count = network.num_channels
    channels = unpack_ints(group["channel"], what=f"{what}.channel", max_items=count)
    shift = unpack_ints(group["shift"], what=f"{what}.shift", max_items=count)
    most = len(channels) * len(rates.demand)
    quantum = unpack_ints(group["quantum"], what=f"{what}.quantum", max_items=most)
    scale = as_fraction(group["scale"], f"{what}.scale")
    if scale.denominator != 1 or not 1 <= scale <= 1 << 60 or len(shift) != len(channels):
        raise VerificationError(f"{what}: scale or shift does not fit its channels")
    if len(channels) and (int(channels.min()) < 0 or int(channels.max()) >= count):
        raise VerificationError(f"{what}.channel: a channel is outside the network")
    at = used = 0
    known: dict[tuple[int, Fraction], int] = {}  # a bandwidth is one object for many channels, and dear to hash
    for block in context.stream(channels, by_pair=by_pair):
        context.note(block)
        limits = []
        for k, c in enumerate(block.channel.tolist()):
            key = (id(network.bandwidth[c]), _paid(block, k, rates))
            if key not in known:
                free = (ratio * network.bandwidth[c] * rates.unit - key[1]) * scale
                known[key] = math.ceil(free) - 1 if rising else math.floor(free)
            limits.append(known[key])
        used += check_column_potentials(
            block, rates.supply, rates.demand, scale=int(scale), shift=shift[at : at + block.num_channels],
            quantum=quantum[used:], limit=limits,
        )  # fmt: skip
        at += block.num_channels
        if context.progress is not None:
            context.progress(at, len(channels))
    if used != len(quantum):
        raise VerificationError(f"{what}.quantum holds {len(quantum)} potentials; the loads need {used}")
    return [int(c) for c in channels]


def check_exact(context: Context, item: Mapping[str, Any], bound: Bound) -> int:
    """Exact potentials prove the bound for one channel, which is returned."""
    ratio, rates, by_pair, rising = bound
    c = as_channel(context.network, item["channel"])
    (block,) = context.stream(np.array([c]), by_pair=by_pair)
    unit, values, row, column = potentials_of(item, block, rates)
    free = ratio * context.network.bandwidth[c] * rates.unit - _paid(block, 0, rates)
    check_potentials(block, rates.supply, rates.demand, values=values, row=row, column=column, limit=free, unit=unit)
    if rising and not any(values[k] for k, amount in zip(row.tolist(), rates.supply.tolist(), strict=True) if amount):
        flat = sum(values[k] * n for k, n in zip(column.tolist(), rates.demand.tolist(), strict=True))
        if flat >= free * unit:
            raise VerificationError(
                f"channel {c}: its bound does not rise with the rate: a smaller one may saturate it"
            )
    return c


def elaborate_worst_case(work: Work, claim: Claim) -> None:
    from .written_potentials import worst_case

    worst_case(work, claim, claim.evidence.data)


def _meaning(claim: Claim) -> tuple[str, str, object] | None:
    """What "hose" stands for: one report has one set of rates."""
    model = claim.evidence.data.get("model")  # of no form yet
    if not isinstance(model, Mapping) or model.get("name") != "hose":
        return None
    return "traffic model", "hose", (model.get("ingress"), model.get("egress"))


BALANCED, _UNBALANCED = Word("balanced"), Word("unbalanced")
MODELS = Either("demands", OF_JOBS, Keys({"model": Word("balanced", "unbalanced", "hose")}))
"""The qualifier of a worst case: a set of demands, or a model of traffic."""
OF_CHANNEL: Mapping[str, States] = {
    "worst_case_load": States(
        EXACT,
        Grade.PROVED,
        Either("demands", OF_SET.with_keys({"channel": WHOLE}), Keys({"model": BALANCED, "channel": WHOLE})),
    )
}
"""What is stated of the worst case of one channel."""
SYMMETRY = Either(
    "found", Keys({"found": ListOf(NUMBERS)}, {"reversal": FLAG}), Keys({"declared": ListOf(TEXT)}, {"reversal": FLAG})
)
BOUNDS_OF_GROUP = Keys({"scale": BOUND, "channel": NUMBERS, "shift": NUMBERS, "quantum": NUMBERS})
POTENTIALS = Keys({"channel": WHOLE, "values": ListOf(BOUND), "row": NUMBERS, "column": NUMBERS})
PERMUTATION = Keys({"channel": WHOLE, "permutation": NUMBERS})
_WITNESS = Either("traffic", Keys({"channel": WHOLE, "traffic": ListOf(ANY)}), PERMUTATION)


WORST_CASE = Kind(
    "worst-case",
    "Traffic that loads one channel this much, and dual potentials that bound every channel from above (of half flows: "
    "medians, from which potentials follow; of D-mod-K also how many terminals send across a channel, and to how "
    "many): no admissible traffic does more.",
    Keys(
        {
            "model": Cases(
                "name",
                {
                    "balanced": {},
                    "demands": {},
                    "unbalanced": {"rate": BOUND},
                    "hose": {"ingress": ListOf(BOUND), "egress": ListOf(BOUND)},
                },
            ),
            "ratio": BOUND,
            "witness": OrNull(_WITNESS),  # a rate of 1, which overloads nothing, has none
            "symmetry": SYMMETRY,
            "bounds": ListOf(BOUNDS_OF_GROUP),
            "exact": ListOf(POTENTIALS),
        },
        {"loads": Word("by-pair"), "medians": NUMBERS},
    ),
    {
        "worst_case_load": States(EXACT, Grade.PROVED, MODELS),
        "worst_case_throughput": States(
            EXACT,
            Grade.PROVED,
            Either("demands", Keys({"demands": Word("unbalanced")}), Keys({"model": Word("unbalanced")})),
        ),
    },
    WORST,
    check_worst_case,
    meaning=_meaning,
    subjects=ANALYSES | {"adaptive", "hashing", "load-simulation"},
    whole_flows=True,
    elaborate=elaborate_worst_case,
)
