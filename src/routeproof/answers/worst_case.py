"""Everything that an architect asks about one routing: worst case, capacity, given traffic, path lengths; as claims."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim, Evidence, Grade
from ..core.errors import InputError
from ..core.network import Network
from ..core.stage import Stage, silent
from ..core.traffic import Traffic
from ..routing.base.routing import Routing
from .answer import Answer
from .channels import channel_claims
from .sampled import sampled_claims
from .subject import subject_of

if TYPE_CHECKING:
    from ..analysis.worst_case.result import WorstCase
    from ..analysis.worst_case.spread import Spread
    from ..core.sampling.stopping import Stopping

__all__ = ["WorstCaseAnswer", "answer_worst_case"]


@dataclass(frozen=True, eq=False)
class WorstCaseAnswer(Answer):
    """What is known about ``routing``: ``stated``, each with its evidence, in the order in which people want them.

    ``capacity`` is None where no method here settles it; then nothing is stated as a fraction of it.
    ``topology`` is what the user typed, for people; ``seconds``: how long it took.
    """

    routing: Routing
    topology: str
    worst_case: WorstCase
    capacity: Fraction | None
    stated: Sequence[Claim]
    seconds: float

    @property
    def network(self) -> Network:
        return self.routing.network

    @property
    def subject(self) -> dict[str, Any]:
        return subject_of(self.routing, topology=self.topology)

    def claims(self) -> Sequence[Claim]:
        return self.stated


def answer_worst_case(
    routing: Routing,
    *,
    topology: str | None = None,
    traffics: Sequence[Traffic] = (),
    model: str = "balanced",
    rates: tuple[Sequence[Fraction], Sequence[Fraction]] | None = None,
    symmetry: str = "auto",
    all_channels: bool = False,
    stage: Stage | None = None,
    spread: Spread | None = None,
    stopping: Stopping | None = None,
    worst: WorstCase | None = None,
) -> WorstCaseAnswer:
    """The worst case of ``routing``, its throughput under uniform traffic and ``traffics``, and its path lengths.

    ``topology``: what the report calls the network, if not by its name.  ``model``, ``rates``, ``symmetry`` and
    ``all_channels`` are those of ``analysis.worst_case.exact``.  ``stage(name)`` gives a context whose value is a
    ``progress(done, total)`` or None; it is entered for each long piece of work.  ``spread``: as in ``worst_case``;
    ``stopping``: when sampling could end, for routings whose loads are sampled.
    ``worst``: the worst case, where it is known already.  Raises InputError as the analyses do.
    """
    from ..analysis.capacity import capacity as capacity_of
    from ..analysis.loads import channel_loads_under, traffic_claims
    from ..analysis.locality import minimal_average, path_length_claims, uniform_summary
    from ..analysis.worst_case.evidence import worst_case_claims
    from ..analysis.worst_case.exact import worst_case
    from ..routing.function.sampled import SampledRouting

    start = time.perf_counter()
    step = stage or silent
    network = routing.network
    named = topology or network.spec or network.name
    for traffic in traffics:
        if traffic.size != network.num_terminals:
            raise InputError(
                f"traffic {traffic.name} is between {traffic.size} terminals; "
                f"{network.name} has {network.num_terminals}"
            )
    if routing.is_sampled:
        if not isinstance(routing, SampledRouting):
            raise InputError(f"{routing.name} has a sampled part; sample the whole of it, as one routing function")
        if model != "balanced" or all_channels:
            raise InputError("sampled loads are judged under the balanced model, on the worst channel only")
        return WorstCaseAnswer(routing, named, *sampled_claims(routing, traffics, stage=step, stopping=stopping))
    if worst is None:
        with step("worst case") as progress:
            worst = worst_case(
                routing,
                model=model,
                rates=rates,
                symmetry=symmetry,
                all_channels=all_channels,
                progress=progress,
                spread=spread,
            )
    with step("uniform traffic") as progress:
        uniform, average = uniform_summary(routing, orbits=worst.classes.label, progress=progress)
    best = capacity_of(network, routing, uniform=uniform)
    if best is None:
        from ..design.capacity import capacity_if_possible

        with step("capacity"):
            best = capacity_if_possible(network)
    capacity = best.value if best is not None and isinstance(best.value, Fraction) else None
    claims = worst_case_claims(worst)
    if capacity is not None and worst.model.name != "hose":
        claims.append(_of_capacity(worst, capacity))
    if all_channels:
        with step("proofs of single channels") as progress:
            claims += channel_claims(worst, progress)
    if best is not None:
        claims.append(best)
    claims += traffic_claims(routing, uniform.traffic, uniform, best)
    for traffic in traffics:
        if traffic.is_uniform:
            continue  # it is there already
        with step(f"traffic {traffic.name}") as progress:
            loads = channel_loads_under(routing, traffic, progress=progress)
        claims += traffic_claims(routing, traffic, loads, best)
    claims += path_length_claims(average, minimal_average(network))
    return WorstCaseAnswer(routing, named, worst, capacity, tuple(claims), time.perf_counter() - start)


def _of_capacity(worst: WorstCase, capacity: Fraction) -> Claim:
    return Claim(
        "worst_case_throughput_of_capacity",
        "==",
        worst.throughput / capacity,
        Grade.PROVED,
        Evidence("derived", {"from": ["worst_case_throughput", "capacity"]}),
        source="Towles & Dally 2002 (SPAA), sec. 5",
        about={"model": worst.model.name},
    )
