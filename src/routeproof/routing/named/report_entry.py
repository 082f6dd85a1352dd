"""What a report says of a routing: its name where that makes it again, else all of it (``described`` reads it)."""

from __future__ import annotations

from typing import Any

from ..base.mixture import mixture_name
from ..base.routing import Routing
from .names import ROUTINGS, is_taken

__all__ = ["describe_routing", "report_name"]


def describe_routing(routing: Routing, *, paths: bool = False) -> dict[str, Any]:
    """``{"spec": name}``, and what it is in full where ``routing.in_full``, the parts of a mixture one by one.

    ``paths``: for claims about its explicit paths, so that tables of paths are written path by path.
    """
    if not routing.in_full:
        return {"spec": routing.name}
    if routing.parts:
        parts = [[str(weight), describe_routing(part, paths=paths)] for weight, part in routing.parts]
        return {"spec": report_name(routing), "parts": parts}
    return {"spec": report_name(routing), **routing.written_in_full(paths=paths)}


def report_name(routing: Routing) -> str:
    """What a report calls the routing: by its name, or, where it is given in full, by one that makes nothing."""
    if not routing.in_full:
        return routing.name
    if routing.parts and routing.name == mixture_name([(w, x.name) for w, x in routing.parts]):
        return mixture_name([(w, report_name(x)) for w, x in routing.parts])
    if not is_taken(routing.name):
        return routing.name
    entry = ROUTINGS.own.get(routing.name.partition(":")[0])
    solved = entry is not None and entry.solved_within is not None
    return f"designed as {routing.name}" if solved else f"./{routing.name}"
