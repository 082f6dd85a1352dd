"""The best oblivious routing over a set of demands: the family of the set says who designs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..core.network import Network
from ..demand_sets.demand_set import DemandSet
from ..demand_sets.families import EverySparse, Unbalanced
from ..demand_sets.hull import Hull
from ..demand_sets.routable import Routable
from ..demand_sets.transport import TransportSet
from ..optimum.result import Design
from ..optimum.worst_case import design_worst_case

if TYPE_CHECKING:
    from ..core.stage import Stage

Options = Mapping[str, Any]
"""Those of ``DesignQuestion``, and ``solver``."""


def design_over(network: Network, demands: DemandSet | None, options: Options, stage: Stage) -> Design:
    """Raises InputError for sets of another network, for families without a best routing, and as the methods do."""
    if demands is None:
        return _by_program(network, None, options, stage)
    if demands.size != network.num_terminals:
        raise InputError(
            f"{demands.text} is about {demands.size} terminals, {network.name} has {network.num_terminals}"
        )
    for family, find in _DESIGNERS.items():
        if isinstance(demands, family):
            return find(network, demands, options, stage)
    raise InputError(f"the best routing over {demands.text} is not available yet")


def can_design(demands: DemandSet) -> bool:
    """Is there a method for sets of this family?"""
    return any(isinstance(demands, family) for family in _DESIGNERS)


def _by_program(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    return design_worst_case(network, demands=demands, stage=stage, **options)


def _unbalanced(network: Network, demands: Any, options: Options, stage: Stage) -> Design:  # noqa: ARG001
    raise InputError(
        f"{demands.text} is a family of sets, one for every rate, and has no one best routing: hose:FILE says what "
        f"each terminal sends and receives (at rate 1 it is permutations)"
    )


def _every_sparse(network: Network, demands: Any, options: Options, stage: Stage) -> Design:  # noqa: ARG001
    raise InputError(
        f"{demands.text} is one set for every number of packets, and has no one best routing: sparse:16 or so was "
        f"expected"
    )


def _routable(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    from ..optimum.routable.design import design_routable

    return design_routable(network, demands, stage=stage, **options)


def _matrices(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    from ..optimum.matrix_flow.design import design_for_matrices

    if options["solver"] not in ("auto", "simplex"):
        raise InputError(f"the {options['solver']} solver does not design for matrices; auto was expected")
    given = {key: options[key] for key in ("shortest", "path_length", "paths", "time_limit")}
    return design_for_matrices(network, demands, stage=stage, **given)


_DESIGNERS: Mapping[type[DemandSet], Callable[[Network, Any, Options, Stage], Design]] = {
    TransportSet: _by_program,
    Hull: _matrices,
    Unbalanced: _unbalanced,
    EverySparse: _every_sparse,
    Routable: _routable,
}
