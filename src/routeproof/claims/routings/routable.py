"""Claims of the kind ``routable``: the worst case over every demand that some flow carries.

A flow that respects all bandwidths, and the load that its demand makes, show that the ratio is at least so much.  For
whole lengths l(e) >= 0 of channels, a flow uses at most sum b(e) l(e) of length, and every unit from i to j at least
their distance; so where load(i, j) sum b(e) l(e) <= ratio b(c) distance(i, j) for all pairs, none loads c more.

A claim about one channel is proved just so, of that channel; one whose channel is equivalent to another by a symmetry
that was checked may refer to that one's claim (``routable-class``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Evidence, Grade
from ...core.errors import VerificationError
from ...core.loads import LoadBlock
from ...core.rational import shown
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.shortest_paths import Distances, all_distances
from ..context import Context
from ..kind import ANALYSES, BOUNDS, Kind, States
from ..proofs.images import Image, images, maps_of, pairs_moved
from ..proofs.proof import NotElaborated, each_way, expect_bytes, number, numbers
from ..proofs.work import Work
from ..proofs.written import WRITTEN_ROUTABLE, distances_from, senders
from ..reading import as_channel, as_fraction
from ..shapes import ANY, NUMBERS, WHOLE, Keys, ListOf, Word
from ..work import spend
from .terminal_rates import read_flow
from .worst_case import SYMMETRY, check_loaded, check_same

_CLOSE = 1e-9
_WITNESS, _PROOF = ("channel", "flow"), ("lengths", "focus", "proof", "symmetry")


def check_routable(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The oblivious ratio is at least, at most or just ``value``."""
    wanted = {x for needed, x in ((claim.relation != "<=", _WITNESS), (claim.relation != ">=", _PROOF)) if needed}
    keys = {key for some in wanted for key in some}
    if set(data) - {"loads"} != keys:
        raise VerificationError(f"its evidence has {', '.join(sorted(data))}; {', '.join(sorted(keys))} were expected")
    if value <= 0:
        raise VerificationError(f"it is {shown(value)}; a positive number was expected")
    channel = None if "channel" not in claim.about else as_channel(context.network, claim.about["channel"])
    if _WITNESS in wanted:
        if channel not in (None, data["channel"]):
            raise VerificationError(f"it is about channel {channel}, its flow about channel {data['channel']}")
        _check_flow(context, data, value)
    if _PROOF in wanted:
        _check_lengths(context, data, value, channel)


def _check_class(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """The ratio of a channel is that of another one, to which checked symmetry maps it."""
    c, focus = (as_channel(context.network, data[key]) for key in ("channel", "focus"))
    if claim.about["channel"] != c:
        raise VerificationError(f"it is about channel {claim.about['channel']}, its evidence about channel {c}")
    check_same(context, claim, c, focus)


def _check_flow(context: Context, data: Mapping[str, Any], value: Fraction) -> None:
    """The flow respects every bandwidth, and its demand loads its channel with ``value``."""
    network = context.network
    c = as_channel(network, data.get("channel"))
    paths, used = read_flow(network, data["flow"], "flow")
    if any(not path[3] for path in data["flow"]):
        raise VerificationError("a path of its flow has no channels")
    for e, (x, b) in enumerate(zip(used, network.bandwidth, strict=True)):
        if x > b:
            label = network.channel_label(e)
            raise VerificationError(f"the flow puts {shown(x)} on channel {e} ({label}), whose bandwidth is {shown(b)}")
    sent: dict[tuple[int, int], Fraction] = {}
    for i, j, amount in paths:
        sent[i, j] = sent.get((i, j), Fraction(0)) + amount
    check_loaded(context, c, sent, value, "the flow's demand loads", by_pair="loads" in data)


def _check_lengths(context: Context, data: Mapping[str, Any], value: Fraction, channel: int | None) -> None:
    """Every channel that is ever loaded (or the one) has lengths that bound it, or is equivalent to one that has."""
    network = context.network
    count = network.num_channels
    label = context.classes(data["symmetry"], uniform=True, symmetric=True)
    focus = unpack_ints(data.get("focus"), what="focus", max_items=count)
    proof = unpack_ints(data.get("proof"), what="proof", max_items=count)
    lengths = data["lengths"]
    if len(focus) != len(proof) or (len(focus) and not 0 <= int(focus.min()) <= int(focus.max()) < count):
        raise VerificationError("'focus' and 'proof' must name a channel and its lengths, one after the other")
    if len(proof) and not 0 <= int(proof.min()) <= int(proof.max()) < len(lengths):
        raise VerificationError(f"'proof' names lengths beyond the {len(lengths)} that there are")
    by_pair = "loads" in data
    for which, packed in enumerate(lengths):
        length = unpack_ints(packed, what=f"lengths[{which}]", max_items=count)
        if len(length) != count or int(length.min(initial=0)) < 0:
            raise VerificationError(f"lengths[{which}] must be {count} whole numbers >= 0")
        spent = sum((int(x) * b for x, b in zip(length.tolist(), network.bandwidth, strict=True) if x), Fraction(0))
        if not spent:
            raise VerificationError(f"lengths[{which}] are 0 everywhere, which bounds nothing")
        spend(network.num_nodes * count / 20, "shortest distances under lengths")
        distance = all_distances(network, length)
        for block in context.stream(focus[proof == which], by_pair=by_pair):
            for k in range(block.num_channels):
                _check_channel(context, block.one(k), distance, spent, value)
    wanted = np.unique(label if channel is None else label[[channel]])
    missing = np.setdiff1d(wanted, label[focus])
    for block in context.stream(missing, by_pair=by_pair):
        for k in range(block.num_channels):
            if len(_between_terminals(context, block.one(k)).row) or block.base is not None:
                c = int(block.channel[k])
                raise VerificationError(f"channel {c} ({network.channel_label(c)}) has no lengths in the evidence")


def _between_terminals(context: Context, block: LoadBlock) -> LoadBlock:
    """The loads of one channel without those of nodes that have no terminals, and send or receive nothing."""
    ones = [1] * context.network.num_terminals
    live = (context.by_row(ones)[block.row] > 0) & (context.by_column(ones)[block.column] > 0) & (block.load.num > 0)
    offset = np.array([0, int(live.sum())], dtype=np.int64)
    return LoadBlock(block.channel, offset, block.row[live], block.column[live], block.load[live], block.base)


def _check_channel(context: Context, block: LoadBlock, distance: Distances, spent: Fraction, value: Fraction) -> None:
    """load * spent <= value * bandwidth * distance for every pair, where ``spent`` > 0.

    Floats, a million times less exact than they are, say which pairs are close; those are compared as fractions.
    """
    routing, network = context.routing, context.network
    c = int(block.channel[0])
    if block.base is not None:
        raise VerificationError(f"the loads of channel {c} are not written out pair by pair, as its evidence must say")
    block = _between_terminals(context, block)
    if not len(block.row):
        return
    node = distance.node
    far = distance.between[node[routing.row_node[block.row]], node[routing.column_node[block.column]]]
    limit = value * network.bandwidth[c]
    worst = np.flatnonzero(far <= 0)[:1]  # no distance, and a load
    if not len(worst):
        about = np.array(block.load.num / block.load.den, dtype=np.float64) / far
        close = np.flatnonzero(~(about < about.max() * (1 - _CLOSE)))
        worst = close[[block.load.fraction(e) * spent > limit * int(far[e]) for e in close.tolist()]]
    if len(worst):
        e = int(worst[0])
        raise VerificationError(
            f"channel {c} ({network.channel_label(c)}): the lengths do not bound what row {int(block.row[e])} "
            f"sends to column {int(block.column[e])}"
        )


_ABOUT = {"demands": Word("routable")}
_SOURCES = frozenset({"Applegate & Cohen 2003 (SIGCOMM), theorem 1"})


def elaborate_routable(work: Work, claim: Claim) -> None:
    network, data = work.network, claim.evidence.data
    position = work.proof.set_of(WRITTEN_ROUTABLE)

    def one_way(relation: str) -> None:
        if relation == ">=":
            work.at_least(claim, position, data["channel"], flow_of(data))
            return
        channels = None if "channel" not in claim.about else [int(claim.about["channel"])]
        evidence = _written_evidence(work, data, channels)
        expect_bytes(8 * len(evidence) * network.num_nodes**2, f"the oblivious ratio on {network.name}")
        work.at_most(claim, position, evidence, channels)

    each_way(claim, one_way)


def elaborate_class(work: Work, claim: Claim) -> None:
    """The image of the flow and the lengths of the channel that symmetry maps it to."""
    c, focus = claim.evidence.data["channel"], claim.evidence.data["focus"]
    other, image = work.context.same_of(claim, focus), work.images_of_classes[c]
    if other is None or image.of != focus:
        raise NotElaborated(f"channel {focus}, to which symmetry maps it, is not the least of its class")
    moved_pair, channel = pairs_moved(image, work.network), image.channel.tolist()
    data = dict(other.evidence.data)
    if "flow" in data:
        step = -1 if image.swap else 1
        data["flow"] = [[*moved_pair(i, j), x, [channel[e] for e in path][::step]] for i, j, x, path in data["flow"]]
    elaborate_routable(work, replace(claim, evidence=Evidence("routable", {**data, "channel": c})))


def flow_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The demand that the evidence's flow carries, with the flow."""
    flow = [(i, j, as_fraction(x, "amount"), path) for i, j, x, path in data["flow"]]
    weight = math.lcm(*(x.denominator for *_, x, _ in flow))
    sent: dict[tuple[int, int], int] = {}
    for i, j, x, _ in flow:
        sent[i, j] = sent.get((i, j), 0) + int(x * weight)
    return {
        "weight": number(weight), "entries": [[i, j, number(n)] for (i, j), n in sent.items() if n],
        "because": [[i, j, number(int(x * weight)), path] for i, j, x, path in flow if x],
    }  # fmt: skip


def _written_evidence(work: Work, data: Mapping[str, Any], channels: list[int] | None) -> list[list[Any]]:
    network, nodes = work.network, senders(work.network)
    count = network.num_channels
    focus = unpack_ints(data["focus"], what="focus", max_items=count).tolist()
    proof = unpack_ints(data["proof"], what="proof", max_items=count).tolist()
    tables = {}
    for which in set(proof):
        length = unpack_ints(data["lengths"][which], what="lengths", max_items=count).tolist()
        tables[which] = length, distances_from(network, range(network.num_nodes), length)
    of = dict(zip(focus, proof, strict=True))
    maps = maps_of(work.context, data["symmetry"])
    found = []
    carried = images(network, focus, maps)
    label = work.alike(WRITTEN_ROUTABLE)
    every = range(count) if label is None else np.unique(label).tolist()
    for c in channels or every:
        if c in carried:
            image = carried[c]
            length, far = _moved(work, tables[of[image.of]], image)
        elif work.loaded[c]:
            raise NotElaborated(f"channel {c} has lengths for which no symmetry of the report is enough")
        else:
            length, far = [0] * count, {s: [0] * network.num_nodes for s in range(network.num_nodes)}
        found.append([c, numbers(length), [[s, numbers(far[s])] for s in nodes]])
    return found


def _moved(
    work: Work, table: tuple[list[int], dict[int, list[int]]], image: Image
) -> tuple[list[int], dict[int, list[int]]]:
    """Lengths and distances, carried along the image; where it reverses paths, from v to s as they were from s to v."""
    length, far = table
    network, node = work.network, image.node.tolist()
    there = [0] * network.num_channels
    for c, x in zip(image.channel.tolist(), length, strict=True):
        there[c] = x
    moved = {}
    for s, s_there in enumerate(node):
        row = [0] * network.num_nodes
        for v, v_there in enumerate(node):
            row[v_there] = far[v][s] if image.swap else far[s][v]
        moved[s_there] = row
    return there, moved


ROUTABLE = Kind(
    "routable",
    "A flow within all bandwidths whose demand loads the channel this much, and lengths of channels that "
    "bound, by shortest paths, what any flow within the bandwidths can load.",
    Keys(
        {},
        {
            "channel": WHOLE,
            "flow": ListOf(ANY),
            "lengths": ListOf(NUMBERS),
            "focus": NUMBERS,
            "proof": NUMBERS,
            "symmetry": SYMMETRY,
            "loads": Word("by-pair"),
        },
    ),
    {"worst_case_load": States(BOUNDS, Grade.PROVED, Keys(_ABOUT, {"channel": WHOLE}))},
    _SOURCES,
    check_routable,
    subjects=ANALYSES | {"adaptive"},
    whole_flows=True,
    elaborate=elaborate_routable,
)
ROUTABLE_CLASS = Kind(
    "routable-class",
    "A symmetry, which is checked, maps the channel to another one, whose claim has the flow and the lengths.",
    Keys({"channel": WHOLE, "focus": WHOLE}),
    {"worst_case_load": States(BOUNDS, Grade.PROVED, Keys({**_ABOUT, "channel": WHOLE}))},
    _SOURCES,
    _check_class,
    rests=True,
    subjects=ANALYSES,
    whole_flows=True,
    elaborate=elaborate_class,
)
