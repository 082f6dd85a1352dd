"""Numbers for a page in the browser: exact values once each, arrays packed as base64, and loads of pairs.

With pair loads a page can show the paths of a pair, and the pairs that cross a channel.  Three forms, the first that is
small enough: all pairs; the pairs from one node, where translations of a torus move them everywhere (checked); or the
pairs of the given traffic alone.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ...core.symmetry import Automorphism, check_automorphism
from ...routing.base.routing import Routing


def packed(numbers: npt.ArrayLike) -> dict[str, str]:
    """Whole numbers >= 0 below 2^32 as ``{"u8" | "u16" | "u32": base64}``, little-endian."""
    array = np.asarray(numbers, dtype=np.int64).reshape(-1)
    top = int(array.max(initial=0))
    if int(array.min(initial=0)) < 0 or top >= 1 << 32:
        raise ValueError("numbers outside 0 .. 2^32 - 1 cannot be packed")
    bits = 8 if top < 1 << 8 else 16 if top < 1 << 16 else 32
    return {f"u{bits}": base64.b64encode(array.astype(f"<u{bits // 8}").tobytes()).decode("ascii")}


def unpacked(data: Mapping[str, str]) -> npt.NDArray[np.int64]:
    """What ``packed`` packed."""
    ((kind, text),) = data.items()
    return np.frombuffer(base64.b64decode(text), dtype=f"<u{int(kind[1:]) // 8}").astype(np.int64)


class Values:
    """Exact values by number: what a page shows is the fraction itself, written once however often it occurs."""

    def __init__(self) -> None:
        self._number: dict[Fraction, int] = {Fraction(0): 0}

    def number(self, value: Fraction) -> int:
        return self._number.setdefault(value, len(self._number))

    def numbers(self, values: Iterable[Fraction]) -> list[int]:
        return [self.number(x) for x in values]

    def of(self, values: Rationals) -> npt.NDArray[np.int64]:
        """The numbers of an array of rationals, int64; equal pairs of numerator and denominator are met once."""
        if values.num.dtype == object or values.den.dtype == object:
            return np.array(self.numbers(values.fractions()), dtype=np.int64)
        pairs = np.stack([values.num.reshape(-1), values.den.reshape(-1)], axis=1)
        kinds, inverse = np.unique(pairs, axis=0, return_inverse=True)
        known = np.array([self.number(Fraction(int(a), int(b))) for a, b in kinds], dtype=np.int64)
        return np.asarray(known[inverse.reshape(-1)], dtype=np.int64)

    def texts(self) -> list[str]:
        """All values, in the order of their numbers; a fraction too long to read is given to twenty digits, with ~."""
        return [_text(x) for x in self._number]


def _text(value: Fraction) -> str:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= 400:
        return str(value)
    return f"~{float(value):.17g}"


MOST_LOADS = 400_000  # non-zero pair loads in one page
_BLOCK = 512


def pair_store(
    routing: Routing,
    wanted: Sequence[tuple[int, int]],
    values: Values,
    *,
    budget: int = MOST_LOADS,
    channels: Int64 | None = None,
) -> dict[str, Any]:
    """As many pair loads of ``routing`` as ``budget`` allows; ``wanted``: the (source, destination) that matter.

    ``channels``: the numbers that its channels have on the page, where these are others.  As JSON: ``form``, "all",
    "translations", "some" or "none"; ``note``: what is not there, in a sentence, or "".
    """
    network = routing.network
    number = np.arange(network.num_channels) if channels is None else channels
    rows, columns = np.unique(routing.row_of), np.unique(routing.column_of)
    if len(rows) * len(columns) <= 4 * budget:  # of which some stay at their nodes
        first, second = np.nonzero(routing.row_node[rows][:, None] != routing.column_node[columns][None, :])
        everything = (rows[first].astype(np.int64), columns[second].astype(np.int64))
        guess = _per_pair(routing, *everything) * len(first)
        if guess <= 1.5 * budget and (found := _collected(routing, *everything, values, budget, number)):
            return {"form": "all", "note": "", **found}
    if _is_translated(routing):
        start = np.zeros(network.num_nodes - 1, dtype=np.int64)
        if found := _collected(routing, start, np.arange(1, network.num_nodes), values, budget, number):
            return {"form": "translations", "note": "", **found}
    shown = {(i, j) for i, j in wanted if network.source[i] != network.sink[j]}
    if shown:
        ends = [(routing.row_of[i], routing.column_of[j]) for i, j in shown]
        pairs = np.unique(np.array(ends, dtype=np.int64), axis=0)
        if found := _collected(routing, pairs[:, 0], pairs[:, 1], values, budget, number):
            note = f"This page carries the paths of the {len(shown):,} pairs of the traffic shown, not of all pairs."
            return {"form": "some", "note": note, **found}
    note = "The loads of single pairs are too many for a page: it shows those over the worst channel, no others."
    return {"form": "none", "note": note}


def _per_pair(routing: Routing, rows: Int64, columns: Int64) -> float:
    """Non-zero loads of a pair, from about a hundred pairs spread evenly."""
    if not len(rows):
        return 0.0
    some = np.unique(np.linspace(0, len(rows) - 1, 97).astype(np.int64))
    return len(routing.pair_loads(rows[some], columns[some]).channel) / len(some)


def _collected(
    routing: Routing, rows: Int64, columns: Int64, values: Values, budget: int, number: Int64
) -> dict[str, Any] | None:
    """The loads of the pairs, pair after pair; None where they pass the budget."""
    channel, load, length, total = [], [], [], 0
    for at in range(0, len(rows), _BLOCK):
        block = routing.pair_loads(rows[at : at + _BLOCK], columns[at : at + _BLOCK])
        total += len(block.channel)
        if total > budget:
            return None
        channel.append(number[block.channel])
        load.append(values.of(block.load))
        length.append(np.diff(block.offset))
    empty = np.zeros(0, dtype=np.int64)
    parts = {"length": length, "channel": channel, "load": load}
    data = {name: packed(np.concatenate([*some, empty])) for name, some in parts.items()}
    return {"row": packed(rows), "column": packed(columns), **data}


def _is_translated(routing: Routing) -> bool:
    """Is the network a torus whose translations the routing respects?  Exact."""
    network = routing.network
    grid = network.grid
    everyone = np.arange(network.num_nodes)
    if grid is None or grid.kind != "torus" or not routing.by_node:
        return False
    if not (np.array_equal(network.source, everyone) and np.array_equal(network.sink, everyone)):
        return False
    try:
        steps = [_translation(network, m) for m in range(grid.num_dimensions)]
        for g in steps:
            check_automorphism(network, g)
    except InputError:  # bandwidths that differ along a line
        return False
    return all(routing.respects(g) for g in steps)


def _translation(network: Network, dimension: int) -> Automorphism:
    """One step along ``dimension``, every other coordinate kept."""
    grid = network.grid
    assert grid is not None
    moved = grid.coordinates.astype(np.int64)
    moved[:, dimension] = (moved[:, dimension] + 1) % grid.radix[dimension]
    node = np.ravel_multi_index(tuple(moved.T), grid.radix).astype(np.int32)
    channel = np.full(network.num_channels, -1, dtype=np.int32)
    here, there = grid.channel_at, grid.channel_at[node]
    known = here >= 0
    channel[here[known]] = there[known]
    return Automorphism(f"translation along {dimension}", node, channel)
