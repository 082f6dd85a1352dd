"""What was written, in a word, where a routing is known by its loads."""

from __future__ import annotations

from ..base.routing import Routing

__all__ = ["wrote"]


def wrote(what: str, routing: Routing) -> str:
    """``what``; where that is so, that its paths are few with the same loads: packets of such a routing may take
    others, which wait for other channels."""
    from ..base.path_bundles import tells_its_paths

    return what if tells_its_paths(routing) else f"{what} (few paths with the same loads)"
