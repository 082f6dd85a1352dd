"""The routings that have names.  Each is registered where it is defined (``RoutingEntry``); names and their options
are those of the command line, and stable.

A name or alias stands for exactly one routing.  What is not the same under any name (OpenSM's minhop chooses its ports
by counting; UGAL looks at queues) is no alias: it is refused, with what is nearest.

``named_routing`` makes this package's routings by text, mixtures of them too: nothing in it leads to a file, to code or
to a solver.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ...core.display import short
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...core.plain_names import reads_like
from ...core.rational import parse_fraction
from ...core.registry import Registry
from ..base.entry import RoutingEntry, settings_of, whole
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..base.worst_hash import WORST_HASH, WorstHash, without_worst_hash
from ..files.table import is_file

ROUTINGS = Registry(
    "routing",
    RoutingEntry,
    rooms=("routeproof.routing.grid", "routeproof.routing.graph", "routeproof.routing.fabrics"),
    group="routeproof.routings",
    returns={"build": Routing},
)
"""Every routing by name: this package's own, and those of other packages by entry points."""

_MINHOP = (
    "OpenSM's minhop counts routes by port: opensm:minhop runs it, its tables (dump_fts) are judged as they are; "
    "nearest is sssp, balanced trees of shortest paths"
)
_QUEUES = "it is adaptive, so no exact worst case of it is known"
_ADAPTIVE = "adaptive bounds every one, simulate load runs minimal-adaptive and goal"

NEAREST: Mapping[str, str] = {
    "minhop": _MINHOP,
    "min-hop": _MINHOP,
    "ftree": "OpenSM's ftree numbers hosts its own way: opensm:ftree runs it; nearest is dmodk",
    "nue": "opensm:nue runs OpenSM's; nearest is sssp",
    "shortest": "minimal spreads packets over all shortest paths, random-path:seed=7 fixes one, sssp balances them",
    "random": "minimal draws a path for each packet, random-path:seed=7 one for each pair, valiant a node between",
    "ospf": "ecmp:weight=METRIC splits evenly over the paths that are shortest by a metric of a graph file",
    "ugal": f"{_QUEUES}; it chooses between minimal and valiant; {_ADAPTIVE}",
    "adaptive": f"{_QUEUES}; {_ADAPTIVE}",
    "minimal-adaptive": f"{_QUEUES}; routeproof simulate load runs it",
    "goal": f"{_QUEUES}; routeproof simulate load runs it",
}
"""Names of what is none of these routings, to what may be meant."""


@cache
def aliases() -> Mapping[str, str]:
    """Other names of this package's routings, to the text that each stands for."""
    return {other: text for entry in ROUTINGS.own.values() for other, text in entry.aliases.items()}


def real_name(text: str) -> str:
    """``text`` with an alias, or capital letters, replaced; unchanged where its name is neither.

    What may be ``module:function`` is left alone.
    """
    name, colon, options = text.partition(":")
    if name in ROUTINGS.own or (colon and "=" not in options):
        return text
    plain = name.strip().lower()
    found = plain if plain in ROUTINGS.own else aliases().get(plain, name)
    if not colon:
        return found
    return f"{found}{',' if ':' in found else ':'}{options}"


def without_old_name(text: str) -> str:
    """What to write in place of ``text`` where its name is one that users should no longer write."""
    name, colon, options = text.partition(":")
    plain = name.strip().lower()
    old = any(plain in entry.old_names for entry in ROUTINGS.own.values())
    return real_name(f"{plain}{colon}{options}") if old else text


def is_taken(name: str) -> bool:
    """Could this package make a routing of that name, or of one that reads like it?  Names of other packages do not
    count: a report says the same with and without them."""
    return reads_like(name, (*ROUTINGS.own, *aliases(), *NEAREST, "mix", WORST_HASH)) is not None


def makes_a_routing(name: str) -> bool:
    """Would a report with nothing but that name mean a routing that is made anew?

    Designed tables were called ``tables`` before a fabric's own tables were."""
    entry = ROUTINGS.own.get(name.partition(":")[0])
    return is_taken(name) and not (entry is not None and entry.of_fabric)


def help_lines(prefix: str = "") -> list[tuple[str, str]]:
    """(name, line of help) of every routing whose name begins with ``prefix``; broken packages say that they are."""
    found = []
    for name in ROUTINGS.names():
        if name.startswith(prefix):
            try:
                entry = ROUTINGS.find(name)
                found.append((name, "" if entry is None else entry.help))
            except InputError as error:
                found.append((name, str(error)))
    return found


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
    if entry.by_program:
        raise InputError(
            f"'{name}' is made by another program, which is not run here; its tables were expected in full"
        )
    return built(entry, options if colon else None, network)


def checked_text(text: str) -> str:
    """``text`` without outer spaces; raises InputError where nothing is left, or too much."""
    text = text.strip()
    if not text or len(text) > _MAX_TEXT:
        raise InputError(
            f"the routing is {'empty' if not text else 'too long'}; a name such as dor, a routing file or "
            f"module:function was expected"
        )
    return text


def nearest(name: str, known: list[str]) -> str:
    """What may be meant by a name that is none of ``known``."""
    return NEAREST.get(name.lower()) or did_you_mean(name, [*known, "mix", WORST_HASH], listed=_LISTED)


_LISTED = "docs/routings.md lists the names, such as dor, romm, ecmp and valiant"


def built(entry: RoutingEntry, options: str | None, network: Network) -> Routing:
    """The entry's routing with the options that are written behind its name."""
    return entry.build(network, options_of(entry, options))


def options_of(entry: RoutingEntry, text: str | None) -> dict[str, Any]:
    """The options in ``text`` by key; raises InputError for one that the entry does not have."""
    name = entry.name
    parts = [] if text is None else text.split(",")
    if entry.bare:
        parts = [x if "=" in x or not x.strip() else f"{entry.bare}={x}" for x in parts]
    given = settings_of(name, parts, entry.options)
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
