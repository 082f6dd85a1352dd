"""The routings that have names.  Each is registered where it is defined (``RoutingEntry``); names and their options
are those of the command line, and stable.

A name or alias stands for exactly one routing.  What is not the same under any name (OpenSM's minhop chooses its ports
by counting; UGAL looks at queues) is no alias: it is refused, with what is nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...core.errors import InputError
from ...core.plain_names import reads_like
from ...core.registry import Registry
from ..base.entry import RoutingEntry
from ..base.routing import Routing
from ..base.worst_hash import WORST_HASH

ROUTINGS = Registry(
    "routing",
    RoutingEntry,
    rooms=(
        "routeproof.routing.grid",
        "routeproof.routing.turns",
        "routeproof.routing.graph",
        "routeproof.routing.ethernet",
        "routeproof.routing.infiniband",
    ),
    group="routeproof.routings",
    returns={"build": Routing},
)
"""Every routing by name: this package's own, and those of other packages by entry points."""

_MINHOP = (
    "OpenSM's minhop counts routes by port: judge its tables (dump_fts), or sssp, balanced trees of shortest paths"
)
_QUEUES = "it looks at queues, so it has no exact worst case"

NEAREST: Mapping[str, str] = {
    "minhop": _MINHOP,
    "min-hop": _MINHOP,
    "ftree": "OpenSM's ftree numbers hosts its own way: judge its tables (dump_fts), or dmodk",
    "nue": "judge the tables that OpenSM's nue makes (dump_fts), or sssp",
    "shortest": "minimal spreads packets over all shortest paths, random-path:seed=7 fixes one, sssp balances them",
    "random": "minimal draws a path for each packet, random-path:seed=7 one for each pair, valiant a node between",
    "ospf": "ecmp:weight=METRIC splits evenly over the paths that are shortest by a metric of a graph file",
    "ugal": f"{_QUEUES}; minimal and valiant are what it chooses between",
    "adaptive": f"{_QUEUES}; routeproof simulate load knows minimal-adaptive and goal",
    "minimal-adaptive": f"{_QUEUES}; routeproof simulate load knows it",
    "goal": f"{_QUEUES}; routeproof simulate load knows it",
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
    entry = ROUTINGS.own.get(name)
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
