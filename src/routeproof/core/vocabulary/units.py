"""Units as reports state them, and the shorter forms that tables print."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["HOPS", "OF_CAPACITY", "OF_MINIMAL", "OF_RATES", "PER_BANDWIDTH", "PER_TERMINAL", "SHORT_UNITS"]

PER_TERMINAL = "packets per cycle and terminal"
PER_BANDWIDTH = "packets per cycle and unit of bandwidth"
OF_RATES = "factor on the rates"
OF_CAPACITY = "of capacity"
OF_MINIMAL = "of minimal"
HOPS = "hops"

SHORT_UNITS: Mapping[str, str] = {
    PER_TERMINAL: "packets/cycle",
    PER_BANDWIDTH: "load/bandwidth",
    OF_RATES: "of the rates",
}
"""Units that are too long for a column of a table."""
