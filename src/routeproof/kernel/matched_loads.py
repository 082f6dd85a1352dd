"""The other half of an exact worst case, for many channels at once: traffic that loads each of them as much as stated.

Part of what is trusted: numpy and integers only.  Potentials bound a channel from above (``kernel.multipliers``).
From below, whole numbers of packets from rows to columns do, if no row sends more than its terminals and no column gets
more: such packets are part of a permutation, and the rest of it takes no load away.  Where the pair loads are 0 or 1,
as those of deterministic tables are, potentials of 0 and 1 are a cover of the pairs, the packets a matching, and that
the two are equal is the theorem of Konig (1931).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64, first_true
from ..core.errors import VerificationError
from ..core.loads import LoadBlock
from ..core.rational import INT64_MAX, Rationals
from .multipliers import rounded_up


def check_matched_loads(
    block: LoadBlock,
    supply: Int64,
    demand: Int64,
    *,
    scale: int,
    claimed: Int64,
    count: Int64,
    row: Int64,
    column: Int64,
    amount: Int64,
) -> None:
    """The k-th channel of the block has at least the load ``claimed[k] / scale`` by its ``count[k]`` groups of packets.

    ``row``, ``column``, ``amount``: so many packets from this row to that column, channel after channel; ``count``,
    int64 (K,), must add up to their number.  supply, demand: how many packets a row may send, a column may get.

    Raises VerificationError, naming the channel.
    """
    size = len(row)
    if (count < 0).any() or int(count.sum()) != size or not len(column) == len(amount) == size:
        raise VerificationError(f"the packets of channels {_span(block)} are not as many as their counts say")
    channel = np.repeat(np.arange(block.num_channels), count)
    rows, columns = len(supply), len(demand)
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    inside &= (amount > 0) & (amount <= int(supply.max(initial=0)))
    e = first_true(~inside)
    if e is not None:
        raise VerificationError(
            f"channel {int(block.channel[channel[e]])}: {int(amount[e])} packets from row {int(row[e])} to column "
            f"{int(column[e])}; rows are 0 to {rows - 1}, columns 0 to {columns - 1}, packets at least 1"
        )
    for what, index, allowed in (("row", row, supply), ("column", column, demand)):
        place, which = np.unique(channel * len(allowed) + index, return_inverse=True)
        sent = np.zeros(len(place), dtype=np.int64)
        np.add.at(sent, which, amount)
        over = first_true(sent > allowed[place % len(allowed)])
        if over is not None:
            k, i = divmod(int(place[over]), len(allowed))
            raise VerificationError(
                f"channel {int(block.channel[k])}: {what} {i} has {int(sent[over])} packets, more than its "
                f"{int(allowed[i])} terminals"
            )
    load = _loads_at(block, rows, columns, channel, row, column, scale)
    if int(load.max(initial=0)) * int(amount.sum()) > INT64_MAX:
        raise VerificationError("loads times packets do not fit 64 bits at the evidence's scale")
    total = np.zeros(block.num_channels, dtype=np.int64)
    np.add.at(total, channel, load * amount)
    low = first_true(total < claimed)
    if low is not None:
        raise VerificationError(
            f"channel {int(block.channel[low])}: its packets load it with {Fraction(int(total[low]), scale)}, "
            f"not with the claimed {Fraction(int(claimed[low]), scale)}"
        )


def _loads_at(
    block: LoadBlock, rows: int, columns: int, channel: npt.NDArray[np.intp], row: Int64, column: Int64, scale: int
) -> Int64:
    """The loads of these pairs in units of 1 / ``scale``, 0 for those that do not cross; rounded down."""
    segment = block.segment
    keys = (segment * rows + block.row) * columns + block.column
    if (np.diff(keys) <= 0).any():
        raise VerificationError("the loads of a channel are not sorted by row and column")
    wanted = (channel * rows + row) * columns + column
    at = np.searchsorted(keys, wanted)
    there = at < len(keys)
    there[there] = keys[at[there]] == wanted[there]
    load = np.zeros(len(wanted), dtype=np.int64)
    found = block.load[at[there]]
    load[there] = -rounded_up(Rationals(-found.num, found.den), scale)
    return load


def _span(block: LoadBlock) -> str:
    return f"{int(block.channel[0])} to {int(block.channel[-1])}" if block.num_channels else "(none)"
