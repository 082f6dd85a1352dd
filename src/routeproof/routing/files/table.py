"""The table of file formats of routings."""

from __future__ import annotations

from typing import Any

from ...core.network import Network
from ...core.registry import Registry
from ...formats.format import Format
from ..base.routing import Routing

__all__ = ["ROUTING_FILES", "RoutingFormat"]

RoutingFormat = Format[Routing, Network]
_KIND: type[Format[Routing, Any]] = Format

ROUTING_FILES: Registry[RoutingFormat] = Registry("format", _KIND, rooms=[str(__package__)])
"""Every format by its name; an entry stands in the file of its format."""
