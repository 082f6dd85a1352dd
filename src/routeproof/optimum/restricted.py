"""The best worst case among the routings that use the paths of a set only, then the shortest paths: exactly.

2TURN and 2TURNA are the best weights for the paths of at most two turns, against the worst and the average case.  They
are routings by name (the table of routings is told of this module in ``routeproof/__init__``), and solved for when
asked for; the programs are loaded only then.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2 and 5.4: "any path p with at most two turns R(p) >= 0 and for any
path q outside this set R(q) = 0".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..core.network import Network
from ..routing.base.entry import RoutingEntry
from ..routing.base.routing import Routing
from ..routing.path_sets.names import path_set
from ..routing.path_sets.path_set import PathSet

if TYPE_CHECKING:
    from .design import Design


def design_restricted(network: Network, paths: PathSet, **options: Any) -> Design:
    """As ``design_worst_case`` with these ``paths`` and ``options``, exactly: raises InputError, too, where the optimum
    cannot be made exact."""
    from .worst_case import design_worst_case

    made = design_worst_case(network, paths=paths, **options)
    if made.gap or made.length_gap:
        raise InputError(f"the best routing of {network.name} with paths {paths.name} was not made exact")
    return made


def two_turn(network: Network, options: Mapping[str, str]) -> Routing:
    """2TURN: of the routings with paths of at most two turns one with the best worst case and then the shortest paths.

    Its weights are not unique; those here are a vertex of the linear program, exact, with all of the network's
    symmetry.  Raises InputError where the network is not a torus or mesh of two dimensions.
    """
    del options  # it has none
    return design_restricted(network, path_set("2turn", network), shortest=True, name="2turn").routing


def two_turn_average(network: Network, options: Mapping[str, str]) -> Routing:
    """2TURNA: likewise for the mean of the largest loads over a sample of random traffic.

    ``traffic``, ``samples`` and ``seed`` say which sample: another one gives other weights.  They are rational, near an
    optimum that the solver's word alone vouches for.
    """
    from .average_case import design_average_case

    samples, seed = (_whole(options, key, least) for key, least in (("samples", 1), ("seed", 0)))
    name = ",".join(f"{key}={options[key]}" for key in ("traffic", "samples", "seed") if key in options)
    made = design_average_case(
        network,
        model=options.get("traffic", "permutation"),
        count=100 if samples is None else samples,
        seed=seed or 0,
        shortest=True,
        paths=path_set("2turn", network),
        name=f"2turna:{name}" if name else "2turna",
    )
    return made.routing


def _whole(options: Mapping[str, str], key: str, least: int) -> int | None:
    if key not in options:
        return None
    text = options[key]
    if not text.isdecimal() or not text.isascii() or len(text) > 9 or int(text) < least:
        raise InputError(f"2turna: {key} is '{text[:20]}'; a whole number of at least {least} was expected")
    return int(text)


TWO_TURN_ENTRY = RoutingEntry(
    name="2turn",
    help="the best worst case, then the shortest paths, with paths of at most two turns; solved for when asked for",
    build=two_turn,
    solved_within="2turn",
)

TWO_TURN_AVERAGE_ENTRY = RoutingEntry(
    name="2turna",
    help="the best average case, then the shortest paths, with paths of at most two turns; solved for when asked for",
    build=two_turn_average,
    options={
        "traffic": "permutation, two-permutations, three-permutations or sinkhorn",
        "samples": "how many random matrices it is made for (100)",
        "seed": "of the sample (0)",
    },
    solved_within="2turn",
)
