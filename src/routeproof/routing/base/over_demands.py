"""A routing as a transport set of demands sees it: a transportation problem over the same channels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...demand_sets.transport import TransportSet
from .capped import Capped
from .dense import dense, has_base, without_dense
from .restricted import Restricted
from .routing import Routing


def seen_through(routing: Routing, demands: TransportSet) -> tuple[Routing, Fraction]:
    """(the routing with the loads of allowed pairs only, what idle packets send).

    Where all together send at most K, and less than columns could receive, the last row is that of the idle packets
    (``Capped``); else they send 0, and there is no such row.

    Raises InputError where ``check_to_itself`` does.
    """
    check_to_itself(routing.network, demands)
    size = demands.size
    idle = Fraction(0)
    if demands.total is not None:
        receives = demands.receives or (demands.total,) * size
        idle = max(idle, sum(receives, Fraction(0)) - demands.total)
    shaped = dense(routing) if has_base(routing) and not (demands.allows_all and not idle) else routing
    if not demands.allows_all:
        shaped = Restricted(shaped, demands)
    return (Capped(shaped, demands) if idle else shaped), idle


def check_to_itself(network: Network, demands: TransportSet) -> None:
    """Raise InputError where a terminal's packets to itself would cross channels, since they would count as others do.

    A set that says pair by pair who sends has none; of all permutations, by that name, they are a part.
    """
    named = demands.is_permutations and demands.text == "permutations"
    if demands.pairs is not None or demands.box is not None or named:
        return
    apart = np.flatnonzero(network.source != network.sink)
    if len(apart):
        i = int(apart[0])
        raise InputError(
            f"{demands.text}: a terminal sends nothing to itself, but terminal {i} of {network.name} sends at node "
            f"{int(network.source[i])} and receives at node {int(network.sink[i])}; pairs:FILE, box:FILE, matrix:FILE, "
            f"or a traffic model (--model) was expected"
        )


def seen_without(routing: Routing) -> tuple[Routing, TransportSet | None]:
    """What was given to ``seen_through`` to make the routing; (itself, None) where it was made otherwise."""
    demands: TransportSet | None = None
    inner = routing
    if isinstance(inner, Capped):
        demands = inner.demands
        inner = inner.inner
    if isinstance(inner, Restricted):
        demands = inner.demands
        inner = inner.inner
    return inner if demands is None else without_dense(inner), demands
