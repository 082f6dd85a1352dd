"""What the vocabulary says of one quantity; units as reports state them, and the shorter forms that tables print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PER_TERMINAL = "packets per cycle and terminal"
PER_BANDWIDTH = "packets per cycle and unit of bandwidth"
PER_RANK = "units per cycle and rank"
OF_RATES = "factor on the rates"
OF_CAPACITY = "of capacity"
OF_MINIMAL = "of minimal"
HOPS = "hops"

SHORT_UNITS: Mapping[str, str] = {
    PER_TERMINAL: "packets/cycle",
    PER_BANDWIDTH: "load/bandwidth",
    PER_RANK: "units/cycle",
    OF_RATES: "of the rates",
}
"""Units that are too long for a column of a table."""


@dataclass(frozen=True)
class Quantity:
    """One entry of the vocabulary; its key there is the name that reports use.

    - ``definition``: one or two sentences;
    - ``unit``: the empty text for a count without a unit, and for a question, which "true" or "false" answers;
    - ``source``: where the definition is from; the empty text for a plain count;
    - ``name``: what tables and pages print; the words of its key where it is not given;
    - ``units``: other units, by the traffic model or the kind of evidence that they go with;
    - ``verdicts``: how a page says "true" and "false" of a question;
    - ``part_of``: (quantity, words): right below that quantity of the same traffic and bounds, a table prints only
      these words.
    """

    definition: str
    unit: str = ""
    source: str = ""
    name: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    verdicts: tuple[str, str] = ("yes", "no")
    part_of: tuple[str, str] | None = None
