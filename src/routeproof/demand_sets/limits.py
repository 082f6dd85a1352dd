"""What limits the demands of a transport set: terminals, all together, and pairs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, int32_array, read_only
from ..core.errors import InputError
from .demand_set import Demand, DemandSet, Pair

Box = Mapping[Pair, tuple[Fraction, Fraction]]
"""low <= D <= high: for every pair (i, j) that may send at all, its least and its largest demand."""


@dataclass(frozen=True, eq=False)
class Limits(DemandSet):
    """Demands between ``size`` terminals.  None stands for "no limit of this kind".

    - ``sends``, ``receives``: T fractions, the most that a terminal sends (a row's sum) and receives (a column's);
    - ``total``: the most that all send together;
    - ``group``: int32 (T,): a pair sends only inside one group; terminals of group -1 send and receive nothing;
      ``jobs``: the groups' names, by number;
    - ``apart``: int32 (T,), a number of every terminal's server: a pair sends only between two servers;
    - ``pairs``: only these pairs send; ``box``: only its pairs send, each between its two limits;
    """

    sends: tuple[Fraction, ...] | None = None
    receives: tuple[Fraction, ...] | None = None
    total: Fraction | None = None
    group: Int32 | None = None
    jobs: tuple[str, ...] = ()
    apart: Int32 | None = None
    pairs: frozenset[Pair] | None = None
    box: Box | None = None

    def __post_init__(self) -> None:
        if self.size < 2:
            raise InputError(f"{self.text}: demands between {self.size} terminals; two at least were expected")
        for what, rates in (("sends", self.sends), ("receives", self.receives)):
            if rates is not None and len(rates) != self.size:
                raise InputError(f"{self.text}: {what} has {len(rates)} rates; {self.size} were expected")
            least = min({id(x): x for x in rates or ()}.values(), default=Fraction(0))  # most are one object
            for i, x in enumerate(rates or () if least < 0 else ()):
                if x < 0:
                    raise InputError(f"{self.text}: terminal {i} {what} at most {x}; it cannot be negative")
        if self.total is not None and self.total < 0:
            raise InputError(f"{self.text}: the total is at most {self.total}; it cannot be negative")
        if self.group is not None:
            shifted = int32_array(np.asarray(self.group) + 1, what="group + 1", size=self.size, below=self.size + 1)
            object.__setattr__(self, "group", read_only(shifted - 1))
            names = self.jobs or tuple(map(str, range(int(shifted.max(initial=0)))))
            if len(names) != int(shifted.max(initial=0)) or len(set(names)) != len(names):
                raise InputError(
                    f"{self.text}: {len(set(names))} names of jobs for groups 0 to {int(shifted.max()) - 1}"
                )
            object.__setattr__(self, "jobs", names)
        if self.apart is not None:
            servers = int32_array(np.asarray(self.apart), what="apart", size=self.size, below=self.size)
            object.__setattr__(self, "apart", read_only(servers))
        for i, j in [*(self.pairs or ()), *(self.box if self.box else ())]:
            if not (0 <= i < self.size and 0 <= j < self.size):
                raise InputError(f"{self.text}: pair ({i}, {j}); terminals are 0 to {self.size - 1}")
            if i == j:
                raise InputError(f"{self.text}: terminal {i} sends to itself; the diagonal of a demand is 0")
        for (i, j), (low, high) in (self.box if self.box else {}).items():
            if not 0 <= low <= high:
                raise InputError(f"{self.text}: pair ({i}, {j}) sends from {low} to {high}; 0 <= low <= high expected")

    @property
    def largest(self) -> Demand | None:
        if self.box is None or not self.is_only_box:
            return None
        return {pair: high for pair, (_, high) in self.box.items()}

    @property
    def several_jobs(self) -> bool:
        return len(self.jobs) > 1 and self.total is None and self.box is None

    @property
    def listed_pairs(self) -> Collection[Pair] | None:
        """Those that may send at all, as far as they are listed; None where they are not."""
        return self.pairs if self.box is None else self.box.keys()

    @property
    def is_bounded(self) -> bool:
        """Is the largest demand finite, whatever the pair?"""
        return None not in (self.sends, self.receives) or self.total is not None or self.box is not None

    @property
    def is_only_box(self) -> bool:
        """Are two limits for every pair all that there is?"""
        others = self.sends, self.receives, self.total, self.group, self.apart, self.pairs
        return self.box is not None and all(x is None for x in others)

    @property
    def allows_all(self) -> bool:
        """May every terminal send to every other one?"""
        return all(x is None for x in (self.group, self.apart, self.pairs, self.box))

    @property
    def is_permutations(self) -> bool:
        ones = (Fraction(1),) * self.size
        whole = self.total is None or self.total >= self.size
        return self.sends == self.receives == ones and self.allows_all and whole

    @property
    def is_symmetric(self) -> bool:
        return self.allows_all and self.sends == self.receives and len(set(self.sends or (0,))) == 1

    def allows(self, i: int, j: int) -> bool:
        """May terminal i send to terminal j, as far as groups, servers, pairs and box say?"""
        if i == j or (self.group is not None and (self.group[i] < 0 or self.group[i] != self.group[j])):
            return False
        if self.apart is not None and self.apart[i] == self.apart[j]:
            return False
        return (self.pairs is None or (i, j) in self.pairs) and (self.box is None or (i, j) in self.box)

    def limits(self, i: int, j: int) -> tuple[Fraction, Fraction | None]:
        """The least and the largest demand of one allowed pair; None: no limit of its own."""
        return (Fraction(0), None) if self.box is None else self.box[i, j]

    def allowed(self) -> npt.NDArray[np.bool_]:
        """bool (T, T): which pairs may send anything, as far as all limits but the total say."""
        found = positive(self.sends, self.size)[:, None] & positive(self.receives, self.size)
        np.fill_diagonal(found, val=False)
        if self.group is not None:
            found &= (self.group[:, None] == self.group) & (self.group >= 0)
        if self.apart is not None:
            found &= self.apart[:, None] != self.apart
        some = None if self.box is None else [pair for pair, (_, high) in self.box.items() if high]
        for pairs in (self.pairs, some):
            if pairs is not None:
                mask = np.zeros_like(found)
                mask[tuple(np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T)] = True
                found &= mask
        return found


def positive(rates: Sequence[Fraction] | None, size: int) -> npt.NDArray[np.bool_]:
    """bool (T,): which terminals may send (receive) anything."""
    if rates is None:
        return np.ones(size, dtype=np.bool_)
    each = {id(x): x > 0 for x in rates}  # most are one object
    return np.array([each[id(x)] for x in rates])
