"""Routings by text: ``romm:tie=union``, ``mix:1/2*dor+1/2*valiant``, a routing file, ``module:function``.

The grammar is that of the command line: names and their options are stable.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from typing import Any

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...core.rational import parse_fraction
from ..base.routing import Routing
from ..function.given_function import routing_from_function
from ..function.user_function import is_function_name, short
from .aliases import NEAREST, real_name
from .files import is_file, routing_from_file
from .names import DESIGNED, ROUTINGS
from .settings import settings_of, whole

__all__ = ["named_routing", "routing_from_spec"]

_MAX_TEXT = 4000


def routing_from_spec(text: str, network: Network) -> Routing:
    """The routing that ``text`` names, on ``network``.

    - ``name`` or ``name:option=value,...``: see ``ROUTINGS``, and ``ALIASES`` for other names of the same;
    - ``mix:1/2*dor+1/2*romm:tie=union``: a mixture, with options inside;
    - the path of a routing file;
    - ``module:function[,states=N]``: the user's incremental function; ``,samples=N[,seed=S]`` samples its paths.

    Raises InputError, with the nearest match for a name or option that is not known.
    """
    return _build(text, network, outside=True)


def named_routing(text: str, network: Network) -> Routing:
    """``routing_from_spec`` for a text that may lead to no file, to no code and to no solver."""
    return _build(text, network, outside=False)


def _build(text: str, network: Network, *, outside: bool) -> Routing:
    """``outside``: may the text lead to a file or to the user's code?"""
    text = text.strip()
    if not text or len(text) > _MAX_TEXT:
        raise InputError(f"the routing is {'empty' if not text else 'too long'}; {_expected()}")
    name, colon, options = text.partition(":")
    if name == "mix" and colon:
        return _mixture(options, network, outside=outside)
    if not (outside and is_file(text)):
        text = real_name(text, {**ROUTINGS, **DESIGNED})
        name, colon, options = text.partition(":")
    if name in ROUTINGS:
        return _named(name, options if colon else None, network)
    if name in DESIGNED:
        if not outside:
            raise InputError(f"'{name}' is solved for; where nothing may be solved its paths were expected in full")
        return _designed(name, options if colon else None, network)
    hint = NEAREST.get(name.lower()) or did_you_mean(name, [*ROUTINGS, *DESIGNED, "mix"])
    if not outside:
        raise InputError(f"'{short(text)}' names no built-in routing; {hint}")
    if is_file(text):
        return routing_from_file(text, network)
    function, *settings = text.split(",")
    if is_function_name(function):
        return routing_from_function(function, settings, network)
    if "/" in text or "\\" in text or re.search(r"\.(json|csv|txt|lft|lst|gz)$", text.lower()):
        problem = "is no regular file" if os.path.exists(text) else "does not exist"
        raise InputError(f"routing file '{short(text)}' {problem}; a routing document was expected there")
    raise InputError(f"unknown routing '{short(text)}'; {hint} (or a routing file, or module:function)")


def _expected() -> str:
    return f"a name ({', '.join([*ROUTINGS, *DESIGNED])}, mix), a routing file or module:function was expected"


def _named(name: str, options: str | None, network: Network) -> Routing:
    entry = ROUTINGS[name]
    given = settings_of(name, [] if options is None else options.split(","), entry.options)
    made: dict[str, Any] = {k: whole(name, k, v) if k in entry.whole_numbers else v for k, v in given.items()}
    return entry.make(network, made)


def _designed(name: str, options: str | None, network: Network) -> Routing:
    entry = DESIGNED[name]
    given = settings_of(name, [] if options is None else options.split(","), entry.options)
    module, _, function = entry.function.partition(":")
    made: Routing = getattr(import_module(module), function)(network, given)
    return made


def _mixture(text: str, network: Network, *, outside: bool) -> Routing:
    from ..base.mixture import Mixture

    parts = []
    for term in re.split(r"\+(?=[^+*]*\*)", text):
        weight, star, spec = term.partition("*")
        if not star or not weight.strip() or not spec.strip():
            raise InputError(
                f"mix: '{short(term)}' is no part; weight*routing was expected, as in mix:1/2*dor+1/2*romm"
            )
        if "+" in spec and not is_file(spec.strip()):
            raise InputError(f"mix: '{short(spec.rpartition('+')[2])}' is no part; weight*routing was expected")
        if spec.strip().startswith("mix:"):
            raise InputError("mix: a mixture cannot hold another one; multiply the weights instead")
        parts.append((parse_fraction(weight, what="mix: a weight"), _build(spec, network, outside=outside)))
    return Mixture(parts)
