"""What no forwarding table can beat: counting, the bound of all oblivious routings rounded up, refutations; looked for
the cheapest first, until one meets the tables that are there.

``TablesBound`` says the value and carries the evidence; ``claims.routings.tables`` checks it.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.derived import throughput_of
from ...claims.routings.tables import TABLES_BOUND, TABLES_OPTIMUM, TABLES_REACHED, about_tables
from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import shown
from ...core.spread import Progress, Stage
from ...kernel.table_bounds import (
    ONE,
    Lids,
    count_at_exit,
    count_meetings,
    formula_below,
    formula_size,
    least_load_above,
    least_load_from,
    pairs_that_meet,
    room,
    room_of_nodes,
)
from ...machine.deadlines import Deadline, OutOfTimeError, ended_in_time
from ...routing.base.routing import Routing
from ...searching.satisfiability import answer_clauses
from ..worst_case import least_load
from .starts import completed_table
from .tables import single_paths_of

_MOST_SEPARATED = 300
"""Nodes up to which the parts of the network behind every node are looked at, too."""
MOST_CLAUSES = 400_000
_REFUTED = "refuted: lemmas checked by unit propagation"


@dataclass(frozen=True)
class TablesBound:
    """Every table has a worst case of at least ``value``; ``data``: the evidence."""

    value: Fraction
    data: dict[str, Any]
    words: str


def counted_bound(network: Network, lids: Lids = ONE) -> TablesBound | None:
    """The best bound by counting destinations at a node that all packets leave by; None where none counts anything."""
    best: TablesBound | None = None
    seen: set[tuple[object, ...]] = set()
    for inside, exit_node in _exits(network):
        within = np.zeros(network.num_nodes, dtype=bool)
        within[inside] = True
        sources = int(network.supply[within].sum())
        leaving = np.flatnonzero((network.tail == exit_node) & ~within[network.head])
        widths = sorted(network.bandwidth[c] for c in leaving.tolist())
        outside = int(network.demand[~within].sum())
        key = (sources, outside, *widths)
        if key in seen or not sources or not outside or not widths:
            continue
        seen.add(key)
        units = {b * lids.parts for b in widths}
        loads = sorted({Fraction(k) / b for b in units for k in range(1, sources * lids.parts + 1)})
        # Proved up to some load, not beyond.
        most = bisect_right(loads, False, key=lambda x: count_at_exit(network, inside, exit_node, x, lids) is not None)
        if most and (best is None or loads[most - 1] > best.value):
            words = (
                f"{outside} destinations{_with(lids)} over {_count(len(widths), 'channel')} of node "
                f"{network.label(exit_node)}, where the packets of {_count(sources, 'source')} meet"
            )
            best = TablesBound(loads[most - 1], {"inside": np.array(sorted(inside)), "exit": exit_node}, words)
    return best


def meeting_bound(network: Network, lids: Lids = ONE) -> TablesBound | None:
    """The best bound by counting the pairs whose source and destination can meet at a node."""
    if lids.parts > 1 or not network.num_channels:
        return None
    ends, widths = range(1, network.num_terminals + 1), set(network.bandwidth)
    loads = sorted({Fraction(k) / b for b in widths for k in ends})
    most = bisect_right(loads, False, key=lambda x: _multiplier(network, x) is None)
    if not most:
        return None
    data = {"counted": "meetings", "multiplier": str(_multiplier(network, loads[most - 1]))}
    return TablesBound(loads[most - 1], data, "pairs counted at the node where their source and destination meet")


def _multiplier(network: Network, bound: Fraction) -> Fraction | None:
    """The one with which ``count_meetings`` proves most, two of its cases being alike; None where it proves nothing."""
    rooms = room_of_nodes(network, bound)
    if rooms is None:
        return None
    nodes = rooms[1]
    alike = {Fraction(x) for x in np.unique(list(nodes)).tolist()}
    alike |= {Fraction(a * b - s * d, a + b - s - d) for s, d, a, b in nodes if a + b > s + d}
    best = min(sorted(alike), key=lambda x: pairs_that_meet(*rooms, x))
    return best if count_meetings(network, bound, best) is None else None


def _with(lids: Lids) -> str:
    return "" if lids.count == 1 or lids.single else f" with {lids.count} lids each"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _exits(network: Network) -> list[tuple[list[int], int]]:
    """(nodes, the only node by which they are left): every node alone, and all but the part behind a node."""
    size = network.num_nodes
    found = [([v], v) for v in np.flatnonzero(network.supply > 0).tolist()]
    if size > _MOST_SEPARATED:
        return found
    near: list[set[int]] = [set() for _ in range(size)]
    for u, v in zip(network.tail.tolist(), network.head.tolist(), strict=True):
        near[u].add(v)
        near[v].add(u)
    for exit_node in range(size):
        parts = _parts_without(near, exit_node)
        if len(parts) > 1:
            found += [(sorted(set(range(size)) - part), exit_node) for part in parts]
    return found


def _parts_without(near: list[set[int]], removed: int) -> list[set[int]]:
    left, parts = set(range(len(near))) - {removed}, []
    while left:
        stack = [left.pop()]
        part = set(stack)
        while stack:
            new = (near[stack.pop()] & left) - part
            part |= new
            left -= new
            stack += new
        parts.append(part)
    return parts


def rounded_bound(network: Network, least: Claim | None, lids: Lids = ONE) -> TablesBound | None:
    """The bound of all oblivious routings, a claim of the report, rounded up to a whole load of a channel."""
    if least is None:
        return None
    value = least_load_from(network, least.number, lids)
    whole = "whole" if lids.parts == 1 else f"multiples of 1/{lids.parts}"
    those = "single paths" if lids.single else "tables"
    words = f"no oblivious routing is below {least.number}, and loads of {those} are {whole}"
    return TablesBound(value, {"rounded": ["worst_case_load"]}, words)


def exact_tables(
    network: Network, lower: TablesBound, upper: Fraction, lids: Lids, *, time_limit: float,
    checked_until: Deadline, progress: Progress | None = None,
) -> tuple[TablesBound, Int32 | None]:  # fmt: skip
    """(a bound of at least ``lower``, the best table below ``upper`` that was found or None), by a solver for clauses,
    in so many seconds.

    Better tables are looked for from above, for half of the time, until there are none; else bounds are refuted one
    after the other from below.  Refutations are checked here by unit propagation, which ends at ``checked_until``.  A
    table is int32, shape (N, T), -1 where no packet passes; of single paths (T, N, T), by source.

    Raises InputError where python-sat is not installed.
    """
    deadline, best = Deadline(time_limit), None
    half = Deadline(time_limit / 2)
    first, last = lower.value, upper
    while lower.value < upper:
        table, lemmas = _table_below(network, upper, lids, half, checked_until)
        if lemmas is not None:
            return TablesBound(upper, _refutation(lemmas), _REFUTED), best
        if table is None:
            break
        best, upper = table, max(Fraction(room(b, upper)) / b for b in set(network.bandwidth))
    while lower.value < upper:
        if progress is not None:
            progress(int(100 * (lower.value - first) / (last - first)), 100)
        above = least_load_above(network, lower.value)
        table, lemmas = _table_below(network, above, lids, deadline, checked_until)
        if table is not None:
            return lower, table
        if lemmas is None:
            break
        lower = TablesBound(above, _refutation(lemmas), _REFUTED)
    return lower, best


def _table_below(
    network: Network, bound: Fraction, lids: Lids, deadline: Deadline, checked_until: Deadline
) -> tuple[Int32 | None, list[list[int]] | None]:
    """A table with a worst case below ``bound``, or a refutation; neither where there is no time for it."""
    formula, seconds = None, deadline.left() or 0.0
    if formula_size(network, bound, lids) <= MOST_CLAUSES and seconds:
        with suppress(OutOfTimeError), ended_in_time(seconds):
            formula = formula_below(network, bound, lids)
    if formula is None:
        return None, None
    model, lemmas = answer_clauses(
        formula.num_variables, formula.clauses, time_limit=deadline.left() or 0.0, what="a refutation of tables",
        checked_until=checked_until,
    )  # fmt: skip
    if model is None:
        return None, lemmas
    nodes, ends = network.num_nodes, network.num_terminals
    table = np.full((ends, nodes, ends) if lids.single else (nodes, ends), -1, dtype=np.int32)
    for (v, j, c), name in formula.next_channel.items():
        if name in model:
            table[(v, network.tail[c], j) if lids.single else (v, j)] = c
    return table, None


def _refutation(lemmas: list[list[int]]) -> dict[str, Any]:
    flat = [x for lemma in lemmas for x in (*lemma, 0)]
    return {"lemmas": np.array(flat, dtype=np.int64), "literals": len(flat)}


def tables_claims(load: Fraction, bound: TablesBound | None, lids: Lids = ONE) -> list[Claim]:
    """The interval of the best worst case among tables, one claim where both ends meet; ``load``: that of the report's
    routing, a table."""
    reached: dict[str, Any] = {"reached": ["worst_case_load"]}
    about = about_tables(lids)
    if bound is not None and bound.value == load:
        return [TABLES_OPTIMUM.claim(load, {**reached, "bound": bound.data}, about)]
    upper = TABLES_REACHED.claim(load, reached, about)
    return [upper] if bound is None else [upper, TABLES_BOUND.claim(bound.value, {"bound": bound.data}, about)]


_SECONDS = 20.0  # of a solver of clauses, unless told
_OF_BOUND, _OF_REFUTING = 0.6, 0.8  # of what is left of the time: for a program, for clauses before they are checked


class TablesBounds:
    """What no table beats, and no oblivious routing; ``value``: a worst case that no table of the search beats.

    ``lids``: how many of a host, and whether sources are pinned to one; None: the tables of some mixture, for which the
    bound of all oblivious routings alone is looked for.
    """

    def __init__(self, network: Network, lids: Lids | None, *, deadline: Deadline, stage: Stage | None) -> None:
        self.network, self._deadline, self._stage = network, deadline, stage
        self.lids = lids
        counted = [] if lids is None else [counted_bound(network, lids), meeting_bound(network, lids)]
        self.best = max((x for x in counted if x is not None), key=lambda x: x.value, default=None)
        self.oblivious: Claim | None = None
        self._said = ""
        self._asked = False
        self._note = ""

    @property
    def value(self) -> Fraction | None:
        if self.lids is None:
            return None if self.oblivious is None else self.oblivious.number
        return None if self.best is None else self.best.value

    def look(self, load: Fraction) -> None:
        """At the bound of all oblivious routings, once, unless tables with a worst case of ``load`` are the best."""
        if self._asked or (self.value is not None and load <= self.value):
            return
        self._asked = True
        self.oblivious, self._said = least_load(
            self.network, time_limit=self._deadline.part(_OF_BOUND), stage=self._stage, reached=load
        )
        rounded = None if self.lids is None else rounded_bound(self.network, self.oblivious, self.lids)
        if rounded is not None and (self.best is None or rounded.value > self.best.value):
            self.best = rounded

    def settle(self, load: Fraction, name: str, *, free: bool, progress: Progress | None) -> Routing | None:
        """Refute what is between the bound and ``load``, by a solver of clauses, in 20 s or what is left; a better
        table where one exists.  ``free``: any table is wanted; else a table that is found says nothing."""
        if (
            self.lids is None
            or not (self.lids == ONE or self.lids.single)
            or (self.best is not None and self.best.value >= load)
        ):
            return None
        lower, left = self.best or TablesBound(Fraction(0), {}, ""), self._deadline.part(_OF_REFUTING)
        try:
            found, table = exact_tables(
                self.network,
                lower,
                load,
                self.lids,
                progress=progress,
                checked_until=self._deadline,
                time_limit=_SECONDS if left is None else left,
            )
        except InputError as error:
            self._note = f"; {error}"
            return None
        if found.value > lower.value:
            self.best = found
        if table is None or not free:
            return None
        if self.lids.single:
            return single_paths_of(self.network, list(table), name=name)
        return completed_table(self.network, table, name=name)

    def claims(self, load: Fraction) -> list[Claim]:
        """What is claimed beside the worst case of the routing itself, which is ``load``."""
        own = [] if self.oblivious is None else [self.oblivious]
        if self.lids is None:
            return own
        among = tables_claims(load, self.best, self.lids)
        return [*among, *(throughput_of(x) for x in among if x.number), *own]

    def words(self, load: Fraction) -> str:
        """What is known of the best table, and of the best oblivious routing."""
        if self.best is None:
            return (self._said or "none") + self._note
        none = "no choice of single paths" if self.lids is not None and self.lids.single else "no table"
        if self.best.value >= load:
            return f"{none} has a lower worst case: {self.best.words}"
        end = f"; {self._said}" if self._said and "rounded" not in self.best.data else ""
        return f"{none} has a worst case below {shown(self.best.value)}: {self.best.words}{end}{self._note}"
