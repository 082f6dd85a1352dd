"""Attributes of foreign graphs that seem to say what a link carries or how many terminals a node has, and are not used.

A wrong bandwidth makes a wrong proof, so the reader says in one line what it passes over.  Attributes that describe
(labels, places, colours) are left alone, and so is a rate that is the same on every edge: it changes nothing.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..core.errors import InputError
from . import RouteproofWarning
from .text_files import brief, parse_number

__all__ = ["check_units", "is_rate_name", "is_terminals_name", "warn_of_rates", "warn_of_terminals"]

_RATE = re.compile(
    r"(link|edge|cable|channel|max)*(bandwidth|bw|capacity|cap|speed|rate|datarate|bitrate|throughput|width|weight)"
    r"(raw|units?|[kmgt]?(bps|bits?|bit/?s|b/?s))*|[kmgt](bps|bits|bit/s|b/s)"
)
_TERMINALS = re.compile(r"(num(ber(of)?)?|n)?(terminals?|endpoints?|hosts?|servers?)(count|pernode)?")
_UNITS = ("Units", "Unit", "_units", "_unit", "units", "unit")
_SHOWN = 4

Attributes = Mapping[str, Any]


def _plain(name: str) -> str:
    return re.sub(r"[\s_.:()-]", "", name).casefold()


@lru_cache(maxsize=1024)
def is_rate_name(name: str) -> bool:
    """Does an attribute of this name say how much a link carries?"""
    return _RATE.fullmatch(_plain(name)) is not None


@lru_cache(maxsize=1024)
def is_terminals_name(name: str) -> bool:
    """Does an attribute of this name say how many terminals a node has?"""
    return _TERMINALS.fullmatch(_plain(name)) is not None


def check_units(edges: Sequence[Attributes], attribute: str, *, what: str) -> None:
    """Raise InputError where the numbers of ``attribute`` are in different units, which another attribute tells."""
    for suffix in _UNITS:
        units = {str(x.get(attribute + suffix, "")).strip() for x in edges}
        if len(units) > 1:
            raw = next((x for x in ("Raw", "_raw") if any(attribute + x in e for e in edges)), None)
            told = ", ".join(brief(x) if x else "none" for x in sorted(units)[:_SHOWN])
            remedy = f"bandwidth={attribute + raw}" if raw else "one unit for all edges"
            raise InputError(
                f"{what}: {brief(attribute)} is in several units, as {brief(attribute + suffix)} tells ({told}); "
                f"{remedy} was expected"
            )


def warn_of_rates(edges: Sequence[Attributes], *, what: str) -> None:
    """One warning where edges state rates that are not used: every channel gets bandwidth 1."""
    names = _unlike(edges, is_rate_name)
    if not names:
        return
    usable = [x for x in names if _is_bandwidth(edges, x)]
    usable.sort(key=lambda x: not _plain(x).endswith("raw"))
    hint = f"bandwidth={usable[0]} uses it" if usable else "none of them is a number on every edge"
    warnings.warn(
        f"{what}: edges state {_listed(names)}, not used: every channel has bandwidth 1 ({hint}; bandwidth=1 says that "
        f"this is meant)",
        RouteproofWarning,
        stacklevel=5,
    )


def warn_of_terminals(nodes: Sequence[Attributes], *, what: str) -> None:
    """One warning where nodes state how many terminals they have under a name that is not ``terminals``."""
    names = _unlike(nodes, is_terminals_name)
    if names:
        warnings.warn(
            f"{what}: nodes state {_listed(names)}, not used: every node has one terminal (the attribute 'terminals' "
            f"counts them)",
            RouteproofWarning,
            stacklevel=5,
        )


def _unlike(items: Sequence[Attributes], wanted: Any) -> list[str]:
    """The names, in order, of attributes that are not the same on all items."""
    names = [x for x in dict.fromkeys(key for item in items for key in item) if wanted(x)]
    return [x for x in names if len({_value(item.get(x)) for item in items}) > 1]


def _value(value: object) -> str:
    return str(value).strip()


def _is_bandwidth(edges: Iterable[Attributes], name: str) -> bool:
    """Would ``bandwidth=name`` do?"""
    if not name.isprintable() or "," in name:
        return False
    try:
        return all(parse_number(x.get(name), what=name) > 0 for x in edges)
    except InputError:
        return False


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(brief(x) for x in names[:_SHOWN]) + more
