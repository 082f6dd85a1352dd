"""Clauses that say: the hops of these paths can have so many virtual channels without any of these cycles.

If they have no model, more virtual channels are needed to be free of cycles: every assignment that has no cycle at all
satisfies them, once virtual channels are named so that the first path begins on the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from ..core.errors import VerificationError

Path = Sequence[int]
SHARED = ("layers", "destinations", "hops")


@dataclass(frozen=True)
class Sharing:
    """Which hops have the same virtual channel, ``by``: all of a path (layers), all of all paths to a node
    (destinations), or each hop of each path has its own (hops).

    ``size``: how many channels there are; ``head``: the node that each leads to, for destinations.  Virtual channel v
    of channel c has the number v * size + c.
    """

    by: str
    size: int
    head: Sequence[int] = ()

    @property
    def within(self) -> bool:
        """Do paths keep to one virtual channel?"""
        return self.by != "hops"

    def choices(self, paths: Sequence[Path]) -> list[tuple[int, ...]]:
        """For each hop of each path, the number of the choice of its virtual channel, from 0."""
        if self.by == "layers":
            return [(p,) * len(path) for p, path in enumerate(paths)]
        if self.by == "destinations":
            number: dict[int, int] = {}
            ends = [self.head[path[-1]] for path in paths]
            return [(number.setdefault(end, len(number)),) * len(path) for end, path in zip(ends, paths, strict=True)]
        found, at = [], 0
        for path in paths:
            found.append(tuple(range(at, at + len(path))))
            at += len(path)
        return found


class LayerFormula:
    """``clauses`` over variables 1 .. ``num_variables`` for different ``paths`` of channels and ``count`` virtual
    channels; those of cycles are added by ``forbid``.

    A path's dependencies are its pairs of successive channels.
    """

    def __init__(self, paths: Sequence[Path], count: int, sharing: Sharing) -> None:
        self.count, self.sharing = count, sharing
        self._choices = sharing.choices(paths)
        size, lanes = sharing.size, range(count)
        both = [(k, k) for k in lanes] if sharing.within else list(product(lanes, lanes))
        choices = 1 + max((x for found in self._choices for x in found), default=-1)
        edges = sorted({edge for path in paths for edge in pairwise(path)})
        names = ((k * size + c, m * size + d) for c, d in edges for k, m in both)
        self._used = {edge: choices * count + 1 + at for at, edge in enumerate(names)}
        self.num_variables = choices * count + len(self._used)
        self.clauses = [[1]] if choices else []
        self.clauses += [[u * count + k + 1 for k in lanes] for u in range(choices)]
        for path, chosen in zip(paths, self._choices, strict=True):
            for (c, d), (u, w) in zip(pairwise(path), pairwise(chosen), strict=True):
                for k, m in both:
                    taken = {-(u * count + k + 1), -(w * count + m + 1)}
                    self.clauses.append([*taken, self._used[k * size + c, m * size + d]])

    def forbid(self, cycle: Sequence[int]) -> list[list[int]]:
        """Clauses against a cycle of virtual channels, and its images where all are renamed by k -> k + 1.

        Each depends on the one before, and the first on the last; a single one on itself.  Raises VerificationError
        where they do not.
        """
        size = self.sharing.size * self.count
        found = []
        for turned in range(0, size, self.sharing.size):
            around = [(x + turned) % size for x in cycle]
            edges = list(zip(around, [*around[1:], *around[:1]], strict=True))
            if not cycle or not all(edge in self._used for edge in edges):
                raise VerificationError(f"the cycle {str(list(cycle))[:60]} is not made of dependencies of the paths")
            found.append([-self._used[edge] for edge in edges])
        return found

    def assigned(self, model: set[int]) -> list[tuple[int, ...]]:
        """The virtual channels of the hops of every path, as a model has them."""
        lanes = range(self.count)
        return [tuple(next(k for k in lanes if u * self.count + k + 1 in model) for u in x) for x in self._choices]
