"""The average case of a routing over random traffic, sampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.claim import Claim
from ..core.stage import Stage, silent
from ..routing.base.routing import Routing
from .answer import RoutingAnswer, exact_value

if TYPE_CHECKING:
    from ..core.sampling.stopping import Stopping
    from ..engine import Engine

__all__ = ["answer_average"]


def answer_average(
    routing: Routing,
    *,
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    stopping: Stopping | None = None,
    known: Sequence[Claim] = (),
    topology: str | None = None,
    engine: Engine | None = None,
    stage: Stage | None = None,
) -> RoutingAnswer:
    """The mean over ``samples`` random matrices of the throughput of ``routing``: one claim, SAMPLED.

    ``model``: of random traffic, see ``topologies.traffic_models``; ``stopping``: when sampling could end;  ``known``:
    claims about the routing; where its capacity is among them, the mean is stated as a fraction of it.  ``engine``:
    where the work is done; ``topology`` and ``stage`` as in ``answer_worst_case``.  Raises InputError for bad options.
    """
    from ..analysis.average import average_case_claim, sampled_average_case

    exact = {x.quantity: exact_value(x) for x in known if x.relation == "=="}
    with (stage or silent)("random matrices") as progress:
        average = sampled_average_case(
            routing, model, samples=samples, seed=seed, stopping=stopping, worst_load=exact.get("worst_case_load"),
            spread=None if engine is None else engine.spread, progress=progress,
        )  # fmt: skip
    capacity = exact.get("capacity")
    claim = average_case_claim(
        average, model=model, capacity=None if capacity is None else float(capacity), about={}, stopping=stopping
    )
    notes = () if stopping is None else stopping.notes([average])
    return RoutingAnswer(routing=routing, topology=topology, stated=(claim,), notes=notes)
