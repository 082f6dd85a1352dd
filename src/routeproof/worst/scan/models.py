"""Traffic models: what terminals may send and receive; and transport sets of demands as models.

Balanced and unbalanced throughput: Towles & Dally 2002 (SPAA), sec. 2.1.  Hose: any ingress and egress rate per
terminal.  Of a set, pairs that may not send have no loads (``Restricted``), and a limit on all demand together is one
more row (``Capped``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.loads import LoadBlock
from ...core.rational import parse_fraction
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.transport import TransportSet
from ...graphs.exact_transport import ExactSolution
from ...graphs.transport import solve_one
from ...graphs.transport_arrays import Rates
from ...routing.base.routing import Routing
from ...routing.base.views import seen_through

MODELS = ("balanced", "unbalanced", "hose")


@dataclass(frozen=True, eq=False)
class Model:
    """``sends[i]`` and ``receives[i]``: integers over ``rates.unit`` per terminal; ``rates``: summed by row and column.

    ``uniform``: all terminals alike, so that symmetry of the network is symmetry of the traffic.
    """

    name: str
    sends: list[int]
    receives: list[int]
    rates: Rates
    uniform: bool
    rate: Fraction | None = None  # unbalanced: the injection rate
    demands: DemandSet | None = None  # of a model that is a set of demands
    job: str | None = None  # of a set that is one job's
    across: str | None = None  # on the channels that this job uses

    @property
    def about(self) -> dict[str, str]:
        """What claims are qualified by."""
        jobs = {"job": self.job, "across": self.across}
        given = {key: x for key, x in jobs.items() if x is not None}
        return {"model": self.name} if self.demands is None else {"demands": self.demands.text, **given}


def model_of(routing: Routing, name: str, sends: list[int], receives: list[int], unit: int, **more: Any) -> Model:
    """Of integers per terminal over ``unit``; ``more``: other fields.  Raises OverflowError beyond 64 bits."""
    if sum(sends) + sum(receives) >= 1 << 50:
        raise OverflowError("the terminals' rates have too large a common denominator for 64-bit arithmetic")
    supply = np.zeros(len(routing.row_node), dtype=np.int64)
    demand = np.zeros(len(routing.column_node), dtype=np.int64)
    np.add.at(supply, routing.row_of, np.array(sends, dtype=np.int64))
    np.add.at(demand, routing.column_of, np.array(receives, dtype=np.int64))
    uniform = len(set(sends)) == 1 and len(set(receives)) == 1
    return Model(name, sends, receives, Rates(supply, demand, unit), uniform, **more)


def balanced(routing: Routing) -> Model:
    """Every terminal sends at most 1 and receives at most 1."""
    size = routing.network.num_terminals
    return model_of(routing, "balanced", [1] * size, [1] * size, 1)


def unbalanced(routing: Routing, rate: Fraction) -> Model:
    """Every terminal sends at most ``rate`` and receives at most 1."""
    size = routing.network.num_terminals
    return model_of(
        routing, "unbalanced", [rate.numerator] * size, [rate.denominator] * size, rate.denominator, rate=rate
    )


def hose(routing: Routing, ingress: Sequence[Fraction], egress: Sequence[Fraction]) -> Model:
    """Terminal i sends at most ingress[i] and receives at most egress[i]; rates are not negative."""
    size = routing.network.num_terminals
    exact: list[list[Fraction]] = []
    for what, given in (("ingress", ingress), ("egress", egress)):
        if len(given) != size:
            raise InputError(f"{len(given)} {what} rates for {size} terminals; one each was expected")
        exact.append([parse_fraction(x, what=f"{what} rate of terminal {i}") for i, x in enumerate(given)])
        for i, x in enumerate(exact[-1]):
            if x < 0:
                raise InputError(f"{what} rate of terminal {i} is {x}; it cannot be negative")
    unit = math.lcm(*{x.denominator for given in exact for x in given})
    sends, receives = ([int(x * unit) for x in given] for given in exact)
    return model_of(routing, "hose", sends, receives, unit)


@dataclass(frozen=True)
class Corner:
    """With ``packets`` packets the worst load per bandwidth is ``load``, on ``channel``."""

    packets: int
    load: Fraction
    channel: int


@dataclass(frozen=True, eq=False)
class Curve:
    """The worst load by the number of packets K, from 0 to M.

    - ``loads``: M + 1 of them, exact, per bandwidth;
    - ``corners``: from 1 to M: between two that follow one another the load is linear, and it is reached by the channel
      of the second where both have one channel, or the two are neighbours.
    """

    loads: Sequence[Fraction]
    corners: Sequence[Corner]


def check_judged(routing: Routing, demands: DemandSet) -> None:
    """Raise InputError for a set of another network, and for sampled loads."""
    demands.check_between(routing.network)
    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled, so they are judged under permutations only")


def problem_of(routing: Routing, demands: TransportSet) -> tuple[Routing, Model]:
    """The routing as the set sees it, and what its rows send and its columns receive."""
    size = demands.size
    shaped, idle = seen_through(routing, demands)
    most = Fraction(0) if demands.total is None else demands.total  # of a set that is bounded, of one or the other
    sends, receives = demands.sends or (most,) * size, demands.receives or (most,) * size
    unit = math.lcm(idle.denominator, *{x.denominator for x in (*sends, *receives)})
    out, into = ([int(x * unit) for x in given] for given in (sends, receives))
    model = model_of(shaped, "demands", out, into, unit, demands=demands)
    uniform, amount = demands.allows_all and model.uniform, int(idle * unit)
    if amount:
        model.rates.supply[-1] = amount
    name = "balanced" if uniform and not amount and out[0] == into[0] == unit else "demands"
    return shaped, replace(model, name=name, rates=model.rates._replace(idle=amount), uniform=uniform)


def saturating_rate(routing: Routing, block: LoadBlock, bandwidth: Fraction) -> tuple[Fraction, ExactSolution]:
    """The smallest injection rate at which the block's one channel can be saturated (columns receive at most 1).

    The worst load F is concave and not decreasing in the rate, and F(0) = 0.  Potentials at a rate r with F(r) < b
    give a line a r' + d >= F(r'); where it meets b is a larger rate, still not too large.  Finite, exact.  The caller
    knows that F(1) >= b.  Also returns potentials whose line rises (a > 0) and meets b at the rate: they prove F < b
    below it.
    """
    supply = unbalanced(routing, Fraction(1)).rates.supply
    top: dict[int, Fraction] = {}
    for i, x in zip(block.row.tolist(), block.load.fractions(), strict=True):
        if supply[i]:
            top[i] = max(top.get(i, Fraction(0)), x)
    slope = sum((x * int(supply[i]) for i, x in top.items()), Fraction(0))
    none = np.zeros(0, dtype=np.int32)
    line = ExactSolution(bandwidth, np.array(list(top), dtype=np.int32), none, list(top.values()), [], none.astype(int))
    rate = bandwidth / slope
    while True:
        rates = unbalanced(routing, rate).rates
        answer = solve_one(block, rates)
        if answer.value / rates.unit >= bandwidth:
            return rate, replace(line, flow=answer.flow)
        line = answer
        slope = sum((x * int(supply[i]) for i, x in zip(answer.row.tolist(), answer.u, strict=True)), Fraction(0))
        level = answer.value / rates.unit - slope * rate
        rate = (bandwidth - level) / slope
