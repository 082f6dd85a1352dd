"""How far forwarding tables are from the best: bounds are looked for, the cheapest first, until one meets them."""

from __future__ import annotations

from fractions import Fraction

from ...claims.derived import throughput_of
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import shown
from ...core.spread import Progress, Stage
from ...kernel.table_bounds import ONE, Lids
from ...machine.deadlines import Deadline
from ...routing.base.routing import Routing
from ..worst_case import least_load
from .bounds import TablesBound, counted_bound, exact_tables, meeting_bound, rounded_bound, tables_claims
from .starts import completed_table
from .tables import single_paths_of

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
            self.network, time_limit=self._deadline.part(_OF_BOUND), stage=self._stage
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
