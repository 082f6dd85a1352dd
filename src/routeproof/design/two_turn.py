"""2TURN and 2TURNA: the best weights for the paths of at most two turns, against the worst and the average case.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2 and 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..core.errors import InputError
from ..core.network import Network
from ..routing.base.routing import Routing
from .average_case import design_average_case
from .restricted import design_restricted

__all__ = ["two_turn", "two_turn_average"]


def two_turn(network: Network, options: Mapping[str, str]) -> Routing:
    """2TURN: of the routings with paths of at most two turns one with the best worst case and then the shortest paths.

    Its weights are not unique; those here are a vertex of the linear program, exact, with all of the network's
    symmetry.  Raises InputError where the solver is missing or the network is no torus or mesh of two dimensions.
    """
    del options  # it has none
    return design_restricted(network, "2turn", shortest=True, name="2turn").routing


def two_turn_average(network: Network, options: Mapping[str, str]) -> Routing:
    """2TURNA: likewise for the mean of the largest loads over a sample of random traffic.

    ``traffic``, ``samples`` and ``seed`` say which sample: another one gives other weights.  They are rational, near an
    optimum that the solver's word alone vouches for.
    """
    samples, seed = (_whole(options, key, least) for key, least in (("samples", 1), ("seed", 0)))
    name = ",".join(f"{key}={options[key]}" for key in ("traffic", "samples", "seed") if key in options)
    made = design_average_case(
        network,
        model=options.get("traffic", "permutation"),
        count=100 if samples is None else samples,
        seed=seed or 0,
        shortest=True,
        paths="2turn",
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
