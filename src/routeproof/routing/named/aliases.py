"""Other names of the routings: what people type, and what they mean by it.

A name here stands for exactly one routing of ours.  What is not the same under any name (OpenSM's minhop chooses its
ports by counting; UGAL looks at queues) is no alias: it is refused, with what is nearest.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ALIASES", "NEAREST", "real_name"]

ALIASES: Mapping[str, str] = {
    "d-mod-k": "dmodk",
    "dmod-k": "dmodk",
    "s-mod-k": "smodk",
    "smod-k": "smodk",
    "up-down": "updown",
    "up/down": "updown",
    "up*/down*": "updown",
    "updn": "updown:paths=one",
    "xy": "dor:order=xy",
    "yx": "dor:order=yx",
    "e-cube": "dor",
    "ecube": "dor",
    "dimension-order": "dor",
    "val": "valiant",
    "vlb": "valiant",
    "ecmp-per-hop": "minimal:choice=per-hop",
    "k-shortest-paths": "ksp",
    "yen": "ksp",
    "5turns": "turns:limit=4,start=virtual",
}
"""Another name to the text of the routing that it is."""

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
    "ospf": "ecmp spreads flows over shortest paths, hashed-ecmp splits at every switch, lash takes the first path",
    "ugal": f"{_QUEUES}; minimal and valiant are what it chooses between",
    "adaptive": f"{_QUEUES}; routeproof simulate load knows minimal-adaptive and goal",
    "minimal-adaptive": f"{_QUEUES}; routeproof simulate load knows it",
    "goal": f"{_QUEUES}; routeproof simulate load knows it",
}
"""Names of what is none of these routings, to what may be meant."""


def real_name(text: str, known: Mapping[str, object]) -> str:
    """``text`` with an alias, or capital letters, replaced; unchanged where its name is neither.

    ``known``: the names that there are.  What may be ``module:function`` is left alone.
    """
    name, colon, options = text.partition(":")
    if name in known or (colon and "=" not in options):
        return text
    plain = name.strip().lower()
    found = plain if plain in known else ALIASES.get(plain, name)
    if not colon:
        return found
    return f"{found}{',' if ':' in found else ':'}{options}"
