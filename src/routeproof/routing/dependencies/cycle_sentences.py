"""A cycle of dependencies in words: which channels, and a packet that holds each while it asks for the next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from ..base.routing import Routing

__all__ = ["channel_cycle_sentence", "cycle_sentence", "ends_of_packet", "same_sentence"]

_PORT = re.compile(r"\[[0-9]+\]")


def ends_of_packet(routing: Routing, row: int, column: int) -> tuple[str, str]:
    """Where a packet comes from and goes to: terminals by name where they have names, else nodes."""
    network = routing.network
    if network.terminal_labels is None:
        return network.label(int(routing.row_node[row])), network.label(int(routing.column_node[column]))
    source, end = np.flatnonzero(routing.row_of == row), np.flatnonzero(routing.column_of == column)
    return network.terminal_label(int(source[0])), network.terminal_label(int(end[0]))


def channel_cycle_sentence(routing: Routing, cycle: Sequence[int], packets: Sequence[tuple[int, int]]) -> str:
    """``cycle``: channels; ``packets``: for each a (row, column)."""
    parts = []
    for c, (row, column) in zip(cycle, packets, strict=True):
        source, end = ends_of_packet(routing, row, column)
        parts.append(f"{routing.network.channel_label(c)} (held by a packet from {source} to {end})")
    return cycle_sentence(parts)


def cycle_sentence(parts: Iterable[str]) -> str:
    return "a cycle of dependencies: " + ", then ".join(parts) + ", and round again"


def same_sentence(one: object, two: str) -> bool:
    """Are they one sentence, but for the numbers of ports?  A network in a report has none; a fabric's file has."""
    return isinstance(one, str) and _PORT.sub("", one) == _PORT.sub("", two)
