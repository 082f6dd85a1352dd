"""The average case of a routing over random traffic, sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.stage import Stage, silent
from ..routing.base.routing import Routing
from .answer import Answer
from .subject import subject_of

if TYPE_CHECKING:
    from ..core.sampling.stopping import Stopping
    from ..engine import Engine

__all__ = ["AverageAnswer", "answer_average"]


@dataclass(frozen=True, eq=False)
class AverageAnswer(Answer):
    """``claim``: the mean throughput over random traffic, SAMPLED; ``notes``: how sampling ended, for people."""

    routing: Routing
    topology: str
    claim: Claim
    notes: Sequence[str]

    @property
    def subject(self) -> dict[str, Any]:
        return subject_of(self.routing, topology=self.topology)

    def claims(self) -> Sequence[Claim]:
        return (self.claim,)


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
) -> AverageAnswer:
    """The mean over ``samples`` random matrices of the throughput of ``routing``.

    ``model``: of random traffic, see ``topologies.traffic_models``; ``stopping``: when sampling could end;  ``known``:
    claims about the routing; where its capacity is among them, the mean is stated as a fraction of it.  ``engine``:
    where the work is done; ``topology`` and ``stage`` as in ``answer_worst_case``.  Raises InputError for bad options.
    """
    from ..analysis.average.mean import average_case_claim
    from ..analysis.average.sampling import sampled_average_case

    exact = {x.quantity: x.value for x in known if x.relation == "==" and isinstance(x.value, Fraction)}
    with (stage or silent)("random matrices") as progress:
        average = sampled_average_case(
            routing,
            model,
            samples=samples,
            seed=seed,
            stopping=stopping,
            worst_load=exact.get("worst_case_load"),
            spread=None if engine is None else engine.spread,
            progress=progress,
        )
    capacity = exact.get("capacity")
    claim = average_case_claim(
        average, model=model, capacity=None if capacity is None else float(capacity), about={}, stopping=stopping
    )
    named = topology or routing.network.spec or routing.network.name
    return AverageAnswer(routing, named, claim, () if stopping is None else stopping.told([average]))
