"""Claims about the times of an algorithm in every order of the ranks: the least of all, or what none of them passes.

- ``all-orders`` (``==``, EXHAUSTED): {"tried": how many}: the time of every order is summed up again, from the root on
  where there is one;
- ``every-order`` (``>=``): {"from": "collective_throughput"}: a rate that no schedule passes bounds every order.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from math import factorial, lcm
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import INT64_MAX, shown
from ..kind import Kind, States
from ..proofs.proof import fraction
from ..reading import check_value
from ..shapes import WHOLE, Keys, Word
from ..work import spend
from .phases import SOURCE, TIMED, alpha_of, asked_phases, rooted
from .subject import Ranks
from .written import CollectiveWork

MOST_ORDERS = 5040
_RATE = "collective_throughput"


def check_all_orders(ranks: Ranks, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    order = rooted(ranks.ranks, claim.about.get("root"))
    fixed = int("root" in claim.about)
    count = factorial(len(order) - fixed) if len(order) <= 9 else MOST_ORDERS + 1
    if count > MOST_ORDERS or data["tried"] != count:
        raise VerificationError(f"it tried {data['tried']} orders of {len(order)} ranks, which are not all of them")
    phases = list(asked_phases(ranks, claim.about))
    table, scale = _table(ranks, order)
    spend(count * sum(len(x.source) for x in phases) * table.shape[2] / 1000, "orders of ranks")
    unit = lcm(*(x.amount.denominator for x in phases))
    weights = [int(x.amount * unit) * x.times for x in phases]
    if int(table.max(initial=0)) * max(len(x.source) for x in phases) > INT64_MAX:
        raise VerificationError("its loads are too fine for 64-bit arithmetic")
    least = None
    for rest in permutations(range(fixed, len(order))):
        place = np.array([*range(fixed), *rest])
        tops = (int(table[place[x.source], place[x.destination]].sum(axis=0).max()) for x in phases)
        time = sum(top * weight for top, weight in zip(tops, weights, strict=True))
        least = time if least is None else min(least, time)
    latency = alpha_of(claim.about) * sum(x.times for x in phases)
    check_value(claim, Fraction(least or 0, scale * unit) + latency, "the best of all orders makes it")


def _table(ranks: Ranks, order: list[int]) -> tuple[Int64, int]:
    """What every pair of ranks does to every channel per bandwidth, in units of 1 / the second: int64 (n, n, C)."""
    network, routing, n = ranks.network, ranks.routing, len(order)
    loads: dict[tuple[int, int, int], Fraction] = {}
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    rows, columns = routing.row_of[[order[a] for a, _ in pairs]], routing.column_of[[order[b] for _, b in pairs]]
    apart = np.flatnonzero(routing.row_node[rows] != routing.column_node[columns])
    block = routing.pair_loads(rows[apart], columns[apart])
    of_pair = {pairs[k]: block.as_dict(x) for x, k in enumerate(apart.tolist())}
    for a, i in enumerate(order):
        for b, j in enumerate(order):
            found = dict(of_pair.get((a, b), {}))
            if a != b and ranks.cables is not None:
                first = ranks.between.num_channels
                found |= {first + 2 * i: Fraction(1), first + 2 * j + 1: Fraction(1)}
            loads |= {(a, b, c): x / network.bandwidth[c] for c, x in found.items()}
    scale = lcm(*(x.denominator for x in loads.values()))
    if max(loads.values(), default=Fraction(0)) * scale > INT64_MAX:
        raise VerificationError("its loads are too fine for 64-bit arithmetic")
    table = np.zeros((n, n, network.num_channels), dtype=np.int64)
    for key, x in loads.items():
        table[key] = int(x * scale)
    return table, scale


def check_every_order(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    if data["from"] != _RATE:
        raise VerificationError("its evidence does not say that it follows from the rate")
    about = {k: x for k, x in claim.about.items() if k in ("operation", "root", "host_cables")}
    rate = ranks.stated(_RATE, about, relation="<=")
    phases = sum(x.times for x in asked_phases(ranks, claim.about))
    least = (1 / rate if rate else Fraction(0)) + alpha_of(claim.about) * phases
    if value > least:
        raise VerificationError(f"it is at least {shown(value)}; the report's rate proves {shown(least)}")


def elaborate_every_order(work: CollectiveWork, claim: Claim) -> None:
    """No schedule in so many phases takes less, whatever the order of its ranks."""
    about = {
        "phases": sum(x.times for x in asked_phases(work.ranks, claim.about)),
        "latency": fraction(alpha_of(claim.about)),
    }
    work.proof.claim("least-time", value=fraction(claim.number), of=work.rate(claim.about, "<="), **about)


_ABOUT = Keys({**TIMED.needed, "orders": Word("all")}, TIMED.optional)
ALL_ORDERS = Kind(
    "all-orders",
    "The time of every order of the ranks, from the root on where there is one, summed up again; the least.",
    Keys({"tried": WHOLE}),
    {"collective_time": States(("==",), Grade.EXHAUSTED, _ABOUT)},
    frozenset({SOURCE}),
    check_all_orders,
    subjects=frozenset({"collective"}),
)
EVERY_ORDER = Kind(
    "every-order",
    "The rate that no schedule passes, of this report: in every order of the ranks the time is at least one over it.",
    Keys({"from": Word(_RATE)}),
    {"collective_time": States((">=",), Grade.PROVED, _ABOUT)},
    frozenset({"Edmonds 1973; Zhao et al. 2024 (ForestColl)"}),
    check_every_order,
    elaborate=elaborate_every_order,
    rests=True,
    subjects=frozenset({"collective"}),
)
