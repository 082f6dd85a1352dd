"""An all-to-all: uniform traffic among the ranks, whose best rate is the capacity of the network with no other
terminals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.collectives.all_to_all import ALL_TO_ALL, OWN
from ...core.claim import Claim
from ...core.collective import network_of
from ...core.errors import InputError
from ...core.graph import lost_pair
from ...core.network import Network
from ...worst.capacity import capacity, capacity_claims
from ..capacity import capacity_by_program


def all_to_all_claims(
    network: Network, ranks: Sequence[int] | None, cables: Sequence[Fraction] | None, *, about: Mapping[str, Any]
) -> list[Claim]:
    """The best rate; where the network is too large for the program, what it lies between.

    ``ranks``: the terminals that take part; None for all.  ``cables``: what every terminal's own cable carries, None
    where these do not count.  Raises InputError where a rank cannot be reached.
    """
    own = network_of(network, ranks)
    lost = lost_pair(own)
    if lost is not None:
        i, j = map(own.label, lost)
        raise InputError(f"no path leads from node {i} to node {j} of {network.name}, and both hold ranks")
    if len(np.unique(own.source)) == 1:  # nothing crosses a channel between switches
        return _with_cables([], list(range(network.num_terminals) if ranks is None else ranks), cables or (), about)
    exact = capacity(own) or capacity_by_program(own)
    found = capacity_claims(own) if exact is None else [exact]
    if cables is not None:
        return _with_cables(found, list(range(network.num_terminals) if ranks is None else ranks), cables, about)
    return [ALL_TO_ALL.claim(x.number, x.evidence.data, about, relation=x.relation, source=x.source) for x in found]


def _with_cables(
    found: Sequence[Claim], ranks: Sequence[int], cables: Sequence[Fraction], about: Mapping[str, Any]
) -> list[Claim]:
    """The same where the ranks' own cables count: the slowest is another bound."""
    slowest, n = min(ranks, key=lambda i: cables[i]), len(ranks)
    most = cables[slowest] * Fraction(n, n - 1)
    below = [x for x in found if x.relation != "<="]
    if not found:
        return [ALL_TO_ALL.claim(most, {"cable": slowest}, about, source=OWN)]
    if any(x.number >= most for x in below):
        data = below[0].evidence.data
        return [ALL_TO_ALL.claim(most, {"cable": slowest, **data}, about, source=below[0].source)]
    kept = [x for x in found if x.relation != "<=" or x.number <= most]
    claims = [ALL_TO_ALL.claim(x.number, x.evidence.data, about, relation=x.relation, source=x.source) for x in kept]
    if len(kept) < len(found):
        claims.append(ALL_TO_ALL.claim(most, {"cable": slowest}, about, relation="<=", source=OWN))
    return claims
