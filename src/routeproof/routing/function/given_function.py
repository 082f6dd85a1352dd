"""Routings from the user's own function: exact from its states, or sampled from its paths."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...core.display import short
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ..base.routing import Routing
from .user_function import load_function


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


_DIGITS = re.compile(r"[0-9]{1,9}")


def settings_of(name: str, parts: list[str], known: Collection[str]) -> dict[str, str]:
    """The options of ``name`` by their keys.

    Raises InputError for a part that is not an option, and one that is not ``known`` (with the nearest) or given twice.
    """
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = (x.strip() for x in part.partition("="))
        if not (key and equals and value):
            raise InputError(f"{name}: '{short(part)}' is not an option; option=value was expected")
        if key not in known:
            hint = did_you_mean(key, known) if known else f"{name} has no options"
            raise InputError(f"{name}: unknown option '{short(key)}'; {hint}")
        if key in found:
            raise InputError(f"{name}: option '{key}' is given twice")
        found[key] = value
    return found


def whole(name: str, key: str, value: str) -> int:
    """A whole number of at most 9 digits; raises InputError for anything else."""
    if not _DIGITS.fullmatch(value):
        raise InputError(f"{name}: {key} is '{short(value)}'; a whole number of at most 9 digits was expected")
    return int(value)
