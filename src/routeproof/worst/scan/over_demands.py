"""The worst case over a transport set of demands: one transportation problem for each class of channels.

Pairs that may not send have no loads (``Restricted``), and a limit on all demand together is one more row (``Capped``).
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.spread import Progress, Spread
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.transport import TransportSet
from ...routing.base.over_demands import seen_through
from ...routing.base.routing import Routing
from .exact import NeverLoadedError, WorstCase, solve_model
from .models import Model, model_of


def check_judged(routing: Routing, demands: DemandSet) -> None:
    """Raise InputError for a set of another network, and for sampled loads."""
    demands.check_between(routing.network)
    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled, so they are judged under permutations only")


def worst_case_over(
    routing: Routing,
    demands: TransportSet,
    *,
    symmetry: str = "auto",
    all_channels: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
    spread: Spread | None = None,
    job: str | None = None,
    among: Int64 | None = None,
) -> WorstCase:
    """The largest load per bandwidth over all channels and all demands of the set, exactly, with its proof.

    ``job``: of this job alone; ``among``: on these channels alone, without symmetry.  ``symmetry`` and the others as in
    ``worst_case``; symmetry is used where all pairs may send and all terminals have
    the same limits.  Raises InputError for boxes, sets without a limit, and as ``worst_case`` does.
    """
    demands.check_between(routing.network)
    if demands.box is not None:
        raise InputError(f"{demands.text}: the worst case over demands between two limits is not available yet")
    if not demands.is_bounded:
        raise InputError(f"{demands.text}: nothing limits the demand, so there is no worst case")
    shaped, model = problem_of(routing, demands if job is None else demands.alone(job))
    try:
        return solve_model(
            shaped,
            replace(model, job=job),
            symmetry=symmetry if among is None else "none",
            among=among,
            all_channels=all_channels,
            workers=workers,
            progress=progress,
            spread=spread,
        )
    except NeverLoadedError:
        raise InputError(
            f"over {demands.text} no channel of {routing.network.name} is ever loaded: packets stay at their switch, "
            f"and nothing collides"
        ) from None
    except OverflowError as error:
        raise InputError(f"the worst case of {routing.name} over {demands.text} is out of reach: {error}") from None


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
