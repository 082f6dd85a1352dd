"""The table of families of networks, those of other packages included."""

from __future__ import annotations

from ..core.registry import Registry
from .family import Family

__all__ = ["TOPOLOGIES"]

TOPOLOGIES: Registry[Family] = Registry(
    "topology",
    Family,
    rooms=[f"{__package__}.{room}" for room in ("grid", "datacenter", "random", "multistage")],
    group="routeproof.topologies",
)
"""Every family by its name; an entry stands beside the function that builds it."""
