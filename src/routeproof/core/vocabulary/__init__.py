"""The words of all results: every quantity, with its unit, printed name, definition and source.

Claims, tables, pages, the glossary and the checkers read it; no unit and no printed name is written elsewhere.  To add
a quantity, write its entry in the file of its field (``routings``, ``collectives``, ``multistage``, ``schedules``).
Begin with ``quantity``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .collectives import OF_COLLECTIVES
from .multistage import OF_CUBES, OF_DOCUMENTS, OF_MULTISTAGE
from .quantity import SHORT_UNITS, Quantity
from .routings import OF_HASHING, OF_ROUTINGS
from .schedules import OF_SCHEDULES

__all__ = ["QUANTITIES", "Quantity", "is_factor", "name_of_quantity", "short_unit", "unit_of"]

QUANTITIES: Mapping[str, Quantity] = {
    key: replace(entry, name=entry.name or key.replace("_", " "))
    for table in (OF_ROUTINGS, OF_HASHING, OF_COLLECTIVES, OF_MULTISTAGE, OF_CUBES, OF_DOCUMENTS, OF_SCHEDULES)
    for key, entry in table.items()
}
"""All quantities, by the name that reports use."""

_GIVEN_RATES = ("hose", "box", "matrix", "routable")
"""Sets of demands whose limits are rates of a file or of channels, not one packet per cycle."""


def unit_of(quantity: str, *, evidence: str = "", about: Mapping[str, Any] | None = None) -> str:
    """The unit of ``quantity`` in a claim with this kind of ``evidence`` and these qualifiers.

    Raises ValueError for a quantity that the vocabulary does not have.
    """
    entry = QUANTITIES.get(quantity)
    if entry is None:
        raise ValueError(f"the quantity {quantity!r} is not in core/vocabulary; state its unit, or write its entry")
    model = "" if about is None else "hose" if is_factor(about) else str(about.get("model", ""))
    return entry.units.get(model, entry.units.get(evidence, entry.unit))


def is_factor(about: Mapping[str, Any]) -> bool:
    """Is a throughput that is so qualified a factor on given rates, and not packets per cycle and terminal?"""
    sets = str(about.get("demands", "")).split(" & ")
    return about.get("model") == "hose" or any(x.partition(":")[0] in _GIVEN_RATES for x in sets)


def name_of_quantity(quantity: str) -> str:
    """What tables call ``quantity``: ``worst-case channel load``; the words of an unknown name as they are."""
    entry = QUANTITIES.get(quantity)
    return quantity.replace("_", " ") if entry is None else entry.name


def short_unit(unit: str) -> str:
    """``unit`` as short as a table needs it."""
    return SHORT_UNITS.get(unit, unit)
