"""What was written, in a word, where a routing is known by its loads."""

from __future__ import annotations

from ...core.errors import InputError
from ..base.routing import Routing

__all__ = ["wrote"]


def wrote(what: str, routing: Routing) -> str:
    """``what``; where that is so, that its paths are few with the same loads: packets of such a routing may take
    others, which wait for other channels."""
    return what if _all_explicit(routing) else f"{what} (few paths with the same loads)"


def _all_explicit(routing: Routing) -> bool:
    """Are the paths that were written the routing's own, every one?  Grid routings may have too many for that."""
    if routing.has_explicit_paths and not routing.holds_paths:
        try:
            for _ in routing.bundles():
                pass
        except InputError:
            return False
    return routing.has_explicit_paths
