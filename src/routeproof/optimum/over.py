"""The best oblivious routing over any set of demands: the set says which method finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..core.network import Network
from ..demand_sets.demand_set import DemandSet
from .design import Design
from .worst_case import design_worst_case

if TYPE_CHECKING:
    from ..core.spread import Stage

Options = Mapping[str, Any]
"""Those of ``questions.design.ByProgram.program``, and ``solver``."""


def design_over(network: Network, demands: DemandSet | None, options: Options, stage: Stage) -> Design:
    """Raises InputError for sets of another network, for families without a best routing, and as the methods do."""
    if demands is None:
        return _by_program(network, None, options, stage)
    demands.check_between(network)
    if demands.no_best or not demands.designed_by:
        raise InputError(f"{demands.text} {demands.no_best or 'is no set that a routing is designed for'}")
    return _METHODS[demands.designed_by](network, demands, options, stage)


def _by_program(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    return design_worst_case(network, demands=demands, stage=stage, **options)


def _by_flows(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    from .routable.design import design_routable

    return design_routable(network, demands, stage=stage, **options)


def _by_matrices(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    from .matrix_flow.design import design_for_matrices

    if options["solver"] not in ("auto", "simplex"):
        raise InputError(f"the {options['solver']} solver does not design for matrices; auto was expected")
    given = {key: options[key] for key in ("shortest", "path_length", "paths", "time_limit")}
    return design_for_matrices(network, demands, stage=stage, **given)


_METHODS: Mapping[str, Callable[[Network, Any, Options, Stage], Design]] = {
    "program": _by_program,
    "matrices": _by_matrices,
    "flows": _by_flows,
}
"""By what the lower bound rests on, as ``DemandSet.designed_by`` says."""
