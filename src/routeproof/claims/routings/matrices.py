"""Claims of the kind ``matrices``: the worst of a few matrices of rates, or of the largest demands of a box.

The loads of all channels are summed again from the routing, one matrix at a time.  No load is negative, so among all
demands between two limits the largest one loads every channel most.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import lcm_within, shown
from ...demand_sets.transport import LARGEST
from ..context import Context
from ..kind import ANALYSES, EXACT, OF_SET, WORST, Kind, States
from ..proofs.work import Work
from ..proofs.written import demand, written_set
from ..reading import as_channel, check_value
from ..shapes import TEXT, WHOLE, Keys, brief
from .terminal_rates import named_set
from .traffic import summed

_MOST_UNIT = 1 << 4096


def check_matrices(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """The claim states the largest load per bandwidth of any channel, or of the claim's, under any of the matrices."""
    network = context.network
    loads = _loads(context, claim)
    c = as_channel(network, data["channel"])
    if "channel" in claim.about:
        if set(data) != {"channel"} or claim.about["channel"] != c:
            raise VerificationError("its evidence is about another channel, or about a matrix")
        found = max(x.get(c, Fraction(0)) for x in loads.values()) / network.bandwidth[c]
    else:
        name = data.get("matrix")
        if name not in loads:
            raise VerificationError(f"its matrix is {brief(name)}, which the set of demands does not have")
        found = loads[name].get(c, Fraction(0)) / network.bandwidth[c]
        top = max(context.busiest(x) for x in loads.values())
        if top != found:
            label = network.channel_label(c)
            raise VerificationError(f"channel {c} ({label}) carries {shown(found)}, another one {shown(top)}")
    check_value(claim, found, f"channel {c} ({network.channel_label(c)}) carries")


def _loads(context: Context, claim: Claim) -> dict[str, dict[int, Fraction]]:
    """By matrix, the load of every channel; kept for the report's other claims."""
    demands = named_set(context, claim)
    matrices = demands.listed if demands.largest is None else {LARGEST: demands.largest}
    if matrices is None:
        raise VerificationError("its set of demands is not a list of matrices, and no box alone")
    if not context.of_matrices:
        for name, rates in matrices.items():
            context.of_matrices[name] = loads_of(context, rates, f"the matrix {brief(name)}")
    return context.of_matrices


def loads_of(context: Context, rates: Mapping[tuple[int, int], Fraction], what: str) -> dict[int, Fraction]:
    """The load of every channel that carries anything when pairs of terminals send these rates."""
    routing = context.routing
    unit = lcm_within({x.denominator for x in rates.values()}, _MOST_UNIT)
    if unit is None:
        raise VerificationError(f"the rates of {what} have too large a common denominator")
    pairs = np.array(list(rates), dtype=np.int64).reshape(-1, 2)
    weight = np.array([int(x * unit) for x in rates.values()], dtype=object)
    sums = summed(context, routing.row_of[pairs[:, 0]], routing.column_of[pairs[:, 1]], weight)
    return {c: x / unit for c, x in sums.items()}


def elaborate_matrices(work: Work, claim: Claim) -> None:
    """The worst of a few matrices, or of the largest demands of a box."""
    demands, c = work.context.demands, int(claim.evidence.data["channel"])
    channels = [c] if "channel" in claim.about else None
    assert demands is not None
    position = work.proof.set_of(written_set(demands))
    evidence: list[Any] = []
    by_name = demands.listed
    if by_name is None:
        assert demands.largest is not None
        by_name = {LARGEST: demands.largest}
        zeros = [0] * demands.size
        evidence = [[k, 1, zeros, zeros, 0] for k in channels or range(work.network.num_channels)]
    work.at_most(claim, position, evidence, channels)
    name = claim.evidence.data.get("matrix") or max(by_name, key=lambda x: _load(work, c, by_name[x]))
    found = demand(by_name[name])
    if demands.listed is not None:
        found["because"] = [found["weight"] if x == name else 0 for x in by_name]
    work.at_least(claim, position, c, found)


def _load(work: Work, c: int, rates: Mapping[tuple[int, int], Fraction]) -> Fraction:
    routing = work.context.routing
    (block,) = work.context.stream(np.array([c]), by_pair=True)
    load = block.as_dict()
    row, column = routing.row_of.tolist(), routing.column_of.tolist()
    return sum((x * load.get((row[i], column[j]), Fraction(0)) for (i, j), x in rates.items()), Fraction(0))


MATRICES = Kind(
    "matrices",
    "The loads of all channels under every matrix (of a box: under its largest demands), summed again "
    "from the routing.",
    Keys({"channel": WHOLE}, {"matrix": TEXT}),
    {
        "worst_case_load": States(EXACT, Grade.PROVED, Keys(OF_SET.needed, {"channel": WHOLE})),
    },
    WORST,
    check_matrices,
    subjects=ANALYSES | {"adaptive"},
    whole_flows=True,
    elaborate=elaborate_matrices,
)
