"""Worst cases of a routing over transport sets and matrices."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np

from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.loads import DifferenceLoads, LoadBlock
from ...core.symmetry import orbit_labels
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.multipliers import rounded_up
from ...routing.base.views import Capped, largest_loads
from ..context import Context
from ..proofs.images import images, maps_of, moved
from ..proofs.proof import NotElaborated, expect_bytes, number, numbers
from ..proofs.work import Work
from ..proofs.written import demand, permutations, transport, written_transport
from ..reading import as_fraction, as_permutation
from .terminal_rates import TerminalRates, demand_in, potentials_of, rates_of, rates_over, set_of

Potentials = tuple[int, list[int], list[int], int]
"""A scale, and over it the multipliers of rows, of columns and of the total."""


def worst_case(work: Work, claim: Claim, data: Mapping[str, Any]) -> None:
    """What ``data`` proves, both ways, stated as ``claim`` is (a load, or a rate that saturates)."""
    context, ratio = work.context, as_fraction(data["ratio"], "ratio")
    model = data["model"]["name"]
    demands = None if model in ("balanced", "unbalanced", "hose") else set_of(context, claim)
    over, rates = (context, rates_of(context, data["model"])) if demands is None else rates_over(context, demands)
    written = _written_set(claim, data["model"], rates, demands)
    position, network = work.proof.set_of(written), work.network
    label = work.alike(written) if claim.quantity == "worst_case_load" else None
    count = network.num_channels if label is None else len(np.unique(label))
    expect_bytes(8 * count * 2 * network.num_terminals, f"the worst case on {network.name}")
    evidence = list(written_evidence(over, data, rates, label))
    if "across" in claim.about:
        raise NotElaborated("which channels packets of the job cross is not in the proof")
    about = {"routing": work.routing, "demands": position}
    most = work.claim("worst-case-at-most", ratio, **about, channels=None, evidence=evidence)
    ends, witness = {"<=": most}, data["witness"]
    if witness is not None:
        sent = demand(sent_in(work, witness))
        ends[">="] = work.claim("worst-case-at-least", ratio, **about, channel=int(witness["channel"]), demand=sent)
    if claim.quantity == "worst_case_load":
        for relation, found in ends.items():
            work.states(claim, relation, found)
    elif ratio == 1:
        work.proof.claim("unsaturated-below", **about, evidence=evidence)


def sent_in(work: Work, witness: Mapping[str, Any]) -> dict[tuple[int, int], Fraction]:
    if "permutation" in witness:
        image = as_permutation(witness["permutation"], work.network.num_terminals).image.tolist()
        source, sink = work.network.source.tolist(), work.network.sink.tolist()
        return {(i, j): Fraction(1) for i, j in enumerate(image) if source[i] != sink[j]}
    return demand_in(work.network, witness["traffic"])


def _written_set(
    claim: Claim, model: Mapping[str, Any], rates: TerminalRates, demands: TransportSet | None
) -> dict[str, Any]:
    size = len(rates.sends)
    if demands is not None:
        return written_transport(demands, set_name(claim, demands))
    if model["name"] == "balanced":
        return permutations(size)
    rows, columns = ([Fraction(x, rates.unit) for x in side] for side in (rates.sends, rates.receives))
    return transport(model["name"], rows, columns)


def set_name(claim: Claim, demands: TransportSet) -> str:
    return demands.text if "job" not in claim.about else f"{demands.text}, job {claim.about['job']}"


def written_evidence(
    over: Context, data: Mapping[str, Any], rates: TerminalRates, label: Int32 | None = None
) -> Iterator[list[Any]]:
    """One entry for every channel: of the report's own proofs, of their images, and of channels that need none; or for
    one of those with each ``label``."""
    network, routing = over.network, over.routing
    proved = dict(potentials_in(over, data, rates))
    row_of, column_of = routing.row_of.tolist(), routing.column_of.tolist()
    maps = maps_of(over, data["symmetry"])
    of = orbit_labels(network.num_channels, [g.channel for g in maps])
    rest = np.flatnonzero(~np.isin(of, of[np.array(list(proved), dtype=np.int64)]))
    # Of each class of channels, the least was judged by rows; turned round, its rows are columns.
    by_rows = dict(_by_rows(over, rest[of[rest] == rest], rates, "loads" in data))
    if label is None:
        found = itertools.chain(*(_of_images(images(network, x, maps), x) for x in (proved, by_rows)))
    else:
        known = {**proved, **by_rows}
        first = {int(label[c]): c for c in known}
        found = itertools.chain((c, known[c]) for c in first.values())
        if len(first) < len(np.unique(label)):  # the others are images with paths turned round
            turned = {c: x for c, x in images(network, known, maps).items() if label[c] == c and c not in first}
            found = itertools.chain(found, _of_images(turned, known))
    for c, (scale, u, v, x) in found:
        yield [c, number(scale), numbers(u[k] for k in row_of), numbers(v[k] for k in column_of), number(x)]


def _of_images(carried: Mapping[int, Any], proved: Mapping[int, Potentials]) -> Iterator[tuple[int, Potentials]]:
    for c, image in sorted(carried.items()):
        scale, u, v, x = proved[image.of]
        if image.of != c:
            u, v = moved(image, u, v)
        yield c, (scale, u, v, x)


def potentials_in(over: Context, data: Mapping[str, Any], rates: TerminalRates) -> Iterator[tuple[int, Potentials]]:
    """By channel, of those that the evidence has potentials of."""
    by_pair, count = "loads" in data, over.network.num_channels
    if "medians" in data and over.routing.differences is not None:
        yield from _of_medians(over, over.routing.differences, data["medians"])
    for group in data["bounds"]:
        channels = unpack_ints(group["channel"], what="channel", max_items=count)
        shift = unpack_ints(group["shift"], what="shift", max_items=count)
        quantum = unpack_ints(group["quantum"], what="quantum", max_items=len(channels) * len(rates.demand))
        scale = int(as_fraction(group["scale"], "scale"))
        used = at = 0
        for block in over.stream(channels, by_pair=by_pair):
            for k in range(block.num_channels):
                one = block.one(k)
                u, v, count_used = rounded_potentials(one, rates, scale, quantum[used:], int(shift[at]))
                used, at = used + count_used, at + 1
                yield int(one.channel[0]), _with_base(over, one, rates, scale, u, v)
    for item in data["exact"]:
        yield exact_potentials(over, item, rates, by_pair)


def _of_medians(over: Context, loads: DifferenceLoads, medians: Any) -> Iterator[tuple[int, Potentials]]:
    """max(0, d_i - d_j) <= max(0, d_i - m) + max(0, m - d_j)."""
    middle = unpack_ints(medians, what="medians", max_items=len(loads.link))
    size = over.network.num_nodes
    for way, channels in ((1, loads.link), (-1, loads.back)):
        for e, c in enumerate(channels.tolist()):
            u, v = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
            above = way * (loads.flow[:, e] - middle[e])
            u[loads.node], v[loads.node] = np.maximum(above, 0), np.maximum(-above, 0)
            yield c, (loads.unit, u.tolist(), v.tolist(), 0)


def rounded_potentials(
    block: LoadBlock, rates: TerminalRates, scale: int, quantum: Any, shift: int
) -> tuple[list[int], list[int], int]:
    """(of rows, of columns, how many quanta were used): as ``check_column_potentials`` takes them."""
    live = (rates.supply[block.row] > 0) & (rates.demand[block.column] > 0) & (block.load.num > 0)
    row, column = block.row[live], block.column[live]
    weight = rounded_up(block.load[live], scale)
    v = np.zeros(len(rates.demand), dtype=np.int64)
    taking_part = np.unique(column)
    v[taking_part] = quantum[: len(taking_part)] << shift
    u = np.zeros(len(rates.supply), dtype=np.int64)
    np.maximum.at(u, row, weight - v[column])
    return u.tolist(), v.tolist(), len(taking_part)


def exact_potentials(
    over: Context, item: Mapping[str, Any], rates: TerminalRates, by_pair: bool
) -> tuple[int, Potentials]:
    c = int(item["channel"])
    (block,) = over.stream(np.array([c]), by_pair=by_pair)
    unit, values, *sides = potentials_of(item, block, rates)
    scale = unit * math.lcm(*{x.denominator for x in values})
    u, v = ([int(values[k] * scale) // unit for k in side.tolist()] for side in sides)
    return c, _with_base(over, block, rates, scale, u, v)


def _with_base(
    over: Context, block: LoadBlock, rates: TerminalRates, scale: int, u: list[int], v: list[int]
) -> Potentials:
    """The base part of the loads goes to the potentials; those of idle packets become the multiplier of the total.

    Rows and columns that send and receive nothing pay for their largest loads, which costs nothing.
    """
    total = 0
    u, v = _with_silent(block, rates, scale, u, v)
    if isinstance(over.routing, Capped) and rates.idle:
        top = largest_loads(block).fraction(0)
        if scale % top.denominator:
            scale, factor = scale * top.denominator, top.denominator
            u, v = [x * factor for x in u], [x * factor for x in v]
        total = max(0, int(top * scale) - u[-1])  # columns pay for idle packets, too: v + u[-1] >= top
        v = [max(0, x - total) for x in v]
    if block.base is None:
        return scale, u, v, total
    row, column = block.base.row[0], block.base.column[0]
    common = math.lcm(scale, *row.denominators(), *column.denominators())
    parts = []
    for own, base, amount in ((u, row, rates.supply), (v, column, rates.demand)):
        scaled = base.scaled(common).tolist()
        used = amount.tolist()
        both = [(x * (common // scale) + int(y), n) for x, y, n in zip(own, scaled, used, strict=True)]
        parts.append([x if n else max(0, x) for x, n in both])
    return common, parts[0], parts[1], total * (common // scale)


def _with_silent(
    block: LoadBlock, rates: TerminalRates, scale: int, u: list[int], v: list[int]
) -> tuple[list[int], list[int]]:
    u, v = list(u), list(v)
    silent = (rates.supply[block.row] == 0) | (rates.demand[block.column] == 0)
    ends = zip(block.row[silent].tolist(), block.column[silent].tolist(), strict=True)
    for (i, j), x in zip(ends, block.load[silent].fractions(), strict=True):
        if not rates.supply[i]:
            u[i] = max(u[i], math.ceil(x * scale))
        else:
            v[j] = max(v[j], math.ceil(x * scale))
    return u, v


def _by_rows(over: Context, channels: Any, rates: TerminalRates, by_pair: bool) -> Iterator[tuple[int, Potentials]]:
    """Channels that need no potentials: every row pays for its largest load, or every column of a permutation."""
    if not len(channels):
        return
    for block in over.stream(channels, by_pair=by_pair):
        for k in range(block.num_channels):
            one = block.one(k)
            scale = math.lcm(*one.load.denominators())
            u, v = [0] * len(rates.supply), [0] * len(rates.demand)
            for i, j, x in zip(one.row.tolist(), one.column.tolist(), one.load.scaled(scale).tolist(), strict=True):
                if rates.supply[i] and rates.demand[j]:
                    u[i], v[j] = max(u[i], int(x)), max(v[j], int(x))
            by_columns = rates.balanced and sum(map(mul, v, rates.demand)) < sum(map(mul, u, rates.supply))
            u, v = ([0] * len(u), v) if by_columns else (u, [0] * len(v))
            yield int(one.channel[0]), _with_base(over, one, rates, scale, u, v)
