"""A routing as a transport set of demands sees it: a transportation problem over the same channels."""

from __future__ import annotations

from fractions import Fraction

from ...demand_sets.ports import check_to_itself
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
