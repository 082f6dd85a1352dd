"""The worst case of a routing over any set of demands: the set says which method finds it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..core.errors import RouteproofWarning
from ..core.spread import Progress, Spread, Stage, silent
from ..demand_sets.demand_set import DemandSet
from ..routing.base.routing import Routing
from .scan.exact import WorstCase, worst_case, worst_case_over
from .scan.models import check_judged


@dataclass(frozen=True)
class Options:
    """Those of ``worst_case``; ``stage(name)`` is entered for what takes long, and tells how far it is."""

    symmetry: str = "auto"
    all_channels: bool = False
    workers: int | None = None
    spread: Spread | None = None
    stage: Stage = silent


AS_USUAL = Options()


def worst_over(routing: Routing, demands: DemandSet | None, options: Options = AS_USUAL) -> WorstCase:
    """The worst case over the set (None: over all permutations), with its proof.

    Raises InputError for sets of another network, for sampled loads, and as the methods do.
    """
    if demands is None:
        return worst_case(routing, symmetry=options.symmetry, workers=options.workers)
    check_judged(routing, demands)
    method, stage = _METHODS[demands.judged_by]
    with options.stage(stage) as progress:
        return method(routing, demands, options, progress)


def _by_potentials(routing: Routing, demands: Any, options: Options, progress: Progress | None) -> WorstCase:
    return worst_case_over(
        routing, demands, symmetry=options.symmetry, all_channels=options.all_channels, workers=options.workers,
        progress=progress, spread=options.spread,
    )  # fmt: skip


def _by_rates(routing: Routing, demands: Any, options: Options, progress: Progress | None) -> WorstCase:
    worst = worst_case(
        routing, model="unbalanced", symmetry=options.symmetry, all_channels=options.all_channels,
        workers=options.workers, progress=progress, spread=options.spread,
    )  # fmt: skip
    return replace(worst, model=replace(worst.model, demands=demands))


def _by_multipliers(routing: Routing, demands: Any, options: Options, progress: Progress | None) -> WorstCase:
    from .demand_sets.matrices import worst_case_in_box

    found = worst_case_in_box(routing, demands, all_channels=options.all_channels, progress=progress)
    if options.all_channels and not demands.is_only_box:
        _warn(f"the loads of single channels over {demands.text} are printed, and not in the report")
    return found


def _by_matrices(routing: Routing, demands: Any, options: Options, progress: Progress | None) -> WorstCase:
    from .demand_sets.matrices import worst_matrix

    return worst_matrix(routing, demands, all_channels=options.all_channels, progress=progress)


def _by_flows(routing: Routing, demands: Any, options: Options, progress: Progress | None) -> WorstCase:
    from .routable.ratio import worst_routable

    return worst_routable(
        routing, demands, symmetry=options.symmetry, all_channels=options.all_channels, progress=progress
    )


def _by_lines(routing: Routing, demands: Any, options: Options, progress: Progress | None) -> WorstCase:
    from .demand_sets.sparse_curve import worst_by_packets

    if options.all_channels:
        _warn(f"{demands.text} is one curve, the largest of all channels; --all-channels adds nothing to it")
    return worst_by_packets(routing, demands, symmetry=options.symmetry, workers=options.workers, progress=progress)


def _warn(text: str) -> None:
    warnings.warn(text, RouteproofWarning, stacklevel=2)


_METHODS: Mapping[str, tuple[Callable[[Routing, Any, Options, Progress | None], WorstCase], str]] = {
    "potentials": (_by_potentials, "worst case"),
    "rates": (_by_rates, "worst case"),
    "multipliers": (_by_multipliers, "worst case"),
    "matrices": (_by_matrices, "loads of the matrices"),
    "flows": (_by_flows, "oblivious ratio"),
    "lines": (_by_lines, "worst case by number of packets"),
}
"""By what proves the worst case, as ``DemandSet.judged_by`` says; what people are told meanwhile."""
