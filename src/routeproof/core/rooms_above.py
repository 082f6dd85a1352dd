"""Entries of a table of names that stand above it, in rooms that it may not import."""

from __future__ import annotations

ROOMS_ABOVE: dict[str, tuple[str, ...]] = {}
"""By what a table is of ("routing"), further rooms and modules that hold its entries.  The package fills it when it is
imported (``routeproof/__init__``); a table loads them when it is first read."""
