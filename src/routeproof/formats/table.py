"""The table of file formats of networks and what belongs to them, those of other packages included."""

from __future__ import annotations

from typing import Any

from ..core.network import Network
from ..core.registry import Registry
from .format import Bandwidth, Format

__all__ = ["FORMATS"]

_KIND: type[Format[Network, Any]] = Format

FORMATS: Registry[Format[Network, Bandwidth]] = Registry(
    "format",
    _KIND,
    rooms=[f"{__package__}.{room}" for room in ("documents", "graphs", "infiniband", "simulators")],
    group="routeproof.formats",
)
"""Every format by its name; an entry stands beside the code that reads and writes it.  Formats without ``read`` hold
something else than a network.  Files of routings are in ``routing.files.table``."""
