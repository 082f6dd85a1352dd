"""Mixtures: every packet takes one of several routings, with given probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, matches, plus, summed, summed_pairs, times
from ...core.loads import BaseLoads, LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals, parse_fraction, shown
from ...core.spread import Progress
from ...core.symmetry import Automorphism
from .delivery import Bundle
from .routing import Dependency, Ends, ForwardingTable, Routing

_MAX_BITS = 6000  # what is read as a weight has at most 4,000 characters


class Mixture(Routing):
    """``parts``: (weight, routing) with positive weights that sum to exactly 1, all on one network.

    Loads are the weighted sums of the parts' loads, exactly.  Rows and columns are those of the parts where they
    agree (mostly the nodes), else the terminals.  ``name``: in place of ``mix:...``.

    Raises InputError for wrong weights or different networks.

    The worst case of a mixture is at most the mean of the worst cases (Towles & Dally 2002, sec. 3.1, linearity).
    """

    def __init__(self, parts: Sequence[tuple[Fraction | int | str, Routing]], *, name: str | None = None) -> None:
        if not parts:
            raise InputError("a mixture of no routings; at least one was expected")
        self.parts = [(parse_fraction(w, what=f"the weight of {r.name}"), r) for w, r in parts]
        for weight, routing in self.parts:
            if weight <= 0:
                raise InputError(f"the weight of {routing.name} in a mixture is {shown(weight)}; it must be > 0")
        total = sum((w for w, _ in self.parts), Fraction(0))
        if total != 1:
            raise InputError(f"the weights of a mixture sum to {shown(total)}; exactly 1 was expected")
        for _, routing in self.parts:
            if routing.whole_flows_of is not None:
                raise InputError(f"a mixture of {routing.name}: packets cannot follow it; a routing was expected")
        first = self.parts[0][1]
        for _, routing in self.parts[1:]:
            if not _same_network(routing.network, first.network):
                raise InputError(
                    f"a mixture needs one network; {first.name} is on {first.network.name}, "
                    f"{routing.name} on {routing.network.name}"
                )
        if max(w.denominator.bit_length() for w, _ in self.parts) > _MAX_BITS:
            raise InputError(f"a mixture's weights of more than {_MAX_BITS:,} bits could not be written down again")
        self._alike = all(_same_rows(first, r) for _, r in self.parts)
        ends = Ends.like(first) if self._alike else Ends.of(first.network, "terminal", "terminal")
        super().__init__(first.network, name or mixture_name([(w, r.name) for w, r in self.parts]), ends)
        self.in_full = any(r.in_full for _, r in self.parts)
        self.channel_attributes = frozenset[str]().union(*(r.channel_attributes for _, r in self.parts))
        self.has_base = any(r.has_base for _, r in self.parts)
        self.has_explicit_paths = all(r.has_explicit_paths for _, r in self.parts)
        self.holds_paths = all(r.holds_paths for _, r in self.parts)
        self.is_sampled = any(r.is_sampled for _, r in self.parts)

    def expected_loads(self, channel: int) -> int:
        return sum(routing.expected_loads(channel) for _, routing in self.parts)

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        num_rows, num_columns = len(self.row_node), len(self.column_node)
        keys: list[Int64] = []
        loads: list[Rationals] = []
        base: BaseLoads | None = None
        for weight, routing in self.parts:
            block = routing.channel_loads(asked, rows=self._rows_of(routing, rows))
            which = members(block.offset)
            row, column, at = self._spread(routing, block)
            if rows is not None:
                keep = rows[row]
                row, column, at = row[keep], column[keep], at[keep]
            keys.append((which[at] * num_rows + row) * num_columns + column)
            loads.append(times(block.load[at], weight))
            if block.base is not None:
                base = self._add_base(base, routing, block.base, weight)
        key, load = summed(np.concatenate(keys), concatenate(loads))
        pair = key % (num_rows * num_columns)
        offset = np.searchsorted(key, np.arange(len(asked) + 1, dtype=np.int64) * (num_rows * num_columns))
        return LoadBlock(
            asked,
            offset.astype(np.int64),
            (pair // num_columns).astype(np.int32),
            (pair % num_columns).astype(np.int32),
            load,
            base,
        )

    def _rows_of(self, routing: Routing, rows: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.bool_] | None:
        """The part's rows of which any is asked for."""
        if rows is None or self._alike:
            return rows
        result = np.zeros(len(routing.row_node), dtype=bool)
        result[routing.row_of[rows]] = True
        return result

    def _spread(self, routing: Routing, block: LoadBlock) -> tuple[Int64, Int64, Int64]:
        """(row, column, entry of the block), an entry of the part standing for all terminals that it is about."""
        row, column = block.row.astype(np.int64), block.column.astype(np.int64)
        at = np.arange(len(row), dtype=np.int64)
        if self._alike:
            return row, column, at
        for of, numbers in ((routing.row_of, "row"), (routing.column_of, "column")):
            order = np.argsort(of, kind="stable")
            places, length = matches(of[order], row if numbers == "row" else column)
            terminal = order[places].astype(np.int64)
            again = np.repeat(np.arange(len(length)), length)
            at = at[again]
            row, column = (terminal, column[again]) if numbers == "row" else (row[again], terminal)
        return row, column, at

    def _add_base(self, base: BaseLoads | None, routing: Routing, more: BaseLoads, weight: Fraction) -> BaseLoads:
        row, column = times(more.row, weight), times(more.column, weight)
        if not self._alike:
            row, column = row[:, routing.row_of], column[:, routing.column_of]
        return BaseLoads(row, column) if base is None else BaseLoads(plus(base.row, row), plus(base.column, column))

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        asked_rows = np.asarray(rows, dtype=np.int64).reshape(-1)
        asked_columns = np.asarray(columns, dtype=np.int64).reshape(-1)
        keys: list[Int64] = []
        loads: list[Rationals] = []
        for weight, routing in self.parts:
            if not self._alike:
                block = routing.pair_loads(routing.row_of[asked_rows], routing.column_of[asked_columns])
            else:
                block = routing.pair_loads(asked_rows, asked_columns)
            pair = members(block.offset)
            keys.append(pair * self.network.num_channels + block.channel)
            loads.append(times(block.load, weight))
        count, width = len(asked_rows), self.network.num_channels
        return summed_pairs(np.concatenate(keys), concatenate(loads), count, width)

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The parts' paths, equal ones put together, heaviest first."""
        return self._together((w, r.paths(*self._pair_of(r, row, column))) for w, r in self.parts)

    def decomposition(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The parts' decompositions, put together in the same way."""
        return self._together((w, r.decomposition(*self._pair_of(r, row, column))) for w, r in self.parts)

    def _together(
        self, found: Iterable[tuple[Fraction, list[tuple[Fraction, list[int]]]]]
    ) -> list[tuple[Fraction, list[int]]]:
        together: dict[tuple[int, ...], Fraction] = {}
        for weight, paths in found:
            for share, path in paths:
                together[tuple(path)] = together.get(tuple(path), Fraction(0)) + weight * share
        return sorted(((w, list(p)) for p, w in together.items()), key=lambda item: (-item[0], item[1]))

    def _pair_of(self, routing: Routing, row: int, column: int) -> tuple[int, int]:
        if not self._alike:
            return int(routing.row_of[row]), int(routing.column_of[column])
        return row, column

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:
        for _, routing in self.parts:
            yield from routing.bundles(progress)

    def dependencies(self, progress: Progress | None = None) -> Iterator[Dependency]:
        for _, part in self.parts:
            for first, second, row, column in part.dependencies(progress):
                yield (
                    first,
                    second,
                    _index(part.row_of, self.row_of, row),
                    _index(part.column_of, self.column_of, column),
                )

    def makes_dependency(self, row: int, column: int, first: int, second: int) -> bool:
        return any(r.makes_dependency(*self._pair_of(r, row, column), first, second) for _, r in self.parts)

    def forwarding_tables(self) -> Sequence[tuple[Fraction, ForwardingTable]]:
        """Those of the parts, if every part is made of tables."""
        found = [[(w * x, table) for x, table in routing.forwarding_tables()] for w, routing in self.parts]
        return [x for some in found for x in some] if all(found) else ()

    def respects(self, g: Automorphism) -> bool:
        """True if all parts do.  (A mixture can respect more than its parts; that is not looked for.)"""
        return self.by_node and all(routing.respects(g) for _, routing in self.parts)

    def respects_reversal(self) -> bool:
        return all(routing.respects_reversal() for _, routing in self.parts)

    def check(self) -> None:
        for _, routing in self.parts:
            routing.check()

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # it has none
        """Nothing of its own: a report says of every part what it must (``parts``)."""
        raise InputError(f"{self.name} is a mixture; its parts are written one by one")


def mixture_name(parts: Sequence[tuple[Fraction, str]]) -> str:
    """``mix:1/2*dor+1/2*romm``: what a mixture of these (weight, name) is called."""
    return "mix:" + "+".join(f"{weight}*{name}" for weight, name in parts)


def _same_network(one: Network, two: Network) -> bool:
    return one is two or (
        one.num_nodes == two.num_nodes
        and one.bandwidth == two.bandwidth
        and all(np.array_equal(getattr(one, x), getattr(two, x)) for x in ("tail", "head", "source", "sink"))
    )


def _same_rows(one: Routing, two: Routing) -> bool:
    names = ("row_of", "column_of", "row_node", "column_node", "by_node")
    return all(np.array_equal(getattr(one, x), getattr(two, x)) for x in names)


def _index(own: Int32, wanted: Int32, value: Int32) -> Int32:
    """Rows (columns) of a part of a mixture as those of the mixture, by a terminal that has both."""
    if np.array_equal(own, wanted):
        return value
    terminal = np.zeros(int(own.max()) + 1, dtype=np.int64)
    terminal[own[::-1]] = np.arange(len(own))[::-1]
    return wanted[terminal[value]]
