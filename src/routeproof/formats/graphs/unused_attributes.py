"""Attributes of foreign graphs that seem to say what a link carries or how many terminals a node has, and are not used.

A wrong bandwidth makes a wrong proof, so the reader says in one line what it passes over: rates, how many cables an
edge stands for, which of them are down, how many terminals a node has and which nodes are hosts.  Attributes that
describe (labels, places, colours) are left alone, and so is a number that is 1 everywhere: it is what is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...core.errors import InputError, warn
from ..text_files import brief, first_of, parse_number

_RATE = re.compile(
    r"(link|edge|cable|channel|max|preinstalled|module)*(bandwidth|bw|capacity|cap|speed|rate|datarate|bitrate|throughput|width|weight)"
    r"(raw|units?|[kmgt]?(bps|bits?|bit/?s|b/?s))*|[kmgt](bps|bits|bit/s|b/s)|(num(ber(of)?)?|n)?lanes(count)?"
)
_CABLE = "(link|cable|channel|fib(er|re)|wire|trunk|edge)"
_MULTIPLICITY = re.compile(
    rf"multiplicity|parallel|copies|count|(num(ber(of)?)?|n)?(parallel)?{_CABLE}s(count)?"
    rf"|(parallel)?{_CABLE}(count|multiplicity)"
)
_STATE = re.compile(
    r"(link|edge|cable|port|node|oper(ational)?|admin(istrative)?)*(status|state)"
    r"|(is)?(up|down|enabled|disabled|failed|faulty|broken|dead|alive|active|inactive)"
)
_TERMINALS = re.compile(r"(num(ber(of)?)?|n)?(terminals?|endpoints?|hosts?|servers?)(count|pernode)?")
_ROLE = re.compile(r"(node|device|vertex)?(type|kind|role|class|category)")
_HOSTS = {"host", "server", "terminal", "endpoint", "endnode", "compute", "computenode", "hca", "ca", "nic"}
_SHOWN = 4

Attributes = Mapping[str, Any]


def _plain(name: str) -> str:
    return re.sub(r"[\s_.:()-]", "", name).casefold()


def _called(names: re.Pattern[str]) -> Callable[[str], bool]:
    @lru_cache(maxsize=1024)
    def is_called(name: str) -> bool:
        return names.fullmatch(_plain(name)) is not None

    return is_called


is_rate_name = _called(_RATE)
"""Does an attribute of this name say how much a link carries?"""
is_terminals_name = _called(_TERMINALS)
"""... how many terminals a node has?"""
is_multiplicity_name = _called(_MULTIPLICITY)
"""... how many cables an edge stands for?"""
is_state_name = _called(_STATE)
"""... whether a link or a node is up?"""
_is_role_name = _called(_ROLE)


def check_units(edges: Sequence[Attributes], attribute: str, *, what: str) -> None:
    """Raise InputError where the numbers of ``attribute`` are in different units, which another attribute states."""
    own = _plain(attribute)
    of_units = {own + "unit", own + "units"} | (set() if own.endswith("raw") else {"unit", "units"})
    for name in _names(edges, lambda x: _plain(x) in of_units):
        units = {_value(x.get(name, "")) for x in edges}
        if len(units) > 1:
            raw = next((x for x in ("Raw", "_raw") if any(attribute + x in e for e in edges)), None)
            several = ", ".join(brief(x) if x else "none" for x in sorted(units)[:_SHOWN])
            remedy = f"bandwidth={attribute + raw}" if raw else "one unit for all edges"
            found = f"{brief(attribute)} is in several units, as {brief(name)} tells ({several})"
            raise InputError(f"{what}: {found}; {remedy} was expected")


def warn_of_rates(edges: Sequence[Attributes], *, what: str, by_name: bool = True) -> None:
    """One warning where edges state rates that are not used; ``by_name``: an attribute can be named that is used."""
    names = _telling(edges, is_rate_name)
    if not names:
        return
    usable = [x for x in names if by_name and _is_bandwidth(edges, x)]
    usable.sort(key=lambda x: not _plain(x).endswith("raw"))
    hint = f"bandwidth={usable[0]} uses it" if usable else "none of them is a number on every edge"
    partly = [] if usable else [x for x in names if _is_bandwidth([e for e in edges if x in e], x)]
    partly.sort(key=lambda x: not _plain(x).endswith("raw"))
    hint += f": bandwidth={partly[0]},missing=VALUE" if partly else ""
    hint += "".join(f"; --routing ecmp:weight={x} routes by it" for x in usable if _plain(x) == "weight")
    ways = f" ({hint}; bandwidth=1 says that this is meant)" if by_name else ""
    warn(f"{what}: edges state {_listed(names)}, not used: every channel has bandwidth 1{ways}")


def warn_of_links(edges: Sequence[Attributes], *, what: str, used: str | None, equal: bool) -> None:
    """Warnings where edges state how many cables they are, and whether they are up; ``used``: the attribute that is
    their bandwidth; ``equal``: the user takes all edges as equal."""
    counts = [] if equal else [x for x in _telling(edges, is_multiplicity_name) if x != used]
    if counts:
        found = f"{what}: edges state {_listed(counts)}, not used"
        warn(f"{found}: every edge is one link (several are parallel edges, or one of their whole bandwidth)")
    _warn_of_states(edges, "edge", "dead-links", what)


def warn_of_terminals(nodes: Sequence[Attributes], *, what: str) -> None:
    """Warnings where nodes state their terminals under another name, or which of them are hosts; and whether they are
    up."""
    given = any("terminals" in x for x in nodes)
    names = [] if given else _telling(nodes, is_terminals_name) or _unlike(nodes, _is_role_name)
    if names and not is_terminals_name(names[0]):
        names = [x for x in names if any(_plain(_value(node.get(x))).removesuffix("s") in _HOSTS for node in nodes)]
    if names:
        found = f"{what}: nodes state {_listed(names)}, not used"
        warn(f"{found}: every node has one terminal (the attribute 'terminals' counts them)")
    _warn_of_states(nodes, "node", "dead-nodes", what)


def _warn_of_states(items: Sequence[Attributes], thing: str, option: str, what: str) -> None:
    states = [x for x in _unlike(items, is_state_name) if thing == "edge" or _plain(x) != "state"]  # of a country
    if states:
        values = sorted({_value(x.get(states[0], "none")) for x in items})
        found = f"{what}: {thing}s state {_listed(states)} ({_listed(values)}), not used"
        warn(f"{found}: every {thing} is taken, up or down ({option}= removes some)")


def _names(items: Sequence[Attributes], wanted: Callable[[str], bool]) -> list[str]:
    return [x for x in dict.fromkeys(key for item in items for key in item) if wanted(x)]


def _unlike(items: Sequence[Attributes], wanted: Callable[[str], bool]) -> list[str]:
    return [x for x in _names(items, wanted) if len({_value(item.get(x)) for item in items}) > 1]


def _telling(items: Sequence[Attributes], wanted: Callable[[str], bool]) -> list[str]:
    """The names of attributes that are not the same on all items, else of those that are not 1 there."""
    return _unlike(items, wanted) or [x for x in _names(items, wanted) if _is_not_one(items[0][x])]


def _is_not_one(value: object) -> bool:
    """Is it a number other than 1, perhaps with a unit?"""
    text = _value(value)
    try:
        return parse_number(text, what="a number") != 1
    except InputError:
        return text[:1].isdigit()


def _value(value: object) -> str:
    return str(value).strip()


def _is_bandwidth(edges: Iterable[Attributes], name: str) -> bool:
    if not name.isprintable() or "," in name:
        return False
    try:
        return all(parse_number(x.get(name), what=name) > 0 for x in edges)
    except InputError:
        return False


def _listed(names: Sequence[str]) -> str:
    return first_of([brief(x) for x in names], _SHOWN)
