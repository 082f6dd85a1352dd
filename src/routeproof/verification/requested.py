"""What a designer was asked for, where the routing can be held against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import VerificationError
from .context import Context

__all__ = ["check_requested"]


def check_requested(subject: Mapping[str, Any], context: Context) -> None:
    """Raise VerificationError where ``subject["design"]`` says what the claims of the report do not.

    The objective, the search and its seed are how the routing came about: no statement about it.
    """
    design = subject.get("design", {})
    sets = {x.evidence.data["adversary"].get("paths") for x in context.others if x.evidence.kind == "optimum"}
    if not sets <= {None, design.get("paths")}:
        raise VerificationError("subject: its optimum is one among some paths, which its design does not name")
    if not design:
        return
    if design.get("deadlock_free") not in (None, False) and not _says(context, "deadlock_free", "true"):
        raise VerificationError("subject: its design is called free of deadlock, which no claim of the report proves")
    if design.get("shortest") not in (None, False) and not _says(context, "average_path_length_of_minimal", 1):
        raise VerificationError("subject: its design is said to keep to shortest paths, which no claim proves")
    if design.get("paths") not in (None, "tables") and design["paths"] != context.routing.allowed:
        raise VerificationError(
            f"subject: its paths are said to be those of {str(design['paths'])[:40]!r}; they are not"
        )
    averaged = design.get("objective") == "average-case"
    made_for = [x for x in context.others if x.about.get("sample") == "optimised"]
    names = {"traffic_model": "traffic", "samples": "samples", "seed": "seed"}
    if averaged and set(names) & set(design) and not made_for:
        raise VerificationError("subject: no claim is about the sample that its routing is said to be made for")
    for key in names if averaged else ():
        if key in design and any(x.evidence.data.get(names[key]) != design[key] for x in made_for):
            raise VerificationError(f"subject: its {key} is not that of the sample which the routing was made for")


def _says(context: Context, quantity: str, value: object) -> bool:
    return any(x.quantity == quantity and x.relation == "==" and x.value == value for x in context.others)
