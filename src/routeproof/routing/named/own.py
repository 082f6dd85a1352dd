"""This package's routings by text, mixtures of them too: nothing here leads to a file, to code or to a solver."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...core.display import short
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...core.rational import parse_fraction
from ..base.entry import RoutingEntry, whole
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..base.worst_hash import WORST_HASH, WorstHash, without_worst_hash
from ..files.table import is_file
from ..function.given_function import settings_of
from .names import NEAREST, ROUTINGS, real_name

_MAX_TEXT = 4000


def named_routing(text: str, network: Network) -> Routing:
    """The routing of a report that names it: as ``routing_from_spec``, for this package's names alone.

    Raises InputError, with the nearest match, for any other text, and for routings that are solved for.
    """
    text = checked_text(text)
    if (inner := without_worst_hash(text)) is not None:
        return WorstHash(named_routing(inner, network))
    if text.startswith("mix:"):
        return mixture_of(text, lambda part: named_routing(part, network))
    name, colon, options = real_name(text).partition(":")
    entry = ROUTINGS.own.get(name)
    if entry is None:
        raise InputError(f"'{short(text)}' names no built-in routing; {nearest(name, list(ROUTINGS.own))}")
    if entry.solved_within is not None:
        raise InputError(f"'{name}' is solved for; where nothing may be solved its paths were expected in full")
    return built(entry, options if colon else None, network)


def checked_text(text: str) -> str:
    """``text`` without outer spaces; raises InputError where nothing is left, or too much."""
    text = text.strip()
    if not text or len(text) > _MAX_TEXT:
        names = ", ".join(ROUTINGS.names())
        raise InputError(
            f"the routing is {'empty' if not text else 'too long'}; a name ({names}, mix), a routing file or "
            f"module:function was expected"
        )
    return text


def nearest(name: str, known: list[str]) -> str:
    """What may be meant by a name that is none of ``known``."""
    return NEAREST.get(name.lower()) or did_you_mean(name, [*known, "mix", WORST_HASH])


def built(entry: RoutingEntry, options: str | None, network: Network) -> Routing:
    """The entry's routing with the options that are written behind its name."""
    return entry.build(network, options_of(entry, options))


def options_of(entry: RoutingEntry, text: str | None) -> dict[str, Any]:
    """The options in ``text`` by key; raises InputError for one that the entry does not have."""
    name = entry.name
    given = settings_of(name, [] if text is None else text.split(","), entry.options)
    return {k: whole(name, k, v) if k in entry.whole_numbers else v for k, v in given.items()}


def mixture_of(text: str, build: Callable[[str], Routing]) -> Mixture:
    """``mix:1/2*dor+1/2*romm:tie=union``, the routing of each part by ``build``."""
    parts = []
    for term in re.split(r"\+(?=[^+*]*\*)", text.partition(":")[2]):
        weight, star, spec = term.partition("*")
        if not star or not weight.strip() or not spec.strip():
            raise InputError(
                f"mix: '{short(term)}' is not a part; weight*routing was expected, as in mix:1/2*dor+1/2*romm"
            )
        if "+" in spec and not is_file(spec.strip()):
            raise InputError(f"mix: '{short(spec.rpartition('+')[2])}' is not a part; weight*routing was expected")
        if spec.strip().startswith("mix:"):
            raise InputError("mix: a mixture cannot hold another one; multiply the weights instead")
        parts.append((parse_fraction(weight, what="mix: a weight"), build(spec)))
    return Mixture(parts)
