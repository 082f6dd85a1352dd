"""The worst of a few matrices of rates: sums of loads, one matrix at a time.

The largest demand of a box, pair by pair, is one matrix: no load is negative, so nothing in the box loads any channel
more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Evidence, Grade
from ...core.errors import InputError
from ...core.rational import INT64_MAX, Rationals, as_int_array, exact_sums
from ...core.stage import Progress
from ...demands.demand_set import DemandSet, Pair
from ...routing.base.routing import Routing
from .channel_classes import channel_classes
from .evidence import SOURCE, refuse_sampled
from .exact import WorstCase
from .models import Model
from .scan_block import Bounds
from .transport import Weights
from .transport_arrays import Rates

_STEP, _MOST_STEP, _ENTRIES = 64, 1 << 16, 4_000_000


def worst_of_matrices(
    routing: Routing,
    demands: DemandSet,
    matrices: Mapping[str, Mapping[Pair, Fraction]],
    *,
    all_channels: bool = False,
    progress: Progress | None = None,
) -> tuple[WorstCase, str]:
    """(the largest load per bandwidth over all channels and matrices, the name of the matrix that makes it).

    ``matrices``: by name, each with its rates by pair of terminals; ``demands``: the set that they are of.
    ``progress(done, total)`` is called now and then, in pairs.  Raises InputError where no channel is ever loaded.
    """
    network = routing.network
    best = [Fraction(0)] * network.num_channels
    by = [""] * network.num_channels
    done, total = 0, sum(map(len, matrices.values()))
    for name, rates in matrices.items():
        for c, load in loads_of_rates(routing, rates, progress=progress, done=done, total=total).items():
            ratio = load / network.bandwidth[c]
            if ratio > best[c]:
                best[c], by[c] = ratio, name
        done += len(rates)
    top = max(best)
    if not top:
        raise InputError(f"{demands.text} loads no channel of {network.name}: there is no worst case")
    worst = [c for c, x in enumerate(best) if x == top]
    chosen = by[worst[0]]
    traffic = [(i, j, x) for (i, j), x in sorted(matrices[chosen].items()) if x]
    found = plain_worst_case(routing, demands, top, worst, traffic, best if all_channels else None)
    return found, chosen


def plain_worst_case(
    routing: Routing,
    demands: DemandSet,
    load: Fraction,
    worst: list[int],
    traffic: list[tuple[int, int, Fraction]],
    channel_loads: list[Fraction] | None = None,
) -> WorstCase:
    """A worst case whose proof is not made of potentials: ``traffic`` puts ``load`` on the channels ``worst``."""
    nothing = np.zeros(0, dtype=np.int64)
    return WorstCase(
        routing,
        Model("other", [], [], Rates(nothing, nothing, 1), False, demands=demands),
        load,
        1 / load,
        worst[0],
        worst,
        worst,
        None,
        traffic,
        channel_loads,
        channel_classes(routing, mode="none"),
        Weights(1, True, 0),
        Bounds(),
        {},
    )


def throughput_claim(load: Fraction, relation: str, about: Mapping[str, Any]) -> Claim:
    """By what factor demands may grow before the worst channel is saturated, from the report's load."""
    derived = Evidence("derived", {"from": ["worst_case_load"]})
    return Claim("worst_case_throughput", relation, 1 / load, Grade.PROVED, derived, SOURCE, about)


def loads_of_rates(
    routing: Routing,
    rates: Mapping[Pair, Fraction],
    *,
    progress: Progress | None = None,
    done: int = 0,
    total: int | None = None,
) -> dict[int, Fraction]:
    """The load of every channel that carries anything, when pairs of terminals send these rates."""
    together: dict[tuple[int, int], Fraction] = {}
    for (i, j), x in rates.items():
        key = int(routing.row_of[i]), int(routing.column_of[j])
        together[key] = together.get(key, Fraction(0)) + x
    pairs = sorted((key, x) for key, x in together.items() if x)
    unit = math.lcm(*{x.denominator for _, x in pairs})
    weight = as_int_array([int(x * unit) for _, x in pairs])
    found: dict[int, Fraction] = {}
    at, step = 0, _STEP
    while at < len(pairs):
        some = pairs[at : at + step]
        rows, columns = (np.array([key[side] for key, _ in some], dtype=np.int64) for side in (0, 1))
        block = routing.pair_loads(rows, columns)
        each = np.repeat(weight[at : at + len(some)], np.diff(block.offset))
        num = block.load.num
        if len(num) and int(abs(num).max()) * int(each.max(initial=0)) > INT64_MAX:
            num = num.astype(object)
        load = Rationals(num * each, block.load.den)
        for c, x in exact_sums(block.channel.astype(np.int64), load, routing.network.num_channels).items():
            found[c] = found.get(c, Fraction(0)) + x
        at += len(some)
        step = max(1, min(_MOST_STEP, 4 * step, _ENTRIES * len(some) // max(1, len(each))))
        if progress is not None:
            progress(done + at, total or len(pairs))
    return {c: x / unit for c, x in found.items()}


def matrix_claims(found: WorstCase, name: str) -> list[Claim]:
    """The worst of the matrices, that of every channel where asked for, and by what factor all of them may grow.

    Evidence of the kind ``matrices``: {"matrix": its name, "channel"}; the matrices are in the report's subject.
    """
    refuse_sampled(found)
    about = found.model.about
    evidence = Evidence("matrices", {"matrix": name, "channel": found.channel})
    load = Claim("worst_case_load", "==", found.load, Grade.PROVED, evidence, SOURCE, about)
    derived = Evidence("derived", {"from": ["worst_case_load"]})
    throughput = Claim("worst_case_throughput", "==", found.throughput, Grade.PROVED, derived, SOURCE, about)
    each = [
        Claim(
            "worst_case_load",
            "==",
            x,
            Grade.PROVED,
            Evidence("matrices", {"channel": c}),
            SOURCE,
            {**about, "channel": c},
        )
        for c, x in enumerate(found.channel_loads or ())
    ]
    return [load, throughput, *each]
