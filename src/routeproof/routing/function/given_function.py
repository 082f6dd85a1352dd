"""Routings from the user's own function: exact from its states, or sampled from its paths."""

from __future__ import annotations

from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing
from .settings import settings_of, whole
from .user_function import load_function

__all__ = ["routing_from_function"]


def routing_from_function(name: str, settings: list[str], network: Network) -> Routing:
    """The routing of the user's function ``module:function``: exact, or with ``samples`` sampled.

    Raises InputError for options that do not go together, and as ``load_function`` does.
    """
    given = settings_of(name, settings, ("states", "samples", "seed"))
    found = {key: whole(name, key, value) for key, value in given.items()}
    if "samples" in found:
        from .sampled import Sampled

        if "states" in found:
            raise InputError(f"{name}: 'states' is for exact loads, 'samples' for sampled ones; give one of them")
        samples, seed = found["samples"], found.get("seed", 0)
        text = f"{name},samples={samples},seed={seed}"
        return Sampled(load_function(name), samples=samples, seed=seed, name=text).on(network)
    if "seed" in found:
        raise InputError(f"{name}: 'seed' goes with 'samples'; exact loads have no seed")
    from .incremental import Incremental

    function = load_function(name)
    if "states" in found:
        return Incremental(function, name=name, max_states=found["states"]).on(network)
    return Incremental(function, name=name).on(network)
