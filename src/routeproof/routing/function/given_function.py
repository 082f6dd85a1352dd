"""Routings from the user's own function: exact from its states, or sampled from its paths."""

from __future__ import annotations

from collections.abc import Collection

from ...core.display import short
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...core.strangers import strangers
from ...formats.python_functions import load_function, with_settings
from ..base.entry import whole
from ..base.routing import Routing


def routing_from_function(name: str, settings: list[str], network: Network) -> Routing:
    """The routing of the user's function ``module:function`` or ``file.py:function``: exact, or with ``samples``
    sampled.  Settings that are not ours are options of the function.

    Raises InputError for options that do not go together, and as ``load_function`` does.
    """
    given = settings_of(name, settings, None)
    found = {key: whole(name, key, given.pop(key)) for key in _OURS if key in given}
    title = ",".join([name, *(f"{key}={value}" for key, value in given.items())])
    with strangers(f"function {name}"):
        function = with_settings(load_function(name), name, given, after=_ARGUMENTS, besides=_OURS)
    if "samples" in found:
        from .sampled import Sampled

        if "states" in found:
            raise InputError(f"{name}: 'states' is for exact loads, 'samples' for sampled ones; give one of them")
        samples, seed = found["samples"], found.get("seed", 0)
        text = f"{title},samples={samples},seed={seed}"
        return Sampled(function, samples=samples, seed=seed, name=text).on(network)
    if "seed" in found:
        raise InputError(f"{name}: 'seed' goes with 'samples'; exact loads have no seed")
    from .incremental import Incremental

    if "states" in found:
        return Incremental(function, name=title, max_states=found["states"]).on(network)
    return Incremental(function, name=title).on(network)


_OURS = ("states", "samples", "seed")
_ARGUMENTS = 3  # state, node, destination


def settings_of(name: str, parts: list[str], known: Collection[str] | None) -> dict[str, str]:
    """The options of ``name`` by their keys.

    Raises InputError for a part that is not an option, and one that is not ``known`` (with the nearest; None: any is)
    or given twice.
    """
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = (x.strip() for x in part.partition("="))
        if not (key and equals and value):
            raise InputError(f"{name}: '{short(part)}' is not an option; option=value was expected")
        if known is not None and key not in known:
            hint = did_you_mean(key, known) if known else f"{name} has no options"
            raise InputError(f"{name}: unknown option '{short(key)}'; {hint}")
        if key in found:
            raise InputError(f"{name}: option '{key}' is given twice")
        found[key] = value
    return found
