"""Claims of the kind ``all-to-all``: uniform traffic among the ranks, as a claim of the kind ``capacity`` on the
network whose only terminals they are.

A rank sends as much to every rank, itself included: of rate x, x / n to each of n.  The evidence is that of
``claims.routings.capacity``: lengths of channels bound every routing, and flows or a routing reach the number.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Grade
from ..context import Context
from ..kind import BOUNDS, Kind, States
from ..routings.capacity import CAPACITY, check_capacity
from ..shapes import Keys, Word
from ..subject import made_routing
from .subject import Ranks

_ANY = "minimal:choice=per-hop"  # a routing to speak of; only the network counts where there are flows


def check_all_to_all(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    network = ranks.network_of_ranks
    context = Context(made_routing({"spec": data.get("routing", _ANY)}, network), ())
    check_capacity(context, claim, value, data)


ALL_TO_ALL = Kind(
    "all-to-all",
    "Channel lengths whose shortest paths prove that no routing of uniform traffic among the ranks does better; and "
    "flows, or a routing, that reach the number.",
    CAPACITY.evidence,
    {"collective_throughput": States(BOUNDS, Grade.PROVED, Keys({"operation": Word("all-to-all")}))},
    CAPACITY.sources,
    check_all_to_all,
    subjects=frozenset({"collective", "schedule"}),
)
