"""Claims of the kind ``traffic-loads`` and ``path-length``: sums of pair loads, formed again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.checks.multipliers import shown
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import Rationals, exact_sums, lcm_within
from ...core.traffic import Traffic
from ..context import Context
from ..kind import EXACT, Kind, States
from ..reading import as_channel, as_fraction, as_list, as_permutation
from ..shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape
from .traffic_names import WORST, check_traffic_name, meaning_of_traffic

__all__ = ["KINDS", "PATH_LENGTH", "check_path_length", "check_traffic"]

_MOST_SCALE = 1 << 65_536  # of the common denominator of a matrix


def check_traffic(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The throughput under the evidence's traffic is ``value`` (as a fraction of capacity, where the claim says so)."""
    network = context.network
    if claim.about.get("traffic") != data.get("traffic"):
        raise VerificationError(
            f"it is about traffic {str(claim.about.get('traffic'))[:60]!r}, "
            f"its evidence about {str(data.get('traffic'))[:60]!r}"
        )
    loads, unit = _loads(context, data)
    top = context.busiest(loads) / unit
    c = as_channel(network, data.get("channel"))
    stated = as_fraction(data.get("load"), "load")
    found = loads.get(c if "permutation" in data or "matrix" in data else int(context.label[c]), Fraction(0)) / unit
    if found != stated:
        raise VerificationError(f"channel {c} ({network.channel_label(c)}) carries {shown(found)}, not {shown(stated)}")
    if not top or stated / network.bandwidth[c] != top:
        raise VerificationError(f"channel {c} is not the busiest: some carries {shown(top)} per unit of bandwidth")
    throughput = 1 / top
    if claim.quantity == "throughput_of_capacity":
        capacity = context.stated("capacity", "==", {})
        if as_fraction(data.get("capacity"), "capacity") != capacity:
            raise VerificationError(f"its evidence does not use the report's capacity of {shown(capacity)}")
        throughput /= capacity
    if claim.about["traffic"] == WORST:
        load = context.stated("worst_case_load", "==", {"model": "balanced"})  # which is checked in its own turn
        if top != load:
            raise VerificationError(f"its permutation is called the worst, but loads {shown(top)}, not {shown(load)}")
    if value != throughput:
        raise VerificationError(f"it is {shown(value)}; the loads make it {shown(throughput)}")


def _loads(context: Context, data: Mapping[str, Any]) -> tuple[dict[int, Fraction], int]:
    """Loads by channel under the evidence's traffic, over a common unit; for uniform traffic one channel a class."""
    network, routing = context.network, context.routing
    size = network.num_terminals
    name = str(data.get("traffic"))
    if "permutation" in data:
        permutation = as_permutation(data["permutation"], size)
        check_traffic_name(name, network, permutation)
        return _summed(context, routing.row_of, routing.column_of[permutation.image], None), 1
    if "matrix" in data:
        rows = as_list(data, "matrix")
        if any(not isinstance(row, list) for row in rows):
            raise VerificationError("its matrix must be a list of rows")
        rates = [[as_fraction(x, "a rate") for x in row] for row in rows]
        check_traffic_name(name, network, None)
        if len(rates) != size:
            raise VerificationError(f"its matrix has {len(rates)} rows; {size} were expected")
        if lcm_within({x.denominator for row in rates for x in row}, _MOST_SCALE) is None:
            raise VerificationError("its rates have too large a common denominator")
        traffic = Traffic.of_matrix(rates, name=name)  # refuses rows and columns above 1
        numerator = np.array([[x * traffic.scale for x in row] for row in rates], dtype=object)
        i, j = np.nonzero(numerator)
        return _summed(context, routing.row_of[i], routing.column_of[j], numerator[i, j]), traffic.scale
    if name != "uniform":
        raise VerificationError(f"its evidence does not say what traffic {name[:60]!r} is")
    return context.between_all, size


def _summed(context: Context, rows: Any, columns: Any, weight: Any) -> dict[int, Fraction]:
    """The load of every channel when these (row, column) pairs send ``weight`` (1 where None)."""
    routing, network = context.routing, context.network
    apart = np.nonzero(routing.row_node[rows] != routing.column_node[columns])[0]
    total: dict[int, Fraction] = {}
    step = 64
    at = 0
    while at < len(apart):
        some = apart[at : at + step]
        block = routing.pair_loads(rows[some], columns[some])
        num = block.load.num
        if weight is not None:
            num = num.astype(object) * np.repeat([int(x) for x in weight[some]], np.diff(block.offset))
        sums = exact_sums(block.channel.astype(np.int64), Rationals(num, block.load.den), network.num_channels)
        for c, x in sums.items():
            total[c] = total.get(c, Fraction(0)) + x
        at += len(some)
        step = int(min(4 * step, max(1.0, 4_000_000 * len(some) / max(1, len(num)))))
    return total


def check_path_length(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Average hops over all pairs of terminals, absolute or against the shortest."""
    network = context.network
    size = network.num_terminals
    average = context.crossings / (size * size)
    if as_fraction(data.get("average"), "average") != average:
        raise VerificationError(f"the average path length is {shown(average)}, not {str(data.get('average'))[:60]}")
    minimal = Fraction(context.hops, size * size)
    if as_fraction(data.get("minimal"), "minimal") != minimal:
        raise VerificationError(f"the shortest average is {shown(minimal)}, not {str(data.get('minimal'))[:60]}")
    if claim.quantity == "average_path_length":
        wanted = average
    elif not minimal:
        raise VerificationError("there is no path to compare with")
    else:
        wanted = average / minimal
    if value != wanted:
        raise VerificationError(f"it is {shown(value)}; the loads make it {shown(wanted)}")


PATH_LENGTH = Keys({"average": BOUND, "minimal": BOUND})


def _traffic(**more: Shape) -> Shape:
    """Traffic as a permutation, as a matrix, or by a name that says it all; the busiest channel, and its load."""
    keys: dict[str, Shape] = {"channel": WHOLE, "load": BOUND, "traffic": TEXT, **more}
    return Either("permutation", Keys({**keys, "permutation": NUMBERS}), Keys(keys, {"matrix": ListOf(ANY)}))


KINDS: Mapping[str, Kind] = {
    "path-length": Kind(
        PATH_LENGTH,
        {
            "average_path_length": States(EXACT, Grade.PROVED),
            "average_path_length_of_minimal": States(EXACT, Grade.PROVED),
        },
        frozenset({"Towles, Dally & Boyd 2003 (SPAA), eq. 5", "Towles, Dally & Boyd 2003 (SPAA), sec. 2.3"}),
        check_path_length,
    ),
    "traffic-loads": Kind(
        _traffic(),
        {
            "throughput": States(EXACT, Grade.PROVED, Keys({"traffic": TEXT})),
            "throughput_of_capacity": States(EXACT, Grade.PROVED, Keys({"traffic": TEXT}), _traffic(capacity=BOUND)),
        },
        frozenset({"Towles & Dally 2002 (SPAA), sec. 2.2"}),
        check_traffic,
        meaning=meaning_of_traffic,
    ),
}
