"""What the vocabulary says of one quantity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Quantity"]


@dataclass(frozen=True)
class Quantity:
    """One entry of the vocabulary; its key there is the name that reports use.

    - ``definition``: one or two sentences;
    - ``unit``: the empty text for a count without a unit, and for a question, which "true" or "false" answers;
    - ``source``: where the definition is from; the empty text for a plain count;
    - ``name``: what tables and pages print; the words of its key where it is not given;
    - ``units``: other units, by the traffic model or the kind of evidence that they go with;
    - ``part_of``: (quantity, words): right below that quantity of the same traffic and bounds, a table prints only
      these words.
    """

    definition: str
    unit: str = ""
    source: str = ""
    name: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    part_of: tuple[str, str] | None = None
