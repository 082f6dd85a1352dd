"""Pair loads written in full into a report; ``embedded`` reads them."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ...core.errors import InputError
from .pair_table import PairTable

__all__ = ["By", "written_loads"]

By = Literal["node", "terminal"]
_MAX_BITS = 6000  # numerator and denominator together stay below the 4,000 digits that are read back


def written_loads(table: PairTable, rows: By, columns: By) -> dict[str, Any]:
    """JSON-able ``{"rows", "columns", "loads": [[row, column, [channel, ...], [load, ...]], ...]}``.

    ``rows`` and ``columns`` say what is numbered: "node" or "terminal".  A load is an integer or a fraction string.
    """
    pair = table.row.astype(np.int64) * table.num_columns + table.column
    order = np.argsort(pair, kind="stable")
    first = np.nonzero(np.diff(pair[order], prepend=-1))[0]
    bounds = [*first.tolist(), len(order)]
    channel = table.channel[order].tolist()
    load = [_written(x) for x in table.load[order].fractions()]
    loads = [
        [int(table.row[order[low]]), int(table.column[order[low]]), channel[low:high], load[low:high]]
        for low, high in itertools.pairwise(bounds)
    ]
    return {"rows": rows, "columns": columns, "loads": loads}


def _written(load: Fraction) -> int | str:
    if load.denominator == 1:
        return int(load)
    if load.denominator.bit_length() > _MAX_BITS:
        raise InputError(
            f"a load with a denominator of {load.denominator.bit_length():,} bits is too long for a report"
        )
    return str(load)
