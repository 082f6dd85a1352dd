"""Service levels by whole arrays: the lines of ``opensm-path-records.dump``, and the pairs that they leave out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..line_chunks import HEX_DIGIT

__all__ = ["completed_levels", "usual_entries"]

Bytes = npt.NDArray[np.uint8]
Int64 = npt.NDArray[np.int64]


def usual_entries(data: Bytes, starts: Int64, ends: Int64) -> tuple[npt.NDArray[np.bool_], Int64, Int64]:
    """Which lines are ``0x0004 : 12 : 4   : 3   ``, column for column; their lids and service levels.

    data: the bytes of whole lines, line k from ``starts[k]`` to ``ends[k]``.  Lids and levels, int64, mean nothing for
    lines of another form, which are for the reader to look at one by one.
    """
    last = len(data) - 1
    at = [data[np.minimum(starts + k, last)] for k in range(25)]
    usual = (ends - starts >= 21) & (ends - starts <= 25) & (at[0] == 48) & (at[1] == 120)
    for colon in (7, 12, 18):
        usual &= (at[colon - 1] == 32) & (at[colon] == 58) & (at[colon + 1] == 32)
    usual &= (HEX_DIGIT[at[14]] < 10) & (HEX_DIGIT[at[20]] < 10)
    for k in (15, 16, *range(21, 25)):  # the rest of MTU and rate, up to the end of the line
        usual &= (at[k] == 32) | (HEX_DIGIT[at[k]] < 10) | (starts + k >= ends)
    lid = np.zeros(len(starts), dtype=np.int64)
    for byte in at[2:6]:
        digit = HEX_DIGIT[byte]
        usual &= digit < 16
        lid = lid * 16 + digit
    tens, ones = HEX_DIGIT[at[9]].astype(np.int64), HEX_DIGIT[at[10]].astype(np.int64)
    two = ones < 10
    usual &= (tens < 10) & (two | (at[10] == 32))
    return usual, lid, np.where(two, 10 * tens + ones, tens)


def completed_levels(
    level: npt.NDArray[np.uint16], lmc: Int64, apart: npt.NDArray[np.bool_]
) -> tuple[int, tuple[int, int, int] | None]:
    """How many pairs ``apart`` have no level, by lid, and the first of them: source, destination, number of the lid.

    ``level`` is completed: hosts with fewer lids than others have them again.
    """
    missing = 0
    first: tuple[int, int, int] | None = None
    for k in range(len(level)):
        own = k % (1 << lmc)
        again = own != k
        level[k][:, again] = level[own[again], :, np.flatnonzero(again)].T
        lost = apart & (level[k] == 0)
        lost[:, again] = False
        missing += int(lost.sum())
        if first is None and lost.any():
            i, j = (int(x) for x in np.argwhere(lost)[0])
            first = i, j, k
    return missing, first
