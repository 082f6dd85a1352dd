"""Claims of the kind ``all-to-all``: uniform traffic among the ranks, as a claim of the kind ``capacity`` on the
network whose only terminals they are.

A rank sends as much to every rank, itself included: of rate x, x / n to each of n.  The evidence is that of
``claims.routings.capacity``: lengths of channels bound every routing, and flows or a routing reach the number.  Where
ranks' own cables count, (n - 1) / n of what each rank sends and receives crosses its own; {"cable": a terminal} bounds
the rate by the cable of that rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import shown
from ..context import Context
from ..kind import BOUNDS, Kind, States
from ..routings.capacity import CAPACITY, FLOWS, LENGTHS_OF, check_capacity
from ..shapes import TEXT, WHOLE, Either, Keys, Word
from ..subject import made_routing
from .subject import CABLES, Ranks
from .written import elaborate_all_to_all

OWN = "docs/collectives.md"
_ANY = "minimal:choice=per-hop"  # a routing to speak of; only the network counts where there are flows


def check_all_to_all(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    if ranks.cables is not None:
        _check_cables(ranks, ranks.cables, claim, value, data)
    elif "cable" in data:
        raise VerificationError("it is bounded by a rank's own cable, and the report does not count these")
    if "cable" in data:
        if claim.relation == "<=" or (len(data) == 1 and len(np.unique(ranks.between.source[ranks.ranks])) == 1):
            return
        if "lengths" not in data or ("flows" in data) == ("routing" in data):
            raise VerificationError("nothing in its evidence reaches the number between the switches")
        claim = replace(claim, relation=">=")
    context = Context(made_routing({"spec": data.get("routing", _ANY)}, ranks.network_of_ranks), ())
    check_capacity(context, claim, value, data)


def _check_cables(
    ranks: Ranks, cables: Sequence[Fraction], claim: Claim, value: Fraction, data: Mapping[str, Any]
) -> None:
    n = len(ranks.ranks)
    at = data.get("cable")
    if at is not None and at not in ranks.ranks:
        raise VerificationError(f"its cable is that of terminal {at}, which is not a rank")
    most = min(cables[i] for i in (ranks.ranks if at is None else [at])) * n / (n - 1)
    if at is not None and claim.relation != ">=" and most > value:
        raise VerificationError(f"it is at most {shown(value)}; the cable of terminal {at} proves {shown(most)}")
    least = min(cables[i] for i in ranks.ranks) * n / (n - 1)
    if claim.relation != "<=" and least < value:
        raise VerificationError(f"it is at least {shown(value)}; the slowest rank's own cable allows {shown(least)}")


ALL_TO_ALL = Kind(
    "all-to-all",
    "Channel lengths whose shortest paths prove that no routing of uniform traffic among the ranks does better, or a "
    "rank's own cable; and flows, or a routing, that reach the number.",
    Either(
        "cable",
        Keys({"cable": WHOLE}, {"lengths": LENGTHS_OF, "flows": FLOWS, "routing": TEXT}),
        CAPACITY.evidence,
    ),
    {
        "collective_throughput": States(
            BOUNDS, Grade.PROVED, Keys({"operation": Word("all-to-all")}, {"host_cables": CABLES})
        )
    },
    CAPACITY.sources | {OWN},
    check_all_to_all,
    elaborate=elaborate_all_to_all,
    subjects=frozenset({"collective", "schedule"}),
)
