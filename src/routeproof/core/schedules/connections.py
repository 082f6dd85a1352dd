"""Which send is taken by which receive: connections from rank to rank, each first in, first out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import InputError
from .schedule import Schedule, chunks_text, place_of


class Connection(NamedTuple):
    """From a rank to another on a channel."""

    sender: int
    receiver: int
    channel: int

    def __str__(self) -> str:
        return f"from rank {self.sender} to rank {self.receiver} on channel {self.channel}"


Ends = tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]
"""(rank, block, step) of every send of a connection, and of every receive, in order."""


def connections(schedule: Schedule) -> dict[Connection, Ends]:
    """Of every connection, its sends and its receives: the k-th send is what the k-th receive takes.

    Raises InputError where two thread blocks share an end, and where sends and receives do not match.
    """
    ends: dict[Connection, Ends] = {}
    owner: dict[tuple[Connection, bool], int] = {}
    for rank, blocks in enumerate(schedule.blocks):
        for number, block in enumerate(blocks):
            for sends, peer in ((True, block.send_to), (False, block.receive_from)):
                steps = [k for k, x in enumerate(block.steps) if (x.does.sends if sends else x.does.receives)]
                if peer is None or not steps:
                    continue
                way = Connection(rank, peer, block.channel) if sends else Connection(peer, rank, block.channel)
                other = owner.setdefault((way, sends), number)
                if other != number:
                    verb = f"send to rank {peer}" if sends else f"receive from rank {peer}"
                    raise InputError(
                        f"rank {rank}: thread blocks {other} and {number} both {verb} on channel {block.channel}; one "
                        "thread block at each end of a connection was expected"
                    )
                ends.setdefault(way, ([], []))[0 if sends else 1].extend((rank, number, k) for k in steps)
    for way, (sent, received) in ends.items():
        _check_matched(schedule, way, sent, received)
    return ends


def _check_matched(
    schedule: Schedule, way: Connection, sent: Sequence[tuple[int, int, int]], received: Sequence[tuple[int, int, int]]
) -> None:
    for one, two in zip(sent, received, strict=False):
        counts = [schedule.blocks[r][b].steps[k].count for r, b, k in (one, two)]
        if counts[0] != counts[1]:
            raise InputError(
                f"{place_of(*one)} sends {chunks_text(counts[0])} {way}, and {place_of(*two)}, which takes them, "
                f"receives {counts[1]}"
            )
    if len(sent) > len(received):
        raise InputError(
            f"{place_of(*sent[len(received)])} sends {way}, and no step receives it: {len(sent)} sends and "
            f"{len(received)} receives"
        )
    if len(received) > len(sent):
        raise InputError(
            f"{place_of(*received[len(sent)])} receives {way}, and no step sends it: {len(sent)} sends and "
            f"{len(received)} receives"
        )
