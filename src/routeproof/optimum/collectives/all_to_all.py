"""An all-to-all: uniform traffic among the ranks, whose best rate is the capacity of the network with no other
terminals."""

from __future__ import annotations

from collections.abc import Sequence

from ...claims.collectives.all_to_all import ALL_TO_ALL
from ...core.claim import Claim
from ...core.collective import network_of
from ...core.errors import InputError
from ...core.graph import lost_pair
from ...core.network import Network
from ...worst.capacity import capacity, capacity_claims
from ..capacity import capacity_by_program

_ABOUT = {"operation": "all-to-all"}


def all_to_all_claims(network: Network, ranks: Sequence[int] | None) -> list[Claim]:
    """The best rate; where the network is too large for the program, what it lies between.

    ``ranks``: the terminals that take part; None for all.  Raises InputError where a rank cannot be reached.
    """
    own = network_of(network, ranks)
    lost = lost_pair(own)
    if lost is not None:
        i, j = map(own.label, lost)
        raise InputError(f"no path leads from node {i} to node {j} of {network.name}, and both hold ranks")
    exact = capacity(own) or capacity_by_program(own)
    found = capacity_claims(own) if exact is None else [exact]
    return [ALL_TO_ALL.claim(x.number, x.evidence.data, _ABOUT, relation=x.relation, source=x.source) for x in found]
